//! URL lists of Google Cloud's Secure Web Proxy: `*example.com` is the domain and
//! all below, `*.example.com` all below, `example.com` the very host; a path is
//! the whole of it unless it ends with `*`.
//!
//! Source: <https://cloud.google.com/secure-web-proxy/docs/url-list-syntax-reference>.

use super::host;
use crate::host::HostKind;
use crate::patterns::model::{Depths, End, Fault, Pattern, Read, Target};

pub(super) fn read(text: &str) -> Read<Pattern> {
    if text.contains("://") {
        return Err(Fault::new(0, "an entry begins with a domain, not with a scheme"));
    }
    if !text.contains('.') {
        return Err(Fault::new(0, "entries without a period are invalid"));
    }
    let end = text.find('/').unwrap_or(text.len());
    let (authority, path) = text.split_at(end);
    let (at, depths) = match authority.as_bytes() {
        [b'*', b'.', ..] => (2, Depths::BELOW),
        [b'*', ..] => (1, Depths::AT_OR_BELOW),
        _ => (0, Depths::EXACT),
    };
    let name = &authority[at..];
    if let Some(colon) = name.find(':').filter(|_| !name.starts_with('[')) {
        return Err(Fault::new(at + colon, "an entry has no port"));
    }
    let (host, kind) = host(name, at)?;
    if kind != HostKind::Domain && at > 0 {
        return Err(Fault::new(0, "nothing is below an IP address"));
    }
    let (path, end) = match path.find('*') {
        // "If a path separator isn't provided, then UrlList matches any path."
        None if path.is_empty() => ("", End::Any),
        None => (path, End::Whole),
        Some(star) if star + 1 == path.len() => (&path[..star], End::Any),
        Some(star) => return Err(Fault::new(authority.len() + star, "in a path, * is the last character")),
    };
    if let Some(mark) = path.find(['?', '#']) {
        return Err(Fault::new(authority.len() + mark, "an entry has no parameters"));
    }
    Ok(Pattern { path: path.to_owned(), end, ..Pattern::new(Target::Tail { host, depths }) })
}
