//! Reddit. The id says it all: community and title are decoration.

use super::SocialId;
use super::hosts::Platform;
use super::link::{Link, code, word};

const ME: &str = "reddit";
const HOME: &str = "https://www.reddit.com";

/// Orders and views of a community or user.
const VIEWS: [&str; 14] = [
    "hot",
    "new",
    "rising",
    "top",
    "controversial",
    "best",
    "gilded",
    "submitted",
    "comments",
    "overview",
    "posts",
    "upvoted",
    "downvoted",
    "saved",
];

pub(super) fn read(link: &Link, platform: &Platform) -> Option<SocialId> {
    let mut segments = link.segments();
    if let Some(last) = segments.last_mut() {
        *last = [".json", ".rss", ".compact"].iter().find_map(|end| last.strip_suffix(end)).unwrap_or(last);
    }
    segments.retain(|segment| !segment.is_empty());
    if link.host.ends_with("redd.it") {
        return if let [id] = *segments { post(id) } else { None };
    }
    match *segments {
        ["r" | "u" | "user", _, ref rest @ ..] if rest.len() > 1 && matches!(rest[0], "comments" | "s") => {
            under(&segments[..2], rest)
        }
        ["comments" | "gallery" | "tb" | "poll", ..] => under(&[], &segments),
        // Pages further down, and posts of one flair.
        _ if link.has_any(&["after", "before", "f"]) => None,
        ["r", sub] => community(sub, platform),
        ["r", sub, view, ..] if VIEWS[..7].contains(&view) || view == "about" && segments.len() == 3 => {
            community(sub, platform).map(|found| found.part_if(true))
        }
        ["u" | "user", who] => user(who),
        ["u" | "user", who, view] if VIEWS.contains(&view) => user(who).map(|found| found.part_if(true)),
        _ => None,
    }
}

fn under(owner: &[&str], rest: &[&str]) -> Option<SocialId> {
    match *rest {
        ["comments" | "gallery" | "tb" | "poll", id] | ["comments" | "gallery", id, _] => post(id),
        ["comments", id, _, comment, ..] => comment_of(id, comment),
        ["s", id] => {
            let [place, name] = *owner else { return None };
            let place = if place == "r" { "r" } else { "u" };
            let fits = code(id, 6, 20) && word(name, "_-", 2, 30);
            let canonical = || format!("{HOME}/{place}/{}/s/{id}", name.to_ascii_lowercase());
            fits.then(|| SocialId::new(ME, "share", id, canonical()))
        }
        _ => None,
    }
}

fn is_base36(id: &str) -> bool {
    word(id, "", 1, 13)
}

fn post(id: &str) -> Option<SocialId> {
    let id = id.strip_prefix("t3_").unwrap_or(id).to_ascii_lowercase();
    let canonical = [HOME, "/comments/", &id, "/"].concat();
    is_base36(&id).then(|| SocialId::new(ME, "post", id, canonical))
}

fn comment_of(id: &str, comment: &str) -> Option<SocialId> {
    let id = id.to_ascii_lowercase();
    let comment = comment.strip_prefix("t1_").unwrap_or(comment).to_ascii_lowercase();
    let canonical = format!("{HOME}/comments/{id}/_/{comment}/");
    (is_base36(&id) && is_base36(&comment)).then(|| SocialId::new(ME, "comment", format!("{id}/{comment}"), canonical))
}

fn community(sub: &str, platform: &Platform) -> Option<SocialId> {
    if let Some(who) = sub.strip_prefix("u_") {
        return user(who);
    }
    let sub = sub.to_ascii_lowercase();
    let canonical = format!("{HOME}/r/{sub}/");
    (word(&sub, "_", 2, 24) && !platform.reserves(&sub)).then(|| SocialId::new(ME, "subreddit", sub, canonical))
}

fn user(who: &str) -> Option<SocialId> {
    let who = who.to_ascii_lowercase();
    let canonical = format!("{HOME}/user/{who}/");
    (code(&who, 2, 24) && who != "me").then(|| SocialId::new(ME, "user", who, canonical))
}
