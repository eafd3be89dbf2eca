//! Sets of digests, as Python holds them. Must not know files.

use crate::args::{self, Text};
use crate::arrow::work::{self, Job};
use crate::batch::OnError;
use crate::errors;
use crate::key::{SCRATCH, core_key};
use crate::policy::Policy;
use crate::seed::random_seed;
use crate::urls::{Rows, Urls};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use urlkey::digest::{Digest, WIDTH, digest_of_bytes};
use urlkey::seen::{Digests, Place};
use urlkey::{Key, Options, ParseError, Scratch};

/// The digests of many URLs: those of rows without a key are zeros, and `bad` says why: None for a null.
#[derive(Default)]
struct Hashed {
    digests: Vec<Digest>,
    bad: Vec<(usize, Option<ParseError>)>,
}

/// Makes them.
struct Hashing<'a> {
    rows: &'a Rows<'a>,
    policy: &'a urlkey::Policy,
}

impl Job for Hashing<'_> {
    type Made = Hashed;

    fn start(&self, rows: Range<usize>) -> Hashed {
        Hashed { digests: Vec::with_capacity(rows.len()), bad: Vec::new() }
    }

    fn fill(&self, made: &mut Hashed, rows: Range<usize>, scratch: &mut Scratch) -> bool {
        self.rows.each(rows, |row, text| {
            let digest = text.ok_or(None).and_then(|text| digest_of(text, self.policy, scratch).map_err(Some));
            made.digests.push(digest.unwrap_or_else(|why| {
                made.bad.push((row, why));
                [0; WIDTH]
            }));
        });
        true
    }
}

/// The digests of a batch.
fn hashed(urls: &Urls<'_>, policy: &urlkey::Policy, py: Python<'_>) -> PyResult<Hashed> {
    let rows = urls.rows()?;
    let pieces = work::run(&Hashing { rows: &rows, policy }, rows.len(), work::threads(None, rows.len()), py)?;
    let join = |mut all: Hashed, piece: Hashed| {
        all.digests.extend_from_slice(&piece.digests);
        all.bad.extend(piece.bad);
        all
    };
    Ok(pieces.into_iter().reduce(join).unwrap_or_default())
}

fn digest_of(text: Text<'_>, policy: &urlkey::Policy, scratch: &mut Scratch) -> Result<Digest, ParseError> {
    Ok(match (core_key(text, &Options::default(), policy, scratch)?, text) {
        (Key::New(key), _) => digest_of_bytes(key.as_bytes()),
        (Key::Same, Text::Str(key)) => digest_of_bytes(key.as_bytes()),
        (Key::Same, Text::Bytes(key)) => digest_of_bytes(key),
        (Key::Same, Text::Bad(error)) => return Err(error),
    })
}

/// Digests end to end, 16 bytes each.
pub fn split(digests: &[u8]) -> PyResult<&[Digest]> {
    match digests.as_chunks::<WIDTH>() {
        (whole, []) => Ok(whole),
        _ => Err(PyValueError::new_err(format!("digests must be a multiple of {WIDTH} bytes, not {}", digests.len()))),
    }
}

/// A set of digests in memory, and the policy that makes them; used by `urlkey.store`.
#[pyclass(frozen, module = "urlkey._native")]
pub struct SeenTable {
    policy: Arc<urlkey::Policy>,
    set: Mutex<Digests>,
}

impl SeenTable {
    fn set(&self) -> MutexGuard<'_, Digests> {
        self.set.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn digest(&self, url: &Bound<'_, PyAny>) -> PyResult<Digest> {
        let text = args::text(url)?;
        SCRATCH
            .with_borrow_mut(|scratch| digest_of(text, &self.policy, scratch))
            .map_err(|error| errors::url_error(url, error))
    }
}

/// What a row says that has no digest.
fn bad_row<'py>(
    urls: &Urls<'py>,
    (row, why): (usize, Option<ParseError>),
    on: OnError,
    py: Python<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    match (on, why) {
        (OnError::Null, _) | (_, None) => Ok(py.None().into_bound(py)),
        (OnError::Raise, Some(error)) => Err(errors::row_error(urls.before() + row, &urls.object(row, py)?, error)),
        (OnError::Error, Some(error)) => errors::url_error_object(&urls.object(row, py)?, error),
    }
}

#[pymethods]
impl SeenTable {
    #[new]
    fn new(policy: &Bound<'_, PyAny>) -> PyResult<SeenTable> {
        let policy = args::policy(policy.py(), Some(policy))?.clone();
        Ok(SeenTable { policy, set: Mutex::new(Digests::new(&random_seed())) })
    }

    /// The policy of its keys.
    #[getter]
    fn policy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Policy>> {
        args::policy_object(py, &self.policy)
    }

    /// Bytes that the slots occupy.
    #[getter]
    fn memory(&self) -> usize {
        self.set().bytes()
    }

    fn __len__(&self) -> usize {
        self.set().len()
    }

    fn __contains__(&self, url: &Bound<'_, PyAny>) -> PyResult<bool> {
        let digest = self.digest(url)?;
        Ok(self.set().contains(&digest))
    }

    /// True if the URL's key was not there before.
    fn add(&self, url: &Bound<'_, PyAny>) -> PyResult<bool> {
        let digest = self.digest(url)?;
        Ok(self.set().insert(&digest))
    }

