//! From the bytes of a file to a list: lines, what sort they are, entries, and
//! what was wrong with the others.

use std::collections::BTreeMap;

use super::entries::{self, Line};
use super::filter::Filter;
use super::table::Table;
use super::{Blocklist, Kind, mark};
use crate::error::{Code, ParseError};
use crate::forms::safebrowsing::{Canonical, Version};
use crate::seen::Fingerprints;

/// Entries that are looked at before it is said what sort they are.
const SAMPLE: usize = 256;
/// Longer lines are no entries.
const LONGEST: usize = 1 << 16;
/// Width of a fingerprint.
const PRINT: usize = size_of::<u128>();

/// How a list is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Which text of the rules its expressions follow.
    pub version: Version,
    /// What its lines are; told by the first of them where this is None.
    pub kind: Option<Kind>,
}

/// A line that gave no entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// Counted from 1.
    pub line: u64,
    /// Why.
    pub error: ParseError,
    /// The line as it stood, without its end.
    pub text: Vec<u8>,
}

/// Takes a file block by block.
pub struct Builder {
    settings: Settings,
    prints: Fingerprints,
    tables: BTreeMap<usize, Table>,
    /// Of the entries, for the filter.
    marks: Vec<u32>,
    errors: Vec<LineError>,
    defanged: usize,
    canonical: Canonical,
    line: u64,
    /// A line that has begun.
    begun: Vec<u8>,
    /// Lines that wait until it is known what they are.
    waiting: Vec<(u64, Vec<u8>)>,
}

impl Builder {
    /// `seed` must be random and stay secret while strangers choose the URLs.
    pub fn new(settings: Settings, seed: &[u8; 16]) -> Builder {
        Builder {
            settings,
            prints: Fingerprints::new(seed),
            tables: BTreeMap::new(),
            marks: Vec::new(),
            errors: Vec::new(),
            defanged: 0,
            canonical: Canonical::default(),
            line: 0,
            begun: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// The next bytes of the file; lines end with LF or CR LF.
    pub fn feed(&mut self, block: &[u8]) {
        let mut rest = block;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            if self.begun.is_empty() {
                self.take_line(&rest[..end]);
            } else {
                self.begun.extend_from_slice(&rest[..end]);
                let begun = std::mem::take(&mut self.begun);
                self.take_line(&begun);
            }
            rest = &rest[end + 1..];
        }
        self.begun.extend_from_slice(rest);
    }

    /// The list, and the lines that gave no entry, in order.
    pub fn finish(mut self) -> (Blocklist, Vec<LineError>) {
        if !self.begun.is_empty() {
            let begun = std::mem::take(&mut self.begun);
            self.take_line(&begun);
        }
        self.decide();
        self.tables.values_mut().for_each(Table::sort);
        let list = Blocklist {
            version: self.settings.version,
            kind: self.settings.kind.unwrap_or(Kind::Text),
            prints: self.prints,
            tables: self.tables,
            filter: Filter::new(self.marks.into_iter()),
            defanged: self.defanged,
        };
        (list, self.errors)
    }

    fn take_line(&mut self, line: &[u8]) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        self.line += 1;
        match self.settings.kind {
            Some(kind) => self.read(self.line, line, kind),
            None if matches!(entries::read(line), Line::Nothing) => {}
            None => {
                self.waiting.push((self.line, line.to_vec()));
                if self.waiting.len() >= SAMPLE {
                    self.decide();
                }
            }
        }
    }

    /// Says what the lines are, by most of those that waited, and reads them:
    /// one bad line does not make hosts of all hashes.
    fn decide(&mut self) {
        let kind = self.settings.kind.unwrap_or_else(|| self.kind_of_waiting());
        self.settings.kind = Some(kind);
        for (number, line) in std::mem::take(&mut self.waiting) {
            self.read(number, &line, kind);
        }
    }

    fn kind_of_waiting(&self) -> Kind {
        let mut counts = [0_usize; 3];
        for (_, line) in &self.waiting {
            match entries::read(line) {
                Line::One(entry) => counts[entries::kind_of(entry) as usize] += 1,
                _ => counts[Kind::Text as usize] += 1,
            }
        }
        let [text, hex, base64] = counts;
        match (text < hex + base64, hex < base64) {
            (false, _) => Kind::Text,
            // What is hexadecimal may be base64 as well, and most of base64 is nothing else.
            (true, true) => Kind::Base64,
            (true, false) => Kind::Hex,
        }
    }

    fn read(&mut self, number: u64, line: &[u8], kind: Kind) {
        let done = match entries::read(line) {
            Line::Nothing => Ok(()),
            _ if line.len() > LONGEST => Err(ParseError::new(Code::TooLong, LONGEST)),
            Line::Names(names) if kind == Kind::Text => {
                // One bad name does not lose the others.
                entries::names(names).map(|name| self.add_text(name?, number)).fold(Ok(()), Result::and)
            }
            Line::Names(_) => Err(ParseError::new(Code::NotAHash, 0)),
            Line::One(entry) if kind == Kind::Text => self.add_text(entry, number),
            Line::One(entry) => match entries::hash(entry, kind) {
                Some(hash) => {
                    self.marks.push(mark(&hash));
                    self.add(&hash, number);
                    Ok(())
                }
                None => Err(ParseError::new(Code::NotAHash, 0)),
            },
        };
        if let Err(error) = done {
            self.errors.push(LineError { line: number, error, text: line.to_vec() });
        }
    }

    fn add_text(&mut self, entry: &[u8], number: u64) -> Result<(), ParseError> {
        self.defanged += usize::from(entries::read_entry(entry, self.settings.version, &mut self.canonical)?);
        let expression = self.canonical.expressions().iter().next().unwrap_or_default();
        let print = self.prints.of(expression.as_bytes());
        self.marks.push(self.prints.of(self.canonical.host().as_bytes()) as u32);
        self.add(&print.to_be_bytes(), number);
        Ok(())
    }

    fn add(&mut self, row: &[u8], number: u64) {
        let width = row.len();
        debug_assert!(self.settings.kind != Some(Kind::Text) || width == PRINT);
        // Beyond four thousand million lines the number is the last that can be told.
        let line = u32::try_from(number).unwrap_or(u32::MAX);
        self.tables.entry(width).or_insert_with(|| Table::new(width)).push(row, line);
    }
}
