//! The host-suffix/path-prefix expressions of a canonical URL: what lists hold.

use super::{Canonical, Version};
use crate::domain::registrable_start;

/// Host suffixes beside the exact host.
const SUFFIXES: usize = 4;
/// Labels that v4 makes suffixes of.
const LABELS: usize = 5;
/// The root and up to three directories below it.
const DIRECTORIES: usize = 4;
/// Expressions of one URL.
pub(crate) const MOST_EXPRESSIONS: usize = (SUFFIXES + 1) * (DIRECTORIES + 2);

/// Every expression is a piece of the canonical text: one of these starts to
/// one of these ends.
#[derive(Clone, Copy, Debug)]
pub struct Expressions<'a> {
    text: &'a [u8],
    path: usize,
    starts: List<{ SUFFIXES + 1 }>,
    ends: List<{ DIRECTORIES + 2 }>,
}

#[derive(Clone, Copy, Debug)]
struct List<const N: usize> {
    items: [usize; N],
    length: usize,
}

impl<const N: usize> List<N> {
    fn of(first: usize) -> List<N> {
        let mut items = [0; N];
        items[0] = first;
        List { items, length: 1 }
    }

    fn push(&mut self, item: usize) {
        if let Some(free) = self.items.get_mut(self.length) {
            *free = item;
            self.length += 1;
        }
    }

    fn iter(self) -> impl Iterator<Item = usize> {
        self.items.into_iter().take(self.length)
    }
}

impl Canonical {
    /// The expressions, at most 30: of every host in turn (the exact one first,
    /// then the longest suffix first) the exact path with its query, without it,
    /// the root, and the directories from the root on.
    ///
    /// ```
    /// use urlkey::forms::safebrowsing::{Version, canonical};
    /// let made = canonical(b"http://a.b.com/1/2.html?p=1", Version::V5).unwrap();
    /// let all: Vec<_> = made.expressions().iter().collect();
    /// assert_eq!(all[..4], ["a.b.com/1/2.html?p=1", "a.b.com/1/2.html", "a.b.com/", "a.b.com/1/"]);
    /// assert_eq!(all[4..], ["b.com/1/2.html?p=1", "b.com/1/2.html", "b.com/", "b.com/1/"]);
    /// ```
    pub fn expressions(&self) -> Expressions<'_> {
        Expressions { text: &self.text, path: self.path, starts: self.starts(), ends: self.ends() }
    }

    fn starts(&self) -> List<{ SUFFIXES + 1 }> {
        let mut starts = List::of(self.host);
        if self.is_address || self.text.is_empty() {
            return starts;
        }
        let host = &self.text[self.host..self.path];
        // Where the labels begin, from the last one on: as many as can count.
        let mut labels = List::<{ LABELS + 1 }> { items: [0; LABELS + 1], length: 0 };
        let last = match self.version {
            Version::V4 => {
                memchr::memrchr_iter(b'.', host).take(LABELS).for_each(|dot| labels.push(dot + 1));
                // "The TLD can be skipped."
                1
            }
            Version::V5 => match registrable_start(self.host()) {
                None | Some(0) => return starts,
                Some(domain) => {
                    labels.push(domain);
                    let above = memchr::memrchr_iter(b'.', &host[..domain - 1]);
                    above.take(SUFFIXES - 1).for_each(|dot| labels.push(dot + 1));
                    0
                }
            },
        };
        for index in (last..labels.length).rev() {
            starts.push(self.host + labels.items[index]);
        }
        starts
    }

    fn ends(&self) -> List<{ DIRECTORIES + 2 }> {
        let path = &self.text[self.path..self.query];
        // An empty query adds nothing.
        let has_query = self.text.len() > self.query + 1;
        let mut ends = List::of(if has_query { self.text.len() } else { self.query });
        if has_query {
            ends.push(self.query);
        }
        for slash in memchr::memchr_iter(b'/', path).take(DIRECTORIES) {
            let end = self.path + slash + 1;
            if end < self.query {
                ends.push(end);
            }
        }
        ends
    }
}

impl<'a> Expressions<'a> {
    /// One after the other, the exact host with path and query first.
    pub fn iter(self) -> impl Iterator<Item = &'a str> {
        self.by_host().flat_map(|(_, of_host)| of_host).map(|bytes| std::str::from_utf8(bytes).unwrap_or_default())
    }

    /// Each host with its expressions, in the same order, as the ASCII bytes that they are.
    pub fn by_host(self) -> impl Iterator<Item = (&'a [u8], impl Iterator<Item = &'a [u8]>)> {
        let Expressions { text, path, starts, ends } = self;
        starts.iter().map(move |start| (&text[start..path], ends.iter().map(move |end| &text[start..end])))
    }
}
