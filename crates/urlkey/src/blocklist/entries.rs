//! What one line of a list says. Knows the line, not the list.

use std::borrow::Cow;

use super::Kind;
use crate::base64;
use crate::error::{Code, ParseError};
use crate::forms::safebrowsing::{Canonical, Version, WIDTHS};
use crate::host::{ends_in_a_number, parse_host};
use crate::ladder::Off;
use crate::text;

/// What a line of text holds: entries one after the other.
pub(super) enum Line<'a> {
    /// Nothing: empty, or a comment.
    Nothing,
    /// One entry.
    One(&'a [u8]),
    /// The names behind an address, as in a hosts file.
    Names(&'a [u8]),
}

/// The line without its comment.
pub(super) fn read(line: &[u8]) -> Line<'_> {
    let line = line.trim_ascii();
    if matches!(line.first(), None | Some(b'#' | b';' | b'!')) {
        return Line::Nothing;
    }
    let comment = line.windows(2).position(|two| two[0].is_ascii_whitespace() && two[1] == b'#');
    let line = line[..comment.unwrap_or(line.len())].trim_ascii();
    match line.iter().position(u8::is_ascii_whitespace) {
        Some(end) if is_address(&line[..end]) => Line::Names(&line[end + 1..]),
        _ => Line::One(line),
    }
}

fn is_address(word: &[u8]) -> bool {
    let is_ipv6 = || word.contains(&b':') && is_host(format!("[{}]", String::from_utf8_lossy(word)).as_bytes());
    word.iter().filter(|&&byte| byte == b'.').count() == 3 && ends_in_a_number(word) && is_host(word) || is_ipv6()
}

/// The names of a line of a hosts file that are somebody else's: with a dot, and no addresses.
pub(super) fn names(names: &[u8]) -> impl Iterator<Item = &[u8]> {
    let names = names.split(u8::is_ascii_whitespace).filter(|name| name.contains(&b'.') && !ends_in_a_number(name));
    names.filter(|name| !name.eq_ignore_ascii_case(b"localhost.localdomain"))
}

/// Reads an entry of a text list into `canonical`; whether it was defanged.
///
/// What has no scheme is meant as a host, with or without a path, and must be
/// one: a line of prose or of another kind of list is an error, not a host that
/// nobody will ask for. `*.` before it says what holds anyway.
pub(super) fn read_entry(entry: &[u8], version: Version, canonical: &mut Canonical) -> Result<bool, ParseError> {
    let live = std::str::from_utf8(entry).ok().and_then(|entry| text::refang(entry, false));
    let is_defanged = live.is_some();
    let entry = live.map_or(Cow::Borrowed(entry), |live| Cow::Owned(live.into_bytes()));
    let entry = entry.strip_prefix(b"*.").unwrap_or(&entry);
    canonical.read(entry, version)?;
    let has_scheme = entry.windows(3).position(|three| three == b"://").is_some_and(|at| is_scheme(&entry[..at]));
    if !has_scheme && (canonical.host().contains('*') || !is_host(canonical.host().as_bytes())) {
        return Err(ParseError::new(Code::DomainInvalidCodePoint, 0));
    }
    Ok(is_defanged)
}

fn is_scheme(word: &[u8]) -> bool {
    word.first().is_some_and(u8::is_ascii_alphabetic)
        && word.iter().all(|&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

fn is_host(host: &[u8]) -> bool {
    let text = std::str::from_utf8(host).unwrap_or_default();
    !text.contains('%') && parse_host(text, true, 0, &mut String::new(), &mut Off).is_ok()
}

/// Whether the line may be a hash, and in which spelling: hexadecimal first.
pub(super) fn kind_of(entry: &[u8]) -> Kind {
    let fits = |kind| hash(entry, kind).is_some();
    [Kind::Hex, Kind::Base64].into_iter().find(|&kind| fits(kind)).unwrap_or(Kind::Text)
}

/// The prefix of a hash that the entry spells, 4 to 32 bytes.
pub(super) fn hash(entry: &[u8], kind: Kind) -> Option<Vec<u8>> {
    let bytes = match kind {
        Kind::Text => return None,
        Kind::Hex => hexadecimal(entry)?,
        Kind::Base64 => base64(entry)?,
    };
    WIDTHS.contains(&bytes.len()).then_some(bytes)
}

fn hexadecimal(entry: &[u8]) -> Option<Vec<u8>> {
    if !entry.len().is_multiple_of(2) {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16);
    entry.chunks_exact(2).map(|two| u8::try_from(digit(two[0])? << 4 | digit(two[1])?).ok()).collect()
}

/// RFC 4648, sections 4 and 5; bits that are left over must be zero.
fn base64(entry: &[u8]) -> Option<Vec<u8>> {
    let padding = entry.iter().rev().take(2).take_while(|&&byte| byte == b'=').count();
    if padding > 0 && !entry.len().is_multiple_of(4) {
        return None;
    }
    match base64::decode(&entry[..entry.len() - padding])? {
        (bytes, 0) => Some(bytes),
        _ => None,
    }
}
