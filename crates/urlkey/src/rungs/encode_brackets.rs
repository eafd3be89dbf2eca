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
    if (c.url.path_bits | c.url.query_bits) & BRACKET == 0 {
        return Did::Nothing;
    }
    // unescape_html may have left its fields unwritten.
    c.fields.write(c.url);
    let start = c.url.path_start as usize;
    let text = &c.url.href()[start..c.url.query_end() as usize];
    let query_at = c.url.query_from().map(|from| from as usize - 1 - start);
    c.tmp.clear();
    let path = &text[..query_at.unwrap_or(text.len())];
    percent::encode(path, BRACKET, c.tmp);
    let at = query_at.map(|at| {
        let new_at = c.tmp.len() as u32;
        percent::encode(&text[at..], BRACKET, c.tmp);
        new_at
    });
    if c.tmp.len() == text.len() {
        return Did::Nothing;
    }
    c.url.set_path_and_query(c.tmp, at);
    c.fields.read(c.url, &c.policy.classes);
    Did::Rewrote
}
