//! The host parser of the URL Standard: text of a host in, its serialization
//! and kind out. Must not know where in a URL a host begins or ends, nor which
//! hosts are private, known or wanted.

mod ascii;
mod ipv4;
mod ipv6;
mod opaque;
mod steps;

pub use ascii::UNICODE_VERSION;
pub(crate) use ascii::to_ascii;
pub use ipv4::ends_in_a_number;
pub(crate) use ipv4::part_value;
pub use steps::{DECODE_HOST, ENCODE_HOST, IDNA, IPV4, IPV6, LOWER_HOST};

use crate::error::{Code, ParseError};
use crate::ladder::{Part, Trace};

/// What a serialized host is, <https://url.spec.whatwg.org/#concept-host>.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum HostKind {
    /// The URL has no host at all: `mailto:a@b`.
    #[default]
    None,
    /// A host of no characters: `file:///x`.
    Empty,
    /// A domain in ASCII: `xn--fa-hia.example`.
    Domain,
    /// Four decimal parts: `127.0.0.1`.
    Ipv4,
    /// In brackets, compressed: `[::1]`.
    Ipv6,
    /// The host of a scheme that is not special, percent-encoded.
    Opaque,
}

/// An upper-case letter: lower-casing will do.
const UPPER: u8 = 1;
/// `%`: may begin an escape.
const PERCENT: u8 = 2;
/// A byte of a code point beyond ASCII: UTS #46 decides.
const NON_ASCII: u8 = 4;
/// A forbidden domain code point other than `%`.
const FORBIDDEN: u8 = 8;

/// Classes of the bytes of a domain. "A forbidden domain code point is a
/// forbidden host code point, a C0 control, U+0025 (%), or U+007F DELETE."
static CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'A'..=b'Z' => UPPER,
            b'%' => PERCENT,
            0x80.. => NON_ASCII,
            0..=0x1F | 0x7F => FORBIDDEN,
            other if opaque::is_forbidden(other) => FORBIDDEN,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// The union of the classes of all bytes.
fn classes(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |seen, &byte| seen | CLASS[byte as usize])
}

/// Appends the serialized host to `out` and returns its kind; on an error
/// `out` is as it was. `input` is the host without port (brackets included),
/// `special` whether its scheme is special, `at` the byte offset of `input` in
/// the original text, for errors and violations. An empty host of a special
/// scheme is an error here; the URL parser decides before where it is allowed.
///
/// Source: <https://url.spec.whatwg.org/#concept-host-parser>.
///
/// ```
/// use urlkey::host::{parse_host, HostKind};
/// let mut out = String::from("//");
/// let kind = parse_host("0x7F.1", true, 7, &mut out, &mut urlkey::Off);
/// assert_eq!((kind, out.as_str()), (Ok(HostKind::Ipv4), "//127.0.0.1"));
/// ```
pub fn parse_host<T: Trace>(
    input: &str,
    special: bool,
    at: usize,
    out: &mut String,
    trace: &mut T,
) -> Result<HostKind, ParseError> {
    let start = out.len();
    let kind = if input.as_bytes().first() == Some(&b'[') {
        bracketed(input, at, out, trace)
    } else if special {
        domain(input, at, out, trace)
    } else {
        opaque::parse(input, at, out, trace)
    };
    if kind.is_err() {
        out.truncate(start);
    }
    kind
}

/// The eight pieces of an IPv6 address without brackets; `at` is the byte offset of
/// `text` in the original, for errors.
///
/// Source: <https://url.spec.whatwg.org/#concept-ipv6-parser>.
pub fn parse_ipv6(text: &str, at: usize) -> Result<[u16; 8], ParseError> {
    ipv6::parse(text.as_bytes(), at)
}

/// Appends an IPv6 address in brackets.
///
/// Source: <https://url.spec.whatwg.org/#concept-ipv6-serializer>.
pub fn write_ipv6(pieces: [u16; 8], out: &mut String) {
    ipv6::write(pieces, out);
}

/// "If input starts with U+005B ([)".
fn bracketed<T: Trace>(input: &str, at: usize, out: &mut String, trace: &mut T) -> Result<HostKind, ParseError> {
    let Some(inside) = input.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else {
        return Err(ParseError::new(Code::Ipv6Unclosed, at));
    };
    let start = out.len();
    ipv6::write(ipv6::parse(inside.as_bytes(), at + 1)?, out);
    if T::ON && out[start..] != *input {
        trace.part(&IPV6, Part::Host, &out[start..]);
    }
    Ok(HostKind::Ipv6)
}

/// The host of a special scheme: a domain or an IPv4 address. Most are clean
/// ASCII and cost one pass and one copy.
fn domain<T: Trace>(input: &str, at: usize, out: &mut String, trace: &mut T) -> Result<HostKind, ParseError> {
    let start = out.len();
    let seen = classes(input.as_bytes());
    if seen & !UPPER == 0 {
        ascii::lower(input, seen, out, trace);
    } else {
        ascii::decode_and_map(input, at, out, trace)?;
    }
    if start == out.len() {
        // "If result is the empty string, domain-to-ASCII validation error, return failure."
        return Err(ParseError::new(Code::DomainToAscii, at));
    }
    if ends_in_a_number(&out.as_bytes()[start..]) {
        return ipv4::rewrite(out, start, at, trace);
    }
    Ok(HostKind::Domain)
}
