//! `unescape_html`: `&amp;name=` that was copied out of HTML source.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};

pub(crate) static META: Meta = Meta {
    name: "unescape_html",
    rule: "read &amp;name= in the query as &name=",
    section: "HTML, named character references",
    loss: Loss::Site,
    revision: 1,
    reason: "encoding",
    example: ("http://a.example/?x=1&amp;y=2", "http://a.example/?x=1&y=2"),
};

const AMP: &[u8] = b"amp;";

pub(crate) fn apply(c: &mut Climb) -> Did {
    let Some(query) = c.url.query() else { return Did::Nothing };
    let mut did = false;
    for field in &mut c.fields.list {
        let skip = escaped_prefix(field.name(query));
        if skip > 0 && field.name_end < field.to {
            field.from += skip;
            did = true;
        }
    }
    if did {
        c.fields.changed = true;
        c.fields.write(c.url);
        c.fields.read(c.url, &c.policy.classes);
    }
    Did::rewrote(did)
}

/// Bytes of `(amp;)+` in front of a name that is one, without a `;` of its own.
fn escaped_prefix(name: &[u8]) -> u32 {
    let mut rest = name;
    while let Some(after) = rest.strip_prefix(AMP) {
        rest = after;
    }
    if rest.is_empty() || rest.contains(&b';') { 0 } else { (name.len() - rest.len()) as u32 }
}
