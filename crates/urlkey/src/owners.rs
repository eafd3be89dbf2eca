//! Whose the parameters of a URL are: of query, fragment and path, in any
//! scheme, each with owner, kind and value; and the links that a link to an app
//! holds. Drops nothing. Must not know what anybody makes of it.

use crate::error::ParseError;
use crate::percent::{self, Scan};
use crate::policy::{self, Owners};
use crate::url::{Options, Url};

/// A parameter that somebody is known to own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owned {
    /// As the data name it: `Google Ads`.
    pub owner: &'static str,
    /// `campaign`, `click-id`, `affiliate` or `session`.
    pub kind: &'static str,
    /// Decoded, in the case it was written in.
    pub name: String,
    /// Form-decoded once, in the case it was written in.
    pub value: String,
    /// `query`, `fragment`, `path`, or `app-link` (an extra of an intent).
    pub place: &'static str,
    /// Whether a listed source has it.
    pub verified: bool,
    /// Whether the name is content elsewhere.
    pub risk: bool,
    /// `file:line` of its row.
    pub rule: &'static str,
}

/// A link that a link to an app holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppLink {
    /// Whose the parameter is.
    pub owner: &'static str,
    /// Its name.
    pub name: String,
    /// A URL; a path inside an app is one of the scheme `app`.
    pub url: String,
}

/// The parameters of a URL that have owners, in the order in which they stand.
///
/// Errors: those of `Url::parse`. Linear in the text.
///
/// ```
/// let found = urlkey::owners::owners("https://a.example/?gclid=Cj0&x=1#utm_source=y").unwrap();
/// let told: Vec<_> = found.iter().map(|p| (p.owner, p.name.as_str(), p.value.as_str(), p.place)).collect();
/// assert_eq!(told, [("Google Ads", "gclid", "Cj0", "query"), ("Google Analytics", "utm_source", "y", "fragment")]);
/// ```
pub fn owners(text: &str) -> Result<Vec<Owned>, ParseError> {
    let url = Url::parse(text, &Options::default())?;
    let mut found = Vec::new();
    let Some(rows) = policy::owners() else { return Ok(found) };
    in_path(&url, rows, &mut found);
    for (place, text) in texts(&url) {
        for (name, value) in fields(text) {
            push(&url, rows, name, value, place, &mut found);
        }
    }
    for (name, value) in extras(&url) {
        push(&url, rows, name, value, "app-link", &mut found);
    }
    Ok(found)
}

/// The links that a link to an app holds, those inside them not included.
///
/// Errors: those of `Url::parse`. Linear in the text.
///
/// ```
/// let link = "intent://a.example/x#Intent;scheme=https;S.browser_fallback_url=https%3A%2F%2Fb.example%2F;end";
/// let urls: Vec<_> = urlkey::owners::app_links(link).unwrap().into_iter().map(|link| link.url).collect();
/// assert_eq!(urls, ["https://a.example/x", "https://b.example/"]);
/// ```
pub fn app_links(text: &str) -> Result<Vec<AppLink>, ParseError> {
    let url = Url::parse(text, &Options::default())?;
    let mut found = Vec::new();
    let Some(rows) = policy::app_links() else { return Ok(found) };
    if let Some(scheme) = part(&url, "scheme").filter(|_| url.scheme() == "intent") {
        let end = url.href().find('#').unwrap_or(url.href().len());
        let inner = [scheme, &url.href()[url.scheme().len()..end]].concat();
        push_link("Android", "intent", &inner, &mut found);
    }
    let in_texts = texts(&url).into_iter().flat_map(|(_, text)| fields(text));
    for (name, value) in in_texts.chain(extras(&url)) {
        let Some(row) = rows.find(scanned(name).as_bytes(), host(&url)) else { continue };
        push_link(&row.owner, &decoded(name), &form(value), &mut found);
    }
    Ok(found)
}

fn host(url: &Url) -> &str {
    url.host().unwrap_or_default()
}

