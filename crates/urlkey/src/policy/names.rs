//! Names of parameters, looked up by hash: whole names and prefixes, without
//! ASCII case. The cost of a look-up grows with the name, not with the number
//! of rows. Must not know what a row means.

use crate::heads::{FOLD, Filter, head};
use crate::percent::{self, C0, Scan};

/// A name as rules write it: `utm_source`, or `utm_*` for all that begin so.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pattern {
    /// Without the star; escapes that the percent scan would decode are decoded.
    pub(crate) stem: String,
    pub(crate) prefix: bool,
}

/// A longer prefix would not fit the table of prefix lengths.
pub(crate) const LONGEST_PREFIX: usize = 63;

impl Pattern {
    /// Reads a name; `*` may stand at its end only.
    pub(crate) fn parse(text: &str) -> Result<Pattern, String> {
        let (stem, prefix) = match text.strip_suffix('*') {
            Some(stem) => (stem, true),
            None => (text, false),
        };
        if text.is_empty() || stem.contains(['*', '&', '=', '#']) {
            return Err(format!("{text:?} is no parameter name; allowed: a name without & = #, or one ending in *"));
        }
        match prefix && spell(stem, [true; 3]).len() > LONGEST_PREFIX {
            true => Err(format!("the prefix {text:?} is longer than {LONGEST_PREFIX} bytes, escapes counted")),
            false if stem.contains('%') || !stem.is_ascii() => Ok(Pattern { stem: scanned(stem, false), prefix }),
            false => Ok(Pattern { stem: stem.to_owned(), prefix }),
        }
    }

    /// Whether the name is one of the pattern's in its letters too, which a look-up looks past.
    pub(crate) fn is_exactly(&self, name: &[u8]) -> bool {
        let scanned = std::str::from_utf8(name).map(|name| scanned(name, false));
        scanned.is_ok_and(|name| if self.prefix { name.starts_with(&self.stem) } else { name == self.stem })
    }

    /// As rules write it.
    pub(crate) fn text(&self) -> String {
        format!("{}{}", self.stem, if self.prefix { "*" } else { "" })
    }

    /// The spellings of the stem that a query or a segment can hold: what parse
    /// always escapes is escaped; what encode_unsafe and encode_brackets escape
    /// may stand raw where a policy leaves them off, `'` in a segment.
    fn spellings(&self) -> Vec<Vec<u8>> {
        if self.stem.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')) {
            return vec![self.stem.to_ascii_lowercase().into_bytes()];
        }
        let all = (0..8).map(|bits| [bits & 1 > 0, bits & 2 > 0, bits & 4 > 0]);
        let mut out: Vec<Vec<u8>> = all.map(|escaped| spell(&self.stem, escaped)).collect();
        out.sort_unstable();
        out.dedup();
        out
    }
}

/// As the percent scan writes it, with or without encode_unsafe.
fn scanned(stem: &str, encode: bool) -> String {
    let (mut ascii, mut out) = (String::with_capacity(stem.len()), String::with_capacity(stem.len()));
    percent::encode(stem, C0, &mut ascii);
    Scan { upper: true, decode: true, encode }.write(&ascii, &mut out);
    out
}

fn spell(stem: &str, [unsafe_, brackets, quotes]: [bool; 3]) -> Vec<u8> {
    let mut out = Vec::with_capacity(stem.len());
    for byte in scanned(stem, unsafe_).bytes() {
        let escape = match byte {
            0..=0x20 | b'"' | b'<' | b'>' | 0x7F.. => true,
            b'\'' => quotes,
            b'[' | b']' => brackets,
            _ => false,
        };
        match escape {
            true => out.extend(format!("%{byte:02x}").bytes()),
            false => out.push(byte.to_ascii_lowercase()),
        }
    }
    out
}

