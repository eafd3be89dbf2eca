//! Rows under patterns of hosts, found by a hash of each suffix of a host's
//! labels. Most hosts have no row: their last bytes tell that before any label
//! is hashed. Must not know what a row means; whether it is for a host in the
//! end is asked of the row.

use super::says::before_suffix;
use crate::blocks::{Block, WIDTH};
use crate::heads::head;

/// Numbers of rows, by host.
#[derive(Default)]
pub(crate) struct HostIndex {
    /// (hash of the key, number of the row), sorted.
    by_key: Vec<(u64, u32)>,
    /// Where the keys with these highest bits begin in it, and the end.
    starts: Vec<u32>,
    /// How many of the bits of a key are not looked at for that.
    low_bits: u32,
    /// How the hosts of patterns end.
    hosts: Ends<8>,
    /// How the names end that stand before any suffix: `google` of `google.<suffix>`.
    names: Ends<4>,
    /// The last bytes of these names, if there are no more than two: most labels end otherwise.
    last: Option<[u8; 2]>,
}

impl HostIndex {
    /// Of patterns (`a.example`, `*.a.example`, `google.<suffix>`), each with the number of its row. Those for any
    /// host are the caller's.
    pub(crate) fn new<'p>(rows: impl IntoIterator<Item = (&'p str, u32)>) -> HostIndex {
        let (mut by_key, mut hosts, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for (pattern, number) in rows.into_iter().filter(|(pattern, _)| *pattern != "*") {
            match before_suffix(pattern) {
                Some(labels) => {
                    let name = labels.rsplit('.').next().unwrap_or(labels);
                    names.push(name);
                    by_key.push((before_any(label_hash(name.as_bytes())), number));
                }
                None => {
                    let host = pattern.strip_prefix("*.").unwrap_or(pattern);
                    hosts.push(host);
                    let labels = host.rsplit('.').map(|label| label_hash(label.as_bytes()));
                    by_key.push((labels.fold(0, with_label), number));
                }
            }
        }
        by_key.sort_unstable();
        by_key.dedup();
        let high_bits = (by_key.len() + 2).next_power_of_two().ilog2();
        let low_bits = 64 - high_bits;
        let start = |high: u64| by_key.partition_point(|&(key, _)| key >> low_bits < high) as u32;
        let starts = (0..=1 << high_bits).map(start).collect();
        let mut last: Vec<u8> = names.iter().filter_map(|name| name.bytes().last()).collect();
        last.sort_unstable();
        last.dedup();
        let last = match last[..] {
            [one] => Some([one, one]),
            [one, other] => Some([one, other]),
            _ => None,
        };
        HostIndex { last, by_key, starts, low_bits, hosts: Ends::new(&hosts), names: Ends::new(&names) }
    }

    /// Whether there may be a row for this host, which has no dot at its end.
    #[inline]
    pub(crate) fn may(&self, host: &[u8]) -> bool {
        let mut may = false;
        self.each(host, |_| may = true);
        may
    }

    /// The numbers of the rows that may be for this host, which has no dot at its end; the same one perhaps more than
    /// once. Linear in the host.
    #[inline]
    pub(crate) fn each(&self, host: &[u8], mut add: impl FnMut(u32)) {
        if !self.hosts.is_empty() && self.hosts.may_end(host) {
            self.each_suffix(host, &mut add);
        }
        if !self.names.is_empty() {
            self.each_name(host, &mut add);
        }
    }

    #[cold]
    fn each_suffix(&self, host: &[u8], add: &mut impl FnMut(u32)) {
        let (mut suffix, mut end) = (0, host.len());
        loop {
            let dot = host[..end].iter().rposition(|&byte| byte == b'.');
            suffix = with_label(suffix, label_hash(&host[dot.map_or(0, |dot| dot + 1)..end]));
            self.under(suffix, add);
            let Some(dot) = dot else { break };
            end = dot;
        }
    }

    /// Cheaper than to ask the suffix list, and never too few: every label but the last may be the name.
    #[inline]
    fn each_name(&self, host: &[u8], add: &mut impl FnMut(u32)) {
        let mut from = 0;
        while from < host.len() {
            let mut dots = dots_behind(self.last, host, from);
            while dots != 0 {
                let dot = from + dots.trailing_zeros() as usize;
                if self.names.may_end(&host[..dot]) {
                    self.under_name(&host[..dot], add);
                }
                dots &= dots - 1;
            }
            from += 64;
        }
    }

    #[cold]
    fn under_name(&self, host: &[u8], add: &mut impl FnMut(u32)) {
        let from = host.iter().rposition(|&byte| byte == b'.').map_or(0, |dot| dot + 1);
        self.under(before_any(label_hash(&host[from..])), add);
    }

    fn under(&self, key: u64, add: &mut impl FnMut(u32)) {
        // Keys are hashes: about one of them has these bits.
        let high = (key >> self.low_bits) as usize;
        let near = &self.by_key[self.starts[high] as usize..self.starts[high + 1] as usize];
        near.iter().filter(|&&(other, _)| other == key).for_each(|&(_, number)| add(number));
    }
}

