//! What a store is told of a batch of spellings: its keys in the order of their
//! digests, every spelling of each with a count and two times. Must not know
//! where rows are kept, nor what time it is.

mod postgres;

pub use postgres::{COPY_END, COPY_HEAD, digest_array};

use crate::digest::{Digest, digest_of_bytes};
use crate::error::ParseError;
use crate::key::Key;

/// Factors of the seal, below.
pub const OF_COUNT: i64 = 1_000_003;
/// Of the first time.
pub const OF_FIRST: i64 = 31;
/// Of the last time.
pub const OF_LAST: i64 = 131;

/// How often a spelling came, and when first and last: seconds since 1970, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sightings {
    /// How often.
    pub count: i64,
    /// The first time.
    pub first: i64,
    /// The last time.
    pub last: i64,
}

impl Sightings {
    fn join(&mut self, other: Sightings) {
        self.count = self.count.saturating_add(other.count);
        self.first = self.first.min(other.first);
        self.last = self.last.max(other.last);
    }
}

/// A number that a row carries so that a flipped bit in it is noticed. Linear in the
/// sightings, so that SQL keeps it up as it adds to them.
pub fn seal(key: &Digest, spelling: &Digest, seen: Sightings) -> i64 {
    let word =
        |digest: &Digest, at: usize| digest[at..at + 4].iter().fold(0_i64, |word, &byte| word << 8 | i64::from(byte));
    let linear = [(seen.count, OF_COUNT), (seen.first, OF_FIRST), (seen.last, OF_LAST)];
    let texts = word(key, 8) ^ word(spelling, 12);
    linear.iter().fold(texts, |sum, &(value, factor)| sum.wrapping_add(value.wrapping_mul(factor)))
}

/// A spelling that came.
#[derive(Clone, Copy)]
struct Came {
    key: Digest,
    spelling: Digest,
    /// Where key and spelling stand in the texts; an empty key is the spelling itself.
    start: usize,
    middle: usize,
    end: usize,
    seen: Sightings,
    row: usize,
}

/// A spelling of a key, once.
#[derive(Clone, Copy)]
pub struct Spelling<'a> {
    /// The digest of its bytes.
    pub digest: Digest,
    /// As it came; None if it is the key.
    pub text: Option<&'a [u8]>,
    /// How often, and when.
    pub seen: Sightings,
}

/// A key of the batch.
#[derive(Clone, Copy)]
pub struct KeyRow<'a> {
    /// The digest of the key.
    pub digest: Digest,
    /// The key.
    pub text: &'a [u8],
    came: &'a [Came],
    texts: &'a [u8],
}

impl<'a> KeyRow<'a> {
    /// Its spellings, each once; the first of them came first.
    pub fn spellings(self) -> impl ExactSizeIterator<Item = Spelling<'a>> {
        self.came.iter().map(move |came| {
            let text = (came.start < came.middle).then(|| &self.texts[came.middle..came.end]);
            Spelling { digest: came.spelling, text, seen: came.seen }
        })
    }
}

/// Takes spellings one by one. Several may share the rows of a batch out among them.
#[derive(Default)]
pub struct Builder {
    came: Vec<Came>,
    texts: Vec<u8>,
    rejects: Vec<Reject>,
    /// The next row.
    row: usize,
    first: usize,
}

/// A text that has no key.
pub struct Reject {
    /// Its row.
    pub row: usize,
    /// The text, as bytes.
    pub text: Vec<u8>,
    /// Why.
    pub error: ParseError,
    /// How often, and when.
    pub seen: Sightings,
}

impl Builder {
    /// One whose first row is row `first` of the batch.
    pub fn starting_at(first: usize) -> Builder {
        Builder { row: first, first, ..Builder::default() }
    }

    /// Passes over a row that holds nothing.
    pub fn skip(&mut self) {
        self.row += 1;
    }

    /// Takes the next row: its text and what became of it.
    pub fn add(&mut self, text: &[u8], key: Result<Key<'_>, ParseError>, seen: Sightings) {
        let row = self.row;
        self.row += 1;
        let key = match key {
            Ok(Key::Same) => None,
            Ok(Key::New(key)) => Some(key.as_bytes()),
            Err(error) => {
                self.rejects.push(Reject { row, text: text.to_vec(), error, seen });
                return;
            }
        };
        let start = self.texts.len();
        self.texts.extend_from_slice(key.unwrap_or_default());
        let middle = self.texts.len();
        self.texts.extend_from_slice(text);
        let spelling = digest_of_bytes(text);
        let key = key.map_or(spelling, digest_of_bytes);
        self.came.push(Came { key, spelling, start, middle, end: self.texts.len(), seen, row });
    }

    /// Takes the rows of a builder that began where this one ends.
    fn append(&mut self, more: Builder) {
        debug_assert_eq!(self.row, more.first);
        let moved = self.texts.len();
        self.texts.extend_from_slice(&more.texts);
        self.came.extend(more.came.into_iter().map(|came| Came {
            start: came.start + moved,
            middle: came.middle + moved,
            end: came.end + moved,
            ..came
        }));
        self.rejects.extend(more.rejects);
        self.row = more.row;
    }
}

/// A batch, joined and in order.
pub struct Rows {
    once: Vec<Came>,
    bounds: Vec<usize>,
    texts: Vec<u8>,
    key_of_row: Vec<Option<usize>>,
    rejects: Vec<Reject>,
}

