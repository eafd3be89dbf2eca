//! A URL as the platforms read it: segments and parameters, decoded once; and
//! the shapes that ids and names have.

use std::borrow::Cow;

use smallvec::SmallVec;

use crate::percent;

/// Segments, and parameters, that fit without memory of their own.
const USUAL: usize = 6;

/// Host, segments, parameters, fragment.
pub(super) struct Link<'a> {
    pub(super) host: &'a str,
    path: SmallVec<[Cow<'a, str>; USUAL]>,
    params: SmallVec<[(Cow<'a, str>, &'a str); USUAL]>,
    fragment: &'a str,
}

impl<'a> Link<'a> {
    /// Empty segments say nothing; None where an escape is no UTF-8.
    pub(super) fn of(host: &'a str, path: &'a str, query: Option<&'a str>, fragment: Option<&'a str>) -> Option<Self> {
        let path = path.split('/').filter(|segment| !segment.is_empty()).map(decoded).collect::<Option<_>>()?;
        let params = query.map(fields).unwrap_or_default();
        Some(Link { host, path, params, fragment: fragment.unwrap_or_default() })
    }

    pub(super) fn segments(&self) -> SmallVec<[&str; USUAL]> {
        self.path.iter().map(|segment| &**segment).collect()
    }

    /// The value of a parameter, decoded. None too where it stands there twice
    /// with two values: nobody can say which one counts.
    pub(super) fn param(&self, name: &str) -> Option<String> {
        let mut found = None;
        for (_, value) in self.params().filter(|(given, _)| given == name) {
            let value = decoded(value)?.into_owned();
            if found.as_ref().is_some_and(|first| *first != value) {
                return None;
            }
            found = Some(value);
        }
        found.filter(|value| !value.is_empty())
    }

    /// Name, decoded, and value, as it stands, of each parameter.
    pub(super) fn params(&self) -> impl Iterator<Item = &(Cow<'a, str>, &'a str)> {
        self.params.iter()
    }

    /// Whether one of the names stands there.
    pub(super) fn has_any(&self, names: &[&str]) -> bool {
        self.params().any(|(name, _)| names.contains(&&**name))
    }

    pub(super) fn fragment(&self) -> &'a str {
        self.fragment
    }
}

/// Name and value of each parameter; `amp;` in front of a name is what HTML left there.
fn fields<'a>(query: &'a str) -> SmallVec<[(Cow<'a, str>, &'a str); USUAL]> {
    let fields = query.split('&').filter(|field| !field.is_empty());
    let parts = fields.filter_map(|field| {
        let (mut name, value) = field.split_once('=').unwrap_or((field, ""));
        while let Some(rest) = name.strip_prefix("amp;") {
            name = rest;
        }
        Some((decoded(name)?, value))
    });
    parts.collect()
}

/// The text with its escapes decoded, once.
fn decoded(text: &str) -> Option<Cow<'_, str>> {
    match percent::decode(text.as_bytes()) {
        Cow::Borrowed(_) => Some(Cow::Borrowed(text)),
        Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
    }
}

/// A segment as canonical URLs write it: all but unreserved is escaped.
pub(super) fn encoded(segment: &str) -> String {
    let mut out = String::with_capacity(segment.len());
    for &byte in segment.as_bytes() {
        match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'.' | b'_' | b'~' => out.push(byte as char),
            _ => percent::push_escape(&mut out, byte),
        }
    }
    out
}

/// A number as ids are: no sign, no more digits than 64 bits fill.
pub(super) fn digits(text: &str) -> bool {
    (1..=20).contains(&text.len()) && text.bytes().all(|c| c.is_ascii_digit())
}

/// Letters, digits and these, between so many and so many.
pub(super) fn word(text: &str, also: &str, least: usize, most: usize) -> bool {
    (least..=most).contains(&text.len()) && text.chars().all(|c| c.is_ascii_alphanumeric() || also.contains(c))
}

/// The alphabet of base64url.
pub(super) fn code(text: &str, least: usize, most: usize) -> bool {
    word(text, "-_", least, most)
}

/// A name that may be beyond ASCII; never one that the path would swallow.
pub(super) fn name(text: &str, also: &str, most: usize) -> bool {
    let part = |c: char| match c.is_ascii() {
        true => c.is_ascii_alphanumeric() || also.contains(c),
        false => {
            !c.is_control() && !c.is_whitespace() && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        }
    };
    !text.is_empty() && text.chars().count() <= most && text.chars().all(part) && !matches!(text, "." | "..")
}
