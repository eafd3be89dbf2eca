//! From a SURT back to a URL, as far as it still holds one. Must not know how
//! SURTs are made.

use super::host;

/// The URL of a SURT, without a scheme where the SURT has none; a text that is no SURT comes back as
/// it is. What canonicalization took away stays away, and addresses that were not turned are left alone.
///
/// ```
/// use urlkey::forms::surt::unsurt;
/// assert_eq!(unsurt(b"com,example:8080)/a?b"), b"example.com:8080/a?b");
/// assert_eq!(unsurt(b"http://(com,example,:8080@user)/"), b"http://user@example.com:8080/");
/// ```
pub fn unsurt(surt: &[u8]) -> Vec<u8> {
    let (scheme, rest) = scheme_of(surt);
    // Without a scheme only `)/` tells a SURT from a URL.
    let close = match scheme.is_empty() {
        true => surt.windows(2).position(|two| two == b")/"),
        false => memchr::memchr(b')', rest),
    };
    let Some(close) = close else { return surt.to_vec() };
    let (authority, path) = (&rest[..close], &rest[close + 1..]);
    let (authority, userinfo) = match memchr::memchr(b'@', authority) {
        Some(sign) if !scheme.is_empty() => (&authority[..sign], &authority[sign + 1..]),
        _ => (authority, &b""[..]),
    };
    let (labels, port) = port_of(authority);
    let labels = labels.strip_suffix(b",").unwrap_or(labels);
    let mut url = Vec::with_capacity(surt.len());
    url.extend_from_slice(scheme);
    if !userinfo.is_empty() {
        url.extend_from_slice(userinfo);
        url.push(b'@');
    }
    match memchr::memchr(b',', labels) {
        Some(_) => turn(labels, &mut url),
        None => url.extend_from_slice(labels),
    }
    // The trailing comma of the package `surt` stands behind the port.
    url.extend_from_slice(port.strip_suffix(b",").unwrap_or(port));
    url.extend_from_slice(path);
    url
}

/// `http://`, if `(` follows; and what follows that.
fn scheme_of(surt: &[u8]) -> (&[u8], &[u8]) {
    let word = surt.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-._".contains(byte)).count();
    match surt[word..].strip_prefix(b"://(") {
        Some(rest) => (&surt[..word + 3], rest),
        None => (b"", surt),
    }
}

/// Labels and `:port`; in an IPv6 address the last colon may be its own, so none is taken for a port's.
fn port_of(authority: &[u8]) -> (&[u8], &[u8]) {
    let Some(colon) = memchr::memchr(b':', authority) else { return (authority, b"") };
    let digits = &authority[colon + 1..];
    let digits = digits.strip_suffix(b",").unwrap_or(digits);
    match !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) {
        true => authority.split_at(colon),
        false => (authority, b""),
    }
}

fn turn(labels: &[u8], url: &mut Vec<u8>) {
    let dotted: Vec<u8> = labels.iter().map(|&byte| if byte == b',' { b'.' } else { byte }).collect();
    let begin = url.len();
    host::reverse(&dotted, false, url);
    url[begin..].iter_mut().filter(|byte| **byte == b',').for_each(|byte| *byte = b'.');
}
