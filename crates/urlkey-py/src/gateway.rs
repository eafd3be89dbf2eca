//! Verdicts on URLs, and the records that they are. Must not know what is refused.

use crate::args::{self, Text};
use crate::errors;
use crate::records::{record, shown};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};
use urlkey::ParseError;
use urlkey::gateway::{self as core, Ports, Rules, Why};

/// URLs between two looks whether the user has interrupted.
const CHUNK: usize = 1 << 12;

record! {
    "urlkey.systems.gateway":
    /// One thing that speaks against a URL.
    ///
    /// >>> from urlkey.systems.gateway import check
    /// >>> reason = check('http://shop.example\\@evil.example/').reasons[0]
    /// >>> reason.code, reason.at, reason.part
    /// ('backslash', 19, 'path')
    Reason {
        /// A code of `urlkey.systems.gateway.REASONS`.
        code: Py<PyString>,
        /// Byte offset in the URL as UTF-8; None where no byte is to blame.
        at: Option<usize>,
        /// The part of the URL in which it is: 'scheme', 'slashes', 'userinfo', 'host', 'port',
        /// 'path', 'query' or 'fragment'; None where it is in none.
        part: Option<Py<PyString>>,
        /// One sentence about this URL.
        text: Py<PyString>,
    }
}

record! {
    "urlkey.systems.gateway":
    /// A URL that a known redirector holds inside, and the verdict on it alone.
    ///
    /// >>> from urlkey.systems.gateway import check
    /// >>> target = check('https://www.google.com/url?q=https%3A%2F%2Fshop.example%2F').targets[0]
    /// >>> target.url, target.rule, target.kind, target.verdict.accepted
    /// ('https://shop.example/', 'google-url', 'redirector', True)
    Target {
        /// The target as the link spells it, decoded.
        url: Py<PyString>,
        /// Id of the rule, as in data/rules/redirectors.toml.
        rule: Py<PyString>,
        /// What the link was, as `Hop.kind`.
        kind: Py<PyString>,
        /// The Verdict on the target.
        verdict: Py<Verdict>,
    }
}

record! {
    "urlkey.systems.gateway":
    /// Whether a URL may be requested, and with which text. True in a condition where it may.
    ///
    /// >>> from urlkey.systems.gateway import check
    /// >>> verdict = check('HTTP://Shop.example:80/a/../b')
    /// >>> verdict.accepted, verdict.href, verdict.host, verdict.port
    /// (True, 'http://shop.example/b', 'shop.example', 80)
    Verdict {
        /// Whether the href may be requested.
        accepted: bool,
        /// What to hand to the client, never the spelling; None where it is refused.
        href: Option<Py<PyString>>,
        /// What to resolve, or to connect to, without brackets; None where it is refused.
        host: Option<Py<PyString>>,
        /// The port to connect to; None where it is refused.
        port: Option<u16>,
        /// Tuple of str: the addresses that were checked, and that alone may be connected to. Of a
        /// host that is an address, or those given to `check_resolved`.
        addresses: Py<PyTuple>,
        /// Tuple of Reason: all that speaks against it.
        reasons: Py<PyTuple>,
        /// Tuple of Target: what known redirectors hold inside, outermost first.
        targets: Py<PyTuple>,
    }
    fn __bool__(&self) -> bool {
        self.accepted
    }
}

impl Reason {
    fn of(py: Python<'_>, found: &core::Reason) -> Reason {
        Reason {
            code: PyString::intern(py, found.code.as_str()).unbind(),
            at: found.at,
            part: found.part.map(|part| PyString::intern(py, part.as_str()).unbind()),
            text: PyString::new(py, &found.text).unbind(),
        }
    }

    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Reason {}: {}>", self.code.bind(py), self.text.bind(py)))
    }
}

impl Target {
    fn of(py: Python<'_>, found: &core::Target) -> PyResult<Target> {
        Ok(Target {
            url: PyString::new(py, &found.url).unbind(),
            rule: PyString::intern(py, &found.rule).unbind(),
            kind: PyString::intern(py, found.kind.as_str()).unbind(),
            verdict: Py::new(py, Verdict::of(py, &found.verdict)?)?,
        })
    }

    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        let url = shown(py, &self.url.bind(py).to_string_lossy())?;
        Ok(format!("<Target {url} rule={} {}>", self.rule.bind(py).repr()?, self.verdict.bind(py).repr()?))
    }
}

