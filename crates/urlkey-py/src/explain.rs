//! The functions that tell about keys: explain, compare, identify, redact. Must
//! not know how a key is made.

use crate::args::{self, BaseArg, Text};
use crate::key::call;
use crate::records::{Comparison, Explanation, Identity, Step, Violation};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};
use std::sync::Arc;
use urlkey::{Loss, Options, ParseError, Policy, Scratch};

fn string(py: Python<'_>, text: &str) -> Py<PyString> {
    PyString::new(py, text).unbind()
}

fn word(py: Python<'_>, text: &str) -> Py<PyString> {
    PyString::intern(py, text).unbind()
}

fn words<S: AsRef<str>>(py: Python<'_>, list: &[S]) -> PyResult<Py<PyTuple>> {
    Ok(PyTuple::new(py, list.iter().map(AsRef::as_ref))?.unbind())
}

/// What was given, as a plain str or bytes.
fn given(url: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let py = url.py();
    Ok(match args::text(url)? {
        _ if url.is_exact_instance_of::<PyString>() => url.clone().unbind(),
        Text::Bytes(bytes) => PyBytes::new(py, bytes).into_any().unbind(),
        _ => url.str()?.into_any().unbind(),
    })
}

fn loss_word(py: Python<'_>, loss: Loss) -> Py<PyString> {
    word(py, loss.as_str())
}

fn fail(url: &Bound<'_, PyAny>) -> impl FnOnce(ParseError) -> PyErr {
    move |error| args::whole_error(url, error)
}

fn step_of(py: Python<'_>, step: &urlkey::Step) -> Step {
    Step {
        name: word(py, step.name),
        before: string(py, &step.before),
        after: string(py, &step.after),
        reason: word(py, step.reason),
        loss: loss_word(py, step.loss),
        source: word(py, step.source),
        rule: step.rule.as_deref().map(|rule| string(py, rule)),
        rule_text: word(py, step.rule_text),
        refused: step.refused.map(|why| word(py, why)),
    }
}

/// Explains what Python gave.
pub fn explain_of(url: &Bound<'_, PyAny>, options: &Options<'_>, policy: &Arc<Policy>) -> PyResult<Explanation> {
    let py = url.py();
    let told = urlkey::explain(&args::whole(url)?, options, policy).map_err(fail(url))?;
    Ok(Explanation {
        input: given(url)?,
        href: string(py, &told.href),
        key: string(py, &told.key),
        policy_id: string(py, policy.id()),
        steps: PyTuple::new(py, told.steps.iter().map(|step| step_of(py, step)))?.unbind(),
        flags: words(py, &told.flags)?,
        rules: words(py, &told.rules)?,
        violations: Violation::all(py, args::moved(url, told.violations))?.unbind(),
    })
}

/// Identifies what Python gave.
pub fn identify_of(url: &Bound<'_, PyAny>, options: &Options<'_>, policy: &Arc<Policy>) -> PyResult<Identity> {
    let py = url.py();
    let found = urlkey::identify(&args::whole(url)?, options, policy).map_err(fail(url))?;
    Ok(Identity {
        original: given(url)?,
        href: string(py, &found.href),
        key: string(py, &found.key),
        policy_id: string(py, policy.id()),
        loss: loss_word(py, found.loss),
        flags: words(py, &found.flags)?,
    })
}

/// Compares what Python gave; an error names the one of the two that is no URL.
pub fn compare_of(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    options: &Options<'_>,
    policy: &Arc<Policy>,
) -> PyResult<Comparison> {
    let py = a.py();
    let (first, second) = (args::whole(a)?, args::whole(b)?);
    let seen = urlkey::compare(&first, &second, options, policy).map_err(|error| {
        let first_is_bad = urlkey::href(&first, options, policy, &mut Scratch::default()).is_err();
        args::whole_error(if first_is_bad { a } else { b }, error)
    })?;
    Ok(Comparison {
        same: seen.same,
        meets: seen.meets.map(|loss| loss_word(py, loss)),
        reasons: words(py, &seen.reasons)?,
        part: seen.part.map(|part| word(py, part)),
        a: string(py, &seen.a),
        b: string(py, &seen.b),
    })
}

/// The trace of a URL: every step that rewrites it on its way to the key, as an Explanation.
///
/// Arguments and errors are those of `key`; the last step ends with the very key that `key` gives.
/// The fields hold whole URLs; to show them to people, pass them through `redact` first.
///
/// >>> import urlkey
/// >>> told = urlkey.explain('http://example.com:80/?b=2&a=1')
/// >>> [(step.name, step.after) for step in told.steps]
/// [('default_port', 'http://example.com/?b=2&a=1'), ('sort_query', 'http://example.com/?a=1&b=2')]
#[pyfunction]
#[pyo3(
    signature = (url, base=None, *, policy=None, encoding=None),
    text_signature = "(url, base=None, *, policy='crawl', encoding='utf-8')"
)]
pub fn explain(
    url: &Bound<'_, PyAny>,
    base: Option<&Bound<'_, PyAny>>,
    policy: Option<&Bound<'_, PyAny>>,
    encoding: Option<&Bound<'_, PyAny>>,
) -> PyResult<Explanation> {
    call!(explain_of, url, base, policy, encoding)
}

/// What to store of a URL, as an Identity: spelling, href, key, policy id, loss, flags.
///
/// Arguments and errors are those of `key`.
///
/// >>> import urlkey
/// >>> found = urlkey.identify('http://example.com/?utm_source=x#top')
/// >>> found.href, found.key
/// ('http://example.com/?utm_source=x#top', 'http://example.com/')
#[pyfunction]
#[pyo3(
    signature = (url, base=None, *, policy=None, encoding=None),
    text_signature = "(url, base=None, *, policy='crawl', encoding='utf-8')"
)]
pub fn identify(
    url: &Bound<'_, PyAny>,
    base: Option<&Bound<'_, PyAny>>,
    policy: Option<&Bound<'_, PyAny>>,
    encoding: Option<&Bound<'_, PyAny>>,
) -> PyResult<Identity> {
    call!(identify_of, url, base, policy, encoding)
}

/// How two URLs differ, as a Comparison: whether they have one key, what loss class would make
/// them meet, and the words for what stands between them.
///
/// Arguments and errors are those of `key`; the base holds for both.
///
/// >>> import urlkey
/// >>> seen = urlkey.compare('http://example.com/?b&a', 'http://EXAMPLE.com/?a&b')
/// >>> seen.same, seen.meets
/// (True, 'usual')
#[pyfunction]
#[pyo3(
    signature = (a, b, base=None, *, policy=None, encoding=None),
    text_signature = "(a, b, base=None, *, policy='crawl', encoding='utf-8')"
)]
pub fn compare(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    base: Option<&Bound<'_, PyAny>>,
    policy: Option<&Bound<'_, PyAny>>,
    encoding: Option<&Bound<'_, PyAny>>,
) -> PyResult<Comparison> {
    let base = BaseArg::new(base)?;
    let options = Options { base: base.url(), encoding: args::encoding(encoding)? };
    let policy = args::policy(a.py(), policy)?;
    compare_of(a, b, &options, &policy)
}

/// A text for eyes: the URL with passwords, signatures and tokens as `***`. Takes any str.
///
/// >>> from urlkey._native import redact
/// >>> redact('https://user:secret@example.com/')
/// 'https://user:***@example.com/'
#[pyfunction]
pub fn redact(url: &str) -> String {
    urlkey::redact(url)
}
