//! Entries of URL category exceptions of PAN-OS. Tokens stand between `. / ? & = ;
//! +`; `*` is one or more of them, `^` is one. What does not end with `/` or `*`
//! has an implicit `*` at its right. Wildcards before the host's last labels and
//! at the end are looked up; others become expressions.
//!
//! Source: <https://docs.paloaltonetworks.com/advanced-url-filtering/administration/configuring-url-filtering/url-category-exceptions/guidelines-for-url-category-exceptions>.

use super::host;
use crate::patterns::hosts::MOST_INNER;
use crate::patterns::model::{Depths, End, Fault, Field, Pattern, Read, SEPARATORS, Target};

/// "Each URL entry can be up to 255 characters in length."
const MOST: usize = 255;
/// "More than nine consecutive caret (^) wildcards."
const MOST_CARETS: usize = 9;

/// As up to 10.1: an implicit `*` at the right.
pub(super) fn read(text: &str) -> Read<Pattern> {
    read_entry(&text.to_ascii_lowercase())
}

/// As since 10.2: "appends a trailing slash to domain entries that do not end in a slash or asterisk".
pub(super) fn read_with_slash(text: &str) -> Read<Pattern> {
    let mut text = text.to_ascii_lowercase();
    if !text.contains('/') && !text.ends_with('*') {
        text.push('/');
    }
    read_entry(&text)
}

fn read_entry(text: &str) -> Read<Pattern> {
    if text.len() > MOST {
        return Err(Fault::new(MOST, "the entry is longer than 255 characters"));
    }
    if text.contains("://") {
        return Err(Fault::new(0, "an entry has no scheme"));
    }
    let end = text.find('/').unwrap_or(text.len());
    let (name, path) = (&text[..end], text.get(end + 1..));
    if let Some(at) = name.find(|c: char| c == ':' || c != '.' && SEPARATORS.contains(&(c as u8))) {
        return Err(Fault::new(at, "before the first / stands a host, without a port"));
    }
    wildcards(text)?;
    let labels: Vec<&str> = name.split('.').collect();
    let is_wild = |label: &&&str| matches!(**label, "*" | "^");
    let lead = labels.iter().take_while(is_wild).count();
    let trail = labels[lead..].iter().rev().take_while(is_wild).count();
    let literal = labels[lead..labels.len() - trail].join(".");
    let depths = match &labels[..lead] {
        [] => Some(Depths::EXACT),
        ["*"] => Some(Depths::BELOW),
        carets => carets.iter().all(|label| *label == "^").then(|| Depths::exactly(lead as u8)),
    };
    let tail = match (trail, path) {
        (0, Some(path)) => path_end(path),
        (0, None) => Some((String::new(), End::Any)),
        (1, None) if name.ends_with('*') => Some((String::new(), End::More)),
        _ => None,
    };
    let plain = !literal.is_empty() && !literal.split('.').any(|label| is_wild(&&label));
    match (depths, tail) {
        (Some(depths), Some((path, end))) if plain => {
            let at = name.find(&literal).unwrap_or(0);
            // The beginning of an address is no address.
            let is_part = !text.contains('/') && literal.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            let host = if is_part { literal } else { host(&literal, at)?.0 };
            if text.contains('/') {
                return Ok(Pattern { path, end, ..Pattern::new(Target::Tail { host, depths }) });
            }
            if lead > 0 && host.split('.').count() > MOST_INNER {
                return Err(Fault::new(at, "more than 16 labels behind a wildcard"));
            }
            Ok(Pattern { path, end, ..Pattern::new(Target::Head { host, depths, more: end == End::More }) })
        }
        _ => Ok(Pattern::new(Target::Expression { field: Field::Tokens, text: expression(name, path) })),
    }
}

/// The beginning of a path and what must follow; none where a wildcard stands within.
fn path_end(path: &str) -> Option<(String, End)> {
    let (path, end) = match path.strip_suffix('*') {
        Some(path) => (path, End::More),
        None if path.is_empty() || path.ends_with('/') => (path, End::Any),
        None => (path, End::Token),
    };
    (!path.split(is_separator).any(|token| matches!(token, "*" | "^"))).then(|| (format!("/{path}"), end))
}

fn is_separator(c: char) -> bool {
    c.is_ascii() && SEPARATORS.contains(&(c as u8))
}

/// "Wildcard characters must be the only character within a token"; no `*` after another, nor more
/// than nine `^`.
fn wildcards(text: &str) -> Read<()> {
    let (mut at, mut stars, mut carets) = (0, 0, 0);
    for token in text.split(is_separator) {
        if token.len() > 1 && token.contains(['*', '^']) {
            let wrong = at + token.find(['*', '^']).unwrap_or(0);
            return Err(Fault::new(wrong, "a wildcard must be the only character of its token"));
        }
        stars = if token == "*" { stars + 1 } else { 0 };
        carets = if token == "^" { carets + 1 } else { 0 };
        if stars > 1 {
            return Err(Fault::new(at, "no * directly after another"));
        }
        if carets > MOST_CARETS {
            return Err(Fault::new(at, "more than nine ^ one after the other"));
        }
        at += token.len() + 1;
    }
    match text.ends_with("/^") {
        true => Err(Fault::new(text.len() - 1, "no ^ directly behind the last slash")),
        false => Ok(()),
    }
}

/// The entry as an expression over host, path and query.
fn expression(name: &str, path: Option<&str>) -> String {
    let mut out = String::from("^");
    // At the end a wildcard takes what follows, paths too.
    push_tokens(name, "[^/]+", if path.is_none() { ".+" } else { "[^/]+" }, &mut out);
    if let Some(path) = path {
        out.push('/');
        push_tokens(path, ".+", ".+", &mut out);
    }
    let end = path.map_or(name, |path| if path.is_empty() { "/" } else { path });
    if !end.ends_with(['/', '*']) {
        out.push_str("(?:[./?&=;+]|$)");
    }
    out
}

fn push_tokens(text: &str, star: &str, last: &str, out: &mut String) {
    let mut pieces = text.split_inclusive(is_separator).peekable();
    while let Some(piece) = pieces.next() {
        let token = piece.trim_end_matches(is_separator);
        match token {
            "*" if token.len() == piece.len() && pieces.peek().is_none() => out.push_str(last),
            "*" => out.push_str(star),
            "^" => out.push_str("[^./?&=;+]+"),
            _ => out.push_str(&regex_syntax::escape(token)),
        }
        out.push_str(&regex_syntax::escape(&piece[token.len()..]));
    }
}
