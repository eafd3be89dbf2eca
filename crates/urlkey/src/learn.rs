//! What the learner counts: pages of a domain by the key that rules leave them,
//! the groups that a rewrite would make of them, and whether the contents in a
//! group agree. Everything is a number here; texts are looked up once. Must not
//! know what is enough: verdicts are made elsewhere.

mod changes;
mod groups;
mod mixed;
mod pages;
mod skeletons;
mod tally;
#[cfg(test)]
mod tests;
mod texts;

pub use changes::{Changes, Kind};
pub use pages::{Page, Pages, Sight};
pub use tally::{Sample, Tally};
