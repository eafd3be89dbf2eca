//! What holds of policies and rule files, and of keys under rules.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::Input;
use super::generate::Random;
use super::rule_files;
use urlkey::*;

/// Any text is a policy, a file of rules, or an error at a line of it; a policy that is read is read back from its
/// text with the same id, and the check of a rule file finds a fault if and only if it cannot be loaded.
pub fn rules(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let crawl = Policy::builtin("crawl").expect("built in");
    let lines = text.split('\n').count();
    let made = [Policy::from_toml(text, "f.toml", &[]), crawl.with_rules(&[("f.toml", text)])];
    for policy in &made {
        match policy {
            Ok(policy) => {
                let again = Policy::from_toml(policy.text(), "again.toml", &[]);
                let again = again.unwrap_or_else(|fault| panic!("{fault}\n{}", policy.text()));
                assert_eq!((again.id(), again.text()), (policy.id(), policy.text()));
            }
            Err(fault) => assert!(fault.line.is_none_or(|line| (1..=lines).contains(&line)), "{fault}"),
        }
    }
    let check = check_rules(text, "f.toml");
    assert_eq!(check.faults.is_empty(), made.iter().any(Result::is_ok), "{:?} {made:?}", check.faults);
    assert!(check.notes.iter().all(|note| (1..=lines).contains(&note.line)), "{:?}", check.notes);
    expression_fault(text);
    if let Ok(pattern) = HostPattern::parse(text) {
        pattern.matches("a.example");
    }
}

/// Under any set of rungs and of rules for sites a key is its own key, beside the base and, unless schemes are assumed,
/// alone; parse leaves it alone, and an explanation ends there.
pub fn sites(data: &[u8]) {
    let [seed, input @ ..] = data else { return };
    let Some(input) = Input::of(input) else { return };
    let Some(policy) = under_rules(seed % SETS, data[1] % POLICIES) else { return };
    let (options, mut scratch) = (input.options(), Scratch::default());
    let told = explain(&input.text, &options, &policy);
    let Ok(key) = key(&input.text, &options, &policy, &mut scratch).map(|key| key.text(&input.text).to_owned()) else {
        assert!(told.is_err());
        return;
    };
    assert_eq!(told.map(|told| told.key).as_ref(), Ok(&key));
    // Beside a base `a.b:80/x` has a scheme, alone it is a host.
    let options = if policy.has(Rung::AssumeScheme) { options } else { Options::default() };
    let again = urlkey::key(&key, &options, &policy, &mut scratch).map(|again| again.text(&key).to_owned());
    assert_eq!(again.as_ref(), Ok(&key), "{}", policy.text());
    assert_eq!(Url::parse(&key, &Options::default()).map(|url| url.href().to_owned()).as_ref(), Ok(&key));
}

/// Sets of rules, and policies below them: a few, each tried often.
const SETS: u8 = 128;
const POLICIES: u8 = 16;

/// A policy of `bodies.rs` with the rules of this seed, made once.
fn under_rules(seed: u8, policy: u8) -> Option<Rc<Policy>> {
    type Made = HashMap<(u8, u8), Option<Rc<Policy>>>;
    thread_local! {
        static MADE: RefCell<Made> = RefCell::default();
    }
    let make = || {
        let mut random = Random::new(u64::from(seed));
        let files = rule_files::files(&mut random);
        let named: Vec<(&str, &str)> = files.iter().map(|text| ("rules.toml", text.as_str())).collect();
        super::policies()[usize::from(policy)].with_rules(&named).ok().map(Rc::new)
    };
    MADE.with_borrow_mut(|made| made.entry((seed, policy)).or_insert_with(make).clone())
}
