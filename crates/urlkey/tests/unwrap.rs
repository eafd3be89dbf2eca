//! What links hold, as data: `vectors/unwrap.jsonl`, and what the rules of
//! redirectors promise of any link.

use std::time::Instant;

use serde_json::Value;
use urlkey::*;

fn rows() -> Vec<Value> {
    include_str!("vectors/unwrap.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn chain(text: &str, unverified: bool) -> Vec<(String, String)> {
    let hops = unwrap::chain(text, &Options::default(), unverified).unwrap_or_else(|e| panic!("{text}: {e}"));
    hops.into_iter().map(|hop| (hop.rule, hop.url)).collect()
}

#[test]
fn every_vector_holds() {
    let rows = rows();
    let trouble = |row: &Value| {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let expected: Vec<(String, String)> =
            row["chain"].as_array().unwrap().iter().map(|hop| (text(&hop[0]), text(&hop[1]))).collect();
        let found = chain(row["input"].as_str().unwrap(), row["unverified"] == true);
        (found != expected).then(|| format!("{}: {found:?}\n  not {expected:?} ({})", row["input"], row["why"]))
    };
    let troubles: Vec<String> = rows.iter().filter_map(trouble).collect();
    assert!(troubles.is_empty(), "{} of {}:\n{}", troubles.len(), rows.len(), troubles.join("\n"));
    assert!(rows.len() > 100);
}

/// A policy that unwraps everything there is.
fn widest() -> Policy {
    let kinds = ["redirector", "affiliate", "shield", "mail", "share", "copy", "translation"];
    let kinds = Setting::List(kinds.iter().map(|kind| Setting::Text((*kind).to_owned())).collect());
    let all = vec![("kinds".to_owned(), kinds), ("unverified".to_owned(), Setting::Bool(true))];
    let changes = [("unwrap_redirector", Setting::Table(all)), ("unwrap_amp", Setting::Bool(true))];
    Policy::builtin("safe").unwrap().with(&changes).unwrap()
}

#[test]
fn the_rungs_go_where_the_chain_goes() {
    let policy = widest();
    let mut scratch = Scratch::default();
    for row in rows() {
        let input = row["input"].as_str().unwrap();
        let hops = unwrap::chain(input, &Options::default(), true).unwrap();
        let last = hops.last().map_or(input, |hop| &hop.url);
        let safe = Policy::builtin("safe").unwrap();
        let wanted = key(last, &Options::default(), &safe, &mut scratch).unwrap().text(last).to_owned();
        let found = key(input, &Options::default(), &policy, &mut scratch).unwrap().text(input).to_owned();
        assert_eq!(found, wanted, "{input}");
        let told = explain(input, &Options::default(), &policy).unwrap();
        let layers: Vec<_> = told.steps.iter().filter(|step| step.name.starts_with("unwrap_")).collect();
        assert_eq!(layers.len(), hops.len(), "{input}: one step a layer");
        for (step, hop) in layers.iter().zip(&hops) {
            assert_eq!(step.rule.as_ref(), Some(&hop.source), "{input}");
        }
    }
}

/// Links of this many bytes that make work for one rule each.
fn adversarial(bytes: usize) -> Vec<String> {
    let long = |front: &str, part: &str, back: &str| [front, &part.repeat(bytes / part.len()), back].concat();
    vec![
        long("https://l.facebook.com/l.php?u=", "%25", ""),
        long("https://l.facebook.com/l.php?u=http://a/", "%2525", ""),
        long("https://l.facebook.com/l.php?", "u=http%3A%2F%2F&", ""),
        long("https://l.facebook.com/l.php?", "&amp;amp;u=x", ""),
        long("https://l.facebook.com/l.php?u=", "https://l.facebook.com/l.php?u=", ""),
        long("https://www.googleadservices.com/pagead/aclk?", "adurl=http:///&", ""),
        long("https://www.awin1.com/cread.php?", "p=https://&", ""),
        long("https://urldefense.proofpoint.com/v2/url?", "u=x&d=&", ""),
        long("https://urldefense.proofpoint.com/v2/url?u=http-3A__a_", "-26amp-3B", "&d="),
        long("https://urldefense.com/v3/__https://a/", "*", "__;Iw!!"),
        long("https://urldefense.com/v3/__https://a/", "**_", &["__;", &"IyMj".repeat(bytes / 4), "!!"].concat()),
        long("https://urldefense.com/v3/__https://a/", "__;", ""),
        long("https://secure-web.cisco.com/", "/", ""),
        long("https://r.search.yahoo.com/", "/RU=", ""),
        long("https://www.dpbolvw.net/click-", "-1", "?url=http://a.example/"),
        long("https://href.li/?", "https://href.li/?", ""),
        long("https://eu.protection.sophos.com/?u=", "AAAA", ""),
        long("https://disq.us/?url=http://a/", ":a", ""),
        long("https://", "google.", "com/url?q=http://a.example/"),
    ]
}

#[test]
fn time_grows_with_the_bytes() {
    let policy = widest().with(&[("input_bytes", Setting::Int(1 << 24))]).unwrap();
    let mut scratch = Scratch::default();
    let mut seconds = |text: &str| {
        let start = Instant::now();
        let _ = unwrap::chain(text, &Options::default(), true);
        let _ = key(text, &Options::default(), &policy, &mut scratch);
        start.elapsed().as_secs_f64()
    };
    for (small, large) in adversarial(1 << 13).iter().zip(&adversarial(1 << 17)) {
        let (few, many) = (seconds(small), seconds(large));
        // 16 times the bytes: 256 times the time would be quadratic.
        assert!(many < 100.0 * few.max(1e-3), "{:.60}: {few} s, then {many} s", small);
    }
}
