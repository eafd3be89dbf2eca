//! The form of Safe Browsing: our own rows, what holds of any bytes, and that
//! hostile texts take linear time.

use super::{Canonical, Version, canonical, hash};

const VERSIONS: [Version; 2] = [Version::V4, Version::V5];

fn text(url: &[u8], version: Version) -> Option<String> {
    canonical(url, version).ok().map(|made| made.as_str().to_owned())
}

/// The same under both versions; `None`: no host.
const ROWS: &[(&str, Option<&str>)] = &[
    ("http://a.example", Some("http://a.example/")),
    ("HTTP://A.Example/", Some("http://a.example/")),
    (" \t http://a.example/ \n", Some("http://a.example/")),
    ("http://a.ex\tam\r\nple/b\tc", Some("http://a.example/bc")),
    ("http://a.example/b%09c", Some("http://a.example/b%09c")),
    ("http://u:p@a.example:8080/", Some("http://a.example/")),
    ("http://a@b@c.example/", Some("http://c.example/")),
    // Userinfo goes before it is decoded: a client asks b.example.
    ("http://a.example%2F@b.example/x", Some("http://b.example/x")),
    ("http://a%40b.example/x", Some("http://b.example/x")),
    ("//a.example/x", Some("http://a.example/x")),
    ("a.example/x", Some("http://a.example/x")),
    ("a.example:443/x", Some("http://a.example/x")),
    ("localhost:80", Some("http://localhost/")),
    ("http%3a%2f%2fa.example", Some("http://a.example/")),
    ("ftp://a.example/", Some("ftp://a.example/")),
    ("foo://a.example/x", Some("foo://a.example/x")),
    // What ends a host ends it, then it is a slash; in a path it is data.
    ("http://a.example\\@b.example/", Some("http://a.example/@b.example/")),
    ("http://a.example/b\\c%5cd", Some("http://a.example/b\\c\\d")),
    ("foo://a\\b.example/x", Some("foo://a\\b.example/x")),
    ("http://...a..example.../", Some("http://a.example/")),
    ("http://0x7f.1/", Some("http://127.0.0.1/")),
    ("http://0X7F.0.0.01./", Some("http://127.0.0.1/")),
    ("http://4294967296/", Some("http://4294967296/")),
    ("http://1.2.3.08/", Some("http://1.2.3.08/")),
    ("http://1.2.3.4.5/", Some("http://1.2.3.4.5/")),
    ("http://127\u{3002}0.0.1/", Some("http://127.0.0.1/")),
    ("http://b\u{fc}cher.example/", Some("http://xn--bcher-kva.example/")),
    ("http://fa\u{df}.example/", Some("http://xn--fa-hia.example/")),
    ("http://b%C3%BCcher.example/", Some("http://xn--bcher-kva.example/")),
    // What no domain may hold is never made by mapping it.
    ("http://a\u{ff0f}b.example/", Some("http://a%EF%BC%8Fb.example/")),
    // U+FFFD is in no domain: escaped as it is.
    ("http://a\u{fffd}.Example/", Some("http://a%EF%BF%BD.example/")),
    ("http://a.example/../../b", Some("http://a.example/b")),
    ("http://a.example/b/..", Some("http://a.example/")),
    ("http://a.example/b/.", Some("http://a.example/b/")),
    ("http://a.example/b//../c", Some("http://a.example/b/c")),
    ("http://a.example/.../b..", Some("http://a.example/.../b..")),
    ("http://a.example//b///", Some("http://a.example/b/")),
    ("http://a.example/%2e%2e/b", Some("http://a.example/b")),
    ("http://a.example?b/../c//d", Some("http://a.example/?b/../c//d")),
    ("http://a.example/b%3fc", Some("http://a.example/b?c")),
    ("http://a.example/b?c%23d#e", Some("http://a.example/b?c%23d")),
    ("http://a.example/%", Some("http://a.example/%25")),
    ("http://a.example/%2%35", Some("http://a.example/%25")),
    ("http://a.example/\u{e9}\u{7f}", Some("http://a.example/%C3%A9%7F")),
    ("", None),
    (":", None),
    ("http:", None),
    ("http:/a.example", None),
    ("http:///a.example", None),
    ("http:80/", None),
    ("http://.../x", None),
    ("http://u@/x", None),
    ("/x", None),
    ("?x", None),
    ("#x", None),
    ("mailto:a@b.example", None),
    ("javascript:x", None),
    ("data:text/plain,1", None),
];

