//! The URL that Chrome sees inside another: of Google's AMP cache and viewer, its
//! web cache, its translator. Must not know patterns.
//!
//! Source: `GetEmbeddedURL` in `components/url_matcher/url_util.cc` of Chromium.

use std::borrow::Cow;

use crate::domain::HostPattern;
use crate::error::ParseError;
use crate::key::text_of_bytes;
use crate::url::{Options, Url};

use super::subject;

/// The URL inside this one, serialized; None where there is none.
///
/// Errors: those of the URL Standard. Linear in the text.
///
/// ```
/// use urlkey::patterns::embedded;
/// let inner = embedded(b"https://cdn.ampproject.org/c/s/a.example/x?y");
/// assert_eq!(inner.unwrap().as_deref(), Some("https://a.example/x?y"));
/// ```
pub fn embedded(url: &[u8]) -> Result<Option<String>, ParseError> {
    let mut read = subject::Subject::default();
    read.read(&text_of_bytes(url)?, super::Dialect::Chrome)?;
    Ok(of(read.url()))
}

/// The URL inside this one, serialized.
pub(super) fn of(url: &Url) -> Option<String> {
    if !url.is_http() {
        return None;
    }
    let host = url.host()?;
    let inner = if host == "cdn.ampproject.org" || host.ends_with(".cdn.ampproject.org") {
        amp_cache(url)?
    } else if host == "webcache.googleusercontent.com" {
        web_cache(url)?
    } else if host.contains("google") {
        of_google(url, host)?
    } else {
        return None;
    };
    let inner = Url::parse(&inner, &Options::default()).ok()?;
    Some(inner.href().to_owned())
}

/// "/[a-z]/(s/)?(.*)"
fn amp_cache(url: &Url) -> Option<String> {
    let rest = url.path().strip_prefix('/')?;
    let rest = rest.strip_prefix(|kind: char| kind.is_ascii_lowercase())?.strip_prefix('/')?;
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    Some(built(rest) + &query)
}

/// The scheme that `s/` stands for, and the rest.
fn built(rest: &str) -> String {
    match rest.strip_prefix("s/") {
        Some(rest) => format!("https://{rest}"),
        None => format!("http://{rest}"),
    }
}

/// "cache:(.{12}:)?(https?://)?([^ :]*)( [^:]*)?"
fn web_cache(url: &Url) -> Option<String> {
    if !url.path().starts_with("/search") {
        return None;
    }
    let value = field(url.query()?, "q")?;
    let rest = value.strip_prefix("cache:")?;
    let fingerprint = rest.char_indices().nth(12).filter(|&(_, unit)| unit == ':').map(|(at, _)| &rest[at + 1..]);
    fingerprint.into_iter().chain([rest]).find_map(cached)
}

fn cached(rest: &str) -> Option<String> {
    let (scheme, rest) = match (rest.strip_prefix("https://"), rest.strip_prefix("http://")) {
        (Some(rest), _) => ("https://", rest),
        (None, Some(rest)) => ("http://", rest),
        (None, None) => ("http://", rest),
    };
    let (target, words) = rest.split_once(' ').unwrap_or((rest, ""));
    (!target.contains(':') && !words.contains(':')).then(|| format!("{scheme}{target}"))
}

fn of_google(url: &Url, host: &str) -> Option<String> {
    let is_translator = host == "translate.googleusercontent.com"
        || host.strip_prefix("translate.").is_some_and(is_google) && url.port().is_none();
    if is_translator {
        let target = field(url.query()?, "u")?;
        return match subject::scheme_of(&target) {
            Some(_) => Some(target),
            None => Some(format!("http://{}", target.trim_start_matches(['/', '\\', ' ']))),
        };
    }
    let plain = host.strip_prefix("www.").unwrap_or(host);
    if !is_google(plain) || url.port().is_some() {
        return None;
    }
    // "/amp/(s/)?(.*)"; the query is the viewer's own.
    let inner = built(url.path().strip_prefix("/amp/")?);
    text_of_bytes(&decoded(inner.as_bytes())).ok().map(Cow::into_owned)
}

/// `google` before a public suffix.
fn is_google(host: &str) -> bool {
    HostPattern::parse("google.<suffix>").is_ok_and(|google| google.matches_itself(host))
}

/// The first value of a field, `+` a space, escapes undone.
fn field(query: &str, name: &str) -> Option<String> {
    let value = query.split('&').find_map(|field| field.strip_prefix(name)?.strip_prefix('='))?;
    text_of_bytes(&decoded(value.replace('+', " ").as_bytes())).ok().map(Cow::into_owned)
}

fn decoded(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match crate::percent::escape_at(&bytes[at..]) {
            Some(unit) => {
                out.push(unit);
                at += 3;
            }
            None => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}
