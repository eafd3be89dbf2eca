//! Every spelling of every key, on the way through a file: distributed by
//! fingerprint until the first spelling of each key is known, then sorted by it.
//! Must not know how keys are made.

use crate::dedupe::groups::{AsIs, ByFingerprint};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::pages::{DiskResult, Pages, Stream};
use super::records::{Merge, Parts, Record, Records};
use super::sorter::Sorter;
use super::{Budget, Disk, FEW, LEVELS, divided, way};

/// A group in the table: number of its first row, how many rows.
#[derive(Clone, Copy)]
struct Group {
    first: u64,
    count: u64,
}

/// What a group costs in the table, and for a moment more while it grows.
const GROUP: usize = (16 + size_of::<Group>() + 1) * 4;

/// Some spellings of one group, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// How many spellings the group has, over all its pieces.
    pub count: u64,
    /// Whether the group begins here.
    pub begins: bool,
    /// Number and text of each line.
    pub spellings: Vec<(u64, Vec<u8>)>,
}

pub(in crate::dedupe) struct Spellings {
    budget: Budget,
    pages: Pages,
    parts: Parts,
    rows: u64,
    unsettled: Option<(Vec<Stream>, usize)>,
    sorter: Option<Sorter>,
    output: Option<Merge>,
    /// How many spellings the group that is read now has.
    count: u64,
    /// Of them, those that were not read yet.
    left: u64,
}

impl Spellings {
    pub(in crate::dedupe) fn new(memory: usize, disk: Box<dyn Disk>) -> Spellings {
        let budget = Budget::of(memory);
        Spellings {
            budget,
            pages: Pages::new(disk, budget.page),
            parts: Parts::new(),
            rows: 0,
            unsettled: None,
            sorter: None,
            output: None,
            count: 0,
            left: 0,
        }
    }

    /// Rows are numbered anew: the number that is told need not tell them apart.
    pub(in crate::dedupe) fn add(&mut self, id: u128, url: &[u8], number: u64) -> DiskResult<()> {
        self.rows += 1;
        let text = [&number.to_le_bytes(), url].concat();
        let record = Record { id, number: self.rows, rank: 0, text: &text };
        self.parts.push(way(id, 0), &record, &mut self.pages)
    }

    /// Works on one stream; returns how many of how many are done, None where nothing is left to do.
    pub(in crate::dedupe) fn settle(&mut self) -> DiskResult<Option<(usize, usize)>> {
        if self.output.is_some() {
            return Ok(None);
        }
        if self.unsettled.is_none() {
            let streams = std::mem::replace(&mut self.parts, Parts::new()).seal(&mut self.pages)?;
            let all = streams.len();
            self.unsettled = Some((streams, all));
        }
        let Some((streams, all)) = &mut self.unsettled else { return Ok(None) };
        let (next, left, all) = (streams.pop(), streams.len(), *all);
        // Table and sorter are there at the same time.
        let mut sorter = self.sorter.take().unwrap_or_else(|| Sorter::new(self.budget.table / 2));
        match next {
            Some(stream) => {
                self.solve(stream, 1, &mut sorter)?;
                self.sorter = Some(sorter);
                Ok(Some((all - left, all)))
            }
            None => {
                self.output = Some(sorter.finish(&mut self.pages)?);
                Ok(None)
            }
        }
    }

    /// Finds the groups of a stream, then gives every row to the sorter under the first of its group.
    fn solve(&mut self, stream: Stream, level: u32, sorter: &mut Sorter) -> DiskResult<()> {
        let mut groups: ByFingerprint<Group> = HashMap::with_hasher(BuildHasherDefault::<AsIs>::default());
        let mut records = Records::of(stream);
        while let Some(record) = records.next(&mut self.pages)? {
            groups.entry(record.id).or_insert(Group { first: record.number, count: 0 }).count += 1;
            if level < LEVELS && groups.len() > FEW && groups.len() * GROUP > self.budget.table / 2 {
                drop(groups);
                let streams = divided(records.into_stream(), level, &mut self.pages)?;
                return streams.into_iter().try_for_each(|stream| self.solve(stream, level + 1, sorter));
            }
        }
        let mut records = Records::of(records.into_stream());
        while let Some(record) = records.next(&mut self.pages)? {
            let Some(&Group { first, count }) = groups.get(&record.id) else { continue };
            let id = u128::from(first);
            if record.number == first {
                // Rows have numbers from 1 on: this one comes before them, and says how many they are.
                sorter.push(&Record { id, number: 0, rank: 0, text: &count.to_le_bytes() }, &mut self.pages)?;
            }
            sorter.push(&Record { id, ..record }, &mut self.pages)?;
        }
        self.pages.release(records.into_stream());
        Ok(())
    }

    /// The next spellings of one group, about `limit` bytes of them; None after the last group.
    pub(in crate::dedupe) fn next(&mut self, limit: usize) -> DiskResult<Option<Piece>> {
        while self.settle()?.is_some() {}
        let Some(output) = &mut self.output else { return Ok(None) };
        let mut piece = Piece::default();
        if self.left == 0 {
            let count = &mut self.count;
            if !output.next(&mut self.pages, |record| *count = number_at(record.text))? {
                return Ok(None);
            }
            (piece.begins, self.left) = (true, self.count);
        }
        piece.count = self.count;
        let mut bytes = 0;
        while self.left > 0 && bytes < limit {
            let spellings = &mut piece.spellings;
            output.next(&mut self.pages, |record| {
                bytes += record.text.len() + size_of::<(u64, Vec<u8>)>();
                spellings.push((number_at(record.text), record.text.get(8..).unwrap_or_default().to_vec()));
            })?;
            self.left -= 1;
        }
        Ok(Some(piece))
    }
}

/// The number that a text begins with.
fn number_at(text: &[u8]) -> u64 {
    text.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
