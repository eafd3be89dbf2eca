//! The keys of a column.

use super::facts::Facts;
use super::strings::Strings;
use super::work::{self, Job};
use crate::cdata::{Array, Texts, fault, text};
use crate::errors;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::ops::Range;
use urlkey::{Key, Options, ParseError, Policy, Scratch};

/// What holds for every row of a call.
pub struct Call<'a> {
    pub options: Options<'a>,
    pub policy: &'a Policy,
    /// Whether a row that is no URL ends the work; it is null otherwise.
    pub raise: bool,
    /// None for as many as there are processors.
    pub threads: Option<usize>,
}

/// Keys that are made so far, and the row that ended the work.
pub struct Made {
    keys: Strings,
    bad: Option<(usize, ParseError)>,
}

impl Call<'_> {
    /// The keys of an array, whose first row is row `first` of all, as one column under construction.
    pub fn keys(&self, array: &Array, first: usize, py: Python<'_>) -> PyResult<Facts> {
        let texts = Texts::new(array.node()).map_err(fault)?;
        let threads = work::threads(self.threads, texts.len());
        let made = match texts.dictionary() {
            Some(values) if values.len() <= texts.len() => {
                let every = EachText { texts: values, call: self, raise: false };
                let keys = Made::together(work::run(&every, values.len(), threads, py)?);
                work::run(&EachIndex { texts: &texts, keys: keys.keys, call: self }, texts.len(), threads, py)?
            }
            _ => work::run(&EachText { texts: &texts, call: self, raise: self.raise }, texts.len(), threads, py)?,
        };
        let made = Made::together(made);
        match made.bad {
            Some((row, error)) => Err(row_error(first + row, &texts, row, error, py)),
            None => Ok(Facts::Text(made.keys)),
        }
    }

    /// The key of a row's bytes.
    #[inline]
    pub fn key<'s>(&self, bytes: &[u8], scratch: &'s mut Scratch) -> Result<Key<'s>, ParseError> {
        match text(bytes) {
            Some(text) => urlkey::key(text, &self.options, self.policy, scratch),
            None => urlkey::key_of_bytes(bytes, &self.options, self.policy, scratch),
        }
    }
}

/// The error of a row, with the row's own text.
#[cold]
fn row_error(named: usize, texts: &Texts<'_>, row: usize, error: ParseError, py: Python<'_>) -> PyErr {
    let bytes = texts.row(row).unwrap_or_default();
    let input = match std::str::from_utf8(bytes) {
        Ok(text) if texts.is_text => PyString::new(py, text).into_any(),
        _ => PyBytes::new(py, bytes).into_any(),
    };
    errors::row_error(named, &input, error)
}

impl Made {
    fn start(rows: usize, bytes: usize, texts: &Texts<'_>) -> Made {
        Made { keys: Strings::with_capacity(rows, bytes, texts.is_large), bad: None }
    }

    /// Pieces in order, up to the first that has a bad row.
    fn together(pieces: Vec<Made>) -> Made {
        let bad = pieces.iter().find_map(|piece| piece.bad);
        let keys = match bad {
            Some(_) => Vec::new(),
            None => pieces.into_iter().map(|piece| piece.keys).collect(),
        };
        Made { keys: Strings::concat(keys), bad }
    }
}

/// Every row is looked at.
struct EachText<'a, 'c> {
    texts: &'a Texts<'a>,
    call: &'a Call<'c>,
    raise: bool,
}

impl Job for EachText<'_, '_> {
    type Made = Made;

    fn start(&self, rows: Range<usize>) -> Made {
        Made::start(rows.len(), self.texts.bytes_in(rows), self.texts)
    }

    fn fill(&self, made: &mut Made, rows: Range<usize>, scratch: &mut Scratch) -> bool {
        self.texts.each(rows, |row, bytes| {
            let Some(bytes) = bytes else {
                made.keys.push_null();
                return true;
            };
            match self.call.key(bytes, scratch) {
                Ok(Key::Same) => made.keys.push(bytes),
                Ok(Key::New(key)) => made.keys.push(key.as_bytes()),
                Err(error) if self.raise => {
                    made.bad = Some((row, error));
                    return false;
                }
                Err(_) => made.keys.push_null(),
            }
            true
        })
    }
}

/// Every value of a dictionary has been looked at: rows take theirs.
struct EachIndex<'a, 'c> {
    texts: &'a Texts<'a>,
    keys: Strings,
    call: &'a Call<'c>,
}

impl Job for EachIndex<'_, '_> {
    type Made = Made;

    fn start(&self, rows: Range<usize>) -> Made {
        Made::start(rows.len(), 0, self.texts)
    }

    fn fill(&self, made: &mut Made, rows: Range<usize>, scratch: &mut Scratch) -> bool {
        for row in rows {
            let key = self.texts.index_of(row).and_then(|index| self.keys.row(index));
            if key.is_none() && self.call.raise {
                // A null that is no null of the input was no URL.
                let error = self.texts.row(row).and_then(|bytes| self.call.key(bytes, scratch).err());
                if let Some(error) = error {
                    made.bad = Some((row, error));
                    return false;
                }
            }
            made.keys.push_option(key);
        }
        true
    }
}
