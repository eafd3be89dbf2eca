//! Sixteen bytes at a time: which of them are a given byte, which are of the
//! kind that most of a URL is made of. The answer is a bit per byte, the first
//! byte lowest. Knows bytes only; `x86_64` has instructions for it that every
//! such processor has, elsewhere a loop says the same.

/// A block of text.
#[derive(Clone, Copy)]
pub(crate) struct Block(imp::Bytes);

/// How many bytes a block has.
pub(crate) const WIDTH: usize = 16;

/// The bits of all bytes of a block.
pub(crate) const EVERY: u32 = (1 << WIDTH) - 1;

impl Block {
    /// The block that begins at `at`, if the text is long enough for a whole one.
    #[inline(always)]
    pub(crate) fn at(text: &[u8], at: usize) -> Option<Block> {
        let (block, _) = text.get(at..)?.split_first_chunk::<WIDTH>()?;
        Some(Block(imp::load(block)))
    }

    /// The bytes that are `byte`.
    #[inline(always)]
    pub(crate) fn is(self, byte: u8) -> u32 {
        imp::is(self.0, byte)
    }

    /// The bytes that are either.
    #[inline(always)]
    pub(crate) fn is_either(self, a: u8, b: u8) -> u32 {
        imp::is_either(self.0, a, b)
    }

    /// The bytes that are visible ASCII: neither space nor control, nor from DEL on.
    #[inline(always)]
    pub(crate) fn is_graphic(self) -> u32 {
        imp::is_graphic(self.0)
    }

    /// The bytes that are ASCII letters in lower case, digits, or `,-./:_`.
    #[inline(always)]
    pub(crate) fn common(self) -> u32 {
        imp::common(self.0, false)
    }

    /// The bytes that are ASCII letters, digits, or `,-./:_`.
    #[inline(always)]
    pub(crate) fn common_any_case(self) -> u32 {
        imp::common(self.0, true)
    }
}

/// The one module with `unsafe`: calls of SSE2 instructions, which read and
/// write registers only.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod imp {
    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi8, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8,
        _mm_sub_epi8,
    };

    pub(super) type Bytes = __m128i;

    #[inline(always)]
    pub(super) fn load(bytes: &[u8; 16]) -> Bytes {
        let word = u128::from_le_bytes(*bytes);
        // SAFETY: every x86_64 processor has SSE2; the instruction touches no memory. So for all below.
        unsafe { _mm_set_epi64x((word >> 64) as i64, word as i64) }
    }

    #[inline(always)]
    fn equal(bytes: Bytes, byte: u8) -> Bytes {
        // SAFETY: as in `load`.
        unsafe { _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte as i8)) }
    }

    /// Bytes from `first` to `first + span`.
    #[inline(always)]
    fn within(bytes: Bytes, first: u8, span: u8) -> Bytes {
        // SAFETY: as in `load`.
        unsafe {
            let moved = _mm_sub_epi8(bytes, _mm_set1_epi8(first as i8));
            _mm_cmpeq_epi8(_mm_min_epu8(moved, _mm_set1_epi8(span as i8)), moved)
        }
    }

    #[inline(always)]
    fn either(a: Bytes, b: Bytes) -> Bytes {
        // SAFETY: as in `load`.
        unsafe { _mm_or_si128(a, b) }
    }

    #[inline(always)]
    fn mask(bytes: Bytes) -> u32 {
        // SAFETY: as in `load`.
        unsafe { _mm_movemask_epi8(bytes) as u32 }
    }

    #[inline(always)]
    pub(super) fn is(bytes: Bytes, byte: u8) -> u32 {
        mask(equal(bytes, byte))
    }

    #[inline(always)]
    pub(super) fn is_either(bytes: Bytes, a: u8, b: u8) -> u32 {
        mask(either(equal(bytes, a), equal(bytes, b)))
    }

    #[inline(always)]
    pub(super) fn is_graphic(bytes: Bytes) -> u32 {
        mask(within(bytes, b'!', b'~' - b'!'))
    }

    #[inline(always)]
    pub(super) fn common(bytes: Bytes, any_case: bool) -> u32 {
        let lower = within(bytes, b'a', 25);
        let letters = if any_case { either(lower, within(bytes, b'A', 25)) } else { lower };
        let others = either(within(bytes, b',', b':' - b','), equal(bytes, b'_'));
        mask(either(letters, others))
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod imp {
    pub(super) type Bytes = [u8; 16];

    pub(super) fn load(bytes: &[u8; 16]) -> Bytes {
        *bytes
    }

    fn mask(bytes: Bytes, holds: impl Fn(u8) -> bool) -> u32 {
        bytes.iter().enumerate().fold(0, |mask, (i, &c)| mask | u32::from(holds(c)) << i)
    }

    pub(super) fn is(bytes: Bytes, byte: u8) -> u32 {
        mask(bytes, |c| c == byte)
    }

    pub(super) fn is_either(bytes: Bytes, a: u8, b: u8) -> u32 {
        mask(bytes, |c| c == a || c == b)
    }

    pub(super) fn is_graphic(bytes: Bytes) -> u32 {
        mask(bytes, |c| c.is_ascii_graphic())
    }

    pub(super) fn common(bytes: Bytes, any_case: bool) -> u32 {
        mask(bytes, |c| {
            c.is_ascii_lowercase() || (any_case && c.is_ascii_uppercase()) || matches!(c, b','..=b':' | b'_')
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_told_as_a_loop_would() {
        for first in 0..=255u8 {
            let text: [u8; WIDTH] = std::array::from_fn(|i| first.wrapping_add(i as u8 * 7));
            let block = Block::at(&text, 0).unwrap();
            let told = |holds: &dyn Fn(u8) -> bool| {
                text.iter().enumerate().fold(0u32, |mask, (i, &c)| mask | u32::from(holds(c)) << i)
            };
            let other = |c: u8| matches!(c, b',' | b'-' | b'.' | b'/' | b'0'..=b'9' | b':' | b'_');
            assert_eq!(block.is(b'/'), told(&|c| c == b'/'));
            assert_eq!(block.is_either(b'&', b'='), told(&|c| c == b'&' || c == b'='));
            assert_eq!(block.is_graphic(), told(&|c| c.is_ascii_graphic()));
            assert_eq!(block.common(), told(&|c| c.is_ascii_lowercase() || other(c)));
            assert_eq!(block.common_any_case(), told(&|c| c.is_ascii_alphabetic() || other(c)));
        }
        assert!(Block::at(&[0; 15], 0).is_none() && Block::at(&[0; 16], 1).is_none());
    }
}
