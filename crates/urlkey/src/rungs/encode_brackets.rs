//! `encode_brackets`: raw `[ ]` in path and query, which RFC 3986 reserves for IP literals.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};
use crate::percent::{self, BRACKET};

pub(crate) static META: Meta = Meta {
    name: "encode_brackets",
    rule: "escape [ and ] in path and query",
    section: "RFC 3986 section 3.2.2",
    loss: Loss::Usual,
    revision: 1,
    reason: "encoding",
    example: ("http://a.example/?f[]=1", "http://a.example/?f%5B%5D=1"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    let in_path = c.url.path_bits & BRACKET != 0 && encoded(c.url.path(), c.tmp);
    if in_path {
        c.url.set_path(c.tmp);
    }
    let in_query = c.url.query_bits & BRACKET != 0 && encoded(c.url.query().unwrap_or_default(), c.tmp);
    if in_query {
        c.url.set_query(Some(c.tmp));
        c.fields.read(c.url, &c.policy.classes);
    }
    Did::rewrote(in_path || in_query)
}

/// Writes the text with its brackets escaped; says whether there were any.
fn encoded(text: &str, out: &mut String) -> bool {
    out.clear();
    percent::encode(text, BRACKET, out);
    out.len() > text.len()
}
