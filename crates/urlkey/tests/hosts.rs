//! Hosts: our own vectors, one for every state of the host parser, and those
//! beside the project where they are.

use std::path::{Path, PathBuf};

use serde_json::Value;
use urlkey::host::{HostKind, ends_in_a_number, parse_host};
use urlkey::{
    Code, HostPattern, Meta, Off, PSL_VERSION, Part, Trace, Violation, Violations, registrable_domain,
    registrable_start,
};

fn rows(text: &str) -> Vec<Value> {
    text.lines()
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_str(line).expect("a row is JSON"))
        .collect()
}

/// The rows of a file beside the project; None, said aloud, where it is absent.
fn shared(name: &str) -> Option<Vec<Value>> {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors").join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: no shared vectors ({name})");
        return None;
    };
    Some(if name.ends_with(".json") {
        vec![serde_json::from_str(&text).expect("the file is JSON")]
    } else {
        rows(&text)
    })
}

fn host(input: &str, special: bool) -> Result<(HostKind, String), Code> {
    let mut out = String::from("//");
    let kind = parse_host(input, special, 0, &mut out, &mut Off).map_err(|error| error.code);
    assert!(out.starts_with("//"));
    assert!(kind.is_ok() || out == "//", "{input:?}: an error leaves the output as it was");
    kind.map(|kind| (kind, out[2..].to_owned()))
}

fn kind_name(kind: HostKind) -> String {
    format!("{kind:?}").to_lowercase()
}

