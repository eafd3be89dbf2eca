//! Many URLs asked about of one list, whichever it is. Must not know what a list holds.

use crate::errors;
use crate::reputation::raw_row;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use urlkey::ParseError;

/// What a list says of each URL, in their order, None where it says nothing; with `errors` the UrlKeyError in the row of
/// what is no URL, else it is raised. `chunk` URLs are asked about with other Python threads running, then made objects
/// of and looked whether the user has interrupted.
pub fn each<'py, T: Send>(
    urls: &Bound<'py, PyAny>,
    errors: bool,
    chunk: usize,
    mut find: impl FnMut(&[u8]) -> Result<Option<T>, ParseError> + Send,
    object: impl Fn(T) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let py = urls.py();
    if urls.is_instance_of::<PyString>() || urls.is_instance_of::<PyBytes>() {
        return Err(errors::type_error("urls", "an iterable of URLs", urls));
    }
    let urls: Vec<Bound<'py, PyAny>> = urls.try_iter()?.collect::<PyResult<_>>()?;
    let mut rows: Vec<Bound<'py, PyAny>> = Vec::with_capacity(urls.len());
    for chunk in urls.chunks(chunk) {
        py.check_signals()?;
        let texts = (rows.len()..).zip(chunk).map(|(row, url)| raw_row(row, url));
        let texts = texts.collect::<PyResult<Vec<_>>>()?;
        let found: Vec<_> = py.detach(|| texts.into_iter().map(|text| find(text?)).collect());
        for (url, found) in chunk.iter().zip(found) {
            rows.push(match found {
                Ok(None) => py.None().into_bound(py),
                Ok(Some(found)) => object(found)?,
                Err(error) if errors => errors::url_error_object(url, error)?,
                Err(error) => return Err(errors::row_error(rows.len(), url, error)),
            });
        }
    }
    PyList::new(py, rows)
}
