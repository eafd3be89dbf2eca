//! Bluesky: the site's addresses and the protocol's (`at://`). A handle may
//! change hands; a DID does not, and only a request tells one from the other.

use super::SocialId;
use super::link::{Link, word};

const ME: &str = "bluesky";
const HOME: &str = "https://bsky.app";

pub(super) fn read(link: &Link) -> Option<SocialId> {
    let segments = link.segments();
    match link.host {
        "go.bsky.app" => match *segments {
            [id] => word(id, "-_", 4, 20).then(|| SocialId::new(ME, "short", id, format!("https://go.bsky.app/{id}"))),
            _ => None,
        },
        "embed.bsky.app" => match *segments {
            ["embed", who, collection, id] => record(who, collection, id),
            _ => None,
        },
        _ => match *segments {
            ["profile", who, kind @ ("post" | "feed" | "lists"), id, ref tab @ ..] => {
                let kind = [("post", "post"), ("feed", "feed"), ("lists", "list")].iter().find(|row| row.0 == kind)?.1;
                part(kind, who, id).map(|found| found.part_if(!tab.is_empty()))
            }
            ["starter-pack" | "start", who, id] => part("starter-pack", who, id),
            ["profile", who] => profile(who),
            ["profile", who, "followers" | "follows" | "known-followers"] => {
                profile(who).map(|found| found.part_if(true))
            }
            _ => None,
        },
    }
}

/// What stands behind `at://`.
///
/// Source: <https://atproto.com/specs/at-uri-scheme>.
pub(super) fn at_uri(rest: &str) -> Option<SocialId> {
    let rest = rest.split(['?', '#']).next()?;
    let link = Link::of("at", rest, None, None)?;
    match *link.segments() {
        [who] | [who, "app.bsky.actor.profile", "self"] => profile(who),
        [who, collection, id] => record(who, collection, id),
        _ => None,
    }
}

fn record(who: &str, collection: &str, id: &str) -> Option<SocialId> {
    match collection {
        "app.bsky.feed.post" => part("post", who, id),
        "app.bsky.feed.generator" => part("feed", who, id),
        "app.bsky.graph.list" => part("list", who, id),
        "app.bsky.graph.starterpack" => part("starter-pack", who, id),
        _ => None,
    }
}

/// A handle is a domain, in any case; a DID keeps its case.
fn author(who: &str) -> Option<String> {
    let who = who.strip_prefix('@').unwrap_or(who);
    if let Some(did) = who.strip_prefix("did:") {
        let known = did.strip_prefix("plc:").or(did.strip_prefix("web:"))?;
        return word(known, ".-", 3, 200).then(|| who.to_owned());
    }
    (word(who, ".-", 3, 253) && who.contains('.')).then(|| who.to_ascii_lowercase())
}

fn part(kind: &'static str, who: &str, id: &str) -> Option<SocialId> {
    let who = author(who)?;
    let canonical = match kind {
        "starter-pack" => format!("{HOME}/starter-pack/{who}/{id}"),
        "list" => format!("{HOME}/profile/{who}/lists/{id}"),
        _ => format!("{HOME}/profile/{who}/{kind}/{id}"),
    };
    let fits = word(id, "._~-", 1, 100) && !matches!(id, "." | "..");
    // A record's key is unique among those of its author.
    fits.then(|| SocialId::new(ME, kind, id, canonical).told_by(&format!("{who}/{id}")))
}

fn profile(who: &str) -> Option<SocialId> {
    let who = author(who)?;
    let canonical = format!("{HOME}/profile/{who}");
    Some(SocialId::new(ME, "profile", who, canonical))
}
