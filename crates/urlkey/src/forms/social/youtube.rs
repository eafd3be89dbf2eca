//! YouTube, with music, kids, the old hosts of embeds, and the links of apps.

use super::SocialId;
use super::hosts::Platform;
use super::link::{Link, code, encoded, name, word};
use crate::url::Url;

const ME: &str = "youtube";
const HOME: &str = "https://www.youtube.com";

pub(super) fn read(
    link: &Link,
    platform: &Platform,
    inner: impl Fn(&str, &str) -> Option<SocialId>,
) -> Option<SocialId> {
    let segments = link.segments();
    if link.host.ends_with("youtu.be") {
        return match *segments {
            [id] => video(id, link),
            ["shorts", id] => short(id, link),
            _ => None,
        };
    }
    match *segments {
        [] | ["watch" | "watch.php" | "watch_popup" | "movie"] => watch(link),
        ["embed", "videoseries" | "playlist"] | ["playlist"] => playlist(&link.param("list")?),
        ["embed"] if link.param("listType").as_deref() == Some("playlist") => playlist(&link.param("list")?),
        // Old players had their parameters in the path: /v/ID&hl=en.
        ["v" | "e", id] => video(id.split('&').next().unwrap_or(id), link),
        ["watch" | "embed" | "live", id] => video(id, link),
        ["shorts", id] => short(id, link),
        ["clip", id] => code(id, 20, 50).then(|| plain("clip", id, "/clip/")),
        ["post", id] => post(id),
        ["channel", _, "community"] | [_, "community"] if link.param("lb").is_some() => post(&link.param("lb")?),
        ["browse", id] => browse(id),
        ["channel", id, ref tab @ ..] => channel(id).map(|found| found.part_if(is_tab(tab))),
        ["c", who, ref tab @ ..] => named("custom", who, "/c/").map(|found| found.part_if(is_tab(tab))),
        ["user", who, ref tab @ ..] => named("user", who, "/user/").map(|found| found.part_if(is_tab(tab))),
        ["attribution_link"] => inner("u", HOME),
        [who, ref tab @ ..] if who.starts_with('@') => handle(&who[1..]).map(|found| found.part_if(is_tab(tab))),
        [who] if !platform.reserves(who) => named("name", who, "/"),
        _ => None,
    }
}

/// `vnd.youtube:ID`, `vnd.youtube://ID`, `youtube://watch?v=ID`, `youtube://www.youtube.com/watch?v=ID`.
pub(super) fn app(url: &Url) -> Option<SocialId> {
    let rest = url.href().split_once(':')?.1.trim_start_matches('/');
    let (path, query) = rest.split_once('?').map_or((rest, None), |(path, query)| (path, Some(query)));
    let path = path.split_once("youtube.com/").map_or(path, |(_, path)| path);
    let link = Link::of("youtube", path, query, url.fragment())?;
    match *link.segments() {
        ["watch"] => watch(&link),
        ["watch" | "embed" | "v" | "video", id] => video(id, &link),
        ["shorts", id] => short(id, &link),
        ["channel", id, ..] => channel(id),
        ["user", who, ..] => named("user", who, "/user/"),
        [id] => video(id, &link),
        _ => None,
    }
}

/// Another page of a channel than the first, or than its videos, which are what the channel is.
fn is_tab(behind: &[&str]) -> bool {
    !matches!(behind, [] | ["featured" | "videos"])
}

fn watch(link: &Link) -> Option<SocialId> {
    let fragment = link.fragment().trim_start_matches(['!', '/']);
    let in_fragment = || Link::of(link.host, "", Some(fragment), None)?.param("v");
    let twice = link.params().filter(|(name, _)| name == "v").count() > 1;
    let id = if twice { link.param("v")? } else { link.param("v").or_else(in_fragment)? };
    video(&id, link)
}

/// Words of players are as long as an id: `/embed/live_stream?channel=`.
fn is_video(id: &str) -> bool {
    code(id, 11, 11) && !matches!(id, "live_stream" | "videoseries")
}

fn video(id: &str, link: &Link) -> Option<SocialId> {
    if !is_video(id) {
        return None;
    }
    let list = link.param("list").filter(|list| is_list(list));
    let seconds = start(link);
    let (kind, time) = match (&seconds, &list) {
        (Some(seconds), _) => ("video-time", format!("&t={seconds}s")),
        (None, Some(_)) => ("video-in-list", String::new()),
        (None, None) => ("video", String::new()),
    };
    let found = SocialId::new(ME, kind, id, [HOME, "/watch?v=", id, &time].concat());
    Some(found.in_space("video").with("list", list).with("t", seconds))
}

