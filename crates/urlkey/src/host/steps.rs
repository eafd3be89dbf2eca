//! What the host parser's steps are called and which section asks for them.
//! Holds data alone.

use crate::ladder::{Loss, Meta};

/// Escapes in the host of a special scheme are decoded.
pub static DECODE_HOST: Meta = Meta {
    name: "decode_host",
    rule: "escapes in the host stand for the bytes they name",
    section: "https://url.spec.whatwg.org/#concept-host-parser",
    loss: Loss::None,
    revision: 1,
    reason: "encoding",
    example: ("http://%65xample.com/", "http://example.com/"),
};

/// A domain beyond ASCII is written in A-labels.
pub static IDNA: Meta = Meta {
    name: "idna",
    rule: "a domain beyond ASCII is mapped and written in ASCII by UTS #46",
    section: "https://url.spec.whatwg.org/#concept-domain-to-ascii",
    loss: Loss::None,
    revision: 1,
    reason: "idn-form",
    example: ("http://m\u{fc}nchen.example/", "http://xn--mnchen-3ya.example/"),
};

/// A domain of ASCII is lower-cased.
pub static LOWER_HOST: Meta = Meta {
    name: "lower_host",
    rule: "case plays no part in a domain, so it is written in lower case",
    section: "https://url.spec.whatwg.org/#concept-domain-to-ascii",
    loss: Loss::None,
    revision: 1,
    reason: "case-host",
    example: ("http://Example.COM/", "http://example.com/"),
};

/// A host that ends in a number is an IPv4 address, written in four decimal parts.
pub static IPV4: Meta = Meta {
    name: "ipv4",
    rule: "an IPv4 address is written as four decimal numbers",
    section: "https://url.spec.whatwg.org/#concept-ipv4-parser",
    loss: Loss::None,
    revision: 1,
    reason: "ip-form",
    example: ("http://0x7f.1/", "http://127.0.0.1/"),
};

/// An IPv6 address is written in its shortest form.
pub static IPV6: Meta = Meta {
    name: "ipv6",
    rule: "an IPv6 address is written in lower case, its longest run of zeros compressed",
    section: "https://url.spec.whatwg.org/#concept-ipv6-serializer",
    loss: Loss::None,
    revision: 1,
    reason: "ip-form",
    example: ("http://[2001:DB8:0:0::01]/", "http://[2001:db8::1]/"),
};

/// Controls and code points beyond ASCII in an opaque host are escaped.
pub static ENCODE_HOST: Meta = Meta {
    name: "encode_host",
    rule: "controls and code points beyond ASCII in the host of another scheme are escaped",
    section: "https://url.spec.whatwg.org/#concept-opaque-host-parser",
    loss: Loss::None,
    revision: 1,
    reason: "encoding",
    example: ("foo://m\u{fc}nchen/", "foo://m%C3%BCnchen/"),
};
