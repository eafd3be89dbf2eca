//! Site rules, found by host. Rules for any host that speak of names alone are
//! found by the name instead, so that they cost nothing where no such name is.
//! Must not know which rungs act on what it answers.

use std::cell::{Cell, OnceCell, RefCell};

use smallvec::SmallVec;

use super::host_index::HostIndex;
use super::model::SiteRule;
use super::names::{Names, Pattern};
pub(crate) use super::says::Place;
use super::says::{Heard, Say, Site};
pub use super::says::{SiteRow, Verdict};
use crate::heads::Filter;
use crate::param::Param;
use crate::rungs::{Rung, RungSet};

/// All site rules of a policy.
pub struct Sites {
    /// In the order of precedence.
    sites: Vec<Site>,
    /// Rules that may change a URL that has a query.
    on_queries: HostIndex,
    /// Those of them that may change one that has none.
    on_others: HostIndex,
    /// The others, which keep parameters: asked only where something is about to go.
    keeping: HostIndex,
    /// What rules for any host say of names, with the number of the site.
    anywhere: Names<(u32, Say)>,
    /// Lets every name through that one of them may keep, or one of those that are found by host and only keep.
    kept: Filter,
    /// One of these may keep a parameter that is no `name=value`, whatever its name.
    keeps_bare: bool,
    /// Rules for any host that do more than speak of names.
    always: Vec<u32>,
    /// Some rule asks for the href, so that what it says may change with it.
    reads_href: bool,
    any_fragment: bool,
    /// Some rule for any host is for some paths only.
    any_path: bool,
}

