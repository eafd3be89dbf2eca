//! Proofpoint's third way to write a URL: what it could not keep is a star, and
//! stands in base64 behind it. After URLDefenseDecode 3.0.1, which counts
//! characters where ports of it count bytes.

use crate::base64;
use crate::percent;

/// The target in `__URL__;BASE64!...`; None where that is not what it is.
pub(super) fn decode(bytes: &[u8]) -> Option<Vec<u8>> {
    let text = bytes.strip_prefix(b"__")?;
    let end = memchr::memmem::find(text, b"__;")?;
    let replaced = &text[end + 3..];
    let replaced = &replaced[..memchr::memchr(b'!', replaced)?];
    let replaced = base64::text(replaced)?;
    substitute(&percent::decode(&text[..end]), &replaced)
}

/// `*` takes the next character, `**X` the next run: as many as X stands for.
fn substitute(text: &[u8], replaced: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() + replaced.len());
    let mut characters = replaced.chars();
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'*', rest) {
        out.extend_from_slice(&rest[..at]);
        let (count, len) = match rest[at + 1..] {
            [b'*', x, ..] => (run_length(x)?, 3),
            _ => (1, 1),
        };
        for _ in 0..count {
            out.extend_from_slice(characters.next()?.encode_utf8(&mut [0; 4]).as_bytes());
        }
        rest = &rest[at + len..];
    }
    out.extend_from_slice(rest);
    Some(out)
}

fn run_length(x: u8) -> Option<usize> {
    let index = match x {
        b'A'..=b'Z' => x - b'A',
        b'a'..=b'z' => x - b'a' + 26,
        b'0'..=b'9' => x - b'0' + 52,
        b'-' => 62,
        b'_' => 63,
        _ => return None,
    };
    Some(usize::from(index) + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_take_characters_and_runs() {
        let rows: [(&str, Option<&str>); 8] = [
            ("__https://a/*b__;Iw!!x$", Some("https://a/#b")),
            ("__https://a/**A__;w6nDqA!!x$", Some("https://a/éè")),
            ("__https://a/*__;w6k!!x$", Some("https://a/é")),
            ("__https://a/%2520__;!!x$", Some("https://a/%20")),
            ("__https://a/*__;!!x$", None),
            ("__https://a/**!__;IyMj!!x$", None),
            ("__https://a/__;IyMj", None),
            ("https://a/__;!!", None),
        ];
        for (text, expected) in rows {
            let made = decode(text.as_bytes()).map(|bytes| String::from_utf8(bytes).unwrap());
            assert_eq!(made.as_deref(), expected, "{text}");
        }
    }
}
