//! The query as text: fields between `&`, each a name and perhaps a value.
//! Nothing is decoded, `+` and the spelling of values stay. Knows no rungs.

use crate::url::Url;

/// One field: offsets behind the `?`. An empty field has no bytes; a blank one
/// has no value (`a`, `a=`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub from: u32,
    pub to: u32,
    /// Where the first `=`, or the end, stands.
    pub name_end: u32,
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
}

/// The fields of a query, which rungs drop and reorder before the text is
/// written once. The buffers are reused from URL to URL.
#[derive(Default)]
pub(crate) struct Fields {
    pub list: Vec<Field>,
    /// The list no longer says what the URL does.
    pub changed: bool,
    text: String,
}

impl Fields {
    /// Reads the fields of the URL's query; none if it is empty or absent.
    pub(crate) fn read(&mut self, url: &Url) {
        self.list.clear();
        self.changed = false;
        if let Some(query) = url.query().filter(|q| !q.is_empty()) {
            split(query.as_bytes(), &mut self.list);
        }
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
            *field = Field { from: at, to: at + len, name_end: at + (field.name_end - field.from) };
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

fn split(query: &[u8], list: &mut Vec<Field>) {
    let (mut from, mut name_end) = (0u32, u32::MAX);
    for (i, &c) in query.iter().enumerate() {
        let i = i as u32;
        if c == b'&' {
            list.push(Field { from, to: i, name_end: name_end.min(i) });
            from = i + 1;
            name_end = u32::MAX;
        } else if c == b'=' && name_end == u32::MAX {
            name_end = i;
        }
    }
    let to = query.len() as u32;
    list.push(Field { from, to, name_end: name_end.min(to) });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_splits_at_ampersands_and_first_equals_signs() {
        let query = "&a&b=&c=d=e";
        let mut list = Vec::new();
        split(query.as_bytes(), &mut list);
        let parts: Vec<_> = list.iter().map(|f| (f.name(query), f.value(query), f.tail(query))).collect();
        let expected: [(&[u8], &[u8], &[u8]); 4] =
            [(b"", b"", b""), (b"a", b"", b""), (b"b", b"", b"="), (b"c", b"d=e", b"=d=e")];
        assert_eq!(parts, expected);
        assert!(list[0].is_empty() && !list[1].is_empty());
    }
}
