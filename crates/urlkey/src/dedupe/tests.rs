//! What `Dedupe` promises, without files.

use super::*;
use crate::encoding::Encoding;
use crate::policy::Policy;
use std::sync::{Arc, Mutex};

fn dedupe(policy: &str, settings: Settings) -> Dedupe {
    let policy = Policy::builtin(policy).expect("a built-in policy");
    Dedupe::new(Keys { policy, base: None, encoding: Encoding::default() }, settings, [5; 16])
}

fn run(policy: &str, settings: Settings, text: &str) -> String {
    let mut lines = dedupe(policy, settings);
    let mut out = Vec::new();
    lines.feed(text.as_bytes(), &mut out).expect("no disk");
    lines.end_file(&mut out).expect("no disk");
    lines.drain(usize::MAX, &mut out).expect("no disk");
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
        lines.feed(&LINES.as_bytes()[..cut], &mut out).expect("no disk");
        lines.feed(&LINES.as_bytes()[cut..], &mut out).expect("no disk");
        lines.end_file(&mut out).expect("no disk");
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
    lines.feed(LINES.as_bytes(), &mut out).expect("no disk");
    lines.end_file(&mut out).expect("no disk");
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
    lines.feed(text.as_bytes(), &mut out).expect("no disk");
    let rows = lines.merges().expect("no disk").expect("a report");
    let merged: Vec<_> = rows.iter().filter(|row| row.merged > 0).map(|row| (row.name, row.merged)).collect();
    assert_eq!(merged, [("lines", 1), ("parse", 1), ("sort_query", 1)]);
    let sample = &rows.iter().find(|row| row.name == "sort_query").expect("the rung").samples[0];
    assert_eq!(sample.spellings, [b"http://a.example/?b&a".to_vec(), b"http://a.example/?a&b".to_vec()]);
    assert_eq!(sample.after, b"http://a.example/?a&b");
}

/// A file in memory, with room for so many bytes.
#[derive(Clone)]
struct Memory(Arc<Mutex<Vec<u8>>>, usize);

impl Disk for Memory {
    fn write(&mut self, at: u64, bytes: &[u8]) -> DiskResult<()> {
        let (mut file, at) = (self.0.lock().expect("one thread"), at as usize);
        let end = at + bytes.len();
        if end > self.1 {
            return Err("no room".into());
        }
        let len = file.len().max(end);
        file.resize(len, 0);
        file[at..end].copy_from_slice(bytes);
        Ok(())
    }

    fn read(&mut self, at: u64, buffer: &mut [u8]) -> DiskResult<()> {
        let at = at as usize;
        buffer.copy_from_slice(&self.0.lock().expect("one thread")[at..at + buffer.len()]);
        Ok(())
    }
}

fn bounded(settings: Settings, memory: usize, room: usize) -> (Dedupe, Memory) {
    let keys = Keys { policy: Policy::builtin("whatwg").expect("built in"), base: None, encoding: Encoding::default() };
    let disk = Memory(Arc::default(), room);
    let given = disk.clone();
    let disks =
        move || Ok(if settings.groups || settings.merges { Memory(Arc::default(), room) } else { given.clone() });
    (Dedupe::bounded(keys, settings, [5; 16], memory, disks).expect("memory opens"), disk)
}

/// Lines of `keys` keys: some keys are hot, the lines of one key differ in length and scheme's case.
fn many(lines: u64, keys: u64) -> String {
    let line = |i: u64| {
        let hot = i.is_multiple_of(3);
        let key = i.wrapping_mul(0x9e37_79b9_7f4a_7c15) % if hot { 7 } else { keys };
        let scheme = if i.is_multiple_of(5) { "HTTP" } else { "http" };
        format!("{scheme}://a.example{}/{key}\n", if i.is_multiple_of(4) { ":80" } else { "" })
    };
    (0..lines).map(line).collect()
}

type Told = (Vec<u8>, Totals, Vec<(Vec<u8>, Vec<(u64, Vec<u8>)>)>, Option<Vec<MergeRow>>);

/// All that a deduplication says: output, counts, groups, report.
fn told(mut lines: Dedupe, text: &str) -> Told {
    let (mut out, mut groups) = (Vec::new(), Vec::new());
    text.as_bytes().chunks(5_003).try_for_each(|block| lines.feed(block, &mut out)).expect("room");
    lines.end_file(&mut out).expect("room");
    let mut done = 0;
    while let Some((now, all)) = lines.settle().expect("room") {
        assert!(now <= all && (now > done || now == 1), "{now} of {all} after {done}");
        done = now;
    }
    loop {
        let before = out.len();
        lines.drain(1_000, &mut out).expect("room");
        if out.len() == before {
            break;
        }
    }
    for index in 0..lines.groups().unwrap_or(0) {
        let group = lines.group(index).expect("a group");
        groups.push((group.key, group.spellings.iter().map(|&(number, text)| (number, text.to_vec())).collect()));
    }
    let mut count = 0;
    while let Some((key, piece)) = lines.next_piece(100).expect("room") {
        assert_eq!(piece.begins, key.is_some());
        if let Some(key) = key {
            count = piece.count;
            groups.push((key, Vec::new()));
        }
        assert_eq!(piece.count, count);
        groups.last_mut().expect("begun").1.extend(piece.spellings);
    }
    let report = lines.merges().expect("room");
    assert!(report == lines.merges().expect("room"), "a report can be had twice");
    (out, lines.totals(), groups, report)
}

