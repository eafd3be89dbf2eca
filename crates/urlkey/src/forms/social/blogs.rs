//! Tumblr and Medium: blogs on hosts of their own or in a path.

use super::SocialId;
use super::hosts::Platform;
use super::link::{Link, code, digits, word};

pub(super) fn tumblr(link: &Link, platform: &Platform) -> Option<SocialId> {
    let mut segments = link.segments();
    let found = |kind, id: &str, canonical| Some(SocialId::new("tumblr", kind, id, canonical));
    if link.host == "tmblr.co" {
        let [id] = *segments else { return None };
        return if code(id, 5, 40) { found("short", id, format!("https://tmblr.co/{id}")) } else { None };
    }
    let own = link.host.strip_suffix(".tumblr.com").filter(|blog| *blog != "www");
    let blog = match own {
        Some(blog) => {
            if let [kind @ ("post" | "video" | "image"), ..] = *segments {
                let _ = kind;
                segments.remove(0);
            } else if !segments.is_empty() && *segments != ["archive"] {
                return None;
            }
            blog
        }
        None => {
            if let ["blog", "view", ..] = *segments {
                segments.drain(..2);
            } else if let ["blog", ..] = *segments {
                segments.remove(0);
            }
            if segments.is_empty() {
                return None;
            }
            segments.remove(0)
        }
    };
    if !word(blog, "-", 1, 32) || platform.reserves(blog) {
        return None;
    }
    let blog = blog.to_ascii_lowercase();
    match *segments {
        [] | ["archive"] => {
            let is_part = !segments.is_empty();
            found("profile", &blog, format!("https://www.tumblr.com/{blog}")).map(|found| found.part_if(is_part))
        }
        [id] | [id, _] if digits(id) => found("post", id, format!("https://www.tumblr.com/{blog}/{id}")),
        _ => None,
    }
}

pub(super) fn medium(link: &Link, platform: &Platform) -> Option<SocialId> {
    let home = "https://medium.com";
    let segments = link.segments();
    let own = link.host.strip_suffix(".medium.com").filter(|who| *who != "www");
    if own.is_some_and(|who| platform.reserves(who)) {
        return None;
    }
    let profile = |who: &str| {
        let who = who.to_ascii_lowercase();
        let canonical = format!("{home}/@{who}");
        word(&who, "._-", 1, 60).then(|| SocialId::new("medium", "profile", who, canonical))
    };
    let post = |slug: &str| {
        let id = slug.rsplit('-').next()?;
        let hex = (8..=12).contains(&id.len()) && id.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f'));
        hex.then(|| SocialId::new("medium", "post", id, format!("{home}/p/{id}")))
    };
    match (own, &*segments) {
        (Some(who), []) => profile(who),
        (Some(_), [slug]) => post(slug),
        (None, [who]) => profile(who.strip_prefix('@')?),
        (None, [who, tab]) if who.starts_with('@') && matches!(*tab, "about" | "followers" | "following") => {
            profile(&who[1..]).map(|found| found.part_if(true))
        }
        (None, ["p", slug]) => post(slug),
        // A publication, or somebody, in front.
        (None, [owner, slug]) if slug.contains('-') && !platform.reserves(owner) => post(slug),
        _ => None,
    }
}