#[test]
fn canonical_texts() {
    for (url, expected) in ROWS {
        for version in VERSIONS {
            assert_eq!(text(url.as_bytes(), version).as_deref(), *expected, "{url:?} {version:?}");
        }
    }
}

#[test]
fn bytes_that_are_no_utf8_stay_themselves() {
    assert_eq!(text(b"http://\x01\x80.com/", Version::V4).as_deref(), Some("http://%01%80.com/"));
    assert_eq!(text(b"http://a.example/%ff\xff?\xfe", Version::V5).as_deref(), Some("http://a.example/%FF%FF?%FE"));
}

#[test]
fn only_v5_rewrites_ipv6() {
    let rows = [
        ("http://[2001:0DB8::0:1]:80/x", "http://[2001:0db8::0:1]/x", "http://[2001:db8::1]/x"),
        ("http://[::ffff:102:304]/", "http://[::ffff:102:304]/", "http://1.2.3.4/"),
        ("http://[64:ff9b::1.2.3.4]/", "http://[64:ff9b::1.2.3.4]/", "http://1.2.3.4/"),
        ("http://[64:ff9b:1::1.2.3.4]/", "http://[64:ff9b:1::1.2.3.4]/", "http://[64:ff9b:1::102:304]/"),
        ("http://[fe80::1%25en0]/", "http://[fe80::1%25en0]/", "http://[fe80::1%25en0]/"),
    ];
    for (url, v4, v5) in rows {
        assert_eq!(text(url.as_bytes(), Version::V4).as_deref(), Some(v4));
        assert_eq!(text(url.as_bytes(), Version::V5).as_deref(), Some(v5));
    }
}

fn expressions(url: &str, version: Version) -> Vec<String> {
    let made = canonical(url.as_bytes(), version).expect("a host");
    made.expressions().iter().map(str::to_owned).collect()
}

#[test]
fn v4_takes_suffixes_of_five_labels_and_v5_of_the_registrable_domain() {
    assert_eq!(expressions("http://a.b.co.uk/", Version::V4), ["a.b.co.uk/", "b.co.uk/", "co.uk/"]);
    assert_eq!(expressions("http://a.b.co.uk/", Version::V5), ["a.b.co.uk/", "b.co.uk/"]);
    let long = "http://a.b.c.d.e.f.g.co.uk/";
    assert_eq!(
        expressions(long, Version::V4),
        ["a.b.c.d.e.f.g.co.uk/", "e.f.g.co.uk/", "f.g.co.uk/", "g.co.uk/", "co.uk/"]
    );
    assert_eq!(
        expressions(long, Version::V5),
        ["a.b.c.d.e.f.g.co.uk/", "d.e.f.g.co.uk/", "e.f.g.co.uk/", "f.g.co.uk/", "g.co.uk/"]
    );
    // The private section of the list counts.
    assert_eq!(expressions("http://a.github.io/", Version::V5), ["a.github.io/"]);
}

#[test]
fn addresses_and_single_labels_have_no_suffixes() {
    for version in VERSIONS {
        assert_eq!(expressions("http://1.2.3.4/1/", version), ["1.2.3.4/1/", "1.2.3.4/"]);
        assert_eq!(expressions("http://[::1.2.3.4]/", version).len(), 1);
        assert_eq!(expressions("http://localhost/?", version), ["localhost/"]);
    }
}

#[test]
fn there_are_at_most_thirty_expressions() {
    for version in VERSIONS {
        let all = expressions("http://a.b.c.d.e.f.com/1/2/3/4/5?q", version);
        assert_eq!(all.len(), 30);
        assert_eq!(all[..2], ["a.b.c.d.e.f.com/1/2/3/4/5?q", "a.b.c.d.e.f.com/1/2/3/4/5"]);
        assert_eq!(all[26..], ["f.com/", "f.com/1/", "f.com/1/2/", "f.com/1/2/3/"]);
    }
}

#[test]
fn hashes_are_those_of_the_documents() {
    let hex: String = hash(b"a.b.c/1/2.html?param=1").iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, "1cd5cf5ed8e6df424bdbb400f7b2a3fcb215c4c3f7fa2965a11446cde3c162f3");
}

