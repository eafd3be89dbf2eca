//! Percent-encoding: the URL Standard's percent-encode sets, and the one
//! left-to-right scan that normalizes escapes. The only file that looks at a
//! percent sign. Knows bytes, not which part of a URL they came from.

use std::borrow::Cow;

use crate::blocks::{Block, EVERY, WIDTH};

/// What a byte is, for every scan over path, query and fragment: the low bits
/// are the Standard's percent-encode sets that hold it
/// (<https://url.spec.whatwg.org/#percent-encoded-bytes>), the high bits what
/// a rung or the parser may have to do about it.
pub(crate) const C0: u16 = 1;
pub(crate) const FRAGMENT: u16 = 1 << 1;
pub(crate) const QUERY: u16 = 1 << 2;
pub(crate) const SPECIAL_QUERY: u16 = 1 << 3;
pub(crate) const PATH: u16 = 1 << 4;
pub(crate) const USERINFO: u16 = 1 << 5;
/// `%`
pub(crate) const PERCENT: u16 = 1 << 6;
/// `.`
pub(crate) const DOT: u16 = 1 << 7;
/// `\`
pub(crate) const BACKSLASH: u16 = 1 << 8;
/// `[` and `]`
pub(crate) const BRACKET: u16 = 1 << 9;
/// `;` and `(`, with which session ids in a path begin.
pub(crate) const SESSION: u16 = 1 << 10;
/// What RFC 3986 allows nowhere and encode_unsafe escapes; `%` is looked at apart.
pub(crate) const UNSAFE: u16 = 1 << 11;
/// `?`
pub(crate) const QUESTION: u16 = 1 << 12;
/// `#`
pub(crate) const HASH: u16 = 1 << 13;
/// `&` and `=`, between which a query's fields and names end.
pub(crate) const MARK: u16 = 1 << 15;
/// Unreserved characters of RFC 3986 section 2.3.
pub(crate) const UNRESERVED: u16 = 1 << 14;

pub(crate) static CLASS: [u16; 256] = classes();

const fn classes() -> [u16; 256] {
    let mut t = [0u16; 256];
    let mut i = 0;
    while i < 256 {
        let c = i as u8;
        t[i] = class(c);
        i += 1;
    }
    t
}

const fn class(c: u8) -> u16 {
    let mut bits = 0;
    if c <= 0x1f || c > 0x7e {
        bits |= C0 | FRAGMENT | QUERY | SPECIAL_QUERY | PATH | USERINFO | UNSAFE;
    }
    match c {
        b' ' | b'"' | b'<' | b'>' => {
            bits |= FRAGMENT | QUERY | SPECIAL_QUERY | PATH | USERINFO | UNSAFE;
        }
        b'`' => bits |= FRAGMENT | PATH | USERINFO | UNSAFE,
        b'#' => bits |= QUERY | SPECIAL_QUERY | PATH | USERINFO | HASH,
        b'\'' => bits |= SPECIAL_QUERY,
        b'?' => bits |= PATH | USERINFO | QUESTION,
        b'^' | b'{' | b'}' => bits |= PATH | USERINFO | UNSAFE,
        b'\\' => bits |= USERINFO | UNSAFE | BACKSLASH,
        b'|' => bits |= USERINFO | UNSAFE,
        b'[' | b']' => bits |= USERINFO | BRACKET,
        b';' => bits |= USERINFO | SESSION,
        b'(' => bits |= SESSION,
        b'&' => bits |= MARK,
        b'=' => bits |= USERINFO | MARK,
        b'/' | b':' | b'@' => bits |= USERINFO,
        b'%' => bits |= PERCENT,
        b'.' => bits |= DOT | UNRESERVED,
        b'-' | b'_' | b'~' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => bits |= UNRESERVED,
        _ => {}
    }
    bits
}

/// Where the run that begins at `from` ends, at a byte of `stop` or with the
/// text, and the classes of its bytes, OR-ed. `DOT` is always among them: it
/// only says that somebody has to look. `stop` must hold no byte that is common
/// in a block: of the encode sets, all but `USERINFO`.
#[inline]
pub(crate) fn run(text: &[u8], from: usize, stop: u16) -> (usize, u16) {
    let (mut i, mut bits) = (from, DOT);
    while let Some(block) = Block::at(text, i) {
        let mut rare = !block.common_any_case() & EVERY;
        while rare != 0 {
            let at = i + rare.trailing_zeros() as usize;
            let class = CLASS[text[at] as usize];
            if class & stop != 0 {
                return (at, bits);
            }
            bits |= class;
            rare &= rare - 1;
        }
        i += WIDTH;
    }
    while let Some(&c) = text.get(i) {
        let class = CLASS[c as usize];
        if class & stop != 0 {
            break;
        }
        bits |= class;
        i += 1;
    }
    (i, bits)
}

#[inline]
pub(crate) fn is(c: u8, set: u16) -> bool {
    CLASS[c as usize] & set != 0
}