/// Notes the names of the steps, and that each says what the text is after it.
#[derive(Default)]
struct Steps(Vec<(&'static str, String)>);

impl Trace for Steps {
    const ON: bool = true;
    fn part(&mut self, step: &'static Meta, part: Part, after: &str) {
        assert_eq!(part, Part::Host);
        self.0.push((step.name, after.to_owned()));
    }
}

#[test]
fn every_state_of_the_host_parser_gives_what_the_standard_says() {
    for row in rows(include_str!("vectors/hosts.jsonl")) {
        let input = row["input"].as_str().expect("input");
        let special = row["special"].as_bool().unwrap_or(true);
        let found = match host(input, special) {
            Ok((kind, text)) => format!("{} {text}", kind_name(kind)),
            Err(code) => format!("error {code}"),
        };
        assert_eq!(found, row["expected"].as_str().expect("expected"), "{row}");

        let mut steps = Steps::default();
        let mut out = String::new();
        let traced = parse_host(input, special, 0, &mut out, &mut steps);
        assert_eq!(traced.map_err(|error| error.code), host(input, special).map(|(kind, _)| kind));
        let names: Vec<_> = steps.0.iter().map(|(name, _)| *name).collect();
        assert_eq!(names.join(" "), row["steps"].as_str().unwrap_or(""), "{row}");
        if traced.is_ok() {
            let last = steps.0.last().map_or(input, |(_, after)| after);
            assert_eq!(out, last, "{row}: the last step ends at the output");
        }
    }
}

#[test]
fn errors_and_violations_name_the_byte() {
    for row in rows(include_str!("vectors/host_positions.jsonl")) {
        let input = row["input"].as_str().expect("input");
        let special = row["special"].as_bool().unwrap_or(true);
        let mut violations = Violations::default();
        let mut out = String::new();
        let result = parse_host(input, special, 100, &mut out, &mut violations);
        let mut found: Vec<String> = violations.0.iter().map(|Violation { code, at }| format!("{code} {at}")).collect();
        if let Err(error) = result {
            found.push(format!("fatal {} {}", error.code, error.at));
        }
        assert_eq!(found.join("; "), row["expected"].as_str().expect("expected"), "{row}");
    }
}

#[test]
fn a_serialized_host_parses_to_itself() {
    for row in rows(include_str!("vectors/hosts.jsonl")) {
        let special = row["special"].as_bool().unwrap_or(true);
        if let Ok((kind, text)) = host(row["input"].as_str().expect("input"), special) {
            assert_eq!(host(&text, special), Ok((kind, text.clone())), "{row}");
        }
    }
}

#[test]
fn long_hosts_beyond_ascii_are_refused_before_they_cost() {
    for long in ["\u{301}".repeat(50_000), "\u{4e00}".repeat(50_000), "\u{e9}.".repeat(50_000)] {
        assert_eq!(host(&long, true), Err(Code::DomainToAscii));
    }
    let ascii = "a.".repeat(50_000) + "example";
    assert_eq!(host(&ascii, true), Ok((HostKind::Domain, ascii.clone())));
}

#[test]
fn wpt_idna_rows_hold() {
    for name in ["wpt/idna_test_v2.jsonl", "wpt/idna_test_v2_removed.jsonl"] {
        let Some(rows) = shared(name) else { return };
        for row in rows {
            let input = row["input"].as_str().expect("input");
            let found = host(input, true).ok().map(|(_, text)| text);
            // The rows are of ToASCII, which may give nothing; a host may not be empty.
            let expected = row["output"].as_str().filter(|output| !output.is_empty());
            assert_eq!(found.as_deref(), expected, "{row}");
        }
    }
}

#[test]
fn odd_ipv4_forms_hold() {
    let Some(rows) = shared("urlcanon/funky_ipv4.jsonl") else {
        return;
    };
    for row in rows {
        let input = row["input"].as_str().expect("input");
        let found = match host(input, true) {
            Ok((HostKind::Ipv4, text)) => Some(text),
            _ => None,
        };
        assert_eq!(found.as_deref(), row["expected"].as_str(), "{row}");
    }
}

#[test]
fn numbers_at_the_end_are_seen() {
    for (text, expected) in [
        ("1", true),
        ("a.1", true),
        ("a.1.", true),
        ("a.1..", false),
        ("a.0x", true),
        ("a.0xfg", false),
        ("a.09", true),
        ("a.0x1f.", true),
        ("a.b", false),
        ("1.com", false),
        ("", false),
        (".", false),
        ("a.x", false),
        ("a.1f", false),
        ("a.f", false),
    ] {
        assert_eq!(ends_in_a_number(text.as_bytes()), expected, "{text:?}");
    }
}

#[test]
fn registrable_domains_are_found() {
    for (text, expected) in [
        ("www.example.com", Some("example.com")),
        ("www.example.com.", Some("example.com")),
        ("example.com", Some("example.com")),
        ("com", None),
        ("localhost", None),
        ("", None),
        (".", None),
        ("..", None),
        (".com", None),
        ("a..com", None),
        ("[::1]", None),
        ("127.0.0.1", None),
        ("www.ck", Some("www.ck")),
        ("x.ck", None),
        ("a.x.ck", Some("a.x.ck")),
        ("printer.local", Some("printer.local")),
        ("a.xn--55qx5d.cn", Some("a.xn--55qx5d.cn")),
        ("xn--55qx5d.cn", None),
    ] {
        assert_eq!(registrable_domain(text), expected, "{text:?}");
        assert_eq!(registrable_start(text).is_some(), expected.is_some());
    }
}

#[test]
fn registrable_domains_of_the_shared_hosts_hold() {
    let Some(file) = shared("domains/domain_keys.json") else {
        return;
    };
    for row in file[0]["hosts"].as_array().expect("hosts") {
        let Ok((_, text)) = host(row["host"].as_str().expect("host"), true) else {
            continue;
        };
        assert_eq!(registrable_domain(&text), row["registrable_full"].as_str(), "{row}");
    }
}

#[test]
fn the_psl_version_is_the_pinned_one() {
    let manifest = include_str!("../Cargo.toml");
    assert!(manifest.contains(&format!("psl = \"={PSL_VERSION}\"")));
}

#[test]
fn host_patterns_match_by_label() {
    for (pattern, yes, no) in [
        ("*", &["a.example", "[::1]", ""][..], &[][..]),
        ("shop.example", &["shop.example", "shop.example."], &["www.shop.example", "xshop.example"]),
        ("*.shop.example", &["shop.example", "a.b.shop.example"], &["xshop.example", "example"]),
        (
            "google.<suffix>",
            &["google.com", "www.google.co.uk", "google.de."],
            &["google.example.com", "notgoogle.com", "google", "com"],
        ),
        ("*.M\u{dc}NCHEN.example", &["www.xn--mnchen-3ya.example"], &["mnchen.example"]),
        ("0x7f.1", &["127.0.0.1"], &["127.0.0.2"]),
        ("[::0]", &["[::]"], &["[::1]"]),
    ] {
        let parsed = HostPattern::parse(pattern).expect(pattern);
        assert_eq!(HostPattern::parse(&parsed.to_string()), Ok(parsed.clone()));
        yes.iter().for_each(|host| assert!(parsed.matches(host), "{pattern} {host}"));
        no.iter().for_each(|host| assert!(!parsed.matches(host), "{pattern} {host}"));
    }
}

#[test]
fn what_is_no_host_pattern_is_refused() {
    for text in ["", ".", "*.", "**", "*.*", "a.*", "a..b", "a/b", "a:80", "*.1.2.3.4", "<suffix>", ".<suffix>", "a."] {
        let message = HostPattern::parse(text).expect_err(text);
        assert!(message.contains("*.shop.example"), "{message}");
    }
}
