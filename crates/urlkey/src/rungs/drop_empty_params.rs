//! `drop_empty_params`: fields between two `&` that hold nothing.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};
use crate::query::EMPTY;

pub(crate) static META: Meta = Meta {
    name: "drop_empty_params",
    rule: "drop empty fields of the query: &&",
    section: "URL Standard, application/x-www-form-urlencoded parsing",
    loss: Loss::Usual,
    revision: 1,
    reason: "empty-query",
    example: ("http://a.example/?&a=1&&b=2", "http://a.example/?a=1&b=2"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    Did::rewrote(c.fields.seen & EMPTY != 0 && c.fields.retain(|f| !f.is_empty()))
}