/// `%00` to `%FF`, one behind the other.
static ESCAPES: [u8; 768] = escapes();

const fn escapes() -> [u8; 768] {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let mut t = [b'%'; 768];
    let mut i = 0;
    while i < 256 {
        t[3 * i + 1] = HEX[i >> 4];
        t[3 * i + 2] = HEX[i & 15];
        i += 1;
    }
    t
}

/// `%XX` with upper-case digits.
#[inline]
pub(crate) fn escaped(byte: u8) -> &'static [u8] {
    let at = 3 * byte as usize;
    &ESCAPES[at..at + 3]
}

/// Appends `%XX` with upper-case digits.
#[inline]
pub(crate) fn push_escape(out: &mut String, byte: u8) {
    // ASCII, so the check costs a glance and never fails.
    out.push_str(std::str::from_utf8(escaped(byte)).unwrap_or_default());
}

/// Appends `text` with every byte of `set` escaped
/// (<https://url.spec.whatwg.org/#string-utf-8-percent-encode>). Sets hold all
/// of non-ASCII, so a run between two escapes is a string of its own.
pub(crate) fn encode(text: &str, set: u16, out: &mut String) {
    let bytes = text.as_bytes();
    let mut from = 0;
    loop {
        let at = if set & USERINFO == 0 {
            run(bytes, from, set).0
        } else {
            bytes[from..].iter().position(|&c| is(c, set)).map_or(bytes.len(), |n| from + n)
        };
        // Inside a code point nothing lies between two escapes, and a slice there would not be a string.
        if from < at {
            out.push_str(&text[from..at]);
        }
        let Some(&byte) = bytes.get(at) else { return };
        push_escape(out, byte);
        from = at + 1;
    }
}

#[inline]
pub(crate) fn hex_value(c: u8) -> Option<u8> {
    match c {
        b'0'..=b'9' => Some(c - b'0'),
        b'a'..=b'f' => Some(c - b'a' + 10),
        b'A'..=b'F' => Some(c - b'A' + 10),
        _ => None,
    }
}

/// The byte that the escape at the beginning of `bytes` stands for, if one is there.
#[inline]
pub(crate) fn escape_at(bytes: &[u8]) -> Option<u8> {
    match bytes {
        [b'%', a, b, ..] => Some((hex_value(*a)? << 4) | hex_value(*b)?),
        _ => None,
    }
}

/// Bytes with each escape replaced by its byte, once, left to right
/// (<https://url.spec.whatwg.org/#percent-decode>).
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, [u8]> {
    if !bytes.contains(&b'%') {
        return Cow::Borrowed(bytes);
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        match escape_at(&bytes[i..]) {
            Some(byte) => {
                out.push(byte);
                i += 3;
            }
            None => {
                out.push(bytes[i]);
                i += 1;
            }
        }
    }
    Cow::Owned(out)
}

/// Decodes escapes in place until none is left: what comes out of one may be
/// part of the next (`%2525` is `%`).
///
/// One pass: bytes are moved to the front one by one, and whenever the last
/// three of those are an escape they become its byte, which may complete
/// another. No two escapes overlap (each has its one `%` in front), so what is
/// left does not depend on the order.
pub(crate) fn decode_fully(bytes: &mut Vec<u8>) {
    let Some(first) = memchr::memchr(b'%', bytes) else { return };
    let mut end = first;
    for at in first..bytes.len() {
        bytes[end] = bytes[at];
        end += 1;
        while end >= 3
            && bytes[end - 3] == b'%'
            && let Some(byte) = escape_at(&bytes[end - 3..end])
        {
            bytes[end - 3] = byte;
            end -= 2;
        }
    }
    bytes.truncate(end);
}

/// Appends bytes with those escaped that a Safe Browsing text escapes: "all
/// characters that are <= ASCII 32, >= 127, #, or %".
pub(crate) fn push_escaped_beyond_graphic(out: &mut Vec<u8>, bytes: &[u8]) {
    for &byte in bytes {
        if matches!(byte, b'!'..=b'~') && byte != b'#' && byte != b'%' {
            out.push(byte);
        } else {
            let at = 3 * byte as usize;
            out.extend_from_slice(&ESCAPES[at..at + 3]);
        }
    }
}

/// The text with the escapes of unreserved characters decoded: what servers see (RFC 3986 section 6.2.2.2).
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    let scan = Scan { upper: false, decode: true, encode: false };
    if memchr::memchr(b'%', text.as_bytes()).is_none() || !scan.acts_on(text.as_bytes()) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    scan.write(text, &mut out);
    Cow::Owned(out)
}

/// Which of the three switches of the scan are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scan {
    /// Hex digits of escapes are written in upper case (RFC 3986 section 6.2.2.1).
    pub upper: bool,
    /// Escapes of unreserved characters are decoded (section 6.2.2.2).
    pub decode: bool,
    /// What RFC 3986 allows nowhere is escaped, a stray `%` with it (section 2.1).
    pub encode: bool,
}

