//! Batches of spellings as a store takes them. Must not know SQL.

use crate::args::{self, Text};
use crate::arrow::work::{self, Job};
use crate::key::core_key;
use crate::seen::split;
use crate::urls::{Rows as Texts, Urls};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use urlkey::digest::{Digest, WIDTH, digest_of_bytes};
use urlkey::rows::{Builder, COPY_END, COPY_HEAD, OF_COUNT, OF_FIRST, OF_LAST, Rows, Sightings};
use urlkey::{Options, Policy, Scratch};

/// A batch of spellings: keys in the order of their digests, spellings joined; used by `urlkey.store`.
#[pyclass(frozen, module = "urlkey._native")]
pub struct StoreRows(Rows);

/// Id, digest of the spelling, the spelling or None, count, first, last, seal.
type More<'py> = (i64, Bound<'py, PyBytes>, Option<Bound<'py, PyBytes>>, i64, i64, i64, i64);
/// Digest of the text, text, code, byte offset, count, first, last, seal.
type Rejected<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, &'static str, usize, i64, i64, i64, i64);

/// Makes the keys of a batch.
struct Keying<'a> {
    rows: &'a Texts<'a>,
    /// Rows that are no text at all, as bytes all the same.
    odd: &'a [(usize, Vec<u8>)],
    policy: &'a Policy,
    seen: Sightings,
}

impl Job for Keying<'_> {
    type Made = Builder;

    fn start(&self, rows: Range<usize>) -> Builder {
        Builder::starting_at(rows.start)
    }

    fn fill(&self, made: &mut Builder, rows: Range<usize>, scratch: &mut Scratch) -> bool {
        self.rows.each(rows, |row, text| {
            let Some(text) = text.filter(|text| !text.is_null()) else { return made.skip() };
            let key = core_key(text, &Options::default(), self.policy, scratch);
            let bytes = match text {
                Text::Str(text) => text.as_bytes(),
                Text::Bytes(bytes) => bytes,
                Text::Bad(_) => {
                    let at = self.odd.binary_search_by_key(&row, |(row, _)| *row);
                    at.map_or(&[][..], |at| &self.odd[at].1)
                }
            };
            made.add(bytes, key, self.seen);
        });
        true
    }
}

/// The texts with lone surrogates, which are let through, and their rows.
fn odd(urls: &Urls<'_>, rows: &Texts<'_>) -> PyResult<Vec<(usize, Vec<u8>)>> {
    let (Urls::Items(items), Texts::Items(texts)) = (urls, rows) else { return Ok(Vec::new()) };
    let odd = texts.iter().enumerate().filter(|(_, text)| matches!(text, Text::Bad(_)) && !text.is_null());
    let encoded = odd.map(|(row, _)| {
        let encoded = items[row].call_method1("encode", ("utf-8", "surrogatepass"))?;
        Ok((row, encoded.cast::<PyBytes>()?.as_bytes().to_vec()))
    });
    encoded.collect()
}

#[pymethods]
impl StoreRows {
    /// The batch of these URLs, all seen at `time`.
    #[new]
    fn new(urls: &Bound<'_, PyAny>, policy: &Bound<'_, PyAny>, time: i64) -> PyResult<StoreRows> {
        let py = urls.py();
        let policy = args::policy(py, Some(policy))?;
        let urls = Urls::new(urls)?;
        let rows = urls.rows()?;
        let odd = odd(&urls, &rows)?;
        let seen = Sightings { count: 1, first: time, last: time };
        let keying = Keying { rows: &rows, odd: &odd, policy: &policy, seen };
        let made = work::run(&keying, rows.len(), work::threads(None, rows.len()), py)?;
        Ok(StoreRows(py.detach(|| Rows::of(made))))
    }

    /// The batch of stored rows: spelling as bytes, count, first, last.
    #[staticmethod]
    fn counted(
        py: Python<'_>,
        rows: Vec<(Bound<'_, PyBytes>, i64, i64, i64)>,
        policy: &Bound<'_, PyAny>,
    ) -> PyResult<StoreRows> {
        let policy = args::policy(py, Some(policy))?;
        let (mut builder, mut scratch) = (Builder::default(), Scratch::default());
        for (text, count, first, last) in &rows {
            let bytes = text.as_bytes();
            let key = match std::str::from_utf8(bytes) {
                Ok(text) => core_key(Text::Str(text), &Options::default(), &policy, &mut scratch),
                Err(_) => core_key(Text::Bytes(bytes), &Options::default(), &policy, &mut scratch),
            };
            builder.add(bytes, key, Sightings { count: *count, first: *first, last: *last });
        }
        Ok(StoreRows(py.detach(|| Rows::of(vec![builder]))))
    }

    /// How many keys.
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The digests of its keys, ascending, 16 bytes each.
    #[getter]
    fn digests<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let digests: Vec<Digest> = self.0.keys().map(|key| key.digest).collect();
        PyBytes::new(py, digests.as_flattened())
    }