    /// What `add` says of each URL; of a row that is no URL what `on_error` asks for.
    #[pyo3(signature = (urls, *, on_error))]
    fn add_many<'py>(&self, urls: &Bound<'py, PyAny>, on_error: &str) -> PyResult<Bound<'py, PyList>> {
        let (py, on) = (urls.py(), OnError::named(on_error)?);
        let urls = Urls::new(urls)?;
        let hashed = hashed(&urls, &self.policy, py)?;
        let bad = hashed.bad.iter().map(|bad| Ok((bad.0, bad_row(&urls, *bad, on, py)?)));
        let mut bad = bad.collect::<PyResult<Vec<_>>>()?.into_iter().peekable();
        let good: Vec<&Digest> = {
            let mut skip = hashed.bad.iter().map(|(row, _)| row).peekable();
            let rows = hashed.digests.iter().enumerate();
            rows.filter(|(row, _)| skip.next_if_eq(&row).is_none()).map(|(_, digest)| digest).collect()
        };
        let told = py.detach(|| {
            let mut told = Vec::with_capacity(good.len());
            self.set().insert_all(good, |new| told.push(new));
            told
        });
        let mut told = told.into_iter();
        let mut rows = Vec::with_capacity(hashed.digests.len());
        for row in 0..hashed.digests.len() {
            rows.push(match bad.next_if(|(at, _)| *at == row) {
                Some((_, says)) => says,
                None => told.next().unwrap_or_default().into_pyobject(py)?.to_owned().into_any(),
            });
        }
        PyList::new(py, rows)
    }

    /// The digests of URLs, 16 bytes a row, and for rows that are no URL zeros and what `on_error` asks for.
    #[pyo3(signature = (urls, *, on_error))]
    #[expect(clippy::type_complexity, reason = "a pair for Python")]
    fn digests<'py>(
        &self,
        urls: &Bound<'py, PyAny>,
        on_error: &str,
    ) -> PyResult<(Bound<'py, PyBytes>, Vec<(usize, Bound<'py, PyAny>)>)> {
        let (py, on) = (urls.py(), OnError::named(on_error)?);
        let urls = Urls::new(urls)?;
        let hashed = hashed(&urls, &self.policy, py)?;
        let bad = hashed.bad.into_iter().map(|bad| Ok((bad.0, bad_row(&urls, bad, on, py)?)));
        Ok((PyBytes::new(py, hashed.digests.as_flattened()), bad.collect::<PyResult<_>>()?))
    }

    /// Inserts digests, 16 bytes each; returns a byte for each, 1 where it was not there before.
    fn insert<'py>(&self, py: Python<'py>, digests: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let digests = split(digests)?;
        let told = py.detach(|| {
            let mut told = Vec::with_capacity(digests.len());
            self.set().insert_all(digests, |new| told.push(u8::from(new)));
            told
        });
        Ok(PyBytes::new(py, &told))
    }

    /// Those of the digests that are not there: each once, ascending.
    fn unseen<'py>(&self, py: Python<'py>, digests: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let digests = split(digests)?;
        let unseen = py.detach(|| {
            let set = self.set();
            let mut unseen: Vec<Digest> = digests.iter().filter(|digest| !set.contains(digest)).copied().collect();
            unseen.sort_unstable();
            unseen.dedup();
            unseen
        });
        Ok(PyBytes::new(py, unseen.as_flattened()))
    }

    /// All digests, ascending.
    fn sorted<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let sorted = py.detach(|| self.set().sorted());
        PyBytes::new(py, sorted.as_flattened())
    }

    /// Some digests from a place on, (0, 0) at first, and the place of the next or None.
    fn walk<'py>(
        &self,
        py: Python<'py>,
        place: (usize, usize),
        most: usize,
    ) -> (Bound<'py, PyBytes>, Option<(usize, usize)>) {
        let from = Place { part: place.0, slot: place.1 };
        let (some, next) = py.detach(|| self.set().gather(from, most));
        (PyBytes::new(py, some.as_flattened()), next.map(|place| (place.part, place.slot)))
    }
}

/// What `add` says of each row, given its digests and those that are new, ascending: True where a
/// new one comes first, else False; `bad` are rows and what they say instead.
#[pyfunction]
pub fn fresh_rows<'py>(
    py: Python<'py>,
    digests: &[u8],
    new: &[u8],
    bad: Vec<(usize, Bound<'py, PyAny>)>,
) -> PyResult<Bound<'py, PyList>> {
    let (digests, new) = (split(digests)?, split(new)?);
    let mut told = vec![false; new.len()];
    let mut bad = bad.into_iter().peekable();
    let mut rows = Vec::with_capacity(digests.len());
    for (row, digest) in digests.iter().enumerate() {
        rows.push(match bad.next_if(|(at, _)| *at == row) {
            Some((_, says)) => says,
            None => {
                let first = new.binary_search(digest).is_ok_and(|at| !std::mem::replace(&mut told[at], true));
                first.into_pyobject(py)?.to_owned().into_any()
            }
        });
    }
    PyList::new(py, rows)
}

/// Ascending digests without those that are in `others`, ascending too.
#[pyfunction]
pub fn without<'py>(py: Python<'py>, digests: &[u8], others: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let mut others = split(others)?.iter().peekable();
    let kept = split(digests)?.iter().filter(|digest| {
        while others.next_if(|other| other < digest).is_some() {}
        others.next_if_eq(digest).is_none()
    });
    Ok(PyBytes::new(py, kept.copied().collect::<Vec<_>>().as_flattened()))
}

/// The sum of digests as numbers, modulo 2^128, on top of `sum`: whatever their order.
#[pyfunction]
#[pyo3(signature = (digests, sum=None))]
pub fn sum_digests<'py>(py: Python<'py>, digests: &[u8], sum: Option<&[u8]>) -> PyResult<Bound<'py, PyBytes>> {
    let all = split(sum.unwrap_or_default())?.iter().chain(split(digests)?);
    let sum = all.fold(0_u128, |sum, digest| sum.wrapping_add(u128::from_be_bytes(*digest)));
    Ok(PyBytes::new(py, &sum.to_be_bytes()))
}
