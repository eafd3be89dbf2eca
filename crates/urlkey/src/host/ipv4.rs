//! IPv4 addresses in all the forms that `inet_aton` reads. Must not know what
//! an address is used for.

use std::fmt::Write;

use super::{HostKind, IPV4};
use crate::error::{Code, ParseError};
use crate::ladder::{Part, Trace};

/// Whether the last label, after one empty trailing label, is a number: the
/// host is then an IPv4 address or an error, never a domain.
///
/// Source: <https://url.spec.whatwg.org/#ends-in-a-number-checker>.
pub fn ends_in_a_number(host: &[u8]) -> bool {
    let host = host.strip_suffix(b".").unwrap_or(host);
    // Numbers end in a hexadecimal digit or are a bare `0x`; most domains do not.
    let Some(last) = host.last() else {
        return false;
    };
    if !last.is_ascii_hexdigit() && !last.eq_ignore_ascii_case(&b'x') {
        return false;
    }
    let begin = host.iter().rposition(|&byte| byte == b'.').map_or(0, |dot| dot + 1);
    let label = &host[begin..];
    label.first().is_some_and(u8::is_ascii_digit) && (label.iter().all(u8::is_ascii_digit) || number(label).is_some())
}

/// A part of an address as the Standard reads it.
struct Number {
    /// Saturates far above what fits.
    value: u64,
    /// Written in octal or hexadecimal: a validation error.
    odd: bool,
}

/// <https://url.spec.whatwg.org/#ipv4-number-parser>
fn number(part: &[u8]) -> Option<Number> {
    let (digits, radix) = match part {
        [] => return None,
        [b'0', b'x' | b'X', rest @ ..] => (rest, 16),
        [b'0', rest @ ..] if !rest.is_empty() => (rest, 8),
        _ => (part, 10),
    };
    let mut value = 0_u64;
    for &digit in digits {
        let digit = (digit as char).to_digit(radix)?;
        value = value.saturating_mul(radix.into()).saturating_add(digit.into());
    }
    Some(Number { value, odd: radix != 10 })
}

/// The value of one part of an address, decimal, octal or hexadecimal; none if
/// it is no number. Saturates far above what fits.
pub(crate) fn part_value(part: &[u8]) -> Option<u64> {
    number(part).map(|number| number.value)
}

/// Rewrites `out[start..]`, a host that ends in a number, as four decimal parts.
pub(super) fn rewrite<T: Trace>(
    out: &mut String,
    start: usize,
    at: usize,
    trace: &mut T,
) -> Result<HostKind, ParseError> {
    let address = parse(&out.as_bytes()[start..], at, trace)?;
    let before = if T::ON { out[start..].to_owned() } else { String::new() };
    out.truncate(start);
    let [a, b, c, d] = address.to_be_bytes();
    // Writing to a String cannot fail.
    let _ = write!(out, "{a}.{b}.{c}.{d}");
    if T::ON && out[start..] != before {
        trace.part(&IPV4, Part::Host, &out[start..]);
    }
    Ok(HostKind::Ipv4)
}

/// <https://url.spec.whatwg.org/#concept-ipv4-parser>
fn parse<T: Trace>(host: &[u8], at: usize, trace: &mut T) -> Result<u32, ParseError> {
    let trimmed = host.strip_suffix(b".").unwrap_or(host);
    if trimmed.len() < host.len() {
        trace.violation(Code::Ipv4EmptyPart, at);
    }
    if trimmed.split(|&byte| byte == b'.').count() > 4 {
        return Err(ParseError::new(Code::Ipv4TooManyParts, at));
    }
    let mut values = [0_u64; 4];
    let mut size = 0;
    for part in trimmed.split(|&byte| byte == b'.') {
        let number = number(part).ok_or(ParseError::new(Code::Ipv4NonNumericPart, at))?;
        if number.odd {
            trace.violation(Code::Ipv4NonDecimalPart, at);
        }
        values[size] = number.value;
        size += 1;
    }
    if values.iter().any(|&value| value > 255) {
        trace.violation(Code::Ipv4OutOfRangePart, at);
    }
    combine(&values[..size]).ok_or(ParseError::new(Code::Ipv4OutOfRangePart, at))
}

/// The address of one to four parts, the last of which fills what is left.
fn combine(values: &[u64]) -> Option<u32> {
    let (&last, upper) = values.split_last()?;
    let free = 8 * (4 - upper.len());
    if last >> free != 0 {
        return None;
    }
    let mut address = last;
    for (index, &value) in upper.iter().enumerate() {
        if value > 255 {
            return None;
        }
        address |= value << (24 - 8 * index);
    }
    u32::try_from(address).ok()
}
