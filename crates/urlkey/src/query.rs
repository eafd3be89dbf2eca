//! The query as text: fields between `&`, each a name and perhaps a value.
//! Nothing is decoded, `+` and the spelling of values stay. Knows no rungs.

use std::cmp::Ordering;

use crate::percent::{CLASS, HASH, MARK};
use crate::policy::{NameClasses, head};
use crate::url::Url;

/// The name may be one that drop_tracking knows. The first three are what `Policy::classes` says.
pub(crate) const TRACKING: u8 = 1;
/// The name may be that of a session id.
pub(crate) const SESSION: u8 = 1 << 1;
/// The name may belong to a signature.
pub(crate) const SIGNED: u8 = 1 << 2;
/// The field is empty.
pub(crate) const EMPTY: u8 = 1 << 3;
/// The field has no value.
pub(crate) const BLANK: u8 = 1 << 4;
/// The name is not above that of the field before.
pub(crate) const UNORDERED: u8 = 1 << 5;

/// One field: offsets behind the `?`. An empty field has no bytes; a blank one
/// has no value (`a`, `a=`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub from: u32,
    pub to: u32,
    /// Where the first `=`, or the end, stands.
    pub name_end: u32,
    /// The first bytes of the name, to compare names by.
    head: u64,
    /// What is known of the name.
    pub class: u8,
}

impl Field {
    pub(crate) fn name<'q>(&self, query: &'q str) -> &'q [u8] {
        &query.as_bytes()[self.from as usize..self.name_end as usize]
    }

    /// The value without `=`; empty if there is none.
    pub(crate) fn value<'q>(&self, query: &'q str) -> &'q [u8] {
        let from = (self.name_end + 1).min(self.to);
        &query.as_bytes()[from as usize..self.to as usize]
    }

    /// The value with its `=`, if it has one: what orders `a` before `a=` before `a=1`.
    pub(crate) fn tail<'q>(&self, query: &'q str) -> &'q [u8] {
        &query.as_bytes()[self.name_end as usize..self.to as usize]
    }

    pub(crate) fn text<'q>(&self, query: &'q str) -> &'q str {
        &query[self.from as usize..self.to as usize]
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.from == self.to
    }

    /// Orders two fields of a query by name, as bytes.
    #[inline]
    pub(crate) fn cmp_name(&self, other: &Field, query: &str) -> Ordering {
        // Names hold no zero byte: where heads are equal, short names are.
        self.head.cmp(&other.head).then_with(|| {
            let short = |f: &Field| f.name_end - f.from < 8;
            if short(self) && short(other) { Ordering::Equal } else { self.name(query).cmp(other.name(query)) }
        })
    }
}

/// The fields of a query, which rungs drop and reorder before the text is
/// written once. The buffers are reused from URL to URL.
#[derive(Default)]
pub(crate) struct Fields {
    pub list: Vec<Field>,
    /// The classes of all fields as read, OR-ed: a rung looks only where its bit is set.
    pub seen: u8,
    /// The list no longer says what the URL does.
    pub changed: bool,
    /// Read already from the query that the URL has; the climb need not again.
    pub ready: bool,
    /// Where `&` and `=` of the last query stand: the first `marked` of them.
    marks: Vec<u32>,
    marked: usize,
    text: String,
}

impl Fields {
    /// Reads the fields of the URL's query; none if it is empty or absent.
    pub(crate) fn read(&mut self, url: &Url, classes: &NameClasses) {
        match url.query_from() {
            Some(from) => {
                self.scan(&url.href().as_bytes()[..url.query_end() as usize], from as usize, classes);
            }
            None => self.forget(),
        }
    }

    fn forget(&mut self) {
        self.list.clear();
        self.seen = 0;
        self.changed = false;
    }

    /// Reads the fields of the query that begins at `from`; returns where it
    /// ends, at `#` or with the text, and the classes of its bytes, OR-ed.
    pub(crate) fn scan(&mut self, text: &[u8], from: usize, classes: &NameClasses) -> (usize, u16) {
        self.forget();
        let (end, bits) = self.find_marks(text, from);
        let (mut field_from, mut name_end) = (from, usize::MAX);
        for n in 0..self.marked {
            let at = self.marks[n] as usize;
            if text[at] == b'=' {
                name_end = name_end.min(at);
            } else {
                self.push(text, from, field_from, at, name_end, classes);
                field_from = at + 1;
                name_end = usize::MAX;
            }
        }
        if end > from {
            self.push(text, from, field_from, end, name_end, classes);
        }
        (end, bits)
    }