#[test]
fn bounded_memory_changes_nothing_but_the_place_of_the_work() {
    let text = many(9_000, 6_000);
    for (keep, groups, merges) in [
        (Keep::First, false, false),
        (Keep::First, false, true),
        (Keep::Shortest, false, false),
        (Keep::Https, true, false),
        (Keep::First, true, true),
        (Keep::Shortest, true, true),
    ] {
        let settings = Settings { keep, groups, merges, ..Settings::default() };
        let expected = told(dedupe("whatwg", settings), &text);
        for memory in [0, 1 << 19, 1 << 30] {
            let (lines, _) = bounded(settings, memory, usize::MAX);
            let found = told(lines, &text);
            assert!(found == expected, "{keep:?}, groups {groups}, report {merges}, memory {memory}: {:?}", found.1);
        }
    }
}

#[test]
fn streams_with_too_many_keys_are_divided_again() {
    // Next to no memory: a table of 65 keys is too large, and there are 64 times as many streams.
    let text = many(40_000, 39_000);
    let settings = Settings::default();
    let (lines, disk) = bounded(settings, 0, usize::MAX);
    assert!(told(lines, &text) == told(dedupe("whatwg", settings), &text));
    assert!(disk.0.lock().expect("one thread").len() > text.len());
}

#[test]
fn one_hot_key_needs_no_room() {
    let text = "http://a.example/\n".repeat(10_000);
    let (lines, disk) = bounded(Settings::default(), 0, 0);
    let (out, totals, ..) = told(lines, &text);
    assert_eq!((&out[..], totals.kept, totals.merged), (&b"http://a.example/\n"[..], 1, 9_999));
    assert!(disk.0.lock().expect("one thread").is_empty());
    for keep in [Keep::Shortest, Keep::Https] {
        let settings = Settings { keep, groups: true, ..Settings::default() };
        let (out, _, groups, _) = told(bounded(settings, 0, usize::MAX).0, &text);
        assert_eq!((&out[..], groups.len(), groups[0].1.len()), (&b"http://a.example/\n"[..], 1, 10_000));
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let (mut lines, _) = bounded(Settings::default(), 0, 1 << 17);
    let error = lines.feed(many(30_000, 29_000).as_bytes(), &mut Vec::new()).expect_err("no room");
    assert_eq!(error.to_string(), "no room");
}

#[test]
fn rows_longer_than_a_page_go_through_the_file() {
    let long = |i: usize| format!("http://a.example/{i}?{}\n", "x".repeat(50_000 + i % 3));
    let text: String = (0..200).chain(0..200).map(long).collect();
    let settings = Settings { keep: Keep::Shortest, groups: true, ..Settings::default() };
    assert!(told(bounded(settings, 0, usize::MAX).0, &text) == told(dedupe("whatwg", settings), &text));
}

/// Lines that merge on many stages, some only with lines that are far away.
fn spelled(lines: u64) -> String {
    let line = |i: u64| {
        let hash = i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        let spelling = |bit: u32, yes: &'static str, no: &'static str| if hash >> bit & 3 == 0 { yes } else { no };
        format!(
            "{}{}{}/{}{}?{}{}{}{}\n",
            spelling(0, "HTTP://", "http://"),
            spelling(2, "www.a.example", "a.EXAMPLE"),
            spelling(4, ":80", ""),
            spelling(6, "b/../", ""),
            if i.is_multiple_of(3) { i % 7 } else { hash % (lines / 2) },
            spelling(8, "utm_source=x&", ""),
            spelling(10, "b=1&a=2", "a=2&b=1"),
            spelling(12, "&%7e", "&~"),
            spelling(14, "#x", "")
        )
    };
    (0..lines).map(line).collect()
}

#[test]
fn a_report_is_the_same_in_any_memory() {
    let settings = Settings { merges: true, ..Settings::default() };
    for (policy, lines, steps) in [("fold", 12_000, 7), ("whatwg", 300, 2)] {
        let text = spelled(lines);
        let keys =
            || Keys { policy: Policy::builtin(policy).expect("built in"), base: None, encoding: Encoding::default() };
        let expected = told(Dedupe::new(keys(), settings, [5; 16]), &text);
        let merged = |report: &[MergeRow]| report.iter().filter(|row| row.merged > 0).count();
        assert_eq!(expected.3.as_deref().map_or(0, merged), steps, "{:#?}", expected.3);
        for memory in [0, 1 << 20, 1 << 30] {
            let disk = || Ok(Memory(Arc::default(), usize::MAX));
            let bounded = Dedupe::bounded(keys(), settings, [5; 16], memory, disk).expect("memory opens");
            let found = told(bounded, &text);
            assert!(found == expected, "{policy}, memory {memory}: {:#?}", (found.3, expected.3));
        }
    }
}
