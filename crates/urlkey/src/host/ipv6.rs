//! IPv6 addresses: parser and serializer of the URL Standard. Zone identifiers
//! are an error there, and here.

use std::fmt::Write;

use crate::error::{Code, ParseError};

/// A position in the text of an address; `None` is the Standard's EOF code point.
struct Cursor<'a> {
    bytes: &'a [u8],
    index: usize,
    at: usize,
}

impl Cursor<'_> {
    fn now(&self) -> Option<u8> {
        self.bytes.get(self.index).copied()
    }

    fn digit(&self, radix: u32) -> Option<u16> {
        let digit = char::from(self.now()?).to_digit(radix)?;
        u16::try_from(digit).ok()
    }

    fn fail<V>(&self, code: Code) -> Result<V, ParseError> {
        Err(ParseError::new(code, self.at + self.index))
    }
}

/// The eight pieces of the address. `at`: where `bytes` begin in the original.
///
/// Source: <https://url.spec.whatwg.org/#concept-ipv6-parser>.
pub(super) fn parse(bytes: &[u8], at: usize) -> Result<[u16; 8], ParseError> {
    let mut cursor = Cursor { bytes, index: 0, at };
    let mut address = [0; 8];
    let mut piece = 0;
    let mut compress = None;
    if cursor.now() == Some(b':') {
        if bytes.get(1) != Some(&b':') {
            return cursor.fail(Code::Ipv6InvalidCompression);
        }
        cursor.index = 2;
        piece = 1;
        compress = Some(piece);
    }
    while let Some(now) = cursor.now() {
        if piece == 8 {
            return cursor.fail(Code::Ipv6TooManyPieces);
        }
        if now == b':' {
            if compress.is_some() {
                return cursor.fail(Code::Ipv6MultipleCompression);
            }
            cursor.index += 1;
            piece += 1;
            compress = Some(piece);
            continue;
        }
        let begin = cursor.index;
        let value = hexadecimal(&mut cursor);
        if cursor.now() == Some(b'.') {
            if cursor.index == begin {
                return cursor.fail(Code::Ipv4InIpv6InvalidCodePoint);
            }
            cursor.index = begin;
            embedded_ipv4(&mut cursor, &mut address, &mut piece)?;
            break;
        }
        separator(&mut cursor)?;
        address[piece] = value;
        piece += 1;
    }
    expand(address, piece, compress).ok_or(ParseError::new(Code::Ipv6TooFewPieces, at))
}

/// Up to four hexadecimal digits; none is zero.
fn hexadecimal(cursor: &mut Cursor<'_>) -> u16 {
    let end = cursor.index + 4;
    let mut value = 0;
    while cursor.index < end
        && let Some(digit) = cursor.digit(16)
    {
        value = value << 4 | digit;
        cursor.index += 1;
    }
    value
}

/// What may follow a piece: the end, or a colon that is not the end.
fn separator(cursor: &mut Cursor<'_>) -> Result<(), ParseError> {
    match cursor.now() {
        None => Ok(()),
        Some(b':') if cursor.index + 1 < cursor.bytes.len() => {
            cursor.index += 1;
            Ok(())
        }
        Some(_) => cursor.fail(Code::Ipv6InvalidCodePoint),
    }
}

/// Four decimal parts that fill two pieces and end the address.
fn embedded_ipv4(cursor: &mut Cursor<'_>, address: &mut [u16; 8], piece: &mut usize) -> Result<(), ParseError> {
    if *piece > 6 {
        return cursor.fail(Code::Ipv4InIpv6TooManyPieces);
    }
    let mut seen = 0;
    while let Some(now) = cursor.now() {
        if seen > 0 {
            if now != b'.' || seen == 4 {
                return cursor.fail(Code::Ipv4InIpv6InvalidCodePoint);
            }
            cursor.index += 1;
        }
        address[*piece] = address[*piece] << 8 | decimal(cursor)?;
        seen += 1;
        if seen == 2 || seen == 4 {
            *piece += 1;
        }
    }
    if seen != 4 {
        return cursor.fail(Code::Ipv4InIpv6TooFewParts);
    }
    Ok(())
}

/// One decimal part, at most 255, without leading zeros.
fn decimal(cursor: &mut Cursor<'_>) -> Result<u16, ParseError> {
    let mut value = match cursor.digit(10) {
        Some(digit) => digit,
        None => return cursor.fail(Code::Ipv4InIpv6InvalidCodePoint),
    };
    cursor.index += 1;
    while let Some(digit) = cursor.digit(10) {
        if value == 0 {
            return cursor.fail(Code::Ipv4InIpv6InvalidCodePoint);
        }
        value = value * 10 + digit;
        if value > 255 {
            return cursor.fail(Code::Ipv4InIpv6OutOfRangePart);
        }
        cursor.index += 1;
    }
    Ok(value)
}

/// Moves the pieces after the compression to the end; None if pieces are lacking.
fn expand(mut address: [u16; 8], piece: usize, compress: Option<usize>) -> Option<[u16; 8]> {
    match compress {
        Some(begin) => {
            address[begin..].rotate_right(8 - piece);
            Some(address)
        }
        None if piece == 8 => Some(address),
        None => None,
    }
}

/// Appends the address in brackets.
///
/// Source: <https://url.spec.whatwg.org/#concept-ipv6-serializer>.
pub(super) fn write(address: [u16; 8], out: &mut String) {
    let (begin, end) = longest_zeros(&address);
    out.push('[');
    for (index, piece) in address.iter().enumerate() {
        if index == begin && begin < end {
            out.push_str("::");
        }
        if (begin..end).contains(&index) {
            continue;
        }
        if index != 0 && index != end {
            out.push(':');
        }
        // Writing to a String cannot fail.
        let _ = write!(out, "{piece:x}");
    }
    out.push(']');
}

/// The first longest run of two or more zero pieces, or an empty one at 9.
fn longest_zeros(address: &[u16; 8]) -> (usize, usize) {
    let mut best = (9, 9);
    let mut begin = 0;
    for index in 0..=8 {
        if address.get(index) == Some(&0) {
            continue;
        }
        let longest = if best.0 == 9 { 1 } else { best.1 - best.0 };
        if index - begin > longest {
            best = (begin, index);
        }
        begin = index + 1;
    }
    best
}
