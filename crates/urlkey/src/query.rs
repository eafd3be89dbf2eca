//! The query as text: fields between `&`, each a name and perhaps a value.
//! Nothing is decoded, `+` and the spelling of values stay. Knows no rungs.

use std::cmp::Ordering;

use crate::blocks::{Block, WIDTH};
use crate::heads::{NameClasses, head};
use crate::param::Param;
use crate::percent::{CLASS, HASH, MARK};
use crate::url::Url;

/// The name may be one that drop_tracking knows. This, SESSION, SIGNED, SITE and KEPT are what `Policy::classes` says.
pub(crate) const TRACKING: u8 = 1;
/// The name may be that of a session id.
pub(crate) const SESSION: u8 = 1 << 1;
/// The name may belong to a signature.
pub(crate) const SIGNED: u8 = 1 << 2;
/// The field is empty.
pub(crate) const EMPTY: u8 = 1 << 3;
/// The field has no value.
pub(crate) const BLANK: u8 = 1 << 4;
/// The name may be not above that of the field before.
pub(crate) const UNORDERED: u8 = 1 << 5;
/// The name may be one that a site rule for any host changes.
pub(crate) const SITE: u8 = 1 << 6;
/// The name may be one that a site rule for any host keeps.
pub(crate) const KEPT: u8 = 1 << 7;

/// The field that is being read.
struct Reader<'a> {
    text: &'a [u8],
    /// Where the query begins.
    base: usize,
    /// Where the field begins.
    from: usize,
    /// Where its first `=` stands, if it has been met.
    name_end: usize,
    classes: &'a NameClasses,
}

/// Up to 64 bytes of a text, a bit each, up to the first `#`.
#[derive(Default)]
struct Masks {
    /// `&` and `=`
    marks: u64,
    /// What is neither common nor a mark.
    rare: u64,
    /// Where the `#` stands.
    hash: Option<usize>,
}

impl Masks {
    #[inline]
    fn of(text: &[u8], from: usize) -> Masks {
        let room = text.len() - from;
        let Some(last) = text.len().checked_sub(WIDTH) else { return Masks::by_byte(&text[from..]) };
        let (mut marks, mut common, mut hashes) = (0u64, 0u64, 0u64);
        for block_at in (0..room.min(64)).step_by(WIDTH) {
            // The last block begins early enough to be whole; what was seen before is shifted out.
            let start = (from + block_at).min(last);
            let seen = from + block_at - start;
            let Some(block) = Block::at(text, start) else { break };
            marks |= u64::from(block.is_either(b'&', b'=') >> seen) << block_at;
            common |= u64::from(block.common_any_case() >> seen) << block_at;
            hashes |= u64::from(block.is(b'#') >> seen) << block_at;
        }
        let inside = if room >= 64 { u64::MAX } else { (1 << room) - 1 };
        let before = if hashes == 0 { inside } else { (hashes & hashes.wrapping_neg()) - 1 };
        let hash = (hashes != 0).then(|| hashes.trailing_zeros() as usize);
        Masks { marks: marks & before, rare: !(common | marks) & before, hash }
    }

    /// Of a text too short for a block.
    fn by_byte(text: &[u8]) -> Masks {
        let mut masks = Masks::default();
        for (i, &c) in text.iter().enumerate() {
            let class = CLASS[c as usize];
            if class & HASH != 0 {
                masks.hash = Some(i);
                break;
            }
            masks.marks |= u64::from(class & MARK != 0) << i;
            masks.rare |= u64::from(class & MARK == 0) << i;
        }
        masks
    }
}

