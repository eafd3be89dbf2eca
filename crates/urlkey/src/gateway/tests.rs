//! Rows of the gateway: what each is refused for, and what is accepted.

use super::*;
use crate::ladder::Part;

fn codes(url: &str, rules: &Rules) -> Vec<&'static str> {
    check(url.as_bytes(), rules).reasons.iter().map(|reason| reason.code.as_str()).collect()
}

fn strict(url: &str) -> Vec<&'static str> {
    codes(url, &Rules::default())
}

fn lenient(url: &str) -> Vec<&'static str> {
    codes(url, &Rules::default().lenient())
}

#[test]
fn ordinary_urls_are_accepted_as_they_serialize() {
    for (url, href) in [
        ("http://good.example/", "http://good.example/"),
        ("HTTPS://Good.Example:443/a/../b?q#f", "https://good.example/b?q#f"),
        ("http://good.example", "http://good.example/"),
        ("http://good.example:80?x=1", "http://good.example/?x=1"),
        (
            "https://good.example/@user/1:2;a=b,c?u=a@b.example#@x",
            "https://good.example/@user/1:2;a=b,c?u=a@b.example#@x",
        ),
        ("http://a_b.good.example/%2e%2E/%0a", "http://a_b.good.example/%0a"),
        ("http://bücher.example/ü", "http://xn--bcher-kva.example/%C3%BC"),
        ("http://例え.テスト.example/", "http://xn--r8jz45g.xn--zckzah.example/"),
        ("http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/"),
        ("http://乾燥肌・石けん.example/", "http://xn--08j4gylj12hz80b0uhfup.example/"),
        ("http://r3---sn-a.good.example/", "http://r3---sn-a.good.example/"),
        ("http://8.8.8.8/", "http://8.8.8.8/"),
        ("http://[2A00:1450:4001:0:0:0:0:1]:443/", "http://[2a00:1450:4001::1]:443/"),
    ] {
        let verdict = check(url.as_bytes(), &Rules::default());
        assert_eq!((verdict.href.as_deref(), verdict.reasons.as_slice()), (Some(href), [].as_slice()), "{url}");
        assert_eq!(check(href.as_bytes(), &Rules::default()).href.as_deref(), Some(href), "again");
    }
}

#[test]
fn each_odd_spelling_has_its_code() {
    for (url, wanted) in [
        ("http://good.example\\@evil.example/", vec!["backslash"]),
        ("http:\\\\evil.example/", vec!["backslash", "slashes"]),
        ("http://evil.example/a?b\\c", vec!["backslash"]),
        ("http:evil.example/", vec!["slashes"]),
        ("http:/evil.example/", vec!["slashes"]),
        ("http:///evil.example/", vec!["slashes"]),
        ("http://@evil.example/", vec!["userinfo"]),
        ("http://evil.example#@good.example/", vec!["at-sign-outside"]),
        ("http://evil.example?@good.example/", vec!["at-sign-outside"]),
        ("http://evil.example:80#@good.example:80/", vec!["at-sign-outside"]),
        ("http://evil%2eexample/", vec!["percent-encoded-host"]),
        ("http://evil.exa\tmple/", vec!["control-character"]),
        ("http://evil.example/a b", vec!["white-space"]),
        ("\u{A0}http://evil.example/", vec!["white-space", "no-url"]),
        ("http://evil.example/\u{2028}", vec!["white-space"]),
        ("http://2130706433/", vec!["number-form-ipv4", "private-address"]),
        ("http://134744072/", vec!["number-form-ipv4"]),
        ("http://8.8.8.8./", vec!["trailing-dot", "number-form-ipv4"]),
        ("http://[::ffff:8.8.8.8]/", vec!["embedded-ipv4", "private-address"]),
        ("http://[64:ff9b::808:808]/", vec!["embedded-ipv4"]),
        ("http://[2002:808:808::1]/", vec!["embedded-ipv4", "private-address"]),
        ("http://[fe80::1%25eth0]/", vec!["zone-id", "no-url"]),
        ("http://evil。example/", vec!["idn-symbol", "idn-mapped"]),
        ("http://ｅvil.example/", vec!["idn-mapped"]),
        ("http://①②⑦.⓪.⓪.①/", vec!["idn-symbol", "idn-mapped", "private-address"]),
        ("http://faß.example/", vec!["idn-deviation"]),
        ("http://evil・example/", vec!["idn-symbol", "single-label"]),
        ("http://-é.example/", vec!["punycode"]),
        ("http://good.example∕evil.example/", vec!["idn-symbol"]),
        ("http://evil.example./", vec!["trailing-dot"]),
        ("http://evil.example:/", vec!["empty-port"]),
        ("http://evil.example:0080/", vec!["port-leading-zero"]),
        ("http://evil.example:080/", vec!["port-leading-zero"]),
    ] {
        assert_eq!(strict(url), wanted, "{url}");
    }
}

