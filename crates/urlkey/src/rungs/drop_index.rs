//! `drop_index`: the file that a server shows for a directory.

use super::path_end;
use super::{Climb, Did};
use crate::ladder::{Loss, Meta};

pub(crate) static META: Meta = Meta {
    name: "drop_index",
    rule: "drop the name of a directory index file",
    section: "RFC 3986 section 6.2.4; data/rules/index.toml",
    loss: Loss::Site,
    revision: 1,
    reason: "index-file",
    example: ("http://a.example/x/index.html", "http://a.example/x/"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    path_end::cut_index(c)
}
