//! Site rules, found by host: a hash of each suffix of the host's labels, then
//! the path. Must not know which rungs act on what it answers.

use std::sync::Arc;

use super::model::{Layer, SiteRule};
use super::names::{Names, Pattern};
use super::paths::PathPattern;
use crate::domain::{HostPattern, registrable_start};
use crate::rungs::RungSet;

/// A compiled site rule.
#[derive(Debug)]
pub struct SiteRow {
    host: HostPattern,
    path: PathPattern,
    rank: Rank,
    on: RungSet,
    off: RungSet,
    file: Arc<str>,
    line: usize,
}

impl SiteRow {
    /// `file:line`.
    pub fn origin(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}

/// Lower comes first: layer, then the more specific host, then path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    layer: Layer,
    host: std::cmp::Reverse<(usize, bool)>,
    path: std::cmp::Reverse<(usize, usize)>,
}

/// What a rule says about one name.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Say {
    Keep,
    Drop,
    Default(Box<str>),
    Valueless,
}

struct Site {
    row: SiteRow,
    names: Names<Say>,
}

/// All site rules of a policy.
pub struct Sites {
    /// In the order of precedence.
    sites: Vec<Site>,
    /// (hash of the key, number of the site), sorted.
    by_key: Vec<(u64, u32)>,
    /// Bit `h % 4096`: some key has this hash. Most hosts have no rule.
    seen: Box<[u64; 64]>,
    /// Some rule is for `name.<suffix>`, so the public suffix list is asked.
    any_suffix: bool,
}

impl Sites {
    pub(crate) fn new(rules: &[SiteRule]) -> Sites {
        let mut sites: Vec<Site> = rules.iter().map(site).collect();
        sites.sort_by(|a, b| (a.row.rank, &a.row.file, a.row.line).cmp(&(b.row.rank, &b.row.file, b.row.line)));
        let keys = sites.iter().map(|site| key_of(&site.row.host));
        let mut by_key: Vec<(u64, u32)> = keys.zip(0..).collect();
        by_key.sort_unstable();
        let mut seen = Box::new([0u64; 64]);
        by_key.iter().for_each(|&(key, _)| seen[(key >> 6 & 63) as usize] |= 1 << (key & 63));
        let any_suffix = sites.iter().any(|site| before_suffix(&site.row.host.to_string()).is_some());
        Sites { sites, by_key, seen, any_suffix }
    }

    /// Whether there are no rules at all.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// The rules for this host and path, which are those of the href. Linear in
    /// the host.
    pub fn for_url(&self, host: &str, path: &str) -> Option<SiteView<'_>> {
        if self.is_empty() {
            return None;
        }
        let mut found: Vec<u32> = Vec::new();
        let host = host.strip_suffix('.').unwrap_or(host);
        let mut add = |key: u64| {
            let fits = |row: &SiteRow| row.host.matches(host) && row.path.matches(path);
            let numbers = self.under(key).iter().map(|&(_, number)| number);
            found.extend(numbers.filter(|&number| fits(&self.sites[number as usize].row)));
        };
        add(ANY);
        each_suffix(host, &mut add);
        if self.any_suffix
            && let Some(label) = registrable_label(host)
        {
            add(suffix_key(label));
        }
        found.sort_unstable();
        (!found.is_empty()).then_some(SiteView { sites: &self.sites, found })
    }

    fn under(&self, key: u64) -> &[(u64, u32)] {
        if self.seen[(key >> 6 & 63) as usize] >> (key & 63) & 1 == 0 {
            return &[];
        }
        let from = self.by_key.partition_point(|&(other, _)| other < key);
        let to = from + self.by_key[from..].partition_point(|&(other, _)| other == key);
        &self.by_key[from..to]
    }
}

/// What the rules for one URL say; the first rule that speaks about a
/// parameter or a rung decides.
pub struct SiteView<'a> {
    sites: &'a [Site],
    found: Vec<u32>,
}

