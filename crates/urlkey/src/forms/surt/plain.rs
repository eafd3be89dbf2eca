//! The short road to the default key of the package `surt`, for what most URLs are: `http` or `https` in
//! lower case, a name of plain letters for a host, no port. The rest is copied once and made a key where
//! it lies; a path or query that has more to it goes the long way alone. Says no, and leaves no byte, where
//! it is not sure: a test holds it to the long road.

use super::query::{self, Field};
use super::{Options, Scratch, path};
use crate::blocks::{Block, EVERY, WIDTH};

/// What a byte of a host is; 0: the host ends, or is not plain.
const LETTER: u8 = 1;
const UPPER: u8 = 1 << 1;
const DIGIT: u8 = 1 << 2;
const DOT: u8 = 1 << 3;

const HOST: [u8; 256] = {
    let mut class = [0; 256];
    let mut at = 0;
    while at < 128 {
        class[at] = match at as u8 {
            b'a'..=b'z' | b'-' | b'_' => LETTER,
            b'A'..=b'Z' => LETTER | UPPER,
            b'0'..=b'9' => DIGIT,
            b'.' => DOT,
            _ => 0,
        };
        at += 1;
    }
    class
};

/// More labels than this have other things wrong with them.
const LABELS: usize = 8;

/// Ends every scan: no byte of a path or query, and a whole block of them.
const PAD: [u8; WIDTH] = [b'#'; WIDTH];

/// Appends the key under `options`, which are the defaults; false: nothing is appended.
pub(super) fn write(url: &[u8], options: &Options, scratch: &mut Scratch, key: &mut Vec<u8>) -> bool {
    let begin = key.len();
    let done = write_host(url, key).is_some_and(|rest| write_rest(rest, options, scratch, key));
    if !done {
        key.truncate(begin);
    }
    done
}

/// Appends the turned host and `)`; what follows it in the URL.
fn write_host<'a>(url: &'a [u8], key: &mut Vec<u8>) -> Option<&'a [u8]> {
    let behind = url.strip_prefix(b"http")?;
    let text = behind.strip_prefix(b"://").or_else(|| behind.strip_prefix(b"s://"))?;
    let mut starts = [0; LABELS];
    let (mut labels, mut seen, mut end) = (1, 0, 0);
    for &byte in text {
        let class = HOST[usize::from(byte)];
        if class == DOT {
            if end == starts[labels - 1] || labels == LABELS {
                return None;
            }
            starts[labels] = end + 1;
            labels += 1;
        } else if class == 0 {
            if !matches!(byte, b'/' | b'?' | b'#') {
                return None;
            }
            break;
        }
        seen |= class;
        end += 1;
    }
    // An empty label; an address.
    if end == starts[labels - 1] || seen & LETTER == 0 {
        return None;
    }
    let first = usize::from(labels > 1 && is_www(&text[..starts[1] - 1]));
    let begin = key.len();
    let mut to = end;
    for &from in starts[first + 1..labels].iter().rev() {
        key.extend_from_slice(&text[from..to]);
        key.push(b',');
        to = from - 1;
    }
    key.extend_from_slice(&text[starts[first]..to]);
    if seen & UPPER != 0 {
        key[begin..].make_ascii_lowercase();
    }
    key.push(b')');
    Some(&text[end..])
}

/// `www` and digits.
fn is_www(label: &[u8]) -> bool {
    matches!(label, [b'w' | b'W', b'w' | b'W', b'w' | b'W', digits @ ..] if digits.iter().all(u8::is_ascii_digit))
}

fn write_rest(rest: &[u8], options: &Options, scratch: &mut Scratch, key: &mut Vec<u8>) -> bool {
    let begin = key.len();
    if rest.first() != Some(&b'/') {
        key.push(b'/');
    }
    key.extend_from_slice(rest);
    key.extend_from_slice(&PAD);
    let (end, clean) = scan_path(key, begin);
    if clean {
        return write_query(begin, end, options, scratch, key);
    }
    let path = &rest[..end - begin];
    if has_space(path) {
        return false;
    }
    key.truncate(begin);
    path::write(path, true, options, scratch, key);
    let end = key.len();
    key.extend_from_slice(&rest[path.len()..]);
    key.extend_from_slice(&PAD);
    write_query(end, end, options, scratch, key)
}

