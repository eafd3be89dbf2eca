//! What a list may have: a filter that answers from few cache lines before the
//! table is searched. It may say yes for no reason, never no.

/// Bits for each mark. One in sixty that is not there looks as if it were.
const BITS: usize = 16;

/// Two bits for each mark, in one word: the first half of an evenly spread value says in which, its end which bits.
#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    words: Vec<u64>,
}

impl Filter {
    /// Of these marks.
    pub(super) fn new(marks: impl ExactSizeIterator<Item = u32>) -> Filter {
        let words = (marks.len() * BITS).div_ceil(u64::BITS as usize);
        let mut filter = Filter { words: vec![0; words] };
        for mark in marks {
            let (word, bits) = filter.place(mark);
            filter.words[word] |= bits;
        }
        filter
    }

    /// As `mark` is to 2^32, so is the word to all words.
    fn place(&self, mark: u32) -> (usize, u64) {
        let word = (u64::from(mark) * self.words.len() as u64) >> u32::BITS;
        (word as usize, 1 << (mark % u64::BITS) | 1 << (mark / u64::BITS % u64::BITS))
    }

    /// Whether there may be an entry with this mark.
    #[inline]
    pub(super) fn may_have(&self, mark: u32) -> bool {
        let (word, bits) = self.place(mark);
        self.words.get(word).is_some_and(|word| word & bits == bits)
    }

    /// The filter that has these words.
    pub(super) fn of_words(words: Vec<u64>) -> Filter {
        Filter { words }
    }

    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    pub(super) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }
}
