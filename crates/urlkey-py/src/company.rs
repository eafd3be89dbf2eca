//! Companies by their domains and profiles. Must not know how a key is found.

use crate::args;
use crate::records::{CompanyKey, SocialId};
use crate::social::{read, text};
use pyo3::prelude::*;
use std::borrow::Cow;

/// The key of a company, from a URL, a host, or a mail address in any of its usual spellings: a
/// CompanyKey. A text without a key has a reason; none raises.
///
/// Takes str or bytes. Source: https://publicsuffix.org/list/, data/rules/tenants.toml and
/// freemail.toml.
///
/// >>> from urlkey.systems.company import company_key
/// >>> company_key('https://www.Acme.co.uk/about').key, company_key('Jane <jane@mail.acme.co.uk>').key
/// ('acme.co.uk', 'acme.co.uk')
/// >>> company_key('jane@gmail.com').reason
/// 'free-mail'
#[pyfunction]
#[pyo3(signature = (text, /), text_signature = "(url_host_or_email, /)")]
pub fn company_key(py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<CompanyKey> {
    Ok(CompanyKey::of(py, key_of(self::text(text)?)))
}

/// The keys of many: a list with one CompanyKey for each, in their order.
///
/// Takes any iterable of str and bytes, and of None, which has no key.
///
/// >>> from urlkey.systems.company import company_keys
/// >>> [(found.key, found.reason) for found in company_keys(['acme.com', '192.0.2.1'])]
/// [('acme.com', None), (None, 'ip-address')]
#[pyfunction]
#[pyo3(signature = (texts, /), text_signature = "(urls_hosts_or_emails, /)")]
pub fn company_keys(py: Python<'_>, texts: &Bound<'_, PyAny>) -> PyResult<Vec<CompanyKey>> {
    let texts: Vec<Bound<'_, PyAny>> = texts.try_iter()?.collect::<PyResult<_>>()?;
    let texts = texts.iter().enumerate().map(|(row, text)| args::row("texts", row, text).map(read));
    let texts = texts.collect::<PyResult<Vec<_>>>()?;
    let found: Vec<_> = py.detach(|| texts.into_iter().map(key_of).collect());
    Ok(found.into_iter().map(|found| CompanyKey::of(py, found)).collect())
}

fn key_of(text: Option<Cow<'_, str>>) -> urlkey::company::CompanyKey {
    // A text that can be none has no host.
    urlkey::company::company_key(text.as_deref().unwrap_or_default())
}

/// The profile of a person or an organization on LinkedIn or Crunchbase: a SocialId, or None for
/// any other URL.
///
/// Takes str or bytes. Kinds: 'person', 'person-pub', 'company', 'school', 'showcase',
/// 'organization'.
///
/// >>> from urlkey.systems.company import profile_id
/// >>> found = profile_id('https://fr.linkedin.com/company/Microsoft/about/?trk=x')
/// >>> found.platform, found.kind, found.id
/// ('linkedin', 'company', 'microsoft')
#[pyfunction]
#[pyo3(signature = (url, /))]
pub fn profile_id(py: Python<'_>, url: &Bound<'_, PyAny>) -> PyResult<Option<SocialId>> {
    let found = text(url)?.and_then(|text| urlkey::company::profile_id(&text));
    found.map(|found| SocialId::of(py, found)).transpose()
}