/// Finishes a path from `begin` to `mark`, and the query behind it, if there is one.
fn write_query(begin: usize, mark: usize, options: &Options, scratch: &mut Scratch, key: &mut Vec<u8>) -> bool {
    let slash = mark > begin + 1 && key[mark - 1] == b'/';
    if key[mark] != b'?' {
        lower(begin, mark, key);
        key.truncate(mark - usize::from(slash));
        return true;
    }
    scratch.fields.clear();
    let (end, clean) = scan_query(key, mark + 1, &mut scratch.fields);
    if clean {
        lower(begin, end, key);
        key.truncate(end);
        query::finish(mark + 1, scratch, key);
    } else {
        let mut query = std::mem::take(&mut scratch.text);
        query.clear();
        query.extend_from_slice(&key[mark + 1..end]);
        lower(begin, mark, key);
        key.truncate(mark);
        let done = !has_space(&query);
        if done {
            query::write(&query, false, options, scratch, key);
        }
        scratch.text = query;
        if !done {
            return false;
        }
    }
    if slash {
        key.remove(mark - 1);
    }
    true
}

/// Lower case from `begin` to `end` at least. PAD is at the end of `text`.
fn lower(begin: usize, end: usize, text: &mut [u8]) {
    let (blocks, _) = text[begin..].as_chunks_mut::<WIDTH>();
    for block in blocks.iter_mut().take((end - begin).div_ceil(WIDTH)) {
        block.make_ascii_lowercase();
    }
}

/// White space and controls: some go before the URL is cut.
fn has_space(text: &[u8]) -> bool {
    text.iter().any(|&byte| byte <= b' ')
}

/// Where the path ends that begins at `begin`, and whether it has nothing to decode, escape, resolve, or
/// search for sessions. PAD is at the end of `text`.
fn scan_path(text: &[u8], begin: usize) -> (usize, bool) {
    let (mut at, mut carried, mut odd) = (begin, 0, 0);
    while let Some(block) = Block::at(text, at) {
        let end = block.is_either(b'?', b'#');
        let slashes = block.is(b'/');
        let behind = block.is_either(b'/', b'.') & (slashes << 1 | carried);
        let here = behind | block.is_either(b'%', b'(') | !block.is_graphic();
        if end != 0 {
            odd |= here & (end & end.wrapping_neg()).wrapping_sub(1);
            return (at + end.trailing_zeros() as usize, odd & EVERY == 0);
        }
        odd |= here;
        carried = slashes >> (WIDTH - 1);
        at += WIDTH;
    }
    (text.len() - WIDTH, false)
}

/// Where the query ends that begins at `begin`, and whether it has nothing to decode or escape; its fields.
fn scan_query(text: &[u8], begin: usize, fields: &mut Vec<Field>) -> (usize, bool) {
    let (mut at, mut from, mut odd) = (begin, begin, 0);
    while let Some(block) = Block::at(text, at) {
        let end = block.is(b'#');
        let within = (end & end.wrapping_neg()).wrapping_sub(1) & EVERY;
        odd |= (block.is(b'%') | !block.is_graphic()) & within;
        let mut signs = block.is(b'&') & within;
        while signs != 0 {
            let sign = at + signs.trailing_zeros() as usize;
            fields.push((from, sign));
            from = sign + 1;
            signs &= signs - 1;
        }
        if end != 0 {
            let end = at + end.trailing_zeros() as usize;
            fields.push((from, end));
            return (end, odd == 0);
        }
        at += WIDTH;
    }
    (text.len() - WIDTH, false)
}