#[test]
fn where_a_url_leads_is_refused_strict_or_not() {
    for (url, wanted) in [
        ("", vec!["no-url"]),
        ("evil.example/", vec!["no-url"]),
        ("//evil.example/", vec!["no-url"]),
        ("http://", vec!["no-url"]),
        ("evil.example:80/path", vec!["scheme"]),
        ("javascript://evil.example/%0aalert(1)", vec!["scheme"]),
        ("ftp://evil.example/", vec!["scheme"]),
        ("http://u:p@evil.example/", vec!["userinfo"]),
        ("http://evil.example:22/", vec!["port"]),
        ("http://evil.example:0/", vec!["port"]),
        ("http://evil.example:65536/", vec!["no-url"]),
        ("http://evil.example:80abc/", vec!["no-url"]),
        ("http://evil.example;good.example/", vec!["host-character"]),
        ("http://evil.example'good.example/", vec!["host-character"]),
        ("http://-evil-.example/", vec!["host-label"]),
        ("http://xn--a.example/", vec!["punycode"]),
        ("http://xn--.example/", vec!["host-label"]),
        ("http://xn----bga.example/", vec!["punycode"]),
        ("http://evil..example/", vec!["empty-label"]),
        ("http://intranet9/", vec!["single-label"]),
        ("http://localhost/", vec!["private-name"]),
        ("http://a.invalid/", vec!["special-use-name"]),
        ("http://127.0.0.1/", vec!["private-address"]),
        ("http://[::1]/", vec!["private-address"]),
        ("http://168.63.129.16/", vec!["private-address"]),
        ("https://www.google.com/url?q=http%3A%2F%2F127.0.0.1%2F", vec!["redirect-target"]),
    ] {
        assert_eq!(strict(url), wanted, "{url}");
        assert_eq!(lenient(url), wanted, "{url}, lenient");
    }
    let long = format!("http://{}.example/", "a".repeat(64));
    assert_eq!(strict(&long), ["host-label"]);
    let long = format!("http://a.example/{}", "a".repeat(LONGEST));
    assert_eq!(strict(&long), ["too-long"]);
}

#[test]
fn lenient_checks_repair_as_the_standard_does() {
    let rules = Rules::default().lenient();
    for (url, href) in [
        ("http:\\\\good.example\\a", "http://good.example/a"),
        (" http:good.example\t/", "http://good.example/"),
        ("http://good%2eexample:/", "http://good.example/"),
        ("http://134744072/", "http://8.8.8.8/"),
        ("http://faß。example/", "http://xn--fa-hia.example/"),
        ("http://good.example\\@evil.example/", "http://good.example/@evil.example/"),
    ] {
        assert_eq!(check(url.as_bytes(), &rules).href.as_deref(), Some(href), "{url}");
    }
    assert_eq!(check(b"http://good.example/\xFF", &rules).href.as_deref(), Some("http://good.example/%FF"));
    assert_eq!(check(b"http://good.example/\xFF", &Rules::default()).reasons[0].code, Why::NotUtf8);
}

