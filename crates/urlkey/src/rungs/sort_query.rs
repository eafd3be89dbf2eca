//! `sort_query`: parameters in the order of their names.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};
use crate::query::UNORDERED;

pub(crate) static META: Meta = Meta {
    name: "sort_query",
    rule: "sort parameters by name; repeated names keep their order",
    section: "URL Standard, URLSearchParams.sort",
    loss: Loss::Usual,
    revision: 1,
    reason: "param-order",
    example: ("http://a.example/?b=1&a=2&b=0", "http://a.example/?a=2&b=1&b=0"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    if c.fields.seen & UNORDERED == 0 {
        return Did::Nothing;
    }
    let Some(query) = c.url.query() else { return Did::Nothing };
    let list = &mut c.fields.list;
    if list.is_sorted_by(|a, b| a.cmp_name(b, query).is_le()) {
        return Did::Nothing;
    }
    list.sort_by(|a, b| a.cmp_name(b, query));
    c.fields.changed = true;
    Did::Rewrote
}