/// The texts that hold fields: the query, and of the fragment what stands
/// behind its `?`, or all of it. An intent's fragment is no such text.
fn texts(url: &Url) -> Vec<(&'static str, &str)> {
    let fragment = url.fragment().filter(|fragment| !fragment.starts_with("Intent;"));
    let fragment = fragment.map(|fragment| fragment.split_once('?').map_or(fragment, |(_, query)| query));
    let fragment = fragment.map(|fragment| fragment.trim_start_matches(['!', '/']));
    [("query", url.query()), ("fragment", fragment)]
        .into_iter()
        .filter_map(|(place, text)| Some((place, text?)))
        .collect()
}

/// Names and values between `&`, which may be `&amp;`.
fn fields(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let field = |field| -> (&str, &str) { str::split_once(field, '=').unwrap_or((field, "")) };
    text.split('&').map(field).map(|(name, value)| (name.trim_start_matches("amp;"), value))
}

/// The parts of an intent: `#Intent;scheme=https;S.name=value;end`.
fn parts(url: &Url) -> impl Iterator<Item = (&str, &str)> {
    let fragment = url.fragment().and_then(|fragment| fragment.strip_prefix("Intent;"));
    fragment.unwrap_or_default().split(';').filter_map(|part| part.split_once('='))
}

fn part<'u>(url: &'u Url, wanted: &str) -> Option<&'u str> {
    parts(url).find(|(name, _)| *name == wanted).map(|(_, value)| value)
}

/// What an intent gives the app: `S.name=value`.
fn extras(url: &Url) -> impl Iterator<Item = (&str, &str)> {
    parts(url).filter_map(|(name, value)| Some((name.strip_prefix("S.")?, value)))
}

fn in_path(url: &Url, rows: &'static Owners, found: &mut Vec<Owned>) {
    if url.has_opaque_path() {
        return;
    }
    for segment in url.path().split('/') {
        if let Some((row, at)) = rows.segment(segment, host(url)) {
            let (name, value) = segment.split_at(at);
            found.push(owned(row, name.trim_end_matches('='), value, "path"));
        }
        if policy::cookieless(segment) {
            let (name, value) = ("(S(...))", segment.trim_matches(['(', ')']));
            let owner = "ASP.NET cookieless";
            let (name, value) = (name.to_owned(), value.split_once('(').map_or(value, |(_, id)| id).to_owned());
            let rule = "rules/session.toml";
            found.push(Owned { owner, kind: "session", name, value, place: "path", verified: true, risk: false, rule });
        }
        for parameter in segment.split(';').skip(1) {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            push(url, rows, name, value, "path", found);
        }
    }
}

fn push(url: &Url, rows: &'static Owners, name: &str, value: &str, place: &'static str, found: &mut Vec<Owned>) {
    if let Some(row) = rows.find(scanned(name).as_bytes(), host(url)) {
        found.push(owned(row, name, value, place));
    }
}

fn owned(row: &'static policy::OwnerRow, name: &str, value: &str, place: &'static str) -> Owned {
    Owned {
        owner: &row.owner,
        kind: row.kind,
        name: decoded(name),
        value: form(value),
        place,
        verified: row.verified,
        risk: row.risk,
        rule: &row.origin,
    }
}

fn push_link(owner: &'static str, name: &str, text: &str, found: &mut Vec<AppLink>) {
    let options = Options::default();
    let inside = || Url::parse(&["app:///", text.trim_start_matches('/')].concat(), &options);
    let url = Url::parse(text, &options).ok().or_else(|| inside().ok().filter(|_| text.contains('?')));
    if let Some(url) = url {
        found.push(AppLink { owner, name: name.to_owned(), url: url.href().to_owned() });
    }
}

/// As the percent scan leaves it, which is how names are looked up.
fn scanned(name: &str) -> String {
    let mut out = String::new();
    Scan { upper: true, decode: true, encode: true }.write(name, &mut out);
    out
}

fn decoded(text: &str) -> String {
    String::from_utf8_lossy(&percent::decode(text.as_bytes())).into_owned()
}

fn form(text: &str) -> String {
    decoded(&text.replace('+', " "))
}