#[test]
fn reasons_say_where() {
    let verdict = check("http://é.exa\tmple\\".as_bytes(), &Rules::default());
    let places: Vec<_> = verdict.reasons.iter().map(|reason| (reason.code.as_str(), reason.at, reason.part)).collect();
    assert_eq!(places[0], ("control-character", Some(13), Some(Part::Host)));
    assert_eq!(places[1], ("backslash", Some(18), Some(Part::Path)));
    let port = check(b"  http://a.example:99999/", &Rules::default().lenient());
    assert_eq!((port.reasons[0].at, port.reasons[0].part), (Some(19), Some(Part::Port)));
}

#[test]
fn a_refused_url_hands_out_nothing_to_request() {
    for url in ["http://127.0.0.1/", "http://u@good.example/", "ftp://good.example/"] {
        let verdict = check(url.as_bytes(), &Rules::default());
        assert!(
            !verdict.accepted() && verdict.href.is_none() && verdict.host.is_none() && verdict.addresses.is_empty()
        );
    }
}

#[test]
fn targets_of_redirectors_have_verdicts_of_their_own() {
    let wrapped =
        "https://www.google.com/url?q=https%3A%2F%2Fl.facebook.com%2Fl.php%3Fu%3Dhttp%253A%252F%252F0x7f.1%252F";
    let verdict = check(wrapped.as_bytes(), &Rules::default());
    let found: Vec<_> = verdict.targets.iter().map(|target| (target.url.as_str(), target.verdict.accepted())).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].1 && !found[1].1 && !verdict.accepted());
    let copy = check(b"https://web.archive.org/web/2020/http://127.0.0.1/", &Rules::default());
    assert!(copy.accepted() && !copy.targets[0].verdict.accepted());
}

#[test]
fn every_resolved_address_is_checked_and_named() {
    let rules = Rules::default();
    let verdict = |url: &str, addresses: &[&str]| check_resolved(url.as_bytes(), addresses.iter().copied(), &rules);
    let good = verdict("http://good.example/", &["9.9.9.9", "2620:fe::fe", "9.9.9.9"]);
    assert_eq!(good.addresses, [Address::parse("9.9.9.9").unwrap(), Address::parse("2620:fe::fe").unwrap()]);
    assert_eq!((good.host.as_deref(), good.port), (Some("good.example"), Some(80)));
    for (url, addresses, wanted) in [
        ("http://good.example/", vec!["9.9.9.9", "10.0.0.1", "::1"], vec![Why::ResolvedAddress, Why::ResolvedAddress]),
        ("http://good.example/", vec![], vec![Why::NoAddress]),
        ("http://good.example/", vec!["fe80::1%eth0", "evil.example"], vec![Why::NotAnAddress, Why::NotAnAddress]),
        ("http://good.example/", vec!["168.63.129.16"], vec![Why::ResolvedAddress]),
        ("http://good.example/", vec!["::ffff:9.9.9.9"], vec![Why::ResolvedAddress]),
        ("http://9.9.9.9/", vec!["9.9.9.9"], vec![]),
        ("http://9.9.9.9/", vec!["8.8.8.8"], vec![Why::OtherAddress]),
        ("http://127.0.0.1/", vec!["127.0.0.1"], vec![Why::PrivateAddress, Why::ResolvedAddress]),
    ] {
        let found = verdict(url, &addresses);
        assert_eq!(found.reasons.iter().map(|reason| reason.code).collect::<Vec<_>>(), wanted, "{url} {addresses:?}");
        assert_eq!(found.addresses.is_empty(), !wanted.is_empty());
    }
}

#[test]
fn what_is_ones_own_is_let_through_by_name_and_by_address_apart() {
    let rules = Rules::default().with_own(["localhost", "127.0.0.2"]).unwrap().with_ports(Ports::NotBad);
    assert_eq!(codes("http://localhost:8080/", &rules), [""; 0]);
    assert_eq!(codes("http://127.0.0.2/", &rules), [""; 0]);
    assert_eq!(codes("http://127.0.0.1/", &rules), ["private-address"]);
    assert_eq!(codes("http://localhost:25/", &rules), ["port"]);
    let found = check_resolved(b"http://localhost/", ["127.0.0.1"], &rules);
    assert_eq!(found.reasons[0].code, Why::ResolvedAddress);
    assert!(check_resolved(b"http://localhost/", ["127.0.0.2"], &rules).accepted());
}

