//! TikTok. A number says it all; videos and photos share one space of them.

use super::SocialId;
use super::link::{Link, code, digits, word};

const ME: &str = "tiktok";
const HOME: &str = "https://www.tiktok.com";

pub(super) fn read(link: &Link) -> Option<SocialId> {
    let segments = link.segments();
    if let "vm.tiktok.com" | "vt.tiktok.com" = link.host {
        return match *segments {
            [id] => code(id, 5, 30).then(|| SocialId::new(ME, "short", id, format!("https://{}/{id}/", link.host))),
            _ => None,
        };
    }
    match *segments {
        ["t", id] => code(id, 5, 30).then(|| SocialId::new(ME, "short", id, format!("{HOME}/t/{id}/"))),
        ["embed" | "v" | "video", id]
        | ["embed", "v2" | "v3", id]
        | ["player", "v1", id]
        | ["share", "video", id]
        | ["i18n", "share", "video", id] => item("video", id.strip_suffix(".html").unwrap_or(id)),
        ["share", "photo", id] => item("photo", id),
        [who, "video", id, ..] if who.starts_with('@') => item("video", id),
        [who, "photo", id, ..] if who.starts_with('@') => item("photo", id),
        [who, "live"] => name(who).map(|who| SocialId::new(ME, "live", &*who, format!("{HOME}/@{who}/live"))),
        [who] => name(who).map(|who| SocialId::new(ME, "profile", &*who, format!("{HOME}/@{who}"))),
        _ => None,
    }
}

fn item(kind: &'static str, id: &str) -> Option<SocialId> {
    let found = || SocialId::new(ME, kind, id, format!("{HOME}/@/{kind}/{id}")).in_space("video");
    (digits(id) && id.len() > 5).then(found)
}

fn name(who: &str) -> Option<String> {
    let who = who.strip_prefix('@')?;
    (word(who, "._", 2, 30) && who != "..").then(|| who.to_ascii_lowercase())
}
