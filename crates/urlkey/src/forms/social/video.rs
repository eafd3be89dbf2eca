//! Twitch, Vimeo and Dailymotion.

use super::SocialId;
use super::hosts::Platform;
use super::link::{Link, code, digits, word};
use super::youtube::{seconds, start};

pub(super) fn twitch(link: &Link, platform: &Platform) -> Option<SocialId> {
    let home = "https://www.twitch.tv";
    let segments = link.segments();
    let named = || link.param("time").and_then(|time| seconds(&time)).filter(|&time| time > 0);
    let begin = || start(link).or_else(|| named().map(|time| time.to_string()));
    let video = |id: &str| {
        let id = id.strip_prefix('v').unwrap_or(id);
        let found = || SocialId::new("twitch", "video", id, format!("{home}/videos/{id}"));
        digits(id).then(|| found().begun_at(begin(), "video-time", "?t=", "s"))
    };
    let clip = |id: &str| {
        code(id, 5, 120).then(|| SocialId::new("twitch", "clip", id, format!("https://clips.twitch.tv/{id}")))
    };
    let channel = |who: &str| {
        let who = who.to_ascii_lowercase();
        let canonical = format!("{home}/{who}");
        (word(&who, "_", 2, 25) && !platform.reserves(&who)).then(|| SocialId::new("twitch", "channel", who, canonical))
    };
    if link.host.starts_with("clips.") {
        return match *segments {
            ["embed"] => clip(&link.param("clip")?),
            [id] => clip(id),
            _ => None,
        };
    }
    if link.host.starts_with("player.") {
        return match link.param("video") {
            Some(id) => video(&id),
            None => channel(&link.param("channel")?),
        };
    }
    match *segments {
        ["videos", id] => video(id),
        [who, "v" | "video" | "b", id] if channel(who).is_some() => video(id),
        [who, "clip", id] if channel(who).is_some() => clip(id),
        [who, "about" | "schedule" | "videos" | "clips" | "followers" | "following" | "profile" | "chat"] => {
            channel(who).map(|found| found.part_if(true))
        }
        [who] => channel(who),
        _ => None,
    }
}

pub(super) fn vimeo(link: &Link) -> Option<SocialId> {
    let home = "https://vimeo.com";
    // A video that is not listed shows itself to those who have its second half.
    let is_half = |half: &str| word(half, "", 6, 20) && half.bytes().all(|c| c.is_ascii_hexdigit());
    let video = |id: &str, half: Option<&str>| {
        let hidden = half.filter(|half| is_half(half));
        let end = hidden.map(|half| format!("/{half}")).unwrap_or_default();
        let found = || SocialId::new("vimeo", "video", id, format!("{home}/{id}{end}"));
        digits(id).then(|| found().begun_at(start(link), "video-time", "#t=", "s"))
    };
    let half = link.param("h");
    match *link.segments() {
        ["video", id] if link.host.starts_with("player.") => video(id, half.as_deref()),
        _ if link.host.starts_with("player.") => None,
        [id] | ["m" | "video", id] if digits(id) => video(id, half.as_deref()),
        [id, second] if digits(id) && is_half(second) => video(id, Some(second)),
        ["channels", _, id] | ["groups", _, "videos", id] | ["album" | "showcase", _, "video", id] => {
            video(id, half.as_deref())
        }
        ["channels", name] if code(name, 2, 60) => {
            let name = name.to_ascii_lowercase();
            let canonical = format!("{home}/channels/{name}");
            Some(SocialId::new("vimeo", "channel", name, canonical))
        }
        ["album" | "showcase", id] if digits(id) => {
            Some(SocialId::new("vimeo", "showcase", id, format!("{home}/showcase/{id}")))
        }
        [who] if who.strip_prefix("user").is_some_and(digits) => {
            Some(SocialId::new("vimeo", "profile", who, format!("{home}/{who}")))
        }
        _ => None,
    }
}

pub(super) fn dailymotion(link: &Link) -> Option<SocialId> {
    let home = "https://www.dailymotion.com";
    let video = |text: &str| {
        // Behind an underscore are words of the title.
        let id = text.split('_').next().unwrap_or(text);
        let canonical = format!("{home}/video/{id}");
        (word(id, "", 5, 12) && id.starts_with(['x', 'k']))
            .then(|| SocialId::new("dailymotion", "video", id, canonical))
    };
    let list = |id: &str| {
        let canonical = format!("{home}/playlist/{id}");
        (word(id, "", 4, 12) && id.starts_with('x')).then(|| SocialId::new("dailymotion", "playlist", id, canonical))
    };
    match *link.segments() {
        [id] if link.host.ends_with("dai.ly") => video(id),
        _ if link.host.ends_with("dai.ly") => None,
        ["video", id] | ["embed" | "swf" | "crawler", "video", id] => video(id),
        ["player.html"] | ["player", _] => video(&link.param("video")?),
        ["playlist", id] => list(id.split('_').next().unwrap_or(id)),
        _ => None,
    }
}
