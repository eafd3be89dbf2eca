//! Seeds of hashes that strangers must not be able to foresee.

use std::hash::{BuildHasher, RandomState};

/// Out of the randomness that the standard library seeds its hash maps with.
pub fn random_seed() -> [u8; 16] {
    let random = RandomState::new();
    let mut seed = [0; 16];
    seed[..8].copy_from_slice(&random.hash_one(0_u8).to_le_bytes());
    seed[8..].copy_from_slice(&random.hash_one(1_u8).to_le_bytes());
    seed
}
