//! A list as bytes, and back: what a process hands to another. The bytes hold the
//! secret seed of the fingerprints and are as trusted as the program that reads
//! them; whatever they are, reading them ends in a list or an error.

use std::collections::BTreeMap;

use super::filter::Filter;
use super::table::Table;
use super::{Blocklist, Kind};
use crate::forms::safebrowsing::{Version, WIDTHS};
use crate::seen::Fingerprints;

/// What the bytes begin with; its last byte is the version of the form.
const HEAD: &[u8; 17] = b"urlkey-blocklist\x02";
/// Bytes of a fingerprint's seed.
const SEED: usize = 16;

const VERSIONS: [Version; 2] = [Version::V4, Version::V5];

impl Blocklist {
    /// The list as bytes, for `from_bytes`.
    ///
    /// ```
    /// use urlkey::blocklist::{Blocklist, Builder, Lookup, Settings};
    /// let mut builder = Builder::new(Settings::default(), &[7; 16]);
    /// builder.feed(b"evil.example\n");
    /// let list = Blocklist::from_bytes(&builder.finish().0.to_bytes()).unwrap();
    /// assert!(list.lookup(b"http://evil.example/", &mut Lookup::default()).unwrap().is_some());
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bytes() + 128);
        out.extend_from_slice(HEAD);
        out.push(VERSIONS.iter().position(|version| *version == self.version).unwrap_or(0) as u8);
        out.push(Kind::ALL.iter().position(|kind| *kind == self.kind).unwrap_or(0) as u8);
        out.extend_from_slice(&self.prints.seed());
        push_number(self.defanged, &mut out);
        push_number(self.filter.words().len(), &mut out);
        out.extend(self.filter.words().iter().flat_map(|word| word.to_le_bytes()));
        push_number(self.tables.len(), &mut out);
        for (width, table) in &self.tables {
            push_number(*width, &mut out);
            push_number(table.rows().len(), &mut out);
            out.extend_from_slice(table.rows());
        }
        out
    }

    /// The list that `to_bytes` wrote. None: the bytes are no list, or one of another version of this form.
    pub fn from_bytes(bytes: &[u8]) -> Option<Blocklist> {
        let mut rest = bytes.strip_prefix(HEAD)?;
        let version = *VERSIONS.get(usize::from(take(&mut rest, 1)?[0]))?;
        let kind = *Kind::ALL.get(usize::from(take(&mut rest, 1)?[0]))?;
        let seed: [u8; SEED] = take(&mut rest, SEED)?.try_into().ok()?;
        let defanged = number(&mut rest)?;
        let words = number(&mut rest)?;
        let words = take(&mut rest, words.checked_mul(size_of::<u64>())?)?;
        let filter = Filter::of_words(words.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect());
        let mut tables = BTreeMap::new();
        for _ in 0..number(&mut rest)? {
            let width = number(&mut rest)?;
            let wanted = match kind {
                Kind::Text => width == size_of::<u128>(),
                Kind::Hex | Kind::Base64 => WIDTHS.contains(&width),
            };
            let length = number(&mut rest)?;
            let rows = take(&mut rest, length)?;
            let table = Table::of_sorted(width, rows.to_vec()).filter(|_| wanted)?;
            if tables.insert(width, table).is_some() {
                return None;
            }
        }
        rest.is_empty().then(|| Blocklist { version, kind, prints: Fingerprints::new(&seed), tables, filter, defanged })
    }
}

fn push_number(number: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(&(number as u64).to_le_bytes());
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(length)?;
    *rest = left;
    Some(taken)
}

fn number(rest: &mut &[u8]) -> Option<usize> {
    let bytes = take(rest, size_of::<u64>())?.try_into().ok()?;
    usize::try_from(u64::from_le_bytes(bytes)).ok()
}
