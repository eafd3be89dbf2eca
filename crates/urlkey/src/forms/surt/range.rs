//! Which keys of a sorted index a query is about. The order is that of bytes:
//! `!` `)` `*` `,` `-` `/` `0`. Must not know index files.

use super::{Flavor, Options, surt};

/// How much of an archive a query asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchType {
    /// Captures of this URL.
    Exact,
    /// Of all whose key begins so.
    Prefix,
    /// Of the whole host.
    Host,
    /// Of the host and all below it.
    Domain,
}

impl MatchType {
    /// The names that CDX servers use.
    pub const NAMES: [(&'static str, MatchType); 4] = [
        ("exact", MatchType::Exact),
        ("prefix", MatchType::Prefix),
        ("host", MatchType::Host),
        ("domain", MatchType::Domain),
    ];

    /// By name.
    pub fn named(name: &str) -> Option<MatchType> {
        MatchType::NAMES.iter().find(|row| row.0 == name).map(|row| row.1)
    }
}

/// The first key that belongs, and the first behind it that does not.
pub type Range = (Vec<u8>, Vec<u8>);

/// Why there is no range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeError {
    /// Only names in reverse have a domain's hosts side by side.
    DomainOfPlainUrls,
    /// Heritrix's form is no index's key.
    Heritrix,
}

/// The range of keys that a query covers, of keys made with these options: `start <= key < end`, where
/// a key is followed by a space or nothing.
///
/// Of `prefix`, a slash or `?` at the end of the URL counts, though a key loses it.
///
/// ```
/// use urlkey::forms::surt::{MatchType, Options, cdx_range};
/// let range = cdx_range(b"http://example.com/", MatchType::Domain, &Options::default());
/// assert_eq!(range, Ok((b"com,example)/".to_vec(), b"com,example-".to_vec())));
/// ```
pub fn cdx_range(url: &[u8], kind: MatchType, options: &Options) -> Result<Range, RangeError> {
    if options.flavor == Flavor::Heritrix {
        return Err(RangeError::Heritrix);
    }
    let mut key = surt(url, options);
    Ok(match kind {
        MatchType::Exact => with_end(key, |end| end.push(b'!')),
        MatchType::Prefix => {
            if let Some(&last @ (b'/' | b'?')) = url.last()
                && key.last() != Some(&last)
            {
                key.push(last);
            }
            with_end(key, increment)
        }
        MatchType::Domain if !options.surt => return Err(RangeError::DomainOfPlainUrls),
        MatchType::Host if !options.surt => {
            let host = key.iter().position(|&byte| byte == b'/').unwrap_or(key.len());
            key.truncate(host);
            (joined(&key, b"/"), joined(&key, b"0"))
        }
        MatchType::Host => {
            truncate_to_host(&mut key);
            (joined(&key, b")/"), joined(&key, b"*"))
        }
        MatchType::Domain => {
            truncate_to_host(&mut key);
            // Behind a trailing comma hosts below come as behind that of a top-level domain.
            let name = key.strip_suffix(b",").filter(|_| options.trailing_comma).unwrap_or(&key);
            // All of a top-level domain: there is nothing on the name alone.
            let is_top = memchr::memchr(b',', name).is_none();
            (if is_top { joined(name, b",") } else { joined(&key, b")/") }, joined(name, b"-"))
        }
    })
}

fn truncate_to_host(key: &mut Vec<u8>) {
    let host = key.windows(2).position(|two| two == b")/").unwrap_or(key.len());
    key.truncate(host);
}

fn with_end(start: Vec<u8>, change: impl Fn(&mut Vec<u8>)) -> Range {
    let mut end = start.clone();
    change(&mut end);
    (start, end)
}

fn joined(start: &[u8], end: &[u8]) -> Vec<u8> {
    [start, end].concat()
}

/// The first text behind all that begin with this one.
fn increment(text: &mut Vec<u8>) {
    while text.last() == Some(&0xFF) {
        text.pop();
    }
    if let Some(last) = text.last_mut() {
        *last += 1;
    }
}
