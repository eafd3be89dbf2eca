//! What can be wrong with a policy or a rule file, and where. Must not know
//! what the files mean.

use std::fmt;

use crate::error::Code;

/// Why a policy cannot be used. The message says what was found and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyError {
    /// `BadPolicy`, or `BadRule` for a rule or a file of rules.
    pub code: Code,
    /// The file, as whoever gave the text named it.
    pub file: String,
    /// Counted from 1; none where the fault has no line.
    pub line: Option<usize>,
    /// Lower case, no full stop.
    pub message: String,
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

impl std::error::Error for PolicyError {}
