//! From a SURT back to a URL, as far as it still holds one. Must not know how
//! SURTs are made.

use super::host;

/// The URL of a SURT, without a scheme where the SURT has none; a text that is no SURT comes back as
/// it is. So does a SURT prefix that ends inside the host, `com,example,` or `http://(com,example`: it
/// names all hosts that begin so, and no URL. What canonicalization took away stays away, and addresses
/// that were not turned are left alone.
///
/// ```
/// use urlkey::forms::surt::unsurt;
/// assert_eq!(unsurt(b"com,example:8080)/a?b"), b"example.com:8080/a?b");
/// assert_eq!(unsurt(b"http://(com,example,:8080@user)/"), b"http://user@example.com:8080/");
/// ```
pub fn unsurt(surt: &[u8]) -> Vec<u8> {
    let (scheme, rest, is_open) = scheme_of(surt);
    // Without a `(` only `)/` tells a SURT from a URL.
    let close = match is_open {
        true => memchr::memchr(b')', rest),
        false => rest.windows(2).position(|two| two == b")/"),
    };
    let Some(close) = close else { return surt.to_vec() };
    let (authority, path) = (&rest[..close], &rest[close + 1..]);
    let (authority, userinfo) = match memchr::memchr(b'@', authority) {
        Some(sign) if is_open => (&authority[..sign], &authority[sign + 1..]),
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

/// `http://`, if `(` follows; what follows that; and whether it did. A line of SURT prefixes may begin with `(`.
fn scheme_of(surt: &[u8]) -> (&[u8], &[u8], bool) {
    let word = surt.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-._".contains(byte)).count();
    match surt[word..].strip_prefix(b"://(") {
        Some(rest) => (&surt[..word + 3], rest, true),
        None => surt.strip_prefix(b"(").map_or((b"", surt, false), |rest| (b"", rest, true)),
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
