//! Instagram. One space of shortcodes for posts, reels and IGTV.

use super::SocialId;
use super::hosts::Platform;
use super::link::{Link, code, digits, word};
use crate::url::Url;

const ME: &str = "instagram";
const HOME: &str = "https://www.instagram.com";

const TABS: [&str; 8] = ["tagged", "reels", "channel", "guides", "feed", "followers", "following", "igtv"];

pub(super) fn read(link: &Link, platform: &Platform) -> Option<SocialId> {
    match *link.segments() {
        ["reels" | "reel", "audio" | "videos", ..] | [_, "reels" | "reel", "audio" | "videos", ..] => None,
        ["p", id, ref behind @ ..] => media("post", "p", id, behind, link),
        ["reel" | "reels", id, ref behind @ ..] => media("reel", "reel", id, behind, link),
        ["tv", id, ref behind @ ..] => media("tv", "tv", id, behind, link),
        ["stories", "highlights", id] => {
            let canonical = format!("{HOME}/stories/highlights/{id}/");
            digits(id).then(|| SocialId::new(ME, "highlight", id, canonical))
        }
        ["stories", who, id] => {
            let canonical = format!("{HOME}/stories/{}/{id}/", name(who, platform)?);
            digits(id).then(|| SocialId::new(ME, "story", id, canonical))
        }
        ["stories", who] => {
            let who = name(who, platform)?;
            let canonical = format!("{HOME}/stories/{who}/");
            Some(SocialId::new(ME, "stories", who, canonical))
        }
        ["share", kind, id] if word(kind, "", 1, 8) && code(id, 5, 40) => {
            Some(SocialId::new(ME, "share", id, format!("{HOME}/share/{kind}/{id}/")))
        }
        ["share", id] | ["s", id] if code(id, 8, 200) => {
            let first = link.segments()[0].to_owned();
            Some(SocialId::new(ME, "share", id, format!("{HOME}/{first}/{id}/")))
        }
        ["explore", "locations", id, ..] => {
            digits(id).then(|| SocialId::new(ME, "location", id, format!("{HOME}/explore/locations/{id}/")))
        }
        ["_u", who] | [who] => profile(who, platform),
        [who, "embed"] => profile(who, platform),
        [who, tab] if TABS.contains(&tab) => profile(who, platform).map(|found| found.part_if(true)),
        // A post with the name of whose it is in front.
        [who, "p", id, ref behind @ ..] => name(who, platform).and_then(|_| media("post", "p", id, behind, link)),
        [who, "reel" | "reels", id, ref behind @ ..] => {
            name(who, platform).and_then(|_| media("reel", "reel", id, behind, link))
        }
        [who, "tv", id, ref behind @ ..] => name(who, platform).and_then(|_| media("tv", "tv", id, behind, link)),
        _ => None,
    }
}

/// `instagram://user?username=x`
pub(super) fn app(url: &Url) -> Option<SocialId> {
    let link = Link::of("user", "", url.query(), None)?;
    let who = link.param("username").filter(|who| url.host() == Some("user") && is_name(who))?;
    Some(profile_of(&who))
}

/// `behind` the id stands an embed, or what is no view of it: `/c/<comment>`, `/liked_by`.
fn media(kind: &'static str, path: &str, id: &str, behind: &[&str], link: &Link) -> Option<SocialId> {
    let index = link.param("img_index").filter(|index| digits(index));
    let found = || SocialId::new(ME, kind, id, format!("{HOME}/{path}/{id}/")).in_space("post");
    let is_part = !matches!(behind, [] | ["embed"] | ["embed", "captioned"]);
    code(id, 5, 64).then(|| found().with("img_index", index).part_if(is_part))
}

fn is_name(who: &str) -> bool {
    word(who, "._", 1, 30) && !matches!(who, "." | "..")
}

fn name(who: &str, platform: &Platform) -> Option<String> {
    (is_name(who) && !platform.reserves(who)).then(|| who.to_ascii_lowercase())
}

fn profile(who: &str, platform: &Platform) -> Option<SocialId> {
    name(who, platform).map(|who| profile_of(&who))
}

fn profile_of(who: &str) -> SocialId {
    let who = who.to_ascii_lowercase();
    let canonical = format!("{HOME}/{who}/");
    SocialId::new(ME, "profile", who, canonical)
}
