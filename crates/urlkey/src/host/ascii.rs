//! Domain to ASCII: escapes decoded, letters lower-cased, the rest left to
//! UTS #46. Must not know addresses.

use std::borrow::Cow;

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

use super::{CLASS, DECODE_HOST, FORBIDDEN, IDNA, LOWER_HOST, PERCENT, UPPER, classes};
use crate::error::{Code, ParseError};
use crate::ladder::{Part, Trace};
use crate::percent;

/// The version of Unicode whose tables map and check domains. Pinned in the
/// manifest and part of the policy id, since a new one changes keys.
pub const UNICODE_VERSION: &str = "17.0";

/// NFC and punycode cost more than linear time. A name of the DNS has at most
/// 253 bytes and a label 63; the Standard sets no limit. A domain beyond ASCII
/// that is longer than this is refused before either runs.
const DOMAIN_BYTES: usize = 4096;
/// The same for each label of it that is beyond ASCII.
const LABEL_BYTES: usize = 1000;

/// Appends a domain whose bytes are all clean ASCII. `seen`: their classes.
///
/// <https://url.spec.whatwg.org/#concept-domain-to-ascii> asks no more of an
/// ASCII domain where it is not strict: `xn--` labels are not looked into.
pub(super) fn lower<T: Trace>(input: &str, seen: u8, out: &mut String, trace: &mut T) {
    let start = out.len();
    out.push_str(input);
    if seen & UPPER != 0 {
        out[start..].make_ascii_lowercase();
        if T::ON {
            trace.part(&LOWER_HOST, Part::Host, &out[start..]);
        }
    }
}

/// Appends a domain that holds escapes, code points beyond ASCII, or what no
/// domain may hold.
pub(super) fn decode_and_map<T: Trace>(
    input: &str,
    at: usize,
    out: &mut String,
    trace: &mut T,
) -> Result<(), ParseError> {
    let bytes = percent::decode(input.as_bytes());
    // The Standard writes U+FFFD for what is not UTF-8, and UTS #46 refuses it.
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let index = undecoded(input.as_bytes(), error.valid_up_to());
        ParseError::new(Code::DomainToAscii, at + index)
    })?;
    if T::ON && text != input {
        trace.part(&DECODE_HOST, Part::Host, text);
    }
    if !text.is_ascii() {
        return map(text, at, out, trace);
    }
    if let Some(index) = text.bytes().position(is_forbidden) {
        let index = undecoded(input.as_bytes(), index);
        return Err(ParseError::new(Code::DomainInvalidCodePoint, at + index));
    }
    lower(text, classes(text.as_bytes()), out, trace);
    Ok(())
}

/// Unicode ToASCII as the Standard calls it, with a trace.
fn map<T: Trace>(text: &str, at: usize, out: &mut String, trace: &mut T) -> Result<(), ParseError> {
    let ascii = to_ascii(text).map_err(|code| ParseError::new(code, at))?;
    out.push_str(&ascii);
    if T::ON {
        trace.part(&IDNA, Part::Host, &ascii);
    }
    Ok(())
}

/// Unicode ToASCII as the Standard calls it: CheckHyphens, UseSTD3ASCIIRules
/// and VerifyDnsLength false, CheckBidi and CheckJoiners true; then no
/// forbidden domain code point.
pub(crate) fn to_ascii(text: &str) -> Result<Cow<'_, str>, Code> {
    if is_too_long(text) {
        return Err(Code::DomainToAscii);
    }
    let ascii = Uts46::new()
        .to_ascii(text.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow, DnsLength::Ignore)
        .map_err(|_| Code::DomainToAscii)?;
    if ascii.bytes().any(is_forbidden) { Err(Code::DomainInvalidCodePoint) } else { Ok(ascii) }
}

fn is_too_long(text: &str) -> bool {
    // What UTS #46 takes for a dot.
    const DOTS: [char; 4] = ['.', '\u{3002}', '\u{FF0E}', '\u{FF61}'];
    text.len() > DOMAIN_BYTES || text.split(DOTS).any(|label| label.len() > LABEL_BYTES && !label.is_ascii())
}

fn is_forbidden(byte: u8) -> bool {
    CLASS[usize::from(byte)] & (FORBIDDEN | PERCENT) != 0
}

/// Where byte `wanted` of the decoded text came from.
fn undecoded(bytes: &[u8], wanted: usize) -> usize {
    let mut index = 0;
    for _ in 0..wanted {
        index += if percent::escape_at(&bytes[index..]).is_some() { 3 } else { 1 };
    }
    index
}
