//! Filters before sets of digests, as Python holds them. Must not know files.

use crate::seed::random_seed;
use crate::seen::split;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Mutex, MutexGuard, PoisonError};
use urlkey::bloom::{BLOCK, Bloom as Filter, RATES};
use urlkey::digest::WIDTH;

/// A blocked Bloom filter over digests; used by `urlkey.store`.
#[pyclass(frozen, module = "urlkey._native")]
pub struct Bloom(Mutex<Filter>);

impl Bloom {
    fn filter(&self) -> MutexGuard<'_, Filter> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Bloom {
    #[new]
    fn new(capacity: usize, rate: f64) -> PyResult<Bloom> {
        let filter = Filter::new(capacity, rate, random_seed()).ok_or_else(|| {
            PyValueError::new_err(format!("bloom must be from {} to {}, not {rate}", RATES.start(), RATES.end()))
        })?;
        Ok(Bloom(Mutex::new(filter)))
    }

    /// The filter that has this seed, these hashes a digest, these blocks.
    #[staticmethod]
    fn from_bytes(seed: [u8; WIDTH], hashes: u32, blocks: &[u8]) -> PyResult<Bloom> {
        match Filter::from_bytes(seed, hashes, blocks) {
            Some(filter) => Ok(Bloom(Mutex::new(filter))),
            None => Err(PyValueError::new_err("no filter has such blocks")),
        }
    }

    /// What places digests: 16 bytes.
    #[getter]
    fn seed<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.filter().seed())
    }

    /// Bits that are set for a digest.
    #[getter]
    fn hashes(&self) -> u32 {
        self.filter().hashes()
    }

    /// Bytes that its blocks occupy.
    #[getter]
    fn memory(&self) -> usize {
        self.filter().blocks() * BLOCK
    }

    /// Some of its blocks of 64 bytes, end to end.
    fn blocks<'py>(&self, py: Python<'py>, first: usize, most: usize) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.filter().bytes(first, most))
    }

    /// Notes digests, 16 bytes each.
    fn insert(&self, py: Python<'_>, digests: &[u8]) -> PyResult<()> {
        let digests = split(digests)?;
        py.detach(|| {
            let mut filter = self.filter();
            digests.iter().for_each(|digest| filter.insert(digest));
        });
        Ok(())
    }

    /// Those of the digests that may have been noted, in their order.
    fn may_hold<'py>(&self, py: Python<'py>, digests: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let digests = split(digests)?;
        let found = py.detach(|| {
            let filter = self.filter();
            digests.iter().filter(|digest| filter.may_hold(digest)).copied().collect::<Vec<_>>()
        });
        Ok(PyBytes::new(py, found.as_flattened()))
    }
}
