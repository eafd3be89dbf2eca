//! The report of lines that memory has no room for. Texts are judged at once as
//! long as the table has room; from then on those that it does not hold are
//! distributed over streams by their fingerprints, and judged when all are there.
//! Lines as written wait in a stream of their own: the few that are samples are
//! picked out at the end. Must not know which line is kept.

use crate::dedupe::groups::ByFingerprint;
use crate::dedupe::merges::{Known, Met, Row, Tally, stages_of};
use crate::dedupe::walk::walk;
use crate::dedupe::{Keys, Scratch};
use crate::policy::Policy;
use crate::seen::Fingerprints;
use std::collections::HashMap;

use super::pages::{DiskResult, Pages, Stream};
use super::records::{Parts, Record, Records};
use super::sorter::Sorter;
use super::{Budget, Disk, FEW, LEVELS, divided, way};

/// A line by its place among those that have a key, from 1.
type Line = u64;
type Table = ByFingerprint<Known<Line>>;

/// What a text costs in the table.
const ENTRY: usize = size_of::<(u128, Known<Line>)>() + 1;

/// Whether one text more fits into the table. One that is full grows to twice its size, and for a moment there are both.
fn has_room(table: &Table, budget: usize) -> bool {
    table.len() < table.capacity() || table.len() <= FEW || table.capacity() / 7 * 8 * 3 * ENTRY <= budget
}

/// A stop on its way through the file.
#[derive(Clone, Copy)]
struct Stop {
    /// The stages on which the line has the text: from `begin` on, before `end`.
    begin: usize,
    end: usize,
    /// The line merged on an earlier stage already.
    merged: bool,
}

impl Stop {
    fn stages(self) -> u64 {
        (1 << self.end) - (1 << self.begin)
    }

    /// As a record's rank: there are fewer than 64 stages.
    fn packed(self) -> u32 {
        self.begin as u32 | (self.end as u32) << 8 | u32::from(self.merged) << 16
    }

    fn unpacked(rank: u32) -> Stop {
        Stop { begin: rank as usize & 0xff, end: rank as usize >> 8 & 0xff, merged: rank >> 16 != 0 }
    }
}

pub(in crate::dedupe) struct Merges {
    tally: Tally<Line>,
    prints: Fingerprints,
    budget: Budget,
    pages: Pages,
    known: Table,
    /// The table has no more room.
    full: bool,
    /// Stages that have had all their samples before.
    sampled: u64,
    /// Lines as written, in order.
    texts: Stream,
    /// Stops whose texts are not in the table.
    parts: Parts,
    /// What becomes of lines, by line and stage: only the first counts.
    events: Sorter,
    unsettled: Option<(Vec<Stream>, usize)>,
    settled: bool,
}

impl Merges {
    pub(in crate::dedupe) fn new(policy: &Policy, prints: Fingerprints, memory: usize, disk: Box<dyn Disk>) -> Merges {
        let budget = Budget::of(memory);
        Merges {
            tally: Tally::new(policy),
            prints,
            budget,
            pages: Pages::new(disk, budget.page),
            known: Table::default(),
            full: false,
            sampled: 0,
            texts: Stream::default(),
            parts: Parts::new(),
            // Table and sorter are there at the same time.
            events: Sorter::new(budget.table / 4),
            unsettled: None,
            settled: false,
        }
    }

    /// Counts a line that has a key.
    pub(in crate::dedupe) fn add(&mut self, line: &[u8], keys: &Keys, scratch: &mut Scratch) -> DiskResult<()> {
        let Ok(stops) = walk(line, &self.tally.stages, &self.prints, keys, scratch, false) else { return Ok(()) };
        self.tally.line(&stops);
        let number = self.tally.lines;
        if stops.first().and_then(|stop| self.known.get(&stop.fingerprint)).is_some_and(Known::is_written) {
            // The same line came before, and all its texts with it.
            return Ok(());
        }
        Record { id: 0, number, rank: 0, text: line }.write(&mut self.texts, &mut self.pages)?;
        let (mut merged, mut waits) = (false, false);
        for (i, stop) in stops.iter().enumerate() {
            let end = stops.get(i + 1).map_or(self.tally.len(), |next| next.stage);
            let place = Stop { begin: stop.stage, end, merged };
            debug_assert_eq!(place.stages(), stages_of(&stops, i, self.tally.len()));
            let Some(met) = self.meet(stop.fingerprint, place, number) else {
                waits = true;
                let record = Record { id: stop.fingerprint, number, rank: place.packed(), text: &[] };
                self.parts.push(way(record.id, 0), &record, &mut self.pages)?;
                continue;
            };
            self.tally.fresh(met.fresh);
            match met.merge.filter(|_| !merged) {
                None => {}
                Some((stage, first)) if !waits => {
                    merged = true;
                    if let Some(first) = first {
                        self.tally.pair(stage, number, [first, number]);
                    }
                }
                Some(merge) => {
                    merged = true;
                    self.tell(number, place, merge, !self.sampled)?;
                }
            }
        }
        Ok(())
    }