/// Numbers of rules: for most hosts there is none, for others a few.
pub(crate) type Numbers = SmallVec<[u32; 4]>;

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
        let (mut by_host, mut always, mut anywhere) = (Vec::new(), Vec::new(), Vec::new());
        for (number, site) in (0u32..).zip(&mut sites) {
            let host = site.row.host.to_string();
            if host != "*" {
                by_host.push((host, number));
            } else if acts(site).on_others {
                always.push(number);
            } else {
                let says = std::mem::take(&mut site.says);
                anywhere.extend(says.into_iter().map(|(name, say)| (name, (number, say))));
            }
        }
        let sites: Vec<Site> = sites.into_iter().map(Site::with_names).collect();
        let index = |wanted: &dyn Fn(u32) -> bool| {
            let rows = by_host.iter().filter(|(_, number)| wanted(*number));
            HostIndex::new(rows.map(|(host, number)| (host.as_str(), *number)))
        };
        let by_name = Names::new(anywhere.iter().map(|(name, say)| (name, say.clone())));
        let on_queries = index(&|number| acts(&sites[number as usize]).on_queries);
        let on_others = index(&|number| acts(&sites[number as usize]).on_others);
        let keeping = index(&|number| !acts(&sites[number as usize]).on_queries);
        let on_hosts = sites.iter().filter(|site| !acts(site).on_queries).flat_map(|site| &site.says);
        let on_hosts = on_hosts.map(|(name, say)| (name, say));
        let says = anywhere.iter().map(|(name, (_, say))| (name, say)).chain(on_hosts);
        let kept: Vec<(&Pattern, &Say)> = says.filter(|(_, say)| say.keeps()).collect();
        Sites {
            on_queries,
            on_others,
            keeping,
            reads_href: sites.iter().any(|site| site.row.reads_href()),
            any_path: sites.iter().any(|site| site.row.is_for_some_paths_on_any_host()),
            any_fragment: sites.iter().any(|site| site.row.fragment),
            kept: Names::new(kept.iter().copied()).filter_of(|say| !say.is_of_bare()),
            keeps_bare: kept.iter().any(|(_, say)| say.is_of_bare()),
            anywhere: by_name,
            sites,
            always,
        }
    }

    /// Whether there are no rules at all.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// Whether a rule may keep a parameter that is no `name=value`, whatever its name.
    pub(crate) fn keeps_bare(&self) -> bool {
        self.keeps_bare
    }

    /// Whether some rule asks for the parameters of fragments.
    pub(crate) fn asks_for_fragments(&self) -> bool {
        self.any_fragment
    }

    /// Whether what the rules say may change with more than host and path.
    pub(crate) fn reads_href(&self) -> bool {
        self.reads_href
    }

    /// Lets every name through that a rule for any host may keep, or one that only keeps, where it has a value.
    pub(crate) fn kept(&self) -> &Filter {
        &self.kept
    }

    /// Lets every name through that a rule for any host may change. Rules that keep are asked only where
    /// something else is about to drop.
    pub(crate) fn filter(&self) -> Filter {
        self.anywhere.filter_of(|(_, say)| say.acts())
    }

    /// Whether the rules that are found by host may change a URL of this host and path. Linear in the host.
    #[inline]
    pub(crate) fn reach(&self, host: &str, path: &str, has_query: bool) -> bool {
        let mut reach = !self.always.is_empty();
        let index = if has_query { &self.on_queries } else { &self.on_others };
        index.each(host.as_bytes(), |number| {
            reach |= self.sites[number as usize].row.may_cover(host, path);
        });
        reach
    }

    /// The numbers of the rules that are found by host, do more than keep, and may be for this path.
    pub(crate) fn look_up(&self, at: &Place, found: &mut Numbers) {
        self.look_up_for(at.host.as_bytes(), || *at, found);
    }

    /// The same where most hosts have no rule, and the place is asked for only where there is one. `host` has no dot
    /// at its end.
    #[inline]
    pub(crate) fn look_up_for<'p>(&self, host: &[u8], at: impl Fn() -> Place<'p>, found: &mut Numbers) {
        self.always.iter().for_each(|&number| found.push(number));
        self.look_up_in(&self.on_queries, host, at, found);
    }

    #[inline]
    fn look_up_in<'p>(&self, index: &HostIndex, host: &[u8], at: impl Fn() -> Place<'p>, found: &mut Numbers) {
        index.each(host, |number| {
            let at = at();
            if self.sites[number as usize].row.may_cover(at.host, at.path) {
                found.push(number);
            }
        });
    }

    /// Whether other rules may be for this host and path than for another one.
    pub(crate) fn speak_of(&self, at: &Place) -> bool {
        let mut found = Numbers::new();
        self.look_up(at, &mut found);
        self.look_up_in(&self.keeping, at.host.as_bytes(), || *at, &mut found);
        self.any_path || !found.is_empty()
    }

    /// Whether a rule for any host may change a parameter of this name.
    pub(crate) fn acts_on(&self, name: &[u8]) -> bool {
        self.anywhere.find(name, |(_, say)| say.acts().then_some(())).is_some()
    }

    /// The rules for a URL. Linear in the host.
    pub(crate) fn at<'a>(&'a self, at: Place<'a>) -> SiteView<'a> {
        let mut found = Numbers::new();
        self.look_up(&at, &mut found);
        self.of(at, &found)
    }

    /// The rules for a URL, given those that `look_up` finds.
    #[inline]
    pub(crate) fn of<'a>(&'a self, at: Place<'a>, candidates: &[u32]) -> SiteView<'a> {
        let (covered, read_href) = (RefCell::default(), Cell::new(false));
        let mut view = SiteView { all: self, at, acting: Numbers::new(), every: OnceCell::new(), covered, read_href };
        if !candidates.is_empty() {
            view.acting = view.covering(candidates);
        }
        view
    }

    /// The numbers of all rules that cover a URL.
    pub(crate) fn covering(&self, at: &Place) -> Vec<u32> {
        (0u32..).zip(&self.sites).filter(|(_, site)| site.row.covers(at)).map(|(number, _)| number).collect()
    }
}

