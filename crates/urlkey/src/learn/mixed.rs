//! An order of keys that has nothing to do with what is in them: BLAKE2b of 64 bits.
//! Source: RFC 7693, without a key; the same as `hashlib.blake2b(key, digest_size=8)`.

const IV: [u64; 8] = [
    0x6a09_e667_f3bc_c908,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
    0x1f83_d9ab_fb41_bd6b,
    0x5be0_cd19_137e_2179,
];
const SIGMA: [[usize; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];
const BLOCK: usize = 128;

/// The place of a key; compares as the eight bytes of the hash do.
pub fn mixed(key: &[u8]) -> u64 {
    let mut state = IV;
    // Eight bytes, no key, one leaf.
    state[0] ^= 0x0101_0008;
    let mut rest = key;
    let mut told = 0u128;
    while rest.len() > BLOCK {
        let (block, after) = rest.split_at(BLOCK);
        told += BLOCK as u128;
        compress(&mut state, block, told, false);
        rest = after;
    }
    let mut last = [0; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    compress(&mut state, &last, told + rest.len() as u128, true);
    state[0].swap_bytes()
}

fn compress(state: &mut [u64; 8], block: &[u8], told: u128, last: bool) {
    let mut words = [0u64; 16];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(8)) {
        *word = bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
    }
    let mut v = [0; 16];
    v[..8].copy_from_slice(state);
    v[8..].copy_from_slice(&IV);
    v[12] ^= told as u64;
    v[13] ^= (told >> 64) as u64;
    if last {
        v[14] = !v[14];
    }
    for round in 0..12 {
        let s = &SIGMA[round % 10];
        mix(&mut v, [0, 4, 8, 12], words[s[0]], words[s[1]]);
        mix(&mut v, [1, 5, 9, 13], words[s[2]], words[s[3]]);
        mix(&mut v, [2, 6, 10, 14], words[s[4]], words[s[5]]);
        mix(&mut v, [3, 7, 11, 15], words[s[6]], words[s[7]]);
        mix(&mut v, [0, 5, 10, 15], words[s[8]], words[s[9]]);
        mix(&mut v, [1, 6, 11, 12], words[s[10]], words[s[11]]);
        mix(&mut v, [2, 7, 8, 13], words[s[12]], words[s[13]]);
        mix(&mut v, [3, 4, 9, 14], words[s[14]], words[s[15]]);
    }
    for (at, word) in state.iter_mut().enumerate() {
        *word ^= v[at] ^ v[at + 8];
    }
}

#[inline(always)]
fn mix(v: &mut [u64; 16], [a, b, c, d]: [usize; 4], x: u64, y: u64) {
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(x);
    v[d] = (v[d] ^ v[a]).rotate_right(32);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(24);
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(y);
    v[d] = (v[d] ^ v[a]).rotate_right(16);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(63);
}
