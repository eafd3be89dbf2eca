//! The untouched road: a test, in one pass and without a byte written, that a
//! spelling is its own key. It only ever says yes where the ladder would change
//! nothing (a property test holds it to that); "no" means "climb and see".

use crate::parse::authority::may_end_in_a_number;
use crate::percent::{self, BACKSLASH, BRACKET, CLASS, PATH, PERCENT, SESSION, SPECIAL_QUERY, UNRESERVED, UNSAFE};
use crate::policy::Policy;
use crate::rungs::{Rung, RungSet};

/// What a byte means to the test; 0 is a byte to pass over.
const SLASH: u8 = 1;
const ESCAPE: u8 = 2;
const END: u8 = 3;
const EQUALS: u8 = 4;
const STOP: u8 = 5;

/// What a policy's rungs leave alone, compiled into tables.
pub(crate) struct Accept {
    host: [u8; 256],
    path: [u8; 256],
    query: [u8; 256],
    on: RungSet,
    /// Any rung that acts on a query whatever its fields.
    refuses_queries: bool,
    /// Fields must stand in order, none twice.
    ordered: bool,
}

const EVERY_QUERY: RungSet = RungSet::of(&[Rung::DropQuery, Rung::DropOpaqueParams, Rung::DropBlankParams]);
const ORDERED: RungSet = RungSet::of(&[Rung::SortQuery, Rung::SortValues, Rung::DropRepeatedPairs]);
const REPAIRS: RungSet = RungSet::of(&[Rung::TrimWrapping, Rung::Refang, Rung::AssumeScheme]);
const HOST_LABELS: RungSet = RungSet::of(&[Rung::DropWww, Rung::FoldMobileHost]);

impl Accept {
    pub(crate) fn new(on: RungSet) -> Accept {
        let mut accept = Accept {
            host: [STOP; 256],
            path: [0; 256],
            query: [0; 256],
            on,
            refuses_queries: on.meets(EVERY_QUERY),
            ordered: on.meets(ORDERED),
        };
        // What the scan would write in another way stops the test, whether the scan is on or not.
        let stop_path = PATH | BACKSLASH | UNSAFE | BRACKET | SESSION;
        let stop_query = SPECIAL_QUERY | UNSAFE | BRACKET;
        for c in 0..=255u8 {
            let at = c as usize;
            if matches!(c, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_') {
                accept.host[at] = 0;
            }
            if CLASS[at] & stop_path != 0 || (c.is_ascii_uppercase() && on.has(Rung::LowerPath)) {
                accept.path[at] = STOP;
            }
            if CLASS[at] & stop_query != 0 || (c == b';' && on.has(Rung::UnescapeHtml)) {
                accept.query[at] = STOP;
            }
            if CLASS[at] & PERCENT != 0 {
                accept.path[at] = ESCAPE;
                accept.query[at] = ESCAPE;
            }
        }
        accept.host[b'/' as usize] = END;
        accept.path[b'/' as usize] = SLASH;
        accept.path[b'?' as usize] = END;
        accept.query[b'=' as usize] = EQUALS;
        accept.query[b'&' as usize] = END;
        accept
    }

    /// Whether `text` is sure to be its own key under the policy.
    pub(crate) fn test(&self, text: &str, policy: &Policy) -> bool {
        self.walk(text, policy).is_some()
    }

    fn walk(&self, text: &str, policy: &Policy) -> Option<()> {
        let bytes = text.as_bytes();
        let from = if bytes.starts_with(b"https://") {
            8
        } else if bytes.starts_with(b"http://") && !self.on.has(Rung::FoldScheme) {
            7
        } else {
            return None;
        };
        if self.on.meets(REPAIRS) {
            return None;
        }
        let path = self.host(bytes, from)?;
        let host = &text[from..path];
        let end = self.path(bytes, path, policy)?;
        if policy.has_sites() && policy.site(host, &text[path..end]).is_some() {
            return None;
        }
        if end < bytes.len() { self.query(bytes, end + 1, host, policy) } else { Some(()) }
    }

    /// Where the path begins behind a host that no step would rewrite.
    fn host(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let mut i = from;
        while self.host[*bytes.get(i)? as usize] == 0 {
            i += 1;
        }
        let host = &bytes[from..i];
        let prefixed = || [&b"www."[..], b"m.", b"mobile."].iter().any(|label| host.starts_with(label));
        let touched = bytes[i] != b'/'
            || host.last().is_none_or(|&c| c == b'.')
            || may_end_in_a_number(host)
            || (self.on.meets(HOST_LABELS) && prefixed());
        (!touched).then_some(i)
    }

    /// Where the path that begins at `from` ends.
    fn path(&self, bytes: &[u8], from: usize, policy: &Policy) -> Option<usize> {
        let mut i = from;
        let mut segment = from;
        while let Some(&c) = bytes.get(i) {
            match self.path[c as usize] {
                0 => i += 1,
                SLASH => {
                    let next = bytes.get(i + 1);
                    if next == Some(&b'.') || (next == Some(&b'/') && self.on.has(Rung::CollapseSlashes)) {
                        return None;
                    }
                    segment = i + 1;
                    i += 1;
                }
                ESCAPE => {
                    settled_escape(bytes, i)?;
                    i += 3;
                }
                END => break,
                _ => return None,
            }
        }
        let index = self.on.has(Rung::DropIndex) && policy.is_index(&bytes[segment..i]);
        let slash = self.on.has(Rung::DropTrailingSlash) && i > from + 1 && bytes[i - 1] == b'/';
        (!index && !slash).then_some(i)
    }

    fn query(&self, bytes: &[u8], from: usize, host: &str, policy: &Policy) -> Option<()> {
        if self.refuses_queries {
            return None;
        }
        let mut last: &[u8] = b"";
        let mut at = from;
        loop {
            let (name_end, end) = self.field(bytes, at)?;
            let name = &bytes[at..name_end];
            let first = *name.first()?;
            let known = policy.session.may(first, name.len())
                || policy.signed.may(first, name.len())
                || (policy.tracking.may(first, name.len()) && policy.tracking.find(name, host).is_some());
            if known || (self.ordered && last >= name) {
                return None;
            }
            if end == bytes.len() {
                return Some(());
            }
            last = name;
            at = end + 1;
        }
    }

    /// Where the name, and where the field that begins at `from` ends.
    fn field(&self, bytes: &[u8], from: usize) -> Option<(usize, usize)> {
        let mut i = from;
        let mut name_end = usize::MAX;
        while let Some(&c) = bytes.get(i) {
            match self.query[c as usize] {
                0 => i += 1,
                EQUALS => {
                    name_end = name_end.min(i);
                    i += 1;
                }
                ESCAPE => {
                    settled_escape(bytes, i)?;
                    i += 3;
                }
                END => break,
                _ => return None,
            }
        }
        Some((name_end.min(i), i))
    }
}

/// An escape that no scan rewrites: upper-case digits, of no unreserved byte.
fn settled_escape(bytes: &[u8], at: usize) -> Option<()> {
    let byte = percent::escape_at(&bytes[at..])?;
    let lower = bytes[at + 1].is_ascii_lowercase() | bytes[at + 2].is_ascii_lowercase();
    (!lower && !percent::is(byte, UNRESERVED)).then_some(())
}
