//! Indicators both ways: our own rows, and that what is broken comes alive as
//! the text it was.

use url::Url;

use super::{defang, refang, trim, trim_wrapping};

fn live(text: &str) -> String {
    refang(text, false).unwrap_or_else(|| text.to_owned())
}

#[test]
fn refang_gives_the_live_text() {
    let rows = [
        ("hxxps://evil[.]example/a", "https://evil.example/a"),
        ("user[@]evil[.]example", "user@evil.example"),
        ("user[at]evil[dot]example", "user@evil.example"),
        ("2001[:]db8[:][:]1", "2001:db8::1"),
        ("\"hxxp://evil[.]example/a\"", "http://evil.example/a"),
        (" <hxxp://evil[.]example/a> ", " http://evil.example/a "),
        ("hxxp:\\\\evil.example\\a", "http://evil.example/a"),
        ("evil[.]example/a?u=hxxp://x[.]y/", "evil.example/a?u=hxxp://x[.]y/"),
        ("xhxxp://evil.example", "xhxxp://evil.example"),
    ];
    for (text, expected) in rows {
        assert_eq!(live(text), expected);
    }
}

#[test]
fn what_is_alive_is_left_alone() {
    for text in ["", " http://a.example/[.] ", "(http://a.example/)", "http://[::1]/", "http://a(.)b/", "a.example"] {
        assert_eq!(refang(text, false), None, "{text:?}");
        assert_eq!(refang(text, true), None, "{text:?}");
    }
}

#[test]
fn nested_urls_come_alive_where_asked_for() {
    let rows = [
        ("evil[.]example/a?u=hxxp://x[.]y/", "evil.example/a?u=http://x.y/"),
        ("http://a.example/hxxp://x/?v=hxxps[:]//y[.]z#fxp://w", "http://a.example/http://x/?v=https://y.z#ftp://w"),
        ("http://a.example/?q=nothxxp://x[.]y", "http://a.example/?q=nothxxp://x[.]y"),
    ];
    for (text, expected) in rows {
        assert_eq!(refang(text, true).as_deref(), Some(expected).filter(|expected| *expected != text));
    }
}

#[test]
fn what_is_broken_is_not_broken_again() {
    // Found by fuzzing: brackets around a dot are no wrapping.
    for text in ["[.]", "hxxp://a", "(hxxp://a)", "a[.]b"] {
        assert_eq!(defang(text), text);
    }
}

#[test]
fn defang_breaks_scheme_and_authority() {
    let rows = [
        ("http://evil.example/a?b=c", "hxxp[://]evil[.]example/a?b=c"),
        ("ftp://evil.example/x", "fxp[://]evil[.]example/x"),
        ("http://[2001:db8::1]/a", "hxxp[://][2001:db8::1]/a"),
        ("http://a.b.evil.example/c.d", "hxxp[://]a[.]b[.]evil[.]example/c.d"),
        ("evil.example", "evil[.]example"),
        ("http://user:pw@evil.example/", "hxxp[://]user:pw[@]evil[.]example/"),
        ("HTTP://Evil.example/", "HTTP[://]Evil[.]example/"),
        ("ssh://evil.example", "ssh[://]evil[.]example"),
        ("http://localhost:80/", "hxxp[://]localhost:80/"),
        (" http://evil.example/ ", " hxxp[://]evil[.]example/ "),
        ("<http://evil.example/>", "<hxxp[://]evil[.]example/>"),
        // What counts in a broken text only keeps its meaning.
        ("http://a(.)b.example/", "http://a([.])b[.]example/"),
        ("hxxp://evil[.]example/", "hxxp://evil[.]example/"),
        ("mailto:a@b.example", "mailto:a@b.example"),
        ("/a.b", "/a.b"),
        ("", ""),
    ];
    for (text, expected) in rows {
        assert_eq!(defang(text), expected);
    }
}

/// Texts made of what matters here, the same every time.
fn random_texts(count: usize) -> impl Iterator<Item = String> {
    const PIECES: &[&str] = &[
        "http",
        "HTTPS",
        "hxxp",
        "ftp",
        "foo",
        "hp",
        ":",
        "[:]",
        "://",
        "//",
        "\\",
        "[://]",
        "/",
        "e",
        "example",
        ".",
        "[.]",
        "(.)",
        "{.}",
        "[dot]",
        "@",
        "[@]",
        "at",
        ":80",
        "[",
        "]",
        "(",
        ")",
        "<",
        ">",
        "\"",
        " ",
        "\t",
        "?",
        "#",
        "[::1]",
        "1.2.3.4",
        "www.example.com",
        "\\.",
        "%2e",
        "\u{e9}",
        "\u{3002}",
        "..",
        "s",
    ];
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (state >> 33) as usize % below
    };
    (0..count).map(move |_| {
        let start = ["", "http://", "https://"][next(3)];
        let rest: String = (0..next(9)).map(|_| PIECES[next(PIECES.len())]).collect();
        format!("{start}{rest}")
    })
}

#[test]
fn what_is_broken_comes_alive_as_it_was() {
    let (mut broken, mut urls) = (0, 0);
    for text in random_texts(100_000) {
        if refang(&text, false).is_some() {
            continue;
        }
        let now = defang(&text);
        if trim_wrapping::inside(trim(&text)).is_some() {
            continue;
        }
        assert_eq!(live(&now), text);
        broken += usize::from(now != text);
        // A link of the web is always broken, whatever stands in its path.
        let Ok(url) = Url::parse(&text) else { continue };
        let href = url.as_str();
        if refang(href, false).is_none() && matches!(url.scheme(), "http" | "https" | "ftp") {
            urls += 1;
            // `https://a(at)/` has no dot to break, and broken anywhere else `(at)` would count.
            let odd = url.host_str().is_some_and(|host| host.contains(['(', '{']));
            assert!(odd || defang(href) != href, "{href}");
            assert_eq!(live(&defang(href)), href);
        }
    }
    assert!(broken > 20_000 && urls > 10_000, "{broken} broken, {urls} URLs");
}

#[test]
fn what_is_around_a_text_is_all_that_it_loses_and_no_url_has_it() {
    let mut lost = 0;
    for (i, text) in random_texts(20_000).enumerate() {
        let (open, close) = [("<", ">"), ("\"", "\""), (" (", ")\t"), ("[", "]"), ("\u{201e}", "\u{201c}")][i % 5];
        let text = format!("{open}{text}{close}");
        let Some(inside) = trim_wrapping::inside(trim(&text)).filter(|_| refang(&text, false).is_none()) else {
            continue;
        };
        let now = live(&defang(&text));
        // `<[@]>` is wrapped twice, and broken in the first wrapping alone.
        assert!(now == text || now == text.replacen(trim(&text), inside, 1), "{text}");
        assert!(crate::Url::parse(&text, &crate::Options::default()).is_err(), "{text}");
        lost += usize::from(now != text);
    }
    assert!(lost > 2_000, "{lost} lost what was around them");
}

#[test]
fn both_ways_take_linear_time() {
    for piece in ["a.", "[.]", "(", "[", "@", "hxxp://", "/hxxp://x[.]y", "[[.]]", "\\", "h", "<", "\u{e9}"] {
        for start in ["", "http://", "hxxp:\\\\"] {
            let long = format!("{start}{}", piece.repeat(60_000));
            defang(&long);
            refang(&long, true);
        }
    }
}
