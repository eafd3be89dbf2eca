//! What every rung and every step of the parser must and must not do, as data:
//! `vectors/keys.jsonl`, and the example that each row of the ladder gives. A
//! regression is a row with its source.

use std::collections::BTreeSet;

use serde_json::Value;
use urlkey::*;

fn rows() -> Vec<Value> {
    rows_of(include_str!("vectors/keys.jsonl"))
}

fn rows_of(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

/// A text, or a list of texts and `[text, times]`.
fn text(value: &Value) -> String {
    let part = |part: &Value| match part {
        Value::Array(run) => text(&run[0]).repeat(run[1].as_u64().unwrap() as usize),
        other => other.as_str().unwrap().to_owned(),
    };
    match value {
        Value::Array(parts) => parts.iter().map(part).collect(),
        other => part(other),
    }
}

/// The policy of the row: a profile, and what is changed of it.
fn policy(row: &Value) -> Policy {
    let setting = |value: &Value| match value {
        Value::Bool(on) => Setting::Bool(*on),
        other => Setting::Int(other.as_i64().unwrap()),
    };
    let changes = row["with"].as_object().into_iter().flatten();
    let changes: Vec<_> = changes.map(|(name, value)| (name.as_str(), setting(value))).collect();
    Policy::builtin(row["policy"].as_str().unwrap()).unwrap().with(&changes).unwrap()
}

fn key_of(text: &str, options: &Options, policy: &Policy) -> Result<String, ParseError> {
    let mut scratch = Scratch::default();
    key(text, options, policy, &mut scratch).map(|key| key.text(text).to_owned())
}

/// What is wrong with this row, if anything.
fn trouble(row: &Value) -> Option<String> {
    let base = row.get("base").map(|base| Url::parse(base.as_str().unwrap(), &Options::default()).unwrap());
    let encoding = row.get("encoding").map_or(Encoding::UTF8, |e| Encoding::for_label(e.as_str().unwrap()).unwrap());
    let options = Options { base: base.as_ref(), encoding };
    let (input, policy) = (text(&row["input"]), policy(row));
    let made = key_of(&input, &options, &policy);
    if let Some(code) = row.get("error") {
        let made = made.map_err(|e| e.code.as_str());
        return (made != Err(code.as_str().unwrap())).then(|| format!("not {code} but {made:?}"));
    }
    let made = match made {
        Ok(made) => made,
        Err(e) => return Some(e.to_string()),
    };
    let expected = row.get("expected").map_or_else(|| made.clone(), text);
    if made != expected {
        return Some(format!("{made:.300} and not {expected:.300}"));
    }
    if key_of(&made, &options, &policy).as_ref() != Ok(&made) {
        return Some(format!("{made:.300} is not its own key"));
    }
    let told = explain(&input, &options, &policy).map(|told| told.key);
    (told.as_ref() != Ok(&made)).then(|| format!("explain says {told:?}"))
}

#[test]
fn every_vector_holds() {
    let rows = rows();
    let troubles: Vec<_> = rows
        .iter()
        .filter_map(|row| {
            trouble(row).map(|t| format!("{:.200} {}: {t} ({})", row["input"], row["policy"], row["why"]))
        })
        .collect();
    assert!(troubles.is_empty(), "{} of {}:\n{}", troubles.len(), rows.len(), troubles.join("\n"));
}

#[test]
fn offsets_are_those_of_the_input_as_given() {
    let repairs = ["trim_wrapping", "refang", "assume_scheme"].map(|name| (name, Setting::Bool(true)));
    let policy = Policy::builtin("crawl").unwrap().with(&repairs).unwrap();
    let (options, mut scratch) = (Options::default(), Scratch::default());
    let errors: [(&[u8], &str); 7] = [
        (b"http://h:8a/", "a/"),
        (b"http://\xff@h:8a/", "a/"),
        (b" \tht\ntp://h:8\ta/", "a/"),
        ("<hxxp://\u{e9}[.]com:b/>".as_bytes(), "b/>"),
        (b" < hxxp[:]//a[dot]b [.] c\n[.]d:8x/> ", "x/> "),
        (b"hxxp[://]a[.]b[:]80b/", "b/"),
        (b"//a.example:b/", "b/"),
    ];
    for (input, rest) in errors {
        let at = key_of_bytes(input, &options, &policy, &mut scratch).expect_err(rest).at;
        assert_eq!(&input[at..], rest.as_bytes(), "{}", String::from_utf8_lossy(input));
    }
    let violations = [
        ("http://a.example/|\\", "|\\"),
        (" http://a.example/\t|", "|"),
        ("<http://a.example/|\\>", "|\\>"),
        ("(hxxp://a[.]example/x y)", " y)"),
        ("a.example/x\n|", "|"),
    ];
    for (input, rest) in violations {
        let noted = explain(input, &options, &policy).unwrap().violations;
        assert!(noted.is_sorted_by_key(|noted| noted.at), "{input}: {noted:?}");
        assert!(noted.iter().any(|noted| &input[noted.at..] == rest), "{input}: {noted:?}");
    }
    let escaped = Origins::of_bytes(b"http://a/\xff\xfe\\");
    assert_eq!(escaped.at("http://a/%FF%FE".len()), 11);
}

#[test]
fn secrets_are_not_shown() {
    for row in rows_of(include_str!("vectors/redact.jsonl")) {
        let shown = redact(&text(&row["input"]));
        assert_eq!(shown, text(&row["expected"]), "{}", row["why"]);
        assert_eq!(redact(&shown), shown, "{}: twice", row["why"]);
    }
}

#[test]
fn violations_are_kept_up_to_a_thousand() {
    let text = ["http://a.example/", &"|".repeat(5000)].concat();
    assert_eq!(explain(&text, &Options::default(), &Policy::builtin("crawl").unwrap()).unwrap().violations.len(), 1000);
}

#[test]
fn comparisons_say_what_it_takes() {
    for row in rows_of(include_str!("vectors/compare.jsonl")) {
        let told = compare(&text(&row["a"]), &text(&row["b"]), &Options::default(), &policy(&row)).unwrap();
        let is = (told.same, told.meets.map(Loss::as_str), told.part);
        assert_eq!(is, (row["same"] == true, row["meets"].as_str(), row["part"].as_str()), "{row}");
        let wanted: Vec<_> = row["reasons"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert_eq!(told.reasons, wanted, "{row}");
    }
}

#[test]
fn every_rung_has_vectors_of_its_own() {
    let rows = rows();
    let named = |name: &str| rows.iter().filter(|row| row["with"].get(name).is_some()).count();
    let short: Vec<_> = Rung::ALL.iter().filter(|rung| named(rung.name()) < 2).map(|rung| rung.name()).collect();
    assert!(short.is_empty(), "fewer than two vectors: {short:?}");
}

#[test]
fn the_vectors_show_every_step_of_the_parser() {
    let mut seen = BTreeSet::new();
    for row in rows().iter().filter(|row| row.get("error").is_none() && row["input"].is_string()) {
        let base = row.get("base").map(|base| Url::parse(base.as_str().unwrap(), &Options::default()).unwrap());
        let options = Options { base: base.as_ref(), ..Options::default() };
        seen.extend(explain(&text(&row["input"]), &options, &policy(row)).unwrap().steps.iter().map(|step| step.name));
    }
    let missing: Vec<_> = urlkey::rows().iter().map(|meta| meta.name).filter(|name| !seen.contains(name)).collect();
    assert_eq!(missing, ["site_rules"], "site_rules has the next test");
}

#[test]
fn every_rung_does_what_its_example_says() {
    for rung in Rung::ALL {
        let (before, after) = rung.meta().example;
        let alone = Policy::builtin("whatwg").unwrap().with(&[(rung.name(), Setting::Bool(true))]).unwrap();
        let told = explain(before, &Options::default(), &alone).unwrap();
        assert_eq!(told.key, after, "{}", rung.name());
        assert!(told.steps.iter().any(|step| step.name == rung.name()), "{}: {:?}", rung.name(), told.steps);
    }
}

#[test]
fn every_step_of_the_parser_does_what_its_example_says() {
    let whatwg = Policy::builtin("whatwg").unwrap();
    let base = Url::parse("http://a.example/b/c", &Options::default()).unwrap();
    for meta in urlkey::rows() {
        if Rung::by_name(meta.name).is_some() || meta.name == "site_rules" {
            continue;
        }
        let base = (meta.name == "resolve").then_some(&base);
        let told = explain(meta.example.0, &Options { base, ..Options::default() }, &whatwg).unwrap();
        assert_eq!(told.key, meta.example.1, "{}", meta.name);
        assert!(told.steps.iter().any(|step| step.name == meta.name), "{}: {:?}", meta.name, told.steps);
    }
}

#[test]
fn site_rules_do_what_their_example_says() {
    let rules = "schema = 1\n[[site]]\nhost = \"shop.example\"\ndrop = [\"color\"]\nvalueless = [\"ver\"]\n";
    let policy = Policy::builtin("whatwg").unwrap().with_rules(&[("rules.toml", rules)]).unwrap();
    let meta = *urlkey::rows().iter().find(|meta| meta.name == "site_rules").unwrap();
    let told = explain(meta.example.0, &Options::default(), &policy).unwrap();
    assert_eq!((told.key.as_str(), told.steps[0].name), (meta.example.1, meta.name));
    assert_eq!(told.steps[0].rule.as_deref(), Some("rules.toml:2"));
    for two_in_one in ["http://shop.example/?color=red;v=7", "http://shop.example/?ver=1;v=7"] {
        assert_eq!(key_of(two_in_one, &Options::default(), &policy).as_deref(), Ok(two_in_one), "v is content");
    }
}

#[test]
fn a_parameter_that_lost_its_value_is_one_without_a_value() {
    let rules = "schema = 1\n[[site]]\nhost = \"a.example\"\nvalueless = [\"v\"]\n";
    let crawl = Policy::builtin("crawl").unwrap().with_rules(&[("rules.toml", rules)]).unwrap();
    let key = |policy: &Policy, url| explain(url, &Options::default(), policy).unwrap().key;
    assert_eq!(key(&crawl, "http://a.example/?v=1&b=2"), "http://a.example/?b=2&v");
    assert_eq!(key(&crawl, "http://a.example/?v=1;id=2"), "http://a.example/?v=1;id=2");
    let no_blanks = crawl.with(&[("drop_blank_params", Setting::Bool(true))]).unwrap();
    assert_eq!(key(&no_blanks, "http://a.example/?v=1&b=2"), "http://a.example/?b=2");
}

#[test]
fn the_rules_of_the_place_that_a_key_ends_in_have_their_say() {
    let rules = "schema = 1\n[[site]]\nhost = \"shop.example\"\ndrop = [\"c\"]\n\
                 [[site]]\nhost = \"*\"\npath = \"/a/b\"\ndrop = [\"d\"]\n";
    let policy = Policy::builtin("aggressive").unwrap().with_rules(&[("rules.toml", rules)]).unwrap();
    let key = |url: &str| explain(url, &Options::default(), &policy).unwrap().key;
    for (url, expected) in [
        ("http://www.shop.example/?c=1&e=2", "http://shop.example/?e=2"),
        ("http://x.example/a//b?d=1&e=2", "http://x.example/a/b?e=2"),
        ("http://www.x.example/?c=1&d=2", "http://x.example/?c=1&d=2"),
    ] {
        assert_eq!((key(url).as_str(), key(&key(url)).as_str()), (expected, expected));
    }
}
