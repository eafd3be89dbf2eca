//! Hashes of texts that grow by a byte: one pass over a host gives those of all
//! its suffixes, one over a path those of all its prefixes. Polynomials under a
//! secret base modulo 2^61 - 1; whoever finds something by one compares the text.

use std::hash::{BuildHasherDefault, Hasher};

use siphasher::sip::SipHasher13;

const MODULUS: u64 = (1 << 61) - 1;

/// Hashes under one base.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rolling {
    base: u64,
    /// Keys of other hashes.
    keys: (u64, u64),
}

impl Rolling {
    /// The hash of nothing.
    pub const EMPTY: u64 = 0;

    /// `seed` must be random and stay secret while strangers choose the URLs.
    pub fn new(seed: &[u8; 16]) -> Rolling {
        let half = |from: usize| u64::from_le_bytes(std::array::from_fn(|at| seed[from + at]));
        let keys = (half(0), half(8));
        let mut hasher = SipHasher13::new_with_keys(keys.0, keys.1);
        hasher.write(b"base");
        // Small bases would tell short texts by their bytes alone.
        Rolling { base: hasher.finish() % (MODULUS - (1 << 32)) + (1 << 32), keys }
    }

    /// The hash of a text with this byte behind it.
    #[inline]
    pub fn push(self, hash: u64, byte: u8) -> u64 {
        let wide = u128::from(hash) * u128::from(self.base) + u128::from(byte) + 1;
        let folded = (wide as u64 & MODULUS) + (wide >> 61) as u64;
        if folded >= MODULUS { folded - MODULUS } else { folded }
    }

    /// Of a text from left to right.
    pub fn of(self, text: &[u8]) -> u64 {
        text.iter().fold(Self::EMPTY, |hash, &byte| self.push(hash, byte))
    }

    /// Of a text from right to left: a host's suffixes share what they begin with.
    pub fn backwards(self, text: &[u8]) -> u64 {
        text.iter().rev().fold(Self::EMPTY, |hash, &byte| self.push(hash, byte))
    }

    /// The hash of a number and a text, for tables of what is compared anyway.
    pub fn keyed(self, number: u32, text: &[u8]) -> u64 {
        let mut hasher = SipHasher13::new_with_keys(self.keys.0, self.keys.1);
        hasher.write_u32(number);
        hasher.write(text);
        hasher.finish()
    }
}

/// The number and the hash of a text in one number, all bits mixed.
#[inline]
pub(super) fn mixed(number: u32, hash: u64) -> u64 {
    let mut mixed = (hash ^ u64::from(number).wrapping_mul(0xD6E8_FEB8_6659_FD93)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^= mixed >> 32;
    mixed = mixed.wrapping_mul(0xD6E8_FEB8_6659_FD93);
    mixed ^ mixed >> 32
}

/// For tables whose keys are hashes already.
#[derive(Clone, Copy, Default)]
pub(super) struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, &byte| hash.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

pub(super) type Table<V> = std::collections::HashMap<u64, V, BuildHasherDefault<AsIs>>;
