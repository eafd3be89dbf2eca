//! The path and its parameters as w3lib writes them.

use super::parts::Parts;
use super::{Error, PATH, RESERVED, TAIL, escape, reescape, utf8};

/// Appends path and parameters. `from` is where authority and path begin in `out`.
pub(super) fn write(parts: &Parts<'_>, from: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    let begin = out.len();
    reescape(utf8(parts.path)?.as_bytes(), PATH, RESERVED, out);
    if out[begin..].starts_with(b"/") && out[begin..].windows(2).any(|two| two == b"/.") {
        remove_dots(begin, out);
    }
    if out.len() == begin {
        out.push(b'/');
    }
    let rooted = out[begin] == b'/';
    if begin == from && (out[begin..].starts_with(b"//") || rooted && parts.scheme.slashes) {
        out.splice(begin..begin, *b"//");
    }
    if !parts.parameters.is_empty() {
        out.push(b';');
        escape(utf8(parts.parameters)?.as_bytes(), TAIL, out);
    }
    Ok(())
}

/// Resolves `.` and `..` in the path that begins at `begin` with a slash.
///
/// Source: <https://www.rfc-editor.org/rfc/rfc3986#section-5.2.4>.
fn remove_dots(begin: usize, out: &mut Vec<u8>) {
    let (mut read, mut end) = (begin, begin);
    while read < out.len() {
        let next = memchr::memchr(b'/', &out[read + 1..]).map_or(out.len(), |length| read + 1 + length);
        let dots = match &out[read + 1..next] {
            b"." => 1,
            b".." => 2,
            _ => 0,
        };
        if dots == 0 {
            out.copy_within(read..next, end);
            end += next - read;
        }
        if dots == 2 {
            end = begin + memchr::memrchr(b'/', &out[begin..end]).unwrap_or(0);
        }
        if dots > 0 && next == out.len() {
            out[end] = b'/';
            end += 1;
        }
        read = next;
    }
    out.truncate(end);
}
