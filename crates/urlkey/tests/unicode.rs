//! Hosts against Unicode's own IdnaTestV2, of the copy that the `idna` crate's
//! package carries, as the URL Standard asks of UTS #46: no CheckHyphens, no
//! VerifyDnsLength, no UseSTD3ASCIIRules, and ASCII domains as they are.

mod shared;

use urlkey::Off;
use urlkey::host::{ends_in_a_number, parse_host};

/// Checks that the Standard switches off: hyphens, lengths, STD3, empty labels.
const OFF: [&str; 6] = ["V2", "V3", "A4_1", "A4_2", "U1", "X4_2"];

/// The file is Unicode 16's, the tables are Unicode 17's, which assigned U+32931: an error no more.
const ASSIGNED_SINCE: &str = "\u{32931}20.\u{97f3}.\u{a866}1.";

/// "If result contains a forbidden domain code point, return failure": those of the file.
const FORBIDDEN: [char; 5] = ['<', '>', '?', '%', ' '];

/// `\u0061`, `\x{10FFFF}` and `""` as the file writes them; None for a lone surrogate.
fn unescaped(field: &str) -> Option<String> {
    if field == "\"\"" {
        return Some(String::new());
    }
    let mut out = String::new();
    let mut rest = field;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let (digits, after) = match &rest[at + 1..] {
            brace if brace.starts_with("x{") => brace[2..].split_once('}')?,
            four => four[1..].split_at(4),
        };
        out.push(char::from_u32(u32::from_str_radix(digits, 16).ok()?)?);
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

/// Source and the ASCII that it must give, None for an error; None where the row says nothing of the Standard's hosts.
fn row(line: &str) -> Option<(String, Option<String>)> {
    let line = line.split('#').next()?;
    let fields: Vec<_> = line.split(';').map(str::trim).collect();
    let [source, unicode, status, ascii, ascii_status, ..] = fields[..] else { return None };
    let unicode = if unicode.is_empty() { source } else { unicode };
    let ascii = unescaped(if ascii.is_empty() { unicode } else { ascii })?;
    let status = if ascii_status.is_empty() { status } else { ascii_status };
    let fails = status.trim_matches(['[', ']']).split(", ").any(|code| !code.is_empty() && !OFF.contains(&code))
        || ascii.contains(FORBIDDEN);
    let source = unescaped(source)?;
    let elsewhere = source.is_ascii() || source.contains(['%', '[']) || ends_in_a_number(ascii.as_bytes());
    (!elsewhere).then_some((source, (!fails).then_some(ascii)))
}

#[test]
fn hosts_beyond_ascii_are_mapped_as_unicode_says() {
    let file = shared::of_package("idna", "tests/IdnaTestV2.txt");
    let (mut rows, mut troubles) = (0, Vec::new());
    for (source, wanted) in file.lines().filter_map(row) {
        rows += 1;
        let mut out = String::new();
        let made = parse_host(&source, true, 0, &mut out, &mut Off).map(|_| out);
        if made.as_ref().ok() != wanted.as_ref() {
            troubles.push(format!("{source:?}: {made:?}, not {wanted:?}"));
        }
    }
    assert!(rows > 3000, "{rows} rows");
    let listed = troubles.iter().position(|trouble| trouble.starts_with(&format!("{ASSIGNED_SINCE:?}")));
    troubles.remove(listed.expect("the listed difference"));
    assert!(troubles.is_empty(), "{} of {rows} rows:\n{}", troubles.len(), troubles.join("\n"));
}
