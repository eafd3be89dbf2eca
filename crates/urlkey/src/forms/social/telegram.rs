//! Telegram: t.me and its aliases, a user's own host, and `tg://`.

use super::SocialId;
use super::hosts::Platform;
use super::link::{Link, code, digits, word};
use crate::url::Url;

const ME: &str = "telegram";
const HOME: &str = "https://t.me";

pub(super) fn read(link: &Link, platform: &Platform) -> Option<SocialId> {
    let mut segments = link.segments();
    // `durov.t.me/123`
    if let Some(who) = link.host.strip_suffix(".t.me").filter(|who| *who != "www") {
        segments.insert(0, who);
    } else if segments.len() > 1 && segments[0] == "s" {
        segments.remove(0);
    }
    match *segments {
        ["c", chat, id] if digits(chat) && digits(id) => found("post", format!("c/{chat}/{id}")),
        ["c", chat, topic, id] if [chat, topic, id].into_iter().all(digits) => {
            found("post", format!("c/{chat}/{topic}/{id}"))
        }
        ["joinchat", id] => invite(id),
        [id] if id.starts_with('+') => invite(&id[1..]),
        // Searches in a channel, and pages further down.
        [_] if link.has_any(&["q", "before", "after"]) => None,
        [who] => found("profile", name(who, platform)?),
        [who, id] if digits(id) => found("post", format!("{}/{id}", name(who, platform)?)),
        [who, topic, id] if digits(topic) && digits(id) => {
            found("post", format!("{}/{topic}/{id}", name(who, platform)?))
        }
        [who, "s", id] if digits(id) => found("story", format!("{}/s/{id}", name(who, platform)?)),
        _ => None,
    }
}

/// `tg://resolve?domain=durov&post=123`, `tg://join?invite=...`
pub(super) fn app(url: &Url) -> Option<SocialId> {
    let link = Link::of("tg", "", url.query(), None)?;
    match url.host() {
        Some("join") => invite(&link.param("invite")?),
        Some("resolve") => {
            let who = link.param("domain").filter(|who| is_name(who))?.to_ascii_lowercase();
            match link.param("post") {
                Some(id) => digits(&id).then(|| found("post", format!("{who}/{id}"))).flatten(),
                None => found("profile", who),
            }
        }
        _ => None,
    }
}

fn is_name(who: &str) -> bool {
    word(who, "_", 3, 32) && who.starts_with(|c: char| c.is_ascii_alphabetic())
}

fn name(who: &str, platform: &Platform) -> Option<String> {
    (is_name(who) && !platform.reserves(who)).then(|| who.to_ascii_lowercase())
}

fn found(kind: &'static str, id: String) -> Option<SocialId> {
    let canonical = format!("{HOME}/{id}");
    Some(SocialId::new(ME, kind, id, canonical))
}

/// Behind a `+` a number is a telephone, a longer text an invitation.
fn invite(id: &str) -> Option<SocialId> {
    let fits = code(id, 8, 40) && !id.bytes().all(|c| c.is_ascii_digit());
    fits.then(|| SocialId::new(ME, "invite", id, format!("{HOME}/+{id}")))
}
