//! What holds under every set of site rules: claims of `docs/rules.md`, over
//! rules and texts made from a seed.

mod generate;

use generate::Random;
use urlkey::*;

const HOSTS: [&str; 10] = [
    "*",
    "*.youtube.com",
    "www.youtube.com",
    "youtu.be",
    "*.example.com",
    "example.com",
    "www.example.com",
    "a.example",
    "example.<suffix>",
    "*.example",
];
const PATHS: [&str; 6] = ["/", "/a", "/a/b", "/{int}", "/{slug}/{int}", "/index.html"];
const NAMES: &[&str] = &[
    "v",
    "t",
    "a",
    "b",
    "id",
    "utm_*",
    "utm_source",
    "ref",
    "s*",
    "/[a-z]{1,2}/",
    "/(?:gclid|page)/",
    "UTM_*",
    "Id",
    "/.*id/",
    "q",
    "*",
    "c[0]",
    "sid",
];
const PAIRS: [&str; 5] = ["^a=1", "=x$", "^utm_.*=[a-z]", "^s", "id=[0-9]+"];
const URLS: [&str; 7] = ["[?&]a=", "^https?://[^/]*example\\.com/", "/a/", "id=1", "utm_", "\\?[^&]*$", "#"];
const RAWS: [&str; 6] = ["/ref=[^/?]*", "[?&]x=[^&#]*", "b/", "/a$", "%41", "[&?]utm_[^&]*"];
const SWITCHES: [&str; 10] = [
    "site_form",
    "sort_query",
    "drop_www",
    "collapse_slashes",
    "drop_index",
    "drop_query",
    "drop_tracking",
    "drop_fragment",
    "lower_path",
    "fold_scheme",
];
const SOURCES: [&str; 5] = ["user", "breakage", "learned", "imported", "built-in"];

fn list(random: &mut Random, key: &str, from: &[&str]) -> String {
    let mut picked: Vec<&str> = (0..1 + random.below(3)).map(|_| random.pick(from)).collect();
    picked.sort_unstable();
    picked.dedup();
    format!("{key} = {picked:?}\n")
}

fn rule(random: &mut Random) -> String {
    let mut text = format!("\n[[site]]\nhost = {:?}\npath = {:?}\n", random.pick(&HOSTS), random.pick(&PATHS));
    let lists: [(&str, &[&str], usize); 9] = [
        ("drop", NAMES, 2),
        ("keep", NAMES, 4),
        ("valueless", NAMES, 4),
        ("drop_pairs", &PAIRS, 5),
        ("keep_pairs", &PAIRS, 8),
        ("raw", &RAWS, 4),
        ("except", &["*.example.com", "/[?&]b=/", "/a.$/"], 5),
        ("on", &SWITCHES, 4),
        ("off", &SWITCHES, 4),
    ];
    for (key, from, chance) in lists {
        if random.once_in(chance) {
            text.push_str(&list(random, key, from));
        }
    }
    if random.once_in(5) {
        text.push_str(&format!("default = {{ page = \"1\", {:?} = \"\" }}\n", random.pick(&["id", "z", "utm_medium"])));
    }
    if random.once_in(3) {
        text.push_str(&format!("url = {:?}\n", random.pick(&URLS)));
    }
    if random.once_in(4) {
        text.push_str("fragment = true\n");
    }
    if random.once_in(5) {
        text.push_str("case = true\n");
    }
    text.push_str(&format!("source = {:?}\n", random.pick(&SOURCES)));
    text
}

/// Files of rules, those that say two things at once left out, and the policy they make.
fn files(random: &mut Random) -> Vec<String> {
    let crawl = Policy::builtin("crawl").unwrap();
    let mut files = Vec::new();
    while files.len() < 3 {
        let mut file = String::from("schema = 1\n");
        for _ in 0..random.below(6) {
            let rule = rule(random);
            let more = format!("{file}{rule}");
            if crawl.with_rules(&[("rules.toml", &more)]).is_ok() {
                file = more;
            }
        }
        files.push(file);
    }
    files
}

fn policy(base: &str, files: &[String]) -> Policy {
    let named: Vec<(&str, &str)> = files.iter().map(|text| ("rules.toml", text.as_str())).collect();
    Policy::builtin(base).unwrap().with_rules(&named).unwrap()
}

fn key_of(text: &str, policy: &Policy) -> Result<String, ParseError> {
    let mut scratch = Scratch::default();
    key(text, &Options::default(), policy, &mut scratch).map(|key| key.text(text).to_owned())
}

/// Texts of the generator, and some on hosts that the rules name.
fn text(random: &mut Random) -> String {
    if random.once_in(2) {
        return generate::url(random);
    }
    if random.once_in(3) {
        let host = random.pick(&["youtu.be", "youtube.com", "www.youtube.com", "m.youtube.com"]);
        let path = random.pick(&["/dQw4w9WgXcQ?", "/watch?v=dQw4w9WgXcQ&", "/embed/dQw4w9WgXcQ?", "/@a?"]);
        let field = random.pick(&["t=1m30s", "start=90&a=1", "x=1", "list=PLx", "v=dQw4w9WgXcQ", ""]);
        return format!("http{}://{host}{path}{field}", random.pick(&["", "s"]));
    }
    let host = random.pick(&["example.com", "www.example.com", "a.example", "x.a.example", "example.co.uk", "b.test"]);
    let path = random.pick(&["", "/", "/a", "/a/b/7", "/7", "/a//b/index.html", "/a/ref=x/b", "/%41"]);
    let fields: Vec<String> = (0..random.below(6))
        .map(|_| {
            let name =
                random.pick(&["a", "b", "id", "utm_source", "utm_x", "ref", "gclid", "page", "sid", "c[0]", "q", "x"]);
            format!("{name}{}", random.pick(&["", "=", "=1", "=x", "=7;b=2", "=abc"]))
        })
        .collect();
    let query = if fields.is_empty() { String::new() } else { format!("?{}", fields.join("&")) };
    let fragment = random.pick(&["", "", "#top", "#utm_source=x&a=1", "#!/a?b=1", "#a"]);
    format!("http{}://{host}{path}{query}{fragment}", random.pick(&["", "s"]))
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
