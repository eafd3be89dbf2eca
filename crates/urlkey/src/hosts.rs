//! What is known of single hosts: URL shorteners, names of special use, and
//! whether a public server can stand behind a host at all. Reads serialized hosts;
//! must not know URLs, nor resolve anything.

mod data;

use crate::host::ends_in_a_number;
use crate::ip::{Address, IpClass, classify};

/// A URL shortener.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortener {
    /// Whose it is.
    pub owner: String,
    /// `open`, `branded`, `app`, `paid` or `logger`.
    pub kind: String,
}

/// A name of special use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecialUse {
    /// The name; it counts with all below.
    pub name: String,
    /// `loopback`, `private`, `wildcard`, `unresolvable`, `overlay` or `documentation`.
    pub kind: String,
    /// Who says so.
    pub source: String,
}

/// Whether the host is one of a URL shortener, matched by label.
///
/// ```
/// use urlkey::hosts::is_shortener;
/// assert!(is_shortener("bit.ly") && is_shortener("www.bit.ly."));
/// assert!(!is_shortener("notbit.ly") && !is_shortener("youtu.be"));
/// ```
pub fn is_shortener(host: &str) -> bool {
    shortener(host).is_some()
}

/// The shortener whose host this is.
pub fn shortener(host: &str) -> Option<&'static Shortener> {
    data::shorteners().find(host)
}

/// The name of special use that the host is, or is below; the longest of them.
///
/// Source: <https://www.iana.org/assignments/special-use-domain-names/>.
///
/// ```
/// use urlkey::hosts::special_use;
/// assert_eq!(special_use("a.localhost.").map(|found| found.kind.as_str()), Some("loopback"));
/// assert_eq!(special_use("notlocalhost"), None);
/// ```
pub fn special_use(host: &str) -> Option<&'static SpecialUse> {
    data::special_use().find(host)
}

/// Why no public server can stand behind a host, or why nobody can tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotPublic {
    /// `private-address`, `private-name`, `single-label`, `special-use-name` or `empty-label`.
    pub code: &'static str,
    /// One sentence: lower case, no full stop.
    pub why: String,
}

/// Why this serialized host is no public one; none where nothing speaks against it.
/// A name can still resolve to a private address: whoever connects checks each
/// address with `classify_ip`, and connects to the one that was checked.
///
/// ```
/// use urlkey::hosts::not_public;
/// let code = |host: &str| not_public(host).map(|found| found.code);
/// assert_eq!(code("127.0.0.1"), Some("private-address"));
/// assert_eq!(code("printer.local"), Some("private-name"));
/// assert_eq!(code("shop.example"), None);
/// ```
pub fn not_public(host: &str) -> Option<NotPublic> {
    if host.starts_with('[') || ends_in_a_number(host.as_bytes()) {
        return match Address::parse(host) {
            Ok(address) => private_address(&classify(address)),
            Err(error) => no("private-address", format!("{host} is no address that can be checked: {error}")),
        };
    }
    let name = bare(host);
    if name.is_empty() || name.split('.').any(str::is_empty) {
        return no("empty-label", "a label of the host is empty".to_owned());
    }
    if let Some(found) = special_use(name) {
        return special_name(found);
    }
    match name.contains('.') {
        true => None,
        false => no("single-label", format!("{name} has one label: only a network's own search list finds it")),
    }
}

fn no(code: &'static str, why: String) -> Option<NotPublic> {
    Some(NotPublic { code, why })
}

fn private_address(found: &IpClass) -> Option<NotPublic> {
    if found.is_global() {
        return None;
    }
    if let Some(inner) = found.embedded.iter().find(|inner| !inner.is_global()) {
        let why = private_address(inner).map(|inner| inner.why).unwrap_or_default();
        return no("private-address", format!("{} holds {}: {why}", found.address, inner.address));
    }
    let address = &found.address;
    if let Some(service) = found.service {
        return no("private-address", format!("{address} is a cloud's: {service}"));
    }
    let (block, name) = (found.block.unwrap_or("no block"), found.name.unwrap_or("unknown"));
    no("private-address", format!("{address} is in {block} ({name}), which is not globally reachable"))
}

