//! Facebook: pages and people, groups, events, and the old scripts that name
//! things in parameters. A `pfbid` is opaque, and one of several of its post.

use super::SocialId;
use super::hosts::Platform;
use super::link::{Link, code, digits, name, word};

const ME: &str = "facebook";
const HOME: &str = "https://www.facebook.com";

/// Pages of somebody behind the first.
const TABS: [&str; 34] = [
    "about",
    "about_contact_and_basic_info",
    "about_details",
    "about_profile_transparency",
    "community",
    "events",
    "followers",
    "following",
    "friends",
    "info",
    "likes",
    "live",
    "live_videos",
    "map",
    "mentions",
    "menu",
    "music",
    "photos",
    "photos_albums",
    "photos_by",
    "photos_of",
    "photos_stream",
    "playlists",
    "posts",
    "reels",
    "reels_tab",
    "reviews",
    "services",
    "shop",
    "sk",
    "sports",
    "timeline",
    "videos",
    "wall",
];

/// Kinds of what posts, or is posted to.
const OWNERS: [&str; 5] = ["profile", "profile-id", "page", "group", "event"];

pub(super) fn read(
    link: &Link,
    platform: &Platform,
    inner: impl Fn(&str, &str) -> Option<SocialId>,
) -> Option<SocialId> {
    let segments = link.segments();
    match (link.host.strip_prefix("www.").unwrap_or(link.host), &*segments) {
        ("fb.watch", [id, ..]) => return opaque("short", id, format!("https://fb.watch/{id}/")),
        ("fb.me", [id]) => return opaque("short", id, format!("https://fb.me/{id}")),
        ("fb.watch" | "fb.me", _) => return None,
        _ => {}
    }
    match *segments {
        ["story.php" | "permalink.php"] => post(&owner(&link.param("id")?, platform)?, &link.param("story_fbid")?),
        ["profile.php"] => match link.param("story_fbid") {
            Some(story) => post(&owner(&link.param("id")?, platform)?, &story),
            None => person(&link.param("id")?),
        },
        ["watch"] | ["watch", "live"] | ["video.php"] | ["video", "video.php"] => video(&link.param("v")?),
        ["video", "embed"] => video(&link.param("video_id")?),
        ["videos", id] => video(id),
        ["photo.php"] | ["photo"] | ["photos"] => photo(&link.param("fbid")?, link.param("set")),
        ["media", "set"] => {
            let set = link.param("set").filter(|set| word(set, "._-", 3, 80))?;
            let canonical = format!("{HOME}/media/set/?set={set}");
            Some(SocialId::new(ME, "album", set, canonical))
        }
        // They show what somebody posted, not who that is.
        ["plugins", "post.php" | "video.php"] => inner("href", HOME).filter(|found| !OWNERS.contains(&found.kind)),
        ["reel" | "reels", id] => digits(id).then(|| SocialId::new(ME, "reel", id, format!("{HOME}/reel/{id}"))),
        ["people", _, id, ..] => person(id),
        ["pages", .., id] => page_of(id),
        ["pg", who, ref tab @ ..] => profile(who, platform).map(|found| found.part_if(!tab.is_empty())),
        ["groups", group, "posts" | "permalink", id, ..] => group_post(group, id),
        ["groups", group] => match group_param(link) {
            Some(id) => group_post(group, &id),
            None => group_of(group),
        },
        ["groups", group, tab, ..] if !digits(tab) && tab != "user" => group_of(group).map(|found| found.part_if(true)),
        ["events", "s", _, id] | ["events", id] => event(id),
        ["share", kind, id] if word(kind, "", 1, 8) => opaque("share", id, format!("{HOME}/share/{kind}/{id}/")),
        ["share", id] => opaque("share", id, format!("{HOME}/share/{id}/")),
        [who, "posts", .., id] | [who, "activity", id] => post(&owner(who, platform)?, id),
        [who, "videos", .., id] => owner(who, platform).and_then(|_| video(id)),
        [who, "photos", .., id] => owner(who, platform).and_then(|_| photo(id, None)),
        [who] => profile(who, platform),
        [who, tab, ..] if TABS.contains(&tab) => profile(who, platform).map(|found| found.part_if(true)),
        _ => None,
    }
}

