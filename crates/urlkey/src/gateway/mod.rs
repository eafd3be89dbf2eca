//! Whether a request may be made to a URL, and with which text. A strict check
//! refuses spellings that parsers read differently; every check refuses schemes,
//! ports and hosts that are not let through, of the URL and of what a known
//! redirector wraps. *Hand the href to the client, never the spelling.* Resolves
//! nothing: `check_resolved` is for whoever does. Must not know clients.

mod destination;
mod reasons;
mod rules;
mod spelling;
#[cfg(test)]
mod tests;

pub use reasons::{Group, Reason, Why};
pub use rules::{LONGEST, PORTS, Ports, Rules, SCHEMES};

use crate::ip::Address;
use crate::key::text_of_bytes;
use crate::origins::Origins;
use crate::split::split;
use crate::unwrap::{self, Hop, HopKind};
use crate::url::{Options, Url};

/// What to do with a URL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The URL to hand to the client, serialized anew; none where it is refused.
    pub href: Option<String>,
    /// The host to resolve, or the address to connect to: as resolvers take it, without
    /// brackets; none where the URL is refused.
    pub host: Option<String>,
    /// The port to connect to; none where the URL is refused.
    pub port: Option<u16>,
    /// The addresses that were checked, and that alone may be connected to: of a
    /// host that is an address, or those of `check_resolved`.
    pub addresses: Vec<Address>,
    /// All that speaks against it, in the order: spelling, destination, targets, addresses.
    pub reasons: Vec<Reason>,
    /// What known redirectors hold inside, outermost first; all of them where a link names two.
    pub targets: Vec<Target>,
}

impl Verdict {
    /// Whether the href may be requested.
    pub fn accepted(&self) -> bool {
        self.reasons.is_empty() && self.href.is_some()
    }

    /// A verdict with nothing but its reasons.
    pub fn refused(reason: Reason) -> Verdict {
        Verdict { reasons: vec![reason], ..Verdict::default() }
    }

    fn settle(mut self) -> Verdict {
        if !self.accepted() {
            self.href = None;
            self.host = None;
            self.port = None;
            self.addresses.clear();
        }
        self
    }
}

/// One layer that a known redirector holds inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The target as the link spells it, decoded.
    pub url: String,
    /// The id of the rule, `google-url`.
    pub rule: String,
    /// What the link was.
    pub kind: HopKind,
    /// The verdict on the target alone.
    pub verdict: Verdict,
}

/// Whether a URL may be requested. Takes any bytes; time is linear in them.
///
/// ```
/// use urlkey::gateway::{Rules, check};
/// let rules = Rules::default();
/// assert_eq!(check(b"HTTP://Shop.example/a/../b", &rules).href.as_deref(), Some("http://shop.example/b"));
/// let codes = |url: &str| -> Vec<_> { check(url.as_bytes(), &rules).reasons.iter().map(|why| why.code.as_str()).collect() };
/// assert_eq!(codes(r"http://shop.example\@evil.example/"), ["backslash"]);
/// assert_eq!(codes("http://0x7f.1/"), ["number-form-ipv4", "private-address"]);
/// ```
pub fn check(text: &[u8], rules: &Rules) -> Verdict {
    check_all(text, rules).settle()
}

/// As `check`, for whoever has resolved the host: refused where any of the
/// addresses is not globally reachable and none of the caller's own. Addresses are
/// IPv4 of four decimal parts, or IPv6. What is accepted has them in `addresses`:
/// connect to these and to no others, with the name in `Host` and SNI.
///
/// ```
/// use urlkey::gateway::{Rules, check_resolved};
/// let verdict = check_resolved(b"http://shop.example/", ["9.9.9.9", "127.0.0.1"], &Rules::default());
/// assert_eq!(verdict.reasons[0].text, "127.0.0.1 is in 127.0.0.0/8 (Loopback), which is not globally reachable");
/// ```
pub fn check_resolved<'a>(text: &[u8], addresses: impl IntoIterator<Item = &'a str>, rules: &Rules) -> Verdict {
    let mut verdict = check_all(text, rules);
    let literal = verdict.addresses.first().copied();
    let mut pinned = Vec::new();
    let mut none = true;
    for written in addresses {
        none = false;
        match dial(written, literal, rules) {
            Ok(address) if pinned.contains(&address) => {}
            Ok(address) => pinned.push(address),
            Err((code, text)) => verdict.reasons.push(Reason { code, at: None, part: None, text }),
        }
    }
    if none {
        let code = Why::NoAddress;
        verdict.reasons.push(Reason { code, at: None, part: None, text: code.says().to_owned() });
    }
    verdict.addresses = pinned;
    verdict.settle()
}

