//! A column of texts or bytes that grows by rows: one buffer of values, offsets
//! into it, and a bit for every null.

use super::parts::{Ends, Validity};
use crate::cdata::{Buffer, Column, Field};
use std::ffi::CStr;

/// A column under construction.
pub struct Strings {
    values: Vec<u8>,
    ends: Ends,
    validity: Validity,
}

impl Strings {
    /// For about so many rows and bytes; `is_large` has 64-bit offsets from the start.
    pub fn with_capacity(rows: usize, bytes: usize, is_large: bool) -> Strings {
        let ends = Ends::with_capacity(rows, is_large);
        Strings { values: Vec::with_capacity(bytes), ends, validity: Validity::default() }
    }

    /// Rows so far.
    pub fn len(&self) -> usize {
        self.ends.len() - 1
    }

    /// Whether offsets have 64 bits.
    pub fn is_large(&self) -> bool {
        self.ends.is_large()
    }

    /// Gives offsets 64 bits.
    pub fn widen(&mut self) {
        self.ends.widen();
    }

    /// One row more.
    #[inline]
    pub fn push(&mut self, value: &[u8]) {
        self.values.extend_from_slice(value);
        self.ends.push(self.values.len());
    }

    /// One null more.
    pub fn push_null(&mut self) {
        self.ends.push(self.values.len());
        self.validity.push_null(self.len() - 1);
    }

    /// One row more, or a null.
    #[inline]
    pub fn push_option(&mut self, value: Option<&[u8]>) {
        match value {
            Some(value) => self.push(value),
            None => self.push_null(),
        }
    }

    /// A row; None for null.
    pub fn row(&self, row: usize) -> Option<&[u8]> {
        match self.validity.is_null(row) {
            true => None,
            false => Some(&self.values[self.ends.at(row)..self.ends.at(row + 1)]),
        }
    }

    /// All rows, piece after piece.
    pub fn concat(pieces: Vec<Strings>) -> Strings {
        let rows: usize = pieces.iter().map(|piece| piece.len()).sum();
        let bytes: usize = pieces.iter().map(|piece| piece.values.len()).sum();
        let mut pieces = pieces.into_iter();
        let mut all = pieces.next().unwrap_or_else(|| Strings::with_capacity(0, 0, false));
        all.values.reserve_exact(bytes - all.values.len());
        all.ends.reserve(rows - all.len());
        pieces.for_each(|piece| all.append(&piece));
        all
    }

    fn append(&mut self, more: &Strings) {
        let (rows, bytes) = (self.len(), self.values.len());
        self.values.extend_from_slice(&more.values);
        self.ends.append(&more.ends, bytes);
        self.validity.append(&more.validity, rows, more.len());
    }

    /// Gives memory that was reserved for more back, if it is much: what was never written to costs nothing, and an
    /// allocator that gets a smaller piece back than it is asked for next goes to the system each time.
    fn shrink(&mut self) {
        if self.values.len() < self.values.capacity() / 2 {
            self.values.shrink_to_fit();
        }
    }

    /// The column, in the format for its width of offsets.
    pub fn column(mut self, field: impl FnOnce(&'static CStr) -> Field, is_text: bool) -> Column {
        self.shrink();
        let rows = self.len();
        let (validity, nulls) = self.validity.buffer(rows);
        let format = match (self.ends.is_large(), is_text) {
            (false, true) => c"u",
            (true, true) => c"U",
            (false, false) => c"z",
            (true, false) => c"Z",
        };
        let buffers = vec![validity, self.ends.buffer(), Buffer::Bytes(self.values)];
        Column::new(field(format), rows, nulls, buffers, Vec::new())
    }
}
