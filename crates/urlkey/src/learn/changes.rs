//! What a rewrite does to the pages of a host: which it changes, and the keys that
//! it gives them.

use super::pages::Pages;
use super::texts::{Key, NONE};
use std::collections::{HashMap, HashSet};

/// What becomes of a parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It goes.
    Drop,
    /// Its value goes.
    Valueless,
    /// It goes where it has the default value.
    Default,
}

/// Pages that change, each once, with their new keys; of use to the pages that told it alone.
#[derive(Clone, Default)]
pub struct Changes {
    pub(super) pages: Vec<u32>,
    ends: Vec<usize>,
    parts: Vec<u32>,
}

impl Changes {
    fn push(&mut self, page: u32) {
        self.pages.push(page);
        self.ends.push(self.parts.len());
    }

    pub(super) fn key(&self, at: usize) -> &Key {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.parts[start..self.ends[at]]
    }

    /// The numbers of the pages.
    pub fn pages(&self) -> &[u32] {
        &self.pages
    }

    /// Those of these pages alone.
    pub fn only(&self, mut wanted: impl FnMut(u32) -> bool) -> Changes {
        let mut found = Changes::default();
        for (at, &page) in self.pages.iter().enumerate() {
            if wanted(page) {
                found.parts.extend_from_slice(self.key(at));
                found.push(page);
            }
        }
        found
    }
}

impl Pages {
    /// What parameters of these names leave of keys, where something of them goes. Linear in the pages that have one.
    pub fn changed(&self, host: usize, kind: Kind, names: &[String], value: &str) -> Changes {
        let mut found = Changes::default();
        let Some(own) = self.hosts.get(host) else { return found };
        let names: Vec<u32> = names.iter().filter_map(|name| self.texts.find(name)).collect();
        // Most rewrites are of one name.
        let several: HashSet<u32> = if names.len() > 1 { names.iter().copied().collect() } else { HashSet::new() };
        let is_meant =
            |name: u32| if several.is_empty() { names.first() == Some(&name) } else { several.contains(&name) };
        let mut seen = HashSet::new();
        for name in &names {
            for &page in own.having.get(name).map_or(&[][..], Vec::as_slice) {
                if names.len() > 1 && !seen.insert(page) {
                    continue;
                }
                let key = self.key_of(page);
                let start = found.parts.len();
                found.parts.push(key[0]);
                for &pair in &key[1..] {
                    if !is_meant(self.texts.name(pair)) {
                        found.parts.push(pair);
                    } else if kind == Kind::Valueless {
                        found.parts.push(self.texts.bare(pair));
                    } else if kind == Kind::Default && self.texts.value(pair) != value {
                        found.parts.push(pair);
                    }
                }
                if &found.parts[start..] == key {
                    found.parts.truncate(start);
                } else {
                    found.push(page);
                }
            }
        }
        found
    }

    /// The pages with one of these heads, and their keys with the head that it becomes.
    pub fn with_heads(&mut self, host: usize, heads: &[(String, String)]) -> Changes {
        let heads = self.numbered(heads);
        let mut found = Changes::default();
        for page in self.range(host) {
            let key = self.keys.key(self.pages[page as usize].at);
            if let Some(&head) = heads.get(&key[0]) {
                found.parts.push(head);
                found.parts.extend_from_slice(&key[1..]);
                found.push(page);
            }
        }
        found
    }

    /// Pages with other keys: the number of a page, and the key as text; the first of a page counts.
    pub fn with_keys(&mut self, keys: &[(u32, String)]) -> Changes {
        let (mut found, mut parts, mut seen) = (Changes::default(), Vec::new(), HashSet::new());
        for (page, key) in keys {
            if self.pages.len() > *page as usize && seen.insert(*page) {
                self.texts.parted(key, &mut parts);
                found.parts.extend_from_slice(&parts);
                found.push(*page);
            }
        }
        found
    }

    /// The names on the pages that change, each once.
    pub fn names_on(&self, changes: &Changes) -> Vec<&str> {
        let mut seen = HashSet::new();
        let names = changes.pages.iter().flat_map(|&page| self.names_of(page)).filter(|&name| seen.insert(name));
        names.map(|name| self.texts.text(name)).collect()
    }

