//! Paths: dot segments, Windows drive letters, and the path state of the
//! parser. Knows segments and slashes, not hosts or queries.

use std::borrow::Cow;

use crate::error::Code;
use crate::ladder::{Part, Trace};
use crate::percent::{self, BACKSLASH, DOT, PATH, PERCENT};
use crate::scheme::Scheme;
use crate::steps;
use crate::url::Url;

/// Whether the segment is `.` or an escaped spelling of it
/// (<https://url.spec.whatwg.org/#single-dot-path-segment>).
pub(crate) fn is_single_dot(segment: &[u8]) -> bool {
    matches!(segment, b"." | [b'%', b'2', b'e' | b'E'])
}

/// Whether the segment is `..` or an escaped spelling of it
/// (<https://url.spec.whatwg.org/#double-dot-path-segment>).
pub(crate) fn is_double_dot(segment: &[u8]) -> bool {
    matches!(
        segment,
        b".."
            | [b'.', b'%', b'2', b'e' | b'E']
            | [b'%', b'2', b'e' | b'E', b'.']
            | [b'%', b'2', b'e' | b'E', b'%', b'2', b'e' | b'E']
    )
}

/// Whether parse would take a segment out of this path.
pub(crate) fn has_dot_segment(path: &str) -> bool {
    path.as_bytes().split(|&c| c == b'/').any(|s| is_single_dot(s) || is_double_dot(s))
}

/// Whether a segment of `path` begins as a dot segment may: the sure "no" of
/// the fast road.
fn may_have_dot_segment(path: &[u8], special: bool) -> bool {
    let dot = |c: u8| (c == b'.') | (c == b'%');
    let separator = |c: u8| (c == b'/') | ((c == b'\\') & special);
    let Some((&first, rest)) = path.split_first() else { return false };
    // No early way out: so the loop takes many bytes at once.
    path.iter().zip(rest).fold(dot(first), |found, (&before, &c)| found | (separator(before) & dot(c)))
}

/// Whether the text is an ASCII letter and `:` or `|`
/// (<https://url.spec.whatwg.org/#windows-drive-letter>).
pub(crate) fn is_drive_letter(text: &[u8]) -> bool {
    matches!(text, [a, b':' | b'|'] if a.is_ascii_alphabetic())
}

/// Whether the text begins with a drive letter that ends there
/// (<https://url.spec.whatwg.org/#start-with-a-windows-drive-letter>).
pub(crate) fn starts_with_drive_letter(text: &[u8]) -> bool {
    match text {
        [a, b, rest @ ..] => is_drive_letter(&[*a, *b]) && matches!(rest, [] | [b'/' | b'\\' | b'?' | b'#', ..]),
        _ => false,
    }
}

/// Whether the only segment of the path is a drive letter with `:`.
fn is_lone_drive_letter(path: &[u8]) -> bool {
    matches!(path, [b'/', a, b':'] if a.is_ascii_alphabetic())
}

/// The drive letter segment that the path begins with, slash included.
pub(crate) fn leading_drive_letter(path: &str) -> Option<&str> {
    match path.as_bytes() {
        [b'/', a, b':'] | [b'/', a, b':', b'/', ..] if a.is_ascii_alphabetic() => Some(&path[..3]),
        _ => None,
    }
}

/// Takes the last segment off the path that ends the buffer
/// (<https://url.spec.whatwg.org/#shorten-a-urls-path>).
pub(crate) fn shorten(url: &mut Url) {
    let start = url.path_start as usize;
    let path = &url.buf.as_bytes()[start..];
    if url.scheme == Scheme::File && is_lone_drive_letter(path) {
        return;
    }
    if let Some(slash) = memchr::memrchr(b'/', path) {
        url.buf.truncate(start + slash);
    }
}

