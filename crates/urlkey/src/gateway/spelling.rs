//! What strict checks refuse: spellings that parsers read differently, found in
//! the text as it was given. Must not know where the URL leads.

use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, Script};
use idna::uts46::{AsciiDenyList, Hyphens, Uts46};

use super::reasons::{Reason, Why};
use crate::forms::nameprep::{self, Unassigned};
use crate::host::ends_in_a_number;
use crate::ip::Address;
use crate::ladder::Part;
use crate::scheme::Scheme;
use crate::split::Split;

/// The part of the text that a byte is in.
pub(super) fn part_at(split: &Split, at: usize) -> Option<Part> {
    let parts = [
        (Part::Scheme, split.scheme.start..split.colon.end),
        (Part::Slashes, split.slashes.clone()),
        (Part::Userinfo, split.userinfo.clone()),
        (Part::Host, split.host.clone()),
        (Part::Port, split.port.clone()),
        (Part::Path, split.path.clone()),
        (Part::Query, split.query.clone()),
        (Part::Fragment, split.fragment.clone()),
    ];
    parts.into_iter().find(|(_, range)| range.contains(&at)).map(|(part, _)| part)
}

/// All that is odd about the text. Cost: linear.
pub(super) fn oddities(text: &[u8], split: &Split) -> Vec<Reason> {
    let mut found = Vec::new();
    characters(text, split, &mut found);
    if is_special(&text[split.scheme.clone()]) && &text[split.slashes.clone()] != b"//" {
        found.push(Reason::of(Why::Slashes, split.slashes.start, Some(Part::Slashes)));
    }
    if !split.userinfo.is_empty() {
        found.push(Reason::of(Why::Userinfo, split.userinfo.start, Some(Part::Userinfo)));
    }
    host(&text[split.host.clone()], split.host.start, &mut found);
    port(&text[split.port.clone()], split.port.start, &mut found);
    if split.path.is_empty()
        && let Some(at) = text[split.query.start..split.fragment.end].iter().position(|&byte| byte == b'@')
    {
        let at = split.query.start + at;
        found.push(Reason::of(Why::AtSignOutside, at, part_at(split, at)));
    }
    found
}

/// Whether a host follows the scheme whatever the slashes.
fn is_special(scheme: &[u8]) -> bool {
    std::str::from_utf8(scheme).is_ok_and(|scheme| Scheme::of(&scheme.to_ascii_lowercase()).is_special())
}

/// Characters that no URL needs, wherever they stand; each cause once.
fn characters(text: &[u8], split: &Split, found: &mut Vec<Reason>) {
    let mut told = [false; 4];
    let mut tell = |code: Why, at: usize, slot: usize| {
        if !std::mem::replace(&mut told[slot], true) {
            found.push(Reason::of(code, at, part_at(split, at)));
        }
    };
    let mut at = 0;
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => tell(Why::Backslash, at, 0),
                '!'..='~' => {}
                _ if c.is_control() => tell(Why::ControlCharacter, at, 1),
                _ if c.is_whitespace() => tell(Why::WhiteSpace, at, 2),
                _ => {}
            }
            at += c.len_utf8();
        }
        if !chunk.invalid().is_empty() {
            tell(Why::NotUtf8, at, 3);
        }
        at += chunk.invalid().len();
    }
}

fn host(host: &[u8], at: usize, found: &mut Vec<Reason>) {
    let mut tell = |code: Why, offset: usize| found.push(Reason::of(code, at + offset, Some(Part::Host)));
    let Ok(text) = std::str::from_utf8(host) else { return };
    let escape = text.find('%');
    if text.starts_with('[') {
        if let Some(escape) = escape {
            tell(Why::ZoneId, escape);
        }
        if let Ok(address) = Address::parse(text)
            && (text.contains('.') || !crate::ip::classify(address).embedded.is_empty())
        {
            tell(Why::EmbeddedIpv4, 0);
        }
        return;
    }
    if let Some(escape) = escape {
        tell(Why::PercentEncodedHost, escape);
    }
    if text.ends_with('.') {
        tell(Why::TrailingDot, text.len() - 1);
    }
    if ends_in_a_number(host) && !matches!(Address::parse(text), Ok(Address::V4(_))) {
        tell(Why::NumberFormIpv4, 0);
    }
    if !text.is_ascii() {
        beyond_ascii(text, tell);
    }
}

