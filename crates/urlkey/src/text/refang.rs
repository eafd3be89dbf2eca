//! The repair `refang`: indicators of attacks are passed around broken on
//! purpose, `hxxp://evil[.]example/`, so that nobody follows them. Acts at the
//! start of the text and in its host, never in a path or query.
//!
//! A host may hold parentheses and braces, and a client would ask for
//! `a(.)b`: they count only where the scheme is broken too, or absent. Square
//! brackets always count, since no host but an IPv6 address holds any.

use std::borrow::Cow;

use crate::ladder::{Loss, Meta};
use crate::origins::Origins;

/// Broken schemes and hosts are live again.
pub static META: Meta = Meta {
    name: "refang",
    rule: "a scheme or host that was broken on purpose stands for the live one",
    section: "no standard: the forms that indicator feeds and their tools share",
    loss: Loss::Site,
    revision: 1,
    reason: "defanged",
    example: ("hxxp://example[.]com/", "http://example.com/"),
};

/// Broken schemes; each may be followed by an `s`.
const SCHEMES: &[(&str, &str)] = &[
    ("hxxp", "http"),
    ("htxp", "http"),
    ("hxtp", "http"),
    ("hzzp", "http"),
    ("h__p", "http"),
    ("h**p", "http"),
    ("h[tt]p", "http"),
    ("hp", "http"),
    ("meow", "http"),
    ("fxp", "ftp"),
];

const BRACKETS: &[(char, char)] = &[('[', ']'), ('(', ')'), ('{', '}')];

/// What brackets may hold in a host, and what it stands for.
const INSIDES: &[(&str, char)] = &[(".", '.'), ("dot", '.'), (":", ':'), ("@", '@'), ("at", '@')];

/// A round takes a scheme, or all that is broken in one authority.
const ROUNDS: usize = 4;

/// The live text; None if nothing in it is broken.
pub(super) fn live(text: &str, has_base: bool, changes: &mut Vec<Origins>) -> Option<String> {
    let mut now: Option<String> = None;
    let mut broken = false;
    for _ in 0..ROUNDS {
        let current = now.as_deref().unwrap_or(text);
        let (next, change) = match with_live_scheme(current) {
            Some(found) => {
                broken = true;
                found
            }
            None => match with_live_authority(current, has_base, broken) {
                Some(found) => found,
                None => break,
            },
        };
        changes.push(change);
        now = Some(next);
    }
    now
}

/// `hxxp://`, `http[:]//`, `http[://]`, and both at once.
fn with_live_scheme(text: &str) -> Option<(String, Origins)> {
    let (scheme, is_broken, rest) = match broken_scheme(text) {
        Some((scheme, rest)) => (scheme, true, rest),
        None => {
            let length = text.find(|unit: char| !is_scheme_char(unit))?;
            (text[..length].to_owned(), false, &text[length..])
        }
    };
    let (separator, is_bracketed, rest) = separator(rest)?;
    let is_scheme = scheme.starts_with(|unit: char| unit.is_ascii_alphabetic());
    if !is_scheme || !(is_broken || is_bracketed) {
        return None;
    }
    let is_backwards = text[..text.len() - rest.len()].ends_with('\\');
    let rest = rest.trim_start_matches(' ');
    let mut change = Origins::default();
    change.run(scheme.len() + separator.len(), text.len() - rest.len());
    let rest = if is_backwards { with_slashes(rest) } else { Cow::Borrowed(rest) };
    Some((format!("{scheme}{separator}{rest}"), change))
}

/// Whoever wrote two backslashes for slashes wrote them in the path too. One
/// before a dot is a broken dot.
fn with_slashes(rest: &str) -> Cow<'_, str> {
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    if !rest[..end].contains('\\') {
        return Cow::Borrowed(rest);
    }
    let is_slash = |at: usize, unit: char| unit == '\\' && at < end && !rest[at + 1..].starts_with('.');
    Cow::Owned(rest.char_indices().map(|(at, unit)| if is_slash(at, unit) { '/' } else { unit }).collect())
}

pub(super) fn is_scheme_char(unit: char) -> bool {
    unit.is_ascii_alphanumeric() || matches!(unit, '+' | '-' | '.')
}

fn broken_scheme(text: &str) -> Option<(String, &str)> {
    SCHEMES.iter().find_map(|(broken, live)| {
        let rest = strip(text, broken)?;
        let (live, rest) = match strip(rest, "s") {
            Some(rest) => (format!("{live}s"), rest),
            None => ((*live).to_owned(), rest),
        };
        separator(rest).map(|_| (live, rest))
    })
}

