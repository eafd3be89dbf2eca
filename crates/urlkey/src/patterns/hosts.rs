//! Which patterns are for a host: by its suffixes, longest first, by labels
//! within it, and those for any; under the scheme and the port they may ask for.
//! Must not know what a dialect prefers.

use std::collections::HashMap;
use std::hash::BuildHasher;

use siphasher::sip::SipHasher13;

use super::hash::{Rolling, Table, mixed};
use super::model::{Depths, Pattern, Target};
use super::paths::{Leaf, Paths};

/// Labels of a host that are looked at: names have no more.
const MOST_LABELS: usize = 127;
/// Labels of a pattern that may stand anywhere in a host.
pub(super) const MOST_INNER: usize = 16;

const NONE: u32 = u32::MAX;
/// What a pattern that asks for no scheme, or no port, has instead.
const ANY: u16 = 0;

/// Which kinds of scheme and port the patterns of a place ask for.
const WITH_SCHEME: u8 = 1;
const WITH_PORT: u8 = 2;

#[derive(Clone, Copy)]
struct Seeded(SipHasher13);

impl BuildHasher for Seeded {
    type Hasher = SipHasher13;

    fn build_hasher(&self) -> SipHasher13 {
        self.0
    }
}

/// A place of patterns: a host and what may stand before it.
struct Slot {
    depths: Depths,
    /// Of patterns for any scheme and port.
    plain: u32,
    /// Bit `scheme | port` is set where patterns ask for these.
    asks: u8,
}

struct Host {
    text: Box<str>,
    /// Another of the same hash.
    next: u32,
    slots: Vec<Slot>,
}

/// The index of hosts.
pub(super) struct Hosts {
    rolling: Rolling,
    hosts: Vec<Host>,
    tails: Table<u32>,
    heads: Table<u32>,
    /// How many labels those of `heads` have, sorted.
    head_labels: Vec<usize>,
    /// A bit for the first label of each of `heads`: most labels of a URL's host have none set.
    first_labels: Box<[u64]>,
    any: Option<u32>,
    trees: HashMap<(u32, Depths, u16, u16), u32, Seeded>,
    schemes: HashMap<Box<str>, u16, Seeded>,
    pub paths: Paths,
}

/// A host to be looked up, and what the patterns may ask of its URL.
pub(super) struct Asked<'a> {
    pub scheme: &'a str,
    /// Without a trailing dot; empty where there is none.
    pub host: &'a str,
    pub is_address: bool,
    pub port: Option<u16>,
}

impl Hosts {
    pub fn new(rolling: Rolling, seed: &[u8; 16]) -> Hosts {
        let seeded = Seeded(SipHasher13::new_with_key(seed));
        Hosts {
            rolling,
            hosts: Vec::new(),
            tails: Table::default(),
            heads: Table::default(),
            head_labels: Vec::new(),
            first_labels: Box::default(),
            any: None,
            trees: HashMap::with_hasher(seeded),
            schemes: HashMap::with_hasher(seeded),
            paths: Paths::new(rolling),
        }
    }

    /// Enters a pattern for hosts.
    pub fn add(&mut self, pattern: &Pattern, leaf: Leaf) {
        let (host, depths) = match &pattern.target {
            Target::Any => (*self.any.get_or_insert_with(|| push(&mut self.hosts, "")), Depths::EXACT),
            Target::Tail { host, depths } => (self.host(host, false), *depths),
            Target::Head { host, depths, .. } => (self.host(host, true), *depths),
            Target::Expression { .. } => return,
        };
        let scheme = pattern.scheme.as_deref().map_or(ANY, |scheme| self.scheme(scheme));
        let port = pattern.port.unwrap_or(ANY);
        let tree = self.tree(host, depths, scheme, port);
        self.paths.add(tree, &pattern.path, leaf);
    }

    fn scheme(&mut self, name: &str) -> u16 {
        // Beyond 65,534 schemes the last ones are one; the scheme of a URL is compared by number only.
        let next = u16::try_from(self.schemes.len() + 1).unwrap_or(u16::MAX);
        *self.schemes.entry(name.into()).or_insert(next)
    }

