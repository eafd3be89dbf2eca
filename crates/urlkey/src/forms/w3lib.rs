//! The form that w3lib's `canonicalize_url` gives (version 2.5, as observed), to
//! the byte: Scrapy's request fingerprints are made of it, so a crawl that moves
//! over keeps its state. It is no key: it keeps default ports, sorts by value
//! too, and maps hosts by IDNA 2003. Knows nothing of the URL Standard.

mod authority;
mod parts;
mod path;
mod query;

use std::borrow::Cow;

use crate::error::ParseError;
use crate::percent::{escape_at, escaped};

use parts::{Parts, Scheme};

/// What a caller of `canonicalize_url` may choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options<'a> {
    /// Whether parameters without a value stay.
    pub keep_blank_values: bool,
    /// Whether the fragment stays.
    pub keep_fragments: bool,
    /// What parts parameters.
    pub separator: &'a str,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { keep_blank_values: true, keep_fragments: false, separator: "&" }
    }
}

/// Why there is no such form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The URL cannot be read.
    Url(ParseError),
    /// A part that has to be UTF-8 is not: a surrogate, if the text came from Python.
    NotUtf8,
    /// A host in brackets that has to be ASCII is not.
    NotAscii,
    /// The parameters' separator is empty, and there are parameters.
    EmptySeparator,
    /// The caller's encoding failed, as the caller knows.
    Encoding,
}

impl From<ParseError> for Error {
    fn from(error: ParseError) -> Error {
        Error::Url(error)
    }
}

/// Writes text in the encoding of a page: None where the encoding lacks a
/// character of it, an error where the encoding cannot be used.
pub type Encode<'a> = &'a mut dyn FnMut(&[u8]) -> Result<Option<Vec<u8>>, Error>;

/// The form of a URL: what `w3lib.url.canonicalize_url` gives for it.
///
/// Bytes that are not UTF-8 stand for lone surrogates: they are an error where a
/// part has to be UTF-8, and are handed to `encode` in query and fragment. Without
/// `encode` these are UTF-8, too. Cost: linear in bytes, n log n in parameters.
///
/// ```
/// use urlkey::forms::w3lib::{Options, canonicalize};
/// let form = canonicalize(b"HTTP://Example.com:80/%7ea/../b?z=1&a=x%20y#top", &Options::default(), None);
/// assert_eq!(form.as_deref(), Ok("http://example.com:80/b?a=x+y&z=1"));
/// ```
pub fn canonicalize(url: &[u8], options: &Options<'_>, encode: Option<Encode<'_>>) -> Result<String, Error> {
    let begin = url.iter().position(|&byte| byte > b' ').unwrap_or(url.len());
    let end = url.iter().rposition(|&byte| byte > b' ').map_or(begin, |last| last + 1);
    let text = cleaned(&url[begin..end]);
    canonicalize_text(&text, options, encode).map_err(|error| match error {
        Error::Url(error) => Error::Url(ParseError::new(error.code, origin(url, begin, error.at))),
        other => other,
    })
}

/// Without tabs and line breaks.
fn cleaned(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr3(b'\t', b'\n', b'\r', text).is_none() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.iter().copied().filter(|&byte| !is_removed(byte)).collect())
}

fn is_removed(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r')
}

/// Where the byte at `at` of the cleaned text stood.
#[cold]
fn origin(url: &[u8], begin: usize, at: usize) -> usize {
    let mut kept = (begin..url.len()).filter(|&index| !is_removed(url[index]));
    kept.nth(at).unwrap_or(url.len())
}

fn canonicalize_text(text: &[u8], options: &Options<'_>, encode: Option<Encode<'_>>) -> Result<String, Error> {
    let scheme = Scheme::of(text);
    let slashed = scheme.slashed(text);
    let parts = Parts::of(scheme, &slashed);
    // Escapes and the `=` of bare names may make it longer.
    let mut out = Vec::with_capacity(text.len() + text.len() / 4 + 8);
    if !scheme.name.is_empty() {
        out.extend(scheme.name.iter().map(u8::to_ascii_lowercase));
        out.push(b':');
    }
    let from = out.len();
    authority::write(&parts, &mut out)?;
    path::write(&parts, from, &mut out)?;
    let [query, fragment] = encoded(&parts, encode)?;
    query::write(&query, scheme.special, options, &mut out)?;
    if options.keep_fragments && !parts.fragment.is_empty() {
        out.push(b'#');
        escape(&fragment, TAIL, &mut out);
    }
    // All but a host that IDNA refuses is ASCII, and that host was a str.
    String::from_utf8(out).map_err(|_| Error::NotUtf8)
}

/// Query and fragment as bytes: in the page's encoding if it has every character of both, else in UTF-8.
fn encoded<'a>(parts: &Parts<'a>, encode: Option<Encode<'_>>) -> Result<[Cow<'a, [u8]>; 2], Error> {
    if let Some(encode) = encode
        && let Some(query) = encode(parts.query)?
        && let Some(fragment) = encode(parts.fragment)?
    {
        return Ok([Cow::Owned(query), Cow::Owned(fragment)]);
    }
    utf8(parts.query)?;
    utf8(parts.fragment)?;
    Ok([Cow::Borrowed(parts.query), Cow::Borrowed(parts.fragment)])
}

fn utf8(part: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(part).map_err(|_| Error::NotUtf8)
}

