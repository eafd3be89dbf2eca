//! SURT keys of any bytes: no panic, one key for equal texts in both roads, linear time in steps.

use urlkey::forms::surt::{
    Flavor, MatchType, Options, Scratch, ancestry, cdx_range, prefixes, ssurt, surt, unsurt, write,
};

/// What URLs are made of, and what they should not be made of.
const PIECES: &[&[u8]] = &[
    b"http://",
    b"HTTPS://",
    b"x:",
    b"//",
    b"/",
    b"www.",
    b"www2.",
    b".",
    b"..",
    b"%2e",
    b"%25",
    b"%",
    b"2",
    b"5",
    b"%c3%bc",
    b"%e2",
    b"\xc3\xbc",
    b"\xff",
    b"\xe2\x98\x83",
    b"?",
    b"&",
    b"=",
    b"#",
    b":",
    b":80",
    b"@",
    b"[",
    b"]",
    b" ",
    b"\n",
    b"\0",
    b"sid=0123456789abcdef0123456789ABCDEF",
    b"cfid=1&cftoken=2",
    b"dns:",
    b"(",
    b"(S(4hqa0555fwsecu455xqckv45))/",
    b".aspx",
    b"1.2.3.4",
    b"017",
    b"\xe3\x80\x82",
    b"\xd7\x90",
    b"a",
    b"B",
    b")/",
];

/// Texts of up to nine pieces, always the same ones.
fn texts(count: u64) -> impl Iterator<Item = Vec<u8>> {
    (0..count).map(|seed| {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as usize
        };
        (0..1 + next() % 9).flat_map(|_| PIECES[next() % PIECES.len()]).copied().collect()
    })
}

#[test]
fn any_bytes_have_a_key_and_kept_buffers_do_not_show_in_it() {
    let (mut scratch, mut key) = (Scratch::default(), Vec::new());
    for text in texts(10_000) {
        for (_, flavor) in Flavor::NAMES {
            let options = Options::of(flavor);
            key.clear();
            write(&text, &options, &mut scratch, &mut key);
            assert_eq!(key, surt(&text, &options), "{}", text.escape_ascii());
            let is_key = !key.is_empty() && key.iter().all(|&byte| byte > b' ' && byte < 0x7F);
            assert!(
                is_key || flavor != Flavor::Python || text.starts_with(b"filedesc"),
                "{} gives {}",
                text.escape_ascii(),
                key.escape_ascii()
            );
        }
        unsurt(&text);
        ssurt(&text);
        let whole = ancestry(&text);
        assert!(whole.iter().all(|prefix| whole.whole.starts_with(prefix)));
        assert!(prefixes(&text).ends.is_sorted_by(|a, b| a > b), "{}", text.escape_ascii());
    }
}

#[test]
fn a_range_holds_the_key_that_it_is_made_of() {
    for text in texts(5_000) {
        for (name, kind) in MatchType::NAMES {
            let Ok((start, end)) = cdx_range(&text, kind, &Options::default()) else { panic!("no range") };
            assert!(start < end, "{name} of {}", text.escape_ascii());
            let key = surt(&text, &Options::default());
            let host = key.windows(2).position(|two| two == b")/");
            // Of a name without labels below, the domain is what lies below, as of `com`.
            let is_in = match kind {
                MatchType::Exact => true,
                MatchType::Prefix => false,
                MatchType::Host => host.is_some(),
                MatchType::Domain => host.is_some_and(|host| key[..host].contains(&b',')),
            };
            if is_in {
                let line = [&key[..], b" 20200101000000 {}"].concat();
                assert!(start <= line && line < end, "{name} of {}", text.escape_ascii());
            }
        }
    }
}

#[test]
fn long_hostile_texts_are_done_at_once() {
    // What takes quadratic time takes minutes at this length.
    let long = |piece: &str| piece.repeat(60_000 / piece.len());
    let fills = [
        "%25",
        "25",
        "%2525",
        "/",
        "/..",
        "../",
        "./",
        "%2f",
        "a.",
        "www.",
        "..",
        "&",
        "a=1&",
        "&a",
        "?",
        ":",
        "[",
        "@",
        "(S(4hqa0555fwsecu455xqckv45))/",
        "sid=0123456789abcdef0123456789abcdef&",
        "cfid=1&cftoken=2&",
        "cfid=",
        "é",
        "é.",
        "\u{301}",
        "%c3",
        "%c3%a9",
        "1",
        "0.",
        ",",
        ")",
        ".aspx/",
        "http://",
        "https://",
        "\n",
        "(",
        "-",
    ];
    for fill in fills {
        for start in ["http://", "http://a/", "http://a/?", "http://a/%", "(a"] {
            let text = format!("{start}{}", long(fill));
            let text = text.as_bytes();
            for (_, flavor) in Flavor::NAMES {
                surt(text, &Options::of(flavor));
            }
            unsurt(text);
            ssurt(text);
            prefixes(text);
            ancestry(text);
        }
    }
}
