//! Companies by their domains and profiles. Must not know how a key is found.

use crate::args;
use crate::records::record;
use crate::social::{SocialId, read, text};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::borrow::Cow;

record! {
    "urlkey.systems.company":
    /// What a company is known by in a URL, a host or a mail address.
    ///
    /// >>> from urlkey.systems.company import company_key
    /// >>> found = company_key('https://shop.acme.myshopify.com/')
    /// >>> found.key, found.registrable_icann
    /// ('acme.myshopify.com', 'myshopify.com')
    CompanyKey {
        /// The registrable domain under the ICANN section of the public suffix list, or None.
        registrable_icann: Option<Py<PyString>>,
        /// The registrable domain under the whole list, or None.
        registrable_full: Option<Py<PyString>>,
        /// What stands for one customer below a shared domain, or None.
        tenant: Option<Py<PyString>>,
        /// What to group by: the tenant, else the registrable domain; None where `reason` says why.
        key: Option<Py<PyString>>,
        /// Why there is no key, or None: one of NO_KEY_REASONS.
        reason: Option<Py<PyString>>,
    }
}

impl CompanyKey {
    /// What the core found.
    pub fn of(py: Python<'_>, found: urlkey::company::CompanyKey) -> CompanyKey {
        let text = |text: Option<String>| text.map(|text| PyString::new(py, &text).unbind());
        CompanyKey {
            registrable_icann: text(found.registrable_icann),
            registrable_full: text(found.registrable_full),
            tenant: text(found.tenant),
            key: text(found.key),
            reason: found.reason.map(|reason| PyString::intern(py, reason.as_str()).unbind()),
        }
    }

    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        let names = ["registrable_icann", "registrable_full", "tenant", "key", "reason"];
        let fields = names.iter().zip(self.fields(py)?.iter());
        let fields: Vec<String> =
            fields.map(|(name, value)| Ok(format!("{name}={}", value.repr()?))).collect::<PyResult<_>>()?;
        Ok(format!("CompanyKey({})", fields.join(", ")))
    }
}

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
