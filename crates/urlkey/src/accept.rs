//! The untouched road: a test, in one pass and without a byte written, of how
//! much of a spelling is its own key: all of it, or scheme, host and path. It
//! only ever says yes where the ladder would change nothing (a property test
//! holds it to that); "no" means "climb and see".

use crate::blocks::{Block, EVERY, WIDTH};
use crate::parse::authority::may_end_in_a_number;
use crate::percent::{self, BACKSLASH, BRACKET, CLASS, PATH, PERCENT, SESSION, SPECIAL_QUERY, UNRESERVED, UNSAFE};
use crate::policy::Policy;
use crate::query::{BLANK, EMPTY, Fields, SESSION as SESSION_NAME, SIGNED, SITE, TRACKING, UNORDERED};
use crate::rungs::{Rung, RungSet};
use crate::url::Front;

/// What a byte means to the test, bits that are OR-ed on the way: a branch
/// where text is irregular costs more than the byte.
const SLASH: u8 = 1;
/// What may not stand behind a slash; a slash too, where slashes are collapsed.
const BEHIND_SLASH: u8 = 1 << 1;
/// The run ends here, for one of three reasons.
const ESCAPE: u8 = 1 << 5;
const END: u8 = 1 << 6;
const STOP: u8 = 1 << 7;
const HALT: u8 = ESCAPE | END | STOP;

/// What a policy's rungs leave alone, compiled into tables.
pub(crate) struct Accept {
    host: [u8; 256],
    path: [u8; 256],
    on: RungSet,
    /// Letters are left alone in either case: blocks may be passed over.
    blocks: bool,
    /// Some rung may act on a query whatever its fields.
    refuses_queries: bool,
    /// What no field of a query may be.
    unwanted: u8,
}

/// How much of a spelling is its own key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accepted {
    Whole,
    /// All but a fragment, which goes.
    UpTo(usize),
    /// Scheme, host and path, perhaps with a query to climb with.
    Front(Front),
    Nothing,
}

const EVERY_QUERY: RungSet = RungSet::of(&[Rung::DropQuery, Rung::DropOpaqueParams, Rung::UnescapeHtml]);
const ORDERED: RungSet = RungSet::of(&[Rung::SortQuery, Rung::SortValues, Rung::DropRepeatedPairs]);
const REPAIRS: RungSet = RungSet::of(&[Rung::TrimWrapping, Rung::Refang, Rung::AssumeScheme]);
const HOST_LABELS: RungSet = RungSet::of(&[Rung::DropWww, Rung::FoldMobileHost, Rung::FoldAmpHost]);

impl Accept {
    pub(crate) fn new(on: RungSet) -> Accept {
        let mut accept = Accept {
            host: [STOP; 256],
            path: [0; 256],
            on,
            blocks: !on.has(Rung::LowerPath),
            refuses_queries: on.meets(EVERY_QUERY),
            unwanted: unwanted(on),
        };
        // What the scan would write in another way stops the test, whether the scan is on or not.
        let stop_path = PATH | BACKSLASH | UNSAFE | BRACKET | SESSION;
        for c in 0..=255u8 {
            let at = c as usize;
            if matches!(c, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_') {
                accept.host[at] = 0;
            }
            if CLASS[at] & stop_path != 0 || (c.is_ascii_uppercase() && on.has(Rung::LowerPath)) {
                accept.path[at] = STOP;
            }
            if CLASS[at] & PERCENT != 0 {
                accept.path[at] = ESCAPE;
            }
        }
        accept.host[b'/' as usize] = END;
        accept.path[b'/' as usize] = SLASH | if on.has(Rung::CollapseSlashes) { BEHIND_SLASH } else { 0 };
        accept.path[b'.' as usize] = BEHIND_SLASH;
        accept.path[b'?' as usize] = END;
        accept.path[b'#' as usize] = END;
        accept
    }

    /// How much of `text` is sure to be its own key under the policy.
    #[inline]
    pub(crate) fn test(&self, text: &str, policy: &Policy, fields: &mut Fields) -> Accepted {
        let Some(mut front) = self.front(text, policy) else { return Accepted::Nothing };
        let bytes = text.as_bytes();
        let path_to = front.path_to as usize;
        let mut end = path_to;
        if bytes.get(path_to) == Some(&b'?') {
            let (query_to, bits) = fields.scan(bytes, path_to + 1, &policy.classes);
            if bits & (SPECIAL_QUERY | UNSAFE) != 0 || (bits & PERCENT != 0 && !all_settled(&bytes[path_to..query_to]))
            {
                return Accepted::Front(front);
            }
            end = query_to;
            front.query_to = Some(end as u32);
            front.query_bits = bits & (BRACKET | SESSION);
            let reasons = fields.seen & self.unwanted;
            let touched = bits & BRACKET != 0
                || (reasons != 0 && (reasons != SITE || site_acts(&text[path_to + 1..end], policy, fields)))
                || end == path_to + 1;
            if touched || self.refuses_queries {
                // A rule may read the whole href, fragment and all.
                let read = policy.asks_hosts && policy.sites().reads_href();
                front.ends_there = end == bytes.len() || (!read && self.fragment_goes(bytes, end));
                return Accepted::Front(front);
            }
        }
        if end == bytes.len() {
            Accepted::Whole
        } else if self.fragment_goes(bytes, end) {
            Accepted::UpTo(end)
        } else {
            Accepted::Front(front)
        }
    }