/// Rows under names, found by hash.
#[derive(Clone)]
pub(crate) struct Names<V> {
    groups: Vec<Group<V>>,
    /// Open addressing: hash, and the number of a group plus one.
    slots: Box<[(u64, u32)]>,
    /// All prefixes, if they are few and short: comparing heads then beats hashing.
    heads: Option<Vec<Head>>,
    /// Otherwise, the lengths of the prefixes that begin with these four bytes, folded; sorted. Most names begin
    /// with none of them.
    beginnings: Vec<(u32, u64)>,
    /// What of them may begin a name: most names are told by it from all of them.
    prefixes: Filter,
    /// Bit `h % length`: a whole name begins with eight bytes of this hash. Most names are told by it from all of them.
    wholes: Box<[u64]>,
    /// The lengths of those that have fewer than four bytes; the empty prefix has none.
    short: u64,
    /// The group of the empty prefix.
    star: Option<u32>,
}

/// A prefix of up to eight bytes: which bits of a head it covers, and what they are, folded.
#[derive(Clone, Copy)]
struct Head {
    mask: u64,
    value: u64,
    group: u32,
}

/// More prefixes than this are hashed.
const FEW: usize = 16;

#[derive(Clone)]
struct Group<V> {
    /// Lower case.
    name: Vec<u8>,
    prefix: bool,
    rows: Vec<V>,
}

impl<V: Clone> Names<V> {
    /// All rows, each under every spelling of its name.
    pub(crate) fn new<'p>(rows: impl IntoIterator<Item = (&'p Pattern, V)>) -> Names<V> {
        let mut named: Vec<(Vec<u8>, bool, V)> = Vec::new();
        for (pattern, row) in rows {
            for name in pattern.spellings() {
                named.push((name, pattern.prefix, row.clone()));
            }
        }
        named.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
        let mut groups: Vec<Group<V>> = Vec::new();
        for (name, prefix, row) in named {
            match groups.last_mut() {
                Some(last) if last.name == name && last.prefix == prefix => last.rows.push(row),
                _ => groups.push(Group { name, prefix, rows: vec![row] }),
            }
        }
        Names::of_groups(groups)
    }

    fn of_groups(groups: Vec<Group<V>>) -> Names<V> {
        let mut slots = vec![(0u64, 0u32); (groups.len() * 2).next_power_of_two().max(2)].into_boxed_slice();
        for (number, group) in groups.iter().enumerate() {
            let hash = hash(&group.name, group.prefix);
            let mut slot = place(hash, slots.len());
            while slots[slot].1 != 0 {
                slot = (slot + 1) & (slots.len() - 1);
            }
            slots[slot] = (hash, number as u32 + 1);
        }
        let heads = heads(&groups);
        let star = groups.iter().position(|group| group.prefix && group.name.is_empty()).map(|number| number as u32);
        let (beginnings, short) = if heads.is_none() { beginnings(&groups) } else { (Vec::new(), 0) };
        let long: Vec<&Group<V>> = groups.iter().filter(|group| group.prefix && !group.name.is_empty()).collect();
        let mut prefixes = Filter::for_names(long.len());
        long.iter().for_each(|group| prefixes.add(&group.name, true));
        let mut wholes = vec![0; (groups.len() / 4 + 1).next_power_of_two().min(1 << 12)].into_boxed_slice();
        for group in groups.iter().filter(|group| !group.prefix) {
            let (word, bit) = whole(&group.name, wholes.len());
            wholes[word] |= bit;
        }
        Names { groups, slots, heads, beginnings, prefixes, wholes, short, star }
    }
}

impl<V> Names<V> {
    /// The first answer that `ask` gives to a row under this name, shortest prefix first.
    pub(crate) fn find<'a, R>(&'a self, name: &[u8], mut ask: impl FnMut(&'a V) -> Option<R>) -> Option<R> {
        if let Some(star) = self.star
            && let Some(answer) = self.groups[star as usize].rows.iter().find_map(&mut ask)
        {
            return Some(answer);
        }
        // Most names begin with no prefix.
        if self.prefixes.may(name)
            && let Some(answer) = self.under_prefix(name, &mut ask)
        {
            return Some(answer);
        }
        self.whole(name).iter().find_map(ask)
    }

