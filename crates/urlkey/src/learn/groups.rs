//! Groups: the pages that a rewrite gives one key, in the classes that they were
//! before, and whether their contents agree. Must not know which rewrite it is.

use super::pages::{Pages, Sight};
use super::tally::Sample;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

/// Trials of one group, and pages of one that are kept as pairs; contents that are farther apart than so many seconds
/// are not compared.
pub(super) const TRIALS: u64 = 3;
pub(super) const SAMPLES: usize = 3;
const APART: f64 = 7.0 * 86_400.0;
/// Sights of a key by which a page that was rewritten is told.
const MANY: usize = 5;

/// One key that a rewrite makes of several.
#[derive(Default)]
pub(super) struct Group {
    pub leader: u32,
    pub classes: u64,
    /// One of the classes is without the parameter.
    pub bare: bool,
    pub trials: u64,
    pub failures: u64,
    /// Of most sights.
    pub content: Option<u32>,
    pub majority: f64,
    /// A sitemap lists two of the classes.
    pub listed: bool,
    pub samples: Vec<Sample>,
}

/// What one group after the other is worked out in.
#[derive(Default)]
pub(super) struct Scratch {
    pub parts: Vec<u32>,
    /// (class, page): the members of the group.
    pub members: Vec<(u32, u32)>,
    /// Of each key: the last group that had a class of it, and which.
    classes: Vec<(u64, u32)>,
    turn: u64,
}

#[derive(Clone, Copy)]
struct Seen {
    /// Of the sight, zero where it has none, and whether it has one.
    time: f64,
    timed: bool,
    class: u32,
    content: u32,
    page: u32,
}

impl Pages {
    /// The group of these pages and those that have its key already; None where all are of one class.
    pub(super) fn group(
        &self,
        key: Option<u32>,
        pages: &[u32],
        walls: &HashSet<u32>,
        lists: bool,
        scratch: &mut Scratch,
    ) -> Option<Group> {
        let already = key.map_or(&[][..], |key| &self.keys.pages[key as usize]);
        scratch.turn += 1;
        scratch.classes.resize(self.keys.len(), (0, 0));
        scratch.members.clear();
        let mut count = 0;
        for &page in pages {
            let class = &mut scratch.classes[self.pages[page as usize].at as usize];
            if class.0 != scratch.turn {
                *class = (scratch.turn, count);
                count += 1;
            }
            scratch.members.push((class.1, page));
        }
        let mut bare = None;
        if let Some(key) = key {
            let class = scratch.classes[key as usize];
            let among = class.0 == scratch.turn;
            if !already.is_empty() {
                let number = if among { class.1 } else { count };
                count += u32::from(!among);
                if among {
                    scratch.members.retain(|&(one, _)| one != number);
                }
                scratch.members.extend(already.iter().map(|&page| (number, page)));
                bare = Some(number);
            } else if among {
                bare = Some(class.1);
            }
        }
        if count < 2 {
            return None;
        }
        scratch.members.sort_by_key(|&(class, _)| class);
        let mut group = Group {
            leader: scratch.members[0].1,
            classes: u64::from(count),
            bare: bare.is_some(),
            majority: 1.0,
            ..Group::default()
        };
        self.compare_members(&mut group, &scratch.members, walls);
        if lists {
            self.declare(&mut group, &scratch.members, bare);
        }
        Some(group)
    }

    fn compare_members(&self, group: &mut Group, members: &[(u32, u32)], walls: &HashSet<u32>) {
        let mut kinds: Vec<(u32, Vec<Seen>)> = Vec::new();
        let mut places: HashMap<u32, usize> = HashMap::new();
        let mut contents: Vec<(u32, u32)> = Vec::new();
        for &(class, page) in members {
            for &Sight { content, time, kind } in self.sights_of(page) {
                if !walls.is_empty() && walls.contains(&content) {
                    continue;
                }
                let moment = time.filter(|time| *time != 0.0).unwrap_or(0.0);
                let seen = Seen { time: moment, timed: time.is_some(), class, content, page };
                contents.push((content, class));
                match kinds.last_mut() {
                    Some((last, sights)) if *last == kind => sights.push(seen),
                    None => kinds.push((kind, vec![seen])),
                    Some(_) => {
                        if places.is_empty() {
                            places.insert(kinds[0].0, 0);
                        }
                        let place = *places.entry(kind).or_insert_with(|| {
                            kinds.push((kind, Vec::new()));
                            kinds.len() - 1
                        });
                        kinds[place].1.push(seen);
                    }
                }
            }
        }
        for (_, sights) in &mut kinds {
            if sights.len() > 1 {
                self.compare(group, sights);
            }
        }
        if kinds.len() > 1 {
            self.spoken(group, &kinds);
        }
        group.failures = group.failures.min(TRIALS);
        group.trials = group.trials.max(group.failures).min(TRIALS);
        self.count_contents(group, contents);
    }

