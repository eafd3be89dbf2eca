//! The forms that other programs make of a URL. Must not know how.

use crate::errors;
use pyo3::exceptions::{PyUnicodeEncodeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::borrow::Cow;
use urlkey::forms::w3lib::{self, Error, Options};

/// The form that w3lib's `canonicalize_url` gives; `urlkey.compat.w3lib` is its public face.
///
/// `encode`, if given, writes query and fragment as the page's encoding does: it takes a str and
/// gives bytes, and raises UnicodeEncodeError where a character is missing from the encoding.
#[pyfunction]
#[pyo3(signature = (url, keep_blank_values, keep_fragments, query_separator, encode))]
pub fn w3lib_canonicalize<'py>(
    url: &Bound<'py, PyString>,
    keep_blank_values: bool,
    keep_fragments: bool,
    query_separator: &str,
    encode: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyString>> {
    let py = url.py();
    let text = text(url)?;
    let options = Options { keep_blank_values, keep_fragments, separator: query_separator };
    let form = match encode {
        None => w3lib::canonicalize(&text, &options, None).map_err(|error| error_of(url, error)),
        Some(encode) => {
            let mut failed = None;
            let mut written = |part: &[u8]| {
                encoded(py, encode, part).map_err(|error| {
                    failed = Some(error);
                    Error::Encoding
                })
            };
            let form = w3lib::canonicalize(&text, &options, Some(&mut written));
            form.map_err(|error| failed.unwrap_or_else(|| error_of(url, error)))
        }
    };
    Ok(PyString::new(py, &form?))
}

/// UTF-8, surrogates let through.
fn text<'a>(url: &'a Bound<'_, PyString>) -> PyResult<Cow<'a, [u8]>> {
    match url.to_str() {
        Ok(text) => Ok(Cow::Borrowed(text.as_bytes())),
        Err(_) => {
            let bytes = url.call_method1("encode", ("utf-8", "surrogatepass"))?;
            Ok(Cow::Owned(bytes.cast::<PyBytes>()?.as_bytes().to_vec()))
        }
    }
}

/// A part in the caller's encoding, None where the encoding lacks a character of it.
fn encoded(py: Python<'_>, encode: &Bound<'_, PyAny>, part: &[u8]) -> PyResult<Option<Vec<u8>>> {
    let text = PyBytes::new(py, part).call_method1("decode", ("utf-8", "surrogatepass"))?;
    match encode.call1((text,)) {
        Ok(bytes) => Ok(Some(bytes.cast::<PyBytes>()?.as_bytes().to_vec())),
        Err(error) if error.is_instance_of::<PyUnicodeEncodeError>(py) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cold]
fn error_of(url: &Bound<'_, PyString>, error: Error) -> PyErr {
    // What w3lib raises is what Python raises where it cannot encode.
    let unencodable = |codec: &str| match url.call_method1("encode", (codec,)) {
        Err(error) => error,
        Ok(_) => PyValueError::new_err(format!("the URL cannot be written in {codec}")),
    };
    match error {
        Error::Url(error) => errors::url_error(url, error),
        Error::NotUtf8 => unencodable("utf-8"),
        Error::NotAscii => unencodable("ascii"),
        Error::EmptySeparator => PyValueError::new_err("empty separator"),
        Error::Encoding => PyValueError::new_err("the encoding failed"),
    }
}
