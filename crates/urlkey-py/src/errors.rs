//! The one place where errors of the core become Python's. Must not know which
//! function failed.

use pyo3::exceptions::{PyLookupError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::ffi::CStr;
use std::path::Path;
use urlkey::{ParseError, PolicyError};

const DOC: &CStr = c"A text that is no URL, or a policy that cannot be used.

Attributes: `code`, a stable slug out of `urlkey.ERROR_CODES`, the URL Standard's
name of the cause where it has one; `at`, the byte offset of the cause in the
input as UTF-8, or None where there is no such place; `input`, the str or bytes
that was given, or None. The message says what was found or what is allowed and
never holds the input.

Source: https://url.spec.whatwg.org/#validation-error

>>> import urlkey
>>> try:
...     urlkey.key('http://example.com:70000/')
... except urlkey.UrlKeyError as error:
...     error.code, error.at
('port-out-of-range', 19)
";

static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// The class `UrlKeyError`.
pub fn class<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyType>> {
    let class = CLASS.get_or_try_init(py, || {
        let base = py.get_type::<PyValueError>();
        let class = PyErr::new_type(py, c"urlkey.UrlKeyError", Some(DOC), Some(&base), None)?;
        // Not through `dict=`: PyO3 0.30 frees the dict before Python has read it.
        for name in ["code", "at", "input"] {
            class.bind(py).setattr(name, py.None())?;
        }
        Ok::<_, PyErr>(class)
    })?;
    Ok(class.bind(py))
}

fn build(py: Python<'_>, message: String, code: urlkey::Code) -> PyResult<Bound<'_, PyAny>> {
    let error = class(py)?.call1((message,))?;
    error.setattr("code", code.as_str())?;
    Ok(error)
}

/// The error object for a text that is no URL; `input` is what the caller gave.
pub fn url_error_object<'py>(input: &Bound<'py, PyAny>, error: ParseError) -> PyResult<Bound<'py, PyAny>> {
    let object = build(input.py(), error.to_string(), error.code)?;
    object.setattr("at", error.at)?;
    object.setattr("input", input)?;
    Ok(object)
}

/// The same, to be raised.
#[cold]
pub fn url_error(input: &Bound<'_, PyAny>, error: ParseError) -> PyErr {
    url_error_object(input, error).map_or_else(|failed| failed, PyErr::from_value)
}

/// The same, raised out of a batch, with a note that names the row.
#[cold]
pub fn row_error(row: usize, input: &Bound<'_, PyAny>, error: ParseError) -> PyErr {
    noted(input.py(), url_error(input, error), &format!("in row {row}, counted from 0"))
}

/// The error with a note for whoever reads its traceback.
#[cold]
pub fn noted(py: Python<'_>, error: PyErr, note: &str) -> PyErr {
    match error.add_note(py, note) {
        Ok(()) => error,
        Err(failed) => failed,
    }
}

/// A policy or rule file that cannot be used.
#[cold]
pub fn policy_error(py: Python<'_>, error: &PolicyError) -> PyErr {
    build(py, error.to_string(), error.code).map_or_else(|failed| failed, PyErr::from_value)
}

/// A file that cannot be read: OSError with its number, text and name.
#[cold]
pub fn file_error(path: &Path, error: std::io::Error) -> PyErr {
    match error.raw_os_error() {
        Some(number) => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or_default().to_owned();
            pyo3::exceptions::PyOSError::new_err((number, text, path.as_os_str().to_owned()))
        }
        None => PyValueError::new_err(format!("{}: {error}", path.display())),
    }
}

/// An argument of the wrong type.
#[cold]
pub fn type_error(argument: &str, allowed: &str, found: &Bound<'_, PyAny>) -> PyErr {
    match found.get_type().name() {
        Ok(name) => PyTypeError::new_err(format!("{argument} must be {allowed}, not {name}")),
        Err(failed) => failed,
    }
}

/// An encoding label that the Encoding Standard does not have.
#[cold]
pub fn encoding_error(label: &str) -> PyErr {
    PyLookupError::new_err(format!(
        "{label:?} is no label of the Encoding Standard (https://encoding.spec.whatwg.org/#names-and-labels)"
    ))
}
