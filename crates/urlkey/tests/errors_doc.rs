//! Holds docs/errors.md to the code: every code once, in order, with its
//! meaning, and every example to what the parser says of it.

use std::fs;

use urlkey::{Code, Options, Policy, explain};

struct Row {
    code: String,
    meaning: String,
    kind: String,
    example: String,
}

fn rows() -> Vec<Row> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/errors.md");
    let text = fs::read_to_string(page).expect("docs/errors.md");
    let lines = text.lines().filter(|line| line.starts_with("| `"));
    lines
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(|cell| cell.trim()).collect();
            let plain = |at: usize| cells[at].trim_matches('`').to_owned();
            Row { code: plain(0), meaning: plain(1), kind: plain(2), example: plain(3) }
        })
        .collect()
}

#[test]
fn every_code_has_its_row_in_order() {
    let found: Vec<(String, String)> = rows().into_iter().map(|row| (row.code, row.meaning)).collect();
    let wanted: Vec<(String, String)> =
        Code::ALL.iter().map(|code| (code.as_str().to_owned(), code.says().to_owned())).collect();
    assert_eq!(found, wanted, "write the rows of docs/errors.md as src/error.rs says them");
}

#[test]
fn examples_are_errors_or_noted_as_the_page_says() {
    let whatwg = Policy::builtin("whatwg").unwrap();
    for row in rows().into_iter().filter(|row| !row.example.is_empty()) {
        let told = explain(&row.example, &Options::default(), &whatwg);
        let found: Vec<&str> = match &told {
            Err(error) => vec![error.code.as_str()],
            Ok(told) => told.violations.iter().map(|noted| noted.code.as_str()).collect(),
        };
        assert!(found.contains(&row.code.as_str()), "{}: {} gives {found:?}", row.code, row.example);
        match row.kind.as_str() {
            "error" => assert!(told.is_err(), "{} is no error", row.example),
            "noted" => assert!(told.is_ok(), "{} is an error", row.example),
            "either" => {}
            kind => panic!("{}: an example of kind {kind}", row.code),
        }
    }
}