/// How some texts of labels end: a set of their last `W` bytes, a dot before those that are shorter.
#[derive(Default)]
struct Ends<const W: usize> {
    /// Bit `h % length`: some end has this hash.
    bits: Box<[u64]>,
    /// As many of the bytes of an end as the short ones have.
    masks: Vec<u64>,
}

impl<const W: usize> Ends<W> {
    const ALL: u64 = u64::MAX >> (64 - 8 * W);

    fn new(texts: &[&str]) -> Ends<W> {
        if texts.is_empty() {
            return Ends::default();
        }
        // Sixteen bits a text, so that few hosts without a row are looked up in vain.
        let words = (texts.len() / 4 + 1).next_power_of_two().clamp(16, 1 << 14);
        let mut ends = Ends { bits: vec![0; words].into(), masks: Vec::new() };
        for text in texts.iter().map(|text| text.as_bytes()) {
            // With the dot that stands before it.
            let mask = if text.len() < W { Self::ALL >> (8 * (W - 1 - text.len())) } else { Self::ALL };
            let (word, bit) = ends.place(Self::end(text) & mask);
            ends.bits[word] |= bit;
            if mask != Self::ALL {
                ends.masks.push(mask);
            }
        }
        ends.masks.sort_unstable();
        ends.masks.dedup();
        ends
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.bits.is_empty()
    }

    /// Whether one of the texts, or a dot and one of them, may stand at the end of this.
    #[inline(always)]
    fn may_end(&self, text: &[u8]) -> bool {
        let end = Self::end(text);
        let known = |mask: u64| {
            let (word, bit) = self.place(end & mask);
            self.bits[word] & bit != 0
        };
        // Without a branch for each, which hosts would take either way.
        known(Self::ALL) | (!self.masks.is_empty() && self.masks.iter().fold(false, |any, &mask| any | known(mask)))
    }

    /// The last `W` bytes, the last one lowest; a dot and zeros before a shorter text.
    #[inline(always)]
    fn end(text: &[u8]) -> u64 {
        match text.last_chunk::<W>() {
            Some(bytes) => bytes.iter().fold(0, |end, &byte| end << 8 | u64::from(byte)),
            None => text.iter().fold(u64::from(b'.'), |end, &byte| end << 8 | u64::from(byte)),
        }
    }

    #[inline(always)]
    fn place(&self, end: u64) -> (usize, u64) {
        let hash = end.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((hash >> 40) as usize & (self.bits.len() - 1), 1 << (hash >> 58))
    }
}

/// The dots among the next 64 bytes, a bit each, that stand behind one of two bytes, or behind anything.
#[inline]
fn dots_behind(last: Option<[u8; 2]>, host: &[u8], from: usize) -> u64 {
    // Of the byte before nothing is known but at the beginning.
    let (rest, before) = (&host[from..], u64::from(from > 0));
    let [a, b] = last.unwrap_or_default();
    let (mut dots, mut ends) = (0, before);
    if rest.len() >= WIDTH {
        let mut at = 0;
        while at < rest.len().min(64) {
            // The last block begins early enough to be whole: what was seen before is seen again.
            let start = at.min(rest.len() - WIDTH);
            if let Some(block) = Block::at(rest, start) {
                dots |= u64::from(block.is(b'.')) << start;
                ends |= u64::from(block.is_either(a, b)) << start << 1;
            }
            at += WIDTH;
        }
    } else if let Some(later) = rest.len().checked_sub(8) {
        for start in [0, later] {
            let word = rest[start..].first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes));
            dots |= equal(word, b'.') << start;
            ends |= (equal(word, a) | equal(word, b)) << start << 1;
        }
    } else {
        for (at, &byte) in rest.iter().enumerate() {
            dots |= u64::from(byte == b'.') << at;
            ends |= u64::from(byte == a || byte == b) << at << 1;
        }
    }
    if last.is_some() { dots & ends } else { dots }
}