    /// For each key from `first` on, up to `stop`, a byte: 1 if it is among these digests.
    fn known<'py>(&self, py: Python<'py>, digests: &[u8], first: usize, stop: usize) -> PyResult<Bound<'py, PyBytes>> {
        let mut known: Vec<&Digest> = split(digests)?.iter().collect();
        known.sort_unstable();
        let mut known = known.into_iter().peekable();
        let is_known = |digest: Digest| {
            while known.next_if(|other| **other < digest).is_some() {}
            known.peek().is_some_and(|other| **other == digest)
        };
        let keys = (first..stop.min(self.0.len())).map(|at| self.0.key(at).digest);
        Ok(PyBytes::new(py, &keys.map(is_known).map(u8::from).collect::<Vec<u8>>()))
    }

    /// Whether each row is the first of a key that is not known; None for a row without a key. `known` has a
    /// byte for each of `digests`, 0 if it is new.
    fn fresh<'py>(&self, py: Python<'py>, known: &[u8]) -> PyResult<Bound<'py, PyList>> {
        let mut known = self.marks(known)?;
        let told = self.0.key_of_row().iter().map(|at| at.map(|at| !std::mem::replace(&mut known[at], true)));
        PyList::new(py, told)
    }

    /// The keys that are not in `known`, (place, id), one by one: id, key, spelling or None if it is the key,
    /// count, first, last, seal. Their ids are their places from `next` on.
    fn entries(this: Py<Self>, known: Vec<(usize, i64)>, next: i64) -> Entries {
        let known = known.into_iter().map(|(place, _)| place).collect();
        Entries { rows: this, next, left: Mutex::new(Left { at: 0, known, passed: 0, time: None }) }
    }

    /// What `entries` leaves, by ids: all spellings of keys in `known`, and of new ones all but the first.
    fn more<'py>(&self, py: Python<'py>, known: Vec<(usize, i64)>, next: i64) -> Vec<More<'py>> {
        let mut known = known.into_iter().peekable();
        let mut rows = Vec::new();
        for (at, key) in self.0.keys().enumerate() {
            let (id, skip) = match known.next_if(|(place, _)| *place == at) {
                Some((_, id)) => (id, 0),
                None => (next + at as i64, 1),
            };
            for spelling in key.spellings().skip(skip) {
                let Sightings { count, first, last } = spelling.seen;
                let seal = urlkey::rows::seal(&key.digest, &spelling.digest, spelling.seen);
                let text = spelling.text.map(|text| PyBytes::new(py, text));
                rows.push((id, PyBytes::new(py, &spelling.digest), text, count, first, last, seal));
            }
        }
        rows.sort_by_key(|row| row.0);
        rows
    }

    /// The keys from `first` on that are not known as PostgreSQL's binary COPY, in blocks: see the core. `known`
    /// has a byte for each.
    fn copy_blocks(this: Py<Self>, first: usize, known: &[u8]) -> CopyBlocks {
        let known: Vec<bool> = known.iter().map(|mark| *mark != 0).collect();
        CopyBlocks { rows: this, first, known, at: Mutex::new(Some(0)) }
    }

    /// What `copy_blocks` leaves as arrays in PostgreSQL's binary format, without the rows at the places
    /// `done`, counted from 1, 8 bytes each: see the core.
    fn sighted_arrays<'py>(
        &self,
        py: Python<'py>,
        known: &[u8],
        done: &[u8],
    ) -> PyResult<Option<Vec<Bound<'py, PyBytes>>>> {
        let (known, (done, rest)) = (self.marks(known)?, done.as_chunks::<8>());
        if !rest.is_empty() {
            return Err(PyValueError::new_err("places must be a multiple of 8 bytes"));
        }
        let mut done: Vec<u64> = done.iter().map(|place| u64::from_be_bytes(*place)).collect();
        done.sort_unstable();
        let arrays = py.detach(|| self.0.sighted_arrays(&known, &done));
        Ok(arrays.map(|arrays| arrays.iter().map(|array| PyBytes::new(py, array)).collect()))
    }

    /// The rows without a key, in order.
    #[getter]
    fn rejects<'py>(&self, py: Python<'py>) -> Vec<Rejected<'py>> {
        let rows = self.0.rejects().iter().map(|reject| {
            let Sightings { count, first, last } = reject.seen;
            let (code, at) = (reject.error.code.as_str(), reject.error.at);
            let digest = digest_of_bytes(&reject.text);
            let seal = urlkey::rows::seal(&digest, &digest_of_bytes(format!("{code} {at}").as_bytes()), reject.seen);
            (PyBytes::new(py, &digest), PyBytes::new(py, &reject.text), code, at, count, first, last, seal)
        });
        rows.collect()
    }
}

