//! The encoding of the page that a URL was found on, which decides how its
//! query is escaped. Must not know which parts of a URL are encoded so.

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
    /// use urlkey::encoding::Encoding;
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

/// Appends `text` in this encoding, bytes of `set` escaped. A code point that
/// the encoding lacks becomes its character reference, escaped: `%26%23N%3B`.
///
/// `set` must hold all bytes from 0x80.
///
/// Source: <https://url.spec.whatwg.org/#string-percent-encode-after-encoding>.
///
/// ```
/// use urlkey::encoding::{Encoding, percent_encode_after_encoding};
/// let latin1 = Encoding::for_label("latin1").unwrap_or_default();
/// let set = std::array::from_fn(|byte| byte >= 0x80);
/// let mut out = String::new();
/// percent_encode_after_encoding("\u{e9}\u{2603}", latin1, &set, &mut out);
/// assert_eq!(out, "%E9%26%239731%3B");
/// ```
pub fn percent_encode_after_encoding(
    text: &str,
    encoding: Encoding,
    set: &[bool; 256],
    out: &mut String,
) {
    let mut encoder = encoding.0.new_encoder();
    let mut buffer = [0; 256];
    let mut rest = text;
    loop {
        let (result, read, written) =
            encoder.encode_from_utf8_without_replacement(rest, &mut buffer, true);
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
