//! The form of Heritrix (`org.archive.util.SURT`): nothing is canonicalized, the
//! authority is turned and everything put into lower case. A text without
//! `scheme://`, or with white space in it, is its own SURT. Must not know the
//! other flavors.

use super::{Options, host};

/// Appends the SURT.
pub(super) fn write(url: &[u8], options: &Options, key: &mut Vec<u8>) {
    let begin = key.len();
    if turn(url, key).is_none() {
        return key.extend_from_slice(url);
    }
    if !options.preserve_case {
        lower(begin, key);
    }
}

/// The parts in their new order; None: the text is no URL with an authority.
fn turn(url: &[u8], key: &mut Vec<u8>) -> Option<()> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let scheme = url.iter().position(|byte| !is_word(byte)).filter(|&end| end > 0)?;
    let rest = url[scheme..].strip_prefix(b"://")?;
    if rest.is_empty() || rest.iter().any(|byte| matches!(byte, b' ' | 0x09..=0x0D)) {
        return None;
    }
    // Userinfo has only the bytes that RFC 2396 allows there, and something behind it.
    let sign = memchr::memchr(b'@', rest).filter(|&sign| {
        sign > 0
            && sign + 1 < rest.len()
            && rest[..sign].iter().all(|byte| is_word(byte) || b"-.!~*'()%;:&=+$,".contains(byte))
    });
    let (userinfo, rest) = match sign {
        Some(sign) => (&rest[..sign], &rest[sign + 1..]),
        None => (&b""[..], rest),
    };
    // A host has a byte at least, be it a slash.
    let mut end = 1;
    while let Some(at) = memchr::memchr2(b'/', b':', &rest[end..]) {
        end += at;
        if rest[end] == b'/' || port_length(&rest[end..]).is_some() {
            break;
        }
        end += 1;
    }
    let ended = rest.get(end).is_some_and(|&byte| byte == b'/' || port_length(&rest[end..]).is_some());
    let end = if ended { end } else { rest.len() };
    let port = port_length(&rest[end..]).unwrap_or(0);
    key.extend_from_slice(&url[..scheme]);
    key.extend_from_slice(b"://(");
    if host::is_quad(&rest[..end]) {
        key.extend_from_slice(&rest[..end]);
    } else {
        host::reverse(&rest[..end], false, key);
        key.push(b',');
    }
    key.extend_from_slice(&rest[end..end + port]);
    if sign.is_some() {
        key.push(b'@');
        key.extend_from_slice(userinfo);
    }
    key.push(b')');
    key.extend_from_slice(&rest[end + port..]);
    Some(())
}

/// The length of `:digits`, if the text or a path ends it.
fn port_length(text: &[u8]) -> Option<usize> {
    let digits = text.strip_prefix(b":")?.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (digits > 0 && matches!(text.get(digits + 1), None | Some(b'/'))).then_some(digits + 1)
}

/// Lower case, letter by letter: what one letter outside ASCII would become two of stays.
fn lower(begin: usize, key: &mut Vec<u8>) {
    key[begin..].make_ascii_lowercase();
    if key[begin..].is_ascii() {
        return;
    }
    let text = key.split_off(begin);
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            let mut small = c.to_lowercase();
            let c = if small.len() == 1 { small.next().unwrap_or(c) } else { c };
            key.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
        key.extend_from_slice(chunk.invalid());
    }
}
