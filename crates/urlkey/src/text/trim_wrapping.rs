//! The repair `trim_wrapping`. Knows what encloses a URL in running text, not
//! what a URL is.

use super::trim;
use crate::host::parse_host;
use crate::ladder::{Loss, Meta, Off};

/// Brackets and quotes around the whole text go.
pub static META: Meta = Meta {
    name: "trim_wrapping",
    rule: "brackets or quotes around the whole text are not part of the URL",
    section: "https://www.rfc-editor.org/rfc/rfc3986#appendix-C",
    loss: Loss::Site,
    revision: 1,
    reason: "wrapping",
    example: ("<http://example.com/>", "http://example.com/"),
};

/// What opens and what closes.
const PAIRS: &[(char, char)] = &[
    ('<', '>'),
    ('(', ')'),
    ('[', ']'),
    ('{', '}'),
    ('"', '"'),
    ('\'', '\''),
    ('`', '`'),
    ('\u{201c}', '\u{201d}'),
    ('\u{201e}', '\u{201c}'),
    ('\u{201e}', '\u{201d}'),
    ('\u{201d}', '\u{201d}'),
    ('\u{2018}', '\u{2019}'),
    ('\u{201a}', '\u{2018}'),
    ('\u{201a}', '\u{2019}'),
    ('\u{2019}', '\u{2019}'),
    ('\u{ab}', '\u{bb}'),
    ('\u{bb}', '\u{ab}'),
    ('\u{2039}', '\u{203a}'),
    ('\u{203a}', '\u{2039}'),
    ('\u{300a}', '\u{300b}'),
    ('\u{3008}', '\u{3009}'),
    ('\u{300c}', '\u{300d}'),
    ('\u{300e}', '\u{300f}'),
    ('\u{3010}', '\u{3011}'),
    ('\u{ff08}', '\u{ff09}'),
];

/// Nobody wraps deeper; a limit keeps the cost linear.
const LAYERS: usize = 8;

/// What stands inside all layers of wrapping; None if there is none, or if
/// there are more layers than anybody means.
pub(super) fn inside(text: &str) -> Option<&str> {
    let mut now = text;
    for _ in 0..=LAYERS {
        match inside_one(now) {
            Some(inside) => now = inside,
            None => return (now.len() < text.len()).then_some(now),
        }
    }
    None
}

fn inside_one(text: &str) -> Option<&str> {
    let open = text.chars().next()?;
    let close = text.chars().next_back()?;
    let inside = text.strip_prefix(open)?.strip_suffix(close)?;
    if !PAIRS.contains(&(open, close)) || !is_pair(inside, open, close) || is_ipv6(text) {
        return None;
    }
    // "The prefix 'URL:' (with or without a trailing space)", inside angle brackets.
    let url = match inside.get(..4) {
        Some(prefix) if open == '<' && prefix.eq_ignore_ascii_case("URL:") => &inside[4..],
        _ => inside,
    };
    Some(trim(url))
}

/// Whether the ends around `inside` belong to each other: `(a)(b)` is no pair.
fn is_pair(inside: &str, open: char, close: char) -> bool {
    if open == close {
        return !inside.trim_matches(open).contains(open);
    }
    let mut depth = 0_usize;
    for unit in inside.chars() {
        if unit == open {
            depth += 1;
        } else if unit == close {
            match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return false,
            }
        }
    }
    depth == 0
}

fn is_ipv6(text: &str) -> bool {
    text.starts_with('[') && parse_host(text, true, 0, &mut String::new(), &mut Off).is_ok()
}
