//! Credentials, host and port as w3lib writes them, and what it refuses.

use icu_normalizer::ComposingNormalizerBorrowed;

use super::parts::{Parts, cut};
use super::{Error, USER, reescape, utf8};
use crate::error::{Code, ParseError};
use crate::forms::nameprep;
use crate::host;

/// What stands behind the `@`.
struct Host<'a> {
    /// Without brackets.
    name: &'a [u8],
    bracketed: bool,
    /// Behind the colon; empty where there is none.
    port: &'a [u8],
}

/// Appends `//user:password@host:port`, or nothing where all of that is empty.
pub(super) fn write(parts: &Parts<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let authority = parts.authority;
    if authority.is_empty() {
        return Ok(());
    }
    let fail = |code, part: &[u8]| {
        let inside = part.as_ptr().addr() - authority.as_ptr().addr();
        Error::Url(ParseError::new(code, parts.authority_at + inside))
    };
    let at_sign = memchr::memrchr(b'@', authority);
    let behind = &authority[at_sign.map_or(0, |at| at + 1)..];
    let host = split_host(authority, behind).map_err(|code| fail(code, behind))?;
    if !authority.is_ascii() && hides_delimiter(authority) {
        return Err(fail(Code::DomainInvalidCodePoint, authority));
    }
    let port = read_port(host.port).map_err(|code| fail(code, host.port))?;

    let from = out.len();
    out.extend_from_slice(b"//");
    if let Some(end) = at_sign {
        write_user(utf8(&authority[..end])?.as_bytes(), out);
    }
    write_host(&host, out)?;
    if let Some(port) = port {
        out.push(b':');
        out.extend_from_slice(port.to_string().as_bytes());
    }
    if out.len() == from + 2 {
        out.truncate(from);
    }
    Ok(())
}

fn split_host<'a>(authority: &[u8], behind: &'a [u8]) -> Result<Host<'a>, Code> {
    let brackets = [b'[', b']'].map(|bracket| authority.contains(&bracket));
    if brackets == [false, false] {
        let (name, port) = cut(behind, b':');
        return Ok(Host { name, bracketed: false, port });
    }
    if brackets != [true, true] {
        return Err(Code::Ipv6Unclosed);
    }
    let (before, inside) = cut(behind, b'[');
    let (name, port) = match behind.contains(&b'[') {
        true if !before.is_empty() => return Err(Code::HostInvalidCodePoint),
        true => {
            let (name, port) = cut(inside, b']');
            match port.split_first() {
                None => (name, port),
                Some((b':', port)) => (name, port),
                Some(_) => return Err(Code::HostInvalidCodePoint),
            }
        }
        // The brackets are the user's: yet the host has to be an address.
        false => cut(behind, b':'),
    };
    match name {
        [b'v', future @ ..] => is_future(future),
        _ => ipv6(name).map(|_| ()),
    }
    .map(|()| Host { name, bracketed: true, port })
}

/// `1F.any`: what may follow the `v` of an address of the future.
fn is_future(text: &[u8]) -> Result<(), Code> {
    let digits = text.iter().position(|byte| !byte.is_ascii_hexdigit()).unwrap_or(text.len());
    match text[digits..] {
        [b'.', _, ..] if digits > 0 => Ok(()),
        _ => Err(Code::HostInvalidCodePoint),
    }
}

/// The address and its zone with the `%`.
fn ipv6(text: &[u8]) -> Result<([u16; 8], &[u8]), Code> {
    let end = memchr::memchr(b'%', text).unwrap_or(text.len());
    let (address, zone) = text.split_at(end);
    let zone_is_odd = zone.len() == 1 || zone.get(1..).is_some_and(|zone| zone.contains(&b'%'));
    let address = std::str::from_utf8(address).map_err(|_| Code::Ipv6InvalidCodePoint)?;
    match host::parse_ipv6(address, 0) {
        Ok(address) if !zone_is_odd => Ok((address, zone)),
        Ok(_) => Err(Code::Ipv6InvalidCodePoint),
        Err(error) => Err(error.code),
    }
}

fn read_port(digits: &[u8]) -> Result<Option<u16>, Code> {
    if digits.is_empty() {
        return Ok(None);
    }
    if !digits.iter().all(u8::is_ascii_digit) {
        return Err(Code::PortInvalid);
    }
    let port = digits.iter().try_fold(0u16, |port, digit| port.checked_mul(10)?.checked_add(u16::from(digit - b'0')));
    port.map(Some).ok_or(Code::PortOutOfRange)
}

fn write_user(user: &[u8], out: &mut Vec<u8>) {
    let (name, password) = cut(user, b':');
    reescape(name, USER, USER, out);
    if name.len() < user.len() {
        out.push(b':');
        reescape(password, USER, USER, out);
    }
    out.push(b'@');
}

fn write_host(host: &Host<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let name = host.name;
    if host.bracketed && name.contains(&b':') {
        return write_literal(name, out);
    }
    if name.is_ascii() {
        out.extend(name.iter().map(u8::to_ascii_lowercase));
        return Ok(());
    }
    let name = utf8(name)?;
    let normal = ComposingNormalizerBorrowed::new_nfkc().normalize(name);
    match nameprep::to_ascii(&normal, nameprep::Unassigned::Allowed) {
        Some(ascii) => out.extend_from_slice(ascii.to_ascii_lowercase().as_bytes()),
        // What IDNA refuses stays as it is.
        None => out.extend_from_slice(name.to_lowercase().as_bytes()),
    }
    Ok(())
}

fn write_literal(name: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
    if !name.is_ascii() {
        return Err(Error::NotAscii);
    }
    match ipv6(name) {
        Ok((address, zone)) => {
            let mut text = String::new();
            host::write_ipv6(address, &mut text);
            out.extend_from_slice(text.trim_end_matches(']').as_bytes());
            out.extend(zone.iter().map(u8::to_ascii_lowercase));
        }
        Err(_) => {
            out.push(b'[');
            out.extend(name.iter().map(u8::to_ascii_lowercase));
        }
    }
    out.push(b']');
    Ok(())
}

/// Whether NFKC changes it to something with a delimiter.
fn hides_delimiter(authority: &[u8]) -> bool {
    let mut text = String::from_utf8_lossy(authority).into_owned();
    text.retain(|c| !matches!(c, '@' | ':'));
    let normal = ComposingNormalizerBorrowed::new_nfkc().normalize(&text);
    normal != text && normal.contains(['/', '?', '#', '@', ':', '\\'])
}
