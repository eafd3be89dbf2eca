//! The host of a canonical URL.

use super::Version;
use crate::host::{parse_ipv6, part_value, to_ascii, write_ipv6};
use crate::percent::push_escaped_beyond_graphic;

/// Appends the host, and says whether it is an address, which has no suffixes.
/// Appends nothing where the host is empty or made of dots.
pub(super) fn write(host: &[u8], version: Version, out: &mut Vec<u8>) -> bool {
    let host = without_dots(host);
    if let Some(inside) = host.strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"]")) {
        write_bracketed(host, inside, version, out);
        return true;
    }
    let start = out.len();
    match std::str::from_utf8(host) {
        Ok(text) if !text.is_ascii() => match to_ascii(text) {
            Ok(ascii) => push_labels(ascii.as_bytes(), out),
            // No domain: the bytes are escaped, as the documents do with `\x01\x80.com`.
            Err(_) => push_labels(host, out),
        },
        _ => push_labels(host, out),
    }
    if let Some(address) = ipv4(&out[start..]) {
        out.truncate(start);
        push_ipv4(address, out);
        return true;
    }
    if out[start..].iter().any(|&byte| !byte.is_ascii_graphic() || matches!(byte, b'#' | b'%')) {
        let plain = out.split_off(start);
        push_escaped_beyond_graphic(out, &plain);
    }
    false
}

/// "Remove all leading and trailing dots."
fn without_dots(host: &[u8]) -> &[u8] {
    let begin = host.iter().position(|&byte| byte != b'.').unwrap_or(host.len());
    let end = host.iter().rposition(|&byte| byte != b'.').map_or(begin, |last| last + 1);
    &host[begin..end]
}

/// "Replace consecutive dots with a single dot. [...] Convert the whole string to
/// lowercase." What IDNA makes may have dots around it anew.
fn push_labels(host: &[u8], out: &mut Vec<u8>) {
    let mut before = 0;
    for &byte in without_dots(host) {
        if byte != b'.' || before != b'.' {
            out.push(byte.to_ascii_lowercase());
        }
        before = byte;
    }
}

/// "If the hostname can be parsed as an IPv4 address, normalize it to 4
/// dot-separated decimal values [...] including octal, hex, and fewer than four
/// components." A part that is too large loses its upper bits, as in Google's
/// client in Go: no resolver reads such a host, so nothing can be mistaken.
fn ipv4(host: &[u8]) -> Option<u32> {
    if !host.first()?.is_ascii_digit() || !host.last()?.is_ascii_hexdigit() && host.last() != Some(&b'x') {
        return None;
    }
    let mut values = [0; 4];
    let mut count = 0;
    for part in host.split(|&byte| byte == b'.') {
        *values.get_mut(count)? = part_value(part).and_then(|value| u32::try_from(value).ok())?;
        count += 1;
    }
    let last = values[count - 1];
    let free = 8 * (5 - count as u32);
    let low = if free == 32 { last } else { last & ((1 << free) - 1) };
    Some((0..count - 1).fold(low, |address, index| address | (values[index] & 0xff) << (24 - 8 * index)))
}

fn push_ipv4(address: u32, out: &mut Vec<u8>) {
    let [a, b, c, d] = address.to_be_bytes();
    out.extend_from_slice(format!("{a}.{b}.{c}.{d}").as_bytes());
}

/// v4 says nothing about IPv6: the text stays, in lower case. v5 compresses, and
/// writes an IPv4-mapped or well-known NAT64 address as the IPv4 address in it.
fn write_bracketed(host: &[u8], inside: &[u8], version: Version, out: &mut Vec<u8>) {
    match std::str::from_utf8(inside).ok().and_then(|text| parse_ipv6(text, 0).ok()) {
        Some(pieces) if version == Version::V5 => match pieces {
            [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
                push_ipv4(u32::from(high) << 16 | u32::from(low), out);
            }
            _ => {
                let mut text = String::new();
                write_ipv6(pieces, &mut text);
                out.extend_from_slice(text.as_bytes());
            }
        },
        _ => push_escaped_beyond_graphic(out, &host.to_ascii_lowercase()),
    }
}
