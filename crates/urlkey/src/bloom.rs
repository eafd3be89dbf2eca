//! A blocked Bloom filter over digests: says "not there" for certain and "there"
//! by mistake at a stated rate. Must never have the last word, and knows no files.
//!
//! All bits of a digest lie in one block of 512 (Putze, Sanders, Singler: Cache-,
//! hash- and space-efficient Bloom filters, 2007): one line of cache a question.
//! Blocks fill unevenly, which costs bits; the size is chosen by the rate of the
//! mixture, not by the formula of plain filters. Places come from SipHash-1-3
//! under a seed, so that nobody can fill one block on purpose.

use siphasher::sip128::{Hasher128, SipHasher13};
use std::hash::Hasher;

use crate::digest::{Digest, WIDTH};

const BLOCK_BITS: u32 = 512;
const WORDS: usize = BLOCK_BITS as usize / u64::BITS as usize;
/// Bytes of a block.
pub const BLOCK: usize = WORDS * size_of::<u64>();
/// More bits a digest are asked for by no rate that is allowed.
const MOST_BITS: u32 = 96;
const MOST_HASHES: u32 = 24;
/// For what the estimate leaves out: hashes of one digest that meet.
const MARGIN: f64 = 1.03;

/// What rates may be asked for.
pub const RATES: std::ops::RangeInclusive<f64> = 1e-6..=0.5;

/// The filter.
pub struct Bloom {
    seed: [u8; WIDTH],
    hashes: u32,
    blocks: Vec<[u64; WORDS]>,
}

impl Bloom {
    /// One that says "there" by mistake with at most the probability `rate` while it holds no more
    /// than `capacity` digests; None where `rate` is outside [`RATES`].
    pub fn new(capacity: usize, rate: f64, seed: [u8; WIDTH]) -> Option<Bloom> {
        let (bits, hashes) = size(rate)?;
        let blocks = (capacity.max(1) * bits as usize).div_ceil(BLOCK_BITS as usize);
        Some(Bloom { seed, hashes, blocks: vec![[0; WORDS]; blocks] })
    }

    /// The filter that has this seed, these hashes a digest and these blocks, as `bytes` gave them.
    pub fn from_bytes(seed: [u8; WIDTH], hashes: u32, bytes: &[u8]) -> Option<Bloom> {
        if bytes.is_empty() || !bytes.len().is_multiple_of(BLOCK) || !(1..=MOST_HASHES).contains(&hashes) {
            return None;
        }
        let word = |bytes: &[u8]| bytes.try_into().map(u64::from_le_bytes).unwrap_or_default();
        let block = |bytes: &[u8]| std::array::from_fn(|i| word(&bytes[i * 8..i * 8 + 8]));
        Some(Bloom { seed, hashes, blocks: bytes.chunks_exact(BLOCK).map(block).collect() })
    }

    /// Its blocks from `first` on, at most `most` of them, little-endian.
    pub fn bytes(&self, first: usize, most: usize) -> Vec<u8> {
        let blocks = self.blocks.iter().skip(first).take(most);
        blocks.flat_map(|block| block.iter().flat_map(|word| word.to_le_bytes())).collect()
    }

    /// How many blocks of 64 bytes there are.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Bits that are set for a digest.
    pub fn hashes(&self) -> u32 {
        self.hashes
    }

    /// What places digests.
    pub fn seed(&self) -> [u8; WIDTH] {
        self.seed
    }

    /// Notes the digest.
    pub fn insert(&mut self, digest: &Digest) {
        let (block, bits) = self.places(digest);
        let block = &mut self.blocks[block];
        bits.for_each(|bit| block[bit / 64] |= 1 << (bit % 64));
    }

    /// False if the digest was never inserted; true if it was, or by mistake.
    pub fn may_hold(&self, digest: &Digest) -> bool {
        let (block, mut bits) = self.places(digest);
        let block = &self.blocks[block];
        bits.all(|bit| block[bit / 64] >> (bit % 64) & 1 == 1)
    }