fn special_name(found: &SpecialUse) -> Option<NotPublic> {
    let SpecialUse { name, source, .. } = found;
    match found.kind.as_str() {
        "documentation" => None,
        "loopback" => no("private-name", format!("{name} is this machine itself ({source})")),
        "private" => no("private-name", format!("{name} is for private networks ({source})")),
        "wildcard" => {
            no("private-name", format!("names below {name} resolve to any address written into them ({source})"))
        }
        "overlay" => no("special-use-name", format!("{name} is a network of its own ({source})")),
        _ => no("special-use-name", format!("{name} is in no public DNS ({source})")),
    }
}

/// Without the dot of the root.
fn bare(host: &str) -> &str {
    host.strip_suffix('.').unwrap_or(host)
}

/// Rows by name; a name counts with all below it.
struct Names<T> {
    /// Sorted by name.
    rows: Vec<(String, T)>,
    /// Bytes of the longest name.
    longest: usize,
}

impl<T> Names<T> {
    /// Rows that are sorted by name, none twice.
    fn new(rows: Vec<(String, T)>) -> Names<T> {
        let longest = rows.iter().map(|row| row.0.len()).max().unwrap_or(0);
        Names { rows, longest }
    }

    /// The row of the longest name that the host is or is below. Only as many bytes
    /// as the longest name has are looked at, whatever the length of the host.
    fn find(&self, host: &str) -> Option<&T> {
        let host = bare(host);
        let from = host.len().saturating_sub(self.longest);
        let starts = (from..host.len()).filter(|&at| at == 0 || host.as_bytes()[at - 1] == b'.');
        starts.filter_map(|at| host.get(at..)).find_map(|name| {
            let found = self.rows.binary_search_by(|row| row.0.as_str().cmp(name)).ok()?;
            Some(&self.rows[found].1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(host: &str) -> Option<&'static str> {
        not_public(host).map(|found| found.code)
    }

    #[test]
    fn hosts_are_matched_by_label() {
        for yes in ["t.co", "www.t.co", "a.app.link", "maps.app.goo.gl", "on.wsj.com", "bit.ly."] {
            assert!(is_shortener(yes), "{yes}");
        }
        for no in ["at.co", "t.co.example", "wsj.com", "link", "co", "", ".", "ly", "bit.ly..", "youtu.be", "[::1]"] {
            assert!(!is_shortener(no), "{no}");
        }
        assert!(!is_shortener(&"ü.".repeat(9)));
    }

    #[test]
    fn private_hosts_are_told_apart() {
        for (host, wanted) in [
            ("169.254.169.254", Some("private-address")),
            ("168.63.129.16", Some("private-address")),
            ("[::1]", Some("private-address")),
            ("[64:ff9b::7f00:1]", Some("private-address")),
            ("[64:ff9b::808:808]", None),
            ("[2a00:1450:4001::1]", None),
            ("8.8.8.8", None),
            ("localhost", Some("private-name")),
            ("a.b.localhost.", Some("private-name")),
            ("metadata.google.internal", Some("private-name")),
            ("10.0.0.1.nip.io", Some("private-name")),
            ("router.lan", Some("private-name")),
            ("x.invalid", Some("special-use-name")),
            ("abcdef.onion", Some("special-use-name")),
            ("1.0.0.10.in-addr.arpa", Some("special-use-name")),
            ("intranet", Some("private-name")),
            ("wiki", Some("single-label")),
            ("wiki.", Some("single-label")),
            ("com", Some("single-label")),
            ("localhost..", Some("empty-label")),
            ("127.0.0.1..", Some("empty-label")),
            ("a..example", Some("empty-label")),
            ("", Some("empty-label")),
            (".", Some("empty-label")),
            ("example.com", None),
            ("a.example", None),
            ("notlocalhost.example", None),
            ("internal.example", None),
        ] {
            assert_eq!(code(host), wanted, "{host}");
        }
    }
}
