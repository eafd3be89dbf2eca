//! SoundCloud and Spotify.

use super::SocialId;
use super::hosts::Platform;
use super::link::{Link, code, word};
use super::youtube::start;

/// Pages of somebody on SoundCloud behind the first.
const TABS: [&str; 10] = [
    "tracks",
    "popular-tracks",
    "albums",
    "sets",
    "reposts",
    "likes",
    "followers",
    "following",
    "comments",
    "spotlight",
];

pub(super) fn soundcloud(
    link: &Link,
    platform: &Platform,
    inner: impl Fn(&str, &str) -> Option<SocialId>,
) -> Option<SocialId> {
    let home = "https://soundcloud.com";
    let segments = link.segments();
    let found = |kind, id: String| {
        let canonical = format!("{home}/{id}");
        Some(SocialId::new("soundcloud", kind, id, canonical))
    };
    let part = |text: &str| code(text, 1, 120).then(|| text.to_ascii_lowercase());
    let owner = |who: &str| part(who).filter(|who| !platform.reserves(who));
    match (link.host, &*segments) {
        ("w.soundcloud.com", ["player"]) => inner("url", home),
        ("on.soundcloud.com", [id]) => code(id, 4, 30)
            .then(|| SocialId::new("soundcloud", "short", *id, format!("https://on.soundcloud.com/{id}"))),
        ("w.soundcloud.com" | "on.soundcloud.com", _) => None,
        (_, [who]) => found("profile", owner(who)?),
        (_, [who, tab]) if TABS.contains(tab) => found("profile", owner(who)?).map(|found| found.part_if(true)),
        (_, [who, "sets", list]) => found("playlist", format!("{}/sets/{}", owner(who)?, part(list)?)),
        (_, [who, track]) => found("track", format!("{}/{}", owner(who)?, part(track)?)),
        // A private track shows itself to those who have its secret.
        (_, [who, track, secret]) if secret.starts_with("s-") && code(secret, 5, 30) => {
            found("track", format!("{}/{}/{secret}", owner(who)?, part(track)?))
        }
        _ => None,
    }
}

const KINDS: [&str; 8] = ["track", "album", "artist", "playlist", "show", "episode", "audiobook", "chapter"];

pub(super) fn spotify(link: &Link) -> Option<SocialId> {
    let segments = link.segments();
    if link.host == "spotify.link" {
        let [id] = *segments else { return None };
        return word(id, "", 5, 30)
            .then(|| SocialId::new("spotify", "short", id, format!("https://spotify.link/{id}")));
    }
    let mut rest = &*segments;
    while let [first, after @ ..] = rest
        && (matches!(*first, "embed" | "embed-podcast") || first.starts_with("intl-"))
    {
        rest = after;
    }
    match *rest {
        [] if link.host == "embed.spotify.com" => spotify_uri(link.param("uri")?.strip_prefix("spotify:")?),
        ["user", who] => user(who),
        ["user", _, "playlist", id] => item("playlist", id),
        // Of what is long enough to begin in the middle.
        ["episode", id] => item("episode", id).map(|found| found.begun_at(start(link), "episode-time", "?t=", "")),
        [kind, id] => item(kind, id),
        _ => None,
    }
}

/// What stands behind `spotify:`.
pub(super) fn spotify_uri(rest: &str) -> Option<SocialId> {
    match *rest.split(':').collect::<Vec<_>>() {
        ["user", _, "playlist", id] => item("playlist", id),
        ["user", who] => user(who),
        [kind, id] => item(kind, id),
        _ => None,
    }
}

fn item(kind: &str, id: &str) -> Option<SocialId> {
    let kind = KINDS.iter().find(|known| **known == kind)?;
    let canonical = format!("https://open.spotify.com/{kind}/{id}");
    word(id, "", 22, 22).then(|| SocialId::new("spotify", kind, id, canonical))
}

fn user(who: &str) -> Option<SocialId> {
    word(who, "._-", 1, 60)
        .then(|| SocialId::new("spotify", "user", who, format!("https://open.spotify.com/user/{who}")))
}
