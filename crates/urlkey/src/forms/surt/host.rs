//! The host: decoded, in the DNS's letters, dots and addresses settled, `www.`
//! dropped, labels turned. Must not know the rest of the URL.

use super::{Flavor, Options, Scratch, escape};
use crate::forms::nameprep::{self, Unassigned};

/// Puts the canonical host into `scratch.host`.
pub(super) fn canonical(raw: &[u8], options: &Options, scratch: &mut Scratch) {
    let (host, spare) = (&mut scratch.host, &mut scratch.spare);
    host.clear();
    let is_plain = is_plain(raw);
    if is_plain {
        host.extend_from_slice(raw);
    } else if options.flavor == Flavor::Java {
        java(raw, spare, host);
    } else {
        python(raw, spare, host);
    }
    if options.host_lowercase && !is_plain {
        host.make_ascii_lowercase();
    }
    if options.host_massage {
        massage(host, options.flavor == Flavor::Java);
    }
}

/// Lower case, no escape, no empty label, no address: nothing is to do.
fn is_plain(raw: &[u8]) -> bool {
    let mut before = b'.';
    for &byte in raw {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' => {}
            b'.' if before != b'.' => {}
            _ => return false,
        }
        before = byte;
    }
    before != b'.' && !raw[0].is_ascii_digit()
}

fn python(raw: &[u8], spare: &mut Vec<u8>, host: &mut Vec<u8>) {
    escape::unescape(raw, host);
    if !host.is_ascii() {
        // The original reads UTF-8 and skips what is none.
        let text: String = host.utf8_chunks().map(|chunk| chunk.valid()).collect();
        if text.is_empty() {
            host.clear();
        } else if let Some(ascii) = nameprep::to_ascii(&text, Unassigned::Allowed) {
            *host = ascii.into_bytes();
        }
    }
    halve_dots(host, spare);
    trim_dots(host);
    match python_address(host) {
        Some(address) => dotted(address, host),
        None => {
            host.make_ascii_lowercase();
            escape::escape(0, false, spare, host);
        }
    }
}

fn java(raw: &[u8], spare: &mut Vec<u8>, host: &mut Vec<u8>) {
    escape::unescape_utf8(raw, host);
    if !host.is_ascii() {
        // The text was made UTF-8, and only UTF-8 was decoded in it.
        let text = String::from_utf8_lossy(host);
        let ascii = nameprep::to_ascii(&text, Unassigned::Refused);
        // Where there is no ASCII form, letters outside ASCII become small letters too.
        *host = ascii.unwrap_or_else(|| text.to_lowercase()).into_bytes();
    }
    trim_dots(host);
    host.dedup_by(|a, b| *a == b'.' && *b == b'.');
    match java_address(host) {
        Some(address) => dotted(address, host),
        None => {
            host.make_ascii_lowercase();
            escape::escape(0, true, spare, host);
        }
    }
}

fn trim_dots(host: &mut Vec<u8>) {
    let end = host.iter().rposition(|&byte| byte != b'.').map_or(0, |last| last + 1);
    host.truncate(end);
    let begin = host.iter().position(|&byte| byte != b'.').unwrap_or(0);
    host.drain(..begin);
}

/// `..` becomes `.`, once: four dots become two.
fn halve_dots(host: &mut Vec<u8>, spare: &mut Vec<u8>) {
    if !host.windows(2).any(|two| two == b"..") {
        return;
    }
    spare.clear();
    let mut from = 0;
    while let Some(&byte) = host.get(from) {
        spare.push(byte);
        from += if host[from..].starts_with(b"..") { 2 } else { 1 };
    }
    std::mem::swap(host, spare);
}

/// `www.` with any digits before the dot: one in the package, all in webarchive-commons.
fn massage(host: &mut Vec<u8>, repeatedly: bool) {
    let mut begin = 0;
    while let Some(behind) = host[begin..].strip_prefix(b"www") {
        let digits = behind.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if behind.get(digits) != Some(&b'.') {
            break;
        }
        begin += 3 + digits + 1;
        if !repeatedly {
            break;
        }
    }
    host.drain(..begin);
}

