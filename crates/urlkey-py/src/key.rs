//! The functions that take one URL and give text, bytes or a Url. Must not know
//! about batches.

use crate::args::{self, BaseArg, Text};
use crate::errors;
use crate::url::Url;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::cell::RefCell;
use std::sync::Arc;
use urlkey::{Code, Key, Options, ParseError, Policy, Scratch};

thread_local! {
    /// One set of buffers a thread: no allocation per URL.
    pub static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// The key of what Python gave, in the core's words.
#[inline]
pub fn core_key<'s>(
    text: Text<'_>,
    options: &Options<'_>,
    policy: &Policy,
    scratch: &'s mut Scratch,
) -> Result<Key<'s>, ParseError> {
    match text {
        Text::Str(text) => urlkey::key(text, options, policy, scratch),
        Text::Bytes(bytes) => urlkey::key_of_bytes(bytes, options, policy, scratch),
        Text::Bad(error) => Err(error),
    }
}

/// The key as a Python str; `Key::Same` is the object that came in, if that is a str and of no subclass.
#[inline]
pub fn key_object<'py>(url: &Bound<'py, PyAny>, text: Text<'_>, key: Key<'_>) -> PyResult<Bound<'py, PyAny>> {
    match (key, text) {
        (Key::New(key), _) => Ok(PyString::new(url.py(), key).into_any()),
        (Key::Same, Text::Bytes(bytes)) => Ok(PyString::from_bytes(url.py(), bytes)?.into_any()),
        (Key::Same, Text::Str(text)) if !url.is_exact_instance_of::<PyString>() => {
            Ok(PyString::new(url.py(), text).into_any())
        }
        (Key::Same, _) => Ok(url.clone()),
    }
}

/// Runs `read` on the key of `url`; `Key::Same` means the text itself.
#[inline]
fn with_key<R>(
    url: &Bound<'_, PyAny>,
    options: &Options<'_>,
    policy: &Policy,
    read: impl FnOnce(Key<'_>, Text<'_>) -> PyResult<R>,
) -> PyResult<R> {
    let text = args::text(url)?;
    SCRATCH.with_borrow_mut(|scratch| {
        let key = core_key(text, options, policy, scratch);
        read(key.map_err(|error| errors::url_error(url, error))?, text)
    })
}

/// The key as a str: the very object that came in where nothing changes.
#[inline]
pub fn key_of<'py>(
    url: &Bound<'py, PyAny>,
    options: &Options<'_>,
    policy: &Arc<Policy>,
) -> PyResult<Bound<'py, PyAny>> {
    with_key(url, options, policy, |key, text| key_object(url, text, key))
}

/// The digest of the key as bytes.
pub fn digest_of<'py>(
    url: &Bound<'py, PyAny>,
    options: &Options<'_>,
    policy: &Arc<Policy>,
) -> PyResult<Bound<'py, PyBytes>> {
    with_key(url, options, policy, |key, text| {
        let key = match (key, text) {
            (Key::New(key), _) | (Key::Same, Text::Str(key)) => Ok(key),
            // A key is ASCII: bytes that are their own key cannot fail here.
            (Key::Same, Text::Bytes(key)) => {
                std::str::from_utf8(key).map_err(|error| ParseError::new(Code::NotUtf8, error.valid_up_to()))
            }
            (Key::Same, Text::Bad(error)) => Err(error),
        };
        let key = key.map_err(|error| errors::url_error(url, error))?;
        Ok(PyBytes::new(url.py(), &urlkey::digest(key)))
    })
}

/// The href as a str: the very object that came in where nothing changes.
pub fn href_of<'py>(
    url: &Bound<'py, PyAny>,
    options: &Options<'_>,
    policy: &Arc<Policy>,
) -> PyResult<Bound<'py, PyAny>> {
    let text = args::whole(url)?;
    SCRATCH.with_borrow_mut(|scratch| {
        let href = urlkey::href(&text, options, policy, scratch);
        match href.map_err(|error| args::whole_error(url, error))? {
            Key::Same if url.is_exact_instance_of::<PyString>() => Ok(url.clone()),
            href => Ok(PyString::new(url.py(), href.text(&text)).into_any()),
        }
    })
}

/// What every function of this kind does with its arguments.
macro_rules! call {
    ($function:path, $url:ident, $base:ident, $policy:ident, $encoding:ident) => {{
        let base = BaseArg::new($base)?;
        let options = Options { base: base.url(), encoding: args::encoding($encoding)? };
        let policy = args::policy($url.py(), $policy)?;
        $function($url, &options, &policy)
    }};
}
pub(crate) use call;

