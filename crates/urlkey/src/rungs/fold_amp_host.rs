//! `fold_amp_host`: `amp.` in front of a registrable domain.

use super::host_labels;
use super::{Climb, Did, Rung};
use crate::ladder::{Loss, Meta};

pub(crate) static META: Meta = Meta {
    name: "fold_amp_host",
    rule: "drop amp. where a registrable domain is left",
    section: "RFC 3986 section 6.2.4; Public Suffix List",
    loss: Loss::Site,
    revision: 1,
    reason: "www",
    example: ("http://amp.example.com/", "http://example.com/"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    host_labels::drop(c, Rung::FoldAmpHost)
}
