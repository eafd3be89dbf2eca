//! Splitting: nothing is lost, and the parts are those of the vectors.

use std::ops::Range;
use std::path::Path;

use serde_json::Value;
use urlkey::{Split, split};

fn check_lossless(text: &[u8]) -> Split {
    let parts = split(text);
    let mut end = 0;
    for part in parts.parts() {
        assert_eq!(part.start, end, "{text:?}");
        assert!(part.start <= part.end);
        end = part.end;
    }
    assert_eq!(end, text.len(), "{text:?}");
    parts
}

/// Our own rows: the parts, `|` between them, empty ones left out at the end.
const ROWS: &[(&str, [&str; 11])] = &[
    (" http://u:p@h:1/p?q#f ", [" ", "http", ":", "//", "u:p@", "h", ":1", "/p", "?q", "#f", " "]),
    ("http://a@b@c", ["", "http", ":", "//", "a@b@", "c", "", "", "", "", ""]),
    ("http://[::1]:80/", ["", "http", ":", "//", "", "[::1]", ":80", "/", "", "", ""]),
    ("http://a:1:2/", ["", "http", ":", "//", "", "a", ":1:2", "/", "", "", ""]),
    ("//h/p", ["", "", "", "//", "", "h", "", "/p", "", "", ""]),
    ("\\\\h\\p", ["", "", "", "\\\\", "", "h", "", "\\p", "", "", ""]),
    ("/p", ["", "", "", "", "", "", "", "/p", "", "", ""]),
    ("p?q?r#f#g", ["", "", "", "", "", "", "", "p", "?q?r", "#f#g", ""]),
    ("file://C:/x", ["", "file", ":", "//", "", "", "", "C:/x", "", "", ""]),
    ("foo://h\\x/p", ["", "foo", ":", "//", "", "h\\x", "", "/p", "", "", ""]),
    ("1http://h", ["", "", "", "", "", "", "", "1http://h", "", "", ""]),
    ("http://h#@x", ["", "http", ":", "//", "", "h", "", "", "", "#@x", ""]),
    ("http:?q", ["", "http", ":", "", "", "", "", "", "?q", "", ""]),
    (" \t", [" \t", "", "", "", "", "", "", "", "", "", ""]),
    ("", ["", "", "", "", "", "", "", "", "", "", ""]),
];

#[test]
fn parts_are_as_written() {
    for (text, expected) in ROWS {
        let parts = check_lossless(text.as_bytes()).parts();
        assert_eq!(parts.map(|part: Range<usize>| &text[part]), *expected, "{text:?}");
    }
}

#[test]
fn nothing_is_lost_of_random_bytes() {
    const ALPHABET: &[u8] = b"ahtpfile:/\\@?#[]. \t\n\0\x80\xff1-";
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..50_000 {
        let mut text = Vec::new();
        loop {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let pick = (state >> 33) as usize;
            if pick.is_multiple_of(24) {
                break;
            }
            text.push(ALPHABET[pick % ALPHABET.len()]);
        }
        check_lossless(&text);
    }
}

#[test]
fn urlcanon_rows_hold() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors/urlcanon/parsing.jsonl");
    let Ok(file) = std::fs::read_to_string(path) else {
        println!("skipped: no shared vectors (urlcanon/parsing.jsonl)");
        return;
    };
    for line in file.lines() {
        let row: Value = serde_json::from_str(line).expect("a row is JSON");
        let bytes = |name: &str| {
            let text = row[name].as_str().unwrap_or("");
            if row["input_encoding"] == "latin1-bytes" {
                text.chars().map(|unit| u8::try_from(unit as u32).expect("a byte")).collect()
            } else {
                text.as_bytes().to_vec()
            }
        };
        let all = |names: &[&str]| names.iter().flat_map(|name| bytes(name)).collect::<Vec<u8>>();
        let input = bytes("input");
        let parts = check_lossless(&input);
        for (part, names) in [
            (parts.leading, &["leading_junk"][..]),
            (parts.scheme, &["scheme"]),
            (parts.colon, &["colon_after_scheme"]),
            (parts.slashes, &["slashes"]),
            (parts.userinfo, &["username", "colon_before_password", "password", "at_sign"]),
            (parts.host, &["host"]),
            (parts.port, &["colon_before_port", "port"]),
            (parts.path, &["path"]),
            (parts.query, &["question_mark", "query"]),
            (parts.fragment, &["hash_sign", "fragment"]),
            (parts.trailing, &["trailing_junk"]),
        ] {
            assert_eq!(input[part], all(names), "{names:?} of {row}");
        }
    }
}