impl Verdict {
    fn of(py: Python<'_>, found: &core::Verdict) -> PyResult<Verdict> {
        let text = |text: &String| PyString::new(py, text).unbind();
        let targets = found.targets.iter().map(|target| Target::of(py, target)).collect::<PyResult<Vec<_>>>()?;
        Ok(Verdict {
            accepted: found.accepted(),
            href: found.href.as_ref().map(text),
            host: found.host.as_ref().map(text),
            port: found.port,
            addresses: PyTuple::new(py, found.addresses.iter().map(ToString::to_string))?.unbind(),
            reasons: PyTuple::new(py, found.reasons.iter().map(|reason| Reason::of(py, reason)))?.unbind(),
            targets: PyTuple::new(py, targets)?.unbind(),
        })
    }

    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        match &self.href {
            Some(href) => Ok(format!("<Verdict accepted {}>", shown(py, &href.bind(py).to_string_lossy())?)),
            None => {
                let codes = self
                    .reasons
                    .bind(py)
                    .iter()
                    .map(|reason| Ok(reason.cast::<Reason>()?.get().code.bind(py).to_string_lossy().into_owned()));
                Ok(format!("<Verdict refused {}>", codes.collect::<PyResult<Vec<_>>>()?.join(" ")))
            }
        }
    }
}

/// What a gateway lets through, compiled; used by `urlkey.systems.gateway.Rules`.
#[pyclass(frozen, module = "urlkey._native")]
pub struct GatewayRules(Rules);

#[pymethods]
impl GatewayRules {
    #[new]
    fn new(
        strict: bool,
        schemes: Vec<String>,
        ports: Option<Vec<u16>>,
        allow: Vec<String>,
        longest: usize,
    ) -> PyResult<GatewayRules> {
        let rules = Rules::default().with_longest(longest);
        let rules = if strict { rules } else { rules.lenient() };
        let rules = rules.with_schemes(schemes.iter().map(String::as_str));
        let rules = rules.and_then(|rules| rules.with_own(allow.iter().map(String::as_str)));
        let rules = rules.map_err(PyValueError::new_err)?;
        Ok(GatewayRules(rules.with_ports(ports.map_or(Ports::NotBad, Ports::Listed))))
    }

    /// The Verdict on a URL.
    fn check(&self, url: &Bound<'_, PyAny>) -> PyResult<Verdict> {
        Verdict::of(url.py(), &self.verdict(Row::alone(url)?))
    }

    /// The Verdict on a URL whose host has been resolved.
    fn check_resolved(&self, url: &Bound<'_, PyAny>, addresses: Vec<String>) -> PyResult<Verdict> {
        let verdict = match Row::alone(url)? {
            Row::Text(text) => core::check_resolved(text, addresses.iter().map(String::as_str), &self.0),
            other => self.verdict(other),
        };
        Verdict::of(url.py(), &verdict)
    }

    /// The Verdicts on many, one for each; None is refused like any text that is no URL.
    fn check_many<'py>(&self, urls: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let py = urls.py();
        if urls.is_instance_of::<PyString>() || urls.is_instance_of::<PyBytes>() {
            return Err(errors::type_error("urls", "an iterable of URLs", urls));
        }
        let urls: Vec<Bound<'py, PyAny>> = urls.try_iter()?.collect::<PyResult<_>>()?;
        let mut verdicts = Vec::with_capacity(urls.len());
        for chunk in urls.chunks(CHUNK) {
            py.check_signals()?;
            let rows = (verdicts.len()..).zip(chunk).map(|(row, url)| Row::in_batch(row, url));
            let rows = rows.collect::<PyResult<Vec<_>>>()?;
            let found: Vec<core::Verdict> = py.detach(|| rows.into_iter().map(|row| self.verdict(row)).collect());
            for verdict in &found {
                verdicts.push(Verdict::of(py, verdict)?);
            }
        }
        PyList::new(py, verdicts)
    }
}

impl GatewayRules {
    fn verdict(&self, row: Row<'_>) -> core::Verdict {
        match row {
            Row::Text(text) => core::check(text, &self.0),
            Row::Bad(error) => core::Verdict::refused(core::Reason {
                code: Why::NotUtf8,
                at: Some(error.at),
                part: None,
                text: format!("{}: {}", error.code, error.code.says()),
            }),
            Row::Null => core::Verdict::refused(core::Reason {
                code: Why::NoUrl,
                at: None,
                part: None,
                text: "the row is null".to_owned(),
            }),
        }
    }
}

/// One row of many.
enum Row<'a> {
    Text(&'a [u8]),
    Bad(ParseError),
    Null,
}

impl<'a> Row<'a> {
    /// Of the only one.
    fn alone(url: &'a Bound<'_, PyAny>) -> PyResult<Row<'a>> {
        if url.is_none() { Ok(Row::Null) } else { args::text(url).map(Row::of) }
    }

    fn in_batch(row: usize, url: &'a Bound<'_, PyAny>) -> PyResult<Row<'a>> {
        if url.is_none() { Ok(Row::Null) } else { args::row("urls", row, url).map(Row::of) }
    }

    fn of(text: Text<'a>) -> Row<'a> {
        match text {
            Text::Str(text) => Row::Text(text.as_bytes()),
            Text::Bytes(bytes) => Row::Text(bytes),
            Text::Bad(error) => Row::Bad(error),
        }
    }
}

/// Every code with its group and its sentence.
pub fn refusals(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, Why::ALL.iter().map(|why| (why.as_str(), why.group().as_str(), why.says())))
}
