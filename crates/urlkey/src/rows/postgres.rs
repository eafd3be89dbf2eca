//! A batch in the binary formats of PostgreSQL. Must not know SQL.
//!
//! Source: PostgreSQL, COPY, "Binary Format"; for arrays `array_recv` in `arrayfuncs.c`: dimensions, whether
//! there are nulls, the type of the items, then for each dimension its length and its first index.

use super::{Rows, Sightings, Spelling, seal};
use crate::digest::{Digest, WIDTH};

/// What a binary COPY begins with.
pub const COPY_HEAD: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
/// What it ends with.
pub const COPY_END: &[u8] = b"\xff\xff";

const UUID: u32 = 2950;
const BYTEA: u32 = 17;
const INT8: u32 = 20;

/// Digests as an array of `uuid`, or of `bytea`.
pub fn digest_array(digests: &[Digest], as_uuid: bool) -> Vec<u8> {
    array(if as_uuid { UUID } else { BYTEA }, WIDTH, digests.iter().map(|digest| Some(&digest[..])))
}

impl Rows {
    /// Of the keys from `first` on those that are not `known`, as rows of a COPY: digest, count, first, last, seal,
    /// key, and the spelling that came first, null if it is the key.
    pub fn copy_entries(&self, first: usize, known: &[bool]) -> Vec<u8> {
        let mut out = Vec::with_capacity(256 * known.len());
        let new = (first..self.len()).zip(known).filter(|(_, known)| !**known);
        for key in new.map(|(at, _)| self.key(at)) {
            let Some(lead) = key.spellings().next() else { continue };
            out.extend_from_slice(&7_i16.to_be_bytes());
            field(&mut out, Some(&key.digest));
            let Sightings { count, first, last } = lead.seen;
            for number in [count, first, last, seal(&key.digest, &lead.digest, lead.seen)] {
                field(&mut out, Some(&number.to_be_bytes()));
            }
            field(&mut out, Some(key.text));
            field(&mut out, lead.text);
        }
        out
    }

    /// What `copy_entries` leaves, in the order of keys: all spellings of keys that are known, and of
    /// others all but the first; without those at the ascending places `done`, counted from 1. As arrays of:
    /// digest of the key, digest of the spelling, spelling or null, count, first, last, seal. None if
    /// nothing is left.
    pub fn sighted_arrays(&self, known: &[bool], done: &[u64]) -> Option<[Vec<u8>; 7]> {
        let mut done = done.iter().peekable();
        let left = self.keys().zip(known).flat_map(|(key, known)| {
            key.spellings().skip(usize::from(!known)).map(move |spelling| (key.digest, spelling))
        });
        let left = left.zip(1_u64..).filter(|(_, place)| done.next_if_eq(&place).is_none());
        let rows: Vec<(Digest, Spelling<'_>)> = left.map(|(row, _)| row).collect();
        if rows.is_empty() {
            return None;
        }
        let numbers = |of: &dyn Fn(&(Digest, Spelling<'_>)) -> i64| {
            let items: Vec<[u8; 8]> = rows.iter().map(|row| of(row).to_be_bytes()).collect();
            array(INT8, 8, items.iter().map(|item| Some(&item[..])))
        };
        Some([
            array(UUID, WIDTH, rows.iter().map(|(key, _)| Some(&key[..]))),
            array(UUID, WIDTH, rows.iter().map(|(_, spelling)| Some(&spelling.digest[..]))),
            array(BYTEA, 64, rows.iter().map(|(_, spelling)| spelling.text)),
            numbers(&|(_, spelling)| spelling.seen.count),
            numbers(&|(_, spelling)| spelling.seen.first),
            numbers(&|(_, spelling)| spelling.seen.last),
            numbers(&|(key, spelling)| seal(key, &spelling.digest, spelling.seen)),
        ])
    }
}

fn field(out: &mut Vec<u8>, value: Option<&[u8]>) {
    let length = value.map_or(-1, |value| value.len() as i32);
    out.extend_from_slice(&length.to_be_bytes());
    out.extend_from_slice(value.unwrap_or_default());
}

/// An array of one dimension; `width` is about what an item needs.
fn array<'a>(of: u32, width: usize, items: impl ExactSizeIterator<Item = Option<&'a [u8]>>) -> Vec<u8> {
    let count = items.len() as i32;
    let mut out = Vec::with_capacity(20 + items.len() * (4 + width));
    let dimensions = i32::from(count > 0);
    for number in [dimensions, 1, of as i32] {
        out.extend_from_slice(&number.to_be_bytes());
    }
    if count > 0 {
        out.extend_from_slice(&count.to_be_bytes());
        out.extend_from_slice(&1_i32.to_be_bytes());
    }
    items.for_each(|item| field(&mut out, item));
    out
}

#[cfg(test)]
mod tests {
    use super::super::{Builder, KeyRow};
    use super::*;
    use crate::key::Key;

    #[test]
    fn arrays_say_their_type_their_length_and_their_nulls() {
        let two = array(INT8, 8, [Some(&[7_u8][..]), None].into_iter());
        let words: Vec<i32> = two[..20].chunks(4).map(|word| i32::from_be_bytes(word.try_into().unwrap())).collect();
        assert_eq!(words, [1, 1, 20, 2, 1]);
        assert_eq!(two[20..], [0, 0, 0, 1, 7, 255, 255, 255, 255]);
        assert_eq!(digest_array(&[], true).len(), 12);
        assert_eq!(digest_array(&[[9; WIDTH]], false)[24..], [9; WIDTH]);
    }

    #[test]
    fn a_spelling_is_either_copied_with_its_key_or_left_to_be_added() {
        let seen = Sightings { count: 1, first: 5, last: 5 };
        let mut rows = Builder::default();
        rows.add(b"http://a.example/?", Ok(Key::New("http://a.example/")), seen);
        rows.add(b"http://a.example/", Ok(Key::Same), seen);
        rows.add(b"http://b.example/", Ok(Key::Same), seen);
        let rows = Rows::of(vec![rows]);
        for known in [[false, false], [true, false], [false, true], [true, true]] {
            let copied = rows.copy_entries(0, &known);
            let parts = [rows.copy_entries(0, &known[..1]), rows.copy_entries(1, &known[1..])].concat();
            assert_eq!(parts, copied);
            let left = rows.sighted_arrays(&known, &[]);
            let of_keys = |bytes: &[u8], key: &KeyRow<'_>| bytes.windows(WIDTH).filter(|w| **w == key.digest).count();
            let but_first = rows.sighted_arrays(&known, &[1]);
            let count = |arrays: Option<&[Vec<u8>; 7]>| arrays.map_or(0, |arrays| (arrays[0].len() - 20) / 20);
            assert_eq!(count(but_first.as_ref()), count(left.as_ref()).saturating_sub(1));
            for (key, known) in rows.keys().zip(known) {
                assert_eq!(of_keys(&copied, &key), usize::from(!known));
                let expected = key.spellings().len() - usize::from(!known);
                assert_eq!(left.as_ref().map_or(0, |arrays| of_keys(&arrays[0], &key)), expected);
            }
        }
    }
}
