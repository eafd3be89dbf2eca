//! The short road of `ParamSet`: names that are dropped on any host, known by
//! their first eight bytes. Only says yes where the rows would; must not know
//! rows.

use crate::heads::{FOLD, head};

/// Up to eight bytes of a name, folded, and how many: all of a short name, or a prefix.
#[derive(Clone, Copy)]
struct Entry {
    mask: u64,
    value: u64,
    length: usize,
    row: u32,
}

/// Names and prefixes of up to eight plain bytes, each with the number of its row.
#[derive(Default)]
pub(crate) struct Sure {
    prefixes: Vec<Entry>,
    /// Open addressing, a power of two long; empty where `length` is 0.
    names: Vec<Entry>,
}

/// More prefixes than this are left to the rows.
const FEW: usize = 16;

impl Sure {
    /// Of the names given, those that are short and plain.
    pub(crate) fn new(rows: &[(&str, bool)]) -> Sure {
        let mut sure = Sure::default();
        let names = rows.iter().filter(|(name, prefix)| !prefix && is_plain(name)).count();
        let empty = Entry { mask: 0, value: 0, length: 0, row: 0 };
        sure.names = vec![empty; (2 * names).next_power_of_two().max(2)];
        for (row, (name, prefix)) in rows.iter().enumerate().filter(|(_, (name, _))| is_plain(name)) {
            let length = name.len();
            let mask = u64::MAX << (64 - 8 * length);
            let value = (head(name.as_bytes(), 0, length) | FOLD) & mask;
            let entry = Entry { mask, value, length, row: row as u32 };
            if !prefix {
                sure.insert(entry);
            } else if sure.prefixes.len() < FEW {
                sure.prefixes.push(entry);
            }
        }
        sure
    }

    fn insert(&mut self, entry: Entry) {
        let mut slot = self.slot(entry.value, entry.length);
        while self.names[slot].length != 0 {
            slot = (slot + 1) & (self.names.len() - 1);
        }
        self.names[slot] = entry;
    }

    fn slot(&self, value: u64, length: usize) -> usize {
        let mixed = (value ^ length as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 40) as usize & (self.names.len() - 1)
    }

    /// The row that drops this name on any host, if it is among those known here.
    #[inline]
    pub(crate) fn find(&self, name: &[u8]) -> Option<usize> {
        let length = name.len();
        let folded = head(name, 0, length) | FOLD;
        // Where the name is shorter than the prefix, the head is zero there, which folds to a space.
        if let Some(entry) = self.prefixes.iter().find(|e| folded & e.mask == e.value) {
            return Some(entry.row as usize);
        }
        if length == 0 || length > 8 || self.names.is_empty() {
            return None;
        }
        let value = folded & (u64::MAX << (64 - 8 * length));
        let mut slot = self.slot(value, length);
        loop {
            let entry = &self.names[slot];
            if entry.length == 0 {
                return None;
            }
            if entry.value == value && entry.length == length {
                return Some(entry.row as usize);
            }
            slot = (slot + 1) & (self.names.len() - 1);
        }
    }
}

/// Whether the name is short, and of bytes that fold to those of no other that
/// a query can hold: controls and DEL are always escaped there.
fn is_plain(name: &str) -> bool {
    (1..=8).contains(&name.len())
        && name.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, b'_' | b'-' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_and_prefixes_are_known_in_either_case() {
        let sure =
            Sure::new(&[("gclid", false), ("utm_", true), ("a-name-too-long", false), ("x[0]", false), ("s", false)]);
        let found = |name: &str| sure.find(name.as_bytes());
        assert_eq!((found("gclid"), found("GCLID"), found("s")), (Some(0), Some(0), Some(4)));
        assert_eq!((found("utm_"), found("Utm_Source")), (Some(1), Some(1)));
        for no in ["", "gcli", "gclid2", "utm", "ut", "a-name-too-long", "x[0]", "ss"] {
            assert_eq!(found(no), None, "{no}");
        }
        assert_eq!(Sure::default().find(b"gclid"), None);
    }
}
