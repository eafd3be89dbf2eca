//! The query as w3lib writes it: decoded as a form, sorted by name and value,
//! encoded as a form.

use std::borrow::Cow;
use std::ops::Range;

use super::parts::cut;
use super::{Error, FORM, Options, RAW, escape, escaped, is, run};
use crate::percent::escape_at;

/// A name and a value, each a range of the decoded text.
type Field = (Range<usize>, Range<usize>);

/// Appends `?` and the parameters, or nothing where there are none.
pub(super) fn write(query: &[u8], special: bool, options: &Options<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    if query.is_empty() {
        return Ok(());
    }
    let separator = options.separator.as_bytes();
    let raw = match separator {
        // No escape is made of these, and none holds them.
        b"&" | b";" => Cow::Borrowed(query),
        b"" => return Err(Error::EmptySeparator),
        _ => Cow::Owned(quoted(query, special)),
    };
    let mut decoded = Vec::with_capacity(raw.len());
    let mut fields = Vec::with_capacity(8);
    read(&raw, separator, options.keep_blank_values, &mut decoded, &mut fields);
    let key = |field: &Field| (&decoded[field.0.clone()], &decoded[field.1.clone()]);
    if !fields.is_sorted_by(|a, b| key(a) <= key(b)) {
        fields.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
    }
    for (index, field) in fields.iter().enumerate() {
        let (name, value) = key(field);
        match index {
            0 => out.push(b'?'),
            _ => out.extend_from_slice(separator),
        }
        encode(name, out);
        out.push(b'=');
        encode(value, out);
    }
    Ok(())
}

fn read(raw: &[u8], separator: &[u8], blank: bool, decoded: &mut Vec<u8>, fields: &mut Vec<Field>) {
    let mut rest = Some(raw);
    while let Some(text) = rest {
        let end = match separator {
            [byte] => memchr::memchr(*byte, text),
            _ => memchr::memmem::find(text, separator),
        };
        let field = &text[..end.unwrap_or(text.len())];
        rest = end.map(|end| &text[end + separator.len()..]);
        let (name, value) = cut(field, b'=');
        if field.is_empty() || value.is_empty() && !blank {
            continue;
        }
        let begin = decoded.len();
        decode(name, decoded);
        let middle = decoded.len();
        decode(value, decoded);
        fields.push((begin..middle, middle..decoded.len()));
    }
}

/// Appends bytes of a form, decoded once.
fn decode(mut bytes: &[u8], out: &mut Vec<u8>) {
    while let Some(at) = memchr::memchr2(b'%', b'+', bytes) {
        out.extend_from_slice(&bytes[..at]);
        let (byte, length) = match (bytes[at], escape_at(&bytes[at..])) {
            (b'+', _) => (b' ', 1),
            (_, Some(byte)) => (byte, 3),
            (byte, None) => (byte, 1),
        };
        out.push(byte);
        bytes = &bytes[at + length..];
    }
    out.extend_from_slice(bytes);
}

/// Appends bytes as a form writes them.
fn encode(mut bytes: &[u8], out: &mut Vec<u8>) {
    loop {
        let (kept, rest) = bytes.split_at(run(bytes, FORM));
        out.extend_from_slice(kept);
        let Some((&byte, rest)) = rest.split_first() else { return };
        match byte {
            b' ' => out.push(b'+'),
            _ => out.extend_from_slice(escaped(byte)),
        }
        bytes = rest;
    }
}

/// The query as it is before it is parted.
fn quoted(query: &[u8], special: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(query.len());
    for run in query.chunk_by(|a, b| (*a == b'\'') == (*b == b'\'')) {
        match run[0] == b'\'' && special {
            true => run.iter().for_each(|&byte| out.extend_from_slice(escaped(byte))),
            false => escape(run, RAW, &mut out),
        }
    }
    debug_assert!(out.iter().all(|&byte| !is(byte, RAW)));
    out
}
