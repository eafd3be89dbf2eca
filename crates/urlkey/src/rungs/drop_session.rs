//! `drop_session`: session ids in path and query, by name and shape of value.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};
use crate::param::holds_a_pair;
use crate::path::has_dot_segment;
use crate::percent::SESSION;
use crate::policy::Policy;
use crate::query::{self, Field};

pub(crate) static META: Meta = Meta {
    name: "drop_session",
    rule: "drop session ids whose value has the shape of one",
    section: "data/rules/session.toml",
    loss: Loss::Usual,
    revision: 1,
    reason: "session",
    example: ("http://a.example/x;jsessionid=8DBFC2FEDBD740BBC8B4D1A504A6DE7F?a=1", "http://a.example/x?a=1"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    let in_query = drop_from_query(c);
    match drop_from_path(c) {
        _ if in_query => Did::Rewrote,
        did => did,
    }
}

fn drop_from_query(c: &mut Climb) -> bool {
    if c.fields.seen & query::SESSION == 0 {
        return false;
    }
    let Some(query) = c.url.query() else { return false };
    let rules = &c.policy.session;
    // ColdFusion's two ids mean a session only together, wherever they stand.
    let both = |f: &[Field]| {
        f.iter().any(|f| rules.is_cfid(f.name(query), f.value(query)))
            && f.iter().any(|f| rules.is_cftoken(f.name(query), f.value(query)))
    };
    let site = &c.site;
    let cold_fusion = both(&c.fields.list);
    let rule = &mut c.rule;
    c.fields.retain(|f| {
        if f.class & query::SESSION == 0 || Climb::keeps(site, f, query) {
            return true;
        }
        let (name, value) = (f.name(query), f.value(query));
        let pair = cold_fusion && (rules.is_cfid(name, value) || rules.is_cftoken(name, value));
        match rules.query_pair(name, value).filter(|_| !holds_a_pair(value)) {
            Some(origin) => {
                *rule = Some(origin.into());
                false
            }
            None => !pair,
        }
    })
}

fn drop_from_path(c: &mut Climb) -> Did {
    if c.url.path_bits & SESSION == 0 {
        return Did::Nothing;
    }
    let path = c.url.path();
    let last_aspx = last_aspx_segment(path);
    c.tmp.clear();
    let (mut at, mut decided) = (0, None);
    for segment in path.split('/').skip(1) {
        at += 1 + segment.len();
        let from = c.tmp.len();
        c.tmp.push('/');
        decided = push_without_session(segment, c.policy, c.tmp).or(decided);
        // What is left without its parameters may itself be an id.
        if at < last_aspx && c.policy.session.path_segment(&c.tmp.as_bytes()[from + 1..]) {
            c.tmp.truncate(from);
        }
    }
    if c.tmp.len() == path.len() {
        return Did::Nothing;
    }
    if has_dot_segment(c.tmp) {
        return Did::Refused("a dot segment would be left");
    }
    c.url.set_path(c.tmp);
    c.rule = decided.map(Into::into);
    Did::Rewrote
}

/// Where the last segment that holds `.aspx` ends; 0 if none does.
fn last_aspx_segment(path: &str) -> usize {
    let found = path.as_bytes().windows(5).rposition(|w| w.eq_ignore_ascii_case(b".aspx"));
    found.map_or(0, |at| path[at..].find('/').map_or(path.len(), |n| at + n))
}

/// Says which row, `file:line`, took the last one that went.
fn push_without_session<'p>(segment: &str, policy: &'p Policy, out: &mut String) -> Option<&'p str> {
    let mut decided = None;
    let mut parts = segment.split(';');
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        match policy.session.path_param(name.as_bytes(), value.as_bytes()) {
            Some(origin) => decided = Some(origin),
            None => out.extend([";", part]),
        }
    }
    decided
}