/// What becomes of a parameter.
#[derive(Clone, Copy, Debug)]
pub enum Verdict<'a> {
    /// It stays, whatever drop_tracking says.
    Keep,
    /// It goes.
    Drop(&'a SiteRow),
    /// Its name stays, its value goes.
    Valueless(&'a SiteRow),
}

impl<'a> SiteView<'a> {
    /// What becomes of this parameter; None if no rule speaks about it.
    pub fn verdict(&self, name: &[u8], value: &[u8]) -> Option<Verdict<'a>> {
        let mut first: Option<(Rank, Verdict<'a>)> = None;
        for site in self.sites() {
            // Rules of one rank come from different files, whose order must not matter.
            if first.is_some_and(|(rank, _)| rank != site.row.rank) {
                break;
            }
            match site.verdict(name, value) {
                Some(Verdict::Keep) => return Some(Verdict::Keep),
                Some(verdict @ Verdict::Drop(_)) if !matches!(first, Some((_, Verdict::Drop(_)))) => {
                    first = Some((site.row.rank, verdict));
                }
                Some(verdict) => first = first.or(Some((site.row.rank, verdict))),
                None => {}
            }
        }
        first.map(|(_, verdict)| verdict)
    }

    /// Whether a rule keeps this parameter at any value.
    pub fn keep(&self, name: &[u8]) -> bool {
        matches!(self.verdict(name, b""), Some(Verdict::Keep))
    }

    /// The rule that drops this parameter.
    pub fn drop(&self, name: &[u8], value: &[u8]) -> Option<&'a SiteRow> {
        match self.verdict(name, value) {
            Some(Verdict::Drop(row)) => Some(row),
            _ => None,
        }
    }

    /// The rungs that the rules switch on.
    pub fn on(&self) -> RungSet {
        self.switches().0
    }

    /// The rungs that the rules switch off.
    pub fn off(&self) -> RungSet {
        self.switches().1
    }

    /// Per rung, the first rank that names it decides; in one rank, off wins.
    fn switches(&self) -> (RungSet, RungSet) {
        let rank = |number: u32| self.sites[number as usize].row.rank;
        let (mut on, mut off) = (RungSet::EMPTY, RungSet::EMPTY);
        for group in self.found.chunk_by(|&a, &b| rank(a) == rank(b)) {
            let rows = || group.iter().map(|&number| &self.sites[number as usize].row);
            let off_here = rows().fold(RungSet::EMPTY, |set, row| set.switched(row.off, on));
            let decided = off.switched(off_here, RungSet::EMPTY);
            on = rows().fold(on, |set, row| set.switched(row.on, decided));
            off = decided;
        }
        (on, off)
    }

    fn sites(&self) -> impl Iterator<Item = &'a Site> {
        self.found.iter().map(|&number| &self.sites[number as usize])
    }
}

impl Site {
    fn verdict(&self, name: &[u8], value: &[u8]) -> Option<Verdict<'_>> {
        let mut says: Option<Verdict> = None;
        let kept = self.names.find(name, |say| {
            match say {
                Say::Keep => return Some(()),
                Say::Drop => says = Some(Verdict::Drop(&self.row)),
                Say::Default(default) if default.as_bytes() == value => says = Some(Verdict::Drop(&self.row)),
                // At another value it is content.
                Say::Default(_) => says = says.or(Some(Verdict::Keep)),
                Say::Valueless => says = says.or(Some(Verdict::Valueless(&self.row))),
            }
            None
        });
        if kept.is_some() { Some(Verdict::Keep) } else { says }
    }
}

fn site(rule: &SiteRule) -> Site {
    let some = |list: &[Pattern], say: Say| -> Vec<(Pattern, Say)> {
        list.iter().map(|name| (name.clone(), say.clone())).collect()
    };
    let mut says = some(&rule.keep, Say::Keep);
    says.extend(some(&rule.drop, Say::Drop));
    says.extend(some(&rule.valueless, Say::Valueless));
    says.extend(rule.default.iter().map(|(name, value)| (name.clone(), Say::Default(value.as_str().into()))));
    let rank = Rank {
        layer: rule.layer,
        host: std::cmp::Reverse(host_rank(&rule.host)),
        path: std::cmp::Reverse(rule.path.rank()),
    };
    let row = SiteRow {
        host: rule.host.clone(),
        path: rule.path.clone(),
        rank,
        on: rule.on,
        off: rule.off,
        file: rule.file.clone(),
        line: rule.line,
    };
    Site { row, names: Names::new(says.iter().map(|(name, say)| (name, say.clone()))) }
}

/// More labels first, then this host alone before all below it.
fn host_rank(host: &HostPattern) -> (usize, bool) {
    let text = host.to_string();
    match text.as_str() {
        "*" => (0, false),
        _ if before_suffix(&text).is_some() => (1, false),
        _ => match text.strip_prefix("*.") {
            Some(apex) => (apex.split('.').count() + 1, false),
            None => (text.split('.').count() + 1, true),
        },
    }
}

fn before_suffix(pattern: &str) -> Option<&str> {
    pattern.strip_suffix(".<suffix>")
}

const ANY: u64 = 1;

fn key_of(host: &HostPattern) -> u64 {
    let text = host.to_string();
    match before_suffix(&text) {
        _ if text == "*" => ANY,
        Some(labels) => suffix_key(labels.rsplit('.').next().unwrap_or(labels)),
        None => hash(text.strip_prefix("*.").unwrap_or(&text)),
    }
}

fn suffix_key(label: &str) -> u64 {
    step(hash(label), b'<')
}

fn registrable_label(host: &str) -> Option<&str> {
    host[registrable_start(host)?..].split('.').next()
}

