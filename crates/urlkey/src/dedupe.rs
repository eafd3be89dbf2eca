//! Deduplicates a stream of lines, or of rows that somebody else has split, by
//! the keys of their URLs. Blocks of bytes in, the lines to be kept out, in the
//! order they came. Must not know files: it does no I/O, and never asks for a
//! line twice.
//!
//! Nothing is lost: every line is kept, or belongs to the group of one that
//! was, or is a [`Reject`].
//!
//! Where memory is bounded, what it has no room for goes through a [`Disk`]: see
//! [`Dedupe::bounded`].

mod groups;
mod judge;
mod keys;
mod merges;
mod spill;
#[cfg(test)]
mod tests;
mod walk;

use crate::error::ParseError;
use crate::key::{Key, Scratch};
use crate::seen::Fingerprints;

use groups::Groups;
pub use groups::{Group, Keep};
use judge::{Fate, Judge};
pub use keys::Keys;
use merges::Merges;
pub use merges::{Row as MergeRow, Sample};
pub use spill::{Disk, DiskError, DiskResult, Piece};
use spill::{Spellings, Spill};

/// Lines whose slots in the set are fetched together.
const BATCH: usize = 32;

/// What is wanted besides the lines themselves; each costs memory.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Which spelling stands for its group.
    pub keep: Keep,
    /// Count what each rung merges.
    pub merges: bool,
    /// Remember every spelling of every key.
    pub groups: bool,
    /// How many rejects to collect between two `take_rejects`.
    pub rejects: usize,
    /// What ends a line: LF (a CR before it belongs to the end) or NUL.
    pub end: u8,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { keep: Keep::First, merges: false, groups: false, rejects: 0, end: b'\n' }
    }
}

/// A line that has no key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reject {
    /// Number of the line, from 1 over all that was fed.
    pub line: u64,
    /// Why.
    pub error: ParseError,
    /// The line without its end, or the row.
    pub text: Vec<u8>,
}

/// What became of the lines so far: `lines` is the sum of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Lines that ended.
    pub lines: u64,
    /// Keys, and so lines of output.
    pub kept: u64,
    /// Lines whose key was there before.
    pub merged: u64,
    /// Lines without a key.
    pub rejected: u64,
}

/// One line waiting for its turn in the set.
#[derive(Clone, Copy, Default)]
struct Waiting {
    /// Where it stands in its block, with its end.
    start: usize,
    end: usize,
    number: u64,
    fingerprint: u128,
}

/// The state between two blocks.
pub struct Dedupe {
    keys: Keys,
    settings: Settings,
    prints: Fingerprints,
    scratch: Scratch,
    judge: Judge,
    spellings: Option<Box<Spellings>>,
    merges: Option<Merges>,
    /// The same where memory is bounded.
    spilled: Option<Box<spill::Merges>>,
    rejects: Vec<Reject>,
    totals: Totals,
    /// The beginning of a line whose end has not come yet.
    cut: Vec<u8>,
}

impl Dedupe {
    /// `seed` must be random: see [`Fingerprints`].
    pub fn new(keys: Keys, settings: Settings, seed: [u8; 16]) -> Dedupe {
        let judge = match settings.groups || settings.keep != Keep::First {
            true => Judge::Groups(Groups::new(settings.keep, settings.groups)),
            false => Judge::Seen(Box::default()),
        };
        let prints = Fingerprints::new(&seed);
        let merges = settings.merges.then(|| Merges::new(&keys.policy, prints.clone()));
        Dedupe { merges, ..Dedupe::judged_by(judge, keys, settings, prints) }
    }

