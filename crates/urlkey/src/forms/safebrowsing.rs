//! The form of Google Safe Browsing and Web Risk: the canonical text of a URL,
//! the host-suffix/path-prefix expressions that lists are made of, and their
//! hashes. `docs/reputation.md` has the table of where clients differ and what
//! was decided. Must not know lists.
//!
//! Sources: <https://developers.google.com/safe-browsing/v4/urls-hashing> (v4),
//! <https://developers.google.com/safe-browsing/reference/URLs.and.Hashing> (v5).

mod expressions;
mod host;
mod path;
mod plain;
#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use crate::digest::sha256;

pub use expressions::Expressions;
pub(crate) use expressions::MOST_EXPRESSIONS;

use crate::error::{Code, ParseError};
use crate::percent;
use crate::split::{host_length, is_removed, split};

/// Which text of the rules is followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Version {
    /// The Update API v4 and Web Risk: suffixes of the last five labels.
    V4,
    /// The API v5: suffixes from the registrable domain on, IPv6 compressed.
    #[default]
    V5,
}

impl Version {
    /// By its name, `v4` or `v5`.
    pub fn named(name: &str) -> Option<Version> {
        match name {
            "v4" => Some(Version::V4),
            "v5" => Some(Version::V5),
            _ => None,
        }
    }
}

/// A canonical URL: `scheme://host/path?query`, ASCII without controls or spaces.
#[derive(Clone, Debug, Default)]
pub struct Canonical {
    text: Vec<u8>,
    host: usize,
    path: usize,
    /// Where the `?` stands, or the end.
    query: usize,
    version: Version,
    is_address: bool,
    /// What is being decoded; kept for the next URL.
    decoded: Vec<u8>,
}

/// The canonical URL of any bytes that name a host.
///
/// Errors: `host-missing`, and nothing else: bytes that are no UTF-8, hosts
/// that no URL may hold and stray `%` are all written escaped. Time is linear
/// in the bytes, however deep escapes are nested.
///
/// ```
/// use urlkey::forms::safebrowsing::{Version, canonical};
/// let made = canonical(b"http://www.GOOgle.com:80/a/../%2541#top", Version::V5).unwrap();
/// assert_eq!(made.as_str(), "http://www.google.com/A");
/// ```
pub fn canonical(url: &[u8], version: Version) -> Result<Canonical, ParseError> {
    let mut made = Canonical::default();
    made.read(url, version)?;
    Ok(made)
}

/// How many bytes of a hash a list may hold.
pub const WIDTHS: RangeInclusive<usize> = 4..=32;

/// SHA-256 of an expression; lists hold its first 4 to 32 bytes.
///
/// ```
/// use urlkey::forms::safebrowsing::hash;
/// assert_eq!(hash(b"abc")[..4], [0xba, 0x78, 0x16, 0xbf]);
/// ```
pub fn hash(expression: &[u8]) -> [u8; 32] {
    sha256(expression)
}

impl Canonical {
    /// As `canonical`, into the buffers of the one before.
    pub fn read(&mut self, url: &[u8], version: Version) -> Result<(), ParseError> {
        self.version = version;
        if let Some(plain) = plain::plain(url) {
            self.take(url, &plain);
            return Ok(());
        }
        self.read_slowly(url)
    }

    /// The whole way, whatever the bytes are.
    fn read_slowly(&mut self, url: &[u8]) -> Result<(), ParseError> {
        self.text.clear();
        self.decode(url);
        if self.write() {
            return Ok(());
        }
        self.text.clear();
        Err(ParseError::new(Code::HostMissing, host_position(url)))
    }

