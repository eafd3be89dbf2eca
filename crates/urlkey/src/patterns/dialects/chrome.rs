//! URLBlocklist and URLAllowlist of Chrome and Edge:
//! `[scheme://][.]host[:port][/path][?query]`.
//!
//! Source: <https://support.google.com/chrome/a/answer/9942583>, and
//! `components/url_matcher/url_util.cc` of Chromium for what it leaves open.

use super::{Parts, host, parts};
use crate::host::HostKind;
use crate::patterns::model::{Depths, Fault, Pattern, Read, Target};
use crate::patterns::query;
use crate::patterns::subject::{is_standard_in_chrome, scheme_of};
use crate::url::{Options, Url};

/// Fields that a query may ask for.
const MOST_CONDITIONS: usize = 16;

pub(super) fn read_blocking(text: &str) -> Read<Pattern> {
    read(text, false)
}

pub(super) fn read_allowing(text: &str) -> Read<Pattern> {
    read(text, true)
}

fn read(text: &str, allow: bool) -> Read<Pattern> {
    let Some(scheme) = scheme_of(text) else {
        if let Some(at) = in_no_scheme(text) {
            return Err(Fault::new(at, "a scheme has letters, digits, +, - and . only: no URL has this one"));
        }
        // What begins with a dot or a star is no scheme either.
        return with_host(text, 0, None, allow);
    };
    let (name, rest) = (scheme.to_ascii_lowercase(), &text[scheme.len() + 1..]);
    if rest == "*" || rest == "//*" {
        if name == "blob" && !allow {
            // `URLBlocklistManager::IsURLBlocked`: a page uses them internally.
            return Err(Fault::new(0, "Chrome looks up no blob: URL, whatever its lists say"));
        }
        return Ok(Pattern { scheme: Some(name), ..Pattern::new(Target::Any) });
    }
    match name.as_str() {
        "file" | "data" => whole(text, name),
        _ if is_standard_in_chrome(&name) => {
            let slashes = rest.len() - rest.trim_start_matches(['/', '\\']).len();
            let at = scheme.len() + 1 + slashes;
            with_host(&text[at..], at, Some(name), allow)
        }
        _ => Err(Fault::new(0, "of other schemes only scheme://* is allowed: Chrome reads no host of them")),
    }
}

/// Where `custom_scheme:*`, an example of Chrome's and Edge's own documents, has what no scheme has.
fn in_no_scheme(text: &str) -> Option<usize> {
    let name = text.strip_suffix(":*").or_else(|| text.strip_suffix("://*"))?;
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'-');
    name.bytes().all(is_word).then(|| name.find('_'))?
}

/// A file, or data: a path and nothing else.
fn whole(text: &str, scheme: String) -> Read<Pattern> {
    let url = Url::parse(text, &Options::default()).map_err(|error| Fault::coded(error.code, error.at))?;
    Ok(Pattern { scheme: Some(scheme), path: url.path().to_owned(), ..Pattern::new(Target::Any) })
}

fn with_host(text: &str, at: usize, scheme: Option<String>, allow: bool) -> Read<Pattern> {
    let end = text.find(['/', '?', '#']).unwrap_or(text.len());
    // "user:pass fields can be included but will be ignored."
    let userinfo = text[..end].rfind('@').map_or(0, |sign| sign + 1);
    let at = at + userinfo;
    let Parts { host: name, host_at, port, rest } = parts(&text[userinfo..], at)?;
    let target = match name.strip_prefix('.') {
        _ if name.is_empty() => return Err(Fault::new(host_at, "there is no host; * stands for any")),
        _ if name == "*" => Target::Any,
        // "A leading dot in the pattern syntax means that we don't want to match subdomains."
        Some(name) => Target::Tail { host: host(name, host_at + 1)?.0, depths: Depths::EXACT },
        None => match host(name, host_at)? {
            (host, HostKind::Domain) => Target::Tail { host, depths: Depths::AT_OR_BELOW },
            (host, _) => Target::Tail { host, depths: Depths::EXACT },
        },
    };
    let rest = super::without_fragment(rest);
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let query = query::conditions(query, allow);
    if query.len() > MOST_CONDITIONS {
        return Err(Fault::new(0, "a query asks for at most 16 fields"));
    }
    Ok(Pattern { path: path.to_owned(), scheme, port, query, ..Pattern::new(target) })
}
