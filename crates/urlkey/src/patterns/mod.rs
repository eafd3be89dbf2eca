//! Allow and deny lists in the formats of products: Chrome's URLBlocklist, ACLs
//! of Squid, lists of Zscaler, Netskope, PAN-OS and Secure Web Proxy. The same
//! text means other URLs in each, so each is read by its own rules into one
//! matcher. Must not know files.
//!
//! Hosts are found by the hash of each suffix, paths by the longest prefix that
//! the list has of them: a binary search over lengths (Waldvogel's). What a match
//! costs depends on the URL, not on how many patterns there are. Expressions, and
//! wildcards within PAN-OS entries, go into a regular expression set.

mod builder;
mod dialects;
mod embedded;
mod expressions;
mod hash;
mod hosts;
mod lookup;
mod model;
mod paths;
mod query;
mod subject;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub use builder::{Builder, PatternError};
pub use embedded::embedded;
pub use lookup::{Lookup, Match};

use expressions::Expressions;
use hosts::Hosts;

/// Whose format the lines are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// URLBlocklist and URLAllowlist of Chrome and Edge.
    Chrome,
    /// Lines `acl NAME TYPE VALUE...` or `TYPE VALUE...` of Squid.
    Squid,
    /// One host a line, as Squid's `dstdomain` has them.
    SquidDomain,
    /// One expression a line, for the whole URL.
    SquidUrl,
    /// One expression a line, for path and query.
    SquidPath,
    /// Custom URL categories of Zscaler Internet Access.
    Zscaler,
    /// URL lists of Netskope, of the kind "exact".
    Netskope,
    /// Custom URL categories of PAN-OS, where an entry has an implicit `*` at its right.
    PanOs,
    /// The same where the firewall ends a domain entry with `/`, its default since 10.2.
    PanOsSlash,
    /// URL lists of Google Cloud's Secure Web Proxy.
    SecureWebProxy,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Dialect; 10] = [
        Dialect::Chrome,
        Dialect::Squid,
        Dialect::SquidDomain,
        Dialect::SquidUrl,
        Dialect::SquidPath,
        Dialect::Zscaler,
        Dialect::Netskope,
        Dialect::PanOs,
        Dialect::PanOsSlash,
        Dialect::SecureWebProxy,
    ];

    /// Its name: `chrome`, `squid`, `pan-os` and so on.
    pub const fn as_str(self) -> &'static str {
        match self {
            Dialect::Chrome => "chrome",
            Dialect::Squid => "squid",
            Dialect::SquidDomain => "squid-dstdomain",
            Dialect::SquidUrl => "squid-url_regex",
            Dialect::SquidPath => "squid-urlpath_regex",
            Dialect::Zscaler => "zscaler",
            Dialect::Netskope => "netskope",
            Dialect::PanOs => "pan-os",
            Dialect::PanOsSlash => "pan-os-10.2",
            Dialect::SecureWebProxy => "secure-web-proxy",
        }
    }

    /// By its name.
    pub fn named(name: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|dialect| dialect.as_str() == name)
    }

    /// Whether the paths of its patterns have no case.
    fn folds_paths(self) -> bool {
        matches!(self, Dialect::Zscaler | Dialect::PanOs | Dialect::PanOsSlash)
    }
}

/// Which of two lists a pattern stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum List {
    /// What is allowed in spite of the other.
    Allow,
    /// What is blocked.
    Block,
}

impl List {
    /// Its name: `block` or `allow`.
    pub const fn as_str(self) -> &'static str {
        match self {
            List::Allow => "allow",
            List::Block => "block",
        }
    }
}

/// A pattern as it is told of: where it stands and why it would match.
#[derive(Clone, Debug)]
struct Row {
    list: List,
    line: u32,
    text: Range<u32>,
    why: model::Why,
}

/// Patterns of a dialect, compiled into one matcher.
///
/// ```
/// use urlkey::patterns::{Builder, Dialect, List, Lookup};
/// let mut builder = Builder::new(Dialect::Chrome, &[7; 16]);
/// builder.line(List::Block, b"example.com");
/// builder.line(List::Allow, b"example.com/help");
/// let (set, errors) = builder.finish();
/// assert!(errors.is_empty());
/// let list = |url: &str| set.find(url.as_bytes(), &mut Lookup::default()).unwrap().map(|found| found.list);
/// assert_eq!(list("https://www.example.com/"), Some(List::Block));
/// assert_eq!(list("https://www.example.com/help/me"), Some(List::Allow));
/// assert_eq!(list("https://notexample.com/"), None);
/// ```
pub struct PatternSet {
    dialect: Dialect,
    kept: usize,
    rows: Vec<Row>,
    texts: String,
    hosts: Hosts,
    expressions: Expressions,
}

impl PatternSet {
    /// Whose format its lines were in.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Patterns, repeated ones counted.
    pub fn len(&self) -> usize {
        self.kept
    }

    /// Whether there is no pattern.
    pub fn is_empty(&self) -> bool {
        self.kept == 0
    }

    /// Patterns that are matched by expressions: those of Squid, and of PAN-OS with a wildcard
    /// between other tokens.
    pub fn expressions(&self) -> usize {
        self.expressions.len()
    }

    fn text(&self, row: &Row) -> &str {
        &self.texts[row.text.start as usize..row.text.end as usize]
    }
}
