//! What Python gives: URLs as str or bytes, bases, policies, encodings. Must not
//! know what is done with them.

use crate::errors;
use crate::policy::Policy;
use crate::url::{Base, Url};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::borrow::Cow;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};
use urlkey::{Code, Encoding, Options, Origins, ParseError};

/// The policy of a call that names none.
pub const DEFAULT: &str = "crawl";

/// A URL as it came, borrowed from the Python object.
#[derive(Clone, Copy)]
pub enum Text<'a> {
    Str(&'a str),
    Bytes(&'a [u8]),
    /// No URL at all: a str with a lone surrogate, or None in a row.
    Bad(ParseError),
}

impl Text<'_> {
    /// Whether the row is None.
    pub fn is_null(self) -> bool {
        matches!(self, Text::Bad(ParseError { code: Code::NoUrl, .. }))
    }
}

/// The text of a str or bytes object, without a copy.
#[inline]
pub fn text<'a>(url: &'a Bound<'_, PyAny>) -> PyResult<Text<'a>> {
    if let Ok(string) = url.cast::<PyString>() {
        return match string.to_str() {
            Ok(text) => Ok(Text::Str(text)),
            Err(_) => surrogate(string).map(Text::Bad),
        };
    }
    match url.cast::<PyBytes>() {
        Ok(bytes) => Ok(Text::Bytes(bytes.as_bytes())),
        Err(_) => Err(errors::type_error("url", "str or bytes", url)),
    }
}

/// The text of a row of many; None is a row without a URL, and what is neither is told by its place.
#[inline]
pub fn row<'a>(name: &str, row: usize, item: &'a Bound<'_, PyAny>) -> PyResult<Text<'a>> {
    if item.is_none() {
        return Ok(Text::Bad(ParseError::new(Code::NoUrl, 0)));
    }
    text(item).map_err(|error| match error.is_instance_of::<PyTypeError>(item.py()) {
        true => errors::type_error(&format!("{name}[{row}]"), "str or bytes", item),
        false => error,
    })
}

/// The text of a URL, bytes outside UTF-8 escaped as themselves.
pub fn whole<'a>(url: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, str>> {
    let text = match text(url)? {
        Text::Str(text) => Ok(Cow::Borrowed(text)),
        Text::Bytes(bytes) => urlkey::text_of_bytes(bytes),
        Text::Bad(error) => Err(error),
    };
    text.map_err(|error| errors::url_error(url, error))
}

/// The error that the core told of the text that `whole` gave.
#[cold]
pub fn whole_error(url: &Bound<'_, PyAny>, error: ParseError) -> PyErr {
    errors::url_error(url, origins(url).error(error))
}

/// Where the bytes of that text stood in what was given.
fn origins(url: &Bound<'_, PyAny>) -> Origins {
    url.cast::<PyBytes>().map(|bytes| Origins::of_bytes(bytes.as_bytes())).unwrap_or_default()
}

/// The violations that the core told of the text that `whole` gave.
pub fn moved(url: &Bound<'_, PyAny>, mut noted: Vec<urlkey::Violation>) -> Vec<urlkey::Violation> {
    let origins = origins(url);
    noted.iter_mut().for_each(|violation| violation.at = origins.at(violation.at));
    noted
}

/// Where the first lone surrogate stands, in bytes of UTF-8 with surrogates let through.
#[cold]
fn surrogate(string: &Bound<'_, PyString>) -> PyResult<ParseError> {
    let encoded = string.call_method1("encode", ("utf-8", "surrogatepass"))?;
    let bytes = encoded.cast::<PyBytes>()?.as_bytes();
    // U+D800 to U+DFFF are ED A0 80 to ED BF BF, and nothing else begins so.
    let at = bytes.windows(2).position(|two| two[0] == 0xED && two[1] >= 0xA0);
    Ok(ParseError::new(Code::Surrogate, at.unwrap_or(0)))
}

/// A base as it came: none, a parsed one that Python holds, or one parsed for this call.
pub enum BaseArg<'a> {
    None,
    Held(&'a urlkey::Url),
    Parsed(Box<urlkey::Url>),
}

