//! SSURT, urlcanon's form that sorts whole URLs: nothing is canonicalized. Must
//! not know what a key is.

use super::host;
use crate::host::ends_in_a_number;
use crate::split::{Split, split};

/// The SSURT of any bytes: host, port, scheme, userinfo, then the rest, so that the captures of one
/// host stand together whatever their schemes. A text without an authority comes back as it is.
///
/// ```
/// use urlkey::forms::surt::ssurt;
/// assert_eq!(ssurt(b"http://u:p@example.com:81/a?b#c"), b"com,example,//81:http@u:p:/a?b#c");
/// ```
pub fn ssurt(url: &[u8]) -> Vec<u8> {
    let parts = split(url);
    if !has_authority(&parts) {
        return url.to_vec();
    }
    let mut form = url[parts.leading.clone()].to_vec();
    write_host(&url[parts.host.clone()], &mut form);
    form.extend_from_slice(b"//");
    if let Some(port) = url[parts.port.clone()].strip_prefix(b":") {
        form.extend_from_slice(port);
        form.push(b':');
    }
    form.extend_from_slice(&url[parts.scheme.clone()]);
    if let Some(userinfo) = url[parts.userinfo.clone()].strip_suffix(b"@") {
        form.push(b'@');
        form.extend_from_slice(userinfo);
    }
    form.push(b':');
    form.extend_from_slice(&url[parts.path.start..]);
    form
}

pub(super) fn has_authority(parts: &Split) -> bool {
    !parts.host.is_empty()
}

/// The labels in reverse, each with a comma behind it; an address as it is.
pub(super) fn write_host(name: &[u8], form: &mut Vec<u8>) {
    if is_address(name) {
        return form.extend_from_slice(name);
    }
    // A comma that a label holds becomes a dot, so that the form can be turned back.
    let begin = form.len();
    host::reverse(name, false, form);
    let mut commas = name.iter().filter(|byte| matches!(byte, b'.' | b',')).rev();
    for byte in form[begin..].iter_mut().filter(|byte| **byte == b',') {
        *byte = if commas.next() == Some(&b',') { b'.' } else { b',' };
    }
    form.push(b',');
}

/// An IPv6 literal, or what the URL Standard reads as an IPv4 address.
fn is_address(name: &[u8]) -> bool {
    let mut labels = name.split(|&byte| byte == b'.');
    name.starts_with(b"[") || labels.clone().count() <= 4 && labels.all(ends_in_a_number)
}
