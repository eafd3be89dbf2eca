//! What links hold inside, and what their parameters are known to be. Must not
//! know the rules.

use crate::args;
use crate::records::{record, shown_field};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use urlkey::{Options, unwrap as core};

record! {
    /// One layer that `unwrap` took off a link.
    ///
    /// >>> import urlkey
    /// >>> hop = urlkey.unwrap('https://t.umblr.com/redirect?z=https%3A%2F%2Fexample.com%2F')[0]
    /// >>> hop.url, hop.rule, hop.kind
    /// ('https://example.com/', 'tumblr', 'redirector')
    Hop {
        /// The target as the link spells it, decoded.
        url: Py<PyString>,
        /// Id of the rule, as in data/rules/redirectors.toml.
        rule: Py<PyString>,
        /// What the link was: 'redirector', 'affiliate', 'shield' (mail security), 'mail', 'share',
        /// 'amp', 'copy' or 'translation'.
        kind: Py<PyString>,
    }
}

impl Hop {
    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        let (rule, kind) = (self.rule.bind(py).repr()?, self.kind.bind(py).repr()?);
        Ok(format!("Hop(url={}, rule={rule}, kind={kind})", shown_field(py, &self.url)?))
    }
}

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

/// One parameter that has an owner: owner, kind, name, value, place, verified, risk, rule.
type OwnedRow = (&'static str, &'static str, String, String, &'static str, bool, bool, &'static str);

/// The parameters of a URL that somebody is known to own, in the order in which they stand: a list
/// of tuples of owner, kind ('campaign', 'click-id', 'affiliate', 'session'), name, value, place
/// ('query', 'fragment', 'path', 'app-link'), verified, risk and rule (`file:line`).
///
/// Names and values are decoded once and keep their case. Any scheme. Errors: UrlKeyError where
/// `parse` raises it. Source: data/rules/tracking.toml and session.toml.
///
/// >>> from urlkey._native import owners
/// >>> owners('https://example.com/?gclid=Cj0KC')[0][:5]
/// ('Google Ads', 'click-id', 'gclid', 'Cj0KC', 'query')
#[pyfunction]
pub fn owners(url: &Bound<'_, PyAny>) -> PyResult<Vec<OwnedRow>> {
    let found = urlkey::owners::owners(&args::whole(url)?).map_err(|error| args::whole_error(url, error))?;
    let row = |p: urlkey::owners::Owned| (p.owner, p.kind, p.name, p.value, p.place, p.verified, p.risk, p.rule);
    Ok(found.into_iter().map(row).collect())
}

/// The links that a link to an app holds: a list of tuples of owner, name of the parameter, URL.
///
/// Reads intent: URLs and the parameters of vendors of deep links; a path inside an app comes as a
/// URL of the scheme `app`. Errors: UrlKeyError where `parse` raises it. Source:
/// data/rules/app_links.toml.
///
/// >>> from urlkey._native import app_links
/// >>> app_links('https://x.onelink.me/a?af_dp=myapp%3A%2F%2Fshop%3Fgclid%3D1')
/// [('AppsFlyer', 'af_dp', 'myapp://shop?gclid=1')]
#[pyfunction]
pub fn app_links(url: &Bound<'_, PyAny>) -> PyResult<Vec<(&'static str, String, String)>> {
    let found = urlkey::owners::app_links(&args::whole(url)?).map_err(|error| args::whole_error(url, error))?;
    Ok(found.into_iter().map(|link| (link.owner, link.name, link.url)).collect())
}
