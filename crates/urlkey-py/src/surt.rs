//! SURT keys and what belongs to them. str gives str, bytes give bytes, as in the
//! package `surt`: an index is a file of bytes. Must not know how a key is made.

use crate::args::{self, Text};
use crate::batch::OnError;
use crate::errors;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use std::cell::RefCell;
use urlkey::forms::surt as core;
use urlkey::forms::surt::{Flavor, MatchType, Options, RangeError, Scratch};

thread_local! {
    static BUFFERS: RefCell<(Scratch, Vec<u8>)> = RefCell::default();
}

/// Rows between two looks for an interrupt.
const CHUNK: usize = 4096;

/// Options of the package `surt` that change none of its keys, on or off: it has parted with userinfo and fragment
/// before it looks at them.
const IDLE: [&str; 3] = ["auth_strip_user", "auth_strip_pass", "hash_strip"];

/// Whether an option is one of those of the package that need nothing done.
fn is_idle(name: &str, on: bool, flavor: Flavor) -> PyResult<bool> {
    if name == "public_suffix" {
        let why = "public_suffix=True has no keys to be equal to: the package surt 0.3.1 raises TypeError";
        return if on { Err(PyTypeError::new_err(why)) } else { Ok(true) };
    }
    // Of Java's, userinfo that is to stay would stay.
    Ok(IDLE.contains(&name) && (on || flavor != Flavor::Java))
}

/// The options that Python gave.
fn options(flavor: &str, given: Option<&Bound<'_, PyDict>>) -> PyResult<Options> {
    let Some(flavor) = Flavor::named(flavor) else {
        let names = Flavor::NAMES.map(|(name, _)| format!("'{name}'")).join(", ");
        return Err(PyValueError::new_err(format!("flavor must be one of {names}, not {flavor:?}")));
    };
    let mut options = Options::of(flavor);
    for (name, on) in given.into_iter().flatten() {
        let name = name.cast::<PyString>()?.to_string_lossy();
        let on = on.is_truthy()?;
        if !options.set(&name, on) && !is_idle(&name, on, options.flavor)? {
            let names = Options::NAMES.join(", ");
            return Err(PyTypeError::new_err(format!("no option {name:?}; there are: {names}")));
        }
    }
    Ok(options)
}

/// What came out, of the kind that went in.
fn like<'py>(given: Text<'_>, py: Python<'py>, made: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    match given {
        Text::Bytes(_) => Ok(PyBytes::new(py, made).into_any()),
        _ => Ok(PyString::from_bytes(py, made)?.into_any()),
    }
}

/// The bytes of a URL; None is an absent one.
fn bytes_of<'a>(url: &Bound<'_, PyAny>, text: Text<'a>) -> PyResult<&'a [u8]> {
    match text {
        Text::Str(text) => Ok(text.as_bytes()),
        Text::Bytes(bytes) => Ok(bytes),
        Text::Bad(error) => Err(errors::url_error(url, error)),
    }
}

/// What `read` makes of the key that `surt` gives a str without options.
#[inline]
pub fn with_default<T>(url: &str, read: impl FnOnce(&[u8]) -> T) -> T {
    BUFFERS.with_borrow_mut(|(scratch, key)| {
        key.clear();
        core::write_default(url.as_bytes(), scratch, key);
        read(key)
    })
}

/// The SURT key of a URL, byte for byte what web archives have stored.
///
/// `url` is a str or bytes and the key is of its kind; None gives '-'. `flavor`: 'python', the keys of
/// the package `surt` 0.3.1 (pywb's); 'java', those of webarchive-commons; 'heritrix', the SURT form of
/// Heritrix. The options are those of the package `surt`, each on or off; with their defaults:
/// with_scheme=False, trailing_comma=False, reverse_ipaddr=True, surt=True (False: the canonical URL, not
/// turned), host_lowercase=True, host_massage=True, port_strip_default=True, path_lowercase=True, path_strip_session_id=True,
/// path_strip_empty=False, path_strip_trailing_slash_unless_empty=True, query_lowercase=True,
/// query_strip_session_id=True, query_alpha_reorder=True, query_strip_empty=True. Heritrix's form has none
/// of them, but preserve_case=False. auth_strip_user, auth_strip_pass and hash_strip are taken too, and change
/// no key, as in the package; public_suffix=True is a TypeError, as there.
/// Any bytes have a key; where the original raises, the port that it cannot read stays in the key as text.
/// Raises UrlKeyError for a str with a lone surrogate only. Lossy: paths and queries lose their case, and
/// escapes of reserved characters are decoded.
///
/// Source: https://github.com/internetarchive/surt, https://github.com/iipc/webarchive-commons
///
/// >>> from urlkey.systems import archive
/// >>> archive.surt('http://www.Example.com:80/a/../B/?c&a=1')
/// 'com,example)/b?a=1&c'
/// >>> archive.surt('http://example.com:8080/', with_scheme=True, trailing_comma=True)
/// 'http://(com,example:8080,)/'
#[pyfunction]
#[pyo3(signature = (url, flavor=None, **options), text_signature = "(url, flavor='python', **options)")]
pub fn surt<'py>(
    url: &Bound<'py, PyAny>,
    flavor: Option<&str>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = match (flavor, options) {
        (None, None) => Options::default(),
        _ => self::options(flavor.unwrap_or("python"), options)?,
    };
    if url.is_none() {
        return Ok(PyString::new(url.py(), "-").into_any());
    }
    let text = args::text(url)?;
    let bytes = bytes_of(url, text)?;
    BUFFERS.with_borrow_mut(|(scratch, key)| {
        key.clear();
        core::write(bytes, &options, scratch, key);
        like(text, url.py(), key)
    })
}

