//! Forms: other texts that are made from a URL, by a foreign standard or by
//! what a platform calls the same thing. Functions, not profiles. Must not know
//! rungs or policies.

pub mod safebrowsing;
pub mod social;
