//! This parser against that of the `url` crate, over generated texts and, where
//! they are beside the project, a sample of collected URLs. What they differ in
//! is listed in `differential.jsonl`, with the clause that decides; a
//! difference that is not listed fails, and so does a listed one that is gone.

#[path = "../fuzz/differences.rs"]
mod differences;
mod generate;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use differences::{Difference, difference};
use generate::Random;
use serde_json::Value;

fn listed() -> Vec<Value> {
    include_str!("differential.jsonl").lines().map(|line| serde_json::from_str(line).expect("a JSON row")).collect()
}

fn unlisted(text: &str, base: Option<&str>) -> Option<String> {
    let found = difference(text, base).filter(|found| found.class.is_none())?;
    Some(format!("{text:?} against {base:?}:\n    ours   {:?}\n    theirs {:?}", found.ours, found.theirs))
}

fn check(troubles: Vec<String>, texts: usize) {
    assert!(troubles.is_empty(), "{} of {texts} differ and are not listed:\n{}", troubles.len(), troubles.join("\n"));
    println!("{texts} texts");
}

#[test]
fn every_listed_difference_still_occurs() {
    let shown = |made: Result<String, String>| made.unwrap_or_else(|code| format!("error: {code}"));
    for row in listed() {
        let field = |name: &str| row[name].as_str().unwrap_or_else(|| panic!("{name} is missing: {row}"));
        let found = difference(field("input"), row["base"].as_str());
        let Some(Difference { class, ours, theirs }) = found else { panic!("no difference any more: {row}") };
        let is = (class.unwrap_or_default(), shown(ours), shown(theirs));
        assert_eq!(is, (field("class"), field("ours").to_owned(), field("theirs").to_owned()));
        assert!(!field("why").is_empty() && field("source").starts_with("https://url.spec.whatwg.org/#"), "{row}");
    }
}

#[test]
fn every_class_is_listed() {
    let named: BTreeSet<_> = differences::classes().map(str::to_owned).collect();
    let rows: BTreeSet<_> = listed().iter().filter_map(|row| row["class"].as_str().map(str::to_owned)).collect();
    assert_eq!(named, rows);
}

#[test]
fn generated_texts_differ_as_listed() {
    let number = |variable: &str| std::env::var(variable).ok().and_then(|text| text.parse().ok());
    let mut random = Random::new(number("URLKEY_SEED").unwrap_or(13));
    let mut troubles = Vec::new();
    let texts = number("URLKEY_TEXTS").unwrap_or(40_000) as usize;
    for _ in 0..texts {
        let base = random.once_in(3).then(|| generate::url(&mut random));
        let text = if base.is_some() { generate::reference(&mut random) } else { generate::url(&mut random) };
        troubles.extend(unlisted(&text, base.as_deref()));
    }
    check(troubles, texts);
}

#[test]
fn collected_urls_differ_as_listed() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora/urls");
    let Ok(files) = std::fs::read_dir(folder) else {
        println!("skipped: no ../shared/corpora/urls beside the project");
        return;
    };
    let (mut troubles, mut texts) = (Vec::new(), 0);
    for file in files.flatten().map(|file| file.path()).filter(|file| file.extension().is_some_and(|e| e == "gz")) {
        let out = Command::new("gzip").arg("-dc").arg(&file).output().expect("gzip");
        for line in String::from_utf8_lossy(&out.stdout).lines().step_by(23) {
            texts += 1;
            troubles.extend(unlisted(line, None));
        }
    }
    check(troubles, texts);
}