/// One id space with videos: only the player differs.
fn short(id: &str, link: &Link) -> Option<SocialId> {
    is_video(id).then(|| plain("short", id, "/shorts/").in_space("video").with("t", start(link)))
}

/// Where it begins, in seconds: `t` or `start`, in the query or the fragment.
pub(super) fn start(link: &Link) -> Option<String> {
    let in_fragment = || Link::of(link.host, "", Some(link.fragment()), None)?.param("t");
    let given = link.param("t").or_else(|| link.param("start")).or_else(in_fragment)?;
    seconds(&given).filter(|&seconds| seconds > 0).map(|seconds| seconds.to_string())
}

/// Digits of a time, and the most seconds that have no more.
const MOST_DIGITS: usize = 9;
const MOST_SECONDS: u32 = 999_999_999;

/// `90`, `90s`, `1m30s`, `1h2m3s`.
pub(super) fn seconds(text: &str) -> Option<u32> {
    let (mut total, mut rest) = (0u32, text);
    for (unit, seconds) in [('h', 3600), ('m', 60), ('s', 1)] {
        if let Some((amount, after)) = rest.split_once(unit) {
            total = total.checked_add(number(amount)?.checked_mul(seconds)?)?;
            rest = after;
        }
    }
    let bare = rest.len() == text.len();
    let found = match rest.is_empty() {
        true => (!text.is_empty()).then_some(total),
        false => bare.then(|| number(rest)).flatten(),
    };
    // In seconds, it is to be read again.
    found.filter(|&seconds| seconds <= MOST_SECONDS)
}

fn number(text: &str) -> Option<u32> {
    let whole = !text.is_empty() && text.len() <= MOST_DIGITS && text.bytes().all(|c| c.is_ascii_digit());
    whole.then(|| text.parse().ok()).flatten()
}

/// Lists of one's own (watch later, liked) are another list for everybody.
fn is_list(id: &str) -> bool {
    code(id, 2, 128) && !matches!(id, "WL" | "LL" | "LM" | "HL")
}

fn playlist(id: &str) -> Option<SocialId> {
    is_list(id).then(|| plain("playlist", id, "/playlist?list="))
}

/// Pages of the music player: lists, channels, albums.
fn browse(id: &str) -> Option<SocialId> {
    match id.strip_prefix("VL") {
        Some(list) => playlist(list),
        None if id.starts_with("MPREb_") && code(id, 10, 40) => {
            Some(SocialId::new(ME, "album", id, format!("https://music.youtube.com/browse/{id}")))
        }
        None => channel(id),
    }
}

fn post(id: &str) -> Option<SocialId> {
    code(id, 20, 60).then(|| plain("post", id, "/post/"))
}

fn channel(id: &str) -> Option<SocialId> {
    let whole = id.starts_with("UC") && id.len() == 24 && code(id, 24, 24);
    whole.then(|| plain("channel-id", id, "/channel/"))
}

fn handle(who: &str) -> Option<SocialId> {
    let canonical = format!("{HOME}/@{}", encoded(who));
    name(who, "-_.", 60).then(|| SocialId::new(ME, "handle", format!("@{}", who.to_lowercase()), canonical))
}

/// Old names, each in a space of its own: what the platform shows as written, it finds in any case.
fn named(kind: &'static str, who: &str, before: &str) -> Option<SocialId> {
    let fits = if kind == "name" { word(who, "", 3, 60) } else { name(who, "-_.", 100) };
    fits.then(|| SocialId::new(ME, kind, who.to_lowercase(), format!("{HOME}{before}{}", encoded(who))))
}

fn plain(kind: &'static str, id: &str, before: &str) -> SocialId {
    SocialId::new(ME, kind, id, [HOME, before, id].concat())
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn starts_are_in_seconds() {
        let cases = [
            ("90", Some(90)),
            ("90s", Some(90)),
            ("1m30s", Some(90)),
            ("1m", Some(60)),
            ("1h2m3s", Some(3723)),
            ("1h3s", Some(3603)),
            ("", None),
            ("s", None),
            ("1m30", None),
            ("1s2m", None),
            ("-5", None),
            ("1.5", None),
            ("99999999999", None),
            ("999999999", Some(999_999_999)),
            ("16666666m39s", Some(999_999_999)),
            ("16666666m40s", None),
        ];
        for (text, expected) in cases {
            assert_eq!(seconds(text), expected, "{text}");
        }
    }
}