    fn host(&mut self, text: &str, head: bool) -> u32 {
        let hash = if head { self.rolling.of(text.as_bytes()) } else { self.rolling.backwards(text.as_bytes()) };
        let table = if head { &self.heads } else { &self.tails };
        let first = table.get(&mixed(0, hash)).copied().unwrap_or(NONE);
        let mut at = first;
        while at != NONE {
            if *self.hosts[at as usize].text == *text {
                return at;
            }
            at = self.hosts[at as usize].next;
        }
        let made = push(&mut self.hosts, text);
        self.hosts[made as usize].next = first;
        if head {
            let labels = text.split('.').count();
            if let Err(at) = self.head_labels.binary_search(&labels) {
                self.head_labels.insert(at, labels);
            }
            self.heads.insert(mixed(0, hash), made);
        } else {
            self.tails.insert(mixed(0, hash), made);
        }
        made
    }

    fn tree(&mut self, host: u32, depths: Depths, scheme: u16, port: u16) -> u32 {
        if let Some(&tree) = self.trees.get(&(host, depths, scheme, port)) {
            return tree;
        }
        let tree = self.paths.tree();
        self.trees.insert((host, depths, scheme, port), tree);
        let slots = &mut self.hosts[host as usize].slots;
        let at = slots.iter().position(|slot| slot.depths == depths).unwrap_or_else(|| {
            slots.push(Slot { depths, plain: NONE, asks: 0 });
            slots.len() - 1
        });
        let kind = if scheme == ANY { 0 } else { WITH_SCHEME } | if port == ANY { 0 } else { WITH_PORT };
        slots[at].asks |= 1 << kind;
        if kind == 0 {
            slots[at].plain = tree;
        }
        tree
    }

    /// Tells `see` of the trees for a host: `(tree, labels before, exact, length of the host text)`.
    /// It is asked after each host text whether it has seen enough.
    pub fn tails(&self, asked: &Asked, suffixes: &mut Vec<(u32, u64)>, mut see: impl FnMut(Place) -> bool) -> bool {
        if self.tails.is_empty() || asked.host.is_empty() {
            return false;
        }
        let total = self.suffixes(asked, suffixes);
        for (index, &(start, hash)) in suffixes.iter().enumerate().rev() {
            let text = &asked.host[start as usize..];
            let depth = if start == 0 { 0 } else { total - index - 1 };
            if let Some(host) = find(&self.tails, &self.hosts, hash, text)
                && self.slots(host, depth, asked, &mut see)
            {
                return true;
            }
        }
        false
    }

    /// Where each suffix of a host begins, shortest first, and its hash; how many labels there are.
    fn suffixes(&self, asked: &Asked, suffixes: &mut Vec<(u32, u64)>) -> usize {
        suffixes.clear();
        let (bytes, mut hash, mut labels) = (asked.host.as_bytes(), Rolling::EMPTY, 0);
        for at in (0..bytes.len()).rev() {
            hash = self.rolling.push(hash, bytes[at]);
            if at == 0 || bytes[at - 1] == b'.' && !asked.is_address {
                labels += 1;
                if at == 0 || labels <= MOST_LABELS {
                    suffixes.push((at as u32, hash));
                }
            }
        }
        labels
    }

    /// Makes the tables, as [`Paths::finish`] does.
    pub fn finish(&mut self) -> Vec<u32> {
        // At least 16 bits for each, so that 15 of 16 other labels have none set.
        let mut bits = vec![0_u64; (self.heads.len() / 4).next_power_of_two()];
        for &first in self.heads.values() {
            let mut at = first;
            while at != NONE {
                let host = &self.hosts[at as usize];
                let label = host.text.split('.').next().unwrap_or_default();
                let (word, bit) = place_of(self.rolling.of(label.as_bytes()), &bits);
                bits[word] |= bit;
                at = host.next;
            }
        }
        self.first_labels = bits.into();
        self.paths.finish()
    }

