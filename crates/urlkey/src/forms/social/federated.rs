//! Mastodon and what speaks its paths: any host, so only by paths that nothing
//! else has. Ids are a server's own.

use super::SocialId;
use super::link::{Link, digits, word};

const ME: &str = "mastodon";

/// Ids hold the time in milliseconds: 17 digits and more since 2016. A shorter
/// number behind a name is the number of anything.
const LEAST_DIGITS: usize = 15;

/// Whether a path may be one of those that `read` reads.
pub(super) fn may_be(path: &str) -> bool {
    let path = path.trim_start_matches('/');
    ["@", "%40", "users/", "web/", "deck/"].iter().any(|begin| path.starts_with(begin))
}

pub(super) fn read(link: &Link) -> Option<SocialId> {
    if !link.host.contains('.') {
        return None;
    }
    match *link.segments() {
        ["web" | "deck", who, id] | [who, id] | [who, id, "embed"] => post_of(link.host, who.strip_prefix('@')?, id),
        ["users", who, "statuses", id] | ["users", who, "statuses", id, "embed" | "activity"] if digits(id) => {
            word(who, "_.-", 1, 60).then(|| post(link.host, who, id))
        }
        _ => None,
    }
}

fn post_of(host: &str, who: &str, id: &str) -> Option<SocialId> {
    if !digits(id) || id.len() < LEAST_DIGITS {
        return None;
    }
    // A copy of what somebody wrote on another server, with an id of this one.
    if let Some((who, remote)) = who.split_once('@') {
        let fits = word(who, "_.-", 1, 60) && word(remote, ".-", 3, 253) && remote.contains('.');
        return fits.then(|| SocialId::without_id(ME, "remote-view", format!("https://{host}/@{who}@{remote}/{id}")));
    }
    word(who, "_.-", 1, 60).then(|| post(host, who, id))
}

fn post(host: &str, who: &str, id: &str) -> SocialId {
    let path = if id.len() < LEAST_DIGITS { format!("users/{who}/statuses/{id}") } else { format!("@{who}/{id}") };
    SocialId::new(ME, "post", id, format!("https://{host}/{path}")).told_by(&format!("{host}/{id}"))
}
