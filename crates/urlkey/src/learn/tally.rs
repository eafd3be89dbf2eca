//! What the groups of a rewrite say, by the place of their path.

use super::changes::Changes;
use super::groups::{Group, SAMPLES};
use super::pages::Pages;
use super::texts::{Key, NONE};
use std::collections::{HashMap, HashSet};

/// Classes from which on a group is asked for its majority.
const GIANT: u64 = 10;

/// Two pages that a rewrite merges, and whether their content was the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Earlier than the other, where both have a time.
    pub a: u32,
    /// The other.
    pub b: u32,
    /// Whether their content was the same.
    pub same: bool,
}

/// The sum of the groups at one place.
#[derive(Debug, Default)]
pub struct Tally {
    /// The number of the place.
    pub place: u32,
    /// Pairs of sights that were compared.
    pub trials: u64,
    /// Of these, those that differ.
    pub failures: u64,
    /// With a trial.
    pub groups: u64,
    /// Of these, with a class without the parameter.
    pub bare: u64,
    /// Keys that fall together.
    pub merges: u64,
    /// Merges in groups without a trial.
    pub blind: u64,
    /// Groups of which a sitemap lists two classes.
    pub listed: u64,
    /// A giant group has no majority, or nothing to tell it by.
    pub split: bool,
    /// Pages that change and were fetched.
    pub pages: u64,
    /// The contents of groups with a trial, by number.
    pub contents: HashSet<u32>,
    /// One page of each group with a trial.
    pub leaders: Vec<u32>,
    /// Some of each kind.
    pub samples: Vec<Sample>,
}

impl Tally {
    fn add(&mut self, group: &Group) {
        let tried = group.trials > 0;
        let merges = group.classes.saturating_sub(1);
        self.trials += group.trials;
        self.failures += group.failures;
        self.groups += u64::from(tried);
        self.bare += u64::from(tried && group.bare);
        self.merges += merges;
        self.blind += if tried { 0 } else { merges };
        self.listed += u64::from(group.listed);
        self.split |= group.classes >= GIANT && (group.majority < 0.5 || !tried);
        if tried {
            self.leaders.push(group.leader);
            self.contents.extend(group.content);
        }
        for sample in &group.samples {
            if self.samples.iter().filter(|one| one.same == sample.same).count() < SAMPLES {
                self.samples.push(*sample);
            }
        }
    }
}

impl Pages {
    /// What the groups of these changes say; contents of `walls` say nothing. Linear in the changes and the pages that
    /// have their keys already, but for the order of sights.
    pub fn tallies(&mut self, host: usize, changes: &Changes, walls: &HashSet<u32>) -> Vec<Tally> {
        self.tallied(host, changes, None, walls)
    }

    /// What the groups of a rewrite of heads say; nothing where no head meets another.
    pub fn tallies_of_heads(&mut self, host: usize, heads: &[(String, String)], walls: &HashSet<u32>) -> Vec<Tally> {
        let met = self.met(heads);
        if met.is_empty() {
            return Vec::new();
        }
        let changes = self.with_heads(host, heads);
        self.tallied(host, &changes, Some(&met), walls)
    }

    fn tallied(
        &mut self,
        host: usize,
        changes: &Changes,
        met: Option<&HashSet<u32>>,
        walls: &HashSet<u32>,
    ) -> Vec<Tally> {
        let mut found = Cells::default();
        for &page in changes.pages() {
            let cell = found.of(self.place_of(page));
            cell.pages += u64::from(self.pages[page as usize].fetched);
        }
        let lists = self.hosts.get(host).is_some_and(|host| host.lists);
        let mut scratch = std::mem::take(&mut self.scratch);
        let (together, mut pages) = (Chains::new(changes, met), Vec::new());
        for group in 0..together.first.len() {
            let key = self.keys.find(together.keys[group]);
            let already = key.is_some_and(|key| !self.keys.pages[key as usize].is_empty());
            together.pages(group, changes, &mut pages);
            if pages.len() == 1 && !already {
                continue;
            }
            if let Some(group) = self.group(key, &pages, walls, lists, &mut scratch) {
                found.of(self.place_of(group.leader)).add(&group);
            }
        }
        self.scratch = scratch;
        found.cells
    }
}

/// Tallies in the order of their first page.
#[derive(Default)]
struct Cells {
    cells: Vec<Tally>,
    numbers: HashMap<u32, usize>,
}

impl Cells {
    fn of(&mut self, place: u32) -> &mut Tally {
        let number = *self.numbers.entry(place).or_insert_with(|| {
            self.cells.push(Tally { place, ..Tally::default() });
            self.cells.len() - 1
        });
        &mut self.cells[number]
    }
}

/// Changes with one key, each linked to the next.
struct Chains<'a> {
    keys: Vec<&'a Key>,
    first: Vec<u32>,
    next: Vec<u32>,
}

impl<'a> Chains<'a> {
    fn new(changes: &'a Changes, met: Option<&HashSet<u32>>) -> Chains<'a> {
        let count = changes.pages().len();
        let mut chains = Chains { keys: Vec::new(), first: Vec::new(), next: vec![NONE; count] };
        let mut last: Vec<u32> = Vec::new();
        let mut numbers: HashMap<&Key, usize> = HashMap::with_capacity(count);
        for at in 0..count {
            let key = changes.key(at);
            if met.is_some_and(|met| !met.contains(&key[0])) {
                continue;
            }
            let next = chains.keys.len();
            let number = *numbers.entry(key).or_insert(next);
            if number == next {
                chains.keys.push(key);
                chains.first.push(at as u32);
                last.push(at as u32);
            } else {
                chains.next[last[number] as usize] = at as u32;
                last[number] = at as u32;
            }
        }
        chains
    }

    fn pages(&self, group: usize, changes: &Changes, pages: &mut Vec<u32>) {
        pages.clear();
        let mut at = self.first[group];
        while at != NONE {
            pages.push(changes.pages()[at as usize]);
            at = self.next[at as usize];
        }
    }
}
