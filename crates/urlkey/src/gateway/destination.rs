//! What every check refuses: where a parsed URL leads. Must not know how it was
//! written.

use idna::uts46::{AsciiDenyList, Hyphens, Uts46};

use super::reasons::{Reason, Why};
use super::rules::{Rules, default_port};
use super::spelling::{has_odd_hyphens, part_at};
use crate::host::{HostKind, to_ascii};
use crate::hosts::not_public;
use crate::ip::Address;
use crate::ladder::Part;
use crate::split::Split;
use crate::url::Url;

/// A name of the DNS: RFC 1035, section 2.3.4, without the dot of the root.
const NAME_BYTES: usize = 253;
const LABEL_BYTES: usize = 63;

/// Where a URL leads.
pub(super) struct Destination {
    /// The host as a resolver takes it: no brackets.
    pub host: String,
    /// The port, the scheme's own where the URL has none.
    pub port: u16,
    /// The address, where the host is one.
    pub address: Option<Address>,
}

/// The destination of a URL; none where its scheme or host is not one that can have any.
pub(super) fn of(url: &Url) -> Option<Destination> {
    let host = url.host()?;
    let port = url.port().or(default_port(url.scheme()))?;
    let address = match url.host_kind() {
        HostKind::Ipv4 | HostKind::Ipv6 => Some(Address::parse(host).ok()?),
        HostKind::Domain => None,
        _ => return None,
    };
    Some(Destination { host: host.trim_matches(['[', ']']).to_owned(), port, address })
}

/// All that speaks against a destination; `split` is of the text, for places in it.
pub(super) fn faults(url: &Url, split: &Split, rules: &Rules) -> Vec<Reason> {
    let mut found = Vec::new();
    let mut tell = |code, range: &std::ops::Range<usize>, part, text| {
        found.push(Reason::told(code, range.start, part_at(split, range.start).or(Some(part)), text));
    };
    let scheme = url.scheme();
    if !rules.schemes.iter().any(|allowed| allowed == scheme) {
        let text = format!("the scheme is {scheme}; allowed: {}", rules.schemes.join(", "));
        tell(Why::Scheme, &split.scheme, Part::Scheme, text);
        return found;
    }
    let Some(destination) = of(url) else {
        tell(Why::NoUrl, &split.host, Part::Host, "host-missing: the URL has no host to connect to".to_owned());
        return found;
    };
    if !rules.ports.allow(destination.port) {
        let text = format!("the port is {}; allowed: {}", destination.port, rules.ports.says());
        let place = if split.port.is_empty() { &split.scheme } else { &split.port };
        tell(Why::Port, place, Part::Port, text);
    }
    if url.has_userinfo() && !rules.strict {
        tell(Why::Userinfo, &split.userinfo, Part::Userinfo, Why::Userinfo.says().to_owned());
    }
    if let Some((code, text)) = host_fault(&destination, url.host().unwrap_or_default(), rules) {
        tell(code, &split.host, Part::Host, text);
    }
    found
}

/// The first thing that speaks against a serialized host.
fn host_fault(destination: &Destination, host: &str, rules: &Rules) -> Option<(Why, String)> {
    match destination.address {
        Some(address) if rules.own_address(address) => return None,
        Some(_) => {}
        None => {
            if let Some(fault) = name_fault(host) {
                return Some(fault);
            }
            if rules.own_host(host) {
                return None;
            }
        }
    }
    let found = not_public(host)?;
    let code = Why::ALL.iter().copied().find(|why| why.as_str() == found.code).unwrap_or(Why::NoUrl);
    Some((code, found.why))
}

/// Why a name is none that the DNS has: clients differ in what they make of it.
fn name_fault(host: &str) -> Option<(Why, String)> {
    let says = |code: Why| Some((code, code.says().to_owned()));
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    if !host.bytes().all(plain) {
        return says(Why::HostCharacter);
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    if name.split('.').any(str::is_empty) {
        return says(Why::EmptyLabel);
    }
    let odd = |label: &str| label.len() > LABEL_BYTES || label.starts_with('-') || label.ends_with('-');
    if name.len() > NAME_BYTES || name.split('.').any(odd) {
        return says(Why::HostLabel);
    }
    if name.split('.').any(|label| label.starts_with("xn--")) && !is_what_idna_writes(name) {
        return says(Why::Punycode);
    }
    None
}

/// Whether a name comes back as it is by way of Unicode.
fn is_what_idna_writes(name: &str) -> bool {
    let (unicode, valid) = Uts46::new().to_unicode(name.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow);
    let hyphens = unicode.split('.').any(|label| !label.is_ascii() && has_odd_hyphens(label));
    valid.is_ok() && !hyphens && to_ascii(&unicode).is_ok_and(|ascii| ascii == name)
}
