//! The parts of any text that may be a URL, as byte ranges of it, nothing lost
//! and nothing judged: joined, the parts are the text. Where a special scheme
//! has no slashes or too many, the parts are those that the URL parser would
//! see. Must not know hosts, bases, or whether the text is a URL.

use std::ops::Range;

/// Byte ranges of a text, in order, each beginning where the last one ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// C0 controls and spaces before the URL.
    pub leading: Range<usize>,
    /// `https`, as written: tabs and newlines may stand in it, as in all parts.
    pub scheme: Range<usize>,
    /// The `:` after the scheme.
    pub colon: Range<usize>,
    /// `//`; any run of slashes and backslashes if the scheme is special.
    pub slashes: Range<usize>,
    /// `user:password@`
    pub userinfo: Range<usize>,
    /// `example.com` or `[::1]`
    pub host: Range<usize>,
    /// `:8080`
    pub port: Range<usize>,
    /// `/a/b`, or all of an opaque path.
    pub path: Range<usize>,
    /// `?a=1`
    pub query: Range<usize>,
    /// `#top`
    pub fragment: Range<usize>,
    /// C0 controls and spaces after the URL.
    pub trailing: Range<usize>,
}

impl Split {
    /// All parts, in order.
    pub fn parts(&self) -> [Range<usize>; 11] {
        [
            &self.leading,
            &self.scheme,
            &self.colon,
            &self.slashes,
            &self.userinfo,
            &self.host,
            &self.port,
            &self.path,
            &self.query,
            &self.fragment,
            &self.trailing,
        ]
        .map(Range::clone)
    }
}

/// How the text after the scheme is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Backslashes are slashes, any number of them; there is always an authority.
    Special,
    /// No scheme: as special, but an authority only after two slashes.
    Relative,
    /// Backslashes are slashes; the authority is a host and nothing more.
    File,
    /// An authority after `//` only.
    Other,
}

/// The parts of a text. Cost: linear.
///
/// ```
/// let text = b" https://u@h:80/p?q#f";
/// let parts = urlkey::split(text);
/// assert_eq!(&text[parts.userinfo], b"u@");
/// assert_eq!(&text[parts.port], b":80");
/// ```
pub fn split(text: &[u8]) -> Split {
    let mut parts = Split::default();
    let begin = text.iter().position(|&byte| byte > b' ').unwrap_or(text.len());
    let end = text.iter().rposition(|&byte| byte > b' ').map_or(begin, |last| last + 1);
    parts.leading = 0..begin;
    parts.trailing = end..text.len();
    let mut cutter = Cutter { text: &text[..end], from: begin };

    let scheme = scheme_length(&text[begin..end]);
    parts.scheme = cutter.cut(scheme.unwrap_or(0));
    parts.colon = cutter.cut(scheme.map_or(0, |_| 1));
    let style = style(&text[parts.scheme.clone()]);
    let slashes = slashes_length(cutter.rest(), style);
    parts.slashes = cutter.cut(slashes.unwrap_or(0));
    cut_authority(&mut cutter, &mut parts, style, slashes.is_some());
    parts.path = cutter.cut_before(|byte| matches!(byte, b'?' | b'#'));
    parts.query = cutter.cut_before(|byte| byte == b'#');
    parts.fragment = cutter.cut(cutter.rest().len());
    parts
}

struct Cutter<'a> {
    text: &'a [u8],
    from: usize,
}

impl<'a> Cutter<'a> {
    fn rest(&self) -> &'a [u8] {
        &self.text[self.from..]
    }

    fn cut(&mut self, length: usize) -> Range<usize> {
        let range = self.from..self.from + length;
        self.from = range.end;
        range
    }

    fn cut_before(&mut self, stop: impl Fn(u8) -> bool) -> Range<usize> {
        let rest = self.rest();
        self.cut(rest.iter().position(|&byte| stop(byte)).unwrap_or(rest.len()))
    }
}

/// Userinfo, host and port, where there is an authority.
fn cut_authority(cutter: &mut Cutter<'_>, parts: &mut Split, style: Style, present: bool) {
    let rest = cutter.rest();
    let length = if present { authority_length(rest, style) } else { 0 };
    let authority = &rest[..length];
    let userinfo = match style {
        Style::File => 0,
        _ => authority.iter().rposition(|&byte| byte == b'@').map_or(0, |sign| sign + 1),
    };
    let host = match style {
        Style::File => length,
        _ => host_length(&authority[userinfo..]),
    };
    parts.userinfo = cutter.cut(userinfo);
    parts.host = cutter.cut(host);
    parts.port = cutter.cut(length.saturating_sub(userinfo + host));
}

/// "The ASCII tab or newline" bytes, which the URL parser removes everywhere.
pub(crate) fn is_removed(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r')
}

/// The length of the scheme, if a colon ends it.
fn scheme_length(text: &[u8]) -> Option<usize> {
    if !text.first()?.is_ascii_alphabetic() {
        return None;
    }
    let length = text
        .iter()
        .position(|&byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.') || is_removed(byte)))?;
    (text[length] == b':').then_some(length)
}

fn style(scheme: &[u8]) -> Style {
    let is = |name: &[u8]| {
        let letters = scheme.iter().filter(|&&byte| !is_removed(byte));
        letters.map(u8::to_ascii_lowercase).eq(name.iter().copied())
    };
    if scheme.is_empty() {
        Style::Relative
    } else if is(b"file") {
        Style::File
    } else if [&b"https"[..], b"http", b"ws", b"wss", b"ftp"].into_iter().any(is) {
        Style::Special
    } else {
        Style::Other
    }
}

/// The length of the slashes that begin an authority; None: there is none.
fn slashes_length(rest: &[u8], style: Style) -> Option<usize> {
    let is_slash = |byte: u8| byte == b'/' || byte == b'\\' && style != Style::Other;
    let run = rest.iter().position(|&byte| !is_slash(byte) && !is_removed(byte)).unwrap_or(rest.len());
    let mut slashes = (0..run).filter(|&index| is_slash(rest[index]));
    let second = slashes.nth(1).map(|index| index + 1);
    match style {
        Style::Special => Some(run),
        Style::Relative => second.map(|_| run),
        Style::File | Style::Other => second,
    }
}

fn authority_length(rest: &[u8], style: Style) -> usize {
    let ends = |byte: u8| matches!(byte, b'/' | b'?' | b'#') || byte == b'\\' && style != Style::Other;
    let length = rest.iter().position(|&byte| ends(byte)).unwrap_or(rest.len());
    match rest[..length] {
        // `file://C:/x`: a drive is a segment of the path.
        [letter, b':' | b'|'] if style == Style::File && letter.is_ascii_alphabetic() => 0,
        _ => length,
    }
}

/// Up to the first colon outside brackets.
pub(crate) fn host_length(host_and_port: &[u8]) -> usize {
    let mut inside = false;
    for (index, &byte) in host_and_port.iter().enumerate() {
        match byte {
            b'[' => inside = true,
            b']' => inside = false,
            b':' if !inside => return index,
            _ => {}
        }
    }
    host_and_port.len()
}