    /// Whether some of `heads` may begin with the label of this hash.
    fn may_begin(&self, hash: u64) -> bool {
        let (word, bit) = place_of(hash, &self.first_labels);
        self.first_labels[word] & bit != 0
    }

    /// As `tails`, of labels within the host; the rest of the host behind them comes along.
    pub fn heads(&self, asked: &Asked, mut see: impl FnMut(Place, &str) -> bool) {
        let Some(&most) = self.head_labels.last() else { return };
        let (host, mut start) = (asked.host, 0);
        for depth in 0.. {
            // An empty label that a host begins with ends at no byte.
            let (mut hash, mut labels) = (Rolling::EMPTY, usize::from(host[start..].starts_with('.')));
            for (at, &byte) in host.as_bytes().iter().enumerate().skip(start) {
                hash = self.rolling.push(hash, byte);
                if host.as_bytes().get(at + 1).is_none_or(|&next| next == b'.') {
                    labels += 1;
                    if labels == 1 && !self.may_begin(hash) {
                        break;
                    }
                    let text = &host[start..=at];
                    if self.head_labels.binary_search(&labels).is_ok()
                        && let Some(found) = find(&self.heads, &self.hosts, hash, text)
                    {
                        self.slots(found, depth, asked, &mut |place| see(place, &host[at + 1..]));
                    }
                    // Only what stands at the beginning may be long.
                    if labels >= if depth == 0 { most } else { most.min(MOST_INNER) } {
                        break;
                    }
                }
            }
            match host[start..].find('.') {
                Some(dot) => start += dot + 1,
                None => return,
            }
        }
    }

    /// As `tails`, of patterns for any host.
    pub fn any(&self, asked: &Asked, mut see: impl FnMut(Place) -> bool) {
        if let Some(any) = self.any {
            self.slots(any, 0, asked, &mut see);
        }
    }

    fn slots(&self, host: u32, depth: usize, asked: &Asked, see: &mut impl FnMut(Place) -> bool) -> bool {
        let (id, host) = (host, &self.hosts[host as usize]);
        let mut enough = false;
        for slot in host.slots.iter().filter(|slot| slot.depths.holds(depth)) {
            let place = |tree| Place { tree, exact: slot.depths == Depths::EXACT, length: host.text.len() };
            if slot.plain != NONE {
                enough |= see(place(slot.plain));
            }
            if slot.asks > 1 {
                let scheme = self.schemes.get(asked.scheme).copied();
                for kind in [WITH_SCHEME, WITH_PORT, WITH_SCHEME | WITH_PORT] {
                    if slot.asks & 1 << kind == 0 {
                        continue;
                    }
                    let scheme = if kind & WITH_SCHEME == 0 { Some(ANY) } else { scheme };
                    let port = if kind & WITH_PORT == 0 { Some(ANY) } else { asked.port };
                    if let (Some(scheme), Some(port)) = (scheme, port)
                        && let Some(&tree) = self.trees.get(&(id, slot.depths, scheme, port))
                    {
                        enough |= see(place(tree));
                    }
                }
            }
        }
        enough
    }
}

/// A tree of paths that a host leads to.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub tree: u32,
    /// Whether it is for the very host.
    pub exact: bool,
    /// How long the pattern's host is.
    pub length: usize,
}

/// The word and the bit of a label's hash, among words of which there is a power of two.
fn place_of(hash: u64, words: &[u64]) -> (usize, u64) {
    let at = mixed(0, hash) as usize;
    ((at / 64) & (words.len() - 1), 1 << (at % 64))
}

fn push(hosts: &mut Vec<Host>, text: &str) -> u32 {
    hosts.push(Host { text: text.into(), next: NONE, slots: Vec::new() });
    hosts.len() as u32 - 1
}

fn find(table: &Table<u32>, hosts: &[Host], hash: u64, text: &str) -> Option<u32> {
    let mut at = *table.get(&mixed(0, hash))?;
    while at != NONE {
        let host = &hosts[at as usize];
        if *host.text == *text {
            return Some(at);
        }
        at = host.next;
    }
    None
}
