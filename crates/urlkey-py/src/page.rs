//! What reading web pages takes from the core. Must not know HTML.

use crate::errors;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// The text of bytes in the encoding that a label of the Encoding Standard names, and that encoding's name. Malformed
/// bytes become U+FFFD; a byte order mark of the encoding goes. Raises LookupError for other labels.
#[pyfunction]
#[pyo3(signature = (html, label))]
pub fn decode<'py>(html: &Bound<'py, PyBytes>, label: &str) -> PyResult<(Bound<'py, PyString>, &'static str)> {
    let (text, name) = urlkey::decode(html.as_bytes(), label).ok_or_else(|| errors::encoding_error(label))?;
    Ok((PyString::new(html.py(), &text), name))
}
