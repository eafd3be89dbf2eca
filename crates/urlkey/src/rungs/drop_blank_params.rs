//! `drop_blank_params`: parameters without a value.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};
use crate::query::BLANK;

pub(crate) static META: Meta = Meta {
    name: "drop_blank_params",
    rule: "drop parameters without a value: a and a=",
    section: "RFC 3986 section 6.2.4",
    loss: Loss::Site,
    revision: 1,
    reason: "empty-query",
    example: ("http://a.example/?a&b=&c=1", "http://a.example/?c=1"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    let Some(query) = c.url.query().filter(|_| c.fields.seen & BLANK != 0) else { return Did::Nothing };
    let site = &c.site;
    Did::rewrote(c.fields.retain(|f| f.is_empty() || f.name_end + 1 < f.to || Climb::keeps(site, f, query)))
}