/// Texts made of what matters here, the same every time.
fn random_texts(count: usize) -> impl Iterator<Item = Vec<u8>> {
    const PIECES: &[&[u8]] = &[
        b"http",
        b"https",
        b"foo",
        b":",
        b"//",
        b"/",
        b"\\",
        b"a",
        b"example",
        b"co.uk",
        b".",
        b"..",
        b"%",
        b"%25",
        b"%32",
        b"%35",
        b"%2f",
        b"%5c",
        b"%40",
        b"%23",
        b"%3f",
        b"@",
        b"?",
        b"#",
        b"[",
        b"]",
        b"::1",
        b"0x7f",
        b"1",
        b"256",
        b" ",
        b"\t",
        b"\n",
        b"\x00",
        b"\xff",
        b"\xc3\xa9",
        b"\xe3\x80\x82",
        b":80",
        b"xn--",
        b"A",
        b"~",
        b";",
    ];
    let mut state = 0x853c_49e6_748f_ea9b_u64;
    let mut next = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (state >> 33) as usize % below
    };
    (0..count).map(move |_| {
        let mut text = if next(2) == 0 { b"http://".to_vec() } else { Vec::new() };
        (0..next(12)).for_each(|_| text.extend_from_slice(PIECES[next(PIECES.len())]));
        text
    })
}

#[test]
fn a_canonical_url_is_its_own_canonical_url() {
    let mut made = Canonical::default();
    let mut hosts = 0;
    for url in random_texts(60_000) {
        for version in VERSIONS {
            if made.read(&url, version).is_err() {
                continue;
            }
            hosts += 1;
            let once = made.as_str().to_owned();
            assert!(once.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#'), "{url:?}: {once}");
            assert_eq!(text(once.as_bytes(), version).as_deref(), Some(once.as_str()), "{}", url.escape_ascii());
        }
    }
    assert!(hosts > 60_000, "{hosts}");
}

#[test]
fn the_accept_test_says_what_the_slow_road_says() {
    let (mut fast, mut slow) = (Canonical::default(), Canonical::default());
    let mut plain = 0;
    let rows = ROWS.iter().map(|(url, _)| url.as_bytes().to_vec());
    for url in rows.chain(random_texts(60_000)) {
        for version in VERSIONS {
            slow.version = version;
            let expected = slow.read_slowly(&url);
            assert_eq!(fast.read(&url, version), expected, "{}", url.escape_ascii());
            if expected.is_ok() {
                assert_eq!(fast.as_str(), slow.as_str(), "{}", url.escape_ascii());
                let all = |made: &Canonical| made.expressions().iter().map(str::to_owned).collect::<Vec<_>>();
                assert_eq!(all(&fast), all(&slow), "{}", url.escape_ascii());
            }
            plain += usize::from(super::plain::plain(&url).is_some());
        }
    }
    assert!(plain > 1_000, "{plain} texts were plain");
}

#[test]
fn expressions_are_distinct_and_pieces_of_the_canonical_url() {
    for url in random_texts(20_000) {
        for version in VERSIONS {
            let Ok(made) = canonical(&url, version) else { continue };
            let all: Vec<_> = made.expressions().iter().collect();
            assert!((1..=30).contains(&all.len()));
            assert!(all.iter().all(|one| made.as_str().contains(one) && one.contains('/')));
            let mut sorted = all.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), all.len(), "{all:?}");
        }
    }
}

#[test]
fn hostile_texts_take_linear_time() {
    // Quadratic work over a megabyte would take minutes.
    let nested = format!("http://a.example/%{}41", "25".repeat(500_000));
    assert_eq!(text(nested.as_bytes(), Version::V5).as_deref(), Some("http://a.example/A"));
    for piece in
        ["%25", "%", "%2", "../", "./", "//", "a/", ".", "@", "[", "a.", "\\", "?", "%2e%2e%2f", "\u{e9}.", "1."]
    {
        for start in ["http://", "http://a.example/", "", "http://a@"] {
            let long = format!("{start}{}", piece.repeat(60_000));
            for version in VERSIONS {
                if let Ok(made) = canonical(long.as_bytes(), version) {
                    assert!(made.expressions().iter().count() <= 30);
                }
            }
        }
    }
}
