//! Forms for lists of bad URLs, and indicators broken and live. Must not know
//! what a list holds.

use crate::args::{self, Text};
use crate::errors;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use urlkey::ParseError;
use urlkey::forms::safebrowsing::{self, Canonical, Version};

/// The bytes of a URL as they came: these forms are made of bytes.
pub fn raw<'a>(url: &'a Bound<'_, PyAny>) -> PyResult<&'a [u8]> {
    match args::text(url)? {
        Text::Str(text) => Ok(text.as_bytes()),
        Text::Bytes(bytes) => Ok(bytes),
        Text::Bad(error) => Err(errors::url_error(url, error)),
    }
}

/// The same of a row of many; an error where it has no text.
pub fn raw_row<'a>(row: usize, url: &'a Bound<'_, PyAny>) -> PyResult<Result<&'a [u8], ParseError>> {
    Ok(match args::row("urls", row, url)? {
        Text::Str(text) => Ok(text.as_bytes()),
        Text::Bytes(bytes) => Ok(bytes),
        Text::Bad(error) => Err(error),
    })
}

/// The version of that name.
pub fn version(name: &str) -> PyResult<Version> {
    Version::named(name).ok_or_else(|| PyValueError::new_err(format!("version must be 'v4' or 'v5', not {name:?}")))
}

fn canonical(url: &Bound<'_, PyAny>, name: &str) -> PyResult<Canonical> {
    let version = version(name)?;
    safebrowsing::canonical(raw(url)?, version).map_err(|error| errors::url_error(url, error))
}

/// The canonical URL of Safe Browsing; see `urlkey.systems.reputation.canonical`.
#[pyfunction]
#[pyo3(signature = (url, version="v5"))]
pub fn safebrowsing_canonical(url: &Bound<'_, PyAny>, version: &str) -> PyResult<String> {
    Ok(canonical(url, version)?.as_str().to_owned())
}

/// Its expressions; see `urlkey.systems.reputation.expressions`.
#[pyfunction]
#[pyo3(signature = (url, version="v5"))]
pub fn safebrowsing_expressions<'py>(url: &Bound<'py, PyAny>, version: &str) -> PyResult<Bound<'py, PyList>> {
    let made = canonical(url, version)?;
    PyList::new(url.py(), made.expressions().iter())
}

/// The hashes of these; see `urlkey.systems.reputation.hashes`.
#[pyfunction]
#[pyo3(signature = (url, prefix=32, version="v5"))]
pub fn safebrowsing_hashes<'py>(url: &Bound<'py, PyAny>, prefix: i64, version: &str) -> PyResult<Bound<'py, PyList>> {
    let width = usize::try_from(prefix).ok().filter(|width| safebrowsing::WIDTHS.contains(width));
    let width = width.ok_or_else(|| PyValueError::new_err(format!("prefix must be 4 to 32 bytes, not {prefix}")))?;
    let made = canonical(url, version)?;
    let hashes = made.expressions().iter().map(|expression| safebrowsing::hash(expression.as_bytes()));
    PyList::new(url.py(), hashes.map(|hash| PyBytes::new(url.py(), &hash[..width])))
}

/// The live text of an indicator; see `urlkey.systems.reputation.refang`.
#[pyfunction]
#[pyo3(signature = (text, *, nested=false))]
pub fn refang<'py>(text: &Bound<'py, PyString>, nested: bool) -> PyResult<Bound<'py, PyString>> {
    match urlkey::refang(str_of(text)?, nested) {
        Some(live) => Ok(PyString::new(text.py(), &live)),
        None => Ok(text.clone()),
    }
}

/// Whether it was broken; see `urlkey.systems.reputation.is_defanged`.
#[pyfunction]
#[pyo3(signature = (text, *, nested=false))]
pub fn is_defanged(text: &Bound<'_, PyString>, nested: bool) -> PyResult<bool> {
    Ok(urlkey::refang(str_of(text)?, nested).is_some())
}

/// A URL that nobody follows by accident; see `urlkey.systems.reputation.defang`.
#[pyfunction]
pub fn defang<'py>(url: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyString>> {
    Ok(PyString::new(url.py(), &urlkey::defang(str_of(url)?)))
}

fn str_of<'a>(text: &'a Bound<'_, PyString>) -> PyResult<&'a str> {
    match args::text(text.as_any())? {
        Text::Str(text) => Ok(text),
        Text::Bytes(_) => Ok(""),
        Text::Bad(error) => Err(errors::url_error(text, error)),
    }
}
