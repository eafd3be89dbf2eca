//! Site rules, found by host. Rules for any host that speak of names alone are
//! found by the name instead, so that they cost nothing where no such name is.
//! Must not know which rungs act on what it answers.

use std::cell::{Cell, RefCell};

use smallvec::SmallVec;

use super::host_index::HostIndex;
use super::model::SiteRule;
use super::names::Names;
pub(crate) use super::says::Place;
use super::says::{Heard, Say, Site};
pub use super::says::{SiteRow, Verdict};
use crate::heads::Filter;
use crate::query::Param;
use crate::rungs::{Rung, RungSet};

/// All site rules of a policy.
pub struct Sites {
    /// In the order of precedence.
    sites: Vec<Site>,
    by_host: HostIndex,
    /// What rules for any host say of names, with the number of the site.
    anywhere: Names<(u32, Say)>,
    /// Lets every name through that one of them may keep.
    kept: Filter,
    /// One of them may keep a parameter that is no `name=value`, whatever its name.
    keeps_bare: bool,
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
        let by_name = Names::new(anywhere.iter().map(|(name, say)| (name, say.clone())));
        Sites {
            by_host: HostIndex::new(by_host.iter().map(|(host, number)| (host.as_str(), *number))),
            reads_href: sites.iter().any(|site| site.row.reads_href()),
            any_path: sites.iter().any(|site| site.row.is_for_some_paths_on_any_host()),
            any_fragment: sites.iter().any(|site| site.row.fragment),
            acts: sites.iter().map(acts).collect(),
            kept: by_name.filter_of(|(_, say)| say.keeps() && !say.is_of_bare()),
            keeps_bare: anywhere.iter().any(|(_, (_, say))| say.keeps() && say.is_of_bare()),
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

    /// Whether what the rules say may change with more than host and path.
    pub(crate) fn reads_href(&self) -> bool {
        self.reads_href
    }

    /// Lets every name through that a rule for any host may keep, where it has a value.
    pub(crate) fn kept(&self) -> &Filter {
        &self.kept
    }

    /// Lets every name through that a rule for any host may change. Rules that keep are asked only where
    /// something else is about to drop.
    pub(crate) fn filter(&self) -> Filter {
        self.anywhere.filter_of(|(_, say)| say.acts())
    }

    /// Whether the rules that are found by host may change a URL with this front; their numbers are added to `found`,
    /// which is empty. Linear in the host.
    #[inline]
    pub(crate) fn reach(
        &self,
        front: &str,
        host_from: usize,
        path: usize,
        has_query: bool,
        found: &mut Numbers,
    ) -> bool {
        self.always.iter().for_each(|&number| found.push(number));
        self.by_host.each(&front.as_bytes()[host_from..path], |number| {
            if self.sites[number as usize].row.may_cover(&front[host_from..path], &front[path..]) {
                found.push(number);
            }
        });
        found.iter().any(|&number| {
            let acts = self.acts[number as usize];
            if has_query { acts.on_queries } else { acts.on_others }
        })
    }

    /// The numbers of the rules that are found by host, and may be for this path.
    pub(crate) fn look_up(&self, at: &Place, found: &mut Numbers) {
        self.always.iter().for_each(|&number| found.push(number));
        self.by_host.each(at.host.as_bytes(), |number| {
            if self.sites[number as usize].row.may_cover(at.host, at.path) {
                found.push(number);
            }
        });
    }

    /// Whether other rules may be for this host and path than for another one.
    pub(crate) fn speak_of(&self, at: &Place) -> bool {
        let mut found = Numbers::new();
        self.look_up(at, &mut found);
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

    /// The rules for a URL, given those of its host.
    #[inline]
    pub(crate) fn of<'a>(&'a self, at: Place<'a>, candidates: &[u32]) -> SiteView<'a> {
        let (covered, read_href) = (RefCell::default(), Cell::new(false));
        let mut view = SiteView { all: self, at, found: Numbers::new(), acts: false, covered, read_href };
        for &number in candidates {
            let row = &self.sites[number as usize].row;
            view.read_href.set(view.read_href.get() || row.reads_href());
            if row.covers(&view.at) {
                view.acts |= self.acts[number as usize].on_queries;
                view.found.push(number);
            }
        }
        view.found.sort_unstable();
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
    let on_others = row.on != RungSet::EMPTY || row.off != RungSet::EMPTY || !row.raw().is_empty();
    Acts { on_queries: on_others || site.says.iter().any(|(_, say)| say.acts()), on_others }
}

/// What the rules for one URL say; the first rule that speaks about a
/// parameter or a rung decides.
pub struct SiteView<'a> {
    all: &'a Sites,
    at: Place<'a>,
    found: Numbers,
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

    /// Whether a rule keeps this parameter, of a name that `kept` lets through or not.
    #[inline]
    pub(crate) fn keeps(&self, param: impl Fn() -> Param<'a>, kept: bool, bare: bool) -> bool {
        let may = kept || !self.found.is_empty() || (bare && self.all.keeps_bare);
        may && matches!(self.verdict(&param()), Some(Verdict::Keep(_)))
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

#[cfg(test)]
mod tests;
