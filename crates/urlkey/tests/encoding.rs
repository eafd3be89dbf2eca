//! Encodings of the query.

use urlkey::encoding::{Encoding, percent_encode_after_encoding};

fn encode(text: &str, label: &str) -> String {
    let set = std::array::from_fn(|byte| byte <= 0x20 || byte >= 0x7F || byte == b'"'.into());
    let mut out = String::from("?");
    let encoding = Encoding::for_label(label).expect(label);
    percent_encode_after_encoding(text, encoding, &set, &mut out);
    out
}

#[test]
fn text_is_escaped_in_its_encoding() {
    for (text, label, expected) in [
        ("a b\"c", "utf-8", "?a%20b%22c"),
        ("\u{e9}\u{2603}", "utf-8", "?%C3%A9%E2%98%83"),
        ("\u{e9}", "windows-1252", "?%E9"),
        ("\u{2603}x", "windows-1252", "?%26%239731%3Bx"),
        ("\u{1f4a9}", "windows-1252", "?%26%23128169%3B"),
        ("\u{e9}", "utf-16be", "?%C3%A9"),
        ("\u{e9}", "iso-2022-kr", "?%C3%A9"),
        ("\u{20ac}", "gb18030", "?%A2%E3"),
        ("\u{3042}\\", "shift_jis", "?%82%A0\\"),
        // The escapes of ISO-2022-JP end before the character reference.
        ("\u{a5}", "iso-2022-jp", "?%1B(J\\%1B(B"),
        (
            "\u{3042}\u{2603}\u{3042}",
            "iso-2022-jp",
            "?%1B$B$\"%1B(B%26%239731%3B%1B$B$\"%1B(B",
        ),
        ("\u{f7}", "x-user-defined", "?%26%23247%3B"),
    ] {
        let expected = expected.replace('"', "%22");
        assert_eq!(encode(text, label), expected, "{text:?} in {label}");
    }
}

#[test]
fn long_text_is_encoded_whole() {
    for (unit, label, escaped) in [
        ("\u{e9}", "latin1", "%E9"),
        ("\u{2603}", "latin1", "%26%239731%3B"),
        ("a", "utf-8", "a"),
    ] {
        assert_eq!(
            encode(&unit.repeat(5000), label),
            format!("?{}", escaped.repeat(5000))
        );
    }
}

#[test]
fn labels_are_those_of_the_standard() {
    assert_eq!(Encoding::default(), Encoding::UTF8);
    assert_eq!(Encoding::for_label(" UTF8\n"), Some(Encoding::UTF8));
    assert_eq!(
        Encoding::for_label("SJIS").map(Encoding::name),
        Some("Shift_JIS")
    );
    assert_eq!(Encoding::for_label(""), None);
}