    /// Notes where `&` and `=` stand, up to `#` or the end; returns where that
    /// is, and the classes of the bytes up to there, OR-ed. Every byte's place
    /// is written and only the count depends on the byte: marks come too
    /// irregularly for a branch.
    #[inline]
    fn find_marks(&mut self, text: &[u8], from: usize) -> (usize, u16) {
        let room = text.len() - from;
        if self.marks.len() < room {
            self.marks.resize(room.next_power_of_two(), 0);
        }
        let marks = &mut self.marks[..room];
        let (mut i, mut bits, mut n) = (from, 0u16, 0usize);
        for &c in &text[from..] {
            let class = CLASS[c as usize];
            if class & HASH != 0 {
                break;
            }
            bits |= class;
            marks[n] = i as u32;
            n += usize::from(class >> MARK.trailing_zeros());
            i += 1;
        }
        self.marked = n;
        (i, bits)
    }

    #[inline]
    fn push(&mut self, text: &[u8], base: usize, from: usize, to: usize, name_end: usize, classes: &NameClasses) {
        let name_end = name_end.min(to);
        let head = head(text, from, name_end - from);
        let mut class = classes.of(head);
        if from == to {
            class |= EMPTY;
        } else if name_end + 1 >= to {
            class |= BLANK;
        }
        if let Some(last) = self.list.last() {
            let name_of_last = || &text[base + last.from as usize..base + last.name_end as usize];
            if last.head > head || (last.head == head && name_of_last() >= &text[from..name_end]) {
                class |= UNORDERED;
            }
        }
        self.seen |= class;
        self.list.push(Field {
            from: (from - base) as u32,
            to: (to - base) as u32,
            name_end: (name_end - base) as u32,
            head,
            class,
        });
    }

    /// Keeps the fields that `keep` says yes to; says whether one went.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&Field) -> bool) -> bool {
        let before = self.list.len();
        self.list.retain(|field| keep(field));
        let dropped = self.list.len() < before;
        self.changed |= dropped;
        dropped
    }

    /// Writes the fields back. A query that lost its last field goes whole, `?` included.
    pub(crate) fn write(&mut self, url: &mut Url) {
        if !self.changed {
            return;
        }
        self.changed = false;
        if self.list.is_empty() {
            url.set_query(None);
            return;
        }
        let Some(query) = url.query() else { return };
        let kept = contiguous(&self.list);
        if let Some(to) = kept {
            url.cut_query(to);
            return;
        }
        self.text.clear();
        for (i, field) in self.list.iter().enumerate() {
            if i > 0 {
                self.text.push('&');
            }
            self.text.push_str(field.text(query));
        }
        url.set_query(Some(&self.text));
        // The offsets now are those of the new text.
        let mut at = 0;
        for field in &mut self.list {
            let len = field.to - field.from;
            *field = Field { from: at, to: at + len, name_end: at + (field.name_end - field.from), ..*field };
            at += len + 1;
        }
    }
}

/// Where the list ends, if it is the beginning of the query as it stands.
fn contiguous(list: &[Field]) -> Option<u32> {
    let mut at = 0;
    for field in list {
        if field.from != at {
            return None;
        }
        at = field.to + 1;
    }
    Some(at - 1)
}

/// Whether the value holds `;name=`: the `;` then separates parameters, and
/// dropping the field would drop one that is content.
pub(crate) fn holds_a_pair(value: &[u8]) -> bool {
    value.split(|&c| c == b';').skip(1).any(|part| memchr::memchr(b'=', part).is_some_and(|eq| eq > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_splits_at_ampersands_and_first_equals_signs() {
        let query = "&a&b=&c=d=e";
        let mut fields = Fields::default();
        fields.scan(query.as_bytes(), 0, &NameClasses::new(&[]));
        let list = fields.list;
        let parts: Vec<_> = list.iter().map(|f| (f.name(query), f.value(query), f.tail(query))).collect();
        let expected: [(&[u8], &[u8], &[u8]); 4] =
            [(b"", b"", b""), (b"a", b"", b""), (b"b", b"", b"="), (b"c", b"d=e", b"=d=e")];
        assert_eq!(parts, expected);
        assert!(list[0].is_empty() && !list[1].is_empty());
    }
}
