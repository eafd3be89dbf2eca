//! What the first bytes of a parameter's name tell: an order of names, and
//! that a name is surely in none of some sets. Knows bytes, not rules.

/// Makes letters of a head lower case, and of other bytes something that is the same for equal ones.
pub(crate) const FOLD: u64 = 0x2020_2020_2020_2020;

/// The first eight bytes of a name, the first one highest; zeros behind a shorter one.
#[inline(always)]
pub(crate) fn head(text: &[u8], from: usize, length: usize) -> u64 {
    let bytes = match text.get(from..from + 8) {
        Some(bytes) => bytes.try_into().unwrap_or_default(),
        None => {
            let mut bytes = [0; 8];
            let rest = &text[from..];
            bytes[..rest.len()].copy_from_slice(rest);
            bytes
        }
    };
    let head = u64::from_be_bytes(bytes);
    if length >= 8 { head } else { head & !(u64::MAX >> (8 * length)) }
}

const SLOTS: usize = 4096;

/// Where a filter keeps what it knows of names that begin so: three bytes, without ASCII case.
#[inline(always)]
fn slot(head: u64) -> usize {
    let folded = (head >> 40) as u32 | 0x0020_2020;
    (folded.wrapping_mul(0x9e37_79b1) >> 20) as usize
}

/// Tells from a name's first bytes that it is surely not in a set.
#[derive(Clone)]
pub(crate) struct Filter([u64; SLOTS / 64]);

impl Default for Filter {
    fn default() -> Filter {
        Filter([0; SLOTS / 64])
    }
}

impl Filter {
    /// Whether a name may be in the set.
    pub(crate) fn may(&self, name: &[u8]) -> bool {
        let slot = slot(head(name, 0, name.len()));
        self.0[slot / 64] >> (slot % 64) & 1 == 1
    }

    /// Lets this name through, in either case.
    pub(crate) fn add(&mut self, name: &[u8], prefix: bool) {
        if prefix && name.len() < 3 {
            self.0.fill(u64::MAX);
            return;
        }
        let slot = slot(head(name, 0, name.len()));
        self.0[slot / 64] |= 1 << (slot % 64);
    }
}

/// Which of several sets a name may be in: one look-up for all of them.
pub(crate) struct NameClasses(Box<[u8; SLOTS]>);

impl NameClasses {
    /// Bit `n` of a class is for the n-th filter.
    pub(crate) fn new(filters: &[&Filter]) -> NameClasses {
        let mut classes = Box::new([0; SLOTS]);
        for (bit, filter) in filters.iter().enumerate() {
            for (slot, class) in classes.iter_mut().enumerate() {
                *class |= ((filter.0[slot / 64] >> (slot % 64) & 1) as u8) << bit;
            }
        }
        NameClasses(classes)
    }

    /// The class of a name with this head.
    #[inline(always)]
    pub(crate) fn of(&self, head: u64) -> u8 {
        self.0[slot(head)]
    }
}
