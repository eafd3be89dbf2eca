//! One canonical key for every spelling of a URL.
//!
//! A spelling is parsed as the URL Standard says, then taken up a ladder of
//! rungs, from those a specification guarantees to those that only some sites
//! allow; a policy says which. *Request the href, compare the key.*
//!
//! The core: no Python, no I/O, no clock.

mod accept;
#[cfg(test)]
mod accept_tests;
mod base64;
pub mod blocklist;
mod blocks;
pub mod bloom;
mod climb;
pub mod company;
mod compare;
pub mod dedupe;
pub mod diff;
pub mod digest;
mod domain;
mod encoding;
mod error;
mod explain;
pub mod forms;
pub mod gateway;
mod heads;
pub mod homographs;
pub mod host;
pub mod hosts;
pub mod ip;
mod key;
mod ladder;
pub mod learn;
mod origins;
pub mod owners;
mod param;
mod parse;
mod path;
pub mod patterns;
mod percent;
mod policy;
mod query;
mod redact;
pub mod rows;
mod rungs;
mod scheme;
pub mod seen;
mod setters;
mod split;
mod steps;
mod text;
pub mod unwrap;
mod url;

pub use compare::{Comparison, compare};
pub use digest::digest;
pub use domain::{HostPattern, PSL_VERSION, registrable_domain, registrable_icann, registrable_start};
pub use encoding::{Encoding, decode};
pub use error::{Code, ParseError, Violation};
pub use explain::{Explanation, Identity, Step, explain, identify};
pub use key::{Key, Scratch, href, key, key_of_bytes, parse_under, signed, text_of_bytes};
pub use ladder::{Loss, Meta, Off, Part, Trace, Violations};
pub use origins::Origins;
pub use policy::{
    BUILTIN_NAMES, ParamFate, Policy, PolicyError, RuleCheck, RuleNote, RuleText, Setting, check_rules,
    expression_fault, signed_version,
};
pub use redact::redact;
pub use rungs::{Rung, RungSet};
pub use setters::Attribute;
pub use split::{Split, split};
pub use text::{defang, refang};
pub use url::{Options, Url};

/// Every row of LADDER.md in running order: the steps of the parser and the rungs.
pub fn rows() -> Vec<&'static Meta> {
    let repairs = Rung::ALL[..3].iter().map(|rung| rung.meta());
    let host = [&host::DECODE_HOST, &host::IDNA, &host::LOWER_HOST, &host::IPV4, &host::IPV6, &host::ENCODE_HOST];
    repairs
        .chain(steps::BEFORE_HOST)
        .chain(host)
        .chain(steps::AFTER_HOST)
        .chain(Rung::ALL[3..].iter().flat_map(|rung| match rung {
            Rung::DropTracking => vec![&rungs::site_rules::META, rung.meta()],
            _ => vec![rung.meta()],
        }))
        .collect()
}
