//! `sort_values`: values of repeated names in order.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};

pub(crate) static META: Meta = Meta {
    name: "sort_values",
    rule: "sort the values of a repeated name among themselves",
    section: "RFC 3986 section 6.2.4",
    loss: Loss::Site,
    revision: 1,
    reason: "param-order",
    example: ("http://a.example/?id=2&id=1", "http://a.example/?id=1&id=2"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    let Some(query) = c.url.query() else { return Did::Nothing };
    let list = &mut c.fields.list;
    if list.len() < 2 {
        return Did::Nothing;
    }
    // The n-th place that a name holds takes the n-th of its values in order.
    let mut places: Vec<u32> = (0..list.len() as u32).collect();
    places.sort_by_key(|&i| list[i as usize].name(query));
    let mut sorted = list.clone();
    sorted.sort_by_key(|f| (f.name(query), f.tail(query)));
    let mut did = false;
    for (&place, field) in places.iter().zip(&sorted) {
        let slot = &mut list[place as usize];
        did |= slot.text(query) != field.text(query);
        *slot = *field;
    }
    c.fields.changed |= did;
    Did::rewrote(did)
}