/// What a path escapes.
const PATH: u8 = 1;
/// What a username or a password escapes.
const USER: u8 = 1 << 1;
/// What path parameters and fragments escape.
const TAIL: u8 = 1 << 2;
/// What a query escapes in the end.
const FORM: u8 = 1 << 3;
/// What a path leaves escaped though it need not be.
const RESERVED: u8 = 1 << 4;
/// What a query escapes before it is parted.
const RAW: u8 = 1 << 5;
/// `%`
const PERCENT: u8 = 1 << 6;

static CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = class(byte as u8);
        byte += 1;
    }
    table
};

const fn class(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'.' | b'_' | b'~' => 0,
        0..=b' ' | 0x7F.. | b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'}' => PATH | USER | TAIL | FORM | RAW,
        b'[' | b']' | b'|' => USER | TAIL | FORM | RAW,
        b'#' => USER | TAIL | FORM | RESERVED | RAW,
        b'%' => USER | FORM | RESERVED | PERCENT,
        b'/' | b'?' | b';' => USER | FORM | RESERVED,
        b':' | b'=' | b'@' => USER | FORM,
        _ => FORM,
    }
}

fn is(byte: u8, class: u8) -> bool {
    CLASS[usize::from(byte)] & class != 0
}

/// Where the first byte of these classes stands, or the end.
fn run(bytes: &[u8], class: u8) -> usize {
    bytes.iter().position(|&byte| is(byte, class)).unwrap_or(bytes.len())
}

/// Appends bytes with those of `class` escaped.
fn escape(mut bytes: &[u8], class: u8, out: &mut Vec<u8>) {
    loop {
        let (kept, rest) = bytes.split_at(run(bytes, class));
        out.extend_from_slice(kept);
        let Some((&byte, rest)) = rest.split_first() else { return };
        out.extend_from_slice(escaped(byte));
        bytes = rest;
    }
}

/// Appends bytes with those of `class` escaped, and escapes of others decoded; what is escaped in the end is so in
/// upper case. A `%` that begins no escape is a byte like others.
fn reescape(mut bytes: &[u8], class: u8, decoded_class: u8, out: &mut Vec<u8>) {
    loop {
        let (kept, rest) = bytes.split_at(run(bytes, class | PERCENT));
        out.extend_from_slice(kept);
        let Some(&byte) = rest.first() else { return };
        let (byte, class, length) = match escape_at(rest) {
            Some(byte) => (byte, class | decoded_class, 3),
            None => (byte, class, 1),
        };
        if is(byte, class) {
            out.extend_from_slice(escaped(byte));
        } else {
            out.push(byte);
        }
        bytes = &rest[length..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;

    fn form(url: &str) -> Result<String, Error> {
        canonicalize(url.as_bytes(), &Options::default(), None)
    }

    #[test]
    fn each_part_has_its_own_escapes() {
        for (url, expected) in [
            ("", "/"),
            ("HTTP:\\\\U%40:p@A.example:080\\b?c\\d#e", "http://U%40:p@a.example:80/b?c%5Cd="),
            ("http://a.example/%7e%2f%zz%%34%31[;%7e?%7e=%zz", "http://a.example/~%2F%zz%41[;%7e?~=%25zz"),
            ("/a/./b/../%2e%2e/c//", "/c//"),
            ("foo:/a/..//b", "foo:////b"),
            ("http:/a", "http:///a"),
            ("http:a/../b", "http:a/../b"),
            ("http://a.example/?b=1&a=2&a=1&&c+d", "http://a.example/?a=1&a=2&b=1&c+d="),
            ("http://fa\u{df}.\u{2126}/", "http://fass.xn--bya/"),
            ("http://[0::1%25X]/", "http://[::1%25x]/"),
        ] {
            assert_eq!(form(url).as_deref(), Ok(expected), "{url}");
        }
    }

    #[test]
    fn errors_say_where_in_the_text_as_given() {
        for (url, code, at) in [
            (" ht\ttp://a.example:x/", Code::PortInvalid, 19),
            ("//a.example:65536", Code::PortOutOfRange, 12),
            ("http://u@[::1", Code::Ipv6Unclosed, 9),
            ("http://a\u{ff0f}b", Code::DomainInvalidCodePoint, 7),
        ] {
            assert_eq!(form(url), Err(Error::Url(ParseError::new(code, at))), "{url}");
        }
    }

    #[test]
    fn what_is_not_utf8_is_for_the_encoding_of_the_page() {
        let surrogate = b"/?\xED\xA0\x80#f";
        let options = Options { keep_fragments: true, ..Options::default() };
        assert_eq!(canonicalize(surrogate, &options, None), Err(Error::NotUtf8));
        let mut questions = |text: &[u8]| Ok(Some(vec![b'?'; text.len()]));
        let form = canonicalize(surrogate, &options, Some(&mut questions));
        assert_eq!(form.as_deref(), Ok("/?%3F%3F%3F=#?"));
        let mut lacking = |_: &[u8]| Ok(None);
        let form = canonicalize("/?\u{e9}#f".as_bytes(), &options, Some(&mut lacking));
        assert_eq!(form.as_deref(), Ok("/?%C3%A9=#f"));
    }

    #[test]
    fn time_grows_with_the_bytes() {
        let dots = format!("http://a.example/{}", "a/../".repeat(20_000));
        assert_eq!(form(&dots).as_deref(), Ok("http://a.example/"));
        let fields = format!("http://a.example/?{}", "b&a=%41&".repeat(20_000));
        assert_eq!(form(&fields).map(|form| form.len()), Ok(17 + 20_000 * 7));
    }
}
