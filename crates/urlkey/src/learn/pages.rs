//! The pages of a domain, host by host, and what can be asked of them.

use super::groups::Scratch;
use super::mixed::mixed;
use super::texts::{Key, Keys, NONE, Texts};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The content of a page at a time; contents and kinds are numbers of the caller.
#[derive(Clone, Copy, Debug)]
pub struct Sight {
    /// Equal where the content is.
    pub content: u32,
    /// Seconds.
    pub time: Option<f64>,
    /// What must be equal for two sights to be compared.
    pub kind: u32,
}

/// A page as it comes.
pub struct Page<'a> {
    /// Its key under the policy.
    pub key: &'a str,
    /// It was asked for, and is not known by a sitemap alone.
    pub fetched: bool,
    /// A sitemap lists it.
    pub listed: bool,
    /// In the order of time.
    pub sights: &'a [Sight],
}

pub(super) struct Known {
    /// Its key now.
    pub at: u32,
    pub place: u32,
    pub skeleton: u32,
    pub host: u32,
    pub mixed: u64,
    pub fetched: bool,
    pub listed: bool,
    sights: (usize, usize),
}

#[derive(Default)]
pub(super) struct Host {
    pages: Range<u32>,
    /// A sitemap lists one of its pages.
    pub lists: bool,
    /// The pages that have a parameter of a name, in their order; and the names in the order of their first page.
    pub having: HashMap<u32, Vec<u32>>,
    names: Vec<u32>,
    /// Pages whose head can be spelled in another way, and that way; set when first asked for.
    pub folded: Option<Vec<(u32, u32)>>,
}

/// The pages of a domain. A page is a number, and so is a host.
#[derive(Default)]
pub struct Pages {
    pub(super) texts: Texts,
    pub(super) keys: Keys,
    pub(super) pages: Vec<Known>,
    pub(super) hosts: Vec<Host>,
    /// How many pages have each head now.
    pub(super) of_head: Vec<u32>,
    /// What contents are called, for an order among them; and the languages of kinds.
    pub(super) contents: Vec<String>,
    pub(super) languages: Vec<Option<String>>,
    pub(super) scratch: Scratch,
    sights: Vec<Sight>,
}

impl Pages {
    /// No pages.
    pub fn new() -> Pages {
        Pages::default()
    }

    /// Names the next content; contents are numbered in this order.
    pub fn add_content(&mut self, name: String) {
        self.contents.push(name);
    }

    /// The language of the next kind; kinds are numbered in this order.
    pub fn add_kind(&mut self, language: Option<String>) {
        self.languages.push(language);
    }

    /// Begins a host; the pages that follow are of it. Returns its number.
    pub fn add_host(&mut self) -> usize {
        let next = self.pages.len() as u32;
        self.hosts.push(Host { pages: next..next, ..Host::default() });
        self.hosts.len() - 1
    }

    /// Adds a page to the last host.
    pub fn add(&mut self, page: &Page<'_>) {
        let mut parts = std::mem::take(&mut self.scratch.parts);
        self.texts.parted(page.key, &mut parts);
        let at = self.keys.number(&parts);
        let number = self.pages.len() as u32;
        self.keys.pages[at as usize].push(number);
        self.count_head(parts[0]);
        if self.hosts.is_empty() {
            self.add_host();
        }
        let host = self.hosts.len() - 1;
        let own = &mut self.hosts[host];
        own.pages.end = number + 1;
        own.lists |= page.listed;
        for &pair in &parts[1..] {
            let name = self.texts.name(pair);
            let having = own.having.entry(name).or_insert_with(|| {
                own.names.push(name);
                Vec::new()
            });
            if having.last() != Some(&number) {
                having.push(number);
            }
        }
        let start = self.sights.len();
        self.sights.extend_from_slice(page.sights);
        self.pages.push(Known {
            at,
            place: 0,
            skeleton: NONE,
            host: host as u32,
            mixed: mixed(page.key.as_bytes()),
            fetched: page.fetched,
            listed: page.listed,
            sights: (start, self.sights.len()),
        });
        self.scratch.parts = parts;
    }

    pub(super) fn range(&self, host: usize) -> Range<u32> {
        self.hosts.get(host).map_or(0..0, |host| host.pages.clone())
    }

    pub(super) fn key_of(&self, page: u32) -> &Key {
        self.keys.key(self.pages[page as usize].at)
    }

    pub(super) fn sights_of(&self, page: u32) -> &[Sight] {
        let (start, end) = self.pages[page as usize].sights;
        &self.sights[start..end]
    }

    /// The head of a page, None for a page that is none.
    pub fn head(&self, page: u32) -> Option<&str> {
        let page = self.pages.get(page as usize)?;
        Some(self.texts.text(self.keys.key(page.at)[0]))
    }

    /// The parameters of a page.
    pub fn pairs(&self, page: u32) -> Vec<&str> {
        let key = self.pages.get(page as usize).map_or(&[][..], |page| self.keys.key(page.at));
        key.iter().skip(1).map(|&pair| self.texts.text(pair)).collect()
    }

