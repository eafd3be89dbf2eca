//! Lists: entries, sorts of lists, lookups, and that nothing is lost.

use super::{Blocklist, Builder, Kind, LineError, Lookup, Match, Settings};
use crate::error::Code;
use crate::forms::safebrowsing::{Version, canonical, hash};

fn built(text: &str, kind: Option<Kind>) -> (Blocklist, Vec<LineError>) {
    let mut builder = Builder::new(Settings { kind, ..Settings::default() }, &[7; 16]);
    // Blocks break lines anywhere.
    text.as_bytes().chunks(5).for_each(|block| builder.feed(block));
    builder.finish()
}

fn list(text: &str) -> Blocklist {
    let (list, errors) = built(text, None);
    assert_eq!(errors, []);
    list
}

fn found(list: &Blocklist, url: &str) -> Option<Match> {
    list.lookup(url.as_bytes(), &mut Lookup::default()).expect("a host")
}

fn expression(list: &Blocklist, url: &str) -> Option<String> {
    found(list, url).map(|found| found.expression)
}

#[test]
fn entries_are_expressions() {
    let list = list(
        "# a comment\n\nevil.example\r\nhttp://u@Phish.example:8080/a/login.html?id=7#top ; still the fragment\n\
         .dots.example.\n*.stars.example # and a comment\n10.0.0.0x1\n[2001:DB8::0:1]/x/\n127.0.0.1 hosts.example other.hosts.example localhost",
    );
    assert_eq!((list.kind(), list.len()), (Kind::Text, 8));
    let rows = [
        ("https://www.evil.example/any?thing", Some("evil.example/")),
        ("http://notevil.example/", None),
        ("http://phish.example/a/login.html?id=7", Some("phish.example/a/login.html?id=7")),
        ("http://www.phish.example/a/login.html?id=7", Some("phish.example/a/login.html?id=7")),
        ("http://phish.example/a/login.html?id=8", None),
        ("http://phish.example/", None),
        ("http://dots.example", Some("dots.example/")),
        ("a.stars.example", Some("stars.example/")),
        ("http://167772161/", Some("10.0.0.1/")),
        ("http://[2001:db8::1]/x/y", Some("[2001:db8::1]/x/")),
        ("http://hosts.example/", Some("hosts.example/")),
        ("http://other.hosts.example/", Some("other.hosts.example/")),
        ("http://localhost/", None),
        ("http://127.0.0.1/", None),
    ];
    for (url, expected) in rows {
        assert_eq!(expression(&list, url).as_deref(), expected, "{url}");
    }
}

#[test]
fn a_match_says_where_it_comes_from() {
    let list = list("a.example\nb.example/x\nb.example/x\n");
    assert_eq!(list.len(), 2);
    let at = |url: &str| found(&list, url).map(|found| (found.line, found.exact, found.layer, found.prefix));
    assert_eq!(at("http://b.example/x"), Some((2, true, 0, None)));
    assert_eq!(at("http://c.b.example/x?y"), Some((2, false, 0, None)));
}

#[test]
fn defanged_entries_are_live() {
    let list = list("hxxps://evil[.]example/a\nbad[.]example\nlive.example\n");
    assert_eq!((list.len(), list.defanged()), (3, 2));
    assert!(found(&list, "http://evil.example/a").is_some() && found(&list, "http://bad.example/").is_some());
}

