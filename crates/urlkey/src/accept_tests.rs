//! The untouched road against the ladder: `key`, which tries the road first,
//! and `make`, which does not know it, must agree. From inside, for `make`.

#[path = "../tests/generate/mod.rs"]
mod generate;

use generate::Random;

use crate::key::make;
use crate::{Key, Off, Options, Policy, Rung, Scratch, Setting, key};

/// The key without the untouched road.
fn slow(text: &str, policy: &Policy) -> Option<String> {
    let mut scratch = Scratch::default();
    make(text, &Options::default(), policy, policy.on, &mut scratch, &mut Off).ok()?;
    Some(scratch.url().href().to_owned())
}

/// Cleaner than `generate::url`, or the road would hardly ever be taken.
fn text(random: &mut Random) -> String {
    const PARTS: &[&str] = &[
        "/",
        "/a",
        "/b.html",
        "/x-1_2~",
        "/index.html",
        "/A",
        "/..",
        "/.",
        "/a.b",
        "//",
        "/%20",
        "/%2F",
        "/%7E",
        "/%c3",
        "?",
        "&",
        "=",
        "a=1",
        "b=2",
        "?a=1",
        "&b=2",
        "&b=2&c",
        "&a",
        "id=7",
        "&utm_source=x",
        "&fbclid",
        "&sid=",
        ";",
        "(",
        "amp;",
        "0123456789abcdef0123456789abcdef",
        "+",
        "*",
        "!",
        "$",
        ",",
        ":",
        "@",
        "'",
        "/watch?v=dQw4w9WgXcQ",
        "/@a/100254678717223630",
        "/in/a",
        "%",
        "[",
        "é",
        "#",
        " ",
    ];
    const HOSTS: &[&str] = &[
        "a.example",
        "www.a.example",
        "m.a.example",
        "mobile.de",
        "example.com.",
        "1.2.3.4",
        "a.1",
        "xn--a.example",
        "a_b.example",
        "A.example",
        "a.example:80",
        "u@a.example",
        "a..b",
        "",
        "facebook.com",
        "www.google.com",
        "x.0x",
        "youtu.be",
        "www.youtube.com",
        "fr.linkedin.com",
    ];
    let mut out = String::from(random.pick(&["http://", "https://", "https://", "HTTPS://", "ftp://", "https:/"]));
    let n = if random.once_in(3) { HOSTS.len() } else { 1 };
    out.push_str(HOSTS[random.below(n)]);
    let few = if random.once_in(2) { 25 } else { PARTS.len() };
    for _ in 0..random.below(7) {
        out.push_str(PARTS[random.below(few)]);
    }
    out
}

#[test]
fn the_untouched_road_agrees_with_the_ladder() {
    let mut random = Random::new(12);
    let builtin = crate::BUILTIN_NAMES.map(|name| (*Policy::builtin(name).unwrap()).with(&[]).unwrap());
    let changed = (0..100).map(|_| {
        let share = 1 + random.below(9);
        let changes: Vec<_> =
            Rung::ALL.iter().map(|rung| (rung.name(), Setting::Bool(random.below(10) < share))).collect();
        builtin[4].with(&changes).unwrap()
    });
    let rules = "schema = 1\n[[site]]\nhost = \"*.a.example\"\ndrop = [\"id\"]\n[[site]]\nhost = \"mobile.de\"\non = [\"lower_path\"]\n";
    let with_sites = builtin[2].with_rules(&[("rules.toml", rules)]).unwrap();
    let policies: Vec<Policy> = changed.collect::<Vec<_>>().into_iter().chain([with_sites]).collect();
    let (mut taken, mut scratch) = (0, Scratch::default());
    for i in 0..30_000 {
        let text = if i % 5 == 0 { generate::url(&mut random) } else { text(&mut random) };
        for policy in builtin.iter().chain([&policies[i % policies.len()], policies.last().unwrap()]) {
            let slow = slow(&text, policy);
            let fast = key(&text, &Options::default(), policy, &mut scratch);
            taken += usize::from(fast == Ok(Key::Same));
            let fast = fast.ok().map(|key| key.text(&text).to_owned());
            assert_eq!(fast, slow, "{text:?} under {:?}", policy.rungs().map(Rung::name).collect::<Vec<_>>());
        }
    }
    // Else the test tests nothing.
    assert!(taken > 10_000, "taken {taken} times");
}
