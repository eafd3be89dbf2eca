//! URLs for eyes: passwords, signatures, tokens and mail addresses replaced by
//! `***`. Works on any text, a URL or not, and shows too little rather than too
//! much; keys are never made of the result.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::OnceLock;

use serde::Deserialize;

use crate::{percent, policy};

const SHOWN: &str = "***";

/// A username without password that is as long as this may be a token.
const TOKEN_BYTES: usize = 16;

/// Escapes of escapes are read as often; redirectors hold redirectors.
const LAYERS: usize = 5;

/// What parameters are named whose values are secrets, folded.
#[derive(Deserialize)]
struct Secrets {
    names: HashSet<String>,
    endings: Vec<String>,
}

fn secrets() -> &'static Secrets {
    static ONCE: OnceLock<Secrets> = OnceLock::new();
    ONCE.get_or_init(|| {
        let file: Result<Secrets, _> = toml::from_str(include_str!("../data/rules/secret.toml"));
        file.unwrap_or(Secrets { names: HashSet::new(), endings: Vec::new() })
    })
}

/// The text with what should not be shown replaced by `***`: passwords, long
/// usernames without one, the values of parameters that data/rules/secret.toml
/// names, in query, path and fragment, mail addresses in other values, and
/// values that wrap any of these, in JSON too.
///
/// ```
/// assert_eq!(urlkey::redact("https://u:p@a.example/x?token=1&b=2"), "https://u:***@a.example/x?token=***&b=2");
/// ```
pub fn redact(text: &str) -> String {
    let path_end = text.find(['?', '#']).unwrap_or(text.len());
    let query_end = text.find('#').unwrap_or(text.len());
    let from = authority_start(&text[..path_end]);
    let to = from + text[from..path_end].find('/').unwrap_or(path_end - from);
    let host = host(&text[from..to]);
    let mut out = text[..from].to_owned();
    out.push_str(&authority(&text[from..to]));
    path(&text[to..path_end], &host, &mut out);
    fields(&text[path_end..query_end], &host, &mut out);
    fields(&text[query_end..], &host, &mut out);
    out
}

/// Behind the slashes: two of them, or one that follows a colon, tabs and line
/// breaks not counted. 0 where there are none: `u:p@host` is enough to leak.
fn authority_start(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut from = 0;
    while from < bytes.len() {
        let run = bytes[from..].iter().take_while(|byte| b"/\\\t\n\r".contains(byte)).count();
        let slashes = bytes[from..from + run].iter().filter(|byte| b"/\\".contains(byte)).count();
        if slashes > 1 || slashes == 1 && from > 0 && bytes[from - 1] == b':' {
            return from + run;
        }
        from += run.max(1);
    }
    0
}

fn host(authority: &str) -> String {
    let behind = authority.rsplit('@').next().unwrap_or_default();
    behind.split(':').next().unwrap_or_default().to_ascii_lowercase()
}

fn authority(text: &str) -> Cow<'_, str> {
    let Some((userinfo, host)) = text.rsplit_once('@') else { return Cow::Borrowed(text) };
    let shown = |user: &str| if user.len() < TOKEN_BYTES { user.to_owned() } else { SHOWN.to_owned() };
    Cow::Owned(match userinfo.split_once(':') {
        Some((user, _)) => [&*shown(user), ":", SHOWN, "@", host].concat(),
        None => [&*shown(userinfo), "@", host].concat(),
    })
}

/// Segments may hold parameters, `;jsessionid=`, and whole URLs.
fn path(text: &str, host: &str, out: &mut String) {
    let (mut before, mut last) = ("", "");
    for (number, segment) in text.split('/').enumerate() {
        if number > 0 {
            out.push('/');
        }
        let in_url = last.ends_with(':') || last.is_empty() && before.ends_with(':');
        let shown = if in_url { authority(segment) } else { Cow::Borrowed(segment) };
        out.push_str(&field(&shown, host));
        (before, last) = (last, segment);
    }
}

/// Appends the fields between `&` behind a `?` or `#`.
fn fields(text: &str, host: &str, out: &mut String) {
    for (number, part) in text.split('&').enumerate() {
        if number > 0 {
            out.push('&');
        }
        let inner = part.strip_prefix(['?', '#']).unwrap_or(part);
        out.push_str(&part[..part.len() - inner.len()]);
        out.push_str(&field(inner, host));
    }
}