    /// The first answer to a row under a prefix of this name, or under all of it.
    fn under_prefix<'a, R>(&'a self, name: &[u8], mut ask: impl FnMut(&'a V) -> Option<R>) -> Option<R> {
        if let Some(heads) = &self.heads {
            let folded = head(name, 0, name.len()) | FOLD;
            let groups = heads.iter().filter(|head| folded & head.mask == head.value);
            let mut groups = groups.map(|head| &self.groups[head.group as usize]).filter(|group| {
                name.get(..group.name.len()).is_some_and(|front| front.eq_ignore_ascii_case(&group.name))
            });
            return groups.find_map(|group| group.rows.iter().find_map(&mut ask));
        }
        let four = four(name);
        let found = self.beginnings.binary_search_by_key(&four, |&(known, _)| known);
        let long = found.map_or(0, |at| self.beginnings[at].1);
        let longest = name.len().min(LONGEST_PREFIX);
        let mut lengths = (self.short | long) & (u64::MAX >> (63 - longest));
        while lengths != 0 {
            let prefix = &name[..lengths.trailing_zeros() as usize];
            let answer = self.group(prefix, true).iter().find_map(&mut ask);
            if answer.is_some() {
                return answer;
            }
            lengths &= lengths - 1;
        }
        None
    }

    /// Whether any row is under this name.
    pub(crate) fn has(&self, name: &[u8]) -> bool {
        self.find(name, |_| Some(())).is_some()
    }

    /// The rows of this whole name.
    #[inline]
    fn whole(&self, name: &[u8]) -> &[V] {
        let (word, bit) = whole(name, self.wholes.len());
        if self.wholes[word] & bit == 0 { &[] } else { self.group(name, false) }
    }

