//! A URL as patterns ask about it. Read by the URL Standard; where no scheme
//! stands before the host, as people write URLs, it is taken for http.

use std::borrow::Cow;

use super::Dialect;
use crate::error::ParseError;
use crate::host::HostKind;
use crate::ladder::Off;
use crate::parse::{parse_into, scheme_len};
use crate::scheme::Scheme;
use crate::url::{Options, Url};

/// Schemes beside those of the URL Standard that Chrome reads an authority of; `edge` is what
/// Edge calls `chrome`, a scheme of its format:
/// <https://learn.microsoft.com/en-us/DeployEdge/edge-learnmmore-url-list-filter%20format>
const OF_CHROME: [&str; 9] = [
    "chrome",
    "chrome-error",
    "chrome-extension",
    "chrome-native",
    "chrome-search",
    "chrome-untrusted",
    "devtools",
    "edge",
    "isolated-app",
];

/// Whether an authority is read of URLs of this scheme in Chrome.
pub(super) fn is_standard_in_chrome(scheme: &str) -> bool {
    !matches!(Scheme::of(scheme), Scheme::Other | Scheme::Blob) || OF_CHROME.contains(&scheme)
}

/// Schemes before a path of digits, which is no port: `tel:112`.
const WITHOUT_HOST: [&str; 12] =
    ["about", "blob", "callto", "data", "javascript", "mailto", "sip", "sms", "tel", "urn", "vbscript", "view-source"];

/// The scheme of a text in which a host may come first: none where a dot stands in it, or a port
/// behind it. Behind a scheme of the URL Standard a number is a host.
pub(super) fn scheme_of(text: &str) -> Option<&str> {
    let scheme = &text[..scheme_len(text.as_bytes())?];
    let rest = &text[scheme.len() + 1..];
    let port = &rest[..rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len())];
    let is_port = || !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let lower = scheme.to_ascii_lowercase();
    let is_known = Scheme::of(&lower).is_special() || WITHOUT_HOST.contains(&&*lower);
    (is_known || !scheme.contains('.') && !is_port()).then_some(scheme)
}

/// A URL, parsed for a dialect.
#[derive(Default)]
pub(super) struct Subject {
    url: Url,
    /// A scheme of Chrome's that was parsed under another name.
    standing_in: Option<&'static str>,
    folded: String,
    folds: bool,
}

/// What another scheme is parsed as: one with an authority, whose port nobody asks for.
const STAND_IN: &str = "ftp";
const ASSUMED: &str = "http://";

impl Subject {
    /// Reads a URL. Errors: those of the URL Standard.
    pub fn read(&mut self, text: &str, dialect: Dialect) -> Result<(), ParseError> {
        self.standing_in = None;
        if text.starts_with("https://") || text.starts_with("http://") {
            parse_into(&mut self.url, text, &Options::default(), &mut Off)?;
        } else {
            self.read_odd(text, dialect)?;
        }
        self.folds = dialect.folds_paths() && self.path_and_query_raw().bytes().any(|byte| byte.is_ascii_uppercase());
        if self.folds {
            self.folded.clear();
            let (from, to) = (self.url.path_range().start, self.url.query_end() as usize);
            self.folded.push_str(&self.url.href()[from..to]);
            self.folded.make_ascii_lowercase();
        }
        Ok(())
    }

    /// Reads what does not begin as most URLs do.
    fn read_odd(&mut self, text: &str, dialect: Dialect) -> Result<(), ParseError> {
        // What the parser takes away would hide a scheme.
        let clean = match memchr::memchr3(b'\t', b'\n', b'\r', text.as_bytes()) {
            Some(_) => Cow::Owned(text.replace(['\t', '\n', '\r'], "")),
            None => Cow::Borrowed(text),
        };
        let trimmed = clean.trim_start_matches(|unit: char| unit <= ' ');
        let is_slash = |at: usize| matches!(trimmed.as_bytes().get(at), Some(b'/' | b'\\'));
        let (whole, moved) = match scheme_of(trimmed) {
            None if is_slash(0) && !is_slash(1) => (Cow::Borrowed(text), 0),
            None => (Cow::Owned([ASSUMED, trimmed.trim_start_matches(['/', '\\'])].concat()), ASSUMED.len()),
            Some(scheme) => match of_chrome(scheme).filter(|_| dialect == Dialect::Chrome) {
                Some(name) => {
                    self.standing_in = Some(name);
                    (Cow::Owned([STAND_IN, &trimmed[scheme.len()..]].concat()), 0)
                }
                None => (Cow::Borrowed(text), 0),
            },
        };
        parse_into(&mut self.url, &whole, &Options::default(), &mut Off)
            .map_err(|error| ParseError { at: error.at.saturating_sub(moved), ..error })
    }

    pub fn url(&self) -> &Url {
        &self.url
    }

    pub fn scheme(&self) -> &str {
        self.standing_in.unwrap_or_else(|| self.url.scheme())
    }

    /// The host without its trailing dot; empty where there is none.
    pub fn host(&self, dialect: Dialect) -> &str {
        // Chrome reads no authority of a scheme that it does not know.
        let unread = dialect == Dialect::Chrome && self.url.host_kind() == HostKind::Opaque;
        let host = self.url.host().filter(|_| !unread).unwrap_or_default();
        host.strip_suffix('.').unwrap_or(host)
    }

    pub fn is_address(&self) -> bool {
        matches!(self.url.host_kind(), HostKind::Ipv4 | HostKind::Ipv6)
    }

    /// The port, that of the scheme where none is named.
    pub fn port(&self) -> Option<u16> {
        self.url.port().or_else(|| self.url.scheme.default_port().filter(|_| self.standing_in.is_none()))
    }

    /// What the paths of patterns are compared with: path and query, of Chrome's without the query.
    pub fn path(&self, dialect: Dialect) -> &str {
        match dialect {
            Dialect::Chrome => self.url.path(),
            _ if self.folds => &self.folded,
            _ => self.path_and_query_raw(),
        }
    }

    fn path_and_query_raw(&self) -> &str {
        &self.url.href()[self.url.path_range().start..self.url.query_end() as usize]
    }

    /// Path and query as they stand in the URL.
    pub fn path_and_query(&self) -> &str {
        self.path_and_query_raw()
    }

    pub fn query(&self) -> Option<&str> {
        self.url.query()
    }
}

fn of_chrome(scheme: &str) -> Option<&'static str> {
    OF_CHROME.into_iter().find(|name| scheme.eq_ignore_ascii_case(name))
}
