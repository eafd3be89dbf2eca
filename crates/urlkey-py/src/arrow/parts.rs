//! What columns of rows of any length are made of: where rows end, and which are
//! null.

use crate::cdata::Buffer;

/// Ends of rows in the values: 32 bits wide until they no longer fit.
pub enum Ends {
    Short(Vec<i32>),
    Long(Vec<i64>),
}

impl Ends {
    /// For so many rows, none of which is there yet.
    pub fn with_capacity(rows: usize, is_large: bool) -> Ends {
        let mut ends = match is_large {
            true => Ends::Long(Vec::with_capacity(rows + 1)),
            false => Ends::Short(Vec::with_capacity(rows + 1)),
        };
        ends.push(0);
        ends
    }

    /// The end of one row more.
    #[inline]
    pub fn push(&mut self, end: usize) {
        match self {
            Ends::Short(ends) => match i32::try_from(end) {
                Ok(end) => ends.push(end),
                Err(_) => {
                    self.widen();
                    self.push(end);
                }
            },
            Ends::Long(ends) => ends.push(end as i64),
        }
    }

    /// Gives them 64 bits.
    #[cold]
    pub fn widen(&mut self) {
        if let Ends::Short(ends) = self {
            *self = Ends::Long(ends.iter().map(|end| i64::from(*end)).collect());
        }
    }

    /// Makes room for so many more.
    pub fn reserve(&mut self, rows: usize) {
        match self {
            Ends::Short(ends) => ends.reserve_exact(rows),
            Ends::Long(ends) => ends.reserve_exact(rows),
        }
    }

    /// Whether they have 64 bits.
    pub fn is_large(&self) -> bool {
        matches!(self, Ends::Long(_))
    }

    /// One more than there are rows.
    pub fn len(&self) -> usize {
        match self {
            Ends::Short(ends) => ends.len(),
            Ends::Long(ends) => ends.len(),
        }
    }

    /// Where the row before this one ends, and this one begins.
    pub fn at(&self, row: usize) -> usize {
        match self {
            Ends::Short(ends) => ends[row] as usize,
            Ends::Long(ends) => ends[row] as usize,
        }
    }

    /// The ends of `more` behind what ends at `start`.
    pub fn append(&mut self, more: &Ends, start: usize) {
        if start + more.at(more.len() - 1) > i32::MAX as usize {
            self.widen();
        }
        match (self, more) {
            (Ends::Short(ends), Ends::Short(more)) => ends.extend(more[1..].iter().map(|end| start as i32 + end)),
            (Ends::Long(ends), Ends::Long(more)) => ends.extend(more[1..].iter().map(|end| start as i64 + end)),
            (ends, more) => (1..more.len()).for_each(|row| ends.push(start + more.at(row))),
        }
    }

    /// As the interface has them.
    pub fn buffer(self) -> Buffer {
        match self {
            Ends::Short(ends) => Buffer::Short(ends),
            Ends::Long(ends) => Buffer::Long(ends),
        }
    }
}

/// The bits of the rows that are not null; none are kept while there is no null.
#[derive(Default)]
pub struct Validity {
    bits: Vec<u8>,
    nulls: usize,
}

impl Validity {
    /// Marks row `row`, the last one, as null.
    #[cold]
    pub fn push_null(&mut self, row: usize) {
        self.fill(row + 1);
        self.bits[row / 8] &= !(1 << (row % 8));
        self.nulls += 1;
    }

    /// Rows up to here that nobody marked are not null.
    fn fill(&mut self, rows: usize) {
        self.bits.resize(rows.div_ceil(8), 0xFF);
    }

    /// Whether this row is marked.
    pub fn is_null(&self, row: usize) -> bool {
        self.bits.get(row / 8).is_some_and(|byte| byte >> (row % 8) & 1 == 0)
    }

    /// The marks of `more`, of so many rows, behind those of so many.
    pub fn append(&mut self, more: &Validity, behind: usize, rows: usize) {
        if more.nulls > 0 {
            (0..rows).filter(|row| more.is_null(*row)).for_each(|row| self.push_null(behind + row));
        }
    }

    /// The bits of so many rows, and how many are null.
    pub fn buffer(mut self, rows: usize) -> (Buffer, usize) {
        if self.nulls == 0 {
            return (Buffer::Absent, 0);
        }
        self.fill(rows);
        (Buffer::Bytes(self.bits), self.nulls)
    }
}
