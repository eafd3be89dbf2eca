//! The query: decoded, session ids dropped, parameters in order. Must not know
//! the rest of the URL.

use super::{Flavor, Options, Scratch, escape};
use std::cmp::Ordering;

/// A parameter: where it begins in the key, and where it ends.
pub(super) type Field = (usize, usize);

/// Appends `?` and the canonical query; `no_path`: a slash stands in for the path.
pub(super) fn write(query: &[u8], no_path: bool, options: &Options, scratch: &mut Scratch, key: &mut Vec<u8>) {
    let before = key.len();
    let java = options.flavor == Flavor::Java;
    if no_path && (java || !query.is_empty()) {
        key.push(b'/');
    }
    key.push(b'?');
    let begin = key.len();
    match java {
        true => escape::unescape_utf8(query, key),
        false => escape::unescape(query, key),
    }
    escape::escape(begin, java, &mut scratch.spare, key);
    if options.query_strip_session_id {
        strip_sessions(begin, java, key);
    }
    if options.query_lowercase {
        key[begin..].make_ascii_lowercase();
    }
    if options.query_alpha_reorder {
        split(begin, key, &mut scratch.fields);
        order(begin, scratch, key);
    }
    if options.query_strip_empty && key.len() == begin {
        key.truncate(before);
    }
}

/// What is left to do to a query in lower case with nothing to decode: session ids and order. It begins at
/// `begin`, behind its `?`, and its fields are in `scratch`.
pub(super) fn finish(begin: usize, scratch: &mut Scratch, key: &mut Vec<u8>) {
    let kinds = scratch.fields.iter().fold(0, |kinds, &(from, to)| kinds | sessions_in(&key[from..to]));
    if kinds != 0 {
        strip_kinds(begin, false, kinds, key);
        split(begin, key, &mut scratch.fields);
    }
    order(begin, scratch, key);
    if key.len() == begin {
        key.truncate(begin - 1);
    }
}

/// The fields of the query that begins at `begin`.
fn split(begin: usize, key: &[u8], fields: &mut Vec<Field>) {
    fields.clear();
    let mut from = begin;
    for end in memchr::memchr_iter(b'&', &key[begin..]).map(|sign| begin + sign).chain([key.len()]) {
        fields.push((from, end));
        from = end + 1;
    }
}

/// Sorts by name, then value; a name without `=` before the same name with.
fn order(begin: usize, scratch: &mut Scratch, key: &mut [u8]) {
    let (fields, heads, spare) = (&scratch.fields, &mut scratch.heads, &mut scratch.spare);
    if fields.len() < 2 {
        return;
    }
    heads.clear();
    heads.extend(fields.iter().map(|&(from, to)| Head { first: first_eight(&key[from..to]), field: (from, to) }));
    let field = |head: &Head| &key[head.field.0..head.field.1];
    let in_order = |a: &Head, b: &Head| a.first.cmp(&b.first).then_with(|| compare(field(a), field(b)));
    if heads.windows(2).all(|two| in_order(&two[0], &two[1]).is_le()) {
        return;
    }
    heads.sort_unstable_by(in_order);
    spare.clear();
    for field in heads.iter().map(field) {
        spare.extend_from_slice(field);
        spare.push(b'&');
    }
    let length = key.len() - begin;
    key[begin..].copy_from_slice(&spare[..length]);
}

/// A parameter, and its first bytes as a number that is in their order.
#[derive(Debug)]
pub(super) struct Head {
    first: u64,
    field: Field,
}

/// The first eight bytes of a parameter as a number: zeros stand behind its end, and a 1 for the `=` behind the name,
/// which come before all that a query holds. Numbers that differ are in the order of `compare`.
#[inline]
fn first_eight(field: &[u8]) -> u64 {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    const SIGNS: u64 = ONES * b'=' as u64;
    let first = match field.first_chunk::<8>() {
        Some(first) => u64::from_be_bytes(*first),
        None => field.iter().fold(0, |first, &byte| first << 8 | u64::from(byte)) << ((8 * (8 - field.len())) % 64),
    };
    // Bytes are below 0x80: one that is none makes no borrow.
    let others = first ^ SIGNS;
    let signs = !((others & !HIGH) + (HIGH - ONES)) & !others & HIGH;
    match signs {
        0 => first,
        _ => {
            let place = signs.leading_zeros() & !7;
            first & !(0xFF_u64 << 56 >> place) | 1_u64 << 56 >> place
        }
    }
}

/// By name, then value, without a search for the `=`: where two fields begin to differ, a name ends there,
/// or both are still in the name, or both in the value.
fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    match (a.get(same), b.get(same)) {
        (Some(&x), Some(&y)) if (x == b'=' || y == b'=') && !a[..same].contains(&b'=') => (x != b'=').cmp(&(y != b'=')),
        (x, y) => x.cmp(&y),
    }
}

/// A session id in one parameter: what the parameter ends in. The name, a number of letters behind
/// it, and the number and kind of the value's bytes.
struct Session {
    name: &'static [u8],
    letters: usize,
    value: usize,
    is_value: fn(&u8) -> bool,
}

