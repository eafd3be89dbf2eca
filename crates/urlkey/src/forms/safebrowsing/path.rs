//! The path of a canonical URL.

use crate::percent::push_escaped_beyond_graphic;

/// Appends the path: dot segments resolved, then runs of slashes collapsed, in
/// this order ("a//../b" is "a/b"), and escaped. What stands before the path is
/// a host: a backslash that ended it is a slash.
pub(super) fn write(path: &[u8], out: &mut Vec<u8>) {
    let Some(rest) = path.get(1..) else {
        out.push(b'/');
        return;
    };
    if !rest.contains(&b'.') && !has_empty_segment(rest) {
        out.push(b'/');
        push_escaped_beyond_graphic(out, rest);
        return;
    }
    let resolved = resolve(rest);
    let mut before = 0;
    let start = out.len();
    let mut from = 0;
    for (at, &byte) in resolved.iter().enumerate() {
        if byte == b'/' && before == b'/' {
            push_escaped_beyond_graphic(out, &resolved[from..at]);
            from = at + 1;
        }
        before = byte;
    }
    push_escaped_beyond_graphic(out, &resolved[from..]);
    debug_assert!(out[start..].starts_with(b"/"));
}

fn has_empty_segment(rest: &[u8]) -> bool {
    rest.first() == Some(&b'/') || rest.windows(2).any(|two| two == b"//")
}

/// Slash and segments, without those that are `.` and those that `..` takes back.
fn resolve(rest: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(rest.len() + 1);
    let mut segments = rest.split(|&byte| byte == b'/').peekable();
    while let Some(segment) = segments.next() {
        if segment == b".." {
            let last = out.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
            out.truncate(last);
        } else if segment != b"." {
            out.push(b'/');
            out.extend_from_slice(segment);
            continue;
        }
        if segments.peek().is_none() {
            out.push(b'/');
        }
    }
    out
}
