//! What holds under every set of site rules: claims of `docs/rules.md`, over
//! rules and texts made from a seed.

mod generate;
#[path = "generate/rules.rs"]
mod rule_files;

use generate::Random;
use rule_files::{files, text};
use urlkey::*;

fn policy(base: &str, files: &[String]) -> Policy {
    let named: Vec<(&str, &str)> = files.iter().map(|text| ("rules.toml", text.as_str())).collect();
    Policy::builtin(base).unwrap().with_rules(&named).unwrap()
}

fn key_of(text: &str, policy: &Policy) -> Result<String, ParseError> {
    let mut scratch = Scratch::default();
    key(text, &Options::default(), policy, &mut scratch).map(|key| key.text(text).to_owned())
}

/// How many sets of rules a property sees; `URLKEY_SETS=5000 cargo test` looks further.
fn sets() -> usize {
    std::env::var("URLKEY_SETS").ok().and_then(|n| n.parse().ok()).unwrap_or(90)
}

fn each(property: u64, mut check: impl FnMut(&[String], &Policy, &mut Random)) {
    let mut random = Random::new(property);
    for _ in 0..sets() {
        let base = random.pick(&["whatwg", "crawl", "aggressive", "fold", "social", "social"]);
        let files = files(&mut random);
        check(&files, &policy(base, &files), &mut random);
    }
}

#[test]
fn a_key_is_its_own_key_under_every_set_of_rules() {
    let mut changed = 0;
    each(1, |files, policy, random| {
        for _ in 0..40 {
            let text = text(random);
            let Ok(key) = key_of(&text, policy) else { continue };
            changed += usize::from(key != text);
            assert_eq!(key_of(&key, policy).as_ref(), Ok(&key), "{text} under {} and {files:?}", policy.name());
        }
    });
    assert!(changed > 400, "{changed}");
}

#[test]
fn a_rule_has_its_say_of_a_parameter_that_a_form_brings() {
    let rules = "schema = 1\n[[site]]\nhost = \"*\"\ndrop = [\"t\"]\n";
    let policy = policy("social", &[rules.to_owned()]);
    for text in ["https://youtube.com/embed/dQw4w9WgXcQ?start=90", "https://youtu.be/dQw4w9WgXcQ?t=90"] {
        let key = key_of(text, &policy);
        assert_eq!(key.as_deref(), Ok("https://www.youtube.com/watch?v=dQw4w9WgXcQ"), "{text}");
    }
}

#[test]
fn explain_ends_at_the_key_and_names_the_rules() {
    let (mut named, mut switched) = (0, 0);
    each(2, |files, policy, random| {
        for _ in 0..40 {
            let text = text(random);
            let Ok(told) = explain(&text, &Options::default(), policy) else { continue };
            assert_eq!(Ok(&told.key), key_of(&text, policy).as_ref(), "{text} under {} and {files:?}", policy.name());
            for step in told.steps.iter().filter(|step| step.name == "site_rules" && step.refused.is_none()) {
                assert!(step.rule.as_deref().is_some_and(|rule| rule.starts_with("rules.toml:")), "{step:?}");
                named += 1;
            }
            switched += told.rules.len();
        }
    });
    assert!(named > 100 && switched > 50, "{named} {switched}");
}

#[test]
fn the_order_of_files_decides_nothing() {
    each(3, |files, forward, random| {
        let backward: Vec<String> = files.iter().rev().cloned().collect();
        let backward = policy(forward.name(), &backward);
        assert_eq!(forward.id(), backward.id());
        for _ in 0..20 {
            let text = text(random);
            assert_eq!(key_of(&text, forward), key_of(&text, &backward), "{text} under {files:?}");
        }
    });
}

#[test]
fn a_policy_with_rules_is_read_back_from_its_text() {
    each(4, |files, policy, random| {
        let again = Policy::from_toml(policy.text(), "again.toml", &[]).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(again.id(), policy.id(), "{files:?}");
        for _ in 0..20 {
            let text = text(random);
            assert_eq!(key_of(&text, policy), key_of(&text, &again), "{text} under {files:?}");
        }
    });
}
