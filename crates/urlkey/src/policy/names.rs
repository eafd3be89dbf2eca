//! Names of parameters, looked up by hash: whole names and prefixes, without
//! ASCII case. The cost of a look-up grows with the name, not with the number
//! of rows. Must not know what a row means.


/// A name as rules write it: `utm_source`, or `utm_*` for all that begin so.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pattern {
    /// Without the star.
    pub(crate) stem: String,
    pub(crate) prefix: bool,
}

/// A longer prefix would not fit the table of prefix lengths.
const LONGEST_PREFIX: usize = 63;

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
        match prefix && spell(stem, true, true).len() > LONGEST_PREFIX {
            true => Err(format!("the prefix {text:?} is longer than {LONGEST_PREFIX} bytes, escapes counted")),
            false => Ok(Pattern { stem: stem.to_owned(), prefix }),
        }
    }

    /// As rules write it.
    pub(crate) fn text(&self) -> String {
        format!("{}{}", self.stem, if self.prefix { "*" } else { "" })
    }

    /// The spellings of the stem that a query can hold: what parse always
    /// escapes is escaped; what encode_unsafe and encode_brackets escape may
    /// stand raw where a policy leaves them off.
    fn spellings(&self) -> Vec<Vec<u8>> {
        if self.stem.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')) {
            return vec![self.stem.to_ascii_lowercase().into_bytes()];
        }
        let all = [(false, false), (false, true), (true, false), (true, true)];
        let mut out: Vec<Vec<u8>> = all.iter().map(|&(unsafe_, brackets)| spell(&self.stem, unsafe_, brackets)).collect();
        out.sort_unstable();
        out.dedup();
        out
    }
}

fn spell(stem: &str, unsafe_: bool, brackets: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(stem.len());
    for byte in stem.bytes() {
        let escape = match byte {
            0..=0x20 | b'"' | b'\'' | b'<' | b'>' | 0x7F.. => true,
            b'\\' | b'^' | b'`' | b'{' | b'|' | b'}' => unsafe_,
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
    /// Open addressing; a slot is the number of a group plus one.
    slots: Box<[u32]>,
    /// Bit `n`: some prefix is `n` bytes long.
    prefix_lengths: u64,
}

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
        let mut slots = vec![0u32; (groups.len() * 2).next_power_of_two().max(2)].into_boxed_slice();
        let mut prefix_lengths = 0u64;
        for (number, group) in groups.iter().enumerate() {
            if group.prefix {
                prefix_lengths |= 1 << group.name.len();
            }
            let hash = group.name.iter().fold(SEED, |hash, &byte| step(hash, byte));
            let mut slot = place(hash, group.prefix, slots.len());
            while slots[slot] != 0 {
                slot = (slot + 1) & (slots.len() - 1);
            }
            slots[slot] = number as u32 + 1;
        }
        Names { groups, slots, prefix_lengths }
    }
}

impl<V> Names<V> {
    /// The first answer that `ask` gives to a row under this name, shortest prefix first.
    pub(crate) fn find<'a, R>(&'a self, name: &[u8], mut ask: impl FnMut(&'a V) -> Option<R>) -> Option<R> {
        let mut hash = SEED;
        for (length, &byte) in name.iter().enumerate() {
            if length <= LONGEST_PREFIX && self.prefix_lengths >> length & 1 == 1 {
                let answer = self.group(hash, &name[..length], true).iter().find_map(&mut ask);
                if answer.is_some() {
                    return answer;
                }
            }
            hash = step(hash, byte);
        }
        // A prefix may be the whole name.
        if name.len() <= LONGEST_PREFIX && self.prefix_lengths >> name.len() & 1 == 1 {
            let answer = self.group(hash, name, true).iter().find_map(&mut ask);
            if answer.is_some() {
                return answer;
            }
        }
        self.group(hash, name, false).iter().find_map(&mut ask)
    }

    /// Whether any row is under this name.
    pub(crate) fn has(&self, name: &[u8]) -> bool {
        self.find(name, |_| Some(())).is_some()
    }

    fn group(&self, hash: u64, name: &[u8], prefix: bool) -> &[V] {
        let mut slot = place(hash, prefix, self.slots.len());
        while self.slots[slot] != 0 {
            let group = &self.groups[self.slots[slot] as usize - 1];
            if group.prefix == prefix && group.name.eq_ignore_ascii_case(name) {
                return &group.rows;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        &[]
    }

    /// A filter that lets through every name that has a row.
    pub(crate) fn filter(&self) -> Filter {
        let mut filter = Filter::default();
        self.groups.iter().for_each(|group| filter.add(&group.name, group.prefix));
        filter
    }
}

const SEED: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a without ASCII case: prefixes are hashed on the way to the whole name.
fn step(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0000_0100_0000_01b3)
}

fn place(hash: u64, prefix: bool, slots: usize) -> usize {
    let mixed = (hash ^ hash >> 32 ^ u64::from(prefix)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as usize & (slots - 1)
}

/// Tells from first byte and length that a name is surely not in a set.
#[derive(Clone)]
pub(crate) struct Filter([u64; 256]);

impl Default for Filter {
    fn default() -> Filter {
        Filter([0; 256])
    }
}

impl Filter {
    /// Whether a name of this first byte and length may be in the set: one look-up.
    #[inline(always)]
    pub(crate) fn may(&self, first: u8, length: usize) -> bool {
        self.0[usize::from(first)] >> length.min(63) & 1 == 1
    }

    /// Lets this name through, in either case.
    pub(crate) fn add(&mut self, name: &[u8], prefix: bool) {
        let short = name.len().min(63);
        let lengths = if prefix { u64::MAX << short } else { 1 << short };
        match name.first() {
            None => self.0.iter_mut().for_each(|row| *row |= lengths),
            Some(first) => {
                self.0[usize::from(first.to_ascii_lowercase())] |= lengths;
                self.0[usize::from(first.to_ascii_uppercase())] |= lengths;
            }
        }
    }
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
        let set = names(&["gclid", "utm_*", "u", "ü", "a[0]"]);
        for yes in ["gclid", "GCLID", "utm_x", "UTM_", "u", "%C3%bc", "a[0]", "a%5B0%5d"] {
            assert!(set.has(yes.as_bytes()), "{yes}");
            assert!(set.filter().may(yes.as_bytes()[0], yes.len()), "{yes}");
        }
        for no in ["gcli", "gclidx", "utm", "", "a[1]", "a%5B0]"] {
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
