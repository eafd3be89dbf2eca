//! What links hold, as data: `vectors/unwrap.jsonl`, and what the rules of
//! redirectors promise of any link.

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
