//! Site rules, found by host: a hash of each suffix of the host's labels. Rules
//! for any host that speak of names alone are found by the name instead, so
//! that they cost nothing where no such name is. Must not know which rungs act
//! on what it answers.

use std::cell::{Cell, RefCell};

use super::model::SiteRule;
use super::names::Names;
pub(crate) use super::says::Place;
use super::says::{Heard, Say, Site, before_suffix};
pub use super::says::{SiteRow, Verdict};
use crate::blocks::{Block, WIDTH};
use crate::heads::{Filter, head};
use crate::query::Param;
use crate::rungs::{Rung, RungSet};

/// All site rules of a policy.
pub struct Sites {
    /// In the order of precedence.
    sites: Vec<Site>,
    /// (hash of the key, number of the site), sorted: rules that are found by host.
    by_key: Vec<(u64, u32)>,
    /// Bit `h % length`: some key has this hash. Most hosts have no rule.
    seen: Box<[u64]>,
    /// Some rule is for `name.<suffix>`.
    any_suffix: bool,
    /// What rules for any host say of names, with the number of the site.
    anywhere: Names<(u32, Say)>,
    /// What some of them keep: asked first, since little is.
    kept: Names<(u32, Say)>,
    /// Rules for any host that do more than speak of names.
    always: Vec<u32>,
    /// Some rule asks for the href, so that what it says may change with it.
    reads_href: bool,
    any_fragment: bool,
    /// Some rule for any host is for some paths only.
    any_path: bool,
    /// Per rule: it may change a URL that has a query; one that has none.
    acts: Vec<Acts>,
}

/// What rules that are found by host may do to a URL, whatever else they ask for.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    /// There is one.
    pub(crate) speaks: bool,
    /// There is one that does more than keep parameters.
    pub(crate) acts: bool,
}

#[derive(Clone, Copy)]
struct Acts {
    on_queries: bool,
    on_others: bool,
}

