//! What is known of addresses and hosts: classify_ip, shorteners, private names.
//! Must not know which addresses and hosts are which.

use crate::records::record;
use crate::{args, errors};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

record! {
    /// What sort of address an IP address is.
    ///
    /// Source: https://www.iana.org/assignments/iana-ipv4-special-registry/
    ///
    /// >>> import urlkey
    /// >>> found = urlkey.classify_ip('169.254.169.254')
    /// >>> found.class_, found.block, found.name, found.is_global
    /// ('link-local', '169.254.0.0/16', 'Link Local', False)
    IpClass {
        /// As the URL Standard serializes it, without brackets.
        address: Py<PyString>,
        /// What sort of block it is in: 'public' in none, else 'private', 'loopback', 'link-local',
        /// 'shared', 'unspecified', 'reserved', 'protocol', 'documentation', 'benchmarking',
        /// 'multicast', 'broadcast', 'deprecated', 'embeds-ipv4' or 'embeds-ipv4-local'.
        class_: Py<PyString>,
        /// The longest block that holds it, as '10.0.0.0/8'; None where it is public.
        block: Option<Py<PyString>>,
        /// The registry's name of that block, or None.
        name: Option<Py<PyString>>,
        /// The registry's word on the block; True where it is public, None where it says "N/A".
        globally_reachable: Option<bool>,
        /// Tuple of IpClass: the IPv4 addresses inside. One for mapped, compatible, translated,
        /// 6to4 and ISATAP addresses; client and server for Teredo.
        embedded: Py<PyTuple>,
        /// The service of a cloud that answers at this very address, or None.
        service: Option<Py<PyString>>,
    }
    /// Whether the address, and every address inside it, is globally reachable and no service of a
    /// cloud: the only ones that a gateway lets through.
    #[getter]
    fn is_global(&self, py: Python<'_>) -> PyResult<bool> {
        if self.globally_reachable != Some(true) || self.service.is_some() {
            return Ok(false);
        }
        for inner in self.embedded.bind(py) {
            if !inner.cast::<IpClass>()?.get().is_global(py)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl IpClass {
    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        let class = self.class_.bind(py);
        let block = self.block.as_ref().map(|block| format!(" in {}", block.bind(py))).unwrap_or_default();
        Ok(format!("<IpClass {}: {class}{block}>", self.address.bind(py)))
    }
}

/// What sort of address an IP address is, by the registries of IANA: an IpClass.
///
/// Takes a str, an IPv4 address of four decimal parts or an IPv6 address, in brackets or not, as
/// `Url.hostname` has it; or an `ipaddress.IPv4Address` or `IPv6Address`. Raises UrlKeyError
/// (`not-an-IP-address`, `zone-id`, and the URL Standard's for IPv6) for names, for the odd forms
/// that `inet_aton` reads, and for zone ids.
///
/// A name can resolve to any address: check each one, connect to the one that was checked, and
/// again after each redirect.
///
/// Sources: https://www.iana.org/assignments/iana-ipv4-special-registry/,
/// https://www.iana.org/assignments/iana-ipv6-special-registry/
///
/// >>> import urlkey
/// >>> found = urlkey.classify_ip('64:ff9b::10.0.0.1')
/// >>> found.class_, found.globally_reachable, found.embedded[0].class_, found.is_global
/// ('embeds-ipv4', True, 'private', False)
/// >>> urlkey.classify_ip(urlkey.parse('http://0x7f.1/').hostname).block
/// '127.0.0.0/8'
#[pyfunction]
pub fn classify_ip(addr: &Bound<'_, PyAny>) -> PyResult<IpClass> {
    let text = match addr.cast::<PyString>() {
        Ok(text) => text.clone(),
        Err(_) if is_address(addr)? => addr.str()?,
        Err(_) => return Err(errors::type_error("addr", "str, IPv4Address or IPv6Address", addr)),
    };
    let found = urlkey::ip::classify_ip(&text.to_string_lossy()).map_err(|error| errors::url_error(addr, error))?;
    record(addr.py(), &found)
}

fn is_address(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let ipaddress = object.py().import("ipaddress")?;
    let v4 = object.is_instance(&ipaddress.getattr("IPv4Address")?)?;
    Ok(v4 || object.is_instance(&ipaddress.getattr("IPv6Address")?)?)
}

fn record(py: Python<'_>, found: &urlkey::ip::IpClass) -> PyResult<IpClass> {
    let word = |text: &str| PyString::intern(py, text).unbind();
    let embedded = found.embedded.iter().map(|inner| record(py, inner)).collect::<PyResult<Vec<_>>>()?;
    Ok(IpClass {
        address: PyString::new(py, &found.address).unbind(),
        class_: word(found.class),
        block: found.block.map(word),
        name: found.name.map(word),
        globally_reachable: found.globally_reachable,
        embedded: PyTuple::new(py, embedded)?.unbind(),
        service: found.service.map(word),
    })
}

/// Owner and kind of the URL shortener that a host belongs to, or None. Takes `Url.hostname`.
///
/// >>> from urlkey._native import shortener
/// >>> shortener('www.bit.ly'), shortener('notbit.ly')
/// (('Bitly', 'open'), None)
#[pyfunction]
pub fn shortener(host: &str) -> Option<(&'static str, &'static str)> {
    urlkey::hosts::shortener(host).map(|found| (found.owner.as_str(), found.kind.as_str()))
}

/// Code and sentence of why no public server can stand behind a host, or None. Takes `Url.hostname`.
///
/// >>> from urlkey._native import not_public
/// >>> not_public('localhost')
/// ('private-name', 'localhost is this machine itself (RFC6761)')
#[pyfunction]
pub fn not_public(host: &str) -> Option<(&'static str, String)> {
    urlkey::hosts::not_public(host).map(|found| (found.code, found.why))
}

/// The scheme whose signature a URL carries, as 'AWS SigV4', or None.
///
/// A signed URL works as it was made, or not at all: no rung above class `none` touches its path or
/// query. Takes str or bytes; raises UrlKeyError where the text is no URL. What tells a scheme
/// stands in `data/rules/signed.toml`: names with the shapes of their values, never a bare name.
///
/// >>> import urlkey
/// >>> urlkey.is_signed('https://d1.cloudfront.net/a?Expires=1893456000&Signature=Diz_&Key-Pair-Id=K2')
/// 'CloudFront, canned policy'
/// >>> urlkey.is_signed('https://shop.example/?X-Amz-Signature=x') is None
/// True
#[pyfunction]
pub fn is_signed(url: &Bound<'_, PyAny>) -> PyResult<Option<&'static str>> {
    let text = args::whole(url)?;
    let policy = args::policy(url.py(), None)?;
    urlkey::signed(&text, &urlkey::Options::default(), &policy).map_err(|error| args::whole_error(url, error))
}