#[test]
fn lines_that_are_no_entries_are_kept_with_their_reason() {
    let (list, errors) = built("a.example\nthis is prose\n||ads.example^\n/path\nb*.example\nb.example\n", None);
    assert_eq!(list.len(), 2);
    let seen: Vec<_> = errors.iter().map(|error| (error.line, error.error.code)).collect();
    let no_host = Code::DomainInvalidCodePoint;
    assert_eq!(seen, [(2, no_host), (3, no_host), (4, Code::HostMissing), (5, no_host)]);
    assert_eq!(errors[0].text, b"this is prose");
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn lists_of_hashes_are_told_and_asked() {
    let wide = hash(b"evil.example/");
    let short = hash(b"bad.example/a");
    let text = format!("# hashes\n{}\n{}\n", hex(&wide), hex(&short[..4]).to_uppercase());
    let hashes = list(&text);
    assert_eq!((hashes.kind(), hashes.len(), hashes.widths()), (Kind::Hex, 2, vec![4, 32]));
    let of = |url: &str| found(&hashes, url).map(|found| (found.expression, found.line, found.prefix, found.exact));
    assert_eq!(of("http://www.evil.example/x"), Some(("evil.example/".to_owned(), 2, Some(32), false)));
    assert_eq!(of("http://bad.example/a"), Some(("bad.example/a".to_owned(), 3, Some(4), true)));
    assert_eq!(of("http://good.example/"), None);
}

#[test]
fn base64_is_read_in_either_alphabet_padded_or_not() {
    // 32 bytes of 0xff, 4 bytes of 0xff: both alphabets, with and without padding.
    let (standard, url) = (format!("{}8=", "/".repeat(42)), format!("{}8", "_".repeat(42)));
    let list = list(&format!("{standard}\n{url}\n/////w==\n_____w\n"));
    assert_eq!((list.kind(), list.len(), list.widths()), (Kind::Base64, 2, vec![4, 32]));
    assert_eq!(built("AAAAAA==\n", None).0.kind(), Kind::Base64);
    // Bits left over, padding in the middle, too short.
    for text in ["AAAAAB==", "AA==AAAA", "AAA", "AAAA="] {
        assert_eq!(built(text, Some(Kind::Base64)).1.len(), 1, "{text}");
    }
}

#[test]
fn one_bad_line_does_not_make_hosts_of_hashes() {
    let mut text = String::from("prefix\n");
    (0..9).for_each(|index| text.push_str(&format!("{}\n", hex(&hash(&[index])))));
    let (list, errors) = built(&text, None);
    assert_eq!((list.kind(), list.len()), (Kind::Hex, 9));
    assert_eq!((errors.len(), errors[0].line, errors[0].error.code), (1, 1, Code::NotAHash));
}

#[test]
fn an_empty_list_names_nothing() {
    for text in ["", "\n\n", "# nothing\n"] {
        let list = list(text);
        assert!(list.is_empty() && list.kind() == Kind::Text);
        assert_eq!(found(&list, "http://a.example/"), None);
    }
}

#[test]
fn what_a_link_wraps_is_asked_for() {
    let list = list("evil.example\n");
    let inner = "http%3A%2F%2Fevil.example%2Fx";
    let one = found(&list, &format!("https://www.google.com/url?q={inner}")).expect("listed");
    assert_eq!(
        (one.layer, one.url.as_deref(), one.rule.as_deref()),
        (1, Some("http://evil.example/x"), Some("google-url"))
    );
    // More layers than are unwrapped otherwise.
    let mut url = "http://evil.example/x".to_owned();
    for _ in 0..8 {
        let escaped: String = url.bytes().map(|byte| format!("%{byte:02X}")).collect();
        url = format!("https://www.google.com/url?q={escaped}");
        if url.len() > 1 << 16 {
            break;
        }
        assert!(found(&list, &url).is_some());
    }
    assert_eq!(found(&list, "https://www.google.com/url?q=http://good.example/"), None);
    // Nobody can say which of two the redirector follows.
    let two = found(&list, &format!("https://www.google.com/url?q=http://good.example/&q={inner}")).expect("listed");
    assert_eq!((two.layer, two.url.as_deref()), (1, Some("http://evil.example/x")));
}

#[test]
fn a_url_is_asked_for_as_a_browser_reads_it_too() {
    let list = list("evil.example/a/b\n");
    for url in [
        "http:\\\\evil.example\\a\\b",
        "http:/evil.example/a/b",
        "http:///evil.example/a%5Cb",
        "https:evil.example/a/b",
    ] {
        assert_eq!(expression(&list, url).as_deref(), Some("evil.example/a/b"), "{url}");
    }
    let error = list.lookup(b"mailto:a@evil.example", &mut Lookup::default()).map_err(|error| error.code);
    assert_eq!(error, Err(Code::HostMissing));
}

#[test]
fn every_entry_is_found_again_and_costs_less_than_forty_bytes() {
    const ENTRIES: u32 = 30_000;
    for wide in [false, true] {
        let mut builder = Builder::new(Settings::default(), &[3; 16]);
        for index in 0..ENTRIES {
            let entry = format!("h{index}.example/p/{}", index % 7);
            let line = if wide { hex(&hash(entry.as_bytes())) } else { entry };
            builder.feed(format!("{line}\n").as_bytes());
        }
        let (list, errors) = builder.finish();
        assert_eq!((list.len(), errors.len()), (ENTRIES as usize, 0));
        let bytes = list.bytes() as f64 / f64::from(ENTRIES);
        assert!(bytes < if wide { 39.0 } else { 23.0 }, "{bytes} bytes an entry");
        for index in (0..ENTRIES).step_by(53) {
            let hit = found(&list, &format!("https://www.h{index}.example/p/{}", index % 7)).expect("listed");
            assert_eq!(hit.line, index + 1);
            assert_eq!(found(&list, &format!("https://h{index}.example/p/{}", 7 + index % 7)), None);
        }
    }
}

#[test]
fn a_list_says_what_a_naive_one_says() {
    const LABELS: &[&str] = &["a", "b", "evil", "www", "co.uk", "com"];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (state >> 33) as usize % below
    };
    let mut url = || {
        let host: Vec<_> = (0..1 + next(4)).map(|_| LABELS[next(LABELS.len())]).collect();
        let path: String = (0..next(4)).map(|_| ["/", "x", "y/", "?q"][next(4)]).collect();
        format!("http://{}.com/{path}", host.join("."))
    };
    for _ in 0..200 {
        let entries: Vec<_> = (0..20).map(|_| url()).collect();
        let list = list(&entries.join("\n"));
        let of = |url: &str| {
            let made = canonical(url.as_bytes(), Version::V5).expect("a host");
            made.expressions().iter().map(str::to_owned).collect::<Vec<_>>()
        };
        for _ in 0..50 {
            let url = url();
            let naive = of(&url).into_iter().find(|one| entries.iter().any(|entry| of(entry)[0] == *one));
            assert_eq!(expression(&list, &url), naive, "{url}");
        }
    }
}

