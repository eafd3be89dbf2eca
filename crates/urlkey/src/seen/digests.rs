//! A set of digests that strangers may choose. Must not know keys.

use siphasher::sip::SipHasher13;

use super::{Place, Seen};
use crate::digest::{Digest, WIDTH};

/// Digests that are fetched together, so that memory answers side by side.
const BATCH: usize = 32;

/// A set of digests: 21 to 32 bytes each.
///
/// Anybody can look for URLs whose digests begin alike, and a table that placed
/// them by these bits would grow long runs. So each is placed by a permutation of
/// it under a secret seed (two Feistel rounds over SipHash-1-3), which the walk
/// through the set undoes: what comes out are the digests themselves.
pub struct Digests {
    table: Seen,
    /// Whether the one digest is there that the permutation makes 0 of, an empty slot.
    zero: bool,
    left: SipHasher13,
    right: SipHasher13,
}

impl Digests {
    /// `seed` must be random and stay secret while strangers choose the keys.
    pub fn new(seed: &[u8; WIDTH]) -> Digests {
        let seed = u128::from_le_bytes(*seed);
        let (low, high) = (seed as u64, (seed >> 64) as u64);
        Digests {
            table: Seen::default(),
            zero: false,
            left: SipHasher13::new_with_keys(low, high),
            right: SipHasher13::new_with_keys(high, !low),
        }
    }

    /// True if the digest was not there before. Amortized constant time.
    pub fn insert(&mut self, digest: &Digest) -> bool {
        let mixed = self.mixed(digest);
        self.insert_mixed(mixed)
    }

    /// Inserts many; calls `tell` for each in turn with what `insert` says.
    pub fn insert_all<'a>(&mut self, digests: impl IntoIterator<Item = &'a Digest>, mut tell: impl FnMut(bool)) {
        let mut digests = digests.into_iter();
        loop {
            let mut batch = [0; BATCH];
            let mut used = 0;
            for (slot, digest) in batch.iter_mut().zip(digests.by_ref()) {
                *slot = self.mixed(digest);
                used += 1;
            }
            let fetched = batch[..used].iter().fold(0, |sum, &mixed| sum ^ self.table.touch(mixed));
            std::hint::black_box(fetched);
            batch[..used].iter().for_each(|&mixed| tell(self.insert_mixed(mixed)));
            if used < BATCH {
                return;
            }
        }
    }

    /// Whether the digest is there.
    pub fn contains(&self, digest: &Digest) -> bool {
        match self.mixed(digest) {
            0 => self.zero,
            mixed => self.table.contains(mixed),
        }
    }

    /// How many digests are in the set.
    pub fn len(&self) -> usize {
        self.table.len() + usize::from(self.zero)
    }

    /// Whether nothing was inserted yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes that the slots occupy.
    pub fn bytes(&self) -> usize {
        self.table.bytes()
    }

    /// Digests from `place` on, at most about `most`, and the place of the next; None at the end.
    /// In no order that means anything, and only as long as nothing is inserted.
    pub fn gather(&self, place: Place, most: usize) -> (Vec<Digest>, Option<Place>) {
        let mut mixed = Vec::with_capacity(most.min(self.len()));
        if self.zero && place == Place::default() {
            mixed.push(0);
        }
        let next = self.table.gather(place, most.max(2), &mut mixed);
        (mixed.into_iter().map(|mixed| self.restored(mixed)).collect(), next)
    }

    /// All of them, ascending. 16 bytes each on top of the set.
    pub fn sorted(&self) -> Vec<Digest> {
        let (mut all, _) = self.gather(Place::default(), usize::MAX);
        all.sort_unstable();
        all
    }

    fn insert_mixed(&mut self, mixed: u128) -> bool {
        match mixed {
            0 => !std::mem::replace(&mut self.zero, true),
            mixed => self.table.insert(mixed),
        }
    }

    /// The upper half decides the place: it is random even where the digests differ in one half only.
    #[inline]
    fn mixed(&self, digest: &Digest) -> u128 {
        let both = u128::from_be_bytes(*digest);
        let (high, low) = ((both >> 64) as u64, both as u64);
        let low = low ^ self.left.hash(&high.to_le_bytes());
        let high = high ^ self.right.hash(&low.to_le_bytes());
        u128::from(high) << 64 | u128::from(low)
    }

    fn restored(&self, mixed: u128) -> Digest {
        let (high, low) = ((mixed >> 64) as u64, mixed as u64);
        let high = high ^ self.right.hash(&low.to_le_bytes());
        let low = low ^ self.left.hash(&high.to_le_bytes());
        (u128::from(high) << 64 | u128::from(low)).to_be_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::digest_of_bytes;
    use std::collections::BTreeSet;

    fn numbered(n: u32) -> impl Iterator<Item = Digest> {
        (0..n).map(|i| digest_of_bytes(&i.to_le_bytes()))
    }

    #[test]
    fn what_comes_out_is_what_went_in() {
        let mut set = Digests::new(&[3; 16]);
        let all: Vec<Digest> = numbered(5_000).collect();
        let mut told = Vec::new();
        set.insert_all(all.iter().chain(&all), |new| told.push(new));
        assert_eq!(told, [vec![true; 5_000], vec![false; 5_000]].concat());
        assert!(all.iter().all(|digest| set.contains(digest)));
        assert!(!set.contains(&[0; 16]));
        let sorted: BTreeSet<Digest> = all.iter().copied().collect();
        assert_eq!(set.sorted(), sorted.iter().copied().collect::<Vec<_>>());
        assert_eq!(set.len(), 5_000);
        let (mut place, mut walked) = (Some(Place::default()), BTreeSet::new());
        while let Some(from) = place {
            let (some, next) = set.gather(from, 77);
            assert!(some.len() <= 77);
            walked.extend(some);
            place = next;
        }
        assert_eq!(walked, sorted);
    }

    #[test]
    fn the_digest_that_is_mixed_to_zero_is_a_member_like_others() {
        let mut set = Digests::new(&[9; 16]);
        let odd = set.restored(0);
        assert_eq!(set.mixed(&odd), 0);
        assert!(!set.contains(&odd));
        assert!(set.insert(&odd));
        assert!(!set.insert(&odd));
        assert!(set.contains(&odd));
        assert_eq!((set.len(), set.sorted()), (1, vec![odd]));
    }

    #[test]
    fn digests_that_begin_alike_make_no_long_runs() {
        // All in one half: placed by their first bits, they would stand in one run.
        let mut set = Digests::new(&[5; 16]);
        for i in 0..20_000_u64 {
            let mut digest = [7; 16];
            digest[8..].copy_from_slice(&i.to_be_bytes());
            assert!(set.insert(&digest));
        }
        let homes: BTreeSet<u128> = set.sorted().iter().map(|digest| set.mixed(digest) >> 110).collect();
        assert!(homes.len() > 15_000, "{}", homes.len());
    }
}
