//! Rules for single sites, made from a seed, and texts that they speak of.

#![allow(dead_code)] // a fuzz target takes no texts

use super::generate::{self, Random};
use urlkey::Policy;

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
const CUTS: [&str; 6] = ["^/a/", ";[^/;]*", "/b$", "/[0-9]+/", "^/(?:en|x)/", "%2"];
const SWITCHES: [&str; 11] = [
    "fold_amp_host",
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
    let lists: [(&str, &[&str], usize); 10] = [
        ("drop", NAMES, 2),
        ("keep", NAMES, 4),
        ("valueless", NAMES, 4),
        ("drop_pairs", &PAIRS, 5),
        ("keep_pairs", &PAIRS, 8),
        ("raw", &RAWS, 4),
        ("drop_path", &CUTS, 4),
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

/// Three files of rules, those that say two things at once left out.
pub fn files(random: &mut Random) -> Vec<String> {
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

/// Texts of the generator, and some on hosts that the rules name.
pub fn text(random: &mut Random) -> String {
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
