//! How the two canonicalizers cut a URL: by the regular expression of RFC 2396,
//! appendix B, after repairs of their own. Must not know what becomes of the parts.

use std::borrow::Cow;

/// The parts, as they stand in the text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Parts<'a> {
    pub scheme: &'a [u8],
    pub host: &'a [u8],
    pub port: Port<'a>,
    pub path: &'a [u8],
    pub query: Option<&'a [u8]>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Port<'a> {
    None,
    Number(i32),
    /// No number, or out of range: the originals raise.
    Text(&'a [u8]),
}

/// The parts as the package `surt` cuts them; None: there is nothing but space.
pub(super) fn python<'a>(url: &'a [u8], text: &'a mut Vec<u8>) -> Option<Parts<'a>> {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C);
    let begin = url.iter().position(|byte| !is_space(byte))?;
    let end = url.iter().rposition(|byte| !is_space(byte)).map_or(begin, |last| last + 1);
    let url = without_breaks(&url[begin..end], text);
    let (mut scheme, mut rest) = match scheme_length(url) {
        Some(length) => (&url[..length], Rest::Behind(&url[length + 1..])),
        None => (&b"http"[..], Rest::Authority(url)),
    };
    let is_web = |scheme: &[u8]| scheme == b"http" || scheme == b"https";
    // `http://https://host`: the last one counts.
    while let (true, Rest::Behind(behind)) = (is_web(scheme), &rest) {
        let Some(next) = behind.strip_prefix(b"//") else { break };
        let Some(length) = [4, 5].into_iter().find(|&n| next.get(n..n + 3) == Some(b"://") && is_web(&next[..n]))
        else {
            break;
        };
        (scheme, rest) = (&next[..length], Rest::Behind(&next[length + 1..]));
    }
    let (authority, path, query) = rest.cut();
    // Of an empty query, the original sees only that the URL ends in `?`, be it in the fragment.
    let query = query.filter(|query| !query.is_empty()).or(url.ends_with(b"?").then_some(b""));
    let (host, port) = python_authority(authority);
    let mut parts = Parts { scheme, host, port, path, query };
    // The original asks whether the URL begins with `http`: `httpx:` does.
    if host.is_empty() && scheme.starts_with(b"http") && !matches!(parts.port, Port::Text(_)) {
        first_segment(&mut parts);
    }
    Some(parts)
}

/// `http:////host/path`: the first segment is the host.
fn first_segment(parts: &mut Parts<'_>) {
    let slashes = parts.path.iter().take_while(|&&byte| byte == b'/').count();
    let path = &parts.path[slashes..];
    if path.is_empty() {
        parts.path = &parts.path[..slashes.min(1)];
        return;
    }
    let end = memchr::memchr(b'/', path).unwrap_or(path.len());
    (parts.host, parts.path) = path.split_at(end);
    if parts.path.is_empty() {
        parts.path = b"/";
    }
}

/// What follows the scheme: the colon seen, or `//` thought before it.
enum Rest<'a> {
    Behind(&'a [u8]),
    Authority(&'a [u8]),
}

impl<'a> Rest<'a> {
    /// Authority, path, query; the fragment goes.
    fn cut(&self) -> (&'a [u8], &'a [u8], Option<&'a [u8]>) {
        let (has_authority, text) = match *self {
            Rest::Authority(text) => (true, text),
            Rest::Behind(text) => match text.strip_prefix(b"//") {
                Some(text) => (true, text),
                None => (false, text),
            },
        };
        let is_end = |byte: &u8| matches!(byte, b'/' | b'?' | b'#');
        let end = if has_authority { text.iter().position(is_end).unwrap_or(text.len()) } else { 0 };
        let (authority, rest) = text.split_at(end);
        let path = memchr::memchr2(b'?', b'#', rest).unwrap_or(rest.len());
        let query = rest[path..].strip_prefix(b"?");
        let query = query.map(|query| &query[..memchr::memchr(b'#', query).unwrap_or(query.len())]);
        (authority, &rest[..path], query)
    }
}

fn python_authority(authority: &[u8]) -> (&[u8], Port<'_>) {
    if !authority.iter().any(|byte| matches!(byte, b'@' | b'[' | b':')) {
        return (authority, Port::None);
    }
    let authority = match memchr::memrchr(b'@', authority) {
        Some(sign) => &authority[sign + 1..],
        None => authority,
    };
    // Colons at the end go, all of them.
    let end = authority.iter().rposition(|&byte| byte != b':').map_or(0, |last| last + 1);
    let authority = &authority[..end];
    let (host, port) = match memchr::memchr(b'[', authority) {
        Some(open) => {
            let inside = &authority[open + 1..];
            let (host, behind) = parted(inside, b']');
            (host, parted(behind, b':').1)
        }
        None => parted(authority, b':'),
    };
    (host, python_port(port))
}

/// What stands before and after the first `sign`.
fn parted(text: &[u8], sign: u8) -> (&[u8], &[u8]) {
    match memchr::memchr(sign, text) {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, b""),
    }
}

