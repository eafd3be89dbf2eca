//! Takes the target out of one link, as one rule says, and holds it to what a
//! target must be: a URL that parses, never empty, and of http or https unless
//! every target is asked for.

use std::borrow::Cow;
use std::collections::HashSet;

use super::Inner;
use super::decode::decode;
use crate::domain::registrable_domain;
use crate::parse::scheme_len;
use crate::percent;
use crate::policy::{MOST_HREF, Pattern, Redirector, Rx, Take};
use crate::url::{Options, Url};

/// The target of http or https that the rule finds in the link.
pub(super) fn target<'r>(url: &Url, row: &'r Redirector) -> Option<Inner<'r>> {
    let Take::Param(names) = &row.take else { return elsewhere(url, row).filter(|found| found.is_web) };
    // Of two values that differ, nobody can say which one the redirector follows.
    names
        .iter()
        .map_while(|name| (!is_contested(url, row, name)).then(|| in_param(url, row, name)))
        .find_map(|found| found.filter(|found| found.is_web))
}

/// The target, of whatever scheme, that stands in no parameter.
fn elsewhere<'r>(url: &Url, row: &'r Redirector) -> Option<Inner<'r>> {
    let path = url.path();
    match &row.take {
        Take::Query => decoded(url, row, &url.href()[url.query_from()? as usize..]),
        Take::Segment(number) => decoded(url, row, path.split('/').nth(*number)?),
        Take::Begins(prefix) => {
            let path = percent::plain(path);
            decoded(url, row, path.split('/').find_map(|segment| segment.strip_prefix(prefix.as_str()))?)
        }
        Take::Rest(number) => decoded(url, row, behind(path, *number)?),
        Take::RestOn(number) => decoded(url, row, behind(&url.href()[url.path_start as usize..], *number)?),
        Take::Host => finish(url, row, original_host(url)?),
        Take::Param(_) | Take::Nowhere => None,
        Take::Match { rx, in_path, to } => {
            matched(url, row, if *in_path { path } else { url.href() }, rx, to.as_deref())
        }
    }
}

/// Every target that the link may lead to by the rule: of the parameters that could name one, each value; of
/// any scheme, since whoever checks links must refuse `javascript:` too.
pub(super) fn targets<'r>(url: &Url, row: &'r Redirector) -> Vec<Inner<'r>> {
    let Take::Param(names) = &row.take else { return elsewhere(url, row).into_iter().collect() };
    let mut found = Vec::new();
    for name in names {
        found.extend(in_param(url, row, name));
        let mut seen = HashSet::new();
        let others = values(url, row, name).filter(|(_, value)| seen.insert(*value)).skip(1);
        found.extend(others.filter_map(|(_, value)| decoded(url, row, value)));
    }
    found
}

/// What the expression captures: one text behind the other, decoded; or in its place in a template.
fn matched<'r>(url: &Url, row: &'r Redirector, text: &str, rx: &Rx, to: Option<&str>) -> Option<Inner<'r>> {
    let found = rx.program().filter(|_| text.len() <= MOST_HREF)?.captures(text.as_bytes())?;
    let captured = |number: usize| found.get(number).and_then(|part| std::str::from_utf8(part.as_bytes()).ok());
    let Some(template) = to else {
        let all: String = (1..found.len()).filter_map(captured).collect();
        return decoded(url, row, &all);
    };
    let mut out = String::new();
    let mut parts = template.split('$');
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        match part.chars().next().and_then(|digit| digit.to_digit(10)) {
            Some(number) if number > 0 => {
                out.push_str(captured(number as usize)?);
                out.push_str(&part[1..]);
            }
            _ => out.extend(["$", part]),
        }
    }
    finish(url, row, out)
}

/// What stands behind so many segments.
fn behind(path: &str, segments: usize) -> Option<&str> {
    let slash = memchr::memchr_iter(b'/', path.as_bytes()).nth(segments)?;
    Some(&path[slash + 1..])
}

/// Where the fields of the query stand in the href; `&amp;` parts them, too.
fn fields<'u>(url: &'u Url, row: &Redirector) -> impl Iterator<Item = (usize, Cow<'u, str>, &'u str)> {
    let query = url.query().unwrap_or_default();
    let semicolons = row.semicolons;
    let mut at = url.query_from().unwrap_or_default() as usize;
    query.split(move |c| c == '&' || (semicolons && c == ';')).map(move |field| {
        let (name, value) = field.split_once('=').unwrap_or((field, ""));
        let from = at + field.len() - value.len();
        at += field.len() + 1;
        (from, name_of(name), value)
    })
}

/// A name as servers see it.
fn name_of(name: &str) -> Cow<'_, str> {
    percent::plain(name.trim_start_matches("amp;"))
}

/// Where the values of a parameter stand in the href, and what they are.
fn values<'u>(url: &'u Url, row: &Redirector, wanted: &str) -> impl Iterator<Item = (usize, &'u str)> {
    fields(url, row)
        .filter(move |(_, name, value)| *name == wanted && !value.is_empty())
        .map(|(from, _, value)| (from, value))
}

/// Whether a value runs on behind its end.
fn runs_on(row: &Redirector, name: &str) -> bool {
    !row.until.is_empty() || row.to_end.iter().any(|listed| listed == name)
}

/// Whether a parameter has two values that differ. One that runs on has but one.
fn is_contested(url: &Url, row: &Redirector, name: &str) -> bool {
    let mut values = values(url, row, name).map(|(_, value)| value);
    !runs_on(row, name) && values.next().is_some_and(|first| values.any(|other| other != first))
}