    /// What comes of a text that the table holds, or has room for.
    fn meet(&mut self, fingerprint: u128, place: Stop, number: Line) -> Option<Met<Line>> {
        if let Some(known) = self.known.get_mut(&fingerprint) {
            return Some(known.meet(place.stages(), number));
        }
        if !self.full && !has_room(&self.known, self.budget.table / 4 * 3) {
            // So far lines came in order: later ones cannot be samples before these.
            (self.full, self.sampled) = (true, self.tally.sampled());
        }
        (!self.full).then(|| self.known.entry(fingerprint).or_default().meet(place.stages(), number))
    }

    /// A line merges on a stage, if it did not on an earlier one. That matters where samples are wanted: there, or on
    /// a stage where the line could merge else.
    fn tell(&mut self, number: Line, place: Stop, merge: (usize, Option<Line>), wanted: u64) -> DiskResult<()> {
        let (stage, first) = merge;
        if wanted >> stage & 1 == 0 && wanted >> place.end == 0 {
            return Ok(());
        }
        let mut text = [0; 9];
        text[0] = stage as u8;
        text[1..].copy_from_slice(&first.unwrap_or(0).to_le_bytes());
        let event = Record { id: u128::from(number), number: place.begin as u64, rank: 0, text: &text };
        self.events.push(&event, &mut self.pages)
    }

    /// Works on one stream; returns how many of how many are done, None where nothing is left to do.
    pub(in crate::dedupe) fn settle(&mut self) -> DiskResult<Option<(usize, usize)>> {
        if self.settled {
            return Ok(None);
        }
        if self.unsettled.is_none() {
            self.known = Table::default();
            self.texts.seal(&mut self.pages)?;
            let streams = std::mem::replace(&mut self.parts, Parts::new()).seal(&mut self.pages)?;
            let all = streams.len();
            self.unsettled = Some((streams, all));
        }
        let Some((streams, all)) = &mut self.unsettled else { return Ok(None) };
        let (next, left, all) = (streams.pop(), streams.len(), *all);
        match next {
            Some(stream) => {
                self.solve(stream, 1)?;
                Ok(Some((all - left, all)))
            }
            None => {
                self.finish()?;
                Ok(None)
            }
        }
    }

    /// Judges the texts of a stream, in the order of the lines.
    fn solve(&mut self, stream: Stream, level: u32) -> DiskResult<()> {
        let mut records = Records::of(stream);
        let mut table = Table::default();
        while let Some(record) = records.next(&mut self.pages)? {
            if level < LEVELS && !has_room(&table, self.budget.table / 4 * 3) && !table.contains_key(&record.id) {
                drop(table);
                let streams = divided(records.into_stream(), level, &mut self.pages)?;
                return streams.into_iter().try_for_each(|stream| self.solve(stream, level + 1));
            }
            table.entry(record.id).or_default();
        }
        let wanted = self.tally.active() & !self.sampled;
        let mut records = Records::of(records.into_stream());
        while let Some(record) = records.next(&mut self.pages)? {
            let (number, place) = (record.number, Stop::unpacked(record.rank));
            let met = table.entry(record.id).or_default().meet(place.stages(), number);
            self.tally.fresh(met.fresh);
            if let Some(merge) = met.merge.filter(|_| !place.merged) {
                self.tell(number, place, merge, wanted)?;
            }
        }
        self.pages.release(records.into_stream());
        Ok(())
    }

    /// The first event of each line is what became of it.
    fn finish(&mut self) -> DiskResult<()> {
        let events = std::mem::replace(&mut self.events, Sorter::new(0));
        let mut events = events.finish(&mut self.pages)?;
        let mut last = 0;
        loop {
            let (tally, mut begun) = (&mut self.tally, last);
            let more = events.next(&mut self.pages, |event| {
                begun = event.id as Line;
                let first =
                    event.text.get(1..).and_then(|bytes| bytes.first_chunk()).map_or(0, |b| u64::from_le_bytes(*b));
                if begun != last && first != 0 {
                    tally.pair(usize::from(event.text[0]), begun, [first, begun]);
                }
            })?;
            if !more {
                break;
            }
            last = begun;
        }
        self.settled = true;
        Ok(())
    }

    /// The report, once all is settled.
    pub(in crate::dedupe) fn rows(&mut self, keys: &Keys) -> DiskResult<Vec<Row>> {
        while self.settle()?.is_some() {}
        let mut texts: HashMap<Line, Vec<u8>> = self.tally.wanted().map(|line| (line, Vec::new())).collect();
        let mut records = Records::of(std::mem::take(&mut self.texts));
        while let Some(record) = records.next(&mut self.pages)? {
            if let Some(text) = texts.get_mut(&record.number) {
                text.extend_from_slice(record.text);
            }
        }
        self.texts = records.into_stream();
        Ok(self.tally.rows(&self.prints, keys, |line| texts.get(&line).map(Vec::as_slice)))
    }
}