/// A field, from its first secret on `***`.
fn field<'t>(text: &'t str, host: &str) -> Cow<'t, str> {
    let Some(at) = secret_in_field(text, host) else { return Cow::Borrowed(text) };
    let shown = [&text[..at], SHOWN].concat();
    // What is left of the value may be one for another reason, an address say, and would go the next time.
    Cow::Owned(match secret_in_field(&shown, host) {
        Some(earlier) if earlier < at => [&text[..earlier], SHOWN].concat(),
        _ => shown,
    })
}

/// Where the secret of a field begins.
fn secret_in_field(text: &str, host: &str) -> Option<usize> {
    let mut value_at = text.find('=').map_or(0, |at| at + 1);
    // No name of a parameter: text that has a `=` somewhere, JSON most of all.
    if text[..value_at].contains('"') || text[..value_at].contains("%22") {
        value_at = 0;
    }
    let value = &text[value_at..];
    secret_value(text, host).or_else(|| {
        let is_secret = (value_at > 0 && holds_an_address(value)) || wraps_a_secret(value, host);
        is_secret.then_some(value_at)
    })
}

/// Where the first value of a secret name begins. A name begins with the text,
/// or behind what may part parameters: `a=1;token=x`, `/cb?token=x`.
fn secret_value(text: &str, host: &str) -> Option<usize> {
    let mut at = 0;
    for piece in text.split([';', '/', '?', '#', '&']) {
        if let Some((name, value)) = piece.split_once('=') {
            let value_at = at + name.len() + 1;
            if value_at < text.len() && is_secret(name, value, host) {
                return Some(value_at);
            }
        }
        at += piece.len() + 1;
    }
    None
}

/// Whether parameters of this name are secrets: `user[password]`, `Access-Token` and `to%6Ben` are.
fn is_secret(name: &str, value: &str, host: &str) -> bool {
    let letters = percent::decode(name.as_bytes());
    let folded: String = letters
        .iter()
        .filter(|byte| byte.is_ascii_alphanumeric())
        .map(|byte| char::from(byte.to_ascii_lowercase()))
        .collect();
    let secrets = secrets();
    secrets.names.contains(&folded)
        || secrets.endings.iter().any(|ending| folded.ends_with(ending))
        || policy::signs(host, name.as_bytes(), value.as_bytes())
}

/// Whether a value, unescaped as often as it takes, is or holds a URL with secrets.
fn wraps_a_secret(value: &str, host: &str) -> bool {
    let mut now = Cow::Borrowed(value);
    for _ in 0..LAYERS {
        let mut authorities =
            now.split("//").skip(1).map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default());
        if secret_value(&now, host).is_some()
            || secret_in_json(&now, host)
            || authorities.any(|text| authority(text) != text)
        {
            return true;
        }
        if !now.contains('%') {
            break;
        }
        now = Cow::Owned(String::from_utf8_lossy(&percent::decode(now.as_bytes())).into_owned());
    }
    false
}

/// Whether a string of JSON that names a secret has a value: `{"token":"..."}`, in a string of JSON too
/// (`\"token\":`).
fn secret_in_json(text: &str, host: &str) -> bool {
    let mut strings = text.split('"').peekable();
    while let Some(name) = strings.next() {
        let Some(behind) = strings.peek().and_then(|behind| behind.trim_start().strip_prefix(':')) else { continue };
        // Behind the colon stands a number, a word, a list, or nothing but what opens a string.
        let bare = behind.trim_matches(|c: char| c.is_whitespace() || c == '\\');
        let is_empty = matches!(bare.trim_end_matches(['}', ']', ',']), "null" | "true" | "false");
        if !is_empty && is_secret(name, bare, host) {
            return true;
        }
    }
    false
}

/// Whether the value holds `local@domain.tld`, the `@` escaped or not.
fn holds_an_address(value: &str) -> bool {
    let behind = value.split_once('@').or_else(|| value.split_once("%40"));
    behind.is_some_and(|(local, domain)| !local.is_empty() && domain.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_the_file_are_folded() {
        let secrets = secrets();
        let folded = |name: &String| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        assert!(secrets.names.len() > 20 && secrets.names.iter().chain(&secrets.endings).all(folded));
    }
}
