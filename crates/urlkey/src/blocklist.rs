//! A list of bad URLs, hosts, expressions or hashes, held in memory, and the
//! question whether it names a URL. Must not know files.
//!
//! An entry is an expression of Safe Browsing. Of a text list, 128-bit
//! fingerprints of expressions are kept: SipHash-1-3 under a secret seed, so
//! that nobody can make a good URL look like a bad one. Of a list of hashes, its
//! prefixes as they are. Either lies sorted in one array, with the number of the
//! line it came from: 20 bytes an entry of a text list, and up to 3 to find it by.

mod builder;
mod entries;
mod filter;
mod lookup;
mod saved;
mod table;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use builder::{Builder, LineError, Settings};
use filter::Filter;
pub use lookup::{Lookup, Match};
use table::Table;

use crate::forms::safebrowsing::Version;
use crate::seen::Fingerprints;

/// What the lines of a list are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// URLs, hosts, expressions, lines of a hosts file; also defanged.
    Text,
    /// Prefixes of SHA-256 of expressions, hexadecimal.
    Hex,
    /// The same in base64, either alphabet, padded or not.
    Base64,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 3] = [Kind::Text, Kind::Hex, Kind::Base64];

    /// Its name: `text`, `hex` or `base64`.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Text => "text",
            Kind::Hex => "hex",
            Kind::Base64 => "base64",
        }
    }

    /// By its name.
    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// A list, ready to be asked.
pub struct Blocklist {
    version: Version,
    kind: Kind,
    prints: Fingerprints,
    /// By the width of what they hold.
    tables: BTreeMap<usize, Table>,
    /// The hosts of a text list's entries; the first bytes of hashes.
    filter: Filter,
    defanged: usize,
}

impl Blocklist {
    /// What its lines were.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Which text of the rules its expressions follow.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Distinct entries.
    pub fn len(&self) -> usize {
        self.tables.values().map(Table::len).sum()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes that the entries occupy.
    pub fn bytes(&self) -> usize {
        self.tables.values().map(Table::bytes).sum::<usize>() + self.filter.bytes()
    }

    /// How many entries were defanged.
    pub fn defanged(&self) -> usize {
        self.defanged
    }

    /// The widths of hashes that it holds, in bytes; none of a text list.
    pub fn widths(&self) -> Vec<usize> {
        match self.kind {
            Kind::Text => Vec::new(),
            Kind::Hex | Kind::Base64 => self.tables.keys().copied().collect(),
        }
    }
}

/// What the filter knows a hash by: the four bytes that every list holds.
#[inline]
fn mark(hash: &[u8]) -> u32 {
    hash.first_chunk().map_or(0, |first| u32::from_be_bytes(*first))
}
