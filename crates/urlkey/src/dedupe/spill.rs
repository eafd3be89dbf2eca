//! Deduplication with more keys than memory has room for. Lines are decided at once
//! as long as the set of fingerprints has room; from then on those that it does not
//! hold are distributed over streams in a file, by six bits of their fingerprints.
//! Each stream is deduplicated for itself, by other bits again if it still has too
//! many keys, and what is kept of all is merged in the order that it came. Must not
//! know how keys are made, nor where the file is.

mod merges;
mod pages;
mod records;
mod sorter;
mod spellings;

pub(super) use merges::Merges;
pub use pages::{Disk, DiskError, DiskResult};
pub use spellings::Piece;
pub(super) use spellings::Spellings;

use crate::seen::Seen;

use super::Fate;
use super::groups::{Groups, Keep};
use pages::{Pages, Stream};
use records::{Merge, Parts, Record, Records, WAYS};

const WAY_BITS: u32 = WAYS.trailing_zeros();
/// The bits that distribute are no others' business: the set goes by the highest, tables by the lowest.
const FIRST_BIT: u32 = 64;
/// Streams of streams of streams: 16 million times what memory holds.
const LEVELS: u32 = 4;
/// A table with fewer rows than these is not divided, however long they are.
const FEW: usize = 64;
/// Bytes of a page.
const SMALLEST_PAGE: usize = 1 << 12;
const LARGEST_PAGE: usize = 1 << 18;

/// How memory is used: pages of the streams that are written, and a table.
#[derive(Clone, Copy)]
struct Budget {
    page: usize,
    table: usize,
}

impl Budget {
    /// A quarter at most is for pages.
    fn of(memory: usize) -> Budget {
        let page = (memory / (4 * WAYS)).clamp(SMALLEST_PAGE, LARGEST_PAGE);
        Budget { page, table: memory.saturating_sub(page * WAYS) }
    }
}

/// The stream of a fingerprint; nothing else of its id is asked on this level.
fn way(id: u128, level: u32) -> usize {
    (id >> (FIRST_BIT + level * WAY_BITS)) as usize % WAYS
}

pub(super) struct Spill {
    keep: Keep,
    budget: Budget,
    pages: Pages,
    seen: Seen,
    /// The set has no more room.
    full: bool,
    parts: Parts,
    rows: u64,
    waiting: u64,
    kept: u64,
    /// Streams that are not deduplicated yet, and how many there were.
    unsettled: Option<(Vec<Stream>, usize)>,
    runs: Vec<Stream>,
    output: Option<Merge>,
}

impl Spill {
    pub(super) fn new(keep: Keep, memory: usize, disk: Box<dyn Disk>) -> Spill {
        let budget = Budget::of(memory);
        Spill {
            keep,
            budget,
            pages: Pages::new(disk, budget.page),
            seen: Seen::default(),
            // Which row is the best is not known before the last one.
            full: keep != Keep::First,
            parts: Parts::new(),
            rows: 0,
            waiting: 0,
            kept: 0,
            unsettled: None,
            runs: Vec::new(),
            output: None,
        }
    }

    pub(super) fn touch(&self, fingerprint: u128) -> u128 {
        self.seen.touch(fingerprint)
    }

    /// Decides about a row, or puts it aside.
    pub(super) fn add(&mut self, fingerprint: u128, url: &[u8], row: &[u8]) -> DiskResult<Fate> {
        self.rows += 1;
        if !self.full {
            let fresh = self.seen.insert(fingerprint);
            // Looked at now and then: 64 keys are two kilobytes.
            self.full = self.rows.is_multiple_of(64) && self.seen.bytes() > self.budget.table / 8 * 7;
            return Ok(if fresh { Fate::Kept } else { Fate::Merged });
        }
        if self.seen.contains(fingerprint) {
            return Ok(Fate::Merged);
        }
        self.waiting += 1;
        let rank = u32::try_from(self.keep.rank(url)).unwrap_or(u32::MAX);
        let record = Record { id: fingerprint, number: self.rows, rank, text: row };
        self.parts.push(way(fingerprint, 0), &record, &mut self.pages)?;
        Ok(Fate::Waiting)
    }

