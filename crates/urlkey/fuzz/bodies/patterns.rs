//! What holds of lists of patterns.

use urlkey::patterns::{Builder, Dialect, List, Lookup, PatternError, PatternSet};

/// Lines of either list, and URLs, that are looked at: each line is a set of its own too.
const MOST: usize = 6;

/// Any lines are patterns or errors at a byte of a line, however the bytes are cut; a URL is answered alike with buffers
/// kept and new; the pattern that decides names the URL when it is alone; and what is on a list of blocks alone is named
/// by the list if and only if one of its lines names it alone.
pub fn patterns(data: &[u8]) {
    let [dialect, cut, text @ ..] = data else { return };
    let dialect = Dialect::ALL[usize::from(*dialect) % Dialect::ALL.len()];
    let (block, rest) = parted(text);
    let (allow, urls) = parted(rest);
    let (block, allow): (Vec<_>, Vec<_>) = (lines(block), lines(allow));
    let (set, errors) = built(dialect, &block, &allow);
    for error in &errors {
        let line = if error.list == List::Block { &block } else { &allow }[error.line as usize - 1];
        assert!(error.at <= line.len(), "{error:?}");
    }
    let cut_elsewhere = fed(dialect, &block.join(&b'\n'), usize::from(*cut));
    let (blocks, blocks_errors) = built(dialect, &block, &[]);
    assert_eq!((cut_elsewhere.0.len(), &cut_elsewhere.1), (blocks.len(), &blocks_errors));

    let singles: Vec<PatternSet> = block.iter().map(|line| built(dialect, &[line], &[]).0).collect();
    let mut kept = Lookup::default();
    for url in lines(urls) {
        let found = set.find(url, &mut kept);
        assert_eq!(found, set.find(url, &mut Lookup::default()));
        let of_blocks = blocks.find(url, &mut kept);
        assert_eq!(of_blocks, cut_elsewhere.0.find(url, &mut kept));
        let names = |set: &PatternSet| set.find(url, &mut Lookup::default()).is_ok_and(|found| found.is_some());
        // Expressions that are too large together are refused together.
        if singles.iter().map(PatternSet::len).sum::<usize>() == blocks.len() {
            assert_eq!(of_blocks.is_ok_and(|found| found.is_some()), singles.iter().any(names), "{url:?}");
        }
        let Ok(Some(found)) = found else { continue };
        let number = found.line as usize - 1;
        let alone = match found.list {
            List::Block => built(dialect, &[block[number]], &[]),
            List::Allow => built(dialect, &[], &[allow[number]]),
        };
        assert!(names(&alone.0), "{found:?}");
    }
}

/// What stands before the first empty line, and behind it.
fn parted(text: &[u8]) -> (&[u8], &[u8]) {
    match text.windows(2).position(|two| two == b"\n\n") {
        Some(at) => (&text[..at], &text[at + 2..]),
        None => (text, &[]),
    }
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split(|&byte| byte == b'\n').take(MOST).collect()
}

fn built(dialect: Dialect, block: &[&[u8]], allow: &[&[u8]]) -> (PatternSet, Vec<PatternError>) {
    let mut builder = Builder::new(dialect, &[7; 16]);
    block.iter().for_each(|line| builder.line(List::Block, line));
    allow.iter().for_each(|line| builder.line(List::Allow, line));
    builder.finish()
}

fn fed(dialect: Dialect, block: &[u8], cut: usize) -> (PatternSet, Vec<PatternError>) {
    let mut builder = Builder::new(dialect, &[7; 16]);
    let (first, second) = block.split_at(block.len().min(cut));
    builder.feed(List::Block, first);
    builder.feed(List::Block, second);
    builder.finish()
}