/// One field: offsets behind the `?`. An empty field has no bytes; a blank one
/// has no value (`a`, `a=`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// The first eight bytes of the name: names that differ in them are ordered by them.
    pub(crate) fn head(&self) -> u64 {
        self.head
    }

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

    /// As site rules ask for it.
    pub(crate) fn param<'q>(&self, query: &'q str) -> Param<'q> {
        Param { text: self.text(query).as_bytes(), name_end: (self.name_end - self.from) as usize }
    }

    pub(crate) fn text<'q>(&self, query: &'q str) -> &'q str {
        &query[self.from as usize..self.to as usize]
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.from == self.to
    }

    /// One of 64 bits, the same one for equal names.
    #[inline]
    pub(crate) fn bit(&self) -> u64 {
        1 << (self.head.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58)
    }

    /// Whether the two are the same text, not empty.
    #[inline]
    pub(crate) fn same(&self, other: &Field, query: &str) -> bool {
        self.head == other.head && !self.is_empty() && self.text(query) == other.text(query)
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
    /// The head of the field before; below all others for the first one.
    last: u64,
    /// The query that fields are written from, with `PADDING` behind it.
    text: String,
    /// What stands behind the query meanwhile.
    tail: String,
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
        self.last = 0;
    }

    /// Reads the fields of the query that begins at `from`; returns where it
    /// ends, at `#` or with the text, and the classes of its bytes, OR-ed.
    /// Marks are taken out of one mask for each 64 bytes: they come too
    /// irregularly for a branch a byte.
    pub(crate) fn scan(&mut self, text: &[u8], from: usize, classes: &NameClasses) -> (usize, u16) {
        self.forget();
        let mut reader = Reader { text, base: from, from, name_end: usize::MAX, classes };
        let (mut base, mut bits, mut end) = (from, 0, text.len());
        while base < text.len() {
            let masks = Masks::of(text, base);
            let mut marks = masks.marks;
            while marks != 0 {
                self.mark(&mut reader, base + marks.trailing_zeros() as usize);
                marks &= marks - 1;
            }
            let mut rare = masks.rare;
            while rare != 0 {
                bits |= CLASS[text[base + rare.trailing_zeros() as usize] as usize];
                rare &= rare - 1;
            }
            if let Some(hash) = masks.hash {
                end = base + hash;
                break;
            }
            base += 64;
        }
        if end > from {
            self.push(&reader, end);
        }
        (end, bits)
    }

    /// A `&` ends a field, the first `=` of it the name.
    #[inline(always)]
    fn mark(&mut self, reader: &mut Reader, at: usize) {
        if reader.text[at] == b'=' {
            reader.name_end = reader.name_end.min(at);
        } else {
            self.push(reader, at);
            reader.from = at + 1;
            reader.name_end = usize::MAX;
        }
    }

    #[inline]
    fn push(&mut self, reader: &Reader, to: usize) {
        let Reader { text, base, from, classes, .. } = *reader;
        let name_end = reader.name_end.min(to);
        let head = head(text, from, name_end - from);
        let mut class = classes.of(head);
        if from == to {
            class |= EMPTY;
        } else if name_end + 1 >= to {
            class |= BLANK;
        }
        // Without a branch, which half of all queries would take: names that begin alike count as out of order.
        class |= u8::from(self.last >= head) * UNORDERED;
        self.last = head;
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
        self.retain_mut(|field| keep(field))
    }

    /// As `retain`, where `keep` may cut a field short.
    pub(crate) fn retain_mut(&mut self, mut keep: impl FnMut(&mut Field) -> bool) -> bool {
        let mut kept = 0;
        for i in 0..self.list.len() {
            let mut field = self.list[i];
            if keep(&mut field) {
                self.list[kept] = field;
                kept += 1;
            }
        }
        let dropped = kept < self.list.len();
        self.list.truncate(kept);
        self.changed |= dropped;
        dropped
    }

    /// Writes the fields back, and goes on with those of the new text.
    pub(crate) fn write(&mut self, url: &mut Url) {
        if self.finish(url) {
            let mut at = 0;
            for field in &mut self.list {
                let len = field.to - field.from;
                *field = Field { from: at, to: at + len, name_end: at + (field.name_end - field.from), ..*field };
                at += len + 1;
            }
        }
    }

    /// Writes the fields back for the last time; says whether their offsets are
    /// no longer those of the query. A query that lost its last field goes
    /// whole, `?` included.
    pub(crate) fn finish(&mut self, url: &mut Url) -> bool {
        if !self.changed {
            return false;
        }
        self.changed = false;
        if self.list.is_empty() {
            url.set_query(None);
            return false;
        }
        let Some(query) = url.query() else { return false };
        if let Some(to) = contiguous(&self.list) {
            url.cut_query(to);
            return false;
        }
        self.text.clear();
        self.text.push_str(query);
        self.text.push_str(PADDING);
        url.rewrite_query(&mut self.tail, |out| {
            for field in &self.list {
                push_piece(out, &self.text, field.from as usize, field.to as usize);
                out.push('&');
            }
            out.pop();
        });
        true
    }
}

/// Most fields are no longer than this.
const PADDING: &str = "                                ";
const STEP: usize = PADDING.len();

/// Appends a piece of a text that has `PADDING` behind it. To copy always as many bytes and to cut asks for no branch
/// that depends on how many they are, which no processor foresees.
#[inline(always)]
fn push_piece(out: &mut String, text: &str, from: usize, to: usize) {
    match text.get(from..from + STEP) {
        Some(step) if to - from <= STEP => {
            let end = out.len() + to - from;
            out.push_str(step);
            out.truncate(end);
        }
        _ => out.push_str(&text[from..to]),
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
