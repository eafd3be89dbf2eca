//! What `Dedupe` promises, without files.

use super::*;

fn dedupe(policy: &str, settings: Settings) -> Dedupe {
    let policy = Policy::builtin(policy).expect("a built-in policy");
    Dedupe::new(Keys { policy, base: None, encoding: Encoding::default() }, settings, [5; 16])
}

fn run(policy: &str, settings: Settings, text: &str) -> String {
    let mut lines = dedupe(policy, settings);
    let mut out = Vec::new();
    lines.feed(text.as_bytes(), &mut out);
    lines.end_file(&mut out);
    lines.drain(usize::MAX, &mut out);
    String::from_utf8(out).expect("text")
}

const LINES: &str = "http://a.example/?b&a\r\nhttp://b.example\nHTTP://A.example/?a&b\nno url\nhttp://b.example/#x";

#[test]
fn blocks_may_be_cut_anywhere() {
    let whole = run("crawl", Settings::default(), LINES);
    assert_eq!(whole, "http://a.example/?b&a\r\nhttp://b.example\n");
    for cut in 0..=LINES.len() {
        let mut lines = dedupe("crawl", Settings::default());
        let mut out = Vec::new();
        lines.feed(&LINES.as_bytes()[..cut], &mut out);
        lines.feed(&LINES.as_bytes()[cut..], &mut out);
        lines.end_file(&mut out);
        assert_eq!(out, whole.as_bytes());
        assert_eq!(lines.totals(), Totals { lines: 5, kept: 2, merged: 2, rejected: 1 });
    }
}

#[test]
fn another_spelling_is_printed_at_the_place_of_the_first() {
    let keep = |keep| Settings { keep, ..Settings::default() };
    let text = "http://a.example/?\nhttp://b.example/\nhttps://a.example/\nhttp://a.example\n";
    assert_eq!(run("fold", keep(Keep::Shortest), text), "http://a.example\nhttp://b.example/\n");
    assert_eq!(run("fold", keep(Keep::Https), text), "https://a.example/\nhttp://b.example/\n");
}

#[test]
fn groups_hold_every_spelling_and_rejects_the_rest() {
    let mut lines = dedupe("crawl", Settings { groups: true, rejects: usize::MAX, ..Settings::default() });
    let mut out = Vec::new();
    lines.feed(LINES.as_bytes(), &mut out);
    lines.end_file(&mut out);
    let rejects = lines.take_rejects();
    assert_eq!((rejects.len(), rejects[0].line, &rejects[0].text[..]), (1, 4, &b"no url"[..]));
    assert_eq!(lines.groups(), Some(2));
    let group = lines.group(0).expect("the first group");
    assert_eq!(group.key, b"http://a.example/?a&b");
    assert_eq!(group.spellings, [(1, &b"http://a.example/?b&a"[..]), (3, &b"HTTP://A.example/?a&b"[..])]);
    assert!(lines.group(2).is_none());
}

#[test]
fn a_line_merges_at_the_rung_that_makes_the_difference() {
    let mut lines = dedupe("crawl", Settings { merges: true, ..Settings::default() });
    let mut out = Vec::new();
    let text = "http://a.example/?b&a\nhttp://a.example/?b&a\nHTTP://a.example/?b&a\nhttp://a.example/?a&b\n";
    lines.feed(text.as_bytes(), &mut out);
    let rows = lines.merges().expect("a report");
    let merged: Vec<_> = rows.iter().filter(|row| row.merged > 0).map(|row| (row.name, row.merged)).collect();
    assert_eq!(merged, [("lines", 1), ("parse", 1), ("sort_query", 1)]);
    let sample = &rows.iter().find(|row| row.name == "sort_query").expect("the rung").samples[0];
    assert_eq!(sample.spellings, [b"http://a.example/?b&a".to_vec(), b"http://a.example/?a&b".to_vec()]);
    assert_eq!(sample.after, b"http://a.example/?a&b");
}