/// The target in the first value of a parameter.
fn in_param<'r>(url: &Url, row: &'r Redirector, name: &str) -> Option<Inner<'r>> {
    let (from, value) = values(url, row, name).next()?;
    if !runs_on(row, name) {
        return decoded(url, row, value);
    }
    // Only the first is read up to the end: if each were, the time would be quadratic.
    if row.to_end.iter().any(|listed| listed == name) && is_absolute(value) {
        return finish(url, row, url.href()[from..].to_owned());
    }
    decoded(url, row, &url.href()[from..end_of(url, row, from + value.len())])
}

/// Where a value that ends at `to` ends if it runs on to the first of the names in `until`.
fn end_of(url: &Url, row: &Redirector, to: usize) -> usize {
    let query_end = url.query_end() as usize;
    let mut at = to;
    for field in url.href()[to..query_end].split('&').skip(1) {
        let name = name_of(field.split('=').next().unwrap_or_default());
        if row.until.iter().any(|end| *end == *name) {
            return at;
        }
        at += 1 + field.len();
    }
    to
}

fn decoded<'r>(url: &Url, row: &'r Redirector, raw: &str) -> Option<Inner<'r>> {
    let bytes = decode(raw, &row.decode)?;
    finish(url, row, text_of(&bytes))
}

/// Bytes as text, those that are no UTF-8 escaped as themselves.
fn text_of(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|&byte| percent::push_escape(&mut text, byte));
    }
    text
}

/// Whether the text begins as a URL of http or https that has a host.
fn is_absolute(text: &str) -> bool {
    let begins = |name: &str| text.get(..name.len()).is_some_and(|front| front.eq_ignore_ascii_case(name));
    begins("http:/") || begins("https:/")
}

/// The target that this text spells.
fn finish<'r>(url: &Url, row: &'r Redirector, text: String) -> Option<Inner<'r>> {
    let text = text.trim_matches(|c| c <= ' ').replace(['\t', '\n', '\r'], "");
    let text = match &row.prepend {
        Some(_) if names_a_scheme(&text) => return None,
        Some(scheme) => [scheme, "://", &text].concat(),
        None => text,
    };
    let (spelling, base) = if is_absolute(&text) {
        (with_slashes(text), None)
    } else if names_a_scheme(&text) {
        return other(row, text);
    } else if row.relative && text.starts_with('/') {
        (text, Some(url))
    } else {
        let scheme = row.scheme.as_deref()?;
        let slashes = if text.starts_with("//") { ":" } else { "://" };
        ([scheme, slashes, &text].concat(), None)
    };
    let mut target = Url::parse(&spelling, &Options { base, ..Options::default() }).ok()?;
    let host = target.host().filter(|host| target.is_http() && !host.is_empty())?;
    // Text without a scheme may be no URL at all: only a registrable name makes it one.
    let named = row.scheme.is_some() || row.prepend.is_some();
    if base.is_none() && named && registrable_domain(host).is_none() {
        return None;
    }
    if row.other_site && site(host) == site(url.host().unwrap_or_default()) {
        return None;
    }
    let dropped = drop_params(&mut target, &row.drop);
    let spelling = if base.is_some() || dropped || is_odd(&spelling) { target.href().to_owned() } else { spelling };
    Some(Inner { spelling, url: target, row, is_web: true })
}

/// A target of another scheme, or one of http without its slashes.
fn other(row: &Redirector, text: String) -> Option<Inner<'_>> {
    let url = Url::parse(&text, &Options::default()).ok()?;
    let spelling = if is_odd(&text) { url.href().to_owned() } else { text };
    Some(Inner { spelling, url, row, is_web: false })
}

/// Whether a text holds controls, which nobody should be shown.
fn is_odd(text: &str) -> bool {
    text.bytes().any(|byte| byte < b' ' || byte == 0x7F)
}

/// The registrable domain, or the host that has none.
fn site(host: &str) -> &str {
    registrable_domain(host).unwrap_or(host)
}

/// `https:/a.example/` as path rungs and servers leave it has its slash back.
fn with_slashes(text: String) -> String {
    match text.split_once(":/") {
        Some((scheme, rest)) if !rest.starts_with('/') => [scheme, "://", rest].concat(),
        _ => text,
    }
}

/// Whether the text begins with a scheme; `a.example:80/` does not.
fn names_a_scheme(text: &str) -> bool {
    scheme_len(text.as_bytes()).is_some_and(|len| {
        let port = text[len + 1..].split(['/', '?', '#']).next().unwrap_or_default();
        port.is_empty() || !port.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Drops the fields of these names; says whether there were any.
fn drop_params(target: &mut Url, names: &[Pattern]) -> bool {
    let Some(query) = target.query().filter(|_| !names.is_empty()) else { return false };
    let goes = |field: &&str| {
        let name = field.split('=').next().unwrap_or_default();
        names.iter().any(|pattern| match pattern.prefix {
            true => name.get(..pattern.stem.len()).is_some_and(|front| front.eq_ignore_ascii_case(&pattern.stem)),
            false => name.eq_ignore_ascii_case(&pattern.stem),
        })
    };
    if !query.split('&').any(|field| goes(&field)) {
        return false;
    }
    let kept: Vec<&str> = query.split('&').filter(|field| !goes(field)).collect();
    let kept = kept.join("&");
    target.set_query((!kept.is_empty()).then_some(&kept));
    true
}

/// `en-m-wikipedia-org.translate.goog`: `-` is a dot, `--` a hyphen.
fn original_host(url: &Url) -> Option<String> {
    let host = url.host()?;
    let label = host.split('.').next().filter(|label| label.len() < host.len())?;
    let host = label.replace("--", "\0").replace('-', ".").replace('\0', "-");
    Some([url.scheme(), "://", &host, &url.href()[url.path_start as usize..]].concat())
}
