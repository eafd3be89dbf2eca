//! What each rung merges: as if the whole file had been deduplicated once after
//! every step of the ladder. Must not know which line is kept.
//!
//! A line stands on every stage of the ladder with some text: as written, after
//! each repair, after the parse, after each rung. It merges on the first stage
//! where that text was there before, and from there on shares the fate of the
//! other; so each line is counted once, at the rung that made the difference.

use crate::error::ParseError;
use crate::key::{self, Scratch};
use crate::ladder::{Loss, Meta, Trace};
use crate::policy::Policy;
use crate::rungs::{Rung, site_rules};
use crate::seen::Fingerprints;
use crate::url::Url;

use super::Keys;
use super::groups::ByFingerprint;

/// Sample pairs that are kept of each stage.
const SAMPLES: usize = 3;

/// What one stage did.
#[derive(Clone, Debug)]
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

/// The ladder as stages: the line as written, the repairs, the parse, the rungs.
struct Stages {
    steps: Vec<Step>,
    parse: usize,
}

struct Step {
    name: &'static str,
    loss: Loss,
    /// Whether the policy has it on everywhere; site rules may switch it on.
    on: bool,
}

impl Stages {
    fn of(policy: &Policy) -> Stages {
        let always = |name| Step { name, loss: Loss::None, on: true };
        let mut stages = Stages { steps: vec![always("lines")], parse: 0 };
        for &rung in Rung::ALL {
            if stages.parse == 0 && !is_repair(rung) {
                stages.parse = stages.steps.len();
                stages.steps.push(always("parse"));
            }
            if rung == Rung::DropTracking {
                let Meta { name, loss, .. } = site_rules::META;
                stages.steps.push(Step { name, loss, on: false });
            }
            let &Meta { name, loss, .. } = rung.meta();
            stages.steps.push(Step { name, loss, on: policy.has(rung) });
        }
        stages
    }

    fn find(&self, step: &Meta) -> Option<usize> {
        self.steps.iter().position(|known| known.name == step.name)
    }
}

/// Repairs act on the text, before there is a URL.
fn is_repair(rung: Rung) -> bool {
    matches!(rung, Rung::TrimWrapping | Rung::Refang | Rung::AssumeScheme)
}

/// A text, and the first stage where a line has it.
#[derive(Clone, Debug)]
struct Stop {
    stage: usize,
    fingerprint: u128,
    text: String,
}

/// Follows one line: a stop wherever its text changes.
struct Walk<'a> {
    stages: &'a Stages,
    prints: &'a Fingerprints,
    stops: Vec<Stop>,
    with_text: bool,
    /// What the parse will make of it; taken when its turn comes.
    href: Option<String>,
}

impl Walk<'_> {
    /// The first rung comes, or the end: the parse is done.
    fn parsed(&mut self) {
        if let Some(href) = self.href.take() {
            self.stop(self.stages.parse, &href);
        }
    }

    /// Rungs that run as one loop report in turns: what comes back after a later
    /// one counts as the later one's.
    fn stop(&mut self, stage: usize, text: &str) {
        let stage = self.stops.last().map_or(stage, |last| last.stage.max(stage));
        let fingerprint = self.prints.of(text.as_bytes());
        if self.stops.last().is_some_and(|last| last.fingerprint == fingerprint) {
            return;
        }
        let text = if self.with_text { text.to_owned() } else { String::new() };
        let stop = Stop { stage, fingerprint, text };
        match self.stops.last_mut() {
            Some(last) if last.stage == stage => *last = stop,
            _ => self.stops.push(stop),
        }
    }
}

impl Trace for Walk<'_> {
    const ON: bool = true;

    fn text(&mut self, step: &'static Meta, after: &str) {
        if let Some(stage) = self.stages.find(step) {
            self.stop(stage, after);
        }
    }

    fn url(&mut self, step: &'static Meta, after: &Url, _rule: Option<&str>) {
        self.parsed();
        // A step that is no stage would be counted where the line stands.
        self.stop(self.stages.find(step).unwrap_or(0), after.href());
    }
}

/// On which stages a text was seen, and a line that had it first.
#[derive(Default)]
struct Known {
    stages: u64,
    owner_stages: u64,
    owner: Text,
}

/// A line in the arena.
#[derive(Clone, Copy, Default)]
struct Text {
    start: usize,
    end: usize,
}

/// Two lines that merge on a stage.
struct Pair {
    first: Text,
    second: Text,
}

#[derive(Default)]
struct Count {
    rewrote: u64,
    distinct: u64,
    pairs: Vec<Pair>,
}

pub(super) struct Merges {
    stages: Stages,
    prints: Fingerprints,
    known: ByFingerprint<Known>,
    counts: Vec<Count>,
    lines: u64,
    text: Vec<u8>,
}

