//! The decoders that rules of redirectors name. Each runs once over its bytes.
//! Must not know where in a URL they stood.

use crate::base64;
use crate::percent;
use crate::policy::Decoder;

use super::v3;

/// The text that these decoders make of it; None where it is not written so.
pub(super) fn decode(raw: &str, decoders: &[Decoder]) -> Option<Vec<u8>> {
    let mut now = raw.as_bytes().to_vec();
    for decoder in decoders {
        now = match decoder {
            Decoder::Percent => percent::decode(&now).into_owned(),
            Decoder::Form => form(&now),
            Decoder::Html => html(&now),
            Decoder::Base64 => base64::text(&now)?.into_bytes(),
            Decoder::Hyphens => now.iter().map(|&byte| hyphen(byte)).collect(),
            Decoder::A1 => now.strip_prefix(b"a1")?.to_vec(),
            Decoder::Hash => without_hash(&now).to_vec(),
            Decoder::Cache => cached(&now)?.to_vec(),
            Decoder::V3 => v3::decode(&now)?,
        };
    }
    Some(now)
}

/// <https://url.spec.whatwg.org/#concept-urlencoded-parser>, of one value.
pub(super) fn form(bytes: &[u8]) -> Vec<u8> {
    let spaced: Vec<u8> = bytes.iter().map(|&byte| if byte == b'+' { b' ' } else { byte }).collect();
    percent::decode(&spaced).into_owned()
}

fn hyphen(byte: u8) -> u8 {
    match byte {
        b'-' => b'%',
        b'_' => b'/',
        other => other,
    }
}

/// Numeric references and those names that mark up text; `&copy=` is none,
/// since only what ends in `;` is one here.
fn html(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = memchr::memchr(b'&', rest) {
        out.extend_from_slice(&rest[..at]);
        let behind = &rest[at + 1..];
        let name = behind.iter().take(LONGEST).position(|&byte| byte == b';').map(|end| &behind[..end]);
        match name.and_then(|name| Some((name.len(), character(name)?))) {
            Some((len, character)) => {
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                rest = &behind[len + 1..];
            }
            None => {
                out.push(b'&');
                rest = behind;
            }
        }
    }
    out.extend_from_slice(rest);
    out
}

/// `&#x10FFFF;`
const LONGEST: usize = 9;

fn character(name: &[u8]) -> Option<char> {
    let name = std::str::from_utf8(name).ok()?;
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let (digits, radix) = number.strip_prefix(['x', 'X']).map_or((number, 10), |digits| (digits, 16));
            let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            char::from_u32(u32::from_str_radix(digits, radix).ok().filter(|_| plain)?)
        }
    }
}

/// Without the `:hash` at the end: letters, digits, `-` and `_` behind the last
/// colon, unless they are a port.
fn without_hash(bytes: &[u8]) -> &[u8] {
    let Some(colon) = memchr::memrchr(b':', bytes) else { return bytes };
    let hash = &bytes[colon + 1..];
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let path =
        memchr::memmem::find(bytes, b"://").and_then(|at| memchr::memchr(b'/', &bytes[at + 3..]).map(|to| at + 3 + to));
    let in_path = path.is_some_and(|path| path < colon);
    let port = !in_path && hash.iter().all(u8::is_ascii_digit);
    if hash.is_empty() || port || !hash.iter().all(plain) { bytes } else { &bytes[..colon] }
}

/// Behind `cache:` and an id of 12 bytes with its colon, up to a space.
fn cached(bytes: &[u8]) -> Option<&[u8]> {
    let rest = bytes.strip_prefix(b"cache:")?;
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let with_id = rest.get(12) == Some(&b':') && rest[..12].iter().all(plain);
    let rest = if with_id { &rest[13..] } else { rest };
    Some(rest.split(|&byte| byte == b' ').next().unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(raw: &str, decoders: &[Decoder]) -> Option<String> {
        decode(raw, decoders).map(|bytes| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn each_decoder_decodes_once() {
        let rows: [(&str, &[Decoder], Option<&str>); 17] = [
            ("a%2520b+c", &[Decoder::Form], Some("a%20b c")),
            ("a%2520b+c", &[Decoder::Percent], Some("a%20b+c")),
            ("&amp;amp;&#38;&#x2F;&copy=1&;&#xD800;", &[Decoder::Html], Some("&amp;&/&copy=1&;&#xD800;")),
            ("aHR0cDovL2EvPw", &[Decoder::Base64], Some("http://a/?")),
            ("aHR0cDovL2EvPw==", &[Decoder::Base64], Some("http://a/?")),
            ("Pz8_Pj4-", &[Decoder::Base64], Some("???>>>")),
            ("Pz8/Pj4+", &[Decoder::Base64], Some("???>>>")),
            ("a", &[Decoder::Base64], None),
            ("a b=", &[Decoder::Base64], None),
            ("_____w", &[Decoder::Base64], None),
            ("http-3A__a-2Db", &[Decoder::Hyphens, Decoder::Percent], Some("http://a-b")),
            ("http://a/:x1", &[Decoder::Hash], Some("http://a/")),
            ("http://a:8080", &[Decoder::Hash], Some("http://a:8080")),
            ("http://a:8080/", &[Decoder::Hash], Some("http://a:8080/")),
            ("http://a/x:12", &[Decoder::Hash], Some("http://a/x")),
            ("cache:http://a.b/ x", &[Decoder::Cache], Some("http://a.b/")),
            ("a2aHR0cA", &[Decoder::A1], None),
        ];
        for (raw, decoders, expected) in rows {
            assert_eq!(made(raw, decoders).as_deref(), expected, "{raw} {decoders:?}");
        }
    }
}