/// The verdict before it is settled: with all that is known of a refused URL too.
fn check_all(text: &[u8], rules: &Rules) -> Verdict {
    let mut verdict = check_alone(text, rules);
    if let Some(href) = verdict.href.clone() {
        check_targets(&href, rules, &mut verdict);
    }
    verdict
}

/// The address, if it may be connected to.
fn dial(written: &str, literal: Option<Address>, rules: &Rules) -> Result<Address, (Why, String)> {
    let address = Address::parse(written)
        .map_err(|error| (Why::NotAnAddress, format!("{}: {}", shown(written), error.code.says())))?;
    if let Some(literal) = literal.filter(|literal| *literal != address) {
        return Err((Why::OtherAddress, format!("the host is {literal}, not {address}")));
    }
    if rules.may_dial(address) {
        return Ok(address);
    }
    let host = match address {
        Address::V4(_) => address.to_string(),
        Address::V6(_) => format!("[{address}]"),
    };
    let why = crate::hosts::not_public(&host).map_or(Why::ResolvedAddress.says().to_owned(), |found| found.why);
    Err((Why::ResolvedAddress, why))
}

/// What a caller gave for an address, for eyes: its first characters, controls escaped.
fn shown(text: &str) -> String {
    let short: String = text.chars().take(60).collect();
    format!("{short:?}")
}

/// The verdict without what redirectors hold. The href is there where the text is a
/// URL, refused or not.
fn check_alone(text: &[u8], rules: &Rules) -> Verdict {
    if text.len() > rules.longest {
        let told = format!("{} bytes; allowed: {}", text.len(), rules.longest);
        return Verdict::refused(Reason::told(Why::TooLong, rules.longest, None, told));
    }
    let split = split(text);
    let mut reasons = if rules.strict { spelling::oddities(text, &split) } else { Vec::new() };
    let parsed = text_of_bytes(text)
        .and_then(|read| Url::parse(&read, &Options::default()).map_err(|error| Origins::of_bytes(text).error(error)));
    let url = match parsed {
        Ok(url) => url,
        Err(error) => {
            let told = format!("{}: {}", error.code, error.code.says());
            reasons.push(Reason::told(Why::NoUrl, error.at, spelling::part_at(&split, error.at), told));
            return Verdict { reasons, ..Verdict::default() };
        }
    };
    reasons.extend(destination::faults(&url, &split, rules));
    if url.href().len() > rules.longest {
        let told = format!("{} bytes when serialized; allowed: {}", url.href().len(), rules.longest);
        reasons.push(Reason::told(Why::TooLong, 0, None, told));
    }
    let destination = destination::of(&url);
    Verdict {
        addresses: destination.iter().filter_map(|found| found.address).collect(),
        port: destination.as_ref().map(|found| found.port),
        host: destination.map(|found| found.host),
        href: Some(url.href().to_owned()),
        reasons,
        targets: Vec::new(),
    }
}

/// The verdicts on what the URL holds inside. A copy that an archive or a cache shows
/// is followed by nobody, so it speaks against nothing, nor does what is in it.
fn check_targets(href: &str, rules: &Rules, verdict: &mut Verdict) {
    // The href is one of `check_alone`, and parses.
    let Ok(url) = Url::parse(href, &Options::default()) else { return };
    let (all, ended) = unwrap::held(&url, true, unwrap::MOST_LAYERS);
    let mut followed: Vec<bool> = Vec::new();
    for held in all {
        let Hop { url, rule, kind, .. } = held.hop;
        followed.push(kind != HopKind::Copy && held.within.is_none_or(|at| followed[at]));
        let inner = check_alone(url.as_bytes(), rules).settle();
        if followed.last() == Some(&true) && !inner.accepted() {
            let why = inner.reasons.iter().map(|reason| reason.text.as_str()).collect::<Vec<_>>().join("; ");
            let text = format!("inside {rule}: {why}");
            verdict.reasons.push(Reason { code: Why::RedirectTarget, at: None, part: None, text });
        }
        verdict.targets.push(Target { url, rule, kind, verdict: inner });
    }
    if !ended && (followed.is_empty() || followed.contains(&true)) {
        let code = Why::RedirectorLoop;
        verdict.reasons.push(Reason { code, at: None, part: None, text: code.says().to_owned() });
    }
}