/// The hash of every suffix that begins at a label, in one pass from the right.
fn each_suffix(host: &str, add: &mut impl FnMut(u64)) {
    let mut hash = SEED;
    for (at, byte) in host.bytes().enumerate().rev() {
        hash = step(hash, byte);
        if at == 0 || host.as_bytes()[at - 1] == b'.' {
            add(finish(hash));
        }
    }
}

const SEED: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a, from the last byte to the first.
fn hash(text: &str) -> u64 {
    finish(text.bytes().rev().fold(SEED, step))
}

fn step(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
}

fn finish(hash: u64) -> u64 {
    hash ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::load;
    use crate::rungs::Rung;

    fn sites(text: &str) -> Sites {
        Sites::new(&load::rules(&format!("schema = 1\n{text}"), "mine.toml").unwrap())
    }

    #[test]
    fn hosts_are_found_by_label_and_paths_by_segment() {
        let sites = sites(
            "[[site]]\nhost = \"*.shop.example\"\npath = \"/view/{int}\"\ndrop = [\"color\", \"aff_*\"]\n\
             [[site]]\nhost = \"google.<suffix>\"\ndrop = [\"x\"]\n",
        );
        for (host, path) in [("shop.example", "/view/7"), ("a.b.shop.example.", "/view/7/x")] {
            let view = sites.for_url(host, path).unwrap();
            assert_eq!(view.drop(b"AFF_1", b"").map(SiteRow::origin).as_deref(), Some("mine.toml:2"));
            assert!(view.verdict(b"id", b"").is_none());
        }
        for host in ["google.com", "www.google.co.uk"] {
            assert!(sites.for_url(host, "/").unwrap().drop(b"x", b"").is_some(), "{host}");
        }
        for (host, path) in [("notshop.example", "/view/7"), ("shop.example", "/view/x"), ("google.example.com", "/")] {
            assert!(sites.for_url(host, path).is_none(), "{host}{path}");
        }
    }

    #[test]
    fn the_first_layer_then_the_closest_host_decides() {
        let sites = sites(
            "[[site]]\nhost = \"*\"\ndrop = [\"a\", \"b\", \"c\"]\noff = [\"sort_query\", \"drop_www\"]\n\
             [[site]]\nhost = \"*.a.example\"\nkeep = [\"a\"]\non = [\"drop_www\"]\nsource = \"learned\"\n\
             [[site]]\nhost = \"x.a.example\"\nkeep = [\"b\"]\non = [\"sort_query\"]\n",
        );
        let view = sites.for_url("x.a.example", "/").unwrap();
        assert!(view.drop(b"a", b"").is_some(), "a learned keep is below a user's drop");
        assert!(view.keep(b"b"), "the closer host decides");
        assert!(view.drop(b"c", b"").is_some(), "an exception for one is none for the rest");
        assert!(view.on().has(Rung::SortQuery) && !view.off().has(Rung::SortQuery));
        assert!(view.off().has(Rung::DropWww) && !view.on().has(Rung::DropWww));
    }

    #[test]
    fn values_count_where_a_rule_says_so() {
        let sites = sites("[[site]]\nhost = \"a.example\"\nvalueless = [\"ver\"]\ndefault = { page = \"1\" }\n");
        let view = sites.for_url("a.example", "/").unwrap();
        assert!(matches!(view.verdict(b"ver", b"7"), Some(Verdict::Valueless(_))));
        assert!(matches!(view.verdict(b"page", b"1"), Some(Verdict::Drop(_))));
        assert!(matches!(view.verdict(b"page", b"2"), Some(Verdict::Keep)));
    }

    /// The view of two rules of one rank, from files in either order.
    fn both_orders(a: &str, b: &str) -> [Sites; 2] {
        let rules =
            |text: &str| load::rules(&format!("schema = 1\n[[site]]\nhost = \"a.example\"\n{text}"), "f").unwrap();
        [[a, b], [b, a]].map(|order| Sites::new(&order.into_iter().flat_map(rules).collect::<Vec<SiteRule>>()))
    }

    #[test]
    fn the_order_of_files_decides_nothing() {
        for sites in both_orders("drop = [\"a\"]", "keep = [\"a\"]") {
            assert!(sites.for_url("a.example", "/").unwrap().keep(b"a"), "a keep wins");
        }
        for sites in both_orders("drop = [\"a\"]", "valueless = [\"a\"]") {
            assert!(sites.for_url("a.example", "/").unwrap().drop(b"a", b"1").is_some(), "a drop wins");
        }
        for sites in both_orders("on = [\"drop_www\", \"drop_port\"]", "off = [\"drop_www\"]") {
            let view = sites.for_url("a.example", "/").unwrap();
            let switched = |set: RungSet| (set.has(Rung::DropWww), set.has(Rung::DropPort));
            assert_eq!((switched(view.on()), switched(view.off())), ((false, true), (true, false)), "an off wins");
        }
    }
}
