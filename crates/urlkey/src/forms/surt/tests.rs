use super::*;

fn python(url: &str) -> String {
    String::from_utf8(surt(url.as_bytes(), &Options::default())).expect("ASCII")
}

#[test]
fn nested_escapes_are_decoded_to_the_last() {
    assert_eq!(python(&format!("http://a/%{}41", "25".repeat(400_000))), "a)/a");
    assert_eq!(python(&format!("http://a/{}", "%25".repeat(3))), "a)/%25%25%25");
    assert_eq!(python("http://a/%%34%31"), "a)/a");
}

/// What the short road looks at, and what it must not take.
const PIECES: &[&str] = &[
    "http://",
    "https://",
    "HTTP://",
    "www.",
    "WWW2.",
    "www",
    "a",
    "B",
    "com",
    "4",
    "-",
    "_",
    ".",
    "..",
    "/",
    "//",
    "/.",
    "/../",
    "?",
    "&",
    "=",
    "&a=1",
    "&A",
    "&a-=1",
    "#",
    ":",
    ":80",
    "@",
    "%",
    "%41",
    "%2F",
    "%25",
    " ",
    "\t",
    "\n",
    "\u{b}",
    "\u{7f}",
    "é",
    "(",
    ")",
    "/(S(4hqa0555fwsecu455xqckv45))/",
    ".aspx",
    "&sid=0123456789abcdef0123456789ABCDEF",
    "cfid=1&cftoken=2",
    "aspsessionidABCDEFGH=ABCDEFGHIJKLMNOPQRSTUVWX",
    "abcdefghijklmnopq",
    "[",
    "\\",
    ",",
    "~",
    "!",
];

#[test]
fn the_short_road_gives_the_key_of_the_long_one() {
    let options = Options::default();
    let (mut scratch, mut state, mut taken) = (Scratch::default(), 1u64, 0);
    let starts = ["http://a.com/", "https://www.a.com", "http://a/?", "http://www.b.c/a/", ""];
    for round in 0..60_000 {
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize
        };
        let mut url = starts[round % starts.len()].to_owned();
        (0..next() % 9).for_each(|_| url.push_str(PIECES[next() % PIECES.len()]));
        let (mut short, mut long) = (b"before".to_vec(), b"before".to_vec());
        let done = plain::write(url.as_bytes(), &options, &mut scratch, &mut short);
        write_long(url.as_bytes(), &options, &mut scratch, &mut long);
        assert_eq!(short, if done { &long[..] } else { b"before" }, "{url:?}");
        taken += usize::from(done);
    }
    assert!(taken > 20_000, "{taken}");
}

#[test]
fn the_short_road_is_taken_by_common_urls() {
    for url in
        ["http://a.com", "https://WWW.Archive.org/A/?b=1&a=%41#x y", "http://4chan.org/a/../é?d&c", "http://a/?#"]
    {
        assert!(plain::write(url.as_bytes(), &Options::default(), &mut Scratch::default(), &mut Vec::new()), "{url}");
    }
    for url in ["HTTP://a/", "http://a:80/", "http://1.2.3.4/", "http://a../", "http://a/ b", "http://http://a/", "x"] {
        assert!(!plain::write(url.as_bytes(), &Options::default(), &mut Scratch::default(), &mut Vec::new()), "{url}");
    }
}

#[test]
fn a_scheme_that_begins_with_http_is_one_of_the_web() {
    // As the package `surt` 0.3.1 answers.
    for (url, key) in [
        ("httpss:/example.com/A", "com,example)/a"),
        ("httpx:example.com", "com,example)/"),
        ("http-:8", "8,0,0,0)/"),
        ("http.s://u@/b", "b)/"),
        ("httpx:///a.com/b", "com,a)/b"),
        ("httpx:a.com:80/", "com:80,a)/"),
        ("HTTPX:/a.com", "HTTPX:/a.com"),
        ("httpx:", "httpx:"),
    ] {
        assert_eq!(python(url), key, "{url}");
    }
}

#[test]
fn a_domains_range_holds_what_is_below_it_behind_a_trailing_comma() {
    let options = Options { trailing_comma: true, ..Options::default() };
    for (domain, below) in [("example.com", "http://a.sub.example.com/x"), ("com", "http://example.com/")] {
        let (start, end) = cdx_range(domain.as_bytes(), MatchType::Domain, &options).unwrap();
        let other = surt(b"http://example-shop.com/", &options);
        for key in [surt(below.as_bytes(), &options), surt(format!("http://{domain}.:80/").as_bytes(), &options)] {
            assert!(start <= key && key < end, "{key:?}");
        }
        assert!(domain == "com" || other >= end);
    }
}
