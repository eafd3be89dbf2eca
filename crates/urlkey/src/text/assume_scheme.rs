//! The repair `assume_scheme`: lists of hosts and of links as people write
//! them carry no scheme. Never acts beside a base, where they would be paths.

use crate::host::{HostKind, parse_host};
use crate::ladder::{Loss, Meta, Off};

/// A text that begins with a host is an `https:` URL.
pub static META: Meta = Meta {
    name: "assume_scheme",
    rule: "a text that begins with a host and names no scheme is taken for https",
    section: "https://www.rfc-editor.org/rfc/rfc3986#section-4.5",
    loss: Loss::Site,
    revision: 1,
    reason: "scheme",
    example: ("example.com/x", "https://example.com/x"),
};

/// The text with a scheme; None if it has one, or does not begin with a host.
///
/// `example.com:80/x` has a scheme by the syntax of URLs, but is meant as a
/// host and a port; `tel:112` and `a.b:c` are left alone.
pub(super) fn with_scheme(text: &str) -> Option<String> {
    if text.starts_with("//") {
        return Some(format!("https:{text}"));
    }
    let end = text.find(['/', '?', '#', '\\']).unwrap_or(text.len());
    let (host, port) = host_and_port(&text[..end]);
    let is_port = |port: &str| (1..=5).contains(&port.len()) && port.bytes().all(|byte| byte.is_ascii_digit());
    (port.is_none_or(is_port) && is_host(host)).then(|| format!("https://{text}"))
}

fn host_and_port(authority: &str) -> (&str, Option<&str>) {
    let after_brackets = authority.rfind(']').map_or(0, |bracket| bracket + 1);
    match authority[after_brackets..].find(':') {
        Some(colon) => {
            let colon = after_brackets + colon;
            (&authority[..colon], Some(&authority[colon + 1..]))
        }
        None => (authority, None),
    }
}

/// Whether a word is meant as a host: columns hold `n/a` and `3.14` too.
fn is_host(word: &str) -> bool {
    let mut out = String::new();
    let dots = out_of_root(word).matches('.').count();
    match parse_host(word, true, 0, &mut out, &mut Off) {
        Ok(HostKind::Ipv6) => true,
        Ok(HostKind::Ipv4) => dots == 3,
        Ok(HostKind::Domain) => {
            let name = out_of_root(&out);
            name == "localhost" || name.contains('.') && !name.split('.').any(str::is_empty)
        }
        _ => false,
    }
}

fn out_of_root(host: &str) -> &str {
    host.strip_suffix('.').unwrap_or(host)
}
