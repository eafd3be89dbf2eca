//! Addresses and their texts. Must not know what an address is used for.

use std::fmt;

use crate::error::{Code, ParseError};
use crate::host::{parse_ipv6, write_ipv6};

/// An IP address as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Address {
    /// 32 of them.
    V4(u32),
    /// 128 of them.
    V6(u128),
}

impl Address {
    /// The address that this text writes: four decimal parts, or IPv6 as RFC 4291
    /// section 2.2 writes it, in brackets or not.
    pub fn parse(text: &str) -> Result<Address, ParseError> {
        if let Some(at) = text.find('%') {
            return Err(ParseError::new(Code::ZoneId, at));
        }
        if let Some(rest) = text.strip_prefix('[') {
            let inside = rest.strip_suffix(']').ok_or(ParseError::new(Code::Ipv6Unclosed, 0))?;
            return v6(inside, 1);
        }
        if text.contains(':') {
            return v6(text, 0);
        }
        v4(text).ok_or(ParseError::new(Code::NotAnIpAddress, 0))
    }
}

fn v6(text: &str, at: usize) -> Result<Address, ParseError> {
    let pieces = parse_ipv6(text, at)?;
    Ok(Address::V6(pieces.iter().fold(0, |bits, &piece| bits << 16 | u128::from(piece))))
}

/// Four decimal parts up to 255: a leading zero would be octal to some readers.
fn v4(text: &str) -> Option<Address> {
    let mut bits = 0u32;
    let mut count = 0;
    for part in text.split('.') {
        let canonical = matches!(part.as_bytes(), [b'0'] | [b'1'..=b'9', ..]);
        if count == 4 || !canonical || part.len() > 3 {
            return None;
        }
        bits = bits << 8 | u32::from(part.parse::<u8>().ok()?);
        count += 1;
    }
    (count == 4).then_some(Address::V4(bits))
}

impl fmt::Display for Address {
    /// As the URL Standard serializes it, without brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Address::V4(bits) => {
                let [a, b, c, d] = bits.to_be_bytes();
                write!(f, "{a}.{b}.{c}.{d}")
            }
            Address::V6(bits) => {
                let mut out = String::with_capacity(41);
                write_ipv6(std::array::from_fn(|index| (bits >> (112 - 16 * index)) as u16), &mut out);
                f.write_str(out.trim_matches(['[', ']']))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_strictly_and_written_alike() {
        for (text, written) in [
            ("127.0.0.1", "127.0.0.1"),
            ("0.0.0.0", "0.0.0.0"),
            ("[::1]", "::1"),
            ("0:0:0:0:0:FFFF:7F00:0001", "::ffff:7f00:1"),
            ("::ffff:127.0.0.1", "::ffff:7f00:1"),
            ("2001:DB8::", "2001:db8::"),
            ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
        ] {
            assert_eq!(Address::parse(text).unwrap().to_string(), written);
        }
    }

    #[test]
    fn what_is_no_address_is_an_error_with_a_code() {
        for (text, code) in [
            ("", Code::NotAnIpAddress),
            ("127.1", Code::NotAnIpAddress),
            ("127.0.0.1.", Code::NotAnIpAddress),
            ("0177.0.0.1", Code::NotAnIpAddress),
            ("00.0.0.0", Code::NotAnIpAddress),
            ("0x7f.0.0.1", Code::NotAnIpAddress),
            ("256.0.0.1", Code::NotAnIpAddress),
            ("1.2.3.4.5", Code::NotAnIpAddress),
            ("1.2.3.+4", Code::NotAnIpAddress),
            (" 1.2.3.4", Code::NotAnIpAddress),
            ("1.2.3.\u{664}", Code::NotAnIpAddress),
            ("2130706433", Code::NotAnIpAddress),
            ("a.example", Code::NotAnIpAddress),
            ("fe80::1%eth0", Code::ZoneId),
            ("[fe80::1%25eth0]", Code::ZoneId),
            ("[::1", Code::Ipv6Unclosed),
            ("::1::", Code::Ipv6MultipleCompression),
            ("1:2:3", Code::Ipv6TooFewPieces),
            ("::1.2.3.256", Code::Ipv4InIpv6OutOfRangePart),
            ("::1/64", Code::Ipv6InvalidCodePoint),
        ] {
            assert_eq!(Address::parse(text).map_err(|error| error.code), Err(code), "{text}");
        }
    }
}
