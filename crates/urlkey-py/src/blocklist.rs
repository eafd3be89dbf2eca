//! Lists of bad URLs, as Python builds and asks them. Must not know files.

use crate::records::{record, shown_field};
use crate::reputation::{raw, version};
use crate::seed::random_seed;
use crate::{errors, lists};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use std::sync::{Mutex, PoisonError};
use urlkey::blocklist::{Blocklist as Core, Builder, Kind, LineError, Lookup, Settings};

record! {
    "urlkey.systems.reputation":
    /// What a blocklist says of a URL.
    ///
    /// >>> from urlkey.systems.reputation import Blocklist
    /// >>> found = Blocklist(['evil.example']).lookup('http://www.evil.example/a')
    /// >>> found.expression, found.line, found.exact, found.layer
    /// ('evil.example/', 1, False, 0)
    Match {
        /// The expression of the URL that the list holds.
        expression: Py<PyString>,
        /// The line of the list, counted from 1.
        line: u32,
        /// How many bytes of its hash the list holds; None for a text list. A short prefix is met
        /// by chance.
        prefix: Option<usize>,
        /// Whether the expression is all of the URL: host, path and query.
        exact: bool,
        /// How many layers of wrapping were taken off; 0 is the URL itself.
        layer: usize,
        /// The URL of that layer; None for the URL itself.
        url: Option<Py<PyString>>,
        /// The redirector's rule that took the last layer off, or None.
        rule: Option<Py<PyString>>,
    }
}

impl Match {
    /// What the core found.
    pub fn of(py: Python<'_>, found: urlkey::blocklist::Match) -> Match {
        let text = |text: String| PyString::new(py, &text).unbind();
        Match {
            expression: text(found.expression),
            line: found.line,
            prefix: found.prefix,
            exact: found.exact,
            layer: found.layer,
            url: found.url.map(text),
            rule: found.rule.map(text),
        }
    }

    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        let expression = shown_field(py, &self.expression)?;
        Ok(format!("<Match {expression} line={} layer={}>", self.line, self.layer))
    }
}

/// URLs between two looks whether the user has interrupted.
const CHUNK: usize = 1 << 14;

/// Takes the blocks of a file and gives a list; used by `urlkey.systems.reputation.Blocklist`.
#[pyclass(frozen, module = "urlkey._native")]
pub struct BlocklistBuilder(Mutex<Option<Builder>>);

/// Number of the line, code, byte offset, message, text.
type Refused<'py> = (u64, &'static str, usize, &'static str, Bound<'py, PyBytes>);

#[pymethods]
impl BlocklistBuilder {
    #[new]
    #[pyo3(signature = (version="v5", kind=None))]
    fn new(version: &str, kind: Option<&str>) -> PyResult<BlocklistBuilder> {
        let kind = kind.map(|name| {
            Kind::named(name)
                .ok_or_else(|| PyValueError::new_err(format!("kind must be 'text', 'hex' or 'base64', not {name:?}")))
        });
        let settings = Settings { version: self::version(version)?, kind: kind.transpose()? };
        Ok(BlocklistBuilder(Mutex::new(Some(Builder::new(settings, &random_seed())))))
    }

    /// Takes the next bytes of the file.
    fn feed(&self, py: Python<'_>, block: &[u8]) -> PyResult<()> {
        py.detach(|| {
            let mut builder = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            builder.as_mut().map(|builder| builder.feed(block))
        })
        .ok_or_else(finished)
    }

    /// The list, and the lines that gave no entry.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<(BlocklistTable, Vec<Refused<'py>>)> {
        let builder = self.0.lock().unwrap_or_else(PoisonError::into_inner).take().ok_or_else(finished)?;
        let (list, refused) = py.detach(|| builder.finish());
        let refused = refused.into_iter().map(|LineError { line, error, text }| {
            (line, error.code.as_str(), error.at, error.code.says(), PyBytes::new(py, &text))
        });
        Ok((BlocklistTable(list), refused.collect()))
    }
}

fn finished() -> PyErr {
    PyRuntimeError::new_err("the list is finished")
}

/// A list in memory; used by `urlkey.systems.reputation.Blocklist`.
#[pyclass(frozen, module = "urlkey._native")]
pub struct BlocklistTable(Core);

#[pymethods]
impl BlocklistTable {
    /// 'text', 'hex' or 'base64'.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind().as_str()
    }

    /// The widths of hashes in bytes.
    #[getter]
    fn widths(&self) -> Vec<usize> {
        self.0.widths()
    }

    /// Bytes that the entries occupy.
    #[getter]
    fn memory(&self) -> usize {
        self.0.bytes()
    }

    /// How many entries were defanged.
    #[getter]
    fn defanged(&self) -> usize {
        self.0.defanged()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The list as bytes, for `from_bytes`; they hold the seed of its fingerprints.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = py.detach(|| self.0.to_bytes());
        PyBytes::new(py, &bytes)
    }

    /// The list that `to_bytes` wrote; ValueError where it is none.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<BlocklistTable> {
        let list = py.detach(|| Core::from_bytes(bytes));
        list.map(BlocklistTable).ok_or_else(|| PyValueError::new_err("no blocklist of this version of urlkey"))
    }

    /// What the list says of a URL: a Match or None.
    fn lookup(&self, py: Python<'_>, url: &Bound<'_, PyAny>) -> PyResult<Option<Match>> {
        let found = self.0.lookup(raw(url)?, &mut Lookup::default()).map_err(|error| errors::url_error(url, error))?;
        Ok(found.map(|found| Match::of(py, found)))
    }

    /// What it says of many, in their order; with `errors` the UrlKeyError in the row of a text
    /// that names no host, else it is raised.
    #[pyo3(signature = (urls, *, errors))]
    fn lookup_many<'py>(&self, urls: &Bound<'py, PyAny>, errors: bool) -> PyResult<Bound<'py, PyList>> {
        let (py, mut lookup) = (urls.py(), Lookup::default());
        let find = |url: &[u8]| self.0.lookup(url, &mut lookup);
        lists::each(urls, errors, CHUNK, find, |found| Ok(Bound::new(py, Match::of(py, found))?.into_any()))
    }
}
