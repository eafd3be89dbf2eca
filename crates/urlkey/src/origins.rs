//! Where the bytes of a changed text stood before the change, so that errors
//! and violations point into the input as it was given. Made where somebody
//! asks only. Must not know what changed the text.

use crate::error::{Code, ParseError};

/// One change of a text: runs that were copied, by where they begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// (offset in the new text, offset in the old), rising.
    runs: Vec<(usize, usize)>,
}

impl Origins {
    /// Of the text that `text_of_bytes` gives: three bytes for one that is no UTF-8.
    pub fn of_bytes(bytes: &[u8]) -> Origins {
        let mut origins = Origins::default();
        let (mut new, mut old) = (0, 0);
        for chunk in bytes.utf8_chunks() {
            new += chunk.valid().len();
            old += chunk.valid().len();
            for _ in chunk.invalid() {
                (new, old) = (new + 3, old + 1);
                origins.run(new, old);
            }
        }
        origins
    }

    /// Of a text without controls and spaces around it, and without tabs and line breaks in it.
    pub(crate) fn of_stripped(text: &str) -> Origins {
        let inner = text.trim_start_matches(|unit| unit <= ' ');
        let lead = text.len() - inner.len();
        let mut origins = Origins::default();
        origins.run(0, lead);
        for (gone, (at, _)) in inner.match_indices(['\t', '\n', '\r']).enumerate() {
            origins.run(at - gone, lead + at + 1);
        }
        origins
    }

    /// Of a part of a text.
    pub(crate) fn of_cut(text: &str, part: &str) -> Origins {
        Origins { runs: vec![(0, part.as_ptr() as usize - text.as_ptr() as usize)] }
    }

    /// Of a text behind so many new bytes.
    pub(crate) fn of_prefix(bytes: usize) -> Origins {
        Origins { runs: vec![(bytes, 0)] }
    }

    /// From `new` on, the text was copied from `old` on.
    pub(crate) fn run(&mut self, new: usize, old: usize) {
        while self.runs.last().is_some_and(|run| run.0 >= new) {
            self.runs.pop();
        }
        self.runs.push((new, old));
    }

    /// Where the byte at `new` stood; what was put in stands where it was put.
    pub fn at(&self, new: usize) -> usize {
        let next = self.runs.partition_point(|run| run.0 <= new);
        let (from, old) = next.checked_sub(1).map_or((0, 0), |last| self.runs[last]);
        let at = old + (new - from);
        self.runs.get(next).map_or(at, |run| at.min(run.1))
    }

    /// The error, told of the text before the change.
    pub fn error(&self, error: ParseError) -> ParseError {
        match error.code {
            // Stands at the limit, wherever the bytes came from.
            Code::TooLong => error,
            _ => ParseError { at: self.at(error.at), ..error },
        }
    }
}

/// Where a byte stood before all of these changes, which came one after the other.
pub(crate) fn first(changes: &[Origins], at: usize) -> usize {
    changes.iter().rev().fold(at, |at, change| change.at(at))
}

#[cfg(test)]
mod tests {
    use super::Origins;

    #[test]
    fn what_is_left_of_a_stripped_text_is_found_again() {
        let text = " \n a\tb\r\n\nc\u{e9} ";
        let origins = Origins::of_stripped(text);
        for (new, unit) in "abc\u{e9}".char_indices() {
            assert!(text[origins.at(new)..].starts_with(unit), "{unit}");
        }
    }
}
