//! What there is: the profiles, the ladder, the pinned data. Must not know what
//! a policy does with them.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use urlkey::Rung;

/// Every rung in running order: a list of dicts of name, loss, rule, section, revision, reason and
/// example (before and after).
///
/// >>> from urlkey._native import ladder
/// >>> [rung["name"] for rung in ladder() if rung["loss"] == "client"]
/// ['drop_anchor', 'drop_fragment']
#[pyfunction]
pub fn ladder(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    Rung::ALL.iter().map(|rung| row(py, *rung)).collect()
}

fn row(py: Python<'_>, rung: Rung) -> PyResult<Bound<'_, PyDict>> {
    let meta = rung.meta();
    let dict = PyDict::new(py);
    dict.set_item("name", meta.name)?;
    dict.set_item("loss", meta.loss.as_str())?;
    dict.set_item("rule", meta.rule)?;
    dict.set_item("section", meta.section)?;
    dict.set_item("revision", meta.revision)?;
    dict.set_item("reason", meta.reason)?;
    dict.set_item("example", meta.example)?;
    Ok(dict)
}

/// Versions of the pinned data that can decide keys: a dict of str.
///
/// >>> from urlkey._native import data_versions
/// >>> sorted(data_versions())
/// ['public_suffix_list', 'signed_urls', 'unicode']
#[pyfunction]
pub fn data_versions(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("public_suffix_list", urlkey::PSL_VERSION)?;
    dict.set_item("signed_urls", urlkey::signed_version().to_string())?;
    dict.set_item("unicode", urlkey::host::UNICODE_VERSION)?;
    Ok(dict)
}