/// The key of a URL: one text for every spelling of it. Compare and store it; request the href.
///
/// Takes the URL as str or bytes, the base that a relative one is resolved against (str, bytes,
/// Base or Url), the policy (a name or a Policy), and the encoding of the page that holds the link,
/// which decides how its query is written. Returns a str, the very object that came in where
/// nothing changes. Raises UrlKeyError where the text is no URL under the URL Standard, or is
/// longer than the policy's limit in bytes. Lossy as far as the policy says.
///
/// Source: https://url.spec.whatwg.org/ and the rungs of LADDER.md
///
/// >>> import urlkey
/// >>> urlkey.key('HTTP://Example.com:80/a/../b?utm_source=x&b=2&a=1#top')
/// 'http://example.com/b?a=1&b=2'
#[pyfunction]
#[pyo3(
    signature = (url, base=None, *, policy=None, encoding=None),
    text_signature = "(url, base=None, *, policy='crawl', encoding='utf-8')"
)]
pub fn key<'py>(
    url: &Bound<'py, PyAny>,
    base: Option<&Bound<'py, PyAny>>,
    policy: Option<&Bound<'py, PyAny>>,
    encoding: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    call!(key_of, url, base, policy, encoding)
}

/// The href of a URL: its serialization under the URL Standard, what a client would request.
///
/// Arguments and errors are those of `key`; of the policy, only its repairs and its limit count.
/// Returns a str, the very object that came in where nothing changes.
///
/// Source: https://url.spec.whatwg.org/#dom-url-href
///
/// >>> import urlkey
/// >>> urlkey.href('../b?x=1', 'HTTP://Example.com/a/')
/// 'http://example.com/b?x=1'
#[pyfunction]
#[pyo3(
    signature = (url, base=None, *, policy=None, encoding=None),
    text_signature = "(url, base=None, *, policy='crawl', encoding='utf-8')"
)]
pub fn href<'py>(
    url: &Bound<'py, PyAny>,
    base: Option<&Bound<'py, PyAny>>,
    policy: Option<&Bound<'py, PyAny>>,
    encoding: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    call!(href_of, url, base, policy, encoding)
}

/// The digest of a URL: the first 16 bytes of SHA-256 over its key as UTF-8.
///
/// Arguments and errors are those of `key`. A key is its own key, so a key made under the same
/// policy gives the digest of its URL. Returns bytes of length 16 that any SQL engine can recompute
/// from the key.
///
/// Source: FIPS 180-4, section 6.2
///
/// >>> import hashlib, urlkey
/// >>> digest = urlkey.digest('http://example.com/?b=2&a=1')
/// >>> digest == hashlib.sha256(b'http://example.com/?a=1&b=2').digest()[:16]
/// True
#[pyfunction]
#[pyo3(
    signature = (url, base=None, *, policy=None, encoding=None),
    text_signature = "(url, base=None, *, policy='crawl', encoding='utf-8')"
)]
pub fn digest<'py>(
    url: &Bound<'py, PyAny>,
    base: Option<&Bound<'py, PyAny>>,
    policy: Option<&Bound<'py, PyAny>>,
    encoding: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    call!(digest_of, url, base, policy, encoding)
}

/// The parsed URL, as a Url.
///
/// Arguments and errors are those of `key`; of the policy, only its repairs and its limit count.
///
/// Source: https://url.spec.whatwg.org/#concept-url-parser
///
/// >>> import urlkey
/// >>> url = urlkey.parse('http://example.com:8080/a?b=1#c')
/// >>> url.hostname, url.port, url.query
/// ('example.com', 8080, 'b=1')
#[pyfunction]
#[pyo3(
    signature = (url, base=None, *, policy=None, encoding=None),
    text_signature = "(url, base=None, *, policy='crawl', encoding='utf-8')"
)]
pub fn parse<'py>(
    url: &Bound<'py, PyAny>,
    base: Option<&Bound<'py, PyAny>>,
    policy: Option<&Bound<'py, PyAny>>,
    encoding: Option<&Bound<'py, PyAny>>,
) -> PyResult<Url> {
    call!(Url::of, url, base, policy, encoding)
}

/// The href of a reference found in the document at `base`, as `urllib.parse.urljoin` takes them.
///
/// `base` is a str, bytes, Base or Url; the other arguments and the errors are those of `href`.
/// Returns a str.
///
/// Source: https://url.spec.whatwg.org/#concept-url-parser
///
/// >>> import urlkey
/// >>> urlkey.join('http://example.com/a/b', '../c?d#e')
/// 'http://example.com/c?d#e'
#[pyfunction]
#[pyo3(
    signature = (base, url, *, policy=None, encoding=None),
    text_signature = "(base, url, *, policy='crawl', encoding='utf-8')"
)]
pub fn join<'py>(
    base: &Bound<'py, PyAny>,
    url: &Bound<'py, PyAny>,
    policy: Option<&Bound<'py, PyAny>>,
    encoding: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let base = Some(base);
    call!(href_of, url, base, policy, encoding)
}