#[test]
fn an_entry_is_for_all_hosts_below_it() {
    let list = list("duckdns.org\nzip\na.b.c.d.e.evil.example\nhttp://pages.dev/\n");
    for url in [
        "http://evil.duckdns.org/x",
        "http://a.b.zip/",
        "http://z.a.b.c.d.e.evil.example/",
        "http://1.2.3.4.5.6.7.a.b.c.d.e.evil.example/",
        "https://x.pages.dev/?y",
    ] {
        assert!(found(&list, url).is_some(), "{url}");
    }
    for url in ["http://duckdns.org.example/", "http://notduckdns.org/", "http://x.b.c.d.e.evil.example/"] {
        assert_eq!(found(&list, url), None, "{url}");
    }
}

#[test]
fn lines_of_other_lists_are_errors_and_none_is_lost() {
    let lines = [
        "5.6.7.8 malware",
        "evil.example\tmalware",
        "http://evil.example/x\t2024",
        "10.0.0.0/8",
        "1.10.16.0/20 ; SBL1",
        "address=/l.example/0.0.0.0",
        "x.example##.ad",
        "x.example$third-party",
        "\"2020\",\"http://o.example/\",\"x\"",
        "n.example,phish,2020",
        "0.0.0.0 prose",
    ];
    let (list, errors) = built(&lines.join("\n"), Some(Kind::Text));
    assert_eq!((list.len(), errors.len()), (0, lines.len()), "{errors:?}");
}

#[test]
fn addresses_with_remarks_are_entries() {
    let list = list(
        "5.6.7.8 ; c2\n8.8.8.8 // x\n2001:db8::1\n2001:db8::2 ; x\nfe80::1%lo0 localhost\n::1 ip6-localhost ads.example\n",
    );
    assert_eq!(list.len(), 5);
    for url in
        ["http://5.6.7.8/", "http://8.8.8.8/a", "http://[2001:db8::1]/", "http://[2001:db8::2]/", "http://ads.example/"]
    {
        assert!(found(&list, url).is_some(), "{url}");
    }
}

#[test]
fn dots_that_were_broken_in_a_path_are_live() {
    let list = list("hxxps://evil[.]example/payload[.]exe\nhttp://good.example/a[.]b\n");
    assert!(found(&list, "http://evil.example/payload.exe").is_some());
    assert!(found(&list, "http://good.example/a[.]b").is_some());
}

#[test]
fn a_list_comes_back_from_its_bytes() {
    let texts =
        ["evil.example\nhxxp://bad[.]example/a?b\n", "", &format!("{}\n01020304\n", hex(&hash(b"evil.example/")))];
    for text in texts {
        let list = list(text);
        let back = Blocklist::from_bytes(&list.to_bytes()).expect("its own bytes");
        assert_eq!((back.kind(), back.version(), back.len()), (list.kind(), list.version(), list.len()));
        assert_eq!((back.widths(), back.defanged()), (list.widths(), list.defanged()));
        for url in ["http://www.evil.example/x", "http://bad.example/a?b", "http://good.example/", "http://a.example/"]
        {
            assert_eq!(found(&back, url), found(&list, url), "{url}");
        }
        assert_eq!(back.to_bytes(), list.to_bytes());
    }
}

#[test]
fn other_bytes_are_no_list_and_never_panic() {
    let good = list("evil.example\nb.example/x\nc.example\n").to_bytes();
    for length in 0..good.len() {
        assert!(Blocklist::from_bytes(&good[..length]).is_none(), "{length}");
    }
    assert!(Blocklist::from_bytes(&[&good[..], b"x"].concat()).is_none());
    for at in 0..good.len() {
        for changed in [0x00, 0x7F, 0xFF, good[at] ^ 1] {
            let mut bytes = good.clone();
            bytes[at] = changed;
            // A list of something, or none; asking it ends.
            if let Some(list) = Blocklist::from_bytes(&bytes) {
                let _ = list.lookup(b"http://evil.example/a/b?c", &mut Lookup::default());
            }
        }
    }
}
