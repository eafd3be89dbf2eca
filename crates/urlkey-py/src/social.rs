//! What links to social platforms point at. Must not know any platform.

use crate::args::{self, Text};
use crate::records::{record, shown_field};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use std::borrow::Cow;
use urlkey::forms::social::social_id_of;

record! {
    "urlkey.systems.social":
    /// What a URL of a social platform points at.
    ///
    /// >>> from urlkey.systems.social import social_id
    /// >>> social_id('https://youtu.be/dQw4w9WgXcQ?t=1m30s').canonical
    /// 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=90s'
    SocialId {
        /// The platform: 'youtube'.
        platform: Py<PyString>,
        /// What it is, as the URL says it: 'video', 'video-time', 'profile'.
        kind: Py<PyString>,
        /// The platform's own id, in the case that counts; None where the URL has none.
        id: Option<Py<PyString>>,
        /// The URL that all its spellings share; its own canonical.
        canonical: Py<PyString>,
        /// The id with the name space it is unique in, 'youtube:video:dQw4w9WgXcQ': what to group
        /// by. Equal where two kinds are one thing; None where there is no id.
        key: Option<Py<PyString>>,
        /// Parameters that say which part is meant: a tuple of (name, value), both str; times
        /// ('t') in seconds.
        content: Py<PyTuple>,
        /// Whether the URL shows a part of it or another page, a comment or a tab: it is then no
        /// spelling of the canonical, and keeps a key of its own.
        is_part: bool,
    }
}

impl SocialId {
    /// What the core found.
    pub fn of(py: Python<'_>, found: urlkey::forms::social::SocialId) -> PyResult<SocialId> {
        let text = |text: String| PyString::new(py, &text).unbind();
        Ok(SocialId {
            platform: PyString::intern(py, found.platform).unbind(),
            kind: PyString::intern(py, found.kind).unbind(),
            id: found.id.map(text),
            canonical: text(found.canonical),
            key: found.key.map(text),
            content: PyTuple::new(py, found.content)?.unbind(),
            is_part: found.is_part,
        })
    }

    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        let (platform, kind) = (self.platform.bind(py).repr()?, self.kind.bind(py).repr()?);
        let id = self.id.as_ref().map_or(Ok("None".to_owned()), |id| id.bind(py).repr().map(|id| id.to_string()))?;
        let canonical = shown_field(py, &self.canonical)?;
        Ok(format!("SocialId(platform={platform}, kind={kind}, id={id}, canonical={canonical})"))
    }
}

/// What a URL of a social platform points at: a SocialId, or None where it is no URL, is of no
/// platform that is known, or points at nothing that has an identity there.
///
/// Takes str or bytes, with or without a scheme, and links of apps (`at://`, `vnd.youtube:`).
///
/// >>> from urlkey.systems.social import social_id
/// >>> found = social_id('https://mobile.twitter.com/jack/status/20?s=20')
/// >>> found.platform, found.kind, found.id, found.canonical
/// ('x', 'post', '20', 'https://x.com/i/status/20')
/// >>> social_id('https://notyoutube.com/watch?v=dQw4w9WgXcQ') is None
/// True
#[pyfunction]
#[pyo3(signature = (url, /))]
pub fn social_id(py: Python<'_>, url: &Bound<'_, PyAny>) -> PyResult<Option<SocialId>> {
    match text(url)? {
        Some(text) => social_id_of(&text).map(|found| SocialId::of(py, found)).transpose(),
        None => Ok(None),
    }
}

/// What many URLs point at: a list with one row for each, in their order; None where `social_id`
/// gives None.
///
/// Takes any iterable of str and bytes, and of None, which gives None.
///
/// >>> from urlkey.systems.social import social_ids
/// >>> [found and found.key for found in social_ids(['https://youtu.be/dQw4w9WgXcQ', 'http://example.com/'])]
/// ['youtube:video:dQw4w9WgXcQ', None]
#[pyfunction]
#[pyo3(signature = (urls, /))]
pub fn social_ids(py: Python<'_>, urls: &Bound<'_, PyAny>) -> PyResult<Vec<Option<SocialId>>> {
    let urls: Vec<Bound<'_, PyAny>> = urls.try_iter()?.collect::<PyResult<_>>()?;
    let texts = urls.iter().enumerate().map(|(row, url)| args::row("urls", row, url).map(read));
    let texts = texts.collect::<PyResult<Vec<_>>>()?;
    let found: Vec<_> = py.detach(|| texts.iter().map(|text| social_id_of(text.as_deref()?)).collect());
    found.into_iter().map(|found| found.map(|found| SocialId::of(py, found)).transpose()).collect()
}

/// The text of a URL; None where it can be none.
pub fn text<'a>(url: &'a Bound<'_, PyAny>) -> PyResult<Option<Cow<'a, str>>> {
    args::text(url).map(read)
}

/// The same of what was given.
pub fn read(text: Text<'_>) -> Option<Cow<'_, str>> {
    match text {
        Text::Str(text) => Some(Cow::Borrowed(text)),
        Text::Bytes(bytes) => urlkey::text_of_bytes(bytes).ok(),
        Text::Bad(_) => None,
    }
}