/// Names change queries, and fragments where the rule says so.
fn acts(site: &Site) -> Acts {
    let row = &site.row;
    let on_others = row.on != RungSet::EMPTY || row.off != RungSet::EMPTY || row.cuts();
    Acts { on_queries: on_others || site.says.iter().any(|(_, say)| say.acts()), on_others }
}

/// What the rules for one URL say; the first rule that speaks about a
/// parameter or a rung decides.
pub struct SiteView<'a> {
    all: &'a Sites,
    at: Place<'a>,
    /// Those that are found by host and do more than keep, in their order.
    acting: Numbers,
    /// All that are found by host, once a parameter was asked about.
    every: OnceCell<Numbers>,
    /// Which of the rules for any host cover this URL, as far as was asked.
    covered: RefCell<Vec<(u32, bool)>>,
    /// Some rule was asked that looks at more than host and path.
    read_href: Cell<bool>,
}

impl<'a> SiteView<'a> {
    /// Whether only rules for names on any host can change the URL.
    #[inline]
    pub(crate) fn acts_by_name_alone(&self) -> bool {
        self.acting.is_empty()
    }

    /// Whether a rule for any host may change a parameter of this name.
    #[inline]
    pub(crate) fn may_act_on(&self, name: &[u8]) -> bool {
        self.all.acts_on(name)
    }

    /// Whether a rule that was found by host had a say.
    #[inline]
    pub(crate) fn ruled(&self) -> bool {
        !self.acting.is_empty() || self.every.get().is_some_and(|every| !every.is_empty())
    }

    /// Those of the rules that cover the URL, in their order.
    fn covering(&self, candidates: &[u32]) -> Numbers {
        let mut found = Numbers::new();
        for &number in candidates {
            let row = &self.all.sites[number as usize].row;
            self.read_href.set(self.read_href.get() || row.reads_href());
            if row.covers(&self.at) {
                found.push(number);
            }
        }
        found.sort_unstable();
        found
    }

    /// All rules that are found by host, in their order.
    fn every(&self) -> &[u32] {
        self.every.get_or_init(|| {
            let mut found = Numbers::new();
            self.all.look_up_in(&self.all.keeping, self.at.host.as_bytes(), || self.at, &mut found);
            if found.is_empty() {
                return self.acting.clone();
            }
            found.extend_from_slice(&self.acting);
            self.covering(&found)
        })
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

    /// Whether a rule keeps this parameter, of a name that `kept` lets through or not.
    #[inline]
    pub(crate) fn keeps(&self, param: impl Fn() -> Param<'a>, kept: bool, bare: bool) -> bool {
        let may = kept || (bare && self.all.keeps_bare) || !self.acting.is_empty();
        may && matches!(self.verdict(&param()), Some(Verdict::Keep(_)))
    }

    /// The rungs that the rules switch on, and off. Per rung, the first rank that names it decides; in one rank,
    /// off wins.
    pub fn switches(&self) -> (RungSet, RungSet) {
        let rank = |number: u32| self.all.sites[number as usize].row.rank;
        let (mut on, mut off) = (RungSet::EMPTY, RungSet::EMPTY);
        for group in self.acting.chunk_by(|&a, &b| rank(a) == rank(b)) {
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

    /// The rules whose expressions are to be cut out of href or path.
    pub(crate) fn cuts(&self) -> impl Iterator<Item = &'a SiteRow> {
        let all = self.all;
        let rows = self.acting.iter().map(move |&number| &all.sites[number as usize].row);
        rows.filter(|row| row.cuts())
    }

    /// Whether parameters of fragments are asked for at all.
    pub(crate) fn asks_for_fragments(&self) -> bool {
        self.all.asks_for_fragments()
    }

    fn sites(&self) -> impl Iterator<Item = &'a Site> {
        let all = self.all;
        self.every().iter().map(move |&number| &all.sites[number as usize])
    }
}

#[cfg(test)]
mod tests;
