//! `drop_trailing_slash`: the slashes at the end of the path.

use super::path_end;
use super::{Climb, Did};
use crate::ladder::{Loss, Meta};

pub(crate) static META: Meta = Meta {
    name: "drop_trailing_slash",
    rule: "drop slashes at the end of the path, but for the root",
    section: "RFC 3986 section 6.2.4",
    loss: Loss::Site,
    revision: 1,
    reason: "trailing-slash",
    example: ("http://a.example/x/", "http://a.example/x"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    path_end::cut_slashes(c)
}
