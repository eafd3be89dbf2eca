//! `encode_unsafe`: what RFC 3986 allows nowhere is escaped.
//! A switch of the percent scan (`percent::Scan`), which acts for all three.

use crate::ladder::{Loss, Meta};

pub(crate) static META: Meta = Meta {
    name: "encode_unsafe",
    rule: "escape what RFC 3986 allows in no path or query, a stray % included",
    section: "RFC 3986 sections 2.1 and 3.3",
    loss: Loss::None,
    revision: 1,
    reason: "encoding",
    example: ("http://a.example/x|y", "http://a.example/x%7Cy"),
};
