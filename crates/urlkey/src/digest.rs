//! Digests: the fixed width under which keys are stored, and the hash that they
//! are cut from. Must not know how a key is made, nor where digests are kept.

use sha2::block_api::compress256;

/// Bytes of a digest.
pub const WIDTH: usize = 16;

/// The first half of a SHA-256.
pub type Digest = [u8; WIDTH];

/// Bytes that are compressed at a time.
const BLOCK: usize = 64;
/// Where the last block holds the length in bits.
const LENGTH: usize = BLOCK - size_of::<u64>();

/// "The first thirty-two bits of the fractional parts of the square roots of the
/// first eight prime numbers": FIPS 180-4, section 5.3.3.
const INITIAL: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// The first 16 bytes of SHA-256 of the key's UTF-8, so that SQL engines,
/// Spark and Java can recompute it.
pub fn digest(key: &str) -> Digest {
    digest_of_bytes(key.as_bytes())
}

/// The same of any bytes: what tells spellings of one key apart.
pub fn digest_of_bytes(bytes: &[u8]) -> Digest {
    let hash = sha256(bytes);
    let mut out = [0; WIDTH];
    out.copy_from_slice(&hash[..WIDTH]);
    out
}

/// SHA-256 of bytes that are all there. The crate's own way to ask keeps what it was
/// fed in a buffer, which for texts of a block or two costs a third of the hash.
pub(crate) fn sha256(bytes: &[u8]) -> [u8; 32] {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let mut state = INITIAL;
    if !blocks.is_empty() {
        compress256(&mut state, blocks);
    }
    // "Append the bit 1 to the end of the message, followed by k zero bits", and the length: section 5.1.1.
    let mut last = [0; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    last[rest.len()] = 0x80;
    if rest.len() >= LENGTH {
        compress256(&mut state, &[last]);
        last = [0; BLOCK];
    }
    last[LENGTH..].copy_from_slice(&(bytes.len() as u64 * 8).to_be_bytes());
    compress256(&mut state, &[last]);
    let mut out = [0; 32];
    for (four, word) in out.as_chunks_mut::<4>().0.iter_mut().zip(state) {
        *four = word.to_be_bytes();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest as _, Sha256};

    #[test]
    fn every_length_hashes_as_the_crate_hashes_it() {
        let text: Vec<u8> = (0..1000_usize).map(|at| (at * 7 + at / 256) as u8).collect();
        for length in (0..300).chain([511, 512, 513, 1000]) {
            let expected: [u8; 32] = Sha256::digest(&text[..length]).into();
            assert_eq!(sha256(&text[..length]), expected, "{length}");
        }
    }
}
