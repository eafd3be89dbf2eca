//! The query: decoded, session ids dropped, parameters in order. Must not know
//! the rest of the URL.

use super::{Flavor, Options, Scratch, escape};

/// A parameter: where it begins, where its name ends, where it ends.
pub(super) type Field = (usize, usize, usize);

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
        reorder(begin, scratch, key);
    }
    if options.query_strip_empty && key.len() == begin {
        key.truncate(before);
    }
}

/// Sorts by name, then value; a name without `=` before the same name with.
fn reorder(begin: usize, scratch: &mut Scratch, key: &mut [u8]) {
    let query = &key[begin..];
    if memchr::memchr(b'&', query).is_none() {
        return;
    }
    let (fields, spare) = (&mut scratch.fields, &mut scratch.spare);
    fields.clear();
    let mut from = 0;
    for end in memchr::memchr_iter(b'&', query).chain([query.len()]) {
        let name = memchr::memchr(b'=', &query[from..end]).map_or(end, |sign| from + sign);
        fields.push((from, name, end));
        from = end + 1;
    }
    // A value begins with its `=`, which a name alone does not have.
    let parts = |&(from, name, end): &Field| (&query[from..name], &query[name..end]);
    if fields.is_sorted_by_key(parts) {
        return;
    }
    fields.sort_by(|a, b| parts(a).cmp(&parts(b)));
    spare.clear();
    for (place, &(from, _, end)) in fields.iter().enumerate() {
        if place > 0 {
            spare.push(b'&');
        }
        spare.extend_from_slice(&query[from..end]);
    }
    key[begin..].copy_from_slice(spare);
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
    if query.len() < 16 || !may_hold_session(query) {
        return;
    }
    // webarchive-commons asks the query as it came whether a token is in it at all.
    let tokens = [&b"jsessionid="[..], b"phpsessid=", b"sid=", b"aspsessionid", b"cftoken="];
    let tried = tokens.map(|token| !java || query.windows(token.len()).any(|part| part.eq_ignore_ascii_case(token)));
    for (session, tried) in SESSIONS.iter().zip(tried) {
        if tried {
            drop_last(begin, key, |query| last_session(query, session));
        }
    }
    if tried[4] {
        drop_last(begin, key, last_cold_fusion);
    }
}

fn may_hold_session(query: &[u8]) -> bool {
    query.split(|&byte| byte == b'&').any(|field| {
        let sign = |from_end: usize| field.len().checked_sub(from_end).is_some_and(|at| field[at] == b'=');
        sign(33) || sign(25) || field.len() > 8 && field[..8].eq_ignore_ascii_case(b"cftoken=")
    })
}

fn drop_last(begin: usize, key: &mut Vec<u8>, find: impl Fn(&[u8]) -> Option<(usize, usize)>) {
    if let Some((from, to)) = find(&key[begin..]) {
        let behind = usize::from(begin + to < key.len());
        key.drain(begin + from..begin + to + behind);
    }
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
