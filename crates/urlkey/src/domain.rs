//! Where a host's registrable domain begins, and patterns that hosts are
//! matched against, label by label. Reads serialized hosts; must not know what
//! a rule does to the hosts that it matches.

use crate::error::ParseError;
use crate::host::{HostKind, ends_in_a_number, parse_host};
use crate::ladder::Off;

/// The version of the pinned `psl` crate, which carries the public suffix list.
/// Part of the policy id, since a new list changes keys.
pub const PSL_VERSION: &str = "2.1.247";

/// The byte offset in `host`, a serialized host, at which its registrable
/// domain begins; None for an IP address, a single label and a bare public
/// suffix. The whole list counts, its private section too; a suffix that it
/// does not hold is one label long. One trailing dot is looked past.
///
/// Source: <https://github.com/publicsuffix/list/wiki/Format#algorithm>.
///
/// ```
/// use urlkey::registrable_start;
/// assert_eq!(registrable_start("www.shop.co.uk"), Some(4));
/// assert_eq!(registrable_start("co.uk"), None);
/// ```
pub fn registrable_start(host: &str) -> Option<usize> {
    let name = bare(host);
    let suffix = suffix_start(name)?;
    let label_end = suffix.checked_sub(1)?;
    let start = name[..label_end].rfind('.').map_or(0, |dot| dot + 1);
    (start < label_end).then_some(start)
}

/// The registrable domain of a serialized host, without a trailing dot; None
/// where `registrable_start` is.
///
/// ```
/// use urlkey::registrable_domain;
/// assert_eq!(registrable_domain("a.someone.github.io"), Some("someone.github.io"));
/// assert_eq!(registrable_domain("127.0.0.1"), None);
/// ```
pub fn registrable_domain(host: &str) -> Option<&str> {
    registrable_start(host).map(|start| &bare(host)[start..])
}

/// As `registrable_domain`, under the list's ICANN section alone: names below
/// the suffixes of companies (`github.io`) are those companies'.
///
/// ```
/// use urlkey::registrable_icann;
/// assert_eq!(registrable_icann("a.someone.github.io"), Some("github.io"));
/// assert_eq!(registrable_icann("www.shop.co.uk"), Some("shop.co.uk"));
/// ```
pub fn registrable_icann(host: &str) -> Option<&str> {
    let name = bare(host);
    let mut suffix = suffix_start(name)?;
    let mut found = psl::suffix(name.as_bytes())?;
    // A rule of the private section hides the one of the other that it stands below.
    while found.typ() == Some(psl::Type::Private) {
        let above = suffix + name[suffix..].find('.')? + 1;
        found = psl::suffix(&name.as_bytes()[above..])?;
        suffix = name.len().checked_sub(found.as_bytes().len())?;
    }
    let label_end = suffix.checked_sub(1)?;
    let start = name[..label_end].rfind('.').map_or(0, |dot| dot + 1);
    (start < label_end).then(|| &name[start..])
}

fn bare(host: &str) -> &str {
    host.strip_suffix('.').unwrap_or(host)
}

/// Where the public suffix of a name without trailing dot begins.
fn suffix_start(name: &str) -> Option<usize> {
    if name.starts_with('[') || ends_in_a_number(name.as_bytes()) {
        return None;
    }
    let suffix = psl::suffix(name.as_bytes())?;
    name.len().checked_sub(suffix.as_bytes().len())
}

/// Which hosts a rule is for, matched by label, never by the end of the text:
///
/// | pattern | hosts |
/// |---|---|
/// | `*` | any |
/// | `shop.example` | this one |
/// | `*.shop.example` | this one and all below |
/// | `shop.<suffix>` | `shop` before any public suffix, and all below |
///
/// ```
/// use urlkey::HostPattern;
/// let pattern = HostPattern::parse("*.youtube.com")?;
/// assert!(pattern.matches("youtube.com") && pattern.matches("m.youtube.com"));
/// assert!(!pattern.matches("notyoutube.com"));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostPattern {
    kind: Kind,
    /// A serialized host, or the labels before `.<suffix>`; no trailing dot.
    labels: Box<str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Kind {
    Any,
    BeforeSuffix,
    Below,
    Exact,
}

const BELOW: &str = "*.";
const BEFORE_SUFFIX: &str = ".<suffix>";

impl HostPattern {
    /// The pattern that this text writes; an error says what is allowed. Hosts
    /// are parsed as those of `https`: any case, beyond ASCII, IP addresses.
    pub fn parse(text: &str) -> Result<HostPattern, String> {
        if text == "*" {
            return Ok(HostPattern { kind: Kind::Any, labels: "".into() });
        }
        let (kind, host) = if let Some(host) = text.strip_suffix(BEFORE_SUFFIX) {
            (Kind::BeforeSuffix, host)
        } else if let Some(host) = text.strip_prefix(BELOW) {
            (Kind::Below, host)
        } else {
            (Kind::Exact, text)
        };
        let labels = serialize(kind, host).ok_or_else(|| {
            format!("host pattern {text:?} is none of *, shop.example, *.shop.example, shop.<suffix>")
        })?;
        Ok(HostPattern { kind, labels: labels.into() })
    }

    /// Whether this serialized host is one of the pattern's. One trailing dot
    /// is looked past.
    pub fn matches(&self, host: &str) -> bool {
        let host = bare(host);
        match self.kind {
            Kind::Any => true,
            Kind::Exact => host == &*self.labels,
            Kind::Below => is_at_or_below(host, &self.labels),
            Kind::BeforeSuffix => suffix_start(host)
                .and_then(|suffix| host[..suffix].strip_suffix('.'))
                .is_some_and(|before| is_at_or_below(before, &self.labels)),
        }
    }
}

impl HostPattern {
    /// As `matches`, but `shop.<suffix>` is that very name before a suffix of
    /// the list's ICANN section: what others registered below `blogspot.com`
    /// and the like is theirs.
    pub(crate) fn matches_itself(&self, host: &str) -> bool {
        if self.kind != Kind::BeforeSuffix {
            return self.matches(host);
        }
        let host = bare(host);
        let suffix = psl::suffix(host.as_bytes()).filter(|suffix| suffix.typ() == Some(psl::Type::Icann));
        let before = suffix.and_then(|suffix| host.len().checked_sub(suffix.as_bytes().len() + 1));
        before.is_some_and(|end| host[..end] == *self.labels)
    }
}

impl std::fmt::Display for HostPattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind {
            Kind::Any => f.write_str("*"),
            Kind::Exact => f.write_str(&self.labels),
            Kind::Below => write!(f, "{BELOW}{}", self.labels),
            Kind::BeforeSuffix => write!(f, "{}{BEFORE_SUFFIX}", self.labels),
        }
    }
}

/// The host part of a pattern as hosts are serialized; None if it is no host,
/// or if nothing can be below it.
fn serialize(kind: Kind, host: &str) -> Option<String> {
    let mut out = String::new();
    let parsed: Result<HostKind, ParseError> = parse_host(host, true, 0, &mut out, &mut Off);
    let fits = match parsed.ok()? {
        HostKind::Domain => !out.contains('*') && out.split('.').all(|label| !label.is_empty()),
        HostKind::Ipv4 | HostKind::Ipv6 => kind == Kind::Exact,
        HostKind::None | HostKind::Empty | HostKind::Opaque => false,
    };
    fits.then_some(out)
}

fn is_at_or_below(host: &str, apex: &str) -> bool {
    host.strip_suffix(apex).is_some_and(|below| below.is_empty() || below.ends_with('.'))
}