impl Sites {
    /// `referral` says whether the parameters that rules list under that name go.
    pub(crate) fn new<'r>(rules: impl IntoIterator<Item = &'r SiteRule>, referral: bool) -> Sites {
        let mut sites: Vec<Site> = rules.into_iter().map(|rule| Site::new(rule, referral)).collect();
        // Stable, so that rules that come in this order keep their numbers.
        sites.sort_by(|a, b| a.row.order().cmp(&b.row.order()));
        let (mut by_key, mut always, mut anywhere) = (Vec::new(), Vec::new(), Vec::new());
        for (number, site) in (0u32..).zip(&mut sites) {
            let host = site.row.host.to_string();
            if host != "*" {
                by_key.push((site_key(&host), number));
            } else if acts(site).on_others {
                always.push(number);
            } else {
                let says = std::mem::take(&mut site.says);
                anywhere.extend(says.into_iter().map(|(name, say)| (name, (number, say))));
            }
        }
        let sites: Vec<Site> = sites.into_iter().map(Site::with_names).collect();
        by_key.sort_unstable();
        // Thirty-two bits a key, so that few hosts without a rule are looked up in vain.
        let mut seen = vec![0u64; (by_key.len() / 2 + 1).next_power_of_two().clamp(16, 1 << 16)].into_boxed_slice();
        by_key.iter().for_each(|&(key, _)| seen[word(key, seen.len())] |= 1 << (key & 63));
        Sites {
            any_suffix: sites.iter().any(|site| before_suffix(&site.row.host.to_string()).is_some()),
            reads_href: sites.iter().any(|site| site.row.reads_href()),
            any_path: sites.iter().any(|site| site.row.is_for_some_paths_on_any_host()),
            any_fragment: sites.iter().any(|site| site.row.fragment),
            acts: sites.iter().map(acts).collect(),
            kept: Names::new(
                anywhere.iter().filter(|(_, (_, say))| say.keeps()).map(|(name, say)| (name, say.clone())),
            ),
            anywhere: Names::new(anywhere.iter().map(|(name, say)| (name, say.clone()))),
            sites,
            by_key,
            seen,
            always,
        }
    }

    /// Whether there are no rules at all.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// Whether what the rules say may change with more than host and path.
    pub(crate) fn reads_href(&self) -> bool {
        self.reads_href
    }

    /// Lets every name through that a rule for any host may change. Rules that keep are asked only where
    /// something else is about to drop.
    pub(crate) fn filter(&self) -> Filter {
        self.anywhere.filter_of(|(_, say)| say.acts())
    }

    /// What the rules that are found by host may do to this URL. Linear in the host.
    #[inline]
    pub(crate) fn reach(&self, host: &str, path: &str, has_query: bool) -> Reach {
        let mut reach = Reach { speaks: !self.always.is_empty(), acts: false };
        let mut add = |number: u32| {
            let acts = self.acts[number as usize];
            reach.speaks = true;
            reach.acts |= if has_query { acts.on_queries } else { acts.on_others };
        };
        self.always.iter().copied().for_each(&mut add);
        self.each_number(host, |number| {
            if self.sites[number as usize].row.may_cover(host, path) {
                add(number);
            }
        });
        reach
    }

    /// Whether other rules may be for this host and path than for another one.
    pub(crate) fn speak_of(&self, host: &str, path: &str) -> bool {
        let host = host.strip_suffix('.').unwrap_or(host);
        let mut speak = self.any_path || !self.always.is_empty();
        self.each_number(host, |number| speak |= self.sites[number as usize].row.may_cover(host, path));
        speak
    }

    /// Whether a rule for any host may change a parameter of this name.
    pub(crate) fn acts_on(&self, name: &[u8]) -> bool {
        self.anywhere.find(name, |(_, say)| say.acts().then_some(())).is_some()
    }

    /// The rules for a URL. Linear in the host.
    pub(crate) fn at<'a>(&'a self, at: Place<'a>) -> SiteView<'a> {
        let mut found: Vec<u32> = Vec::new();
        let (mut read_href, mut acts) = (false, false);
        let mut add = |number: u32| {
            let row = &self.sites[number as usize].row;
            if row.may_cover(at.host, at.path) {
                read_href |= row.reads_href();
                if row.covers(&at) {
                    acts |= self.acts[number as usize].on_queries;
                    found.push(number);
                }
            }
        };
        self.always.iter().copied().for_each(&mut add);
        self.each_number(at.host, add);
        found.sort_unstable();
        SiteView { acts, found, read_href: Cell::new(read_href), ..self.nowhere(at) }
    }

    /// The rules for a URL that none is found for by its host.
    pub(crate) fn nowhere<'a>(&'a self, at: Place<'a>) -> SiteView<'a> {
        let (covered, read_href) = (RefCell::default(), Cell::new(false));
        SiteView { all: self, at, found: Vec::new(), acts: false, covered, read_href }
    }

    /// The numbers of all rules that cover a URL.
    pub(crate) fn covering(&self, at: &Place) -> Vec<u32> {
        (0u32..).zip(&self.sites).filter(|(_, site)| site.row.covers(at)).map(|(number, _)| number).collect()
    }

    /// The numbers of the rules under the keys of this host.
    #[inline]
    fn each_number(&self, host: &str, mut add: impl FnMut(u32)) {
        if self.by_key.is_empty() {
            return;
        }
        let bytes = host.as_bytes();
        let (mut suffix, mut end) = (0, bytes.len());
        let mut dots = dots(bytes);
        loop {
            let dot = match dots {
                Some(0) => None,
                Some(mask) => Some(mask.ilog2() as usize),
                None => bytes[..end].iter().rposition(|&byte| byte == b'.'),
            };
            let start = dot.map_or(0, |dot| dot + 1);
            let label = label_hash(&bytes[start..end]);
            suffix = with_label(suffix, label);
            if self.may_know(suffix) {
                self.under(suffix, &mut add);
            }
            // The last label is no name before a suffix.
            if self.any_suffix && end < bytes.len() && self.may_know(before_any(label)) {
                self.under(before_any(label), &mut add);
            }
            let Some(dot) = dot else { break };
            end = dot;
            dots = dots.map(|mask| mask ^ 1 << dot);
        }
    }

    #[inline(always)]
    fn may_know(&self, key: u64) -> bool {
        self.seen[word(key, self.seen.len())] >> (key & 63) & 1 != 0
    }

    #[cold]
    fn under(&self, key: u64, add: &mut impl FnMut(u32)) {
        let from = self.by_key.partition_point(|&(other, _)| other < key);
        let rest = self.by_key[from..].iter();
        rest.take_while(|&&(other, _)| other == key).for_each(|&(_, number)| add(number));
    }
}

