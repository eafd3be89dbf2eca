//! The encoding of the page that a URL was found on, which decides how its
//! query is escaped. Must not know which parts of a URL are encoded so.

use std::borrow::Cow;
use std::fmt::Write;

use encoding_rs::EncoderResult;

/// An encoding of the Encoding Standard, as one that text is written in:
/// UTF-16 and `replacement` are UTF-8 here, as "get an output encoding" says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding(&'static encoding_rs::Encoding);

impl Encoding {
    /// The default.
    pub const UTF8: Encoding = Encoding(encoding_rs::UTF_8);

    /// The encoding that a label names, in any case, with white space around
    /// it; None for a label that the Standard does not hold.
    ///
    /// Source: <https://encoding.spec.whatwg.org/#concept-encoding-get>.
    ///
    /// ```
    /// use urlkey::Encoding;
    /// assert_eq!(Encoding::for_label("latin1").map(Encoding::name), Some("windows-1252"));
    /// assert_eq!(Encoding::for_label("utf-16"), Some(Encoding::UTF8));
    /// assert_eq!(Encoding::for_label("klingon"), None);
    /// ```
    pub fn for_label(label: &str) -> Option<Encoding> {
        let named = encoding_rs::Encoding::for_label(label.as_bytes())?;
        Some(Encoding(named.output_encoding()))
    }

    /// The Standard's name of it.
    pub fn name(self) -> &'static str {
        self.0.name()
    }
}

impl Default for Encoding {
    fn default() -> Encoding {
        Encoding::UTF8
    }
}

/// The text of bytes in the encoding that a label names, and the Standard's name
/// of that encoding, UTF-16 included. Malformed bytes become U+FFFD, a byte order
/// mark of the encoding goes; None for a label that the Standard does not hold.
///
/// Source: <https://encoding.spec.whatwg.org/#decode>.
///
/// ```
/// assert_eq!(urlkey::decode(b"caf\xe9", "latin1"), Some(("caf\u{e9}".into(), "windows-1252")));
/// ```
pub fn decode<'a>(bytes: &'a [u8], label: &str) -> Option<(Cow<'a, str>, &'static str)> {
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes())?;
    Some((encoding.decode_with_bom_removal(bytes).0, encoding.name()))
}

/// Appends `text` in this encoding, bytes of `set` escaped. A code point that
/// the encoding lacks becomes its character reference, escaped: `%26%23N%3B`.
///
/// `set` must hold all bytes from 0x80.
///
/// Source: <https://url.spec.whatwg.org/#string-percent-encode-after-encoding>.
pub fn percent_encode_after_encoding(text: &str, encoding: Encoding, set: &[bool; 256], out: &mut String) {
    let mut encoder = encoding.0.new_encoder();
    let mut buffer = [0; 256];
    let mut rest = text;
    loop {
        let (result, read, written) = encoder.encode_from_utf8_without_replacement(rest, &mut buffer, true);
        push_escaped(&buffer[..written], set, out);
        rest = &rest[read..];
        match result {
            EncoderResult::InputEmpty => return,
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(unit) => {
                // Writing to a String cannot fail.
                let _ = write!(out, "%26%23{}%3B", u32::from(unit));
            }
        }
    }
}

fn push_escaped(bytes: &[u8], set: &[bool; 256], out: &mut String) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for &byte in bytes {
        if byte.is_ascii() && !set[usize::from(byte)] {
            out.push(char::from(byte));
        } else {
            out.push('%');
            out.push(char::from(HEX[usize::from(byte >> 4)]));
            out.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encode(text: &str, label: &str) -> String {
        let set = std::array::from_fn(|byte| byte <= 0x20 || byte >= 0x7F || byte == 0x22);
        let mut out = String::from("?");
        let encoding = Encoding::for_label(label).expect(label);
        percent_encode_after_encoding(text, encoding, &set, &mut out);
        out
    }

    #[test]
    fn text_is_escaped_in_its_encoding() {
        for (text, label, expected) in [
            ("a b\"c", "utf-8", "?a%20b%22c"),
            ("\u{e9}\u{2603}", "utf-8", "?%C3%A9%E2%98%83"),
            ("\u{e9}", "windows-1252", "?%E9"),
            ("\u{2603}x", "windows-1252", "?%26%239731%3Bx"),
            ("\u{1f4a9}", "windows-1252", "?%26%23128169%3B"),
            ("\u{e9}", "utf-16be", "?%C3%A9"),
            ("\u{e9}", "iso-2022-kr", "?%C3%A9"),
            ("\u{20ac}", "gb18030", "?%A2%E3"),
            ("\u{3042}\\", "shift_jis", "?%82%A0\\"),
            // The escapes of ISO-2022-JP end before the character reference.
            ("\u{a5}", "iso-2022-jp", "?%1B(J\\%1B(B"),
            ("\u{3042}\u{2603}\u{3042}", "iso-2022-jp", "?%1B$B$\"%1B(B%26%239731%3B%1B$B$\"%1B(B"),
            ("\u{f7}", "x-user-defined", "?%26%23247%3B"),
        ] {
            let expected = expected.replace('"', "%22");
            assert_eq!(encode(text, label), expected, "{text:?} in {label}");
        }
    }

    #[test]
    fn long_text_is_encoded_whole() {
        for (unit, label, escaped) in
            [("\u{e9}", "latin1", "%E9"), ("\u{2603}", "latin1", "%26%239731%3B"), ("a", "utf-8", "a")]
        {
            assert_eq!(encode(&unit.repeat(5000), label), format!("?{}", escaped.repeat(5000)));
        }
    }

    #[test]
    fn labels_are_those_of_the_standard() {
        assert_eq!(Encoding::default(), Encoding::UTF8);
        assert_eq!(Encoding::for_label(" UTF8\n"), Some(Encoding::UTF8));
        assert_eq!(Encoding::for_label("SJIS").map(Encoding::name), Some("Shift_JIS"));
        assert_eq!(Encoding::for_label(""), None);
    }
}