    /// Deduplicates one stream; returns how many of how many are done, None where nothing is left to do.
    pub(super) fn settle(&mut self) -> DiskResult<Option<(usize, usize)>> {
        if self.output.is_some() {
            return Ok(None);
        }
        if self.unsettled.is_none() {
            self.seen = Seen::default();
            let streams = std::mem::replace(&mut self.parts, Parts::new()).seal(&mut self.pages)?;
            let all = streams.len();
            self.unsettled = Some((streams, all));
        }
        let Some((streams, all)) = &mut self.unsettled else { return Ok(None) };
        let (next, left, all) = (streams.pop(), streams.len(), *all);
        match next {
            Some(stream) => {
                let run = self.solve(stream, 1)?;
                self.runs.push(run);
                Ok(Some((all - left, all)))
            }
            None => {
                self.output = Some(Merge::new(std::mem::take(&mut self.runs), &mut self.pages)?);
                Ok(None)
            }
        }
    }

    /// How many of the rows that had to wait are kept, and how many are merged; once all is settled.
    pub(super) fn decided(&self) -> (u64, u64) {
        match self.output {
            Some(_) => (self.kept, self.waiting - self.kept),
            None => (0, 0),
        }
    }

    /// Appends the next rows to `out`, about `limit` bytes; settles what is not settled.
    pub(super) fn drain(&mut self, limit: usize, out: &mut Vec<u8>) -> DiskResult<()> {
        while self.settle()?.is_some() {}
        let enough = out.len().saturating_add(limit);
        if let Some(output) = &mut self.output {
            while out.len() < enough && output.next(&mut self.pages, |row| out.extend_from_slice(row.text))? {}
        }
        Ok(())
    }

    /// The rows that are kept of a stream, in the order of the first of their key.
    fn solve(&mut self, stream: Stream, level: u32) -> DiskResult<Stream> {
        let mut records = Records::of(stream);
        let mut table = Table::new(self.keep);
        let mut run = Stream::default();
        while let Some(record) = records.next(&mut self.pages)? {
            if let Some(kept) = table.add(&record) {
                kept.write(&mut run, &mut self.pages)?;
            }
            if level < LEVELS && table.bytes() > self.budget.table && table.len() > FEW {
                drop(table);
                self.pages.release(run);
                return self.divide(records.into_stream(), level);
            }
        }
        let pages = &mut self.pages;
        self.kept += table.len() as u64;
        table.finish(&mut run, pages)?;
        pages.release(records.into_stream());
        run.seal(pages)?;
        Ok(run)
    }

    /// The same where the stream has too many keys.
    fn divide(&mut self, stream: Stream, level: u32) -> DiskResult<Stream> {
        let streams = divided(stream, level, &mut self.pages)?;
        let runs = streams.into_iter().map(|stream| self.solve(stream, level + 1)).collect::<DiskResult<_>>()?;
        Merge::new(runs, &mut self.pages)?.into_one(&mut self.pages)
    }
}

/// Distributes a stream by the bits of a level.
fn divided(stream: Stream, level: u32, pages: &mut Pages) -> DiskResult<Vec<Stream>> {
    let (mut records, mut parts) = (Records::of(stream), Parts::new());
    while let Some(record) = records.next(pages)? {
        parts.push(way(record.id, level), &record, pages)?;
    }
    pages.release(records.into_stream());
    parts.seal(pages)
}

/// What must be known of the keys of one stream.
enum Table {
    /// Whether they were there.
    First(Box<Seen>),
    /// The best row of each so far.
    Best(Groups),
}

impl Table {
    fn new(keep: Keep) -> Table {
        match keep {
            Keep::First => Table::First(Box::default()),
            _ => Table::Best(Groups::new(keep, false)),
        }
    }

    /// The record to be kept, if that is known already: without an id, so that the number decides its place.
    fn add<'a>(&mut self, record: &Record<'a>) -> Option<Record<'a>> {
        match self {
            Table::First(seen) => seen.insert(record.id).then_some(Record { id: 0, ..*record }),
            Table::Best(groups) => {
                groups.add_ranked(record.id, record.rank as usize, record.text, record.number);
                None
            }
        }
    }

    fn len(&self) -> usize {
        match self {
            Table::First(seen) => seen.len(),
            Table::Best(groups) => groups.len(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Table::First(seen) => seen.bytes(),
            Table::Best(groups) => groups.bytes(),
        }
    }

    /// Writes the rows that were held back, in order.
    fn finish(self, run: &mut Stream, pages: &mut Pages) -> DiskResult<()> {
        let Table::Best(groups) = self else { return Ok(()) };
        for (number, text) in groups.best() {
            Record { id: 0, number, rank: 0, text }.write(run, pages)?;
        }
        Ok(())
    }
}
