//! Hosts that look like others, as Python asks for them.

use crate::args::{self, Text};
use crate::errors;
use crate::records::record;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};
use urlkey::homographs::{Protected, homograph};
use urlkey::{Code, ParseError};

record! {
    "urlkey._native":
    /// What a host looks like.
    ///
    /// >>> from urlkey.systems.gateway.homographs import homograph
    /// >>> found = homograph('xn--80ak6aa92e.com', ['apple.com'])
    /// >>> found.lookalike_of, found.restriction_level
    /// ('apple.com', 'single-script')
    Homograph {
        /// The host with its `xn--` labels decoded.
        host: Py<PyString>,
        /// UTS 39's skeleton of that: equal for hosts that look alike.
        skeleton: Py<PyString>,
        /// The widest level of its labels, from 'ascii-only' to 'unrestricted'.
        restriction_level: Py<PyString>,
        /// Scripts of its letters by their names in Unicode, in the order in which they come.
        scripts: Py<PyTuple>,
        /// Whether a label is of one other script, at home elsewhere, and all of it looks Latin.
        whole_script_confusable: bool,
        /// The protected name that it looks like and is not, or None.
        lookalike_of: Option<Py<PyString>>,
        /// What speaks against it; empty where nothing does.
        reasons: Py<PyTuple>,
    }
}

impl Homograph {
    /// What the core found.
    pub fn of(py: Python<'_>, found: urlkey::homographs::Homograph) -> PyResult<Homograph> {
        let text = |text: String| PyString::new(py, &text).unbind();
        Ok(Homograph {
            host: text(found.host),
            skeleton: text(found.skeleton),
            restriction_level: PyString::intern(py, found.restriction_level).unbind(),
            scripts: PyTuple::new(py, found.scripts)?.unbind(),
            whole_script_confusable: found.whole_script_confusable,
            lookalike_of: found.lookalike_of.map(text),
            reasons: PyTuple::new(py, found.reasons)?.unbind(),
        })
    }

    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Homograph {} reasons={}>", self.host.bind(py).repr()?, self.reasons.bind(py).repr()?))
    }
}

/// Hosts between two looks whether the user has interrupted.
const CHUNK: usize = 1 << 12;

/// Protected names in memory; used by `urlkey.systems.gateway.homographs`.
#[pyclass(frozen, module = "urlkey._native")]
pub struct HomographTable(Protected);

/// What the core says of a host that Python gave.
type Told = Result<urlkey::homographs::Homograph, ParseError>;

#[pymethods]
impl HomographTable {
    #[new]
    fn new(names: &Bound<'_, PyAny>) -> PyResult<HomographTable> {
        if names.is_instance_of::<PyString>() || names.is_instance_of::<PyBytes>() {
            return Err(errors::type_error("protected", "an iterable of names", names));
        }
        let names: Vec<Bound<'_, PyAny>> = names.try_iter()?.collect::<PyResult<_>>()?;
        let texts = names.iter().map(text).collect::<PyResult<Vec<_>>>()?;
        let texts: Vec<&str> = texts
            .into_iter()
            .enumerate()
            .map(|(row, text)| text.map_err(|error| errors::row_error(row, &names[row], error)))
            .collect::<PyResult<_>>()?;
        match Protected::new(&texts) {
            Ok(made) => Ok(HomographTable(made)),
            Err((row, error)) => Err(errors::row_error(row, &names[row], error)),
        }
    }

    /// What a host looks like.
    fn check(&self, py: Python<'_>, host: &Bound<'_, PyAny>) -> PyResult<Homograph> {
        let told = text(host)?.and_then(|text| homograph(text, &self.0));
        Homograph::of(py, told.map_err(|error| errors::url_error(host, error))?)
    }

    /// What many look like, in their order; with `errors` the UrlKeyError in the row of what is no
    /// host, else it is raised.
    #[pyo3(signature = (hosts, *, errors))]
    fn check_many<'py>(&self, hosts: &Bound<'py, PyAny>, errors: bool) -> PyResult<Bound<'py, PyList>> {
        let py = hosts.py();
        if hosts.is_instance_of::<PyString>() || hosts.is_instance_of::<PyBytes>() {
            return Err(errors::type_error("hosts", "an iterable of hosts", hosts));
        }
        let hosts: Vec<Bound<'py, PyAny>> = hosts.try_iter()?.collect::<PyResult<_>>()?;
        let mut rows: Vec<Bound<'py, PyAny>> = Vec::with_capacity(hosts.len());
        for chunk in hosts.chunks(CHUNK) {
            py.check_signals()?;
            let texts = (rows.len()..).zip(chunk).map(|(row, host)| args::row("hosts", row, host).map(read));
            let texts = texts.collect::<PyResult<Vec<_>>>()?;
            let told: Vec<Told> =
                py.detach(|| texts.into_iter().map(|text| text.and_then(|text| homograph(text, &self.0))).collect());
            for (host, told) in chunk.iter().zip(told) {
                rows.push(match told {
                    Ok(found) => Bound::new(py, Homograph::of(py, found)?)?.into_any(),
                    Err(error) if errors => errors::url_error_object(host, error)?,
                    Err(error) => return Err(errors::row_error(rows.len(), host, error)),
                });
            }
        }
        PyList::new(py, rows)
    }
}

/// The text of a host; an error where it has none.
fn text<'a>(host: &'a Bound<'_, PyAny>) -> PyResult<Result<&'a str, ParseError>> {
    args::text(host).map(read)
}

fn read(text: Text<'_>) -> Result<&str, ParseError> {
    match text {
        Text::Str(text) => Ok(text),
        Text::Bytes(bytes) => {
            std::str::from_utf8(bytes).map_err(|error| ParseError::new(Code::NotUtf8, error.valid_up_to()))
        }
        Text::Bad(error) => Err(error),
    }
}

/// UTS 39's skeleton of a text; see `urlkey.systems.gateway.homographs.skeleton`.
#[pyfunction]
pub fn skeleton(text: &Bound<'_, PyString>) -> PyResult<String> {
    match args::text(text.as_any())? {
        Text::Str(plain) => Ok(urlkey::homographs::skeleton(plain)),
        Text::Bytes(_) => Err(PyValueError::new_err("text must be str")),
        Text::Bad(error) => Err(errors::url_error(text, error)),
    }
}
