//! Which pattern decides about a URL.

use std::borrow::Cow;

use super::hosts::{Asked, Place};
use super::paths::{Leaf, Prefixes};
use super::query::Fields;
use super::subject::Subject;
use super::{Dialect, List, PatternSet, Row, embedded};
use crate::error::{Code, ParseError};
use crate::key::text_of_bytes;

/// Schemes that the `*` of a block list of Chrome leaves alone.
const BEYOND_WILDCARD: [&str; 3] = ["chrome-extension", "chrome-native", "chrome-search"];

/// The pattern that decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match<'s> {
    /// The pattern as the line writes it.
    pub pattern: &'s str,
    /// Which list it stands in.
    pub list: List,
    /// Its line there, counted from 1.
    pub line: u32,
    /// What of the URL it names: `the host or one below, its path`.
    pub reason: String,
    /// The URL inside this one that it names, where it is not the URL itself.
    pub embedded: Option<String>,
}

/// Buffers that are reused from URL to URL.
#[derive(Default)]
pub struct Lookup {
    subject: Subject,
    suffixes: Vec<(u32, u64)>,
    prefixes: Prefixes,
}

/// How much a pattern has to say: compared from left to right.
type Rank = (bool, usize, usize, usize, bool, bool, std::cmp::Reverse<u32>);

#[derive(Default)]
struct Best {
    found: Option<(Rank, u32)>,
}

impl Best {
    fn offer(&mut self, rank: Rank, row: u32) {
        if self.found.is_none_or(|(best, _)| rank > best) {
            self.found = Some((rank, row));
        }
    }

    fn is_block(&self) -> bool {
        self.found.is_some_and(|(rank, _)| rank.0)
    }
}

impl PatternSet {
    /// The pattern that decides about the URL; None: no pattern names it.
    ///
    /// In Chrome the most specific one decides: a host without those below it, then the longest
    /// host, the longest path, the most fields of a query; at a tie the one that allows. A URL
    /// inside this one is asked about too, and blocks it. In the other dialects a pattern that
    /// blocks goes before one that allows, whatever their lengths.
    ///
    /// Errors: those of the URL Standard; `host-missing` where a dialect other than Chrome is
    /// asked about a URL without a host. Time is linear in the URL, whatever the number of
    /// patterns; that of expressions grows with their size.
    pub fn find(&self, url: &[u8], lookup: &mut Lookup) -> Result<Option<Match<'_>>, ParseError> {
        // UTF-8 is looked at once, not twice.
        let text = std::str::from_utf8(url).map_or_else(|_| text_of_bytes(url), |text| Ok(Cow::Borrowed(text)))?;
        let found = self.decide(&text, lookup)?;
        if self.dialect == Dialect::Chrome
            && found.is_none_or(|row| row.list == List::Allow)
            && let Some(inner) = embedded::of(lookup.subject.url())
        {
            // What is inside and no URL is nothing that a pattern could name.
            if let Some(row) = self.decide(&inner, lookup).ok().flatten().filter(|row| row.list == List::Block) {
                return Ok(Some(Match { embedded: Some(inner), ..self.told(row) }));
            }
        }
        Ok(found.map(|row| self.told(row)))
    }

    fn told(&self, row: &Row) -> Match<'_> {
        let Row { list, line, why, .. } = *row;
        Match { pattern: self.text(row), list, line, reason: why.says(), embedded: None }
    }

    fn decide(&self, text: &str, lookup: &mut Lookup) -> Result<Option<&Row>, ParseError> {
        let Lookup { subject, suffixes, prefixes } = lookup;
        subject.read(text, self.dialect)?;
        let host = subject.host(self.dialect);
        if host.is_empty() && self.dialect != Dialect::Chrome {
            return Err(ParseError::new(Code::HostMissing, 0));
        }
        if subject.url().scheme() == "blob" && self.dialect == Dialect::Chrome {
            return Ok(None);
        }
        let asked = Asked { scheme: subject.scheme(), host, is_address: subject.is_address(), port: subject.port() };
        let mut best = Best::default();
        self.find_hosts(subject, &asked, suffixes, prefixes, &mut best);
        if !best.is_block() || self.dialect == Dialect::Chrome {
            self.expressions.find(subject, self.dialect, |list, row| best.offer(self.rank(list, row, 0, None), row));
        }
        let found = best.found.map(|(_, row)| &self.rows[row as usize]);
        let bypasses =
            |row: &Row| row.list == List::Block && self.is_wild(row) && BEYOND_WILDCARD.contains(&asked.scheme);
        Ok(found.filter(|row| !bypasses(row)))
    }

    fn find_hosts(
        &self,
        subject: &Subject,
        asked: &Asked,
        suffixes: &mut Vec<(u32, u64)>,
        prefixes: &mut Prefixes,
        best: &mut Best,
    ) {
        let (path, chrome) = (subject.path(self.dialect), self.dialect == Dialect::Chrome);
        let fields = std::cell::OnceCell::new();
        let fields = || fields.get_or_init(|| Fields::of(subject.query()));
        prefixes.clear();
        let mut walk = |place: Place, path: &str, prefixes: &mut Prefixes| {
            self.hosts.paths.walk(place.tree, path.as_bytes(), prefixes, fields, |leaf: &Leaf, length| {
                let rank = self.rank(leaf.list, leaf.row, leaf.query.len(), Some((place, length)));
                best.offer(rank, leaf.row);
                chrome || leaf.list == List::Block
            });
            // A longer host has more to say, in Chrome; elsewhere it is enough to be blocked.
            chrome && best.found.is_some() || best.is_block()
        };
        let enough = self.hosts.tails(asked, suffixes, |place| walk(place, path, prefixes));
        if enough {
            return;
        }
        let mut of_rest = Prefixes::default();
        self.hosts.heads(asked, |place, rest| walk(place, rest, &mut of_rest));
        self.hosts.any(asked, |place| walk(place, path, prefixes));
    }

    fn rank(&self, list: List, row: u32, conditions: usize, place: Option<(Place, usize)>) -> Rank {
        let chrome = self.dialect == Dialect::Chrome;
        let (host, path) = place.map_or((0, 0), |(place, length)| {
            let host = if chrome && place.exact && place.length > 0 { usize::MAX } else { place.length + 1 };
            (host, length)
        });
        let of = &self.rows[row as usize];
        let wild = chrome && list == List::Block && self.is_wild(of);
        (
            !chrome && list == List::Block,
            host,
            path,
            conditions,
            chrome && list == List::Allow,
            !wild,
            std::cmp::Reverse(of.line),
        )
    }

    fn is_wild(&self, row: &Row) -> bool {
        self.text(row) == "*"
    }
}
