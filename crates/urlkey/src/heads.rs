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

/// How many slots the names that are told by four bytes have: at least so many, and at most.
const FEWEST: usize = 1 << 12;
const MOST: usize = 1 << 16;
/// Of prefixes of three bytes: few, in a table of their own, or every fourth byte would have to be let through.
const THREES: usize = 1024;

/// Where a filter keeps what it knows of names that begin so, without ASCII case: of `MOST` slots, and of `THREES`.
#[inline(always)]
fn slots(head: u64) -> (usize, usize) {
    let four = (head >> 32) as u32 | FOLD as u32;
    let three = four & 0xffff_ff00;
    let mixed = |bytes: u32| bytes.wrapping_mul(0x9e37_79b1);
    ((mixed(four) >> (32 - MOST.ilog2())) as usize, (mixed(three) >> 22) as usize)
}

/// Tells from a name's first bytes that it is surely not in a set.
#[derive(Clone)]
pub(crate) struct Filter {
    /// A power of two of slots, a bit each.
    fours: Box<[u64]>,
    threes: [u64; THREES / 64],
}

impl Default for Filter {
    fn default() -> Filter {
        Filter::for_names(0)
    }
}

fn has(bits: &[u64], slot: usize) -> bool {
    bits[slot / 64] >> (slot % 64) & 1 == 1
}

impl Filter {
    /// An empty filter with room for so many names.
    pub(crate) fn for_names(count: usize) -> Filter {
        // Sixteen slots a name, so that few others are let through.
        let slots = (count * 16).clamp(FEWEST, MOST).next_power_of_two();
        Filter { fours: vec![0; slots / 64].into(), threes: [0; THREES / 64] }
    }

    /// The binary logarithm of how many of `MOST` slots share one here.
    fn shift(&self) -> u32 {
        (MOST / 64 / self.fours.len()).ilog2()
    }

    /// Whether a name may be in the set; `NameClasses` asks this of several sets at once.
    #[inline]
    pub(crate) fn may(&self, name: &[u8]) -> bool {
        let (four, three) = slots(head(name, 0, name.len()));
        has(&self.fours, four >> self.shift()) || has(&self.threes, three)
    }

    /// Lets this name through, in either case.
    pub(crate) fn add(&mut self, name: &[u8], prefix: bool) {
        let (four, three) = slots(head(name, 0, name.len()));
        let four = four >> self.shift();
        match name.len() {
            0..=2 if prefix => self.fours.fill(u64::MAX),
            3 if prefix => self.threes[three / 64] |= 1 << (three % 64),
            _ => self.fours[four / 64] |= 1 << (four % 64),
        }
    }
}

/// Which of several sets a name may be in: one question for all of them.
pub(crate) struct NameClasses {
    /// As many slots as the largest filter has.
    fours: Box<[u8]>,
    shift: u32,
    threes: Box<[u8; THREES]>,
}

impl NameClasses {
    /// Each filter with the bit of a class that is for it.
    pub(crate) fn new(filters: &[(u8, &Filter)]) -> NameClasses {
        let shift = filters.iter().map(|(_, filter)| filter.shift()).min().unwrap_or(MOST.ilog2());
        let mut classes = NameClasses { fours: vec![0; MOST >> shift].into(), shift, threes: Box::new([0; THREES]) };
        for &(bit, filter) in filters {
            let coarser = filter.shift() - shift;
            for (slot, class) in classes.fours.iter_mut().enumerate() {
                *class |= if has(&filter.fours, slot >> coarser) { bit } else { 0 };
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
        self.fours[four >> self.shift] | self.threes[three]
    }
}
