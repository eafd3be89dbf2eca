//! `decode_unreserved`: escapes of unreserved characters are decoded, once.
//! A switch of the percent scan (`percent::Scan`), which acts for all three.

use crate::ladder::{Loss, Meta};

pub(crate) static META: Meta = Meta {
    name: "decode_unreserved",
    rule: "decode percent escapes of letters, digits, - . _ ~ in path and query",
    section: "RFC 3986 section 6.2.2.2",
    loss: Loss::None,
    revision: 1,
    reason: "encoding",
    example: ("http://a.example/%7Euser", "http://a.example/~user"),
};