    /// The same with `memory` bytes at most for keys, groups and report, a few pages aside; what they have
    /// no room for goes through files that `disk` gives, one for the lines, and one each for the groups and the
    /// report. The output is the same, but most of it may come with `drain`.
    pub fn bounded<D: Disk + 'static>(
        keys: Keys,
        settings: Settings,
        seed: [u8; 16],
        memory: usize,
        mut disk: impl FnMut() -> DiskResult<D>,
    ) -> DiskResult<Dedupe> {
        let memory = memory / (1 + usize::from(settings.groups) + usize::from(settings.merges));
        let prints = Fingerprints::new(&seed);
        let judge = Judge::Spill(Box::new(Spill::new(settings.keep, memory, Box::new(disk()?))));
        let spellings = match settings.groups {
            true => Some(Box::new(Spellings::new(memory, Box::new(disk()?)))),
            false => None,
        };
        let spilled = match settings.merges {
            true => Some(Box::new(spill::Merges::new(&keys.policy, prints.clone(), memory, Box::new(disk()?)))),
            false => None,
        };
        Ok(Dedupe { spellings, spilled, ..Dedupe::judged_by(judge, keys, settings, prints) })
    }

    fn judged_by(judge: Judge, keys: Keys, settings: Settings, prints: Fingerprints) -> Dedupe {
        Dedupe {
            judge,
            spellings: None,
            merges: None,
            spilled: None,
            keys,
            settings,
            prints,
            scratch: Scratch::default(),
            rejects: Vec::new(),
            totals: Totals::default(),
            cut: Vec::new(),
        }
    }

    /// Takes the next bytes; appends the lines to be kept to `out`, with their
    /// ends. Blocks may be cut anywhere. Linear in bytes. The errors here and
    /// below are those of a [`Disk`]; there are none without one, and no going on after one.
    pub fn feed(&mut self, block: &[u8], out: &mut Vec<u8>) -> DiskResult<()> {
        let mut rest = block;
        if !self.cut.is_empty() {
            let Some(end) = memchr::memchr(self.settings.end, block) else {
                self.cut.extend_from_slice(block);
                return Ok(());
            };
            let mut line = std::mem::take(&mut self.cut);
            line.extend_from_slice(&block[..=end]);
            self.lines(&line, out)?;
            rest = &block[end + 1..];
        }
        let whole = memchr::memrchr(self.settings.end, rest).map_or(0, |end| end + 1);
        self.lines(&rest[..whole], out)?;
        self.cut.extend_from_slice(&rest[whole..]);
        Ok(())
    }

    /// The file ends here: its last line may lack an end, and gets one.
    pub fn end_file(&mut self, out: &mut Vec<u8>) -> DiskResult<()> {
        let mut line = std::mem::take(&mut self.cut);
        if !line.is_empty() {
            line.push(self.settings.end);
            self.lines(&line, out)?;
        }
        Ok(())
    }

    /// Takes back the line that has begun but not ended: the file is broken here.
    pub fn take_cut(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.cut)
    }

    /// Takes one row that somebody else has split and numbered: `url` decides,
    /// `row` is kept.
    pub fn row(&mut self, url: &[u8], row: &[u8], number: u64, out: &mut Vec<u8>) -> DiskResult<()> {
        self.totals.lines += 1;
        match self.fingerprint(url, None) {
            Err(error) => {
                self.reject(error, row, number);
                Ok(())
            }
            Ok(fingerprint) => self.judge(fingerprint, url, row, number, out),
        }
    }

    /// Counts rows that their reader could not read.
    pub fn add_unreadable(&mut self, rows: u64) {
        self.totals.lines += rows;
        self.totals.rejected += rows;
    }

    /// Does a part of the work that can wait until after the last line; returns how many of how
    /// many parts are done, None where none is left; there may be several rounds. `drain`, `next_piece` and
    /// `merges` do the rest.
    pub fn settle(&mut self) -> DiskResult<Option<(usize, usize)>> {
        if let Judge::Spill(spill) = &mut self.judge
            && let Some(done) = spill.settle()?
        {
            return Ok(Some(done));
        }
        if let Some(spellings) = &mut self.spellings
            && let Some(done) = spellings.settle()?
        {
            return Ok(Some(done));
        }
        self.spilled.as_mut().map_or(Ok(None), |merges| merges.settle())
    }

    /// Appends what was held back to `out`, about `limit` bytes a call; nothing
    /// when nothing is left. Only after the last line, and only needed where not
    /// the first spelling is kept, or memory is bounded.
    pub fn drain(&mut self, limit: usize, out: &mut Vec<u8>) -> DiskResult<()> {
        match &mut self.judge {
            Judge::Seen(_) => {}
            Judge::Groups(groups) => groups.drain(limit, out),
            Judge::Spill(spill) => spill.drain(limit, out)?,
        }
        Ok(())
    }

    /// The rejects since the last call.
    pub fn take_rejects(&mut self) -> Vec<Reject> {
        std::mem::take(&mut self.rejects)
    }

    /// The counts so far; where memory is bounded, lines may wait to be kept or merged until all is settled.
    pub fn totals(&self) -> Totals {
        let (kept, merged) = match &self.judge {
            Judge::Spill(spill) => spill.decided(),
            _ => (0, 0),
        };
        Totals { kept: self.totals.kept + kept, merged: self.totals.merged + merged, ..self.totals }
    }

    /// How many groups there are, if their spellings are remembered in memory.
    pub fn groups(&self) -> Option<usize> {
        match &self.judge {
            Judge::Groups(groups) => groups.remembered(),
            _ => None,
        }
    }

    /// Every spelling of one key, in order of the first spellings, if they are remembered in memory.
    pub fn group(&mut self, index: usize) -> Option<Group<'_>> {
        let Judge::Groups(groups) = &self.judge else { return None };
        let spellings = groups.spellings(index)?;
        let (_, first) = *spellings.first()?;
        let key = self.keys.key_of_kept(first, &mut self.scratch);
        Some(Group { key, spellings })
    }

    /// The next spellings of a key, in the same order, about `limit` bytes of them, and the key
    /// where they are its first; None after the last, and where they are in memory or not remembered.
    pub fn next_piece(&mut self, limit: usize) -> DiskResult<Option<(Option<Vec<u8>>, Piece)>> {
        let Some(spellings) = &mut self.spellings else { return Ok(None) };
        let Some(piece) = spellings.next(limit)? else { return Ok(None) };
        let first = piece.spellings.first().filter(|_| piece.begins);
        let key = first.map(|(_, first)| self.keys.key_of_kept(first, &mut self.scratch));
        Ok(Some((key, piece)))
    }

    /// What each rung merged, parse first, if that was counted.
    pub fn merges(&mut self) -> DiskResult<Option<Vec<MergeRow>>> {
        match (&self.merges, &mut self.spilled) {
            (Some(merges), _) => Ok(Some(merges.rows(&self.keys))),
            (None, Some(merges)) => merges.rows(&self.keys).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// Whole lines, each with its end.
    fn lines(&mut self, lines: &[u8], out: &mut Vec<u8>) -> DiskResult<()> {
        let mut batch = [Waiting::default(); BATCH];
        let (mut used, mut start) = (0, 0);
        // A block is looked through once, and faster than line by line.
        let text = std::str::from_utf8(lines).ok();
        for end in memchr::memchr_iter(self.settings.end, lines).map(|at| at + 1) {
            let line = self.without_end(&lines[start..end]);
            self.totals.lines += 1;
            let number = self.totals.lines;
            match self.fingerprint(line, text.and_then(|text| text.get(start..start + line.len()))) {
                Err(error) => self.reject(error, line, number),
                Ok(fingerprint) => {
                    batch[used] = Waiting { start, end, number, fingerprint };
                    used += 1;
                }
            }
            start = end;
            if used == BATCH {
                self.settle_batch(&batch, lines, out)?;
                used = 0;
            }
        }
        self.settle_batch(&batch[..used], lines, out)
    }

    /// The slots of a batch are scattered over the whole set: fetch them first,
    /// all at once, then ask.
    #[inline]
    fn settle_batch(&mut self, batch: &[Waiting], lines: &[u8], out: &mut Vec<u8>) -> DiskResult<()> {
        let fetched = batch.iter().fold(0, |sum, line| sum ^ self.judge.touch(line.fingerprint));
        std::hint::black_box(fetched);
        for line in batch {
            let row = &lines[line.start..line.end];
            self.judge(line.fingerprint, self.without_end(row), row, line.number, out)?;
        }
        Ok(())
    }

    /// Decides about one line or row: kept or merged.
    #[inline]
    fn judge(&mut self, fingerprint: u128, url: &[u8], row: &[u8], number: u64, out: &mut Vec<u8>) -> DiskResult<()> {
        if let Some(spellings) = &mut self.spellings {
            spellings.add(fingerprint, url, number)?;
        }
        if let Some(merges) = &mut self.spilled {
            merges.add(url, &self.keys, &mut self.scratch)?;
        }
        match self.judge.decide(fingerprint, url, row, number)? {
            Fate::Kept => {
                self.totals.kept += 1;
                if self.settings.keep == Keep::First {
                    out.extend_from_slice(row);
                }
            }
            Fate::Merged => self.totals.merged += 1,
            Fate::Waiting => {}
        }
        Ok(())
    }

    #[inline]
    fn fingerprint(&mut self, url: &[u8], text: Option<&str>) -> Result<u128, ParseError> {
        if let Some(merges) = &mut self.merges {
            return merges.add(url, &self.keys, &mut self.scratch);
        }
        Ok(self.prints.of(match self.keys.key(url, text, &mut self.scratch)? {
            Key::Same => url,
            Key::New(key) => key.as_bytes(),
        }))
    }

    fn without_end<'a>(&self, line: &'a [u8]) -> &'a [u8] {
        let line = line.strip_suffix(&[self.settings.end]).unwrap_or(line);
        match self.settings.end {
            b'\n' => line.strip_suffix(b"\r").unwrap_or(line),
            _ => line,
        }
    }

    #[cold]
    fn reject(&mut self, error: ParseError, text: &[u8], number: u64) {
        self.totals.rejected += 1;
        if self.rejects.len() < self.settings.rejects {
            self.rejects.push(Reject { line: number, error, text: text.to_vec() });
        }
    }
}
