//! The classes Url and Base. Must not know policies beyond repairs and limit.

use crate::args::{self, BaseArg};
use crate::errors;
use crate::records::{Violation, shown};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString, PyTuple, PyType};
use std::borrow::Cow;
use std::sync::Arc;
use urlkey::{Attribute, Encoding, Options, Policy, Violations};

/// A URL as the URL Standard parses it. Immutable; equal and hashed by its href.
///
/// Takes the arguments of `parse` without a policy. All attributes are as serialized:
/// percent-encoded, hosts in ASCII.
///
/// Source: https://url.spec.whatwg.org/#url-representation
///
/// >>> import urlkey
/// >>> url = urlkey.Url('//Example.com:8080/a?b#c', 'https://example.org/')
/// >>> url.href, url.host, url.path, url.fragment
/// ('https://example.com:8080/a?b#c', 'example.com:8080', '/a', 'c')
#[pyclass(frozen, module = "urlkey")]
pub struct Url {
    core: urlkey::Url,
    source: Option<Source>,
}

/// What a Url was parsed from: its violations are found when somebody asks.
struct Source {
    text: Py<PyAny>,
    base: Option<Box<urlkey::Url>>,
    encoding: Encoding,
    policy: Arc<Policy>,
}

impl Source {
    /// What parses text and base again: the class, or the policy with its repairs and limit.
    fn parser<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let default = args::default_policy().is_some_and(|policy| Arc::ptr_eq(policy, &self.policy));
        let parser = match default {
            true => py.get_type::<Url>().into_any(),
            false => args::policy_object(py, &self.policy)?.getattr("parse")?,
        };
        if self.encoding.name() == Encoding::UTF8.name() {
            return Ok(parser);
        }
        let keywords = PyDict::new(py);
        keywords.set_item("encoding", self.encoding.name())?;
        py.import("functools")?.call_method("partial", (parser,), Some(&keywords))
    }
}

impl Url {
    /// Parses what Python gave.
    pub fn of(url: &Bound<'_, PyAny>, options: &Options<'_>, policy: &Arc<Policy>) -> PyResult<Url> {
        let text = args::whole(url)?;
        let core = urlkey::parse_under(&text, options, policy).map_err(|error| args::whole_error(url, error))?;
        let base = options.base.cloned().map(Box::new);
        let source = Source { text: url.clone().unbind(), base, encoding: options.encoding, policy: policy.clone() };
        Ok(Url { core, source: Some(source) })
    }

    /// What the core takes.
    pub fn url(&self) -> &urlkey::Url {
        &self.core
    }

    fn noted(&self, py: Python<'_>) -> PyResult<Vec<urlkey::Violation>> {
        let Some(source) = &self.source else {
            // The text of a changed URL is its href.
            let mut noted = Violations::default();
            let parsed = urlkey::Url::parse_traced(self.core.href(), &Options::default(), &mut noted);
            return match parsed {
                Ok(_) => Ok(noted.0),
                Err(error) => Err(errors::url_error(&PyString::new(py, self.core.href()), error)),
            };
        };
        let options = Options { base: source.base.as_deref(), encoding: source.encoding };
        let object = source.text.bind(py);
        let told = urlkey::explain(&args::whole(object)?, &options, &source.policy);
        Ok(args::moved(object, told.map_err(|error| args::whole_error(object, error))?.violations))
    }
}

