//! What links hold inside, and what their parameters are known to be. Must not
//! know the rules.

use crate::args;
use crate::records::Hop;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use urlkey::{Options, unwrap as core};

/// Every layer of a link of known redirectors, affiliate networks, mail gateways, AMP viewers and
/// archives: a list of Hop, outermost first, whose last `url` is where the link leads.
///
/// Nothing is requested: the target stands in the link. The list is empty where nothing is
/// wrapped, and where the layers are more than five or come back to a URL they have been at.
/// `unverified=True` takes rules that no listed source confirms, too.
///
/// Errors: UrlKeyError where `parse` raises it. Source: data/rules/redirectors.toml.
///
/// >>> import urlkey
/// >>> urlkey.unwrap('https://www.google.com/url?q=https%3A%2F%2Fexample.com%2F&sa=D')
/// [Hop(url='https://example.com/', rule='google-url', kind='redirector')]
/// >>> urlkey.unwrap('https://example.com/?url=https%3A%2F%2Fexample.net%2F')
/// []
#[pyfunction]
#[pyo3(signature = (url, *, unverified=false))]
pub fn unwrap<'py>(url: &Bound<'py, PyAny>, unverified: bool) -> PyResult<Bound<'py, PyList>> {
    let py = url.py();
    let text = args::whole(url)?;
    let hops = core::chain(&text, &Options::default(), unverified).map_err(|error| args::whole_error(url, error))?;
    list(py, &hops)
}

fn list<'py>(py: Python<'py>, hops: &[core::Hop]) -> PyResult<Bound<'py, PyList>> {
    let hop = |hop: &core::Hop| Hop {
        url: PyString::new(py, &hop.url).unbind(),
        rule: PyString::intern(py, &hop.rule).unbind(),
        kind: PyString::intern(py, hop.kind.as_str()).unbind(),
    };
    PyList::new(py, hops.iter().map(hop))
}

/// The first layers of a link, by all rules, the unverified ones too, and whether that is all there
/// are: for whoever must not be led in circles.
///
/// >>> from urlkey._native import unwrap_layers
/// >>> unwrap_layers('https://example.com/')
/// ([], True)
#[pyfunction]
#[pyo3(signature = (url, /))]
pub fn unwrap_layers<'py>(url: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyList>, bool)> {
    let text = args::whole(url)?;
    let found = core::layers(&text, &Options::default(), true).map_err(|error| args::whole_error(url, error))?;
    Ok((list(url.py(), &found.0)?, found.1))
}