/// `://` or `:\\`, the colon or all of it in brackets: what it stands for,
/// whether there were brackets, and the rest.
fn separator(text: &str) -> Option<(&str, bool, &str)> {
    if let Some(rest) = strip_bracketed(text, "://") {
        return Some(("://", true, rest));
    }
    let (is_bracketed, rest) = match strip_bracketed(text, ":") {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix(':')?),
    };
    let is_slash = |byte: &u8| matches!(byte, b'/' | b'\\');
    (rest.len() >= 2 && rest.as_bytes()[..2].iter().all(is_slash)).then(|| ("://", is_bracketed, &rest[2..]))
}

fn strip_bracketed<'a>(text: &'a str, inside: &str) -> Option<&'a str> {
    BRACKETS.iter().find_map(|&(open, close)| text.strip_prefix(open)?.strip_prefix(inside)?.strip_prefix(close))
}

/// Without ASCII case.
fn strip<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let start = text.get(..prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then(|| &text[prefix.len()..])
}

/// Whether a broken scheme, or any with a broken separator, begins the text.
pub(super) fn begins_broken(text: &str) -> bool {
    with_live_scheme(text).is_some()
}

fn with_live_authority(text: &str, has_base: bool, broken: bool) -> Option<(String, Origins)> {
    let (begin, any_bracket) = authority_start(text, has_base, broken)?;
    let end = begin + authority_length(&text[begin..], any_bracket);
    let mut out = String::with_capacity(text.len());
    out.push_str(&text[..begin]);
    let mut change = Origins::default();
    push_live(&text[begin..end], any_bracket, &mut out, &mut change);
    match text[end..].strip_prefix("/]") {
        Some(rest) if out[begin..].ends_with('[') => {
            out.pop();
            change.run(out.len(), end);
            out.push('/');
            change.run(out.len(), end + 2);
            out.push_str(rest);
        }
        _ => {
            change.run(out.len(), end);
            out.push_str(&text[end..]);
        }
    }
    (out.len() < text.len()).then_some((out, change))
}

/// Where the authority begins, and whether all kinds of brackets count in it.
/// None: there is none, as in `mailto:a[@]b`, or it cannot be told from a path.
fn authority_start(text: &str, has_base: bool, broken: bool) -> Option<(usize, bool)> {
    if text.starts_with("//") {
        return Some((2, true));
    }
    let word = text.find(|unit: char| !is_scheme_char(unit)).unwrap_or(text.len());
    let is_scheme = text.starts_with(|unit: char| unit.is_ascii_alphabetic());
    if is_scheme && text[word..].starts_with(':') {
        return text[word..].starts_with("://").then_some((word + 3, broken));
    }
    (!has_base).then_some((0, true))
}

/// Up to the path, query or fragment. In a broken URL `\.` is a dot.
pub(super) fn authority_length(rest: &str, any_bracket: bool) -> usize {
    let bytes = rest.as_bytes();
    let ends = |index: usize| match bytes[index] {
        b'/' | b'?' | b'#' => true,
        b'\\' => !(any_bracket && bytes.get(index + 1) == Some(&b'.')),
        _ => false,
    };
    (0..bytes.len()).find(|&index| ends(index)).unwrap_or(bytes.len())
}

/// Appends the authority. Looks back whenever a bracket closes, so that what
/// becomes a token by this is one too; spaces around a token go with it.
/// `out` ends where the authority begins, and all before it was copied.
fn push_live(authority: &str, any_bracket: bool, out: &mut String, change: &mut Origins) {
    let floor = out.len();
    let mut after_token = false;
    for (at, unit) in authority.char_indices() {
        if after_token && unit == ' ' {
            change.run(out.len(), floor + at + 1);
            continue;
        }
        out.push(unit);
        after_token = false;
        while let Some((length, live)) = token_at_end(&out[floor..], any_bracket) {
            out.truncate(out.len() - length);
            while out.len() > floor && out.ends_with(' ') {
                out.pop();
            }
            out.push(live);
            change.run(out.len(), floor + at + unit.len_utf8());
            after_token = true;
        }
    }
}

/// The length of the token that the text ends with, and what it stands for.
fn token_at_end(text: &str, any_bracket: bool) -> Option<(usize, char)> {
    let half = |token: &str| text.ends_with(token);
    if half("[.") || half(".]") || any_bracket && half("\\.") {
        return Some((2, '.'));
    }
    let &last = text.as_bytes().last()?;
    let counted = if any_bracket { BRACKETS } else { &BRACKETS[..1] };
    let &(open, close) = counted.iter().find(|(_, close)| *close == char::from(last))?;
    INSIDES.iter().find_map(|&(inside, live)| {
        let length = inside.len() + 2;
        let token = text.get(text.len().checked_sub(length)?..)?;
        let held = token.strip_prefix(open)?.strip_suffix(close)?;
        held.eq_ignore_ascii_case(inside).then_some((length, live))
    })
}
