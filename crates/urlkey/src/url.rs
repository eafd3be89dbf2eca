//! A parsed URL: its serialization in one buffer, and where the parts begin.
//! Writes go through setters that restore what the URL Standard guarantees of
//! a serialized URL. Must not know rungs or policies.

mod write;

use crate::encoding::Encoding;
use crate::error::ParseError;
use crate::host::HostKind;
use crate::ladder::{Off, Trace};
use crate::scheme::Scheme;

/// No such part.
const ABSENT: u32 = u32::MAX;

/// What a URL is parsed against.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// Relative references are resolved against it.
    pub base: Option<&'a Url>,
    /// The encoding of the page, which the query is written in
    /// (<https://url.spec.whatwg.org/#query-state>).
    pub encoding: Encoding,
}

/// Scheme, host and path of a text, of http or https, that are their own
/// serialization: where they end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Front {
    pub host_from: u32,
    pub host_to: u32,
    pub path_to: u32,
    /// Where the query ends, if there is one whose bytes no scan would
    /// rewrite; its fields have been read then.
    pub query_to: Option<u32>,
    /// The classes of the bytes of that query.
    pub query_bits: u16,
    /// Nothing more is to be read behind the query: the text ends, or a fragment begins that goes.
    pub ends_there: bool,
}

/// A URL as the URL Standard parses and serializes it
/// (<https://url.spec.whatwg.org/#url-representation>). Always ASCII.
///
/// ```
/// use urlkey::{Options, Url};
/// let url = Url::parse("HTTP://Example.com:80/a/../b?q#top", &Options::default()).unwrap();
/// assert_eq!(url.href(), "http://example.com/b?q#top");
/// assert_eq!((url.host(), url.port(), url.query()), (Some("example.com"), None, Some("q")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url {
    //  scheme ":" ["//" [username [":" password] "@"] host [":" port]] path ["?" query] ["#" fragment]
    pub(crate) buf: String,
    /// Where the `:` behind the scheme stands.
    pub(crate) scheme_end: u32,
    /// Behind the username; then comes `:`, `@` or the host.
    pub(crate) username_end: u32,
    pub(crate) host_start: u32,
    pub(crate) host_end: u32,
    pub(crate) path_start: u32,
    /// Where the `?` stands.
    query_start: u32,
    /// Where the `#` stands.
    fragment_start: u32,
    port: Option<u16>,
    pub(crate) scheme: Scheme,
    pub(crate) host_kind: HostKind,
    pub(crate) opaque_path: bool,
    /// Classes of the bytes that path and query were read from (`percent::CLASS`, OR-ed):
    /// a rung looks only where one of its bits is set.
    pub(crate) path_bits: u16,
    pub(crate) query_bits: u16,
}

impl Default for Url {
    fn default() -> Url {
        Url {
            buf: String::new(),
            scheme_end: 0,
            username_end: 0,
            host_start: 0,
            host_end: 0,
            path_start: 0,
            query_start: ABSENT,
            fragment_start: ABSENT,
            port: None,
            scheme: Scheme::Other,
            host_kind: HostKind::None,
            opaque_path: false,
            path_bits: 0,
            query_bits: 0,
        }
    }
}

impl Url {
    /// The URL that `text` spells.
    ///
    /// Errors: the Standard's validation errors that return failure.
    /// Source: <https://url.spec.whatwg.org/#concept-basic-url-parser>.
    pub fn parse(text: &str, options: &Options) -> Result<Url, ParseError> {
        Url::parse_traced(text, options, &mut Off)
    }

    /// As `parse`, with `trace` told every step and every violation.
    pub fn parse_traced<T: Trace>(text: &str, options: &Options, trace: &mut T) -> Result<Url, ParseError> {
        let mut url = Url::default();
        crate::parse::parse_into(&mut url, text, options, trace)?;
        Ok(url)
    }

    /// Makes this an empty URL and keeps its buffer.
    pub(crate) fn clear(&mut self) {
        let mut buf = std::mem::take(&mut self.buf);
        buf.clear();
        *self = Url { buf, ..Url::default() };
    }

    /// The serialization: what a client would request.
    pub fn href(&self) -> &str {
        &self.buf
    }

