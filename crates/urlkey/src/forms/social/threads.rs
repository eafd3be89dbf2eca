//! Threads, which left threads.net for threads.com in April 2025; and Snapchat.

use super::SocialId;
use super::link::{Link, code, word};

const ME: &str = "threads";
const HOME: &str = "https://www.threads.com";

pub(super) fn read(link: &Link) -> Option<SocialId> {
    match *link.segments() {
        [who, "post", id, ..] => {
            let who = name(who)?;
            code(id, 5, 64).then(|| SocialId::new(ME, "post", id, format!("{HOME}/@{who}/post/{id}")))
        }
        ["t", id, ..] => code(id, 5, 64).then(|| SocialId::new(ME, "post", id, format!("{HOME}/t/{id}"))),
        [who] | [who, "replies" | "reposts" | "media"] => {
            let is_part = link.segments().len() > 1;
            name(who).map(|who| SocialId::new(ME, "profile", &*who, format!("{HOME}/@{who}")).part_if(is_part))
        }
        _ => None,
    }
}

fn name(who: &str) -> Option<String> {
    let who = who.strip_prefix('@')?;
    (word(who, "._", 1, 30) && !matches!(who, "." | "..")).then(|| who.to_ascii_lowercase())
}

pub(super) fn snapchat(link: &Link) -> Option<SocialId> {
    let (me, home) = ("snapchat", "https://www.snapchat.com");
    let segments = link.segments();
    if link.host.starts_with("t.") {
        return match *segments {
            [id] => code(id, 4, 30).then(|| SocialId::new(me, "short", id, format!("https://t.snapchat.com/{id}"))),
            _ => None,
        };
    }
    let who = match *segments {
        ["add", who] => who,
        [who] => who.strip_prefix('@')?,
        ["spotlight", id] => {
            return code(id, 10, 120).then(|| SocialId::new(me, "spotlight", id, format!("{home}/spotlight/{id}")));
        }
        _ => return None,
    };
    let found = |who: String| SocialId::new(me, "profile", &*who, format!("{home}/add/{who}"));
    word(who, "._-", 3, 30).then(|| found(who.to_ascii_lowercase()))
}