impl Rows {
    /// The batch that builders took, in the order of their rows. n log n in rows.
    pub fn of(builders: Vec<Builder>) -> Rows {
        let mut builders = builders.into_iter();
        let mut all = builders.next().unwrap_or_default();
        builders.for_each(|more| all.append(more));
        let mut order: Vec<(u128, usize)> =
            all.came.iter().enumerate().map(|(at, came)| (u128::from_be_bytes(came.key), at)).collect();
        // By key, and of each key what came first stands first.
        order.sort_unstable();
        let mut rows = Rows {
            once: Vec::with_capacity(all.came.len()),
            bounds: Vec::with_capacity(all.came.len() + 1),
            texts: all.texts,
            key_of_row: vec![None; all.row],
            rejects: all.rejects,
        };
        for of_key in order.chunk_by(|(a, _), (b, _)| a == b) {
            let key = rows.bounds.len();
            rows.bounds.push(rows.once.len());
            for (_, at) in of_key {
                rows.key_of_row[all.came[*at].row] = Some(key);
            }
            join(of_key, &all.came, &mut rows.once);
        }
        rows.bounds.push(rows.once.len());
        rows
    }

    /// How many keys.
    pub fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Whether no row has a key.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The keys in the order of their digests.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = KeyRow<'_>> {
        (0..self.len()).map(|at| self.key(at))
    }

    /// The key at a place below `len`.
    pub fn key(&self, at: usize) -> KeyRow<'_> {
        let came = &self.once[self.bounds[at]..self.bounds[at + 1]];
        let lead = &came[0];
        let text = if lead.start < lead.middle { lead.start..lead.middle } else { lead.middle..lead.end };
        KeyRow { digest: lead.key, text: &self.texts[text], came, texts: &self.texts }
    }

    /// The place of each row's key among `keys`; None where it has none.
    pub fn key_of_row(&self) -> &[Option<usize>] {
        &self.key_of_row
    }

    /// The rows without a key.
    pub fn rejects(&self) -> &[Reject] {
        &self.rejects
    }
}

/// Appends each spelling of a key once: the one that came first, then the others by their digests.
fn join(of_key: &[(u128, usize)], came: &[Came], once: &mut Vec<Came>) {
    let [(_, first), others @ ..] = of_key else { return };
    let at = once.len();
    once.push(came[*first]);
    let mut others: Vec<usize> = others.iter().map(|(_, other)| *other).collect();
    others.sort_unstable_by_key(|other| (came[*other].spelling, *other));
    for other in others {
        let other = came[other];
        if other.spelling == once[at].spelling {
            once[at].seen.join(other.seen);
            continue;
        }
        match once[at + 1..].last_mut().filter(|last| last.spelling == other.spelling) {
            Some(last) => last.seen.join(other.seen),
            None => once.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;

    fn at(count: i64, time: i64) -> Sightings {
        Sightings { count, first: time, last: time }
    }

    #[test]
    fn spellings_are_joined_under_their_keys() {
        let mut rows = Builder::default();
        rows.add(b"http://b.example/?", Ok(Key::New("http://b.example/")), at(1, 50));
        rows.add(b"http://a.example/", Ok(Key::Same), at(1, 60));
        rows.add(b"http://b.example/", Ok(Key::Same), at(2, 40));
        rows.add(b"x", Err(ParseError::new(Code::HostMissing, 1)), at(1, 70));
        rows.add(b"http://b.example/?", Ok(Key::New("http://b.example/")), at(3, 10));
        let rows = Rows::of(vec![rows]);
        let mut keys: Vec<KeyRow> = rows.keys().collect();
        assert!(keys.is_sorted_by_key(|key| key.digest));
        let of_row: Vec<_> = rows.key_of_row().iter().map(|at| at.map(|at| keys[at].text)).collect();
        let (a, b) = (Some(&b"http://a.example/"[..]), Some(&b"http://b.example/"[..]));
        assert_eq!(of_row, [b, a, b, None, b]);
        assert_eq!((rows.rejects()[0].row, rows.rejects()[0].text.as_slice()), (3, &b"x"[..]));
        keys.sort_by_key(|key| key.text);
        let told: Vec<Vec<_>> = keys.iter().map(|key| key.spellings().map(|s| (s.text, s.seen)).collect()).collect();
        let joined = Sightings { count: 4, first: 10, last: 50 };
        assert_eq!(
            told,
            [vec![(None, at(1, 60))], vec![(Some(&b"http://b.example/?"[..]), joined), (None, at(2, 40))]]
        );
    }

    #[test]
    fn a_seal_notices_each_of_its_parts_and_is_linear() {
        let (key, other) = (digest_of_bytes(b"k"), digest_of_bytes(b"s"));
        let seen = Sightings { count: 3, first: 1_700_000_000, last: 1_800_000_000 };
        let whole = seal(&key, &other, seen);
        assert_ne!(whole, seal(&other, &key, seen));
        for changed in [Sightings { count: 4, ..seen }, Sightings { first: 1, ..seen }, Sightings { last: 7, ..seen }] {
            assert_ne!(whole, seal(&key, &other, changed));
        }
        let more = Sightings { count: 5, first: 1_600_000_000, last: 1_900_000_000 };
        let sum = whole + 2 * OF_COUNT + (more.first - seen.first) * OF_FIRST + (more.last - seen.last) * OF_LAST;
        assert_eq!(sum, seal(&key, &other, more));
    }
}