    fn slice(&self, from: u32, to: u32) -> &str {
        &self.buf[from as usize..to as usize]
    }

    fn len(&self) -> u32 {
        self.buf.len() as u32
    }

    /// The scheme, without `:`.
    pub fn scheme(&self) -> &str {
        self.slice(0, self.scheme_end)
    }

    /// Whether the URL is `http:` or `https:`.
    pub fn is_http(&self) -> bool {
        matches!(self.scheme, Scheme::Http | Scheme::Https)
    }

    /// Whether there is a host, an empty one included.
    pub fn has_host(&self) -> bool {
        self.host_kind != HostKind::None
    }

    /// The username, percent-encoded; empty if there is none.
    pub fn username(&self) -> &str {
        if self.has_host() { self.slice(self.scheme_end + 3, self.username_end) } else { "" }
    }

    /// The password, percent-encoded; empty if there is none.
    pub fn password(&self) -> &str {
        if self.has_host() && self.host_start > self.username_end + 1 {
            self.slice(self.username_end + 1, self.host_start - 1)
        } else {
            ""
        }
    }

    /// Whether username or password are there.
    pub fn has_userinfo(&self) -> bool {
        self.has_host() && self.host_start > self.scheme_end + 3
    }

    /// The host without port, IPv6 in brackets; `None` if there is no authority.
    pub fn host(&self) -> Option<&str> {
        self.has_host().then(|| self.slice(self.host_start, self.host_end))
    }

    /// What the host is.
    pub fn host_kind(&self) -> HostKind {
        self.host_kind
    }

    /// The port, where it is not the scheme's default.
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    /// The path; begins with `/` unless it is opaque or empty.
    pub fn path(&self) -> &str {
        self.slice(self.path_start, self.path_end())
    }

    /// Where the host stands in the href; nowhere if there is none.
    pub(crate) fn host_range(&self) -> std::ops::Range<usize> {
        if self.has_host() { self.host_start as usize..self.host_end as usize } else { 0..0 }
    }

    /// Where the path stands in the href.
    pub(crate) fn path_range(&self) -> std::ops::Range<usize> {
        self.path_start as usize..self.path_end() as usize
    }

    /// Where the path's text begins, the `/.` that stands in for a missing host included.
    pub(crate) fn authority_end(&self) -> u32 {
        if self.has_host() { self.path_start } else { self.scheme_end + 1 }
    }

    pub(crate) fn path_end(&self) -> u32 {
        self.query_start.min(self.fragment_start).min(self.len())
    }

    /// Where the fragment, or nothing, begins.
    pub(crate) fn query_end(&self) -> u32 {
        self.fragment_start.min(self.len())
    }

    /// Where the query begins, behind the `?`.
    pub(crate) fn query_from(&self) -> Option<u32> {
        (self.query_start != ABSENT).then(|| self.query_start + 1)
    }

    /// The query without `?`; `None` if there is no `?`.
    pub fn query(&self) -> Option<&str> {
        self.query_from().map(|from| self.slice(from, self.query_end()))
    }

    /// The fragment without `#`; `None` if there is no `#`.
    pub fn fragment(&self) -> Option<&str> {
        (self.fragment_start != ABSENT).then(|| self.slice(self.fragment_start + 1, self.len()))
    }

    /// Whether the path is opaque (`mailto:a@b.example`).
    pub fn has_opaque_path(&self) -> bool {
        self.opaque_path
    }

    /// The origin, `null` where it is opaque (<https://url.spec.whatwg.org/#origin>).
    pub fn origin(&self) -> String {
        match self.scheme {
            Scheme::Blob => match Url::parse(self.path(), &Options::default()) {
                Ok(inner) if inner.is_http() => inner.origin(),
                _ => "null".to_owned(),
            },
            Scheme::File | Scheme::Other => "null".to_owned(),
            _ => {
                let host = self.host().unwrap_or_default();
                match self.port {
                    Some(port) => format!("{}://{host}:{port}", self.scheme()),
                    None => format!("{}://{host}", self.scheme()),
                }
            }
        }
    }
}

impl std::fmt::Display for Url {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.buf)
    }
}
