//! `fix_scheme_port`: `http:` on 443 and `https:` on 80 name the other scheme.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};
use crate::scheme::Scheme;

pub(crate) static META: Meta = Meta {
    name: "fix_scheme_port",
    rule: "take :443 on http for https, and :80 on https for http",
    section: "RFC 9110 section 4.2",
    loss: Loss::Site,
    revision: 1,
    reason: "scheme",
    example: ("http://a.example:443/", "https://a.example/"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    match (c.url.scheme, c.url.port()) {
        (Scheme::Http, Some(443)) => c.url.set_scheme("https", Scheme::Https),
        (Scheme::Https, Some(80)) => c.url.set_scheme("http", Scheme::Http),
        _ => return Did::Nothing,
    }
    Did::Rewrote
}