/// Names change queries, and fragments where the rule says so.
fn acts(site: &Site) -> Acts {
    let row = &site.row;
    let on_others = row.on != RungSet::EMPTY || row.off != RungSet::EMPTY || !row.raw().is_empty();
    Acts { on_queries: on_others || site.says.iter().any(|(_, say)| say.acts()), on_others }
}

/// What the rules for one URL say; the first rule that speaks about a
/// parameter or a rung decides.
pub struct SiteView<'a> {
    all: &'a Sites,
    at: Place<'a>,
    found: Vec<u32>,
    /// One of them does more than keep parameters.
    acts: bool,
    /// Which of the rules for any host cover this URL, as far as was asked.
    covered: RefCell<Vec<(u32, bool)>>,
    /// Some rule was asked that looks at more than host and path.
    read_href: Cell<bool>,
}

impl<'a> SiteView<'a> {
    /// Whether no rule but those for names on any host can speak.
    #[inline]
    pub(crate) fn names_alone(&self) -> bool {
        self.found.is_empty()
    }

    /// Whether only rules for names on any host can change a parameter.
    #[inline]
    pub(crate) fn acts_by_name_alone(&self) -> bool {
        !self.acts
    }

    /// Whether an answer may have been another one with another query: parameters that are there stay the
    /// same or go, so that rules that were not asked will not be.
    pub(crate) fn read_href(&self) -> bool {
        self.read_href.get()
    }

