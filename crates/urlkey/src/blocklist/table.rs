//! Sorted rows of one width in one array, each with the line it came from.

/// Bytes of the line number behind each row.
const LINE: usize = 4;
/// Rows that share a bucket, about.
const BUCKET: usize = 8;

/// Rows of `width` bytes, evenly spread: hashes.
#[derive(Clone, Debug)]
pub(super) struct Table {
    width: usize,
    /// Row and line, one after the other; sorted once `index` is there.
    rows: Vec<u8>,
    /// Where the rows begin whose first bits are the index.
    index: Vec<u32>,
    /// How many bits of the first four bytes those are.
    bits: u32,
}

impl Table {
    /// An empty table; `width` is at least 4.
    pub(super) fn new(width: usize) -> Table {
        Table { width, rows: Vec::new(), index: Vec::new(), bits: 0 }
    }

    /// The table of these rows, each with its line. None: they are no rows of this width, or not sorted.
    pub(super) fn of_sorted(width: usize, rows: Vec<u8>) -> Option<Table> {
        let mut table = Table { rows, ..Table::new(width) };
        let whole = table.rows.len().is_multiple_of(table.stride()) && table.len() <= u32::MAX as usize;
        let sorted = || (1..table.len()).all(|at| table.row(at - 1)[..width] < table.row(at)[..width]);
        if !whole || !sorted() {
            return None;
        }
        table.build_index();
        Some(table)
    }

    /// The rows as they lie, each with its line.
    pub(super) fn rows(&self) -> &[u8] {
        &self.rows
    }

    pub(super) fn push(&mut self, row: &[u8], line: u32) {
        self.rows.extend_from_slice(&row[..self.width]);
        self.rows.extend_from_slice(&line.to_be_bytes());
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len() / self.stride()
    }

    pub(super) fn bytes(&self) -> usize {
        self.rows.capacity() + self.index.capacity() * size_of::<u32>()
    }

    fn stride(&self) -> usize {
        self.width + LINE
    }

    fn row(&self, at: usize) -> &[u8] {
        &self.rows[at * self.stride()..(at + 1) * self.stride()]
    }

    /// Sorts the rows, of equal ones the first line first, and keeps that one.
    pub(super) fn sort(&mut self) {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_unstable_by(|&a, &b| self.row(a as usize).cmp(self.row(b as usize)));
        self.arrange(&mut order);
        drop(order);
        self.drop_repeats();
        self.rows.shrink_to_fit();
        self.build_index();
    }

    /// Puts row `order[i]` at `i`, in place, cycle by cycle.
    fn arrange(&mut self, order: &mut [u32]) {
        let stride = self.stride();
        let mut held = vec![0; stride];
        for first in 0..order.len() {
            if order[first] as usize == first {
                continue;
            }
            held.copy_from_slice(&self.rows[first * stride..(first + 1) * stride]);
            let mut free = first;
            loop {
                let from = order[free] as usize;
                order[free] = free as u32;
                if from == first {
                    self.rows[free * stride..(free + 1) * stride].copy_from_slice(&held);
                    break;
                }
                self.rows.copy_within(from * stride..(from + 1) * stride, free * stride);
                free = from;
            }
        }
    }

    fn drop_repeats(&mut self) {
        let (stride, width) = (self.stride(), self.width);
        let mut kept = 0;
        for at in 0..self.len() {
            let from = at * stride;
            if kept > 0 && self.rows[from..from + width] == self.rows[kept - stride..kept - LINE] {
                continue;
            }
            self.rows.copy_within(from..from + stride, kept);
            kept += stride;
        }
        self.rows.truncate(kept);
    }

    fn build_index(&mut self) {
        self.bits = (self.len() / BUCKET).checked_ilog2().unwrap_or(0);
        let buckets = 1 << self.bits;
        let mut index = Vec::with_capacity(buckets + 1);
        for at in 0..self.len() {
            let bucket = self.bucket(self.row(at));
            while index.len() <= bucket {
                index.push(at as u32);
            }
        }
        index.resize(buckets + 1, self.len() as u32);
        self.index = index;
    }

    fn bucket(&self, row: &[u8]) -> usize {
        let first = row.first_chunk().map_or(0, |first| u32::from_be_bytes(*first));
        (u64::from(first) >> (32 - self.bits)) as usize
    }

    /// The line of the row that `hash` begins with. The table is sorted.
    #[inline]
    pub(super) fn line_of(&self, hash: &[u8]) -> Option<u32> {
        let wanted = &hash[..self.width];
        let bucket = self.bucket(wanted);
        let mut rows = *self.index.get(bucket)? as usize..*self.index.get(bucket + 1)? as usize;
        while !rows.is_empty() {
            let middle = rows.start + rows.len() / 2;
            let row = self.row(middle);
            match row[..self.width].cmp(wanted) {
                std::cmp::Ordering::Less => rows.start = middle + 1,
                std::cmp::Ordering::Greater => rows.end = middle,
                std::cmp::Ordering::Equal => {
                    return row[self.width..].first_chunk().map(|line| u32::from_be_bytes(*line));
                }
            }
        }
        None
    }
}
