//! The path: decoded, dots resolved, sessions and the last slash dropped. Must
//! not know the rest of the URL.

use super::{Flavor, Options, Scratch, escape};

/// Appends the canonical path; `authority`: there is a host, so that the path has segments.
pub(super) fn write(path: &[u8], authority: bool, options: &Options, scratch: &mut Scratch, key: &mut Vec<u8>) {
    let begin = key.len();
    let java = options.flavor == Flavor::Java;
    match java {
        true => escape::unescape_utf8(path, key),
        false => escape::unescape(path, key),
    }
    if authority {
        resolve(begin, &mut scratch.spans, key);
    }
    escape::escape(begin, java, &mut scratch.spare, key);
    if options.path_strip_empty && &key[begin..] == b"/" {
        return key.truncate(begin);
    }
    if options.path_lowercase {
        key[begin..].make_ascii_lowercase();
    }
    if options.path_strip_session_id {
        strip_sessions(begin, key);
    }
    if options.path_strip_empty && &key[begin..] == b"/" {
        key.truncate(begin);
    } else if options.path_strip_trailing_slash_unless_empty && key.len() > begin + 1 && key.ends_with(b"/") {
        key.pop();
    }
}

/// Resolves `.` and `..`, a leading `..` that has nothing to take away stays; then drops empty
/// segments, but the last.
fn resolve(begin: usize, kept: &mut Vec<(usize, usize)>, key: &mut Vec<u8>) {
    let path = &key[begin..];
    let dirty = |pair: (&u8, &u8)| (*pair.0 == b'/') & ((*pair.1 == b'/') | (*pair.1 == b'.'));
    if path.starts_with(b"/") && !path.iter().zip(&path[1..]).fold(false, |found, pair| found | dirty(pair)) {
        return;
    }
    let Some(first) = memchr::memchr(b'/', path) else {
        // What stands before the first slash goes, as in the originals.
        key.truncate(begin);
        return key.push(b'/');
    };
    let slashes = memchr::memchr_iter(b'/', path);
    kept.clear();
    let mut ends = slashes.skip(1).chain([path.len()]);
    let mut from = first + 1;
    while from <= path.len() {
        let end = ends.next().unwrap_or(path.len());
        match &path[from..end] {
            b"." => {}
            b".." if kept.pop().is_some() => {}
            _ => kept.push((from, end)),
        }
        from = end + 1;
    }
    // Segments only move towards the beginning.
    let last = kept.pop();
    let mut end = begin + 1;
    for &(from, to) in kept.iter().filter(|(from, to)| from < to) {
        key.copy_within(begin + from..begin + to, end);
        end += to - from;
        key[end] = b'/';
        end += 1;
    }
    if let Some((from, to)) = last {
        key.copy_within(begin + from..begin + to, end);
        end += to - from;
    }
    key[begin] = b'/';
    key.truncate(end);
}

const PAGE: &[u8] = b".aspx";

/// Drops ASP.NET's session segments, `(S(24 letters or digits))`, then `(24 letters or digits)`: of
/// each the last that a page follows.
fn strip_sessions(begin: usize, key: &mut Vec<u8>) {
    if memchr::memchr(b'(', &key[begin..]).is_some()
        && key[begin..].windows(PAGE.len()).any(|five| five.eq_ignore_ascii_case(PAGE))
    {
        for is_session in [is_group_session, is_session] {
            if let Some((from, to)) = session(&key[begin..], is_session) {
                key.drain(begin + from..begin + to);
            }
        }
    }
}

/// The last segment that is a session id, with the slash behind it, and has `.aspx` behind that,
/// after a byte and before any `?`.
fn session(path: &[u8], is_session: fn(&[u8]) -> bool) -> Option<(usize, usize)> {
    let mut end = path.len();
    let (mut page, mut mark, mut seen) = (None, None, path.len());
    while let Some(slash) = memchr::memrchr(b'/', &path[..end]) {
        // Behind this segment's closing slash at `end`, a page may begin at `end + 2` first.
        while seen > end + 1 {
            seen -= 1;
            if path.get(seen + 1..).is_some_and(|tail| starts_with(tail, PAGE)) {
                page = Some(seen + 1);
            }
            if path[seen] == b'?' {
                mark = Some(seen);
            }
        }
        let has_page = page.is_some_and(|page| mark.is_none_or(|mark| page < mark));
        if end < path.len() && has_page && is_session(&path[slash + 1..end]) {
            return Some((slash + 1, end + 1));
        }
        end = slash;
    }
    None
}

fn starts_with(text: &[u8], prefix: &[u8]) -> bool {
    text.get(..prefix.len()).is_some_and(|text| text.eq_ignore_ascii_case(prefix))
}

/// `(` 24 letters or digits `)`
fn is_session(segment: &[u8]) -> bool {
    segment.len() == 26
        && segment[0] == b'('
        && segment[25] == b')'
        && segment[1..25].iter().all(u8::is_ascii_alphanumeric)
}

/// `(`, then a letter and a session id, once or more, then `)`
fn is_group_session(segment: &[u8]) -> bool {
    let Some(inside) = segment.strip_prefix(b"(").and_then(|inside| inside.strip_suffix(b")")) else { return false };
    !inside.is_empty()
        && inside.len().is_multiple_of(27)
        && inside.chunks(27).all(|group| group[0].is_ascii_alphabetic() && is_session(&group[1..]))
}
