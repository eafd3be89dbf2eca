//! `collapse_slashes`: runs of slashes in the path.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};

pub(crate) static META: Meta = Meta {
    name: "collapse_slashes",
    rule: "write a run of slashes in the path as one",
    section: "RFC 3986 section 6.2.4",
    loss: Loss::Site,
    revision: 1,
    reason: "dup-slash",
    example: ("http://a.example/x//y", "http://a.example/x/y"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    let path = c.url.path();
    if !path.contains("//") {
        return Did::Nothing;
    }
    c.tmp.clear();
    let mut after_slash = false;
    for ch in path.chars() {
        if !(after_slash && ch == '/') {
            c.tmp.push(ch);
        }
        after_slash = ch == '/';
    }
    c.url.set_path(c.tmp);
    Did::Rewrote
}
