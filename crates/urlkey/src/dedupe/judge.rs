//! Who decides whether a line is the first of its key. Must not know where lines
//! come from, or go to.

use super::groups::Groups;
use super::spill::{DiskResult, Spill};
use crate::seen::Seen;

/// What becomes of a line that has a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Kept,
    Merged,
    /// That is not known before the last line.
    Waiting,
}

/// Who decides about a line.
pub(super) enum Judge {
    /// The set of keys: the first line of each is kept.
    Seen(Box<Seen>),
    /// All that is asked for, in memory.
    Groups(Groups),
    /// As much memory as there may be, and a file.
    Spill(Box<Spill>),
}

impl Judge {
    #[inline]
    pub(super) fn touch(&self, fingerprint: u128) -> u128 {
        match self {
            Judge::Seen(seen) => seen.touch(fingerprint),
            Judge::Groups(_) => 0,
            Judge::Spill(spill) => spill.touch(fingerprint),
        }
    }

    #[inline]
    pub(super) fn decide(&mut self, fingerprint: u128, url: &[u8], row: &[u8], number: u64) -> DiskResult<Fate> {
        let fresh = match self {
            Judge::Seen(seen) => seen.insert(fingerprint),
            Judge::Groups(groups) => groups.add(fingerprint, url, row, number),
            Judge::Spill(spill) => return spill.add(fingerprint, url, row),
        };
        Ok(if fresh { Fate::Kept } else { Fate::Merged })
    }
}
