//! Forms: other texts that are made from a URL, by a foreign standard, by a
//! program, or by what a platform calls the same thing. Functions, not profiles:
//! each has its own rules. Must not know rungs or policies.

pub(crate) mod nameprep;
pub mod safebrowsing;
pub mod social;
pub mod surt;
pub mod w3lib;
