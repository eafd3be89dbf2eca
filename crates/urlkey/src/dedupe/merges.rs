//! What each rung merges: as if the whole file had been deduplicated once after
//! every step of the ladder. Must not know which line is kept.
//!
//! A line stands on every stage of the ladder with some text: as written, after
//! each repair, after the parse, after each rung. It merges on the first stage
//! where that text was there before, and from there on shares the fate of the
//! other; so each line is counted once, at the rung that made the difference.

use crate::error::ParseError;
use crate::key::Scratch;
use crate::ladder::Loss;
use crate::policy::Policy;
use crate::seen::Fingerprints;

use super::Keys;
use super::groups::ByFingerprint;
use super::walk::{Stages, Stop, walk};

/// Sample pairs that are kept of each stage.
const SAMPLES: usize = 3;

/// What one stage did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// `lines`, `parse` or the rung's name.
    pub name: &'static str,
    /// What the step may lose.
    pub loss: Loss,
    /// Lines that the step rewrote.
    pub rewrote: u64,
    /// Distinct texts before it less distinct texts after it.
    pub merged: u64,
    /// Distinct texts after it.
    pub distinct: u64,
    /// Some pairs that it merged.
    pub samples: Vec<Sample>,
}

/// Two lines that one step merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// As written: the one that was there before, then the one that fell to it.
    pub spellings: [Vec<u8>; 2],
    /// The same two just before the step.
    pub before: [Vec<u8>; 2],
    /// Both after it.
    pub after: Vec<u8>,
}

/// On which stages a text was seen, and a line that had it first.
#[derive(Clone, Copy, Default)]
pub(super) struct Known<L> {
    stages: u64,
    owner_stages: u64,
    owner: L,
}

/// What comes of a text that a line has on some stages.
pub(super) struct Met<L> {
    /// The stages where no line had it before.
    pub(super) fresh: u64,
    /// The first stage where one had, and that line if it is the text's first.
    pub(super) merge: Option<(usize, Option<L>)>,
}

impl<L: Copy> Known<L> {
    /// A line has the text on these stages.
    pub(super) fn meet(&mut self, stages: u64, line: L) -> Met<L> {
        let (fresh, both) = (stages & !self.stages, stages & self.stages);
        let stage = both.trailing_zeros() as usize;
        // A line that is repeated as it was is no sample of anything.
        let owned = stage > 0 && both & both.wrapping_neg() & self.owner_stages != 0;
        if self.stages == 0 {
            (self.owner, self.owner_stages) = (line, stages);
        }
        self.stages |= stages;
        Met { fresh, merge: (both != 0).then_some((stage, owned.then_some(self.owner))) }
    }

    /// Whether a line as written is the text.
    pub(super) fn is_written(&self) -> bool {
        self.stages & 1 != 0
    }
}

/// The stages on which a line has the text of its stop number `i`.
pub(super) fn stages_of(stops: &[Stop], i: usize, all: usize) -> u64 {
    let end = stops.get(i + 1).map_or(all, |next| next.stage);
    (1_u64 << end) - (1_u64 << stops[i].stage)
}

/// One stage's figures; `L` is what is known of a line.
struct Count<L> {
    rewrote: u64,
    distinct: u64,
    /// The first lines that merge here, each behind the one that was there before, and by number.
    pairs: Vec<(u64, [L; 2])>,
}

/// What is counted, wherever the texts are.
pub(super) struct Tally<L> {
    pub(super) stages: Stages,
    counts: Vec<Count<L>>,
    pub(super) lines: u64,
}

