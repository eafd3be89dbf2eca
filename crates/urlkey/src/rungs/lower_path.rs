//! `lower_path`: the path in lower case.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};
use crate::percent;

pub(crate) static META: Meta = Meta {
    name: "lower_path",
    rule: "write the path in lower case, escapes as they are",
    section: "RFC 3986 section 6.2.2.1",
    loss: Loss::Site,
    revision: 1,
    reason: "case-path",
    example: ("http://a.example/Page", "http://a.example/page"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    let path = c.url.path();
    c.tmp.clear();
    let mut rest = path;
    while let Some(at) = rest.find('%') {
        push_lower(&rest[..at], c.tmp);
        let len = if percent::escape_at(&rest.as_bytes()[at..]).is_some() { 3 } else { 1 };
        c.tmp.push_str(&rest[at..at + len]);
        rest = &rest[at + len..];
    }
    push_lower(rest, c.tmp);
    if c.tmp == path {
        return Did::Nothing;
    }
    c.url.set_path(c.tmp);
    Did::Rewrote
}

fn push_lower(text: &str, out: &mut String) {
    let from = out.len();
    out.push_str(text);
    out[from..].make_ascii_lowercase();
}
