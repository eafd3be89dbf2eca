//! `upper_percent`: hex digits of escapes in upper case.
//! A switch of the percent scan (`percent::Scan`), which acts for all three.

use crate::ladder::{Loss, Meta};

pub(crate) static META: Meta = Meta {
    name: "upper_percent",
    rule: "write the hex digits of percent escapes in path and query in upper case",
    section: "RFC 3986 section 6.2.2.1",
    loss: Loss::None,
    revision: 1,
    reason: "hex-case",
    example: ("http://a.example/%c3%a9", "http://a.example/%C3%A9"),
};
