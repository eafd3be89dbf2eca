//! What holds of links that hold others, of indicators, and of lists of bad ones.

use urlkey::*;

/// What a link holds are URLs, five layers at most, the last of which holds none; owners and links to apps are told of
/// any URL, and the latter are URLs.
pub fn unwrap(data: &[u8]) {
    let [flags, text @ ..] = data else { return };
    let Ok(text) = text_of_bytes(text) else { return };
    let (options, unverified) = (Options::default(), flags & 1 == 1);
    let Ok(url) = Url::parse(&text, &options) else {
        assert!(unwrap::layers(&text, &options, unverified).is_err() && owners::owners(&text).is_err());
        return;
    };
    let (hops, ended) = unwrap::layers(&text, &options, unverified).expect("of a URL");
    assert!(hops.len() <= unwrap::MOST_LAYERS);
    assert_eq!(unwrap::next(&url, unverified).as_ref().map(|hop| &hop.rule), hops.first().map(|hop| &hop.rule));
    for hop in &hops {
        assert!(Url::parse(&hop.url, &options).is_ok(), "{hop:?}");
    }
    let (all, all_ended) = unwrap::held(&url, unverified, unwrap::MOST_LAYERS);
    assert!(
        hops.iter().all(|hop| all.iter().any(|held| held.hop == *hop)) && (ended || !all_ended),
        "{hops:?} {all:?}"
    );
    let whole = unwrap::chain(&text, &options, unverified).expect("of a URL");
    assert_eq!(whole.len(), if ended { hops.len() } else { 0 });
    for owned in owners::owners(&text).expect("of a URL") {
        assert!(!owned.name.is_empty() && !owned.owner.is_empty(), "{owned:?}");
    }
    for link in owners::app_links(&text).expect("of a URL") {
        assert!(Url::parse(&link.url, &options).is_ok(), "{link:?}");
    }
}

/// `refang(defang(u)) == u` for every text that is neither broken nor wrapped, and what is broken is not broken again.
pub fn refang(data: &[u8]) {
    let Ok(text) = text_of_bytes(data) else { return };
    let broken = defang(&text);
    assert_eq!(defang(&broken), broken);
    // What stands around a text goes with what was broken in it.
    let is_bare = text.trim_start_matches(|unit| unit <= ' ').starts_with(|unit: char| unit.is_ascii_alphanumeric());
    if is_bare && broken != text {
        assert_eq!(urlkey::refang(&broken, false).as_deref(), Some(&*text));
        assert!(urlkey::refang(&text, false).is_none());
    }
    match urlkey::refang(&text, false) {
        Some(live) => assert!(live != *text),
        // No URL has anything around it that could go.
        None if Url::parse(&text, &Options::default()).is_ok() => {
            assert_eq!(urlkey::refang(&broken, false).as_deref().unwrap_or(&broken), &*text);
        }
        None => {}
    }
}

/// A list is the same however its bytes are cut, and has an entry or an error for a line; a URL on it is found.
pub fn blocklist(data: &[u8]) {
    use blocklist::{Builder, Kind, Lookup, Settings};
    use forms::safebrowsing::Version;
    let [flags, cut, lines @ ..] = data else { return };
    let settings = Settings {
        version: if flags & 1 == 0 { Version::V5 } else { Version::V4 },
        kind: [None, Some(Kind::Text), Some(Kind::Hex), Some(Kind::Base64)][usize::from(flags >> 1) % 4],
    };
    let built = |blocks: &[&[u8]]| {
        let mut builder = Builder::new(settings, &[7; 16]);
        blocks.iter().for_each(|block| builder.feed(block));
        builder.finish()
    };
    let (first, second) = lines.split_at(lines.len().min(usize::from(*cut)));
    let ((list, errors), (of_two, errors_of_two)) = (built(&[lines]), built(&[first, second]));
    assert_eq!((list.len(), list.kind(), &errors), (of_two.len(), of_two.kind(), &errors_of_two));
    let mut lookup = Lookup::default();
    for (number, line) in (1..).zip(lines.split(|&byte| byte == b'\n')) {
        let found = list.lookup(line, &mut lookup);
        assert_eq!(found, of_two.lookup(line, &mut lookup));
        let is_url = line.starts_with(b"http://") && !line.iter().any(u8::is_ascii_whitespace);
        let is_broken = || std::str::from_utf8(line).is_ok_and(|line| urlkey::refang(line, false).is_some());
        if list.kind() == Kind::Text && is_url && errors.iter().all(|e| e.line != number) && !is_broken() {
            let found = found.ok().flatten().unwrap_or_else(|| panic!("not found: {}", line.escape_ascii()));
            assert_eq!((found.exact, found.layer), (true, 0), "{found:?}");
        }
    }
}

/// A temporary file of `dedupe` in memory.
#[derive(Default)]
struct Memory(Vec<u8>);

impl dedupe::Disk for Memory {
    fn write(&mut self, at: u64, bytes: &[u8]) -> dedupe::DiskResult<()> {
        let at = usize::try_from(at)?;
        self.0.resize(self.0.len().max(at + bytes.len()), 0);
        self.0[at..at + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn read(&mut self, at: u64, buffer: &mut [u8]) -> dedupe::DiskResult<()> {
        let at = usize::try_from(at)?;
        buffer.copy_from_slice(&self.0[at..at + buffer.len()]);
        Ok(())
    }
}

/// The lines that are kept are the same however the bytes are cut, and with as good as no memory; every line is kept,
/// repeated or rejected. With `Shortest` all lines take the way through the file.
pub fn dedupe(data: &[u8]) {
    use dedupe::{Dedupe, Keep, Keys, Settings};
    let [cut, lines @ ..] = data else { return };
    let run = |blocks: &[&[u8]], keep: Keep, bounded: bool| {
        let policy = Policy::builtin("crawl").expect("built in");
        let keys = Keys { policy, base: None, encoding: Encoding::default() };
        let settings = Settings { keep, rejects: 1000, ..Settings::default() };
        let mut dedupe = match bounded {
            false => Dedupe::new(keys, settings, [7; 16]),
            true => Dedupe::bounded(keys, settings, [7; 16], 0, || Ok(Memory::default())).expect("in memory"),
        };
        let mut out = Vec::new();
        blocks.iter().try_for_each(|block| dedupe.feed(block, &mut out)).expect("in memory");
        dedupe.end_file(&mut out).expect("in memory");
        dedupe.drain(usize::MAX, &mut out).expect("in memory");
        let rejects = dedupe.take_rejects();
        (out, rejects, dedupe.totals())
    };
    let (first, second) = lines.split_at(lines.len().min(usize::from(*cut)));
    for keep in [Keep::First, Keep::Shortest] {
        let (out, rejects, totals) = run(&[lines], keep, false);
        for bounded in [false, true] {
            let (out_of_two, rejects_of_two, totals_of_two) = run(&[first, second], keep, bounded);
            assert_eq!((&out, &rejects, &totals), (&out_of_two, &rejects_of_two, &totals_of_two));
        }
        assert_eq!(totals.lines, totals.kept + totals.merged + totals.rejected);
        let (again, none, _) = run(&[&out], keep, false);
        assert_eq!((again, none), (out, Vec::new()));
    }
}
