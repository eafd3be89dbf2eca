//! X, twitter.com before. A post's id says it all: the name in front may be any.

use super::SocialId;
use super::hosts::Platform;
use super::link::{Link, code, digits, word};

const ME: &str = "x";
const HOME: &str = "https://x.com";

/// Pages of a user behind the first.
const TABS: [&str; 13] = [
    "with_replies",
    "media",
    "likes",
    "followers",
    "following",
    "lists",
    "highlights",
    "articles",
    "verified_followers",
    "followers_you_follow",
    "superfollows",
    "photo",
    "header_photo",
];

/// What a share button fills in.
const INTENT: [&str; 8] = ["url", "text", "hashtags", "via", "in_reply_to", "tweet_id", "screen_name", "user_id"];

pub(super) fn read(link: &Link, platform: &Platform) -> Option<SocialId> {
    let segments = link.segments();
    // What it answers about a post is not the post.
    if link.host.starts_with("publish.") {
        return None;
    }
    if link.host.starts_with("platform.") {
        return if *segments == ["embed", "Tweet.html"] { post(&link.param("id")?) } else { None };
    }
    match *segments {
        ["i", "videos", "tweet", id] | ["status" | "statuses", id] => post(id),
        ["i", "web", "status", id, ref behind @ ..] | [_, "status" | "statuses", id, ref behind @ ..] => {
            post(id).map(|found| found.part_if(!is_view(behind)))
        }
        ["intent", action] if word(action, "_", 2, 20) => Some(intent(action, link)),
        ["i", "lists", id, ref tab @ ..] => numbered("list", "lists", id).map(|found| found.part_if(!tab.is_empty())),
        ["i", "events", id] => numbered("event", "events", id),
        ["i", "moments", id] => numbered("moment", "moments", id),
        ["i", "communities", id, ref tab @ ..] => {
            numbered("community", "communities", id).map(|found| found.part_if(!tab.is_empty()))
        }
        ["i", "user", id] => numbered("profile-id", "user", id),
        ["i", "spaces", id, ..] => coded("space", "spaces", id),
        ["i", "broadcasts", id, ..] => coded("broadcast", "broadcasts", id),
        [who, "lists", list, ref tab @ ..] => {
            list_of(name(who, platform)?, list).map(|found| found.part_if(!tab.is_empty()))
        }
        [who] => Some(profile(name(who, platform)?)),
        [who, tab, ..] if TABS.contains(&tab) => Some(profile(name(who, platform)?).part_if(true)),
        _ => None,
    }
}

/// A picture or video of a post, which shows the post.
fn is_view(behind: &[&str]) -> bool {
    matches!(behind, [] | ["photo" | "video"] | ["photo" | "video", _])
}

fn post(id: &str) -> Option<SocialId> {
    digits(id).then(|| SocialId::new(ME, "post", id, [HOME, "/i/status/", id].concat()))
}

fn numbered(kind: &'static str, path: &str, id: &str) -> Option<SocialId> {
    digits(id).then(|| SocialId::new(ME, kind, id, format!("{HOME}/i/{path}/{id}")))
}

fn coded(kind: &'static str, path: &str, id: &str) -> Option<SocialId> {
    code(id, 8, 20).then(|| SocialId::new(ME, kind, id, format!("{HOME}/i/{path}/{id}")))
}

fn name(who: &str, platform: &Platform) -> Option<String> {
    let who = who.strip_prefix('@').unwrap_or(who);
    // Names of before 2010 may be longer than the 15 of today.
    (word(who, "_", 1, 20) && !platform.reserves(who)).then(|| who.to_ascii_lowercase())
}

fn profile(who: String) -> SocialId {
    let canonical = [HOME, "/", &who].concat();
    SocialId::new(ME, "profile", who, canonical)
}

fn list_of(who: String, list: &str) -> Option<SocialId> {
    let id = format!("{who}/{}", list.to_ascii_lowercase());
    code(list, 1, 40)
        .then(|| SocialId::new(ME, "list", id, format!("{HOME}/{who}/lists/{}", list.to_ascii_lowercase())))
}

/// A button's page: what it would post is all that there is of it.
fn intent(action: &str, link: &Link) -> SocialId {
    let kept: Vec<String> = link
        .params()
        .filter(|(name, value)| INTENT.contains(&&**name) && !value.is_empty())
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let query = if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) };
    SocialId::without_id(ME, "intent", format!("{HOME}/intent/{action}{query}"))
}
