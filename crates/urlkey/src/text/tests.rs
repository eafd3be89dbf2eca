//! Repairs: our own vectors, the defanged indicators beside the project, and
//! that no repair touches what came out of it.

use std::borrow::Cow;
use std::path::Path;

use serde_json::Value;
use url::Url;

use super::{ASSUME_SCHEME, REFANG, Repairs, TRIM_WRAPPING, repair};
use crate::ladder::{Meta, Off, Trace};

const ALL: Repairs = Repairs { trim_wrapping: true, refang: true, assume_scheme: true };

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a row is JSON")).collect()
}

fn named(name: &str) -> Repairs {
    match name {
        "trim_wrapping" => Repairs { trim_wrapping: true, ..Repairs::default() },
        "refang" => Repairs { refang: true, ..Repairs::default() },
        "assume_scheme" => Repairs { assume_scheme: true, ..Repairs::default() },
        "all" => ALL,
        other => panic!("{other} is no repair"),
    }
}

#[derive(Default)]
struct Last(Option<String>, Vec<&'static str>);

impl Trace for Last {
    const ON: bool = true;
    fn text(&mut self, step: &'static Meta, after: &str) {
        assert_ne!(self.0.as_deref(), Some(after), "{} changes something", step.name);
        self.0 = Some(after.to_owned());
        self.1.push(step.name);
    }
}

#[test]
fn repairs_give_what_their_vectors_say() {
    for row in rows(include_str!("../../tests/vectors/text.jsonl")) {
        let input = row["input"].as_str().expect("input");
        let repairs = named(row["repairs"].as_str().expect("repairs"));
        let has_base = row["base"].as_bool().unwrap_or(false);
        let mut last = Last::default();
        let found = repair(input, &repairs, has_base, &mut last, &mut Vec::new());
        assert_eq!(found, row["expected"].as_str().expect("expected"), "{row}");
        assert_eq!(last.0.as_deref().unwrap_or(input), found, "{row}: the trace ends at the text");
        if last.1.is_empty() {
            assert!(matches!(found, Cow::Borrowed(_)), "{row}: borrowed where nothing acts");
        }
    }
}

#[test]
fn the_example_of_each_repair_holds() {
    for meta in [&TRIM_WRAPPING, &REFANG, &ASSUME_SCHEME] {
        let (before, after) = meta.example;
        let mut last = Last::default();
        assert_eq!(repair(before, &named(meta.name), false, &mut last, &mut Vec::new()), after);
        assert_eq!(last.1, [meta.name]);
    }
}

#[test]
fn without_repairs_the_text_is_the_text() {
    let found = repair(" <hxxp://e[.]x> ", &Repairs::default(), false, &mut Last::default(), &mut Vec::new());
    assert_eq!(found, " <hxxp://e[.]x> ");
}

/// Indicators whose wanted live form we do not give, and why.
const OTHERWISE: &[(&str, &str)] =
    &[("evil[.]example/a?u=hxxp://x[.]y/", "the file's own rule: never rewrite hxxp inside a path or query")];

#[test]
fn defanged_indicators_are_live_again() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors/domains/defang.json");
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("skipped: no shared vectors (domains/defang.json)");
        return;
    };
    let file: Value = serde_json::from_str(&text).expect("the file is JSON");
    let repairs = Repairs { assume_scheme: false, ..ALL };
    let live = |text: &str| repair(text, &repairs, false, &mut Off, &mut Vec::new()).into_owned();
    let href = |text: &str| Url::parse(text).map_or(text.to_owned(), String::from);
    for row in file["refang"].as_array().expect("refang") {
        let broken = row["defanged"].as_str().expect("defanged");
        let expected = row["refanged"].as_str().expect("refanged");
        let same = href(&live(broken)) == href(expected);
        let listed = OTHERWISE.iter().any(|(text, _)| *text == broken);
        assert_ne!(same, listed, "{row}: {}", live(broken));
    }
    for row in file["defang"].as_array().expect("defang") {
        let expected = row["live"].as_str().expect("live");
        for tool in ["suggested", "defang_0.5.3", "defang_0.5.3_all_dots", "defang_0.5.3_colon"] {
            let broken = row[tool].as_str().expect(tool);
            assert_eq!(live(broken), expected, "{tool} of {row}");
        }
    }
}

#[test]
fn repairs_leave_every_serialized_url_alone() {
    const PIECES: &[&str] = &[
        "http",
        "https",
        "hxxp",
        "HXXPS",
        "fxp",
        "hp",
        "foo",
        ":",
        "[:]",
        "(:)",
        "//",
        "\\\\",
        "[://]",
        "/",
        "[/]",
        "e",
        "example",
        ".",
        "[.]",
        "(.)",
        "{.}",
        "%28.%29",
        "%5B.%5D",
        "\u{ff08}.\u{ff09}",
        "[dot]",
        "{at}",
        "@",
        "[@]",
        ":80",
        "80",
        "[",
        "]",
        "(",
        ")",
        "<",
        ">",
        "\"",
        "'",
        "\u{201c}",
        "\u{201d}",
        "URL:",
        " ",
        "\t",
        "?",
        "#",
        "[::1]",
        "1.2.3.4",
        "localhost",
        "www.example.com",
        "\\.",
        "%2e",
        "\u{3002}",
        "..",
        "\u{ad}",
    ];
    let base = Url::parse("https://base.example/a/b").expect("a URL");
    let mut state = 0x853c_49e6_748f_ea9b_u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (state >> 33) as usize % below
    };
    let mut parsed = 0;
    for _ in 0..100_000 {
        let text: String = (0..1 + next(9)).map(|_| PIECES[next(PIECES.len())]).collect();
        let bits = next(8);
        let repairs = Repairs { trim_wrapping: bits & 1 != 0, refang: bits & 2 != 0, assume_scheme: bits & 4 != 0 };
        let base = (next(3) == 0).then_some(&base);
        let repaired = repair(&text, &repairs, base.is_some(), &mut Off, &mut Vec::new());
        if let Ok(url) = Url::options().base_url(base).parse(&repaired) {
            parsed += 1;
            // Beside a base `a.b:80` is a scheme, alone it is a host: never with a base.
            let repairs = Repairs { assume_scheme: repairs.assume_scheme && base.is_none(), ..repairs };
            let again = repair(url.as_str(), &repairs, false, &mut Off, &mut Vec::new());
            assert_eq!(again, url.as_str(), "{text:?} with {repairs:?}, base: {}", base.is_some());
        }
    }
    assert!(parsed > 10_000, "{parsed} texts were URLs");
}

#[test]
fn repairs_take_linear_time() {
    for text in ["(", "[", "<", "\"", "[.", "[[.]]", "{", "(.", "http", ":", "[:]", "[://]", " "] {
        let long = text.repeat(100_000);
        for text in [long.clone(), format!("hxxp://{long}"), format!("({long})")] {
            repair(&text, &ALL, false, &mut Off, &mut Vec::new());
        }
    }
}
