//! `fold_mobile_host`: `m.` and `mobile.` in front of a registrable domain.

use super::host_labels;
use super::{Climb, Did, Rung};
use crate::ladder::{Loss, Meta};

pub(crate) static META: Meta = Meta {
    name: "fold_mobile_host",
    rule: "drop m. and mobile. where a registrable domain is left",
    section: "RFC 3986 section 6.2.4; Public Suffix List",
    loss: Loss::Site,
    revision: 1,
    reason: "www",
    example: ("http://m.example.com/", "http://example.com/"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    host_labels::drop(c, Rung::FoldMobileHost)
}
