//! Allow and deny lists of products, as Python builds and asks them. Must not know files.

use crate::records::{record, shown_field};
use crate::reputation::raw;
use crate::seed::random_seed;
use crate::{errors, lists};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};
use std::sync::{Mutex, PoisonError};
use urlkey::patterns::{Builder, Dialect, List, Lookup, PatternError, PatternSet};

record! {
    "urlkey._native":
    /// A pattern that decides about a URL: which one, where it stands, and what it names.
    ///
    /// >>> from urlkey.systems.gateway.patterns import PatternSet
    /// >>> found = PatternSet('chrome', ['example.com/a']).match('https://www.example.com/ab')
    /// >>> found.pattern, found.line, found.reason
    /// ('example.com/a', 1, 'the host or one below, its path')
    PatternMatch {
        /// The pattern as the line writes it.
        pattern: Py<PyString>,
        /// 'block' or 'allow'.
        list: Py<PyString>,
        /// The line of that list, counted from 1.
        line: u32,
        /// What of the URL it names.
        reason: Py<PyString>,
        /// The URL inside this one that it names, or None where it is the URL itself.
        embedded: Option<Py<PyString>>,
    }
}

impl PatternMatch {
    /// What the core found.
    pub fn of(py: Python<'_>, found: urlkey::patterns::Match<'_>) -> PatternMatch {
        PatternMatch {
            pattern: PyString::new(py, found.pattern).unbind(),
            list: PyString::intern(py, found.list.as_str()).unbind(),
            line: found.line,
            reason: PyString::new(py, &found.reason).unbind(),
            embedded: found.embedded.map(|url| PyString::new(py, &url).unbind()),
        }
    }

    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        let (pattern, list) = (shown_field(py, &self.pattern)?, self.list.bind(py));
        Ok(format!("<PatternMatch {pattern} list={list} line={}>", self.line))
    }
}

/// URLs that are looked up before their rows are made: what is between stays in the nearest cache.
const CHUNK: usize = 1 << 7;

/// The names of all dialects.
pub fn dialects(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, Dialect::ALL.iter().map(|dialect| dialect.as_str()))
}

fn list_of(allow: bool) -> List {
    if allow { List::Allow } else { List::Block }
}

/// Takes the blocks of two files and gives a set; used by `urlkey.systems.gateway.patterns`.
#[pyclass(frozen, module = "urlkey._native")]
pub struct PatternBuilder(Mutex<Option<Builder>>);

/// List, number of the line, code, byte offset, message, text.
type Refused<'py> = (&'static str, u32, &'static str, usize, &'static str, Bound<'py, PyBytes>);

#[pymethods]
impl PatternBuilder {
    #[new]
    fn new(dialect: &str) -> PyResult<PatternBuilder> {
        let known = Dialect::named(dialect).ok_or_else(|| {
            let names = Dialect::ALL.map(|dialect| format!("'{}'", dialect.as_str()));
            PyValueError::new_err(format!("dialect must be one of {}, not {dialect:?}", names.join(", ")))
        })?;
        Ok(PatternBuilder(Mutex::new(Some(Builder::new(known, &random_seed())))))
    }

    /// Takes the next bytes of one of the lists.
    fn feed(&self, py: Python<'_>, block: &[u8], allow: bool) -> PyResult<()> {
        py.detach(|| {
            let mut builder = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            builder.as_mut().map(|builder| builder.feed(list_of(allow), block))
        })
        .ok_or_else(finished)
    }

    /// The set, and the lines that gave no pattern.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<(PatternTable, Vec<Refused<'py>>)> {
        let builder = self.0.lock().unwrap_or_else(PoisonError::into_inner).take().ok_or_else(finished)?;
        let (set, refused) = py.detach(|| builder.finish());
        let refused = refused.into_iter().map(|PatternError { list, line, code, at, says, text }| {
            (list.as_str(), line, code.as_str(), at, says, PyBytes::new(py, &text))
        });
        Ok((PatternTable(set), refused.collect()))
    }
}

fn finished() -> PyErr {
    PyRuntimeError::new_err("the set is finished")
}

/// A set in memory; used by `urlkey.systems.gateway.patterns`.
#[pyclass(frozen, module = "urlkey._native")]
pub struct PatternTable(PatternSet);

#[pymethods]
impl PatternTable {
    /// How many patterns are expressions.
    #[getter]
    fn expressions(&self) -> usize {
        self.0.expressions()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The pattern that decides about a URL, or None.
    fn find(&self, py: Python<'_>, url: &Bound<'_, PyAny>) -> PyResult<Option<PatternMatch>> {
        let found = self.0.find(raw(url)?, &mut Lookup::default()).map_err(|error| errors::url_error(url, error))?;
        Ok(found.map(|found| PatternMatch::of(py, found)))
    }

    /// The patterns that decide about many, in their order; with `errors` the UrlKeyError in the
    /// row of what is no URL, else it is raised.
    #[pyo3(signature = (urls, *, errors))]
    fn find_many<'py>(&self, urls: &Bound<'py, PyAny>, errors: bool) -> PyResult<Bound<'py, PyList>> {
        let (py, mut lookup) = (urls.py(), Lookup::default());
        let find = |url: &[u8]| self.0.find(url, &mut lookup);
        lists::each(urls, errors, CHUNK, find, |found| Ok(Bound::new(py, PatternMatch::of(py, found))?.into_any()))
    }
}

/// The URL that Chrome sees inside another; see `urlkey.systems.gateway.patterns.embedded_url`.
#[pyfunction]
pub fn embedded_url(url: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    urlkey::patterns::embedded(raw(url)?).map_err(|error| errors::url_error(url, error))
}