    /// The content that most classes have, the last by name among several.
    fn count_contents(&self, group: &mut Group, mut contents: Vec<(u32, u32)>) {
        contents.sort_unstable();
        contents.dedup();
        let runs = contents.chunk_by(|one, other| one.0 == other.0).map(|run| (run.len(), run[0].0));
        let by_name = |one: &(usize, u32), other: &(usize, u32)| {
            let name = |content: u32| self.contents.get(content as usize);
            one.0.cmp(&other.0).then_with(|| name(one.1).cmp(&name(other.1)))
        };
        if let Some((most, content)) = runs.max_by(by_name) {
            group.content = Some(content);
            group.majority = most as f64 / contents.len() as f64;
        }
    }

    /// Neighbours in time across classes: trials, and the failures among them.
    fn compare(&self, group: &mut Group, sights: &mut [Seen]) {
        sights.sort_by(|one, other| self.earlier(one, other));
        let mut excused = None;
        for pair in sights.windows(2) {
            let (before, after) = (pair[0], pair[1]);
            if before.class == after.class || after.time - before.time > APART {
                continue;
            }
            let same = before.content == after.content;
            if !same {
                if *excused.get_or_insert_with(|| sights.len() >= MANY && rewritten(sights)) {
                    continue;
                }
                group.failures += 1;
            }
            group.trials += 1;
            if group.samples.len() < SAMPLES || (!same && group.failures <= SAMPLES as u64) {
                group.samples.push(Sample { a: before.page, b: after.page, same });
            }
        }
    }

    fn earlier(&self, one: &Seen, other: &Seen) -> Ordering {
        let mixed = |seen: &Seen| self.pages[seen.page as usize].mixed;
        one.time.total_cmp(&other.time).then_with(|| mixed(one).cmp(&mixed(other)))
    }

    /// Two classes that were never seen in one language are two pages, though their contents are not compared: a trial
    /// that failed. A class that was seen in several speaks as its reader does, and says nothing.
    fn spoken(&self, group: &mut Group, kinds: &[(u32, Vec<Seen>)]) {
        let language = |kind: u32| self.languages.get(kind as usize).and_then(Option::as_deref);
        let mut of_class: HashMap<u32, Option<&str>> = HashMap::new();
        for (kind, sights) in kinds {
            if let Some(language) = language(*kind) {
                for seen in sights {
                    let own = of_class.entry(seen.class).or_insert(Some(language));
                    if *own != Some(language) {
                        *own = None;
                    }
                }
            }
        }
        let mut first: Vec<(&str, &Seen)> = Vec::new();
        for (kind, sights) in kinds {
            if let Some(language) = language(*kind) {
                let alone = |seen: &&Seen| of_class.get(&seen.class) == Some(&Some(language));
                first.extend(sights.iter().find(alone).map(|seen| (language, seen)));
            }
        }
        // The first of each language: kinds keep their order.
        first.sort_by_key(|&(language, _)| language);
        first.dedup_by_key(|(language, _)| *language);
        if first.iter().any(|(_, seen)| seen.content != first[0].1.content) {
            group.trials += 1;
            group.failures += 1;
            group.samples.push(Sample { a: first[0].1.page, b: first[1].1.page, same: false });
        }
    }

    /// A sitemap that lists two of the classes says that they are two pages: a trial that failed. With what only a
    /// sitemap knows nothing is merged.
    fn declare(&self, group: &mut Group, members: &[(u32, u32)], bare: Option<u32>) {
        let known = |page: u32| &self.pages[page as usize];
        let classes = || members.chunk_by(|one, other| one.0 == other.0);
        let fetched = |class: &[(u32, u32)]| class.iter().any(|&(_, page)| known(page).fetched);
        group.classes = (classes().filter(|class| fetched(class)).count() as u64).max(1);
        group.bare = classes().any(|class| Some(class[0].0) == bare && fetched(class));
        let listed: Vec<u32> = classes()
            .filter(|class| class.iter().any(|&(_, page)| known(page).listed))
            .map(|class| class[0].1)
            .collect();
        if let [a, b, ..] = listed[..] {
            group.listed = true;
            group.trials = group.trials.max(1);
            group.failures = group.failures.max(1);
            group.samples.push(Sample { a, b, same: false });
        }
    }
}

/// Whether time explains what differs: the page was rewritten. Each content stands in one stretch of time, and at least
/// two classes of it were seen there; contents that belong to classes would not keep to stretches.
fn rewritten(sights: &[Seen]) -> bool {
    let mut contents = HashSet::new();
    let several = |stretch: &[Seen]| stretch.iter().any(|seen| seen.class != stretch[0].class);
    sights.iter().all(|seen| seen.timed)
        && sights
            .chunk_by(|one, other| one.content == other.content)
            .all(|stretch| contents.insert(stretch[0].content) && several(stretch))
}