/// "Deviation characters" of UTS #46, section 4, table 1: valid, and others under IDNA 2003.
const DEVIATIONS: [char; 5] = ['ß', 'ẞ', 'ς', '\u{200C}', '\u{200D}'];

fn beyond_ascii(text: &str, mut tell: impl FnMut(Why, usize)) {
    let first = text.find(|c: char| !c.is_ascii()).unwrap_or(0);
    let symbol = text.split('.').find_map(from_symbol).map(|from| from.as_ptr() as usize - text.as_ptr() as usize);
    if let Some(at) = symbol {
        tell(Why::IdnSymbol, at);
    }
    let ascii = crate::host::to_ascii(text).ok();
    // What has not moved on from IDNA 2003, Python's own resolver among it, asks for this name.
    let before = nameprep::to_ascii(text, Unassigned::Allowed);
    let moved = before.zip(ascii.as_ref()).is_some_and(|(before, ascii)| !before.eq_ignore_ascii_case(ascii));
    if let Some(at) = text.find(DEVIATIONS).or(moved.then_some(first)) {
        tell(Why::IdnDeviation, at);
    }
    if !ascii.is_some_and(|ascii| is_standard_form(text, &ascii)) {
        tell(Why::IdnMapped, first);
    }
}

/// Whether a host beyond ASCII is what its ASCII form says, but for the case of ASCII letters.
/// Python's `urlsplit` lower-cases the others by tables of its own: none may change.
fn is_standard_form(text: &str, ascii: &str) -> bool {
    let (unicode, valid) = Uts46::new().to_unicode(ascii.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow);
    let lower = |c: char| c.is_ascii() || c.to_lowercase().eq([c]);
    valid.is_ok() && unicode == text.to_ascii_lowercase() && text.chars().all(lower)
}

/// The label from its first symbol on, if it holds one.
fn from_symbol(label: &str) -> Option<&str> {
    let scripts = CodePointMapData::<Script>::new();
    // "At least one character in the label" is Hiragana, Katakana or Han: RFC 5892, appendix A.7.
    let japanese = label.chars().any(|c| matches!(scripts.get(c), Script::Hiragana | Script::Katakana | Script::Han));
    let plain = |c: char| c.is_ascii() || may_stand_in_a_name(c) || japanese && c == KATAKANA_MIDDLE_DOT;
    label.find(|c| !plain(c)).map(|at| &label[at..])
}

/// A dot to the eye, and a letter of names in Japanese.
const KATAKANA_MIDDLE_DOT: char = '・';

/// "The label must not contain a U+002D HYPHEN-MINUS character in both the third and
/// fourth positions", nor begin or end with one: UTS #46, section 4.1.
pub(super) fn has_odd_hyphens(label: &str) -> bool {
    label.starts_with('-') || label.ends_with('-') || label.chars().skip(2).take(2).eq(['-', '-'])
}

/// "LetterDigits" of RFC 5892, section 2.1, and 〇, an exception of its section 2.6.
fn may_stand_in_a_name(c: char) -> bool {
    use GeneralCategory as G;
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    let letter = matches!(category, G::LowercaseLetter | G::UppercaseLetter | G::OtherLetter | G::ModifierLetter);
    let mark = matches!(category, G::NonspacingMark | G::SpacingMark);
    letter || mark || category == G::DecimalNumber || c == '〇'
}

fn port(port: &[u8], at: usize, found: &mut Vec<Reason>) {
    match port {
        [] => {}
        [_] => found.push(Reason::of(Why::EmptyPort, at, Some(Part::Port))),
        [_, b'0', _, ..] => found.push(Reason::of(Why::PortLeadingZero, at + 1, Some(Part::Port))),
        _ => {}
    }
}
