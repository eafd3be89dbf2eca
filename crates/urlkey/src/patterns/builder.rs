//! From lines to a set: what a line says, and what is wrong with others.

use std::collections::HashMap;

use super::dialects;
use super::expressions::Expressions;
use super::hash::Rolling;
use super::hosts::Hosts;
use super::model::{Fault, Pattern, Target, Why};
use super::paths::Leaf;
use super::{Dialect, List, PatternSet, Row};
use crate::error::Code;

/// Longer lines are no patterns.
const LONGEST: usize = 1 << 16;
/// Bytes of all patterns: places in them are 32 bits wide.
const MOST_TEXT: usize = 1 << 31;

/// A line that gave no pattern, or not all of its patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// The list that it stands in.
    pub list: List,
    /// Counted from 1.
    pub line: u32,
    /// `bad-pattern`, or what is wrong with its host or port.
    pub code: Code,
    /// Byte offset in the line.
    pub at: usize,
    /// What was found, or what is allowed.
    pub says: &'static str,
    /// The line as it stood.
    pub text: Vec<u8>,
}

/// Takes the lines of two lists.
pub struct Builder {
    dialect: Dialect,
    rows: Vec<Row>,
    texts: String,
    hosts: Hosts,
    expressions: Expressions,
    errors: Vec<PatternError>,
    lines: HashMap<List, u32>,
    /// Lines that have begun.
    begun: HashMap<List, Vec<u8>>,
}

impl Builder {
    /// `seed` must be random and stay secret while strangers choose the URLs.
    pub fn new(dialect: Dialect, seed: &[u8; 16]) -> Builder {
        let rolling = Rolling::new(seed);
        Builder {
            dialect,
            rows: Vec::new(),
            texts: String::new(),
            hosts: Hosts::new(rolling, seed),
            expressions: Expressions::default(),
            errors: Vec::new(),
            lines: HashMap::new(),
            begun: HashMap::new(),
        }
    }

    /// The next bytes of a file of a list; lines end with LF or CR LF.
    pub fn feed(&mut self, list: List, block: &[u8]) {
        let mut begun = self.begun.remove(&list).unwrap_or_default();
        let mut rest = block;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            if begun.is_empty() {
                self.line(list, &rest[..end]);
            } else {
                begun.extend_from_slice(&rest[..end]);
                self.line(list, &begun);
                begun.clear();
            }
            rest = &rest[end + 1..];
        }
        begun.extend_from_slice(rest);
        self.begun.insert(list, begun);
    }

    /// The next line of a list, without its end. Empty ones and comments are passed over.
    pub fn line(&mut self, list: List, line: &[u8]) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let number = self.lines.entry(list).or_default();
        *number = number.saturating_add(1);
        let number = *number;
        if let Err(fault) = self.read(list, number, line) {
            let Fault { code, at, says } = fault;
            self.errors.push(PatternError { list, line: number, code, at, says, text: line.to_vec() });
        }
    }

    fn read(&mut self, list: List, number: u32, line: &[u8]) -> Result<(), Fault> {
        if line.len() > LONGEST || self.texts.len() + line.len() > MOST_TEXT {
            return Err(Fault::coded(Code::TooLong, LONGEST));
        }
        let text = std::str::from_utf8(line).map_err(|error| Fault::coded(Code::NotUtf8, error.valid_up_to()))?;
        if text.trim_ascii().is_empty() || dialects::is_comment(self.dialect, text) {
            return Ok(());
        }
        // One bad value does not lose the others of a line.
        let mut done = Ok(());
        for found in dialects::read(self.dialect, text, list == List::Allow) {
            done = done.and(found.and_then(|(written, at, pattern)| self.add(list, number, written, at, &pattern)));
        }
        done
    }

    fn add(&mut self, list: List, line: u32, written: &str, at: usize, pattern: &Pattern) -> Result<(), Fault> {
        let row = self.rows.len() as u32;
        if let Target::Expression { field, text } = &pattern.target {
            self.expressions.add(*field, text.clone(), at, list, row)?;
        } else {
            let leaf = Leaf { row, list, end: pattern.end, query: pattern.query.clone().into() };
            self.hosts.add(pattern, leaf);
        }
        let start = self.texts.len() as u32;
        self.texts.push_str(written);
        self.rows.push(Row { list, line, text: start..self.texts.len() as u32, why: Why::of(pattern) });
        Ok(())
    }

    /// The set, and the lines that gave no pattern, in order: those of the block list first.
    pub fn finish(mut self) -> (PatternSet, Vec<PatternError>) {
        for (list, begun) in std::mem::take(&mut self.begun) {
            if !begun.is_empty() {
                self.line(list, &begun);
            }
        }
        let crowded = "too many patterns that can only be told apart by trying each: 64 paths within one another, \
                       or 64 whose rarest query field is the same";
        let refused = self.hosts.finish().into_iter().map(|row| (row, crowded));
        let large = self.expressions.finish().into_iter().map(|row| (row, "the expressions are too large together"));
        let refused: Vec<_> = refused.chain(large).collect();
        let kept = self.rows.len() - refused.len();
        for (row, says) in refused {
            let row = &self.rows[row as usize];
            let text = self.texts.as_bytes()[row.text.start as usize..row.text.end as usize].to_vec();
            let (list, line) = (row.list, row.line);
            self.errors.push(PatternError { list, line, code: Code::BadPattern, at: 0, says, text });
        }
        self.errors.sort_by_key(|error| (std::cmp::Reverse(error.list), error.line));
        let Builder { dialect, rows, texts, hosts, expressions, errors, .. } = self;
        (PatternSet { dialect, kept, rows, texts, hosts, expressions }, errors)
    }
}
