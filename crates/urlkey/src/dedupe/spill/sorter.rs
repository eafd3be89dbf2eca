//! Puts any number of records in order: sorted runs, merged in levels. Must not
//! know what a record is for.

use super::pages::{DiskResult, Pages, Stream};
use super::records::{Merge, Record, WAYS};

pub(super) struct Sorter {
    /// Bytes that may wait in memory.
    budget: usize,
    text: Vec<u8>,
    waiting: Vec<Waiting>,
    /// Fewer than `WAYS` runs each; those of a level are `WAYS` times as long as those of the one before.
    levels: Vec<Vec<Stream>>,
}

/// A record whose text is in memory still.
struct Waiting {
    id: u128,
    number: u64,
    start: usize,
    end: usize,
}

impl Sorter {
    pub(super) fn new(budget: usize) -> Sorter {
        Sorter { budget, text: Vec::new(), waiting: Vec::new(), levels: Vec::new() }
    }

    /// Takes a record; no two of them have id and number in common, and ranks are lost.
    pub(super) fn push(&mut self, record: &Record<'_>, pages: &mut Pages) -> DiskResult<()> {
        let start = self.text.len();
        self.text.extend_from_slice(record.text);
        self.waiting.push(Waiting { id: record.id, number: record.number, start, end: self.text.len() });
        // A vector that grows is copied: for a moment there are the old one, and the new one of twice the size.
        if (self.text.len() + self.waiting.len() * size_of::<Waiting>()) * 3 > self.budget {
            self.flush(pages)?;
        }
        Ok(())
    }

    fn flush(&mut self, pages: &mut Pages) -> DiskResult<()> {
        let mut run = Stream::default();
        self.waiting.sort_unstable_by_key(|row| (row.id, row.number));
        for row in self.waiting.drain(..) {
            let text = &self.text[row.start..row.end];
            Record { id: row.id, number: row.number, rank: 0, text }.write(&mut run, pages)?;
        }
        self.text.clear();
        run.seal(pages)?;
        self.add(run, 0, pages)
    }

    /// A full level becomes one run of the next.
    fn add(&mut self, mut run: Stream, mut level: usize, pages: &mut Pages) -> DiskResult<()> {
        loop {
            if level == self.levels.len() {
                self.levels.push(Vec::new());
            }
            self.levels[level].push(run);
            if self.levels[level].len() < WAYS {
                return Ok(());
            }
            run = Merge::new(std::mem::take(&mut self.levels[level]), pages)?.into_one(pages)?;
            level += 1;
        }
    }

    /// All records in order.
    pub(super) fn finish(mut self, pages: &mut Pages) -> DiskResult<Merge> {
        self.flush(pages)?;
        let mut runs: Vec<Stream> = Vec::new();
        for level in std::mem::take(&mut self.levels) {
            if runs.len() + level.len() > WAYS {
                runs = vec![Merge::new(runs, pages)?.into_one(pages)?];
            }
            runs.extend(level);
        }
        Merge::new(runs, pages)
    }
}
