//! The groups of a deduplication that needs more than "seen before": the best
//! spelling of each key so far, and all its spellings. Must not know how keys
//! are made.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Which spelling stands for its group, at the place of the group's first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The first one.
    First,
    /// The one with the fewest bytes; of equals the first.
    Shortest,
    /// The first one that begins with `https:`, else the first.
    Https,
}

/// All spellings of one key.
pub struct Group<'a> {
    /// The key.
    pub key: Vec<u8>,
    /// Number and text of each line, in order.
    pub spellings: Vec<(u64, &'a [u8])>,
}

/// A fingerprint is a hash already: its low half is taken as it is.
#[derive(Default)]
pub(super) struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, &byte| hash << 8 | u64::from(byte));
    }
    fn write_u128(&mut self, fingerprint: u128) {
        self.0 = fingerprint as u64;
    }
}

pub(super) type ByFingerprint<T> = HashMap<u128, T, BuildHasherDefault<AsIs>>;

/// The row that is to be printed for a group, and the number of the group's first.
struct Best {
    row: Box<[u8]>,
    rank: usize,
    number: u64,
}

/// One spelling in the chain of its group.
struct Spelling {
    number: u64,
    start: usize,
    len: usize,
    next: Option<usize>,
}

/// First and last spelling of a group.
struct Chain {
    first: usize,
    last: usize,
}

pub(super) struct Groups {
    keep: Keep,
    index: ByFingerprint<usize>,
    best: Vec<Best>,
    /// Bytes of the best rows.
    held: usize,
    drained: usize,
    remember: bool,
    chains: Vec<Chain>,
    spellings: Vec<Spelling>,
    text: Vec<u8>,
}

impl Groups {
    pub(super) fn new(keep: Keep, remember: bool) -> Groups {
        Groups {
            keep,
            index: HashMap::default(),
            best: Vec::new(),
            held: 0,
            drained: 0,
            remember,
            chains: Vec::new(),
            spellings: Vec::new(),
            text: Vec::new(),
        }
    }

    /// True if the group is new.
    pub(super) fn add(&mut self, fingerprint: u128, url: &[u8], row: &[u8], number: u64) -> bool {
        let next = self.index.len();
        let group = *self.index.entry(fingerprint).or_insert(next);
        if self.keep != Keep::First {
            self.offer(group, self.keep.rank(url), row, number);
        }
        if self.remember {
            self.remember(group, url, number);
        }
        group == next
    }

    /// The same for a row whose rank is known, and whose spelling is not to be remembered.
    pub(super) fn add_ranked(&mut self, fingerprint: u128, rank: usize, row: &[u8], number: u64) {
        let next = self.index.len();
        let group = *self.index.entry(fingerprint).or_insert(next);
        self.offer(group, rank, row, number);
    }

    /// The row replaces the best one of its group if it is better.
    fn offer(&mut self, group: usize, rank: usize, row: &[u8], number: u64) {
        match self.best.get_mut(group) {
            None => {
                self.held += row.len();
                self.best.push(Best { row: row.into(), rank, number });
            }
            Some(best) if rank < best.rank => {
                self.held = self.held - best.row.len() + row.len();
                *best = Best { row: row.into(), rank, number: best.number };
            }
            Some(_) => {}
        }
    }

    /// How many groups there are.
    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    /// Bytes of memory, about: rows, their allocations, their places in the vector and in the index.
    pub(super) fn bytes(&self) -> usize {
        // Both double when they are full, and for a moment there are the old and the new.
        const GROUP: usize = 16 + 3 * (size_of::<Best>() + size_of::<(u128, usize)>());
        self.held + self.best.len() * GROUP
    }

    /// The best row of each group, and the number of its first one, in order.
    pub(super) fn best(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.best.iter().map(|best| (best.number, &best.row[..]))
    }

    fn remember(&mut self, group: usize, url: &[u8], number: u64) {
        let new = self.spellings.len();
        let start = self.text.len();
        self.text.extend_from_slice(url);
        self.spellings.push(Spelling { number, start, len: url.len(), next: None });
        match self.chains.get_mut(group) {
            None => self.chains.push(Chain { first: new, last: new }),
            Some(chain) => {
                self.spellings[chain.last].next = Some(new);
                chain.last = new;
            }
        }
    }

    /// Appends the next best rows to `out`, about `limit` bytes.
    pub(super) fn drain(&mut self, limit: usize, out: &mut Vec<u8>) {
        let enough = out.len().saturating_add(limit);
        while let Some(best) = self.best.get_mut(self.drained) {
            if out.len() >= enough {
                return;
            }
            out.extend_from_slice(&std::mem::take(&mut best.row));
            self.drained += 1;
        }
    }

    /// How many groups have their spellings remembered, if they are at all.
    pub(super) fn remembered(&self) -> Option<usize> {
        self.remember.then_some(self.chains.len())
    }

    /// Number and text of every spelling of a group.
    pub(super) fn spellings(&self, group: usize) -> Option<Vec<(u64, &[u8])>> {
        let chain = self.chains.get(group)?;
        let links =
            std::iter::successors(self.spellings.get(chain.first), |spelling| self.spellings.get(spelling.next?));
        Some(links.map(|s| (s.number, &self.text[s.start..s.start + s.len])).collect())
    }
}

impl Keep {
    /// The lower, the better.
    pub(super) fn rank(self, url: &[u8]) -> usize {
        match self {
            Keep::First => 0,
            Keep::Shortest => url.len(),
            Keep::Https => {
                let begin = url.iter().position(|&byte| byte > b' ').unwrap_or(0);
                let scheme = url.get(begin..begin + b"https:".len());
                usize::from(!scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"https:")))
            }
        }
    }
}
