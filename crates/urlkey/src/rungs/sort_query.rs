//! `sort_query`: parameters in the order of their names.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};
use crate::query::{Field, UNORDERED};

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
    let moved = if list.len() <= FEW {
        insert(list, query)
    } else {
        let sorted = list.is_sorted_by(|a, b| a.cmp_name(b, query).is_le());
        list.sort_by(|a, b| a.cmp_name(b, query));
        !sorted
    };
    c.fields.changed |= moved;
    Did::rewrote(moved)
}

/// Up to here, inserting each where it belongs is faster than asking first and sorting then.
const FEW: usize = 16;

/// Sorts by insertion; says whether a field moved.
fn insert(list: &mut [Field], query: &str) -> bool {
    let mut moved = false;
    for i in 1..list.len() {
        let field = list[i];
        let mut at = i;
        while at > 0 && field.cmp_name(&list[at - 1], query).is_lt() {
            list[at] = list[at - 1];
            at -= 1;
        }
        list[at] = field;
        moved |= at < i;
    }
    moved
}