/// Which of eight bytes are this one: in each the high bit is set that the others cannot carry into, then the high
/// bits are brought together.
#[inline(always)]
fn equal(word: u64, byte: u8) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let other = word ^ (u64::from(byte) * 0x0101_0101_0101_0101);
    let equal = !((other & LOW).wrapping_add(LOW) | other | LOW);
    (equal >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Of the first eight bytes, the last eight and the length: what labels differ in.
fn label_hash(label: &[u8]) -> u64 {
    let first = head(label, 0, label.len());
    let last = if label.len() > 8 { head(label, label.len() - 8, 8) } else { 0 };
    first ^ last.rotate_left(29) ^ (label.len() as u64).rotate_left(57)
}

fn with_label(suffix: u64, label: u64) -> u64 {
    // A short label is all in the high bits: they must come down before the product, or it has no low ones.
    let folded = suffix.rotate_left(23) ^ label;
    let mixed = (folded ^ folded >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 32
}

fn before_any(label: u64) -> u64 {
    with_label(0x3c, label)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(patterns: &[&str], host: &str) -> Vec<u32> {
        let index = HostIndex::new(patterns.iter().copied().zip(0..));
        let mut found = Vec::new();
        index.each(host.as_bytes(), |number| found.push(number));
        found.sort_unstable();
        found.dedup();
        assert_eq!(index.may(host.as_bytes()), !found.is_empty());
        found
    }

    #[test]
    fn rows_are_found_under_every_suffix_of_labels() {
        let patterns =
            ["a.b", "*.shop.example", "www.shop.example", "t.co", "*.t.co", "g.<suffix>", "google.<suffix>", "*"];
        for (host, numbers) in [
            ("a.b", &[0][..]),
            ("x.a.b", &[0]),
            ("xa.b", &[]),
            ("shop.example", &[1]),
            ("www.shop.example", &[1, 2]),
            ("notshop.example", &[]),
            ("t.co", &[3, 4]),
            ("at.co", &[]),
            ("t.com", &[]),
            ("g.org", &[5]),
            ("x.g.co.uk", &[5]),
            ("xg.org", &[]),
            ("google.com", &[6]),
            ("mail.google.co.uk", &[6]),
            ("google", &[]),
            ("agoogle.com", &[]),
            ("", &[]),
            (".", &[]),
        ] {
            assert_eq!(found(&patterns, host), numbers, "{host}");
        }
    }

    #[test]
    fn long_hosts_are_read_to_their_end() {
        let long = format!("{}google.{}", "a.".repeat(60), "b.".repeat(40) + "com");
        assert_eq!(found(&["google.<suffix>", "*.b.com"], &long), [0, 1]);
        let many = ["google.<suffix>", "amazon.<suffix>", "ebay.<suffix>"];
        assert_eq!(found(&many, &long), [0]);
        assert_eq!(found(&many, &format!("{}ebay.de", "x.".repeat(32))), [2]);
        assert!(found(&["google.<suffix>"], &"a.".repeat(100)).is_empty());
        assert!(found(&[], "a.example").is_empty());
    }

    #[test]
    fn most_hosts_are_told_by_their_ends() {
        let patterns: Vec<String> = (0..2000).map(|n| format!("*.site{n}.example")).collect();
        let index = HostIndex::new(patterns.iter().map(String::as_str).zip(0..));
        let told = (0..2000).filter(|n| index.hosts.may_end(format!("www.other{n}.test").as_bytes())).count();
        assert!(told < 200, "{told} of 2,000 hosts looked up in vain");
    }
}
