//! Patterns that are expressions: all of a kind in one set, linear in the text
//! and limited in size. What does not fit is refused, not tried one by one.

use regex::bytes::{RegexSet, RegexSetBuilder};

use super::model::{Fault, Field, Read};
use super::subject::Subject;
use super::{Dialect, List};
use crate::policy::positions;

/// Bytes of an expression as written.
const MOST_WRITTEN: usize = 4096;
/// Groups within groups.
const DEEPEST: u32 = 32;
/// Expressions of one list.
const MOST: usize = 10_000;
/// Positions of all expressions together, repetitions counted.
const MOST_POSITIONS: usize = 250_000;
/// What a compiled set, and the cache of its automaton, may take.
const MOST_BYTES: usize = 128 << 20;
const MOST_CACHE: usize = 32 << 20;

/// Expressions while lines are read, and then as sets.
#[derive(Default)]
pub(super) struct Expressions {
    waiting: Vec<(Field, String, List, u32)>,
    positions: usize,
    count: usize,
    sets: Vec<Set>,
}

struct Set {
    field: Field,
    set: RegexSet,
    /// In the order of the set.
    rows: Vec<(List, u32)>,
}

impl Expressions {
    /// Checks an expression and keeps it.
    pub fn add(&mut self, field: Field, text: String, at: usize, list: List, row: u32) -> Read<()> {
        if text.len() > MOST_WRITTEN {
            return Err(Fault::new(at, "the expression is longer than 4096 bytes"));
        }
        let mut parser = regex_syntax::ParserBuilder::new();
        parser.unicode(false).utf8(false).nest_limit(DEEPEST).dot_matches_new_line(true);
        let hir = parser.build().parse(&text).map_err(|_| {
            Fault::new(at, "no expression that can be matched in linear time: references back and look-around cannot")
        })?;
        let positions = positions(&hir);
        if self.waiting.len() == MOST || self.positions.saturating_add(positions) > MOST_POSITIONS {
            return Err(Fault::new(at, "too many expressions, or too large: 10000 in a set, and 250000 positions"));
        }
        self.positions += positions;
        self.waiting.push((field, text, list, row));
        self.count += 1;
        Ok(())
    }

    pub fn len(&self) -> usize {
        self.count
    }

    /// Compiles the sets; the rows of one that is too large all the same.
    pub fn finish(&mut self) -> Vec<u32> {
        let mut refused = Vec::new();
        let waiting = std::mem::take(&mut self.waiting);
        for field in [Field::Url, Field::Path, Field::Host, Field::Tokens] {
            let of_field: Vec<_> = waiting.iter().filter(|one| one.0 == field).collect();
            if of_field.is_empty() {
                continue;
            }
            let mut builder = RegexSetBuilder::new(of_field.iter().map(|one| &one.1));
            builder.unicode(false).dot_matches_new_line(true).nest_limit(DEEPEST + 2);
            let rows: Vec<(List, u32)> = of_field.iter().map(|one| (one.2, one.3)).collect();
            match builder.size_limit(MOST_BYTES).dfa_size_limit(MOST_CACHE).build() {
                Ok(set) => self.sets.push(Set { field, set, rows }),
                Err(_) => refused.extend(rows.into_iter().map(|(_, row)| row)),
            }
        }
        self.count -= refused.len();
        refused
    }

    /// Tells `see` of each expression that matches.
    pub fn find(&self, subject: &Subject, dialect: Dialect, mut see: impl FnMut(List, u32)) {
        for set in &self.sets {
            let text = text_of(subject, set.field, dialect);
            for index in &set.set.matches(&text) {
                let (list, row) = set.rows[index];
                see(list, row);
            }
        }
    }
}

/// The text that expressions of this field are searched in.
fn text_of(subject: &Subject, field: Field, dialect: Dialect) -> Vec<u8> {
    let url = subject.url();
    match field {
        // "Omit userinfo" of http and https; a fragment is not sent.
        Field::Url => {
            let port = url.port().map_or(String::new(), |port| format!(":{port}"));
            let slashes = if url.has_host() { "//" } else { "" };
            let host = url.host().unwrap_or_default();
            unescaped(&format!("{}:{slashes}{host}{port}{}", url.scheme(), subject.path_and_query()))
        }
        Field::Path => unescaped(subject.path_and_query()),
        Field::Host => subject.host(dialect).as_bytes().to_vec(),
        Field::Tokens => [subject.host(dialect), subject.path(dialect)].concat().into_bytes(),
    }
}

/// Escapes undone once, but for `%00`; `%%` is `%`: what Squid's `rfc1738_unescape` does.
fn unescaped(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let digit = |n: usize| bytes.get(at + n).and_then(|&c| char::from(c).to_digit(16));
        match (byte, digit(1), digit(2)) {
            (b'%', Some(high), Some(low)) if high + low > 0 => {
                out.push((high << 4 | low) as u8);
                at += 3;
            }
            (b'%', ..) if bytes.get(at + 1) == Some(&b'%') => {
                out.push(b'%');
                at += 2;
            }
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}
