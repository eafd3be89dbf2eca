//! Opaque hosts, those of schemes that are not special. Knows the forbidden
//! host code points; must not know domains or addresses.

use super::{ENCODE_HOST, HostKind};
use crate::error::{Code, ParseError};
use crate::ladder::{Part, Trace};

/// <https://url.spec.whatwg.org/#forbidden-host-code-point>
pub(super) const fn is_forbidden(byte: u8) -> bool {
    matches!(
        byte,
        0 | b'\t'
            | b'\n'
            | b'\r'
            | b' '
            | b'#'
            | b'/'
            | b':'
            | b'<'
            | b'>'
            | b'?'
            | b'@'
            | b'['
            | b'\\'
            | b']'
            | b'^'
            | b'|'
    )
}

/// The C0 control percent-encode set: controls and all beyond U+007E.
const fn is_encoded(byte: u8) -> bool {
    byte <= 0x1F || byte > 0x7E
}

/// <https://url.spec.whatwg.org/#concept-opaque-host-parser>
pub(super) fn parse<T: Trace>(input: &str, at: usize, out: &mut String, trace: &mut T) -> Result<HostKind, ParseError> {
    if input.is_empty() {
        return Ok(HostKind::Empty);
    }
    if let Some(index) = input.bytes().position(is_forbidden) {
        return Err(ParseError::new(Code::HostInvalidCodePoint, at + index));
    }
    if T::ON {
        note_odd_units(input, at, trace);
    }
    let start = out.len();
    encode(input, out);
    if T::ON && out[start..] != *input {
        trace.part(&ENCODE_HOST, Part::Host, &out[start..]);
    }
    Ok(HostKind::Opaque)
}

fn encode(input: &str, out: &mut String) {
    let mut rest = input;
    while let Some(index) = rest.bytes().position(is_encoded) {
        out.push_str(&rest[..index]);
        // A byte of the set is ASCII or begins a code point: the cut is on a boundary.
        let width = rest[index..].chars().next().map_or(1, char::len_utf8);
        for byte in rest[index..index + width].bytes() {
            push_escape(byte, out);
        }
        rest = &rest[index + width..];
    }
    out.push_str(rest);
}

fn push_escape(byte: u8, out: &mut String) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    out.push('%');
    out.push(HEX[usize::from(byte >> 4)] as char);
    out.push(HEX[usize::from(byte & 15)] as char);
}

/// "If input contains a code point that is not a URL code point and not U+0025
/// (%)", or "a U+0025 (%) and the two code points following it are not ASCII
/// hex digits", invalid-URL-unit.
fn note_odd_units<T: Trace>(input: &str, at: usize, trace: &mut T) {
    let bytes = input.as_bytes();
    for (index, unit) in input.char_indices() {
        let fine = match unit {
            '%' => crate::percent::escape_at(&bytes[index..]).is_some(),
            unit => is_url_code_point(unit),
        };
        if !fine {
            trace.violation(Code::InvalidUrlUnit, at + index);
        }
    }
}

/// <https://url.spec.whatwg.org/#url-code-points>
fn is_url_code_point(unit: char) -> bool {
    match unit {
        'a'..='z' | 'A'..='Z' | '0'..='9' => true,
        '!' | '$' | '&' | '\'' | '(' | ')' | '*' | '+' | ',' | '-' | '.' | '/' | ':' | ';' | '=' | '?' | '@' | '_'
        | '~' => true,
        // "excluding surrogates and noncharacters"
        '\u{A0}'.. => !matches!(unit, '\u{FDD0}'..='\u{FDEF}') && (unit as u32) & 0xFFFE != 0xFFFE,
        _ => false,
    }
}
