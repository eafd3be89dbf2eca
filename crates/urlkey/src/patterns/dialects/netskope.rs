//! URL lists of Netskope, of the kind "exact": `[*.]host[:port][/path]`, where
//! `*.` means the host and all below, and the path is how those of URLs begin.
//!
//! Source: <https://docs.netskope.com/en/url-lists/>,
//! <https://docs.netskope.com/en/url-list-best-practices/>.

use super::{Parts, host, parts};
use crate::host::HostKind;
use crate::patterns::model::{Depths, Fault, Pattern, Read, Target};

pub(super) fn read(text: &str) -> Read<Pattern> {
    // "We encourage users NOT to add scheme (http/https) to the URLs since they are ignored."
    let scheme = text.find("://").filter(|&end| !text[..end].contains(['/', '?', '#']));
    let at = scheme.map_or(0, |end| end + 3);
    let text = &text[at..];
    let below = usize::from(text.starts_with("*.")) * 2;
    if let Some(star) = text[below..].find('*') {
        return Err(Fault::new(at + below + star, "one * at most, the first character, and a dot after it"));
    }
    let end = text.find(['/', '?', '#']).unwrap_or(text.len());
    if let Some(sign) = text[..end].find('@') {
        return Err(Fault::new(at + sign, "user:password@host is not supported"));
    }
    let Parts { host: name, host_at, port, rest } = parts(&text[below..], at + below)?;
    let (host, kind) = host(name, host_at)?;
    let depths = match kind {
        HostKind::Domain => {
            labels(&host, host_at)?;
            if below > 0 { Depths::AT_OR_BELOW } else { Depths::EXACT }
        }
        _ if below > 0 => return Err(Fault::new(at, "nothing is below an IP address")),
        _ => Depths::EXACT,
    };
    let rest_at = at + text.len() - rest.len();
    escapes(rest, rest_at)?;
    let path = super::without_fragment(rest);
    let path = if path.starts_with('?') { format!("/{path}") } else { path.to_owned() };
    Ok(Pattern { path, port, ..Pattern::new(Target::Tail { host, depths }) })
}

/// "Constructed only from letters, digits and dashes, cannot start or end with dash."
fn labels(host: &str, at: usize) -> Read<()> {
    let wrong = |label: &str| {
        label.starts_with('-')
            || label.ends_with('-')
            || !label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    match host.split('.').any(wrong) {
        true => Err(Fault::new(at, "hosts have letters, digits and dashes, and no dash at the ends of a label")),
        false => Ok(()),
    }
}

/// "Any combination of unreserved, percent encoding and delimiters."
fn escapes(rest: &str, at: usize) -> Read<()> {
    let bytes = rest.as_bytes();
    for (n, &byte) in bytes.iter().enumerate() {
        let is_escape = || bytes.get(n + 1..n + 3).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
        let allowed = byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=/?#:@[]".contains(&byte);
        if !(allowed || byte == b'%' && is_escape()) {
            return Err(Fault::new(at + n, "a character that must be escaped, or an escape without two digits"));
        }
    }
    Ok(())
}
