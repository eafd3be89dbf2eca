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

/// Of names that are told by four bytes.
const FOURS: usize = 4096;
/// Of prefixes of three bytes: few, in a table of their own, or every fourth byte would have to be let through.
const THREES: usize = 1024;

/// Where a filter keeps what it knows of names that begin so, without ASCII case.
#[inline(always)]
fn slots(head: u64) -> (usize, usize) {
    let four = (head >> 32) as u32 | FOLD as u32;
    let three = four & 0xffff_ff00;
    let mixed = |bytes: u32| bytes.wrapping_mul(0x9e37_79b1);
    ((mixed(four) >> 20) as usize, (mixed(three) >> 22) as usize)
}

/// Tells from a name's first bytes that it is surely not in a set.
#[derive(Clone)]
pub(crate) struct Filter {
    fours: [u64; FOURS / 64],
    threes: [u64; THREES / 64],
}

impl Default for Filter {
    fn default() -> Filter {
        Filter { fours: [0; FOURS / 64], threes: [0; THREES / 64] }
    }
}

fn has(bits: &[u64], slot: usize) -> bool {
    bits[slot / 64] >> (slot % 64) & 1 == 1
}

impl Filter {
    /// Whether a name may be in the set; `NameClasses` asks this of several sets at once.
    #[inline]
    pub(crate) fn may(&self, name: &[u8]) -> bool {
        let (four, three) = slots(head(name, 0, name.len()));
        has(&self.fours, four) || has(&self.threes, three)
    }

    /// Lets this name through, in either case.
    pub(crate) fn add(&mut self, name: &[u8], prefix: bool) {
        let (four, three) = slots(head(name, 0, name.len()));
        match name.len() {
            0..=2 if prefix => self.fours.fill(u64::MAX),
            3 if prefix => self.threes[three / 64] |= 1 << (three % 64),
            _ => self.fours[four / 64] |= 1 << (four % 64),
        }
    }
}

/// Which of several sets a name may be in: one question for all of them.
pub(crate) struct NameClasses {
    fours: Box<[u8; FOURS]>,
    threes: Box<[u8; THREES]>,
}

impl NameClasses {
    /// Each filter with the bit of a class that is for it.
    pub(crate) fn new(filters: &[(u8, &Filter)]) -> NameClasses {
        let mut classes = NameClasses { fours: Box::new([0; FOURS]), threes: Box::new([0; THREES]) };
        for &(bit, filter) in filters {
            for (slot, class) in classes.fours.iter_mut().enumerate() {
                *class |= if has(&filter.fours, slot) { bit } else { 0 };
            }
            for (slot, class) in classes.threes.iter_mut().enumerate() {
                *class |= if has(&filter.threes, slot) { bit } else { 0 };
            }
        }
        classes
    }

    /// The class of a name with this head.
    #[inline(always)]
    pub(crate) fn of(&self, head: u64) -> u8 {
        let (four, three) = slots(head);
        self.fours[four] | self.threes[three]
    }
}