    /// Whether the fragment whose `#` stands at `at` is sure to be dropped.
    fn fragment_goes(&self, bytes: &[u8], at: usize) -> bool {
        // A tab or line break goes before anybody looks, and a route may stand behind it.
        let route = matches!(bytes.get(at + 1), Some(b'!' | b'/' | b'\t' | b'\n' | b'\r'));
        self.on.has(Rung::DropFragment) || (self.on.has(Rung::DropAnchor) && !route)
    }

    /// Scheme, host and path, if nothing is to be done about them.
    fn front(&self, text: &str, policy: &Policy) -> Option<Front> {
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
        let end = self.path(bytes, path, policy)?;
        let has_query = bytes.get(end) == Some(&b'?');
        if policy.asks_hosts && policy.reach(&text[from..path], &text[path..end], has_query) {
            return None;
        }
        Some(Front {
            host_from: from as u32,
            host_to: path as u32,
            path_to: end as u32,
            query_to: None,
            query_bits: 0,
            ends_there: false,
        })
    }

    /// Where the path begins behind a host that no step would rewrite.
    fn host(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let mut i = from;
        while let Some(block) = Block::at(bytes, i) {
            // `,` and `:` are common too, and no part of a host: the table has the last word.
            let end = !block.common() | block.is(b'/') | block.is_either(b',', b':');
            i += end.trailing_zeros().min(WIDTH as u32) as usize;
            if end & EVERY != 0 {
                break;
            }
        }
        while self.host[*bytes.get(i)? as usize] == 0 {
            i += 1;
        }
        let host = &bytes[from..i];
        let prefixed = || [&b"www."[..], b"m.", b"mobile.", b"amp."].iter().any(|label| host.starts_with(label));
        let touched = bytes[i] != b'/'
            || host.last().is_none_or(|&c| c == b'.')
            || may_end_in_a_number(host)
            || (self.on.meets(HOST_LABELS) && prefixed());
        (!touched).then_some(i)
    }

    /// Where the path that begins at `from` ends.
    #[inline]
    fn path(&self, bytes: &[u8], from: usize, policy: &Policy) -> Option<usize> {
        let (mut i, mut last, mut pairs) = (from, 0u8, 0u8);
        while let Some(block) = self.blocks.then(|| Block::at(bytes, i)).flatten() {
            let slashes = block.is(b'/');
            let behind = slashes << 1 | u32::from(last & SLASH);
            let doubled = if self.on.has(Rung::CollapseSlashes) { slashes } else { 0 };
            let rare = !block.common_any_case() & EVERY;
            let plain = rare.wrapping_sub(1) & !rare & EVERY;
            if behind & (block.is(b'.') | doubled) & plain != 0 {
                return None;
            }
            let run = rare.trailing_zeros().min(WIDTH as u32) as usize;
            i += run;
            last = if run == 0 { last } else { (slashes >> (run - 1) & 1) as u8 };
            if run == WIDTH {
                continue;
            }
            // One byte that is not common: the table says what it is.
            let class = self.path[bytes[i] as usize];
            if class & HALT != 0 {
                break;
            }
            last = class & SLASH;
            i += 1;
        }
        while let Some(&c) = bytes.get(i) {
            let class = self.path[c as usize];
            if class & HALT != 0 {
                if class & ESCAPE == 0 {
                    break;
                }
                settled_escape(bytes, i)?;
                i += 3;
                last = 0;
                continue;
            }
            pairs |= (last << 1) & class;
            last = class;
            i += 1;
        }
        let stopped = bytes.get(i).is_some_and(|&c| self.path[c as usize] & STOP != 0);
        if stopped || pairs & BEHIND_SLASH != 0 {
            return None;
        }
        let segment = || memchr::memrchr(b'/', &bytes[from..i]).map_or(from, |slash| from + slash + 1);
        let index = self.on.has(Rung::DropIndex) && policy.is_index(&bytes[segment()..i]);
        let slash = self.on.has(Rung::DropTrailingSlash) && i > from + 1 && bytes[i - 1] == b'/';
        (!index && !slash).then_some(i)
    }
}

/// Whether a rule for any host may change one of the fields; their bits alone let many through.
fn site_acts(query: &str, policy: &Policy, fields: &Fields) -> bool {
    fields.list.iter().any(|field| field.class & SITE != 0 && policy.sites().acts_on(field.name(query)))
}

/// What a field may not be for the rungs to leave it alone.
fn unwanted(on: RungSet) -> u8 {
    let mut unwanted = TRACKING | SESSION_NAME | SIGNED | EMPTY | SITE;
    if on.has(Rung::DropBlankParams) {
        unwanted |= BLANK;
    }
    if on.meets(ORDERED) {
        unwanted |= UNORDERED;
    }
    unwanted
}

/// Whether every `%` begins an escape that no scan rewrites.
fn all_settled(bytes: &[u8]) -> bool {
    memchr::memchr_iter(b'%', bytes).all(|at| settled_escape(bytes, at).is_some())
}

/// An escape that no scan rewrites: upper-case digits, of no unreserved byte.
fn settled_escape(bytes: &[u8], at: usize) -> Option<()> {
    let byte = percent::escape_at(&bytes[at..])?;
    let lower = bytes[at + 1].is_ascii_lowercase() | bytes[at + 2].is_ascii_lowercase();
    (!lower && !percent::is(byte, UNRESERVED)).then_some(())
}