/// The SURT keys of many URLs, as a list with one row for each, in their order.
///
/// `urls` is any iterable of str and bytes, and of None, which gives '-' as in `surt`; flavor and options are those of `surt`. `on_error` is for
/// strs with a lone surrogate: 'raise', 'null' puts None in their place, 'error' the UrlKeyError.
///
/// >>> from urlkey.systems import archive
/// >>> archive.surts(['http://www.example.com/', 'dns:example.com'])
/// ['com,example)/', 'dns:example.com']
#[pyfunction]
#[pyo3(
    signature = (urls, flavor="python", *, on_error="raise", **options),
    text_signature = "(urls, flavor='python', *, on_error='raise', **options)"
)]
pub fn surts<'py>(
    urls: &Bound<'py, PyAny>,
    flavor: &str,
    on_error: &str,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    let (options, on_error) = (self::options(flavor, options)?, OnError::named(on_error)?);
    if urls.is_instance_of::<PyString>() || urls.is_instance_of::<PyBytes>() {
        return Err(errors::type_error("urls", "an iterable of URLs", urls));
    }
    let py = urls.py();
    let (mut scratch, mut key) = (Scratch::default(), Vec::new());
    let mut rows = Vec::with_capacity(urls.len().unwrap_or(0));
    for (row, url) in urls.try_iter()?.enumerate() {
        if row % CHUNK == 0 {
            py.check_signals()?;
        }
        let url = url?;
        if url.is_none() {
            rows.push(PyString::new(py, "-").into_any());
            continue;
        }
        let text = args::row("urls", row, &url)?;
        rows.push(match text {
            Text::Bad(error) => match on_error {
                OnError::Raise => return Err(errors::row_error(row, &url, error)),
                OnError::Null => py.None().into_bound(py),
                OnError::Error => errors::url_error_object(&url, error)?,
            },
            Text::Str(_) | Text::Bytes(_) => {
                key.clear();
                core::write(bytes_of(&url, text)?, &options, &mut scratch, &mut key);
                like(text, py, &key)?
            }
        });
    }
    PyList::new(py, rows)
}

/// The URL of a SURT, as far as it still holds one, without a scheme where it has none.
///
/// A str or bytes; a text that is no SURT comes back as it is. What the key has lost stays lost.
///
/// >>> from urlkey.systems import archive
/// >>> archive.unsurt('com,example:8080)/a?b=1'), archive.unsurt('http://(org,archive,)/')
/// ('example.com:8080/a?b=1', 'http://archive.org/')
#[pyfunction]
pub fn unsurt<'py>(surt: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let text = args::text(surt)?;
    like(text, surt.py(), &core::unsurt(bytes_of(surt, text)?))
}

/// The SSURT of a URL as it stands (urlcanon's form): host, port, scheme, userinfo, then the rest, so that
/// the captures of one host stand together whatever their schemes. Nothing is canonicalized.
///
/// Source: https://github.com/iipc/urlcanon
///
/// >>> from urlkey.systems import archive
/// >>> archive.ssurt('http://u:p@example.com:81/a?b#c')
/// 'com,example,//81:http@u:p:/a?b#c'
#[pyfunction]
pub fn ssurt<'py>(url: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let text = args::text(url)?;
    like(text, url.py(), &core::ssurt(bytes_of(url, text)?))
}

/// The range of keys in a sorted index that a query covers: a pair (start, end), start <= key < end.
///
/// `match_type`: 'exact' (this URL), 'prefix' (all that begin so; a slash or `?` at the end counts), 'host'
/// (the whole host), 'domain' (the host and all below). Flavor and options are those that the index was made
/// with. Raises ValueError for another match type, for 'domain' with surt=False, and for 'heritrix', whose
/// form no index is sorted by.
///
/// Source: https://github.com/webrecorder/pywb/wiki/CDX-Server-API#url-match-scope
///
/// >>> from urlkey.systems import archive
/// >>> archive.cdx_range('http://example.com/path/', 'prefix')
/// ('com,example)/path/', 'com,example)/path0')
/// >>> archive.cdx_range('example.com', 'domain')
/// ('com,example)/', 'com,example-')
#[pyfunction]
#[pyo3(
    signature = (url, match_type="exact", flavor="python", **options),
    text_signature = "(url, match_type='exact', flavor='python', **options)"
)]
pub fn cdx_range<'py>(
    url: &Bound<'py, PyAny>,
    match_type: &str,
    flavor: &str,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let Some(kind) = MatchType::named(match_type) else {
        let names = MatchType::NAMES.map(|(name, _)| format!("'{name}'")).join(", ");
        return Err(PyValueError::new_err(format!("match_type must be one of {names}, not {match_type:?}")));
    };
    let options = self::options(flavor, options)?;
    let text = args::text(url)?;
    let range = core::cdx_range(bytes_of(url, text)?, kind, &options).map_err(|error| match error {
        RangeError::DomainOfPlainUrls => PyValueError::new_err("a domain has no range without surt=True"),
        RangeError::Heritrix => PyValueError::new_err("no index is sorted by the heritrix flavor"),
    })?;
    Ok((like(text, url.py(), &range.0)?, like(text, url.py(), &range.1)?))
}

/// A text and the lengths of its prefixes that `surt_prefixes` are made of, the longest first.
#[pyfunction]
pub fn surt_prefix_ends<'py>(url: &Bound<'py, PyAny>, ancestry: bool) -> PyResult<(Bound<'py, PyBytes>, Vec<usize>)> {
    let bytes = bytes_of(url, args::text(url)?)?;
    let found = if ancestry { core::ancestry(bytes) } else { core::prefixes(bytes) };
    Ok((PyBytes::new(url.py(), &found.whole), found.ends))
}
