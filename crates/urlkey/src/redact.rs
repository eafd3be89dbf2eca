//! URLs for eyes: passwords, signatures, tokens and mail addresses replaced by
//! `***`. Works on any text, a URL or not; keys are never made of the result.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::OnceLock;

use serde::Deserialize;

use crate::split::split;

const SHOWN: &str = "***";

#[derive(Deserialize)]
struct SecretFile {
    names: HashSet<String>,
}

fn secret_names() -> &'static HashSet<String> {
    static NAMES: OnceLock<HashSet<String>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let file: Result<SecretFile, _> = toml::from_str(include_str!("../data/rules/secret.toml"));
        file.map(|f| f.names).unwrap_or_default()
    })
}

/// The text with what should not be shown replaced by `***`: the password, the
/// values of parameters that data/rules/secret.toml names, mail addresses in
/// other values.
///
/// ```
/// assert_eq!(urlkey::redact("https://u:p@a.example/x?token=1&b=2"), "https://u:***@a.example/x?token=***&b=2");
/// ```
pub fn redact(text: &str) -> String {
    let parts = split(text.as_bytes());
    let of = |r: &std::ops::Range<usize>| text.get(r.clone()).unwrap_or_default();
    let front = text.get(..parts.userinfo.start).unwrap_or_default();
    let userinfo = match of(&parts.userinfo).split_once(':') {
        Some((user, _)) => [user, ":", SHOWN, "@"].concat(),
        None => of(&parts.userinfo).to_owned(),
    };
    let middle = text.get(parts.userinfo.end..parts.query.start).unwrap_or_default();
    let rest = text.get(parts.query.end..).unwrap_or_default();
    [front, &userinfo, middle, &query(of(&parts.query)), &fields(rest, '#')].concat()
}

fn query(text: &str) -> String {
    fields(text, '?')
}

/// Redacts `name=value` fields between `&` behind the delimiter.
fn fields(text: &str, delimiter: char) -> String {
    let Some(inner) = text.strip_prefix(delimiter) else { return text.to_owned() };
    let mut out = String::with_capacity(text.len());
    out.push(delimiter);
    for (i, field) in inner.split('&').enumerate() {
        if i > 0 {
            out.push('&');
        }
        out.push_str(&shown(field));
    }
    out
}

fn shown(field: &str) -> Cow<'_, str> {
    let Some((name, value)) = field.split_once('=') else { return Cow::Borrowed(field) };
    let secret = secret_names().contains(&name.to_ascii_lowercase());
    if !value.is_empty() && (secret || holds_an_address(value)) {
        Cow::Owned([name, "=", SHOWN].concat())
    } else {
        Cow::Borrowed(field)
    }
}

/// Whether the value holds `local@domain.tld`, the `@` escaped or not.
fn holds_an_address(value: &str) -> bool {
    let behind = value.split_once('@').or_else(|| value.split_once("%40"));
    behind.is_some_and(|(local, domain)| !local.is_empty() && domain.contains('.'))
}
