//! Escapes, decoded until nothing changes, and written again where they must be.
//! Must not know which part it is at.

/// Appends `text` decoded to the fixed point. One pass: two escapes never share a byte, so that the
/// order in which they are decoded does not matter, and a byte that comes out of one is looked at
/// with those before it.
pub(super) fn unescape(text: &[u8], out: &mut Vec<u8>) {
    unescape_below(text, 0xFF, out);
}

/// The same as webarchive-commons does it: escapes of UTF-8 are decoded, of other bytes left.
pub(super) fn unescape_utf8(text: &[u8], out: &mut Vec<u8>) {
    let begin = out.len();
    unescape_below(text, 0x7F, out);
    if memchr::memchr(b'%', &out[begin..]).is_none() {
        return;
    }
    let text = out.split_off(begin);
    let mut from = 0;
    let mut run = Vec::new();
    while from < text.len() {
        run.clear();
        while let Some(byte) = escaped(&text[from + 3 * run.len()..]) {
            run.push(byte);
        }
        if run.is_empty() {
            out.push(text[from]);
            from += 1;
            continue;
        }
        for chunk in run.utf8_chunks() {
            out.extend_from_slice(chunk.valid().as_bytes());
            from += 3 * chunk.valid().len();
            let left = 3 * chunk.invalid().len();
            out.extend_from_slice(&text[from..from + left]);
            from += left;
        }
    }
}

fn unescape_below(text: &[u8], most: u8, out: &mut Vec<u8>) {
    let begin = out.len();
    let mut from = 0;
    while from < text.len() {
        // Without a `%` among the last two bytes, nothing is open: an escape stands by itself.
        if !out[out.len().saturating_sub(2).max(begin)..].contains(&b'%') {
            let next = memchr::memchr(b'%', &text[from..]).map_or(text.len(), |sign| from + sign);
            out.extend_from_slice(&text[from..next]);
            from = next;
            let Some(byte) = escaped(&text[from..]).filter(|&byte| byte <= most) else {
                out.extend(text.get(from));
                from += 1;
                continue;
            };
            out.push(byte);
            from += 3;
            continue;
        }
        out.push(text[from]);
        from += 1;
        while out.len() >= begin + 3 {
            let at = out.len() - 3;
            match escaped(&out[at..]) {
                Some(byte) if byte <= most => {
                    out.truncate(at);
                    out.push(byte);
                }
                _ => break,
            }
        }
    }
}

/// The byte that an escape at the beginning of `text` stands for.
fn escaped(text: &[u8]) -> Option<u8> {
    match *text {
        [b'%', high, low, ..] => Some(hex(high)? << 4 | hex(low)?),
        _ => None,
    }
}

#[inline]
fn hex(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' | b'A'..=b'F' => Some((byte | 0x20) - b'a' + 10),
        _ => None,
    }
}

/// What is escaped: up to the space, from DEL on, `#` and `%`.
fn is_escaped(byte: u8) -> bool {
    (byte <= 0x20) | (byte >= 0x7F) | (byte == b'#') | (byte == b'%')
}

/// Escapes `out[begin..]` in place. `keep`: an escape that is left there stays, as webarchive-commons
/// leaves those of bytes outside UTF-8.
pub(super) fn escape(begin: usize, keep: bool, spare: &mut Vec<u8>, out: &mut Vec<u8>) {
    // Mostly there is nothing to escape: a fold becomes vectors, a search does not.
    if !out[begin..].iter().fold(false, |found, &byte| found | is_escaped(byte)) {
        return;
    }
    let first = out[begin..].iter().position(|&byte| is_escaped(byte)).unwrap_or(0);
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    spare.clear();
    spare.extend_from_slice(&out[begin + first..]);
    out.truncate(begin + first);
    let mut rest = &spare[..];
    while let Some(at) = rest.iter().position(|&byte| is_escaped(byte)) {
        out.extend_from_slice(&rest[..at]);
        let left = if keep { escaped(&rest[at..]) } else { None };
        let value = left.unwrap_or(rest[at]);
        out.extend_from_slice(&[b'%', DIGITS[usize::from(value >> 4)], DIGITS[usize::from(value & 15)]]);
        rest = &rest[at + if left.is_some() { 3 } else { 1 }..];
    }
    out.extend_from_slice(rest);
}