impl<L: Copy> Tally<L> {
    pub(super) fn new(policy: &Policy) -> Tally<L> {
        let stages = Stages::of(policy);
        let count = |_| Count { rewrote: 0, distinct: 0, pairs: Vec::new() };
        Tally { counts: stages.steps.iter().map(count).collect(), stages, lines: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    /// One line more, whose rewrites are counted.
    pub(super) fn line(&mut self, stops: &[Stop]) {
        self.lines += 1;
        for stop in stops.iter().filter(|stop| stop.stage > 0) {
            self.counts[stop.stage].rewrote += 1;
        }
    }

    /// A text is new on these stages.
    pub(super) fn fresh(&mut self, mut stages: u64) {
        while stages != 0 {
            self.counts[stages.trailing_zeros() as usize].distinct += 1;
            stages &= stages - 1;
        }
    }

    /// The line of this number, the second of the two, merges on a stage. In any order of lines.
    pub(super) fn pair(&mut self, stage: usize, number: u64, lines: [L; 2]) {
        let pairs = &mut self.counts[stage].pairs;
        let at = pairs.partition_point(|&(other, _)| other < number);
        if at < SAMPLES {
            pairs.truncate(SAMPLES - 1);
            pairs.insert(at, (number, lines));
        }
    }

    /// The stages that have all their samples, if the lines come in order.
    pub(super) fn sampled(&self) -> u64 {
        self.stages_where(|count| count.pairs.len() == SAMPLES)
    }

    /// The stages where lines may merge: some line was rewritten there.
    pub(super) fn active(&self) -> u64 {
        self.stages_where(|count| count.rewrote > 0)
    }

    fn stages_where(&self, is: impl Fn(&Count<L>) -> bool) -> u64 {
        let counts = self.counts.iter().enumerate();
        counts.filter(|(_, count)| is(count)).fold(0, |stages, (stage, _)| stages | 1 << stage)
    }

    /// All lines that are in a sample.
    pub(super) fn wanted(&self) -> impl Iterator<Item = L> {
        self.counts.iter().flat_map(|count| count.pairs.iter().flat_map(|&(_, lines)| lines))
    }

    /// The report; `text` gives a line as written.
    pub(super) fn rows<'a>(
        &self,
        prints: &Fingerprints,
        keys: &Keys,
        text: impl Fn(L) -> Option<&'a [u8]>,
    ) -> Vec<Row> {
        let mut before = self.lines;
        let mut rows = Vec::with_capacity(self.counts.len());
        for (stage, (count, step)) in self.counts.iter().zip(&self.stages.steps).enumerate() {
            if step.on || count.rewrote > 0 {
                let sample = |&(_, [first, second]): &(u64, [L; 2])| {
                    sample(stage, [text(first)?, text(second)?], &self.stages, prints, keys)
                };
                rows.push(Row {
                    name: step.name,
                    loss: step.loss,
                    rewrote: count.rewrote,
                    merged: before.saturating_sub(count.distinct),
                    distinct: count.distinct,
                    samples: count.pairs.iter().filter_map(sample).collect(),
                });
            }
            before = count.distinct;
        }
        rows
    }
}

/// Walks both lines again, this time with texts.
fn sample(
    stage: usize,
    [first, second]: [&[u8]; 2],
    stages: &Stages,
    prints: &Fingerprints,
    keys: &Keys,
) -> Option<Sample> {
    let mut scratch = Scratch::default();
    let mut at = |line: &[u8], stage: usize| {
        let stops = walk(line, stages, prints, keys, &mut scratch, true).ok()?;
        let stop = stops.iter().rfind(|stop| stop.stage <= stage)?;
        Some(if stop.stage == 0 { line.to_vec() } else { stop.text.clone().into_bytes() })
    };
    Some(Sample {
        before: [at(first, stage - 1)?, at(second, stage - 1)?],
        after: at(second, stage)?,
        spellings: [first.to_vec(), second.to_vec()],
    })
}

/// A line in the arena.
#[derive(Clone, Copy, Default)]
struct Text {
    start: usize,
    end: usize,
}

/// The report of lines that are all in memory.
pub(super) struct Merges {
    tally: Tally<Text>,
    prints: Fingerprints,
    known: ByFingerprint<Known<Text>>,
    text: Vec<u8>,
}

impl Merges {
    pub(super) fn new(policy: &Policy, prints: Fingerprints) -> Merges {
        Merges { tally: Tally::new(policy), prints, known: ByFingerprint::default(), text: Vec::new() }
    }

    /// Counts a line and returns the fingerprint of its key.
    pub(super) fn add(&mut self, line: &[u8], keys: &Keys, scratch: &mut Scratch) -> Result<u128, ParseError> {
        let stops = walk(line, &self.tally.stages, &self.prints, keys, scratch, false)?;
        self.tally.line(&stops);
        let start = self.text.len();
        self.text.extend_from_slice(line);
        let owner = Text { start, end: self.text.len() };
        let mut merged = None;
        for (i, stop) in stops.iter().enumerate() {
            let met =
                self.known.entry(stop.fingerprint).or_default().meet(stages_of(&stops, i, self.tally.len()), owner);
            self.tally.fresh(met.fresh);
            merged = merged.or(met.merge);
        }
        match merged {
            // Nobody needs a line twice.
            Some((0, _)) => self.text.truncate(start),
            Some((stage, Some(first))) => self.tally.pair(stage, self.tally.lines, [first, owner]),
            _ => {}
        }
        Ok(stops.last().map_or(0, |stop| stop.fingerprint))
    }

    pub(super) fn rows(&self, keys: &Keys) -> Vec<Row> {
        self.tally.rows(&self.prints, keys, |line| self.text.get(line.start..line.end))
    }
}