#[pymethods]
impl Url {
    #[new]
    #[pyo3(
        signature = (url, base=None, *, encoding=None),
        text_signature = "(url, base=None, *, encoding='utf-8')"
    )]
    fn new(
        url: &Bound<'_, PyAny>,
        base: Option<&Bound<'_, PyAny>>,
        encoding: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Url> {
        let base = BaseArg::new(base)?;
        let options = Options { base: base.url(), encoding: args::encoding(encoding)? };
        let policy = args::policy(url.py(), None)?;
        Url::of(url, &options, &policy)
    }

    /// The whole URL: what a client would request.
    #[getter]
    fn href(&self) -> &str {
        self.core.href()
    }

    /// The scheme, in lower case, without `:`.
    #[getter]
    fn scheme(&self) -> &str {
        self.core.scheme()
    }

    /// The username, percent-encoded; empty if there is none.
    #[getter]
    fn username(&self) -> &str {
        self.core.username()
    }

    /// The password, percent-encoded; empty if there is none.
    #[getter]
    fn password(&self) -> &str {
        self.core.password()
    }

    /// Host and port as they stand in the href; None if there is no host.
    #[getter]
    fn host(&self) -> Option<String> {
        let host = self.core.host()?;
        Some(match self.core.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        })
    }

    /// The host without port, IPv6 in brackets; None if there is no host.
    #[getter]
    fn hostname(&self) -> Option<&str> {
        self.core.host()
    }

    /// The port; None where it is the scheme's default or absent.
    #[getter]
    fn port(&self) -> Option<u16> {
        self.core.port()
    }

    /// The path, percent-encoded.
    #[getter]
    fn path(&self) -> &str {
        self.core.path()
    }

    /// The query without `?`; None if there is none, empty after a bare `?`.
    #[getter]
    fn query(&self) -> Option<&str> {
        self.core.query()
    }

    /// The fragment without `#`; None if there is none, empty after a bare `#`.
    #[getter]
    fn fragment(&self) -> Option<&str> {
        self.core.fragment()
    }

    /// The origin, serialized; 'null' where it is opaque.
    #[getter]
    fn origin(&self) -> String {
        self.core.origin()
    }

    /// The domain that somebody registered, under the public suffix list; None for addresses,
    /// single labels and bare suffixes.
    #[getter]
    fn registrable_domain(&self) -> Option<&str> {
        urlkey::registrable_domain(self.core.host()?)
    }

    /// What the URL Standard notes as invalid in the text and parses all the same: a tuple of
    /// Violation, by offset. Found when asked for, in a second pass over the text.
    #[getter]
    fn violations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        Violation::all(py, self.noted(py)?)
    }

    /// The Url with other parts. Takes href, scheme, username, password, host, hostname, port, path,
    /// query and fragment as keywords, sets them in the order given, as the URL Standard's setters
    /// do; None and '' take a part away. Values are str, or int for the port. Raises UrlKeyError
    /// where the Standard ignores the change.
    ///
    /// Source: https://url.spec.whatwg.org/#api
    ///
    /// >>> import urlkey
    /// >>> url = urlkey.parse('http://example.com/a?b')
    /// >>> url.replace(scheme='https', port=8443, query=None).href
    /// 'https://example.com:8443/a'
    #[pyo3(signature = (**parts))]
    fn replace(&self, parts: Option<&Bound<'_, PyDict>>) -> PyResult<Url> {
        let mut core = self.core.clone();
        for (name, value) in parts.into_iter().flatten() {
            set(&mut core, &name, &value)?;
        }
        Ok(Url { core, source: None })
    }

    fn __str__(&self) -> &str {
        self.core.href()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Url({})", shown(py, self.core.href())?))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Url>().is_ok_and(|other| other.get().core.href() == self.core.href())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, self.core.href()).hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let Some(source) = &self.source else {
            return Ok((py.get_type::<Url>().into_any(), PyTuple::new(py, [self.core.href()])?));
        };
        let base = source.base.as_ref().map(|base| base.href());
        Ok((source.parser(py)?, (source.text.bind(py), base).into_pyobject(py)?))
    }
}

fn set(url: &mut urlkey::Url, name: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let name = name.cast::<PyString>()?.to_string_lossy();
    url.set(attribute(&name)?, &part_text(&name, value)?).map_err(|error| errors::url_error(value, error))
}

fn part_text<'a>(name: &str, value: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, str>> {
    if value.is_none() {
        return Ok(Cow::Borrowed(""));
    }
    if value.is_instance_of::<PyString>() {
        return args::whole(value);
    }
    if name != "port" {
        return Err(errors::type_error(name, "str or None", value));
    }
    match value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>() {
        true => Ok(Cow::Owned(value.str()?.to_str()?.to_owned())),
        false => Err(errors::type_error(name, "int, str or None", value)),
    }
}

fn attribute(name: &str) -> PyResult<Attribute> {
    Ok(match name {
        "href" => Attribute::Href,
        "scheme" => Attribute::Protocol,
        "username" => Attribute::Username,
        "password" => Attribute::Password,
        "host" => Attribute::Host,
        "hostname" => Attribute::Hostname,
        "port" => Attribute::Port,
        "path" => Attribute::Pathname,
        "query" => Attribute::Search,
        "fragment" => Attribute::Hash,
        _ => {
            return Err(PyTypeError::new_err(format!(
                "{name:?} is none of href, scheme, username, password, host, hostname, port, path, query, fragment"
            )));
        }
    })
}

/// A parsed base URL, to be used for all links of a page: pass it as `base=`.
///
/// Takes str, bytes or a Url; raises UrlKeyError where the text is no URL.
///
/// Source: https://url.spec.whatwg.org/#concept-base-url
///
/// >>> import urlkey
/// >>> base = urlkey.Base('http://example.com/a/')
/// >>> urlkey.keys(['b', '../c'], base)
/// ['http://example.com/a/b', 'http://example.com/c']
#[pyclass(frozen, module = "urlkey")]
pub struct Base {
    core: urlkey::Url,
}

impl Base {
    /// What the core takes.
    pub fn url(&self) -> &urlkey::Url {
        &self.core
    }
}

#[pymethods]
impl Base {
    #[new]
    fn new(url: &Bound<'_, PyAny>) -> PyResult<Base> {
        if let Ok(url) = url.cast::<Url>() {
            return Ok(Base { core: url.get().core.clone() });
        }
        let parsed = urlkey::Url::parse(&args::whole(url)?, &Options::default());
        parsed.map(|core| Base { core }).map_err(|error| args::whole_error(url, error))
    }

    /// The whole base URL.
    #[getter]
    fn href(&self) -> &str {
        self.core.href()
    }

    fn __str__(&self) -> &str {
        self.core.href()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Base({})", shown(py, self.core.href())?))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Base>().is_ok_and(|other| other.get().core.href() == self.core.href())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, self.core.href()).hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (&str,)) {
        (py.get_type::<Base>(), (self.core.href(),))
    }
}