impl<'a> BaseArg<'a> {
    /// Parses a str or bytes, borrows from a Base or a Url.
    #[inline]
    pub fn new(base: Option<&'a Bound<'_, PyAny>>) -> PyResult<BaseArg<'a>> {
        match base {
            None => Ok(BaseArg::None),
            Some(object) => BaseArg::given(object),
        }
    }

    fn given(object: &'a Bound<'_, PyAny>) -> PyResult<BaseArg<'a>> {
        if let Ok(base) = object.cast::<Base>() {
            return Ok(BaseArg::Held(base.get().url()));
        }
        if let Ok(url) = object.cast::<Url>() {
            return Ok(BaseArg::Held(url.get().url()));
        }
        if !object.is_instance_of::<PyString>() && !object.is_instance_of::<PyBytes>() {
            return Err(errors::type_error("base", "str, bytes, Base or Url", object));
        }
        let parsed = whole(object).and_then(|text| {
            urlkey::Url::parse(&text, &Options::default()).map_err(|error| whole_error(object, error))
        });
        match parsed {
            Ok(url) => Ok(BaseArg::Parsed(Box::new(url))),
            Err(error) => Err(errors::noted(object.py(), error, "in the base")),
        }
    }

    /// What the core takes.
    #[inline]
    pub fn url(&self) -> Option<&urlkey::Url> {
        match self {
            BaseArg::None => None,
            BaseArg::Held(url) => Some(url),
            BaseArg::Parsed(url) => Some(url),
        }
    }
}

/// The encoding of the page that holds the link, for its query.
#[inline]
pub fn encoding(label: Option<&Bound<'_, PyAny>>) -> PyResult<Encoding> {
    match label {
        None => Ok(Encoding::UTF8),
        Some(object) => named_encoding(object),
    }
}

fn named_encoding(object: &Bound<'_, PyAny>) -> PyResult<Encoding> {
    let Ok(label) = object.cast::<PyString>() else {
        return Err(errors::type_error("encoding", "str", object));
    };
    let label = label.to_string_lossy();
    Encoding::for_label(&label).ok_or_else(|| errors::encoding_error(&label))
}

/// The policy of a call: shared for the default, counted for the others.
pub enum PolicyArg<'a> {
    Held(&'a Arc<urlkey::Policy>),
    Named(Arc<urlkey::Policy>),
}

impl Deref for PolicyArg<'_> {
    type Target = Arc<urlkey::Policy>;

    #[inline]
    fn deref(&self) -> &Arc<urlkey::Policy> {
        match self {
            PolicyArg::Held(policy) => policy,
            PolicyArg::Named(policy) => policy,
        }
    }
}

static CRAWL: OnceLock<Arc<urlkey::Policy>> = OnceLock::new();

/// The policy that a name or a Policy stands for; None is the default.
#[inline]
pub fn policy<'a>(py: Python<'_>, given: Option<&'a Bound<'_, PyAny>>) -> PyResult<PolicyArg<'a>> {
    match (given, CRAWL.get()) {
        (None, Some(crawl)) => Ok(PolicyArg::Held(crawl)),
        (None, None) => load_default_policy(py),
        (Some(object), _) => given_policy(object),
    }
}

/// The default policy, once it has been asked for.
#[inline]
pub fn default_policy() -> Option<&'static Arc<urlkey::Policy>> {
    CRAWL.get()
}

#[cold]
fn load_default_policy<'a>(py: Python<'_>) -> PyResult<PolicyArg<'a>> {
    let crawl = builtin(py, DEFAULT)?;
    Ok(PolicyArg::Held(CRAWL.get_or_init(|| crawl)))
}

/// A built-in policy.
pub fn builtin(py: Python<'_>, name: &str) -> PyResult<Arc<urlkey::Policy>> {
    urlkey::Policy::builtin(name).map_err(|error| errors::policy_error(py, &error))
}

/// A policy of the core as Python has it.
pub fn policy_object<'py>(py: Python<'py>, core: &Arc<urlkey::Policy>) -> PyResult<Bound<'py, Policy>> {
    Bound::new(py, Policy::of(core.clone()))
}

fn given_policy<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<PolicyArg<'a>> {
    if let Ok(policy) = object.cast::<Policy>() {
        return Ok(PolicyArg::Held(policy.get().core()));
    }
    match object.cast::<PyString>() {
        Ok(name) => builtin(object.py(), &name.to_string_lossy()).map(PolicyArg::Named),
        Err(_) => Err(errors::type_error("policy", "a name or a Policy", object)),
    }
}
