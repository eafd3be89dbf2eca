use super::*;

fn names() -> Protected {
    Protected::new(&["apple.com", "www.paypal.com", "microsoft.com", "google", "amazon.co.uk", "пример.рф"]).unwrap()
}

fn found(host: &str) -> Homograph {
    homograph(host, &names()).unwrap()
}

#[test]
fn hosts_that_look_like_protected_ones_are_told() {
    for (host, name) in [
        ("аррӏе.com", "apple.com"),
        ("xn--80ak6aa92e.com", "apple.com"),
        ("аррӏе.net", "apple.com"),
        ("login.аррӏе.com", "apple.com"),
        ("аррӏе.com.evil.example", "apple.com"),
        ("àpple.com", "apple.com"),
        ("paypa1.com", "www.paypal.com"),
        ("раγpal.com", "www.paypal.com"),
        ("раураl.com", "www.paypal.com"),
        ("paypa1-login.example", "www.paypal.com"),
        ("rnicrosoft.com", "microsoft.com"),
        ("mіcrоsоft.com", "microsoft.com"),
        ("g00gle.com", "google"),
        ("gооgle.de", "google"),
        ("amаzon.co.uk", "amazon.co.uk"),
        ("arnazon.co.uk", "amazon.co.uk"),
        ("apple.соm", "apple.com"),
        ("paypaI.com", "www.paypal.com"),
        ("goOgIe.com", "google"),
        ("PAYPAI.com", ""),
        ("PayPal-login.example", ""),
    ] {
        let like = found(host).lookalike_of;
        assert_eq!(like.as_deref(), (!name.is_empty()).then_some(name), "{host}");
    }
}

#[test]
fn protected_names_and_what_is_below_them_look_like_nobody_else() {
    for host in
        ["apple.com", "www.apple.com", "paypa1.paypal.com", "google.de", "maps.google.com", "APPLE.com.", "apple.net"]
    {
        let found = found(host);
        assert_eq!((found.lookalike_of, found.reasons), (None, Vec::new()), "{host}");
    }
}

#[test]
fn plain_names_of_any_script_have_no_reasons() {
    for host in [
        "cuillère.fr",
        "müller.de",
        "straße.de",
        "łódź.pl",
        "ñandú.es",
        "乾燥肌・石けん.jp",
        "日本語ラーメン.com",
        "例え.テスト",
        "中文.com",
        "中国移动.中国",
        "한국어.kr",
        "пример.com",
        "москва.com",
        "толсто́й.com",
        "сахар.рф",
        "сахар.ru",
        "παράδειγμα.gr",
        "דוגמה.co.il",
        "مثال.com",
        "ไทย.com",
        "उदाहरण.भारत",
        "a_b.example",
        "xn--nxasmq6b.gr",
        "127.0.0.1",
        "[::1]",
    ] {
        let reasons = homograph(host, &Protected::default()).unwrap().reasons;
        assert_eq!(reasons, Vec::<&str>::new(), "{host}");
    }
}

#[test]
fn odd_names_have_reasons() {
    for (host, reasons) in [
        ("аррӏе.com", &["whole-script-confusable"] as &[_]),
        ("сахар.com", &["whole-script-confusable"]),
        ("gruz̀̀ere.com", &["repeated-mark"]),
        ("i♥ny.com", &["restricted-character"]),
        ("war-and-миръ.com", &["mixed-scripts"]),
        ("раγpal.com", &["mixed-scripts"]),
        ("ᏣᎳᎩ.com", &["restricted-character"]),
        ("əpple.com", &["regional-letter"]),
        ("əpple.az", &[]),
        ("xn--0.com", &["invalid-label"]),
    ] {
        assert_eq!(homograph(host, &Protected::default()).unwrap().reasons, reasons, "{host}");
    }
}

#[test]
fn levels_and_scripts_are_those_of_uts_39() {
    for (host, level, scripts) in [
        ("apple.com", "ascii-only", &["Latin"] as &[_]),
        ("аррӏе.com", "single-script", &["Cyrillic", "Latin"]),
        ("日本語ラーメンtokyo.jp", "highly-restrictive", &["Han", "Katakana", "Latin"]),
        ("ไทยthai.com", "moderately-restrictive", &["Thai", "Latin"]),
        ("microsоft.com", "minimally-restrictive", &["Latin", "Cyrillic"]),
        ("i♥ny.com", "unrestricted", &["Latin"]),
    ] {
        let found = found(host);
        assert_eq!((found.restriction_level, found.scripts.as_slice()), (level, scripts), "{host}");
    }
    assert_eq!(found("аррӏе.com").skeleton, skeleton("apple.com"));
    assert_eq!(skeleton("apple.corn"), skeleton("apple.com"));
}

#[test]
fn what_is_no_name_is_an_error() {
    assert!(homograph("", &names()).is_err() && homograph("a b", &names()).is_err());
    assert_eq!(Protected::new(&["a.example", "127.0.0.1"]).err().map(|(place, _)| place), Some(1));
    let long = format!("xn--{}.com", "a".repeat(60_000));
    assert_eq!(homograph(&long, &names()).unwrap().reasons, ["invalid-label"]);
}

#[test]
fn a_public_suffix_is_no_name_to_protect() {
    for name in ["co.uk", "s3.amazonaws.com", "*.apple.com", ""] {
        assert!(Protected::new(&["apple.com", name]).is_err_and(|(place, _)| place == 1), "{name}");
    }
}