fn python_port(text: &[u8]) -> Port<'_> {
    if text.is_empty() {
        return Port::None;
    }
    let number = text.iter().try_fold(0i32, |number, byte| {
        byte.is_ascii_digit().then(|| number.saturating_mul(10).saturating_add(i32::from(byte - b'0')))
    });
    match number {
        Some(number) if number <= 0xFFFF => Port::Number(number),
        _ => Port::Text(text),
    }
}

fn scheme_length(url: &[u8]) -> Option<usize> {
    if !url.first()?.is_ascii_alphabetic() {
        return None;
    }
    let length = url.iter().position(|&byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')))?;
    (url[length] == b':').then_some(length)
}

/// Without tabs and line breaks.
fn without_breaks<'a>(url: &'a [u8], text: &'a mut Vec<u8>) -> &'a [u8] {
    if memchr::memchr3(b'\t', b'\n', b'\r', url).is_none() {
        return url;
    }
    text.clear();
    text.extend(url.iter().filter(|byte| !matches!(byte, b'\t' | b'\n' | b'\r')));
    text
}

/// The parts as webarchive-commons cuts them; None: an opaque record name, which is left in `text`.
pub(super) fn java<'a>(url: &[u8], text: &'a mut Vec<u8>) -> Option<Parts<'a>> {
    java_text(url, text);
    let text: &'a [u8] = text;
    if [&b"dns:"[..], b"filedesc:", b"warcinfo:"].iter().any(|name| text.starts_with(name)) {
        return None;
    }
    let known = [&b"http"[..], b"https", b"ftp", b"mms", b"rtsp", b"wais"];
    let scheme = scheme_length(text).filter(|&length| {
        text[length..].starts_with(b"://") && known.iter().any(|name| name.eq_ignore_ascii_case(&text[..length]))
    });
    let (scheme, behind) = match scheme {
        Some(length) => (&text[..length], &text[length + 3..]),
        None => (&b"http"[..], text),
    };
    let slashes = match scheme {
        b"http" | b"https" => behind.iter().take_while(|&&byte| byte == b'/').count(),
        _ => 0,
    };
    let (authority, path, query) = Rest::Authority(&behind[slashes..]).cut();
    let (host, port) = java_authority(authority);
    Some(Parts { scheme, host, port, path, query })
}

/// Trimmed, without breaks of lines and paragraphs; bytes outside UTF-8, which no Java string
/// holds, as escapes.
fn java_text(url: &[u8], text: &mut Vec<u8>) {
    let begin = url.iter().position(|&byte| byte > b' ').unwrap_or(url.len());
    let end = url.iter().rposition(|&byte| byte > b' ').map_or(begin, |last| last + 1);
    text.clear();
    for chunk in url[begin..end].utf8_chunks() {
        let valid = chunk.valid();
        let kept: Cow<'_, str> = match valid.is_ascii() {
            true => Cow::Borrowed(valid),
            false => Cow::Owned(valid.replace(['\u{85}', '\u{2028}', '\u{2029}'], "")),
        };
        text.extend(kept.bytes().filter(|byte| !matches!(byte, b'\t' | b'\n' | b'\r')));
        for byte in chunk.invalid() {
            text.extend_from_slice(format!("%{byte:02X}").as_bytes());
        }
    }
}

fn java_authority(authority: &[u8]) -> (&[u8], Port<'_>) {
    let sign = memchr::memchr(b'@', authority);
    let from = sign.unwrap_or(0);
    // An IPv6 address behind userinfo is not seen as one.
    let from = match authority.get(from) {
        Some(b'[') => memchr::memchr(b']', authority).unwrap_or(0),
        _ => from,
    };
    let host = sign.map_or(0, |sign| sign + 1);
    match memchr::memchr(b':', &authority[from..]) {
        Some(colon) => {
            let colon = (from + colon).max(host);
            (&authority[host..colon], java_port(&authority[colon + 1..]))
        }
        None => (&authority[host..], Port::None),
    }
}

/// As `Integer.parseInt` reads it; -1 is the original's sign for none.
fn java_port(text: &[u8]) -> Port<'_> {
    if text.is_empty() {
        return Port::None;
    }
    let digits = text.strip_prefix(b"+").or(text.strip_prefix(b"-")).unwrap_or(text);
    let number = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
    match number {
        Some(-1) => Port::None,
        Some(number) if digits.iter().all(u8::is_ascii_digit) => Port::Number(number),
        _ => Port::Text(text),
    }
}
