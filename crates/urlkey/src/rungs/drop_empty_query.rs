//! `drop_empty_query`: a `?` with nothing behind it.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};

pub(crate) static META: Meta = Meta {
    name: "drop_empty_query",
    rule: "drop a ? with nothing behind it",
    section: "RFC 3986 section 6.2.3",
    loss: Loss::Usual,
    revision: 1,
    reason: "empty-query",
    example: ("http://a.example/?", "http://a.example/"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    if c.url.query() != Some("") {
        return Did::Nothing;
    }
    c.url.set_query(None);
    Did::Rewrote
}
