//! An exact set of keys by their 128-bit fingerprints: what `dedupe` asks for
//! every line, and, by their digests, what a crawler keeps. Must not know what a
//! key is, nor keep its text.
//!
//! A fingerprint is SipHash-1-3 under a secret seed, so that nobody can make
//! two keys collide on purpose; by chance, a thousand million keys collide with
//! a probability of 2^-69. The set is open-addressed and sorted within each of
//! its parts (linear probing that keeps order), so that a part grows in place
//! by a few sequential passes: 21 to 32 bytes a key, and no second table.

mod digests;

pub use digests::Digests;
use siphasher::sip128::SipHasher13;

/// The parts grow at different times: no moment when the whole set is copied.
const PARTS: usize = 32;
const PART_BITS: u32 = PARTS.trailing_zeros();
/// Room behind the last home, for the run of entries that ends there.
const SPARE: usize = 16;
/// A part grows when more than this many quarters of its homes are taken, by half of them.
const FULL_QUARTERS: usize = 3;

/// Makes fingerprints under one seed.
#[derive(Clone)]
pub struct Fingerprints(SipHasher13);

impl Fingerprints {
    /// `seed` must be random and stay secret while strangers choose the keys.
    pub fn new(seed: &[u8; 16]) -> Fingerprints {
        Fingerprints(SipHasher13::new_with_key(seed))
    }

    /// What they are made under: whoever knows it can make keys collide.
    pub(crate) fn seed(&self) -> [u8; 16] {
        self.0.key()
    }

    /// The fingerprint of a key; never 0, which marks an empty slot.
    #[inline]
    pub fn of(&self, key: &[u8]) -> u128 {
        self.0.hash(key).as_u128().max(1)
    }
}

/// Where a walk through a set stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Which part of the table.
    pub part: usize,
    /// Which slot in it.
    pub slot: usize,
}

/// A set of fingerprints.
pub struct Seen {
    parts: [Part; PARTS],
}

impl Default for Seen {
    fn default() -> Seen {
        // Staggered sizes, so that the load is even whatever the number of keys.
        Seen { parts: std::array::from_fn(|i| Part::with_homes(64 + i)) }
    }
}

impl Seen {
    /// True if the fingerprint was not there before. Amortized constant time.
    #[inline]
    pub fn insert(&mut self, fingerprint: u128) -> bool {
        self.parts[part_of(fingerprint)].insert(fingerprint)
    }

    /// Whether the fingerprint is there.
    pub fn contains(&self, fingerprint: u128) -> bool {
        self.parts[part_of(fingerprint)].find(fingerprint).is_ok()
    }

    /// Appends fingerprints to `out`, those behind `place`, until it holds `most`; returns the
    /// place of the next, or None where there is none. In no order that means anything.
    pub fn gather(&self, place: Place, most: usize, out: &mut Vec<u128>) -> Option<Place> {
        for (part, from) in (place.part..PARTS).zip([place.slot].into_iter().chain(std::iter::repeat(0))) {
            for (slot, &entry) in self.parts[part].slots.iter().enumerate().skip(from) {
                if out.len() >= most {
                    return Some(Place { part, slot });
                }
                if entry != 0 {
                    out.push(entry);
                }
            }
        }
        None
    }

    /// Reads the slot where the fingerprint belongs, so that the cache holds it:
    /// a batch touched first waits for memory once instead of once a key.
    #[inline]
    pub fn touch(&self, fingerprint: u128) -> u128 {
        let part = &self.parts[part_of(fingerprint)];
        part.slots.get(part.home(fingerprint)).copied().unwrap_or(0)
    }

    /// How many fingerprints are in the set.
    pub fn len(&self) -> usize {
        self.parts.iter().map(|part| part.len).sum()
    }

    /// Whether nothing was inserted yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes that the slots occupy.
    pub fn bytes(&self) -> usize {
        self.parts.iter().map(|part| part.slots.capacity() * size_of::<u128>()).sum()
    }
}

/// The highest bits choose the part, the 64 below them the home in it.
#[inline]
fn part_of(fingerprint: u128) -> usize {
    (fingerprint >> (u128::BITS - PART_BITS)) as usize
}

/// Ascending fingerprints with gaps (0): each stands at its home or behind it,
/// with no gap between.
struct Part {
    slots: Vec<u128>,
    homes: usize,
    len: usize,
}

impl Part {
    fn with_homes(homes: usize) -> Part {
        Part { slots: vec![0; homes + SPARE], homes, len: 0 }
    }