    /// What becomes of this parameter; None if no rule speaks about it.
    pub(crate) fn verdict(&self, param: &Param) -> Option<Verdict<'a>> {
        self.heard(param, |_| true)
    }

    /// The same for a parameter that stands in the fragment.
    pub(crate) fn verdict_in_fragment(&self, param: &Param) -> Option<Verdict<'a>> {
        self.heard(param, |row| row.fragment)
    }

    fn heard(&self, param: &Param, asked: impl Fn(&SiteRow) -> bool) -> Option<Verdict<'a>> {
        let all: &'a Sites = self.all;
        let mut heard = Heard::default();
        for site in self.sites().filter(|site| asked(&site.row)) {
            if !heard.listens_to(site.row.rank) {
                break;
            }
            site.hear(param, &mut heard);
        }
        all.anywhere.find(param.name(), |(number, say)| {
            let row = &all.sites[*number as usize].row;
            if asked(row)
                && heard.listens_to(row.rank)
                && let Some(said) = say.of(row, param)
                && self.covers(*number)
            {
                heard.hear(row.rank, said);
            }
            None::<()>
        });
        heard.verdict()
    }

    /// What every rule says of this parameter, the first to be heard first.
    pub(crate) fn all(&self, param: &Param) -> Vec<Verdict<'a>> {
        let all: &'a Sites = self.all;
        let mut said = Vec::new();
        for site in self.sites() {
            site.names.find(param.name(), |say| {
                said.extend(say.of(&site.row, param));
                None::<()>
            });
        }
        all.anywhere.find(param.name(), |(number, say)| {
            let row = &all.sites[*number as usize].row;
            said.extend(say.of(row, param).filter(|_| self.covers(*number)));
            None::<()>
        });
        said.sort_by_key(|(voice, verdict)| (verdict.parts().1.order(), std::cmp::Reverse(*voice)));
        said.sort_by_key(|(voice, verdict)| (verdict.parts().1.rank, std::cmp::Reverse(*voice)));
        said.into_iter().map(|(_, verdict)| verdict).collect()
    }

    /// Whether this rule for any host covers the URL; asked once.
    fn covers(&self, number: u32) -> bool {
        let known = self.covered.borrow().iter().find(|(other, _)| *other == number).map(|(_, covers)| *covers);
        known.unwrap_or_else(|| {
            let row = &self.all.sites[number as usize].row;
            self.read_href.set(self.read_href.get() || row.reads_href());
            let covers = row.covers(&self.at);
            self.covered.borrow_mut().push((number, covers));
            covers
        })
    }

    /// Whether a rule keeps this parameter.
    #[inline]
    pub(crate) fn keep(&self, param: &Param) -> bool {
        let may = !self.found.is_empty()
            || self.all.kept.find(param.name(), |(_, say)| say.holds(param).then_some(())).is_some();
        may && matches!(self.verdict(param), Some(Verdict::Keep(_)))
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
        let rank = |number: u32| self.all.sites[number as usize].row.rank;
        let (mut on, mut off) = (RungSet::EMPTY, RungSet::EMPTY);
        for group in self.found.chunk_by(|&a, &b| rank(a) == rank(b)) {
            let rows = || group.iter().map(|&number| &self.all.sites[number as usize].row);
            let off_here = rows().fold(RungSet::EMPTY, |set, row| set.switched(row.off, on));
            let decided = off.switched(off_here, RungSet::EMPTY);
            on = rows().fold(on, |set, row| set.switched(row.on, decided));
            off = decided;
        }
        (on, off)
    }

    /// The rule that switches this rung on, or off.
    pub(crate) fn switched(&self, rung: Rung, on: bool) -> Option<&'a SiteRow> {
        self.sites().map(|site| &site.row).find(|row| if on { row.on.has(rung) } else { row.off.has(rung) })
    }

    /// The rules whose expressions are to be cut out of the href.
    pub(crate) fn raw(&self) -> impl Iterator<Item = &'a SiteRow> {
        self.sites().map(|site| &site.row).filter(|row| !row.raw().is_empty())
    }

    /// Whether parameters of fragments are asked for at all.
    pub(crate) fn asks_for_fragments(&self) -> bool {
        self.all.any_fragment
    }

    fn sites(&self) -> impl Iterator<Item = &'a Site> {
        let all = self.all;
        self.found.iter().map(move |&number| &all.sites[number as usize])
    }
}

/// The dots of a host, a bit each; None if it is too long for that.
#[inline]
fn dots(host: &[u8]) -> Option<u64> {
    if host.len() > 64 {
        return None;
    }
    let (mut mask, mut at) = (0, 0);
    while let Some(block) = Block::at(host, at) {
        mask |= u64::from(block.is(b'.')) << at;
        at += WIDTH;
    }
    Some((at..).zip(&host[at..]).fold(mask, |mask, (at, &byte)| mask | u64::from(byte == b'.') << at))
}

/// The key of a pattern: its labels from the right, or the last of those before any suffix.
fn site_key(host: &str) -> u64 {
    match before_suffix(host) {
        Some(labels) => before_any(label_hash(labels.rsplit('.').next().unwrap_or(labels).as_bytes())),
        None => {
            let labels = host.strip_prefix("*.").unwrap_or(host).rsplit('.');
            labels.fold(0, |suffix, label| with_label(suffix, label_hash(label.as_bytes())))
        }
    }
}

/// Of the first eight bytes, the last eight and the length: what labels differ in; whether a rule is for the
/// host is asked of the rule.
fn label_hash(label: &[u8]) -> u64 {
    let first = head(label, 0, label.len());
    let last = if label.len() > 8 { head(label, label.len() - 8, 8) } else { 0 };
    first ^ last.rotate_left(29) ^ (label.len() as u64).rotate_left(57)
}

fn with_label(suffix: u64, label: u64) -> u64 {
    // A short label is all in the high bits: they must come down before the product, or it has no low ones.
    let folded = suffix.rotate_left(23) ^ label;
    let mixed = (folded ^ folded >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 32
}

fn before_any(label: u64) -> u64 {
    with_label(0x3c, label)
}

fn word(key: u64, words: usize) -> usize {
    (key >> 6) as usize & (words - 1)
}

#[cfg(test)]
mod tests;
