//! The parts of a URL as w3lib reads them: RFC 3986 with the backslashes of the
//! URL Standard, path parameters cut off.

use std::borrow::Cow;

/// Schemes in which a backslash is a slash.
const SPECIAL: [&str; 6] = ["http", "https", "ws", "wss", "ftp", "file"];

/// Schemes that are written with `//` where there is no authority.
const SLASHES: [&str; 26] = [
    "file",
    "ftp",
    "git",
    "git+ssh",
    "gopher",
    "http",
    "https",
    "imap",
    "itms-services",
    "mms",
    "nfs",
    "nntp",
    "prospero",
    "rsync",
    "rtsp",
    "rtsps",
    "rtspu",
    "sftp",
    "shttp",
    "snews",
    "svn",
    "svn+ssh",
    "telnet",
    "wais",
    "ws",
    "wss",
];

/// Schemes whose last segment has its parameters apart; a text without scheme has, too.
const PARAMETERS: [&str; 16] = [
    "ftp", "hdl", "http", "https", "imap", "mms", "prospero", "rtsp", "rtsps", "rtspu", "sftp", "shttp", "sip", "sips",
    "tel", "",
];

#[derive(Clone, Copy)]
pub(super) struct Scheme<'a> {
    /// As written; empty where there is none.
    pub(super) name: &'a [u8],
    pub(super) special: bool,
    pub(super) slashes: bool,
    parameters: bool,
}

impl<'a> Scheme<'a> {
    pub(super) fn of(text: &'a [u8]) -> Scheme<'a> {
        let name = &text[..scheme_length(text)];
        if name == b"https" || name == b"http" {
            return Scheme { name, special: true, slashes: true, parameters: true };
        }
        let is_in = |list: &[&str]| list.iter().any(|other| name.eq_ignore_ascii_case(other.as_bytes()));
        Scheme { name, special: is_in(&SPECIAL), slashes: is_in(&SLASHES), parameters: is_in(&PARAMETERS) }
    }

    /// The text, backslashes of authority and path as slashes if the scheme is special.
    pub(super) fn slashed<'b>(&self, text: &'b [u8]) -> Cow<'b, [u8]> {
        let head = memchr::memchr2(b'?', b'#', text).unwrap_or(text.len());
        if !self.special || memchr::memchr(b'\\', &text[..head]).is_none() {
            return Cow::Borrowed(text);
        }
        let mut text = text.to_vec();
        text[..head].iter_mut().filter(|byte| **byte == b'\\').for_each(|byte| *byte = b'/');
        Cow::Owned(text)
    }
}

/// The length of the scheme before its colon; 0 where there is none.
fn scheme_length(text: &[u8]) -> usize {
    let is_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    match text.iter().position(|byte| !is_scheme(byte)) {
        Some(length) if text[length] == b':' && text[0].is_ascii_alphabetic() => length,
        _ => 0,
    }
}

pub(super) struct Parts<'a> {
    pub(super) scheme: Scheme<'a>,
    /// Behind `//`; empty where there is none.
    pub(super) authority: &'a [u8],
    /// Where it begins.
    pub(super) authority_at: usize,
    pub(super) path: &'a [u8],
    /// Behind the first `;` of the last segment.
    pub(super) parameters: &'a [u8],
    pub(super) query: &'a [u8],
    pub(super) fragment: &'a [u8],
}

impl<'a> Parts<'a> {
    /// The parts of a text whose scheme this is.
    pub(super) fn of(scheme: Scheme<'a>, text: &'a [u8]) -> Parts<'a> {
        let colon = usize::from(!scheme.name.is_empty());
        let mut at = scheme.name.len() + colon;
        let mut rest = &text[at..];
        let mut authority: &[u8] = &[];
        if let Some(behind) = rest.strip_prefix(b"//") {
            let end = memchr::memchr3(b'/', b'?', b'#', behind).unwrap_or(behind.len());
            (authority, rest) = behind.split_at(end);
            at += 2;
        }
        let (rest, fragment) = cut(rest, b'#');
        let (path, query) = cut(rest, b'?');
        let (path, parameters) = match scheme.parameters {
            true => cut_parameters(path),
            false => (path, &[][..]),
        };
        Parts { scheme, authority, authority_at: at, path, parameters, query, fragment }
    }
}

/// What stands before the first `mark`, and what stands behind it.
pub(super) fn cut(text: &[u8], mark: u8) -> (&[u8], &[u8]) {
    match memchr::memchr(mark, text) {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, &[]),
    }
}

fn cut_parameters(path: &[u8]) -> (&[u8], &[u8]) {
    let segment = memchr::memrchr(b'/', path).unwrap_or(0);
    match memchr::memchr(b';', &path[segment..]) {
        Some(at) => (&path[..segment + at], &path[segment + at + 1..]),
        None => (path, &[]),
    }
}
