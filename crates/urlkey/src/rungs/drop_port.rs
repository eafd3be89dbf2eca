//! `drop_port`: any port.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};

pub(crate) static META: Meta = Meta {
    name: "drop_port",
    rule: "drop the port, whatever it is",
    section: "RFC 3986 section 3.2.3",
    loss: Loss::Site,
    revision: 1,
    reason: "port",
    example: ("http://a.example:8080/", "http://a.example/"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    let had = c.url.port().is_some();
    c.url.set_port(None);
    Did::rewrote(had)
}