    /// The pages of a host, with their keys, that have a name twice or, if that matters, names out of order.
    pub fn unsorted(&self, host: usize, by_name: bool) -> Vec<(u32, String)> {
        let mut names = Vec::new();
        let wanted = self.range(host).filter(|&page| {
            names.clear();
            names.extend(self.key_of(page)[1..].iter().map(|&pair| self.texts.text(self.texts.bare(pair))));
            let before = names.len();
            let apart = by_name && !names.is_sorted();
            names.sort_unstable();
            names.dedup();
            apart || names.len() < before
        });
        wanted.map(|page| (page, self.joined(self.key_of(page)))).collect()
    }

    fn joined(&self, key: &Key) -> String {
        let head = self.texts.text(key[0]);
        let front = head.find('#').unwrap_or(head.len());
        let mut text = head[..front].to_string();
        for (at, &pair) in key[1..].iter().enumerate() {
            text.push(if at == 0 { '?' } else { '&' });
            text.push_str(self.texts.text(pair));
        }
        text + &head[front..]
    }

    /// Of heads that change, what those become that may meet another one: the new head is there, or is made of several.
    pub(super) fn met(&mut self, heads: &[(String, String)]) -> HashSet<u32> {
        let mut made: HashMap<u32, u32> = HashMap::new();
        for head in self.numbered(heads).into_values() {
            *made.entry(head).or_default() += 1;
        }
        let there = |head: u32| self.of_head.get(head as usize).is_some_and(|&count| count > 0);
        made.into_iter().filter(|&(head, count)| count > 1 || there(head)).map(|(head, _)| head).collect()
    }

    /// Heads before and after, by their numbers.
    pub(super) fn numbered(&mut self, heads: &[(String, String)]) -> HashMap<u32, u32> {
        heads.iter().map(|(old, new)| (self.texts.number(old), self.texts.number(new))).collect()
    }

    /// Gives pages the keys that a rule leaves them.
    pub fn rekey(&mut self, changes: &Changes) {
        let moved: HashSet<u32> = changes.pages.iter().copied().collect();
        let mut left: HashSet<u32> = HashSet::new();
        let mut gone: HashSet<(usize, u32)> = HashSet::new();
        for (at, &page) in changes.pages.iter().enumerate() {
            let before = self.pages[page as usize].at;
            if left.insert(before) {
                self.keys.pages[before as usize].retain(|one| !moved.contains(one));
            }
            let (old, new) = (self.keys.key(before), changes.key(at));
            if old.len() != new.len() {
                let host = self.pages[page as usize].host as usize;
                let stay = |name: u32| new[1..].iter().any(|&pair| self.texts.name(pair) == name);
                let names = old[1..].iter().map(|&pair| self.texts.name(pair)).filter(|&name| !stay(name));
                gone.extend(names.map(|name| (host, name)));
            }
            if let Some(count) = self.of_head.get_mut(old[0] as usize) {
                *count = count.saturating_sub(1);
            }
        }
        for (at, &page) in changes.pages.iter().enumerate() {
            let key = self.keys.number(changes.key(at));
            self.pages[page as usize].at = key;
            self.keys.pages[key as usize].push(page);
            self.count_head(changes.key(at)[0]);
        }
        for (host, name) in gone {
            let mut having = self.hosts[host].having.remove(&name).unwrap_or_default();
            having.retain(|&page| self.names_of(page).any(|one| one == name));
            self.hosts[host].having.insert(name, having);
        }
    }

    pub(super) fn count_head(&mut self, head: u32) {
        let head = head as usize;
        if self.of_head.len() <= head {
            self.of_head.resize(head + 1, 0);
        }
        self.of_head[head] += 1;
    }

    pub(super) fn names_of(&self, page: u32) -> impl Iterator<Item = u32> {
        self.key_of(page)[1..].iter().map(|&pair| self.texts.name(pair))
    }

    pub(super) fn place_of(&self, page: u32) -> u32 {
        self.pages.get(page as usize).map_or(NONE, |page| page.place)
    }
}
