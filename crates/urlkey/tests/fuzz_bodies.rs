//! The bodies of the fuzz targets over random bytes from a seed, and over inputs
//! that once failed: what a plain checkout can run of `fuzz/`.

#[path = "../fuzz/bodies.rs"]
mod bodies;

use bodies::generate::{self, Random};

fn run(seed: u64, body: impl Fn(&[u8])) {
    run_some(3000, seed, body);
}

fn run_some(inputs: usize, seed: u64, body: impl Fn(&[u8])) {
    let mut random = Random::new(seed);
    for _ in 0..inputs {
        let mut data = vec![random.next() as u8, random.next() as u8];
        data.extend(generate::bytes(&mut random));
        body(&data);
    }
}

#[test]
fn parse_holds_over_random_bytes() {
    run(21, bodies::parse);
}

#[test]
fn ladder_holds_over_random_bytes() {
    run(22, bodies::ladder);
}

#[test]
fn explain_holds_over_random_bytes() {
    run(23, bodies::explain);
}

#[test]
fn differential_holds_over_random_bytes() {
    run(24, bodies::differential);
}

#[test]
fn hosts_hold_over_random_bytes() {
    run(25, bodies::hosts);
}

#[test]
fn surt_holds_over_random_bytes() {
    run(26, bodies::surt);
}

#[test]
fn sites_hold_over_random_bytes() {
    // Each makes a policy.
    run_some(150, 27, bodies::sites);
}

#[test]
fn rules_hold_over_random_bytes() {
    run(28, bodies::rules);
}

#[test]
fn safebrowsing_holds_over_random_bytes() {
    run(29, bodies::safebrowsing);
}

#[test]
fn w3lib_holds_over_random_bytes() {
    run(30, bodies::w3lib);
}

#[test]
fn social_holds_over_random_bytes() {
    run(31, bodies::social);
}

#[test]
fn company_holds_over_random_bytes() {
    run(32, bodies::company);
}

#[test]
fn unwrap_holds_over_random_bytes() {
    run(33, bodies::unwrap);
}

#[test]
fn refang_holds_over_random_bytes() {
    run(34, bodies::refang);
}

#[test]
fn blocklist_holds_over_random_bytes() {
    run(35, bodies::blocklist);
}

#[test]
fn dedupe_holds_over_random_bytes() {
    run(36, bodies::dedupe);
}

#[test]
fn setters_hold_over_random_bytes() {
    run(37, bodies::setters);
}

#[test]
fn check_holds_over_random_bytes() {
    run(38, bodies::check_again);
}

#[test]
fn patterns_hold_over_random_bytes() {
    let mut random = Random::new(39);
    for _ in 0..2000 {
        let mut data = vec![random.next() as u8, random.next() as u8];
        for end in ["\n", "\n", "\n\n", "\n\n", "\n", "\n"] {
            let url = generate::url(&mut random);
            let bare = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
            data.extend(if random.once_in(3) { &url } else { bare }.bytes().chain(end.bytes()));
        }
        bodies::patterns(&data);
    }
}

#[test]
fn what_failed_once_holds() {
    type Body = fn(&[u8]);
    let targets: &[(&str, Body)] = &[
        ("blocklist", bodies::blocklist),
        ("check", bodies::check_again),
        ("company", bodies::company),
        ("dedupe", bodies::dedupe),
        ("differential", bodies::differential),
        ("explain", bodies::explain),
        ("hosts", bodies::hosts),
        ("ladder", bodies::ladder),
        ("parse", bodies::parse),
        ("patterns", bodies::patterns),
        ("refang", bodies::refang),
        ("rules", bodies::rules),
        ("safebrowsing", bodies::safebrowsing),
        ("setters", bodies::setters),
        ("sites", bodies::sites),
        ("social", bodies::social),
        ("surt", bodies::surt),
        ("unwrap", bodies::unwrap),
        ("w3lib", bodies::w3lib),
    ];
    let rows = include_str!("../../../tests/vectors/fuzz.jsonl").lines();
    for row in rows.map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a JSON row")) {
        let field = |name: &str| row[name].as_str().unwrap_or_else(|| panic!("{name} is missing: {row}"));
        if field("side") == "core" {
            // A character is a byte.
            let data: Vec<u8> = field("input").chars().map(|unit| unit as u8).collect();
            let target = targets.iter().find(|(name, _)| *name == field("target"));
            target.unwrap_or_else(|| panic!("no such target: {row}")).1(&data);
        }
    }
}