fn number(py: Python<'_>, value: i64) -> PyResult<Bound<'_, PyAny>> {
    Ok(value.into_pyobject(py)?.into_any())
}

impl StoreRows {
    /// Whether each key is known, of a byte for each.
    fn marks(&self, known: &[u8]) -> PyResult<Vec<bool>> {
        if known.len() != self.0.len() {
            return Err(PyValueError::new_err("there must be a byte for each key"));
        }
        Ok(known.iter().map(|mark| *mark != 0).collect())
    }
}

/// Rows for a table of entries, each made when it is asked for: none waits in memory for the others.
#[pyclass(frozen)]
pub struct Entries {
    rows: Py<StoreRows>,
    next: i64,
    left: Mutex<Left>,
}

struct Left {
    at: usize,
    /// Places to pass over, ascending, and how many of them are passed.
    known: Vec<usize>,
    passed: usize,
    /// Mostly the same from row to row.
    time: Option<(i64, Py<PyAny>)>,
}

#[pymethods]
impl Entries {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let rows = &self.rows.get().0;
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        while left.known.get(left.passed) == Some(&left.at) {
            left.at += 1;
            left.passed += 1;
        }
        if left.at >= rows.len() {
            return Ok(None);
        }
        let (id, key) = (self.next + left.at as i64, rows.key(left.at));
        left.at += 1;
        let Some(lead) = key.spellings().next() else { return Ok(None) };
        let Sightings { count, first, last } = lead.seen;
        if left.time.as_ref().is_none_or(|(time, _)| *time != first) {
            left.time = Some((first, number(py, first)?.unbind()));
        }
        let first_time = left.time.as_ref().map_or_else(|| py.None(), |(_, time)| time.clone_ref(py)).into_bound(py);
        let last_time = if last == first { first_time.clone() } else { number(py, last)? };
        let spelling = lead.text.map_or_else(|| py.None().into_bound(py), |text| PyBytes::new(py, text).into_any());
        let seal = number(py, urlkey::rows::seal(&key.digest, &lead.digest, lead.seen))?;
        let (id, text) = (number(py, id)?, PyString::from_bytes(py, key.text)?.into_any());
        Ok(Some(PyTuple::new(py, [id, text, spelling, number(py, count)?, first_time, last_time, seal])?))
    }
}

/// Blocks of a COPY: while the server takes one, the next is made.
#[pyclass(frozen)]
pub struct CopyBlocks {
    rows: Py<StoreRows>,
    first: usize,
    known: Vec<bool>,
    at: Mutex<Option<usize>>,
}

/// Keys of a block.
const BLOCK: usize = 1024;

#[pymethods]
impl CopyBlocks {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let mut next = self.at.lock().unwrap_or_else(PoisonError::into_inner);
        let at = (*next)?;
        let stop = (at + BLOCK).min(self.known.len());
        let mut block = if at == 0 { COPY_HEAD.to_vec() } else { Vec::new() };
        block.extend(self.rows.get().0.copy_entries(self.first + at, &self.known[at..stop]));
        *next = (stop < self.known.len()).then_some(stop);
        if next.is_none() {
            block.extend_from_slice(COPY_END);
        }
        Some(PyBytes::new(py, &block))
    }
}

/// Digests, 16 bytes each, as an array of PostgreSQL in its binary format: of `uuid`, or of `bytea`.
#[pyfunction]
pub fn digest_array<'py>(py: Python<'py>, digests: &[u8], as_uuid: bool) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &urlkey::rows::digest_array(split(digests)?, as_uuid)))
}

/// The seal that a stored row must have: of the digests of key and spelling, count, first, last.
#[pyfunction]
pub fn seal(key: [u8; WIDTH], spelling: [u8; WIDTH], count: i64, first: i64, last: i64) -> i64 {
    urlkey::rows::seal(&key, &spelling, Sightings { count, first, last })
}

/// What a seal grows by with count, first and last time.
#[pyfunction]
pub fn seal_factors() -> (i64, i64, i64) {
    (OF_COUNT, OF_FIRST, OF_LAST)
}