impl Merges {
    pub(super) fn new(policy: &Policy, prints: Fingerprints) -> Merges {
        let stages = Stages::of(policy);
        let counts = stages.steps.iter().map(|_| Count::default()).collect();
        Merges { stages, prints, known: ByFingerprint::default(), counts, lines: 0, text: Vec::new() }
    }

    /// Counts a line and returns the fingerprint of its key.
    pub(super) fn add(&mut self, line: &[u8], keys: &Keys, scratch: &mut Scratch) -> Result<u128, ParseError> {
        let stops = walk(line, &self.stages, &self.prints, keys, scratch, false)?;
        self.lines += 1;
        let start = self.text.len();
        self.text.extend_from_slice(line);
        let owner = Text { start, end: self.text.len() };
        let mut merged = None;
        for (i, stop) in stops.iter().enumerate() {
            let end = stops.get(i + 1).map_or(self.counts.len(), |next| next.stage);
            let stages = (1_u64 << end) - (1_u64 << stop.stage);
            self.counts[stop.stage].rewrote += u64::from(stop.stage > 0);
            let known = self.known.entry(stop.fingerprint).or_default();
            let fresh = stages & !known.stages;
            if merged.is_none() && fresh != stages {
                let stage = (stages & known.stages).trailing_zeros() as usize;
                merged = Some((stage, (known.owner_stages >> stage & 1 == 1).then_some(known.owner)));
            }
            if known.stages == 0 {
                (known.owner, known.owner_stages) = (owner, stages);
            }
            known.stages |= stages;
            for (stage, count) in self.counts.iter_mut().enumerate().take(end).skip(stop.stage) {
                count.distinct += fresh >> stage & 1;
            }
        }
        self.note(merged, owner);
        Ok(stops.last().map_or(0, |stop| stop.fingerprint))
    }

    /// Keeps a sample of the merge; a line that is not needed leaves the arena.
    fn note(&mut self, merged: Option<(usize, Option<Text>)>, line: Text) {
        let Some((stage, first)) = merged else { return };
        if stage == 0 {
            self.text.truncate(line.start);
            return;
        }
        let pairs = &mut self.counts[stage].pairs;
        if let Some(first) = first.filter(|_| pairs.len() < SAMPLES) {
            pairs.push(Pair { first, second: line });
        }
    }

    pub(super) fn rows(&self, keys: &Keys) -> Vec<Row> {
        let mut before = self.lines;
        let mut rows = Vec::with_capacity(self.counts.len());
        for (stage, (count, step)) in self.counts.iter().zip(&self.stages.steps).enumerate() {
            if step.on || count.rewrote > 0 {
                rows.push(Row {
                    name: step.name,
                    loss: step.loss,
                    rewrote: count.rewrote,
                    merged: before.saturating_sub(count.distinct),
                    distinct: count.distinct,
                    samples: count.pairs.iter().filter_map(|pair| self.sample(stage, pair, keys)).collect(),
                });
            }
            before = count.distinct;
        }
        rows
    }

    /// Walks both lines again, this time with texts.
    fn sample(&self, stage: usize, pair: &Pair, keys: &Keys) -> Option<Sample> {
        let mut scratch = Scratch::default();
        let first = self.text.get(pair.first.start..pair.first.end)?;
        let second = self.text.get(pair.second.start..pair.second.end)?;
        let mut at = |line: &[u8], stage: usize| {
            let stops = walk(line, &self.stages, &self.prints, keys, &mut scratch, true).ok()?;
            let stop = stops.iter().rfind(|stop| stop.stage <= stage)?;
            Some(if stop.stage == 0 { line.to_vec() } else { stop.text.clone().into_bytes() })
        };
        Some(Sample {
            before: [at(first, stage - 1)?, at(second, stage - 1)?],
            after: at(second, stage)?,
            spellings: [first.to_vec(), second.to_vec()],
        })
    }
}

/// The stops of a line, as written first.
fn walk(
    line: &[u8],
    stages: &Stages,
    prints: &Fingerprints,
    keys: &Keys,
    scratch: &mut Scratch,
    with_text: bool,
) -> Result<Vec<Stop>, ParseError> {
    let (text, options) = (key::text_of_bytes(line)?, keys.options());
    let href = key::href(&text, &options, &keys.policy, scratch)?.text(&text).to_owned();
    let written = Stop { stage: 0, fingerprint: prints.of(line), text: String::new() };
    let mut walk = Walk { stages, prints, stops: vec![written], with_text, href: Some(href) };
    key::make(&text, &options, &keys.policy, keys.policy.on, scratch, &mut walk)?;
    walk.parsed();
    Ok(walk.stops)
}
