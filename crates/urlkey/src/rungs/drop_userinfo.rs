//! `drop_userinfo`: username and password.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};

pub(crate) static META: Meta = Meta {
    name: "drop_userinfo",
    rule: "drop username and password",
    section: "RFC 3986 section 3.2.1",
    loss: Loss::Site,
    revision: 1,
    reason: "userinfo",
    example: ("http://u:p@a.example/", "http://a.example/"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    if !c.url.has_userinfo() {
        return Did::Nothing;
    }
    c.url.set_userinfo("", "");
    Did::Rewrote
}