    /// Rises with the fingerprint: that is what keeps a part sorted.
    #[inline]
    fn home(&self, fingerprint: u128) -> usize {
        let fraction = (fingerprint >> (u64::BITS - PART_BITS)) as u64;
        ((u128::from(fraction) * self.homes as u128) >> u64::BITS) as usize
    }

    /// Where the fingerprint stands, or where it belongs.
    #[inline]
    fn find(&self, fingerprint: u128) -> Result<usize, usize> {
        let mut at = self.home(fingerprint);
        while let Some(&there) = self.slots.get(at) {
            if there == fingerprint {
                return Ok(at);
            }
            if there == 0 || there > fingerprint {
                break;
            }
            at += 1;
        }
        Err(at)
    }

    #[inline]
    fn insert(&mut self, fingerprint: u128) -> bool {
        let Err(at) = self.find(fingerprint) else { return false };
        self.place(at, fingerprint);
        self.len += 1;
        if self.len * 4 > self.homes * FULL_QUARTERS {
            self.grow();
        }
        true
    }

    /// Puts the fingerprint at `at` and moves the run that stands there up by one.
    #[inline]
    fn place(&mut self, at: usize, fingerprint: u128) {
        let run = self.slots[at..].iter().position(|&entry| entry == 0);
        let end = run.map_or(self.slots.len(), |run| at + run);
        if end == self.slots.len() {
            self.extend_to(end + SPARE);
        }
        self.slots.copy_within(at..end, at + 1);
        self.slots[at] = fingerprint;
    }

    /// Half as many homes more. In place: the entries move to the top end, then
    /// down to their new homes, which a sorted order never crosses.
    fn grow(&mut self) {
        self.homes += self.homes / 2;
        let top = self.last_place_after_growth() + 1;
        self.extend_to(top.max(self.homes) + SPARE);
        let first = self.gather_at_top();
        let mut free = 0;
        for from in first..self.slots.len() {
            let fingerprint = std::mem::take(&mut self.slots[from]);
            let at = self.home(fingerprint).max(free);
            self.slots[at] = fingerprint;
            free = at + 1;
        }
    }

    fn last_place_after_growth(&self) -> usize {
        let entries = self.slots.iter().filter(|&&entry| entry != 0);
        entries.fold(0, |free, &entry| self.home(entry).max(free) + 1)
    }

    fn extend_to(&mut self, len: usize) {
        if len > self.slots.len() {
            self.slots.reserve_exact(len - self.slots.len());
            self.slots.resize(len, 0);
        }
    }

    /// Returns where the first entry stands now.
    fn gather_at_top(&mut self) -> usize {
        let mut top = self.slots.len();
        for from in (0..self.slots.len()).rev() {
            let fingerprint = std::mem::take(&mut self.slots[from]);
            if fingerprint != 0 {
                top -= 1;
                self.slots[top] = fingerprint;
            }
        }
        top
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn numbers(n: u64) -> impl Iterator<Item = u128> {
        let prints = Fingerprints::new(&[7; 16]);
        (0..n).map(move |i| prints.of(&i.to_le_bytes()))
    }

    #[test]
    fn says_what_a_hash_set_says() {
        let (mut seen, mut oracle) = (Seen::default(), HashSet::new());
        for (i, fingerprint) in numbers(60_000).enumerate() {
            assert_eq!(seen.insert(fingerprint), oracle.insert(fingerprint));
            if i % 3 == 0 {
                assert!(!seen.insert(fingerprint));
            }
        }
        assert_eq!(seen.len(), oracle.len());
        assert!(numbers(60_000).all(|fingerprint| !seen.insert(fingerprint)));
    }

    #[test]
    fn clustered_fingerprints_are_kept_apart() {
        // All in one part, all with its last home: the run leaves the table.
        let (mut seen, mut oracle) = (Seen::default(), HashSet::new());
        for i in (0..5_000_u128).map(|i| u128::MAX - (i * 7919) % 5_003) {
            assert_eq!(seen.insert(i), oracle.insert(i));
        }
        assert!(oracle.iter().all(|&i| !seen.insert(i)));
    }

    #[test]
    fn a_key_costs_forty_bytes_at_worst() {
        let mut seen = Seen::default();
        for (i, fingerprint) in numbers(400_000).enumerate() {
            seen.insert(fingerprint);
            if i > 10_000 {
                assert!(seen.bytes() <= 32 * seen.len(), "{} bytes for {}", seen.bytes(), seen.len());
            }
        }
    }

    #[test]
    fn zero_is_never_a_fingerprint() {
        assert!(numbers(1_000).all(|fingerprint| fingerprint != 0));
    }
}
