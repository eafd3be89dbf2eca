//! `drop_anchor`: fragments that name a place in the page.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};

pub(crate) static META: Meta = Meta {
    name: "drop_anchor",
    rule: "drop the fragment, unless it is a route: #! or #/",
    section: "RFC 3986 section 3.5",
    loss: Loss::Client,
    revision: 1,
    reason: "fragment",
    example: ("http://a.example/x#top", "http://a.example/x"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    match c.url.fragment() {
        Some(fragment) if !fragment.starts_with(['!', '/']) => {
            c.url.set_fragment(None);
            Did::Rewrote
        }
        _ => Did::Nothing,
    }
}
