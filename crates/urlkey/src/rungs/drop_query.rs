//! `drop_query`: the whole query.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};

pub(crate) static META: Meta = Meta {
    name: "drop_query",
    rule: "drop the query",
    section: "RFC 3986 section 3.4",
    loss: Loss::Site,
    revision: 1,
    reason: "query",
    example: ("http://a.example/?x=1", "http://a.example/"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    if c.url.query().is_none() {
        return Did::Nothing;
    }
    c.url.set_query(None);
    c.fields.read(c.url, &c.policy.classes);
    Did::Rewrote
}
