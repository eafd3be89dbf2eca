//! What the fuzz targets assert, each opening with its invariant. Apart from
//! the targets, so that `cargo test` runs them too, over seeded random bytes
//! (`tests/fuzz_bodies.rs`).

#[path = "bodies/check.rs"]
mod check;
#[path = "differences.rs"]
mod differences;
#[path = "bodies/forms.rs"]
mod forms;
#[path = "../tests/generate/mod.rs"]
pub mod generate;
#[path = "bodies/links.rs"]
mod links;
#[path = "bodies/patterns.rs"]
mod patterns;
#[path = "../tests/generate/rules.rs"]
mod rule_files;
#[path = "bodies/rules.rs"]
mod rules;
#[path = "bodies/setters.rs"]
mod setters;

use std::sync::OnceLock;

pub use check::check_again;
pub use forms::{company, safebrowsing, social, surt, w3lib};
pub use links::{blocklist, dedupe, refang, unwrap};
pub use patterns::patterns;
pub use rules::{rules, sites};
pub use setters::setters;

use urlkey::*;

const BASES: [&str; 6] = [
    "http://a.example/b/c?d#e",
    "https://u:p@a.example:8080/b/",
    "file:///C:/x",
    "foo://h/x",
    "foo:/.//x",
    "mailto:a@b",
];

/// One input: its first two bytes choose policy and base, the rest is the text.
struct Input<'a> {
    policy: &'static Policy,
    base: Option<Url>,
    text: std::borrow::Cow<'a, str>,
}

impl<'a> Input<'a> {
    /// None where the bytes have no text: not UTF-8 in the host, which is an error with a code.
    fn of(data: &'a [u8]) -> Option<Input<'a>> {
        let [policy, base, text @ ..] = data else { return None };
        let base = BASES.get(*base as usize % 16).map(|base| Url::parse(base, &Options::default()).expect("a base"));
        Some(Input { policy: &policies()[*policy as usize], base, text: text_of_bytes(text).ok()? })
    }

    fn options(&self) -> Options<'_> {
        Options { base: self.base.as_ref(), ..Options::default() }
    }

    fn key_of(&self, text: &str) -> Result<String, ParseError> {
        let mut scratch = Scratch::default();
        key(text, &self.options(), self.policy, &mut scratch).map(|key| key.text(text).to_owned())
    }
}

/// The built-in policies, then sets of rungs that a multiplier spreads.
fn policies() -> &'static Vec<Policy> {
    static POLICIES: OnceLock<Vec<Policy>> = OnceLock::new();
    POLICIES.get_or_init(|| {
        (0..256u64)
            .map(|n| match BUILTIN_NAMES.get(n as usize) {
                Some(name) => Policy::builtin(name).and_then(|policy| policy.with(&[])),
                None => {
                    let bits = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
                    let setting = |(i, rung): (usize, &Rung)| (rung.name(), Setting::Bool(bits >> i & 1 == 1));
                    let changes: Vec<_> = Rung::ALL.iter().enumerate().map(setting).collect();
                    Policy::builtin("fold").and_then(|policy| policy.with(&changes))
                }
            })
            .collect::<Result<_, _>>()
            .expect("policies of rungs that there are")
    })
}

/// A text is a URL whose href parses to itself, watched or not, or an error at
/// a byte of the text.
pub fn parse(data: &[u8]) {
    let Some(input) = Input::of(data) else { return };
    let mut violations = Violations::default();
    let parsed = Url::parse(&input.text, &input.options());
    let watched = Url::parse_traced(&input.text, &input.options(), &mut violations);
    assert_eq!(parsed, watched);
    assert!(violations.0.iter().all(|violation| violation.at <= input.text.len()), "{:?}", violations.0);
    match parsed {
        Ok(url) => {
            let again = Url::parse(url.href(), &Options::default()).expect("an href is a URL");
            let parts = |url: &Url| (url.host().map(str::to_owned), url.port(), url.path().to_owned(), url.origin());
            assert_eq!((again.href(), parts(&again)), (url.href(), parts(&url)));
            assert!(url.href().is_ascii());
        }
        Err(error) => assert!(error.at <= input.text.len(), "{error:?}"),
    }
}

/// A key is its own key, parse leaves it alone, and bytes have the key of
/// their text.
pub fn ladder(data: &[u8]) {
    let Some(input) = Input::of(data) else { return };
    let of_text = input.key_of(&input.text);
    let mut scratch = Scratch::default();
    let of_bytes = key_of_bytes(&data[2..], &input.options(), input.policy, &mut scratch);
    assert_eq!(of_bytes.map(|key| key.text(&input.text).to_owned()).ok(), of_text.clone().ok());
    let Ok(key) = of_text else { return };
    assert_eq!(input.key_of(&key).as_ref(), Ok(&key));
    let parsed = Url::parse(&key, &Options::default()).map(|url| url.href().to_owned());
    assert_eq!(parsed.as_ref(), Ok(&key));
}

/// An explanation goes from the input to the key in steps that chain, and
/// `compare` calls a spelling and its key the same.
pub fn explain(data: &[u8]) {
    let Some(input) = Input::of(data) else { return };
    let told = urlkey::explain(&input.text, &input.options(), input.policy);
    let key = input.key_of(&input.text);
    let Ok(told) = told else {
        assert_eq!(told.err(), key.err());
        return;
    };
    let mut now: &str = &input.text;
    for step in &told.steps {
        assert_eq!(step.before, now, "{}", step.name);
        now = &step.after;
    }
    assert_eq!((now, Ok(&told.key)), (told.key.as_str(), key.as_ref()));
    let compared = compare(&input.text, &told.key, &input.options(), input.policy);
    assert!(compared.is_ok_and(|compared| compared.same));
}

/// This parser and that of the `url` crate agree, but for the differences
/// listed in `tests/differential.jsonl`.
pub fn differential(data: &[u8]) {
    let Some(input) = Input::of(data) else { return };
    let base = input.base.as_ref().map(Url::href);
    if let Some(found) = differences::difference(&input.text, base) {
        assert!(found.class.is_some(), "{:?} against {base:?}: {found:?}", input.text);
    }
}

/// A host is an address that its serialization classes alike, or none that
/// `classify_ip` takes; what is not global is not public.
pub fn hosts(data: &[u8]) {
    let Some(input) = Input::of(data) else { return };
    let Ok(url) = Url::parse(&input.text, &input.options()) else { return };
    let host = url.host().unwrap_or_default();
    let classed = ip::classify_ip(host);
    match &classed {
        Ok(found) => assert_eq!(ip::classify_ip(&found.address).as_ref(), Ok(found)),
        Err(error) => assert!(error.at <= host.len(), "{error:?}"),
    }
    let refused = hosts::not_public(host);
    if let Ok(found) = classed {
        assert_eq!(refused.is_none(), found.is_global(), "{host}");
    }
    // The text as it came: anything is an address or an error.
    if let Ok(found) = ip::classify_ip(&input.text) {
        assert!(input.text.len() <= 45 + 2, "{found:?}");
    }
}
