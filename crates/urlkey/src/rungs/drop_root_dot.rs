//! `drop_root_dot`: the dot of a fully qualified name.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};

pub(crate) static META: Meta = Meta {
    name: "drop_root_dot",
    rule: "drop exactly one dot at the end of the host, behind a label",
    section: "RFC 1034 section 3.1",
    loss: Loss::Usual,
    revision: 1,
    reason: "root-dot",
    example: ("http://a.example./", "http://a.example/"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    let dotted = c.url.host().is_some_and(|host| match host.as_bytes() {
        [.., label, b'.'] => *label != b'.',
        _ => false,
    });
    if dotted {
        c.url.cut_host_back();
    }
    Did::rewrote(dotted)
}