/// The path state (<https://url.spec.whatwg.org/#path-state>): appends the
/// segments of `text` to the path that ends the buffer. One leading separator
/// is skipped; `bits` are the classes of the bytes of `text`.
pub(crate) fn append<T: Trace>(url: &mut Url, text: &str, bits: u16, at: usize, trace: &mut T) {
    let special = url.scheme.is_special();
    let separators = if special { BACKSLASH } else { 0 };
    url.path_bits |= bits;
    if T::ON {
        let before = &url.buf[url.path_start as usize..];
        trace.raw(Part::Path, &[before, joint(text, before, special), text].concat());
    }
    let plain = bits & (PATH | separators) == 0
        && url.scheme != Scheme::File
        && (bits & (DOT | PERCENT) == 0 || !may_have_dot_segment(text.as_bytes(), special));
    if plain {
        if !text.starts_with('/') {
            url.buf.push('/');
        }
        url.buf.push_str(text);
        if T::ON {
            trace_units(text, at, trace);
            if text.is_empty() && special {
                trace.part(&steps::EMPTY_PATH, Part::Path, "/");
            }
        }
        return;
    }
    if T::ON {
        trace_stages(url, text, special, at, trace);
    }
    append_segments(url, text, special);
    if T::ON {
        let path = &url.buf[url.path_start as usize..];
        if url.scheme == Scheme::File && text.contains('|') && leading_drive_letter(path).is_some() {
            trace.part(&steps::DRIVE_LETTER, Part::Path, path);
        } else {
            trace.part(&steps::DOT_SEGMENTS, Part::Path, path);
        }
    }
}

/// The slash that stands between the base's path and a text that brings none.
fn joint(text: &str, before: &str, special: bool) -> &'static str {
    let brings = text.as_bytes().first().is_some_and(|&c| is_separator(c, special));
    if brings || (text.is_empty() && before.is_empty()) { "" } else { "/" }
}

fn is_separator(c: u8, special: bool) -> bool {
    c == b'/' || (special && c == b'\\')
}

fn append_segments(url: &mut Url, text: &str, special: bool) {
    let bytes = text.as_bytes();
    let mut from = usize::from(bytes.first().is_some_and(|&c| is_separator(c, special)));
    loop {
        let to = bytes[from..].iter().position(|&c| is_separator(c, special)).map_or(bytes.len(), |n| from + n);
        let segment = &bytes[from..to];
        let last = to == bytes.len();
        if is_double_dot(segment) {
            shorten(url);
            if last {
                url.buf.push('/');
            }
        } else if is_single_dot(segment) {
            if last {
                url.buf.push('/');
            }
        } else {
            let first = url.buf.len() == url.path_start as usize;
            url.buf.push('/');
            if first && url.scheme == Scheme::File && is_drive_letter(segment) {
                url.buf.push(segment[0] as char);
                url.buf.push(':');
            } else {
                percent::encode(&text[from..to], PATH, &mut url.buf);
            }
        }
        if last {
            return;
        }
        from = to + 1;
    }
}

/// Tells the trace what each step of the path state made of the text.
fn trace_stages<T: Trace>(url: &Url, text: &str, special: bool, at: usize, trace: &mut T) {
    let before = &url.buf[url.path_start as usize..];
    let before = [before, joint(text, before, special)].concat();
    let before = before.as_str();
    let mut now = Cow::Borrowed(text);
    if special && text.contains('\\') {
        for (i, _) in text.match_indices('\\') {
            trace.violation(Code::InvalidReverseSolidus, at + i);
        }
        now = Cow::Owned(text.replace('\\', "/"));
        trace.part(&steps::BACKSLASHES, Part::Path, &[before, &now].concat());
    }
    trace_units(text, at, trace);
    let mut encoded = String::with_capacity(now.len());
    percent::encode(&now, PATH, &mut encoded);
    if encoded != *now {
        trace.part(&steps::ENCODE_PATH, Part::Path, &[before, &encoded].concat());
    }
}

/// Notes code points that are no URL units
/// (<https://url.spec.whatwg.org/#invalid-url-unit>).
pub(crate) fn trace_units<T: Trace>(text: &str, at: usize, trace: &mut T) {
    let bytes = text.as_bytes();
    for (i, c) in text.char_indices() {
        let bad = match c {
            '%' => percent::escape_at(&bytes[i..]).is_none(),
            '\\' | '[' | ']' => c != '\\',
            _ if c.is_ascii() => percent::is(c as u8, percent::UNSAFE) || c == '#',
            _ => c < '\u{a0}' || (c as u32 & 0xfffe) == 0xfffe || ('\u{fdd0}'..='\u{fdef}').contains(&c),
        };
        if bad {
            trace.violation(Code::InvalidUrlUnit, at + i);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_segments_are_known_in_every_spelling() {
        for s in ["..", ".%2e", "%2E.", "%2e%2E"] {
            assert!(is_double_dot(s.as_bytes()), "{s}");
        }
        assert!(is_single_dot(b"%2E") && !is_single_dot(b"%2f") && !is_double_dot(b"..."));
        assert!(has_dot_segment("/a/..") && !has_dot_segment("/a/..;x"));
    }
}