    /// The whole text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.text).unwrap_or_default()
    }

    /// Whether the host is an IP address.
    pub fn is_address(&self) -> bool {
        self.is_address
    }

    /// The host, an IPv6 address with its brackets.
    pub fn host(&self) -> &str {
        std::str::from_utf8(&self.text[self.host..self.path]).unwrap_or_default()
    }

    /// Whether a backslash is left in it, which some clients take for a slash.
    pub(crate) fn has_backslash(&self) -> bool {
        memchr::memchr(b'\\', &self.text).is_some()
    }

    /// Takes a text that needs no more than a path, and its fragment cut off.
    fn take(&mut self, url: &[u8], plain: &plain::Plain) {
        self.text.clear();
        self.text.extend_from_slice(&url[..plain.path]);
        let pathless = plain.path == plain.query;
        if pathless {
            self.text.push(b'/');
        }
        self.text.extend_from_slice(&url[plain.path..plain.end]);
        self.host = plain.host;
        self.path = plain.path;
        self.query = plain.query + usize::from(pathless);
        self.is_address = false;
    }

    /// The text that is to be decoded: fragment, userinfo, controls and spaces
    /// around it cut off, and decoded.
    ///
    /// The userinfo goes while escapes are still escapes, as in Chromium: in
    /// `http://a.example%2F@b.example/` a client asks `b.example`.
    fn decode(&mut self, url: &[u8]) {
        self.decoded.clear();
        let stripped: Vec<u8>;
        let text = if url.iter().any(|&byte| is_removed(byte)) {
            stripped = url.iter().copied().filter(|&byte| !is_removed(byte)).collect();
            &stripped
        } else {
            url
        };
        let parts = split(text);
        if &text[parts.slashes.clone()] == b"//" {
            self.decoded.extend_from_slice(&text[parts.scheme.start..parts.slashes.end]);
            self.decoded.extend_from_slice(&text[parts.host.start..parts.query.end]);
        } else {
            self.decoded.extend_from_slice(&text[parts.leading.end..parts.query.end]);
        }
        percent::decode_fully(&mut self.decoded);
    }

    /// Writes the canonical text of what was decoded; false if it names no host.
    fn write(&mut self) -> bool {
        let Some((scheme, begin)) = authority_start(&self.decoded) else { return false };
        let scheme = &self.decoded[..scheme];
        let is_special = scheme.is_empty() || is_special(scheme);
        let rest = &self.decoded[begin..];
        let ends = |byte: u8| matches!(byte, b'/' | b'?') || byte == b'\\' && is_special;
        let (authority, rest) = rest.split_at(rest.iter().position(|&byte| ends(byte)).unwrap_or(rest.len()));
        let userinfo = authority.iter().rposition(|&byte| byte == b'@').map_or(0, |sign| sign + 1);
        let host = &authority[userinfo..];
        let host = &host[..host_length(host)];

        if scheme.is_empty() {
            self.text.extend_from_slice(b"http");
        } else {
            self.text.extend(scheme.iter().map(u8::to_ascii_lowercase));
        }
        self.text.extend_from_slice(b"://");
        self.host = self.text.len();
        self.is_address = host::write(host, self.version, &mut self.text);
        self.path = self.text.len();
        if self.path == self.host {
            return false;
        }
        let (path, query) = rest.split_at(memchr::memchr(b'?', rest).unwrap_or(rest.len()));
        path::write(path, &mut self.text);
        self.query = self.text.len();
        percent::push_escaped_beyond_graphic(&mut self.text, query);
        true
    }
}

/// The length of the scheme and where the authority begins; None where there is
/// none, as in `mailto:a@b` and `http:/x`.
fn authority_start(text: &[u8]) -> Option<(usize, usize)> {
    match scheme_length(text) {
        Some(length) if text[length + 1..].starts_with(b"//") => Some((length, length + 3)),
        // `shop.example:8080/x` is a host and a port.
        Some(length) => (is_port(&text[length + 1..]) && !is_special(&text[..length])).then_some((0, 0)),
        None if text.starts_with(b"//") => Some((0, 2)),
        None => Some((0, 0)),
    }
}

/// The length of the scheme that a colon ends. Decoded: tabs are text here.
fn scheme_length(text: &[u8]) -> Option<usize> {
    let length = text.iter().position(|&byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')))?;
    (text[0].is_ascii_alphabetic() && text[length] == b':').then_some(length)
}

fn is_port(rest: &[u8]) -> bool {
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && matches!(rest.get(digits), None | Some(b'/' | b'\\' | b'?'))
}

fn is_special(scheme: &[u8]) -> bool {
    [&b"http"[..], b"https", b"ftp", b"ws", b"wss"].iter().any(|name| scheme.eq_ignore_ascii_case(name))
}

/// Where the host of these bytes would begin.
#[cold]
fn host_position(url: &[u8]) -> usize {
    split(url).host.start
}