    /// The number of the place of a page.
    pub fn place(&self, page: u32) -> Option<u32> {
        self.pages.get(page as usize).map(|page| page.place)
    }

    /// Whether a page of the domain has this head now.
    pub fn has_head(&self, head: &str) -> bool {
        let count = self.texts.find(head).and_then(|head| self.of_head.get(head as usize));
        count.is_some_and(|&count| count > 0)
    }

    /// The heads of the pages of a host, each once, in the order of the pages.
    pub fn heads(&self, host: usize) -> Vec<&str> {
        self.distinct(self.range(host))
    }

    /// The heads that those pages have now that could be spelled in another way.
    pub fn folded_heads(&self, host: usize) -> Option<Vec<&str>> {
        let folded = self.hosts.get(host)?.folded.as_ref()?;
        Some(self.distinct(folded.iter().map(|&(page, _)| page)))
    }

    fn distinct(&self, pages: impl Iterator<Item = u32>) -> Vec<&str> {
        let (mut seen, mut last, mut found) = (HashSet::new(), NONE, Vec::new());
        for page in pages {
            let head = self.key_of(page)[0];
            if head != last && seen.insert(head) {
                found.push(self.texts.text(head));
            }
            last = head;
        }
        found
    }

    /// Says what each of the `heads` of a host becomes if it is spelled in another way.
    pub fn fold(&mut self, host: usize, folded: &[String]) {
        let new = self.by_head(host, folded.iter());
        let new: HashMap<u32, u32> = new.into_iter().map(|(head, text)| (head, self.texts.number(text))).collect();
        let changed = self.range(host).filter_map(|page| {
            let head = self.key_of(page)[0];
            new.get(&head).filter(|&&other| other != head).map(|&other| (page, other))
        });
        let changed = changed.collect();
        if let Some(own) = self.hosts.get_mut(host) {
            own.folded = Some(changed);
        }
    }

    /// Says at which place each of the `heads` of a host stands.
    pub fn settle(&mut self, host: usize, places: &[u32]) {
        let place = self.by_head(host, places.iter().copied());
        for page in self.range(host) {
            let head = self.key_of(page)[0];
            self.pages[page as usize].place = place.get(&head).copied().unwrap_or(0);
        }
        if let Some(own) = self.hosts.get_mut(host) {
            own.folded = None;
        }
    }

    fn by_head<T>(&self, host: usize, values: impl Iterator<Item = T>) -> HashMap<u32, T> {
        let heads = self.heads(host);
        heads.iter().filter_map(|head| self.texts.find(head)).zip(values).collect()
    }

    /// The names of parameters that a host had, and how many pages have each now.
    pub fn names(&self, host: usize) -> Vec<(&str, usize)> {
        let Some(own) = self.hosts.get(host) else { return Vec::new() };
        own.names.iter().map(|name| (self.texts.text(*name), own.having.get(name).map_or(0, Vec::len))).collect()
    }

    pub(super) fn having(&self, host: usize, name: &str) -> &[u32] {
        let name = self.texts.find(name);
        let own = name.and_then(|name| self.hosts.get(host)?.having.get(&name));
        own.map_or(&[], Vec::as_slice)
    }

    /// How many pages have a parameter of this name.
    pub fn count(&self, host: usize, name: &str) -> usize {
        self.having(host, name).len()
    }

    /// The parameters of this name on the pages of a host, each once.
    pub fn values(&self, host: usize, name: &str) -> Vec<&str> {
        let (mut seen, number) = (HashSet::new(), self.texts.find(name).unwrap_or(NONE));
        let pairs = self.having(host, name).iter().flat_map(|&page| &self.key_of(page)[1..]);
        let own = pairs.filter(|&&pair| self.texts.name(pair) == number && seen.insert(pair));
        own.map(|&pair| self.texts.text(pair)).collect()
    }

    /// How many different values, or lists of values, the pages of a host have of this name.
    pub fn different(&self, host: usize, name: &str) -> usize {
        let number = self.texts.find(name).unwrap_or(NONE);
        let own = |page: &u32| -> Vec<u32> {
            let pairs = self.key_of(*page)[1..].iter().copied();
            pairs.filter(|&pair| self.texts.name(pair) == number).collect()
        };
        self.having(host, name).iter().map(own).collect::<HashSet<_>>().len()
    }

    /// The value of this name, of each page that has it once and is there without it too.
    pub fn beside(&self, host: usize, name: &str) -> Vec<&str> {
        let (number, mut left, mut found) = (self.texts.find(name).unwrap_or(NONE), Vec::new(), Vec::new());
        for &page in self.having(host, name) {
            let key = self.key_of(page);
            left.clear();
            left.push(key[0]);
            left.extend(key[1..].iter().filter(|&&pair| self.texts.name(pair) != number));
            let there = |key| !self.keys.pages[key as usize].is_empty();
            if left.len() + 1 == key.len() && self.keys.find(&left).is_some_and(there) {
                let own = key[1..].iter().find(|&&pair| self.texts.name(pair) == number);
                found.extend(own.map(|&pair| self.texts.value(pair)));
            }
        }
        found
    }
}
