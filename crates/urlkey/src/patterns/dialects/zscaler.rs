//! URLs of Zscaler Internet Access. A leading dot: the host and those up to five
//! levels below; without one, the very host. A path that ends with a slash: all
//! below; another: that file.
//!
//! Source: <https://help.zscaler.com/zia/url-format-guidelines>.

use super::{Parts, host, parts};
use crate::host::HostKind;
use crate::patterns::model::{Depths, End, Fault, Pattern, Read, Target};

/// "The URL length cannot exceed 1024 characters."
const MOST: usize = 1024;
/// "A wildcard to the left of the named URL up to 5 subdomain levels deep."
const LEVELS: Depths = Depths { least: 0, most: 5 };

pub(super) fn read(text: &str) -> Read<Pattern> {
    if text.len() > MOST {
        return Err(Fault::new(MOST, "the URL is longer than 1024 characters"));
    }
    if let Some(at) = text.bytes().position(|byte| byte.is_ascii_uppercase()) {
        return Err(Fault::new(at, "URLs are entered in lower case"));
    }
    if text.contains("://") {
        return Err(Fault::new(0, "the URL must not contain a scheme"));
    }
    if let Some(at) = text.find('*') {
        return Err(Fault::new(at, "a leading dot is the only wildcard"));
    }
    let dot = usize::from(text.starts_with('.'));
    let Parts { host: name, host_at, port, rest } = parts(&text[dot..], dot)?;
    let (host, kind) = host(name, host_at)?;
    if kind == HostKind::Domain {
        labels(&host, host_at)?;
    }
    let depths = if dot == 1 && kind == HostKind::Domain { LEVELS } else { Depths::EXACT };
    let path = super::without_fragment(rest);
    let end = if path.is_empty() || path.ends_with('/') { End::Any } else { End::File };
    let path = if path.starts_with('?') { format!("/{path}") } else { path.to_owned() };
    Ok(Pattern { path, end, port, ..Pattern::new(Target::Tail { host, depths }) })
}

/// What the guidelines say of labels.
fn labels(host: &str, at: usize) -> Read<()> {
    let labels: Vec<&str> = host.split('.').collect();
    let [below @ .., second, top] = labels.as_slice() else {
        return Err(Fault::new(at, "a URL cannot be a top-level domain alone"));
    };
    if host.len() > 255 || labels.iter().any(|label| label.len() > 63) {
        return Err(Fault::new(at, "a domain has at most 255 characters, 63 between two dots"));
    }
    if top.contains('_') || !below.is_empty() && second.contains('_') {
        return Err(Fault::new(at, "no _ in the top-level domain, nor in the one below it if there are others"));
    }
    match below.contains(&"_") {
        true => Err(Fault::new(at, "a _ alone cannot be a subdomain")),
        false => Ok(()),
    }
}
