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
    let comment = (1..line.len())
        .find(|&at| line[at - 1].is_ascii_whitespace() && COMMENTS.iter().any(|sign| line[at..].starts_with(sign)));
    let line = line[..comment.unwrap_or(line.len())].trim_ascii();
    match line.iter().position(u8::is_ascii_whitespace) {
        Some(end) if is_address(&line[..end]) => {
            let names = &line[end + 1..];
            // Of a list of addresses, what follows is a remark, not the names of a hosts file.
            let is_hosts = is_nobodys(&line[..end]) || words(names).all(is_name);
            if is_hosts { Line::Names(names) } else { Line::One(line) }
        }
        _ => Line::One(line),
    }
}

/// With which comments begin behind an entry and a space.
const COMMENTS: [&[u8]; 3] = [b"#", b";", b"//"];

fn is_address(word: &[u8]) -> bool {
    let is_ipv4 = |word: &[u8]| word.iter().filter(|&&byte| byte == b'.').count() == 3 && ends_in_a_number(word);
    is_ipv4(word) && is_host(word) || is_ipv6(word.split(|&byte| byte == b'%').next().unwrap_or_default())
}

fn is_ipv6(word: &[u8]) -> bool {
    word.contains(&b':') && is_host(format!("[{}]", String::from_utf8_lossy(word)).as_bytes())
}

/// Whether hosts files send names there that are not to be reached, or their own.
fn is_nobodys(address: &[u8]) -> bool {
    let begins = |prefix: &[u8]| address.len() >= prefix.len() && address[..prefix.len()].eq_ignore_ascii_case(prefix);
    matches!(address, b"0.0.0.0" | b"255.255.255.255" | b"::" | b"::0" | b"::1")
        || [&b"127."[..], b"fe80::1", b"fe00::", b"ff00::", b"ff02::"].into_iter().any(begins)
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

fn is_name(word: &[u8]) -> bool {
    word.contains(&b'.') && !ends_in_a_number(word)
}

/// What hosts files call the machine itself and its network.
const OWN_NAMES: [&[u8]; 16] = [
    b"localhost",
    b"localhost.localdomain",
    b"localhost4",
    b"localhost4.localdomain4",
    b"localhost6",
    b"localhost6.localdomain6",
    b"local",
    b"broadcasthost",
    b"ip6-localhost",
    b"ip6-loopback",
    b"ip6-localnet",
    b"ip6-mcastprefix",
    b"ip6-allnodes",
    b"ip6-allrouters",
    b"ip6-allhosts",
    b"0.0.0.0",
];

/// The names of a line of a hosts file that are somebody else's; an error for what is no name with a dot.
pub(super) fn names(names: &[u8]) -> impl Iterator<Item = Result<&[u8], ParseError>> {
    let is_own = |word: &[u8]| OWN_NAMES.iter().any(|own| word.eq_ignore_ascii_case(own));
    let wrong = || ParseError::new(Code::DomainInvalidCodePoint, 0);
    words(names).filter(move |word| !is_own(word)).map(move |word| if is_name(word) { Ok(word) } else { Err(wrong()) })
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
    let entry = if is_defanged { with_dots(&entry) } else { entry };
    let entry = entry.strip_prefix(b"*.").unwrap_or(&entry);
    if let Some(at) = entry.iter().position(|&byte| byte == b'\t') {
        // The form drops tabs: a column behind the entry would become part of it.
        return Err(ParseError::new(Code::InvalidUrlUnit, at));
    }
    if is_ipv6(entry) {
        canonical.read(&[b"[", entry, b"]"].concat(), version)?;
        return Ok(is_defanged);
    }
    canonical.read(entry, version)?;
    let has_scheme = entry.windows(3).position(|three| three == b"://").is_some_and(|at| is_scheme(&entry[..at]));
    let is_plain_host = is_host(canonical.host().as_bytes()) && is_meant_as_host(entry);
    if !has_scheme && !is_plain_host {
        return Err(ParseError::new(Code::DomainInvalidCodePoint, 0));
    }
    Ok(is_defanged)
}

/// An entry whose host was broken has its path broken, too: `[.]` is nothing that paths have.
fn with_dots(entry: &[u8]) -> Cow<'_, [u8]> {
    Cow::Owned(String::from_utf8_lossy(entry).replace("[.]", ".").into_bytes())
}

/// Whether what stands before the path has the letters of hosts alone: `n.example,phish` and
/// `x.example##.ad` are lines of other lists, and `10.0.0.0/8` is a network.
fn is_meant_as_host(entry: &[u8]) -> bool {
    let is_end = |byte: &u8| matches!(byte, b'/' | b'?' | b'#' | b'\\');
    let (host, rest) = entry.split_at(entry.iter().position(is_end).unwrap_or(entry.len()));
    let is_letter = |byte: &u8| {
        byte.is_ascii_alphanumeric() || !byte.is_ascii() || matches!(byte, b'-' | b'_' | b'.' | b':' | b'[' | b']')
    };
    let is_network =
        || is_address(host) && rest.len() < 5 && rest.len() > 1 && rest[1..].iter().all(u8::is_ascii_digit);
    host.iter().all(is_letter) && !rest.starts_with(b"#") && !is_network()
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
