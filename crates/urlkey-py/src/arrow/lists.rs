//! A column of lists of texts that grows by rows.

use super::parts::Ends;
use super::parts::Validity;
use super::strings::Strings;
use crate::cdata::{Column, Field};

/// A column under construction.
pub struct Lists {
    items: Strings,
    ends: Ends,
    validity: Validity,
}

impl Lists {
    /// For about so many rows, most of them empty.
    pub fn with_capacity(rows: usize) -> Lists {
        let items = Strings::with_capacity(0, 0, false);
        Lists { items, ends: Ends::with_capacity(rows, false), validity: Validity::default() }
    }

    fn len(&self) -> usize {
        self.ends.len() - 1
    }

    /// One row more, or a null.
    pub fn push<'a>(&mut self, items: Option<impl Iterator<Item = &'a [u8]>>) {
        let is_null = items.is_none();
        items.into_iter().flatten().for_each(|item| self.items.push(item));
        self.ends.push(self.items.len());
        if is_null {
            self.validity.push_null(self.len() - 1);
        }
    }

    /// A row; None for null.
    pub fn row(&self, row: usize) -> Option<impl Iterator<Item = &[u8]>> {
        let items = self.ends.at(row)..self.ends.at(row + 1);
        (!self.validity.is_null(row)).then(|| items.filter_map(|item| self.items.row(item)))
    }

    /// All rows, piece after piece.
    pub fn concat(pieces: Vec<Lists>) -> Lists {
        let mut all = Lists::with_capacity(pieces.iter().map(Lists::len).sum());
        for piece in &pieces {
            (0..piece.len()).for_each(|row| all.push(piece.row(row)));
        }
        all
    }

    /// Whether offsets have 64 bits, of the lists or of their items.
    pub fn is_large(&self) -> bool {
        self.ends.is_large() || self.items.is_large()
    }

    /// Gives all offsets 64 bits.
    pub fn widen(&mut self) {
        self.ends.widen();
        self.items.widen();
    }

    /// The column, a list<string>.
    pub fn column(self, name: &str) -> Column {
        let rows = self.len();
        let format = if self.ends.is_large() { c"+L" } else { c"+l" };
        let items = self.items.column(|format| Field::new("item", format), true);
        let field = Field::new(name, format).with_children(vec![Field::clone(&items.field)]);
        let (validity, nulls) = self.validity.buffer(rows);
        Column::new(field, rows, nulls, vec![validity, self.ends.buffer()], vec![items])
    }
}
