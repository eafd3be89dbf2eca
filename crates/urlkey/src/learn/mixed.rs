//! An order of keys that has nothing to do with what is in them: BLAKE2b of 64 bits.

use blake2::digest::consts::U8;
use blake2::{Blake2b, Digest};

/// The place of a key; compares as the eight bytes of `hashlib.blake2b(key, digest_size=8)` do.
pub fn mixed(key: &[u8]) -> u64 {
    u64::from_be_bytes(Blake2b::<U8>::digest(key).into())
}
