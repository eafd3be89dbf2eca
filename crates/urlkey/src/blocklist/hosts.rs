//! Which hosts a list has entries of: a filter that is asked before the paths
//! are. It may say yes for no reason, never no.

/// Bits for each entry, at least.
const BITS: usize = 16;

/// A bit for each host of an entry, at a place that its fingerprint names.
#[derive(Default)]
pub(super) struct Hosts {
    bits: Vec<u64>,
}

impl Hosts {
    /// Of the hosts with these low halves of fingerprints.
    pub(super) fn new(prints: &[u32]) -> Hosts {
        let words = (prints.len() * BITS).div_ceil(u64::BITS as usize).next_power_of_two();
        let mut hosts = Hosts { bits: vec![0; words] };
        for &print in prints {
            let (word, bit) = hosts.place(print);
            hosts.bits[word] |= bit;
        }
        hosts
    }

    fn place(&self, print: u32) -> (usize, u64) {
        let place = print as usize;
        ((place / 64) & (self.bits.len() - 1), 1 << (place % 64))
    }

    /// Whether there may be an entry of the host with this fingerprint.
    #[inline]
    pub(super) fn may_have(&self, print: u128) -> bool {
        let (word, bit) = self.place(print as u32);
        self.bits.get(word).is_some_and(|bits| bits & bit != 0)
    }

    pub(super) fn bytes(&self) -> usize {
        self.bits.capacity() * size_of::<u64>()
    }
}
