//! Digests: the fixed width under which keys are stored. Must not know how a key
//! is made, nor where digests are kept.

use sha2::{Digest as _, Sha256};

/// Bytes of a digest.
pub const WIDTH: usize = 16;

/// The first half of a SHA-256.
pub type Digest = [u8; WIDTH];

/// The first 16 bytes of SHA-256 of the key's UTF-8, so that SQL engines,
/// Spark and Java can recompute it.
pub fn digest(key: &str) -> Digest {
    digest_of_bytes(key.as_bytes())
}

/// The same of any bytes: what tells spellings of one key apart.
pub fn digest_of_bytes(bytes: &[u8]) -> Digest {
    let hash = Sha256::digest(bytes);
    let mut out = [0; WIDTH];
    out.copy_from_slice(&hash[..WIDTH]);
    out
}