    fn places(&self, digest: &Digest) -> (usize, impl Iterator<Item = usize> + use<>) {
        let mut hasher = SipHasher13::new_with_key(&self.seed);
        hasher.write(digest);
        let hash = hasher.finish128();
        let block = (u128::from(hash.h1) * self.blocks.len() as u128) >> u64::BITS;
        // The upper bits of products with odd numbers: a new place for each.
        let bits =
            std::iter::successors(Some(hash.h2), |last| Some(last.rotate_left(23).wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        let places = bits.map(|bits| (bits >> (u64::BITS - BLOCK_BITS.trailing_zeros())) as usize);
        (block as usize, places.take(self.hashes as usize))
    }
}

/// Bits a digest, and how many of them are set, for a rate.
fn size(rate: f64) -> Option<(u32, u32)> {
    if !RATES.contains(&rate) {
        return None;
    }
    (1..=MOST_BITS).find_map(|bits| {
        let best = (1..=MOST_HASHES.min(bits)).map(|hashes| (expected(bits, hashes), hashes));
        let (found, hashes) = best.min_by(|a, b| a.0.total_cmp(&b.0))?;
        (found * MARGIN <= rate).then_some((bits, hashes))
    })
}

/// The rate of a full filter: over the numbers of digests that a block holds, which are Poisson's.
fn expected(bits: u32, hashes: u32) -> f64 {
    let mean = f64::from(BLOCK_BITS) / f64::from(bits);
    let clear = 1.0 - 1.0 / f64::from(BLOCK_BITS);
    let mut share = (-mean).exp();
    let mut sum = 0.0;
    let last = (mean + 12.0 * mean.sqrt() + 20.0) as u32;
    for held in 0..=last {
        let set = 1.0 - clear.powf(f64::from(hashes) * f64::from(held));
        sum += share * set.powi(hashes as i32);
        share *= mean / f64::from(held + 1);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places come from a hash of the digest, so any different ones will do.
    fn numbered(range: std::ops::Range<u32>) -> impl Iterator<Item = Digest> {
        range.map(|i| u128::from(i).to_le_bytes())
    }

    #[test]
    fn the_rate_is_not_above_the_one_that_is_stated() {
        for rate in [0.3, 0.1, 0.03, 0.01, 0.001] {
            let mut bloom = Bloom::new(20_000, rate, [4; 16]).unwrap();
            numbered(0..20_000).for_each(|digest| bloom.insert(&digest));
            assert!(numbered(0..20_000).all(|digest| bloom.may_hold(&digest)));
            let asked = 200_000;
            let mistakes = numbered(1_000_000..1_000_000 + asked).filter(|digest| bloom.may_hold(digest)).count();
            // Four standard deviations of the count.
            let most = f64::from(asked) * rate + 4.0 * (f64::from(asked) * rate).sqrt();
            assert!((mistakes as f64) < most, "{rate}: {mistakes} of {asked}");
            assert!(mistakes > 0, "{rate}: a filter that is larger than it need be");
        }
    }

    #[test]
    fn a_rate_of_one_in_a_hundred_takes_ten_bits() {
        assert_eq!(size(0.01), Some((10, 7)));
        assert!(size(1e-6).is_some());
        assert_eq!(size(0.0), None);
        assert_eq!(size(f64::NAN), None);
        assert_eq!(size(0.6), None);
    }

    #[test]
    fn its_bytes_make_it_again() {
        let mut bloom = Bloom::new(1_000, 0.01, [8; 16]).unwrap();
        numbered(0..1_000).for_each(|digest| bloom.insert(&digest));
        let bytes = [bloom.bytes(0, 5), bloom.bytes(5, usize::MAX)].concat();
        assert_eq!(bytes.len(), bloom.blocks() * BLOCK);
        let again = Bloom::from_bytes(bloom.seed(), bloom.hashes(), &bytes).unwrap();
        assert!(numbered(0..5_000).all(|digest| again.may_hold(&digest) == bloom.may_hold(&digest)));
        assert!(Bloom::from_bytes([8; 16], 6, &bytes[1..]).is_none());
        assert!(Bloom::from_bytes([8; 16], 0, &bytes).is_none());
        assert!(Bloom::from_bytes([8; 16], 6, &[]).is_none());
    }
}
