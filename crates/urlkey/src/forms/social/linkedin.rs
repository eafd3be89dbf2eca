//! LinkedIn and Crunchbase: people, companies, posts. A company's number and
//! its name are two ids, and so are the urns of one post: only LinkedIn can
//! join them.

use super::SocialId;
use super::hosts::Platform;
use super::link::{Link, code, digits, encoded, name, word};

const ME: &str = "linkedin";
const HOME: &str = "https://www.linkedin.com";

/// What a post is called by, and which of them numbers name.
const URNS: [&str; 3] = ["activity", "ugcPost", "share"];

pub(super) fn read(link: &Link, platform: &Platform) -> Option<SocialId> {
    let segments = link.segments();
    if link.host.ends_with("lnkd.in") {
        return match *segments {
            [id] => code(id, 3, 20).then(|| SocialId::new(ME, "short", id, format!("https://lnkd.in/{id}"))),
            _ => None,
        };
    }
    // The site for phones, and what is shown to those who are not signed in.
    let segments = match *segments {
        ["mwlite" | "m" | "organization-guest" | "authwall" | "comm", ref rest @ ..] => rest,
        ref all => all,
    };
    match *segments {
        ["feed", "update", urn, ..] | ["embed", "feed", "update", urn, ..] | ["video", "event" | "live", urn, ..] => {
            post(urn)
        }
        ["feed", "update"] => post(&link.param("updateEntityUrn").or_else(|| link.param("urn"))?),
        ["posts", slug, ..] => post_of_slug(slug),
        [kind, who, ..] if platform.reserves(&format!("{}/{who}", kind.trim_end_matches("-beta"))) => None,
        ["in", slug, ref tab @ ..] => person(slug).map(|found| found.part_if(!tab.is_empty())),
        ["pub", who, a, b, c, ..] => public(who, a, b, c),
        ["pub", who] => person(who),
        ["company" | "company-beta", who, ref tab @ ..] => {
            organization("company", who).map(|found| found.part_if(is_tab(tab)))
        }
        ["school" | "showcase", who, ref tab @ ..] => {
            let kind = if segments[0] == "school" { "school" } else { "showcase" };
            organization(kind, who).map(|found| found.part_if(is_tab(tab)))
        }
        ["sales", "company", id, ..] => digits(id).then(|| organization("company", id)).flatten(),
        ["pulse", slug] => slug_of("article", "pulse", slug),
        ["newsletters", slug] => numbered("newsletter", "newsletters", slug),
        ["jobs", "view", slug, ..] => numbered("job", "jobs/view", slug),
        ["events", slug, ..] => numbered("event", "events", slug),
        ["groups", slug, ..] => numbered("group", "groups", slug),
        ["groups"] => numbered("group", "groups", &link.param("gid")?),
        _ => None,
    }
}

/// Another page of an organization than the one that says who it is.
fn is_tab(behind: &[&str]) -> bool {
    !matches!(behind, [] | ["about"])
}

/// `urn:li:activity:1`, with or without the front, or an urn of many parts that is not ours to read.
fn post(urn: &str) -> Option<SocialId> {
    let urn = urn.strip_prefix("urn:li:").unwrap_or(urn);
    let (given, id) = urn.split_once(':')?;
    let urn = URNS.iter().find(|urn| urn.eq_ignore_ascii_case(given))?;
    post_of(urn, id)
}

fn post_of(urn: &str, id: &str) -> Option<SocialId> {
    let canonical = format!("{HOME}/feed/update/urn:li:{urn}:{id}/");
    (digits(id) && id.len() > 5).then(|| SocialId::new(ME, "post", format!("{urn}:{id}"), canonical))
}

/// `name_words-of-it-activity-1234567890123456789-AbCd`
fn post_of_slug(slug: &str) -> Option<SocialId> {
    let mut parts: Vec<&str> = slug.split(['-', '_']).collect();
    if parts.last().is_some_and(|last| !digits(last) || last.len() < 15) {
        parts.pop();
    }
    let (id, urn) = (parts.pop()?, parts.pop()?);
    let urn = URNS.iter().find(|known| known.eq_ignore_ascii_case(urn))?;
    post_of(urn, id)
}

/// Names of people, companies, schools are read in any case.
fn slug(text: &str) -> Option<String> {
    name(text, "-_.&'+,!()", 120).then(|| text.to_lowercase())
}

fn person(text: &str) -> Option<SocialId> {
    // The id of a member in place of a name: its case counts.
    let member = ["ACo", "ACw", "AEM"].iter().any(|begin| text.starts_with(begin)) && code(text, 30, 60);
    let id = if member { text.to_owned() } else { slug(text)? };
    let canonical = format!("{HOME}/in/{}", encoded(&id));
    Some(SocialId::new(ME, "person", id, canonical))
}

/// The addresses of before 2014: /pub/name/a7/576/b50 is /in/name-b50576a7.
/// Shorter groups may have lost zeros, so that nobody can join them.
fn public(who: &str, a: &str, b: &str, c: &str) -> Option<SocialId> {
    let who = slug(who)?;
    let groups = [a, b, c].map(str::to_ascii_lowercase);
    if !groups.iter().all(|group| (1..=3).contains(&group.len()) && group.bytes().all(|c| c.is_ascii_hexdigit())) {
        return None;
    }
    let [a, b, c] = groups;
    if a.len() < 2 || b.len() < 3 {
        let id = format!("{who}/{a}/{b}/{c}");
        let canonical = format!("{HOME}/pub/{}/{a}/{b}/{c}", encoded(&who));
        return Some(SocialId::new(ME, "person-pub", id, canonical));
    }
    let id = format!("{who}-{c}{b}{a}");
    let canonical = format!("{HOME}/in/{}", encoded(&id));
    Some(SocialId::new(ME, "person-pub", id, canonical).in_space("person"))
}

fn organization(kind: &'static str, who: &str) -> Option<SocialId> {
    let who = slug(who)?;
    let canonical = format!("{HOME}/{kind}/{}", encoded(&who));
    Some(SocialId::new(ME, kind, who, canonical))
}

fn slug_of(kind: &'static str, path: &str, text: &str) -> Option<SocialId> {
    let id = slug(text)?;
    let canonical = format!("{HOME}/{path}/{}", encoded(&id));
    Some(SocialId::new(ME, kind, id, canonical))
}

/// `title-of-it-1234567`: the number is the id.
fn numbered(kind: &'static str, path: &str, text: &str) -> Option<SocialId> {
    let id = text.rsplit('-').next().unwrap_or(text);
    (digits(id) && id.len() > 3).then(|| SocialId::new(ME, kind, id, format!("{HOME}/{path}/{id}")))
}

/// Organizations and people; the tabs of either are sections of one profile.
pub(super) fn crunchbase(link: &Link) -> Option<SocialId> {
    let home = "https://www.crunchbase.com";
    match *link.segments() {
        [kind @ ("organization" | "person"), who, ..] if word(who, "-_.", 1, 120) => {
            let kind = if kind == "person" { "person" } else { "organization" };
            let who = who.to_ascii_lowercase();
            let canonical = format!("{home}/{kind}/{who}");
            Some(SocialId::new("crunchbase", kind, who, canonical))
        }
        _ => None,
    }
}
