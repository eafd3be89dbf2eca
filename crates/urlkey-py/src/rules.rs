//! What the command line asks about site rules: a file looked over, the rules
//! for a host or URL, a change of policy on somebody's URLs. Must not know how
//! rules are matched.

use crate::args;
use crate::policy::Policy;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use std::sync::{Mutex, MutexGuard, PoisonError};
use urlkey::diff;

/// Why a text cannot be a regular expression of a site rule; None if it can.
///
/// >>> from urlkey._native import expression_fault
/// >>> expression_fault("utm_[a-z]+") is None
/// True
#[pyfunction]
pub fn expression_fault(text: &str) -> Option<String> {
    urlkey::expression_fault(text)
}

/// Why a text cannot be a host of a site rule; None if it can.
///
/// >>> from urlkey._native import host_fault
/// >>> host_fault("*.shop.example") is None
/// True
#[pyfunction]
pub fn host_fault(text: &str) -> Option<String> {
    urlkey::HostPattern::parse(text).err()
}

/// What is wrong, and what is odd, about the text of a rule file: a dict of rules, items, faults
/// (line, message) and notes (line, kind, message).
///
/// >>> from urlkey._native import check_rules
/// >>> check_rules('schema = 1\n[[site]]\nhost = "a b"\ndrop = ["x"]\n', 'mine.toml')['faults'][0][0]
/// 3
#[pyfunction]
pub fn check_rules<'py>(py: Python<'py>, text: &str, name: &str) -> PyResult<Bound<'py, PyDict>> {
    let check = py.detach(|| urlkey::check_rules(text, name));
    let dict = PyDict::new(py);
    dict.set_item("rules", check.rules)?;
    let items = PyDict::new(py);
    for (key, count) in check.items {
        items.set_item(key, count)?;
    }
    dict.set_item("items", items)?;
    let faults: Vec<(Option<usize>, String)> =
        check.faults.into_iter().map(|fault| (fault.line, fault.message)).collect();
    dict.set_item("faults", faults)?;
    let notes: Vec<_> = check.notes.into_iter().map(|note| (note.line, note.kind, note.message)).collect();
    dict.set_item("notes", notes)?;
    Ok(dict)
}

/// The rules of a policy for a host, or for a URL with the fate of its parameters: a dict of rules
/// and params. Raises UrlKeyError for what is no URL.
///
/// >>> import urlkey
/// >>> from urlkey._native import rules_for
/// >>> rules_for(urlkey.Policy('crawl'), 'http://a.example/?utm_id=x')['params'][0]['says']
/// 'drop'
#[pyfunction]
#[pyo3(signature = (policy, target, *, anywhere=false))]
pub fn rules_for<'py>(
    policy: &Bound<'py, Policy>,
    target: &Bound<'py, PyAny>,
    anywhere: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let (py, core) = (target.py(), policy.get().core());
    let text = args::whole(target)?;
    let whole = text.contains("://");
    let spelled = if whole { text.to_string() } else { format!("https://{text}/") };
    let url = urlkey::parse_under(&spelled, &urlkey::Options::default(), core);
    let url = url.map_err(|error| args::whole_error(target, error))?;
    let found = match whole {
        true => core.rules_for_url(&url),
        false => core.rules_for_host(url.host().unwrap_or_default(), anywhere),
    };
    let rules = PyList::empty(py);
    for rule in found {
        let row = PyDict::new(py);
        row.set_item("rule", rule.origin)?;
        row.set_item("source", rule.source)?;
        row.set_item("host", rule.host)?;
        row.set_item("path", rule.path)?;
        row.set_item("says", rule.says)?;
        row.set_item("date", rule.date)?;
        row.set_item("note", rule.note)?;
        rules.append(row)?;
    }
    let params = PyList::empty(py);
    for fate in if whole { core.param_fates(&url) } else { Vec::new() } {
        let row = PyDict::new(py);
        row.set_item("param", fate.text)?;
        row.set_item("says", fate.says)?;
        row.set_item("rule", fate.rule)?;
        row.set_item("overruled", fate.overruled)?;
        params.append(row)?;
    }
    let dict = PyDict::new(py);
    dict.set_item("rules", rules)?;
    dict.set_item("params", params)?;
    Ok(dict)
}

/// What a change of policy merges and splits: URLs in, counts and samples out.
///
/// >>> import urlkey
/// >>> from urlkey._native import Diff
/// >>> diff = Diff(urlkey.Policy('safe'), urlkey.Policy('crawl'))
/// >>> diff.add([b'http://a.example/', b'http://a.example/?utm_id=x'])
/// []
/// >>> diff.totals['merged']
/// 1
#[pyclass(frozen, module = "urlkey._native")]
pub struct Diff(Mutex<diff::Diff>);

impl Diff {
    fn core(&self) -> MutexGuard<'_, diff::Diff> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Diff {
    #[new]
    #[pyo3(signature = (a, b, samples=10))]
    fn new(a: &Bound<'_, Policy>, b: &Bound<'_, Policy>, samples: usize) -> Diff {
        Diff(Mutex::new(diff::Diff::new(a.get().shared(), b.get().shared(), samples, crate::seed::random_seed())))
    }

    /// Takes URLs; gives (number in the list, code) of those without a key.
    fn add(&self, py: Python<'_>, urls: Vec<Bound<'_, PyBytes>>) -> Vec<(usize, &'static str)> {
        let urls: Vec<&[u8]> = urls.iter().map(|url| url.as_bytes()).collect();
        py.detach(|| {
            let mut diff = self.core();
            let numbered = urls.iter().enumerate();
            numbered
                .filter_map(|(number, url)| diff.add(url).err().map(|error| (number, error.code.as_str())))
                .collect()
        })
    }

    /// The counts so far: a dict.
    #[getter]
    fn totals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let totals = self.core().totals();
        let dict = PyDict::new(py);
        for (name, count) in [
            ("urls", totals.urls),
            ("rejected", totals.rejected),
            ("changed", totals.changed),
            ("keys_a", totals.keys_a),
            ("keys_b", totals.keys_b),
            ("merged", totals.merged),
            ("split", totals.split),
        ] {
            dict.set_item(name, count)?;
        }
        Ok(dict)
    }

    /// The samples so far: a list of dicts.
    #[getter]
    fn samples<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for sample in self.core().samples() {
            let dict = PyDict::new(py);
            dict.set_item("kind", if sample.merged { "merged" } else { "split" })?;
            dict.set_item("key", &sample.key)?;
            dict.set_item("keys", sample.keys.clone())?;
            dict.set_item("urls", sample.urls.clone())?;
            dict.set_item("why", sample.why.clone())?;
            list.append(dict)?;
        }
        Ok(list)
    }

    /// What merged and split, the most frequent first: a list of (kind, why, count).
    #[getter]
    fn reasons(&self) -> Vec<(&'static str, String, u64)> {
        let reasons = self.core().reasons();
        reasons.into_iter().map(|(merged, why, count)| (if merged { "merged" } else { "split" }, why, count)).collect()
    }
}
