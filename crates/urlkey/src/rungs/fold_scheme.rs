//! `fold_scheme`: http and https under one key.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};
use crate::scheme::Scheme;

pub(crate) static META: Meta = Meta {
    name: "fold_scheme",
    rule: "write http as https",
    section: "RFC 3986 section 6.2.4",
    loss: Loss::Site,
    revision: 1,
    reason: "scheme",
    example: ("http://a.example/", "https://a.example/"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    if c.url.scheme != Scheme::Http {
        return Did::Nothing;
    }
    c.url.set_scheme("https", Scheme::Https);
    Did::Rewrote
}