    #[inline]
    fn group(&self, name: &[u8], prefix: bool) -> &[V] {
        let hash = hash(name, prefix);
        let mut slot = place(hash, self.slots.len());
        loop {
            let (found, number) = self.slots[slot];
            if number == 0 {
                return &[];
            }
            if found == hash {
                let group = &self.groups[number as usize - 1];
                if group.prefix == prefix && (group.name == name || group.name.eq_ignore_ascii_case(name)) {
                    return &group.rows;
                }
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// A filter that lets through every name that has a row.
    pub(crate) fn filter(&self) -> Filter {
        self.filter_of(|_| true)
    }

    /// A filter that lets through every name that has such a row.
    pub(crate) fn filter_of(&self, is: impl Fn(&V) -> bool) -> Filter {
        let groups: Vec<&Group<V>> = self.groups.iter().filter(|group| group.rows.iter().any(&is)).collect();
        let mut filter = Filter::for_names(groups.len());
        groups.iter().for_each(|group| filter.add(&group.name, group.prefix));
        filter
    }
}

/// Where a set of names keeps this one, by its first eight bytes, folded.
#[inline(always)]
fn whole(name: &[u8], words: usize) -> (usize, u64) {
    let hash = (head(name, 0, name.len()) | FOLD).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((hash >> 40) as usize & (words - 1), 1 << (hash >> 58))
}

/// The first four bytes, folded.
fn four(name: &[u8]) -> u32 {
    ((head(name, 0, name.len()) | FOLD) >> 32) as u32
}

/// Bit `n` of the lengths: some prefix is `n` bytes long.
fn beginnings<V>(groups: &[Group<V>]) -> (Vec<(u32, u64)>, u64) {
    let (mut all, mut short) = (Vec::new(), 0);
    for group in groups.iter().filter(|group| group.prefix && !group.name.is_empty()) {
        let bit = 1 << group.name.len();
        if group.name.len() < 4 {
            short |= bit;
        } else {
            all.push((four(&group.name), bit));
        }
    }
    all.sort_unstable();
    all.dedup_by(|later, first| {
        later.0 == first.0 && {
            first.1 |= later.1;
            true
        }
    });
    (all, short)
}

/// The prefixes by head, shortest first; None if one is long or they are many.
fn heads<V>(groups: &[Group<V>]) -> Option<Vec<Head>> {
    let mut heads = Vec::new();
    for (number, group) in groups.iter().enumerate().filter(|(_, group)| group.prefix && !group.name.is_empty()) {
        let length = group.name.len();
        if length > 8 || heads.len() == FEW {
            return None;
        }
        let mask = u64::MAX << (64 - 8 * length);
        let value = (head(&group.name, 0, length) | FOLD) & mask;
        heads.push(Head { mask, value, group: number as u32 });
    }
    heads.sort_by_key(|head| head.mask);
    Some(heads)
}

/// Without ASCII case, of the first eight bytes, the last eight and the length:
/// all that names are, but for the middle of long ones.
#[inline]
fn hash(name: &[u8], prefix: bool) -> u64 {
    let first = head(name, 0, name.len()) | FOLD;
    let last = if name.len() > 8 { head(name, name.len() - 8, 8) | FOLD } else { 0 };
    let length = (name.len() as u64) << 1 | u64::from(prefix);
    (first ^ last.rotate_left(29) ^ length.rotate_left(57)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn place(hash: u64, slots: usize) -> usize {
    (hash >> 32) as usize & (slots - 1)
}

/// A set of names alone.
#[derive(Clone)]
pub(crate) struct NameSet(Names<()>);

impl NameSet {
    pub(crate) fn new<'p>(patterns: impl IntoIterator<Item = &'p Pattern>) -> NameSet {
        NameSet(Names::new(patterns.into_iter().map(|pattern| (pattern, ()))))
    }

    /// Whether this name is in the set, without ASCII case.
    pub(crate) fn has(&self, name: &[u8]) -> bool {
        self.0.has(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Names<String> {
        let patterns: Vec<Pattern> = list.iter().map(|text| Pattern::parse(text).unwrap()).collect();
        Names::new(patterns.iter().map(|pattern| (pattern, pattern.text())))
    }

    #[test]
    fn whole_names_and_prefixes_are_found_without_case() {
        let set = names(&["gclid", "utm_*", "u", "ü", "a[0]", "100%", "%zz", "%77", "%7e_*", "%2fx"]);
        for yes in [
            "gclid", "GCLID", "utm_x", "UTM_", "u", "%C3%bc", "a[0]", "a%5B0%5d", "100%25", "100%", "%25zz", "%zz",
            "w", "~_x", "%2Fx",
        ] {
            assert!(set.has(yes.as_bytes()), "{yes}");
            assert!(set.filter().may(yes.as_bytes()), "{yes}");
        }
        for no in ["gcli", "gclidx", "utm", "", "a[1]", "a%5B0]"] {
            assert!(!set.has(no.as_bytes()), "{no}");
        }
    }

    #[test]
    fn long_and_many_prefixes_are_told_by_their_beginnings() {
        let set = names(&["ad_campaign_*", "ad_25_*", "ADX_1_long_*", "from", "to", "x*", "abc*"]);
        assert_eq!((set.beginnings.len(), set.short), (3, 1 << 1 | 1 << 3));
        for yes in ["ad_campaign_x", "AD_25_y", "ad_25_", "adx_1_LONG_", "to", "x", "xyz", "abcd"] {
            assert!(set.has(yes.as_bytes()), "{yes}");
        }
        for no in ["ad_25", "ad_2", "adx_1_lon", "utm_source", "ab", "from_", ""] {
            assert!(!set.has(no.as_bytes()), "{no}");
        }
    }

    #[test]
    fn a_lone_star_takes_every_name() {
        assert!(names(&["*"]).has(b"anything") && names(&["*"]).has(b""));
    }

    #[test]
    fn bad_patterns_are_refused() {
        for bad in ["", "a*b", "**", "a=b", "a&b", &format!("{}*", "p".repeat(64))] {
            assert!(Pattern::parse(bad).is_err(), "{bad}");
        }
    }
}
