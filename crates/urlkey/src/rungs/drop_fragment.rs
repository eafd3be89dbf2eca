//! `drop_fragment`: any fragment.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};

pub(crate) static META: Meta = Meta {
    name: "drop_fragment",
    rule: "drop the fragment",
    section: "RFC 3986 section 3.5",
    loss: Loss::Client,
    revision: 1,
    reason: "fragment",
    example: ("http://a.example/#/route", "http://a.example/"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    let had = c.url.fragment().is_some();
    c.url.set_fragment(None);
    Did::rewrote(had)
}