/// The post of a group that a parameter names.
fn group_param(link: &Link) -> Option<String> {
    let by_view = || link.param("id").filter(|_| link.param("view").as_deref() == Some("permalink"));
    link.param("multi_permalinks").or_else(by_view).filter(|id| digits(id))
}

fn is_pfbid(id: &str) -> bool {
    id.starts_with("pfbid") && word(id, "", 20, 120)
}

fn post(owner: &str, id: &str) -> Option<SocialId> {
    let canonical = format!("{HOME}/{owner}/posts/{id}");
    if is_pfbid(id) {
        return Some(SocialId::new(ME, "post-pfbid", id, canonical));
    }
    digits(id).then(|| SocialId::new(ME, "post", format!("{owner}_{id}"), canonical))
}

fn group_post(group: &str, id: &str) -> Option<SocialId> {
    let group = group_name(group)?;
    let canonical = format!("{HOME}/groups/{group}/posts/{id}");
    if is_pfbid(id) {
        return Some(SocialId::new(ME, "post-pfbid", id, canonical));
    }
    digits(id).then(|| SocialId::new(ME, "group-post", format!("{group}_{id}"), canonical))
}

fn group_name(group: &str) -> Option<String> {
    (word(group, ".-_", 3, 80) && !matches!(group, "feed" | "discover" | "joins" | "create"))
        .then(|| group.to_ascii_lowercase())
}

fn group_of(group: &str) -> Option<SocialId> {
    let group = group_name(group)?;
    let canonical = format!("{HOME}/groups/{group}");
    Some(SocialId::new(ME, "group", group, canonical))
}

fn video(id: &str) -> Option<SocialId> {
    digits(id).then(|| SocialId::new(ME, "video", id, format!("{HOME}/watch/?v={id}")))
}

fn photo(id: &str, set: Option<String>) -> Option<SocialId> {
    digits(id).then(|| SocialId::new(ME, "photo", id, format!("{HOME}/photo/?fbid={id}")).with("set", set))
}

fn event(id: &str) -> Option<SocialId> {
    digits(id).then(|| SocialId::new(ME, "event", id, format!("{HOME}/events/{id}")))
}

fn person(id: &str) -> Option<SocialId> {
    digits(id).then(|| SocialId::new(ME, "profile-id", id, format!("{HOME}/profile.php?id={id}")))
}

/// `/pages/Name/1234567`, `/pages/category/Kind/Name-1234567`: the number is the page.
fn page_of(text: &str) -> Option<SocialId> {
    page(text.rsplit('-').next().unwrap_or(text))
}

fn page(id: &str) -> Option<SocialId> {
    (digits(id) && id.len() >= 5).then(|| SocialId::new(ME, "page", id, format!("{HOME}/{id}")))
}

fn opaque(kind: &'static str, id: &str, canonical: String) -> Option<SocialId> {
    code(id, 4, 80).then(|| SocialId::new(ME, kind, id, canonical))
}

/// A number, or a name: no case, and no script of the platform's own.
fn owner(who: &str, platform: &Platform) -> Option<String> {
    let fits = word(who, ".-_", 1, 80) && !platform.reserves(who) && !matches!(who, "." | "..");
    let name = who.to_ascii_lowercase();
    (fits && !name.ends_with(".php")).then_some(name)
}

fn profile(who: &str, platform: &Platform) -> Option<SocialId> {
    if digits(who) {
        return page(who);
    }
    // Names of pages in other scripts end in the page's number.
    if !who.is_ascii() && name(who, "-._", 120) {
        return page_of(who);
    }
    let who = owner(who, platform)?;
    let canonical = format!("{HOME}/{who}");
    Some(SocialId::new(ME, "profile", who, canonical))
}