impl Scan {
    /// Whether the scan would write anything but `bytes`. One pass, no allocation.
    pub(crate) fn acts_on(self, bytes: &[u8]) -> bool {
        let mut i = 0;
        loop {
            (i, _) = run(bytes, i, PERCENT | UNSAFE);
            let Some(&c) = bytes.get(i) else { return false };
            match escape_at(&bytes[i..]) {
                Some(byte) => {
                    let lower = bytes[i + 1].is_ascii_lowercase() | bytes[i + 2].is_ascii_lowercase();
                    if (self.upper && lower) || (self.decode && is(byte, UNRESERVED)) {
                        return true;
                    }
                    i += 3;
                }
                None if self.encode && is(c, PERCENT | UNSAFE) => return true,
                None => i += 1,
            }
        }
    }

    /// Appends the normalized text. The output is never rescanned: what is
    /// decoded is never decoded again, and where a stray `%` stays, nothing is
    /// decoded that would complete an escape with it.
    pub(crate) fn write(self, text: &str, out: &mut String) {
        let bytes = text.as_bytes();
        // Bytes that an escape still lacks after a stray `%` in the output: 2, 1 or 0.
        let mut open = 0u8;
        let (mut i, mut from) = (0, 0);
        while let Some(&c) = bytes.get(i) {
            if !is(c, PERCENT | UNSAFE) {
                if open > 0 {
                    open = if c.is_ascii_hexdigit() { open - 1 } else { 0 };
                    i += 1;
                } else {
                    (i, _) = run(bytes, i, PERCENT | UNSAFE);
                }
                continue;
            }
            if c != b'%' {
                open = 0;
                if self.encode {
                    out.push_str(&text[from..i]);
                    push_escape(out, c);
                    from = i + 1;
                }
                i += 1;
                continue;
            }
            out.push_str(&text[from..i]);
            match escape_at(&bytes[i..]) {
                Some(byte) => {
                    self.write_escape(byte, &text[i..i + 3], open, out);
                    open = 0;
                    i += 3;
                }
                None => {
                    out.push_str(if self.encode { "%25" } else { "%" });
                    open = if self.encode { 0 } else { 2 };
                    i += 1;
                }
            }
            from = i;
        }
        out.push_str(&text[from..]);
    }

    fn write_escape(self, byte: u8, as_written: &str, open: u8, out: &mut String) {
        let completes = open > 0 && byte.is_ascii_hexdigit();
        if self.decode && is(byte, UNRESERVED) && !completes {
            out.push(byte as char);
        } else if self.upper {
            push_escape(out, byte);
        } else {
            out.push_str(as_written);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Scan = Scan { upper: true, decode: true, encode: true };

    fn written(scan: Scan, text: &str) -> String {
        let mut out = String::new();
        scan.write(text, &mut out);
        out
    }

    fn decoded_round_by_round(text: &[u8]) -> Vec<u8> {
        let mut now = text.to_vec();
        loop {
            let next = decode(&now).into_owned();
            if next == now {
                return now;
            }
            now = next;
        }
    }

    #[test]
    fn decoding_fully_is_decoding_until_nothing_changes() {
        const PIECES: [&str; 12] = ["%", "2", "5", "%25", "%32", "%35", "4", "1", "a", "F", "%2", "z"];
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            (state >> 33) as usize % below
        };
        for _ in 0..50_000 {
            let text: String = (0..next(24)).map(|_| PIECES[next(PIECES.len())]).collect();
            let mut fully = text.clone().into_bytes();
            decode_fully(&mut fully);
            assert_eq!(fully, decoded_round_by_round(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn an_escape_is_never_made_of_decoded_bytes() {
        assert_eq!(written(ALL, "/%%32%65%%32%65/y"), "/%252e%252e/y");
        assert_eq!(written(ALL, "/%4%31"), "/%2541");
        let no_encode = Scan { encode: false, ..ALL };
        for text in ["/%%32%65", "/%4%31", "/%%341", "/%%34%31", "/%%%34%31", "/%a%%61a"] {
            let once = written(no_encode, text);
            assert_eq!(written(no_encode, &once), once, "{text}");
        }
    }

    #[test]
    fn reserved_escapes_keep_their_meaning() {
        assert_eq!(written(ALL, "/a%2fb%26%3f%23%2b%3d%5c"), "/a%2Fb%26%3F%23%2B%3D%5C");
        assert_eq!(written(ALL, "/%7e%41|"), "/~A%7C");
    }

    #[test]
    fn acts_on_says_exactly_whether_write_changes_the_text() {
        for bits in 0..8 {
            let scan = Scan { upper: bits & 1 > 0, decode: bits & 2 > 0, encode: bits & 4 > 0 };
            for text in ["/%2f", "/%2F", "/%7E", "/%", "/%4", "/|", "/a", "/%zz", "/%41|%"] {
                assert_eq!(scan.acts_on(text.as_bytes()), written(scan, text) != text, "{text} {scan:?}");
            }
        }
    }
}