/// Appends the labels from the last to the first, with commas.
pub(super) fn reverse(host: &[u8], java: bool, key: &mut Vec<u8>) {
    if java && memchr::memchr(b'.', host).is_none() {
        let inside = host.strip_prefix(b"[").and_then(|host| host.strip_suffix(b"]"));
        return key.extend_from_slice(inside.unwrap_or(host));
    }
    let mut end = host.len();
    // Hosts are short: a loop is quicker than a call.
    while let Some(dot) = host[..end].iter().rposition(|&byte| byte == b'.') {
        key.extend_from_slice(&host[dot + 1..end]);
        key.push(b',');
        end = dot;
    }
    key.extend_from_slice(&host[..end]);
}

/// Four groups of one to three digits, of any value.
pub(super) fn is_quad(host: &[u8]) -> bool {
    let is_group = |group: &[u8]| (1..=3).contains(&group.len()) && group.iter().all(u8::is_ascii_digit);
    host.split(|&byte| byte == b'.').count() == 4 && host.split(|&byte| byte == b'.').all(is_group)
}

fn dotted(address: u32, host: &mut Vec<u8>) {
    let [a, b, c, d] = address.to_be_bytes();
    *host = format!("{a}.{b}.{c}.{d}").into_bytes();
}

/// At most four groups of digits: all below 8 where the first digit is 0.
fn address_groups(host: &[u8]) -> Option<Vec<&[u8]>> {
    let octal = match host.first()? {
        b'0' => true,
        b'1'..=b'9' => false,
        _ => return None,
    };
    let groups: Vec<&[u8]> = host.splitn(5, |&byte| byte == b'.').collect();
    let is_digit = |byte: &u8| byte.is_ascii_digit() && (!octal || *byte < b'8');
    let are_digits = |group: &&[u8]| !group.is_empty() && group.iter().all(is_digit);
    (groups.len() <= 4 && groups.iter().all(are_digits)).then_some(groups)
}

/// What the package takes for an address: a number modulo 2^32, or what C's `inet_aton` takes.
fn python_address(host: &[u8]) -> Option<u32> {
    if host.iter().all(u8::is_ascii_digit) && !host.is_empty() {
        let step = |number: u32, byte: &u8| number.wrapping_mul(10).wrapping_add(u32::from(byte - b'0'));
        return Some(host.iter().fold(0, step));
    }
    let groups = address_groups(host)?;
    let (last, before) = groups.split_last()?;
    let number = |group: &[u8]| {
        let base = if group.len() > 1 && group[0] == b'0' { 8 } else { 10 };
        u64::from_str_radix(std::str::from_utf8(group).ok()?, base).ok()
    };
    let mut address = 0;
    for (place, group) in before.iter().enumerate() {
        let octet = number(group).filter(|&octet| octet <= 0xFF)?;
        address |= octet << (24 - 8 * place);
    }
    let most = 0xFFFF_FFFF >> (8 * before.len());
    let rest = number(last).filter(|&rest| rest <= most)?;
    u32::try_from(address | rest).ok()
}

/// What webarchive-commons takes for an address: a number, or four octets, all octal or all decimal.
fn java_address(host: &[u8]) -> Option<u32> {
    if host.iter().all(u8::is_ascii_digit) && !host.is_empty() {
        let number: i64 = std::str::from_utf8(host).ok()?.parse().ok()?;
        return Some(number as u32);
    }
    let groups = address_groups(host).filter(|groups| groups.len() == 4)?;
    let base = if host[0] == b'0' { 8 } else { 10 };
    groups.iter().try_fold(0, |address, group| {
        let octet = u32::from_str_radix(std::str::from_utf8(group).ok()?, base).ok()?;
        (octet <= 0xFF).then_some(address << 8 | octet)
    })
}