#[test]
fn codes_are_listed_once_and_hosts_are_all_known() {
    let mut names: Vec<_> = Why::ALL.iter().map(|why| why.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Why::ALL.len());
    for code in ["private-address", "private-name", "single-label", "special-use-name", "empty-label"] {
        assert!(names.contains(&code));
    }
}

#[test]
fn each_target_that_a_redirector_could_follow_is_checked() {
    let (good, bad) = ("http%3A%2F%2Fgood.example%2F", "http%3A%2F%2Flocalhost%2F");
    let nested =
        format!("https%3A%2F%2Fwww.google.com%2Furl%3Fq%3D{}%26q%3D{}", "http://other.example/", "http://[::1]/");
    for (query, wanted, targets) in [
        (format!("q={good}&q={bad}"), true, 2),
        (format!("q={bad}&q={good}"), true, 2),
        (format!("q={good}&url={bad}"), true, 2),
        (format!("q={good}&q={good}"), false, 1),
        (format!("q=words&url={good}"), false, 1),
        (format!("q={good}&q={nested}"), true, 4),
        (format!("%71={bad}"), true, 1),
        (format!("q={good}&%71={bad}"), true, 2),
    ] {
        let verdict = check(format!("https://www.google.com/url?{query}").as_bytes(), &Rules::default());
        let codes: Vec<_> = verdict.reasons.iter().map(|reason| reason.code).collect();
        assert_eq!(codes, if wanted { vec![Why::RedirectTarget] } else { vec![] }, "{query}");
        assert_eq!(verdict.targets.len(), targets, "{query}");
    }
}

#[test]
fn a_target_that_is_no_page_is_refused_with_its_scheme() {
    for (query, url, says) in [
        ("q=javascript:alert(1)", "javascript:alert(1)", "inside google-url: the scheme is javascript"),
        ("q=JavaScript%3Aalert(1)", "JavaScript:alert(1)", "inside google-url: the scheme is javascript"),
        ("q=%20java%0Ascript:alert(1)", "javascript:alert(1)", "inside google-url: "),
        ("q=data:text/html,x", "data:text/html,x", "inside google-url: the scheme is data"),
        ("q=file:///etc/passwd", "file:///etc/passwd", "inside google-url: the scheme is file"),
        ("q=ftp%3A%2F%2Fa.example%2F", "ftp://a.example/", "inside google-url: the scheme is ftp"),
        ("q=http:localhost", "http:localhost", "inside google-url: "),
    ] {
        let verdict = check(format!("https://www.google.com/url?{query}").as_bytes(), &Rules::default());
        assert_eq!(verdict.targets.iter().map(|target| target.url.as_str()).collect::<Vec<_>>(), [url], "{query}");
        assert!(!verdict.accepted() && verdict.reasons[0].text.starts_with(says), "{:?}", verdict.reasons);
    }
    // One value of two; below a page; a scheme that the caller lets through.
    for url in [
        "https://www.google.com/url?q=https://good.example/&q=javascript:alert(1)",
        "https://www.google.com/url?q=javascript:alert(1)&url=https://good.example/",
        "https://www.google.com/url?q=https%3A%2F%2Fl.facebook.com%2Fl.php%3Fu%3Dfile%253A%252F%252F%252Fx",
    ] {
        assert_eq!(strict(url), ["redirect-target"], "{url}");
    }
    let rules = Rules::default().with_schemes(["https", "ftp"]).unwrap().with_ports(Ports::NotBad);
    assert!(codes("https://www.google.com/url?q=javascript:x", &rules) == ["redirect-target"]);
    assert_eq!(strict("https://www.google.com/url?q=a.example:80/"), [""; 0]);
}

#[test]
fn escapes_hide_no_redirector() {
    for url in [
        "https://www.google.com/%75rl?q=http://127.0.0.1/",
        "https://l.facebook.com/l%2Ephp?u=http%3A%2F%2F127.0.0.1%2F",
        "https://r.search.yahoo.com/_ylt=A/R%55=http%3a%2f%2f127.0.0.1%2f/RK=2",
    ] {
        assert_eq!(strict(url), ["redirect-target"], "{url}");
    }
}