const SESSIONS: [Session; 4] = [
    Session { name: b"jsessionid", letters: 0, value: 32, is_value: u8::is_ascii_alphanumeric },
    Session { name: b"phpsessid", letters: 0, value: 32, is_value: u8::is_ascii_alphanumeric },
    Session { name: b"sid", letters: 0, value: 32, is_value: u8::is_ascii_alphanumeric },
    Session { name: b"aspsessionid", letters: 8, value: 24, is_value: u8::is_ascii_alphabetic },
];

impl Session {
    /// Where the session id begins that ends this parameter.
    fn find(&self, field: &[u8]) -> Option<usize> {
        let sign = field.len().checked_sub(self.value + 1)?;
        let letters = sign.checked_sub(self.letters)?;
        let begin = letters.checked_sub(self.name.len())?;
        (field[sign] == b'='
            && field[begin..letters].eq_ignore_ascii_case(self.name)
            && field[letters..sign].iter().all(u8::is_ascii_alphabetic)
            && field[sign + 1..].iter().all(self.is_value))
        .then_some(begin)
    }
}

/// Of each kind, in this order, drops the last session id that ends a parameter, and the `&` behind
/// it; a name may begin in the middle of another.
fn strip_sessions(begin: usize, java: bool, key: &mut Vec<u8>) {
    let query = &key[begin..];
    // The shortest has 16 bytes: `cfid=1&cftoken=2`.
    if query.len() < 16 {
        return;
    }
    let kinds = query.split(|&byte| byte == b'&').fold(0, |kinds, field| kinds | sessions_in(field));
    if kinds != 0 {
        strip_kinds(begin, java, kinds, key);
    }
}

fn strip_kinds(begin: usize, java: bool, mut kinds: u8, key: &mut Vec<u8>) {
    // webarchive-commons asks the query as it came whether a token is in it at all.
    let tokens = [&b"jsessionid="[..], b"phpsessid=", b"sid=", b"aspsessionid", b"cftoken="];
    let query = &key[begin..];
    let tried = tokens.map(|token| !java || query.windows(token.len()).any(|part| part.eq_ignore_ascii_case(token)));
    for (kind, tried) in tried.into_iter().enumerate() {
        let found = match SESSIONS.get(kind) {
            _ if !tried || kinds & 1 << kind == 0 => None,
            Some(session) => last_session(&key[begin..], session),
            None => last_cold_fusion(&key[begin..]),
        };
        if let Some((from, to)) = found {
            let behind = usize::from(begin + to < key.len());
            key.drain(begin + from..begin + to + behind);
            // What stood before it is one field with what stood behind.
            kinds = EVERY_KIND;
        }
    }
}

const LETTERS_32: u8 = 0b111;
const LETTERS_24: u8 = 0b1000;
const COLD_FUSION: u8 = 0b1_0000;
const EVERY_KIND: u8 = LETTERS_32 | LETTERS_24 | COLD_FUSION;

/// The kinds of session id, by number, that may end this field, by the place of its `=` and what stands before
/// it, or end in it.
#[inline]
fn sessions_in(field: &[u8]) -> u8 {
    let mut kinds = 0;
    if before_sign(field, 33).is_some_and(|name| ends_with(name, b"id")) {
        kinds |= LETTERS_32;
    }
    if before_sign(field, 25).is_some_and(|name| name.len() >= 8 && ends_with(&name[..name.len() - 8], b"sessionid")) {
        kinds |= LETTERS_24;
    }
    if field.len() > 8 && field[..8].eq_ignore_ascii_case(b"cftoken=") {
        kinds |= COLD_FUSION;
    }
    kinds
}

/// What stands before the `=` that is the byte of this number from the end.
#[inline]
fn before_sign(field: &[u8], from_end: usize) -> Option<&[u8]> {
    let at = field.len().checked_sub(from_end)?;
    (field[at] == b'=').then(|| &field[..at])
}

fn ends_with(text: &[u8], end: &[u8]) -> bool {
    text.len().checked_sub(end.len()).is_some_and(|at| text[at..].eq_ignore_ascii_case(end))
}

fn last_session(query: &[u8], session: &Session) -> Option<(usize, usize)> {
    let mut end = query.len();
    loop {
        let from = memchr::memrchr(b'&', &query[..end]).map_or(0, |sign| sign + 1);
        if let Some(begin) = session.find(&query[from..end]) {
            return Some((from + begin, end));
        }
        end = from.checked_sub(1)?;
    }
}

/// `cfid=1&cftoken=2`, the last such pair.
fn last_cold_fusion(query: &[u8]) -> Option<(usize, usize)> {
    let mut end = query.len();
    loop {
        let token = memchr::memrchr(b'&', &query[..end])? + 1;
        let field = &query[token..end];
        let from = memchr::memrchr(b'&', &query[..token - 1]).map_or(0, |sign| sign + 1);
        let id = &query[from..token - 1];
        // A byte of the id has to be left behind the name.
        let found = id
            .len()
            .checked_sub(1)
            .and_then(|most| id[..most].windows(5).rposition(|part| part.eq_ignore_ascii_case(b"cfid=")));
        match found {
            Some(begin) if field.len() > 8 && field[..8].eq_ignore_ascii_case(b"cftoken=") => {
                return Some((from + begin, end));
            }
            _ => end = token - 1,
        }
    }
}
