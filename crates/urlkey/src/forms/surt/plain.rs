//! The short road to the default key of the package `surt`, for what most URLs are: `http` or `https` in
//! lower case, a name of plain letters for a host, no port. The rest is copied once and made a key where
//! it lies; a path or query that has more to it goes the long way alone. Says no, and leaves no byte, where
//! it is not sure: a test holds it to the long road.

use super::query::{self, Field};
use super::{Options, Scratch, path};
use crate::blocks::{Block, EVERY, WIDTH};

/// More labels than this have other things wrong with them.
const LABELS: usize = 8;

/// Ends every scan: no byte of a path or query, and a whole block of them.
const PAD: [u8; WIDTH] = [b'#'; WIDTH];

/// Appends the key under `options`, which are the defaults; false: nothing is appended.
pub(super) fn write(url: &[u8], options: &Options, scratch: &mut Scratch, key: &mut Vec<u8>) -> bool {
    let begin = key.len();
    let done = write_host(url, key).is_some_and(|rest| write_rest(begin, rest, options, scratch, key));
    if !done {
        key.truncate(begin);
    }
    done
}

/// Appends the turned host, in the case that it has, and `)`; what follows it in the URL.
fn write_host<'a>(url: &'a [u8], key: &mut Vec<u8>) -> Option<&'a [u8]> {
    let behind = url.strip_prefix(b"http")?;
    let text = behind.strip_prefix(b"://").or_else(|| behind.strip_prefix(b"s://"))?;
    let Labels { starts, count, end } = scan_host(text)?;
    let host = &text[..end];
    if host[0].is_ascii_digit() && host.iter().all(|&byte| byte.is_ascii_digit() || byte == b'.') {
        // An address.
        return None;
    }
    let first = usize::from(count > 1 && is_www(&host[..starts[1] - 1]));
    let mut to = end;
    for &from in starts[first..count].iter().rev() {
        push_label(text, from, to, key);
        key.push(if from == starts[first] { b')' } else { b',' });
        to = from.saturating_sub(1);
    }
    Some(&text[end..])
}

/// Appends `text[from..to]`: a whole block, and what is too much of it goes again, where that is no call of `memcpy`.
#[inline]
fn push_label(text: &[u8], from: usize, to: usize, key: &mut Vec<u8>) {
    match text[from..].first_chunk::<WIDTH>() {
        Some(block) if to - from <= WIDTH => {
            let end = key.len() + to - from;
            key.extend_from_slice(block);
            key.truncate(end);
        }
        _ => key.extend_from_slice(&text[from..to]),
    }
}

/// Where the labels of a host begin, and where it ends.
struct Labels {
    starts: [usize; LABELS],
    count: usize,
    end: usize,
}

/// The labels of the host that `text` begins with; none, if one is empty or has a byte that is no letter, digit,
/// `-` or `_`, and if a port follows.
fn scan_host(text: &[u8]) -> Option<Labels> {
    let (mut starts, mut count, mut at) = ([0; LABELS], 1, 0);
    // A dot that nothing stands before ends a label without a byte.
    let mut carried = 1;
    let end = loop {
        let block = Block::at(text, at).or_else(|| last_block(text, at))?;
        let ends = block.is_either(b'/', b'?') | block.is(b'#');
        let within = (ends & ends.wrapping_neg()).wrapping_sub(1) & EVERY;
        let mut dots = block.is(b'.');
        let odd = !block.common_any_case() | block.is_either(b',', b':') | dots & (dots << 1 | carried);
        if odd & within != 0 {
            return None;
        }
        carried = dots >> (WIDTH - 1);
        dots &= within;
        while dots != 0 {
            *starts.get_mut(count)? = at + dots.trailing_zeros() as usize + 1;
            count += 1;
            dots &= dots - 1;
        }
        if ends != 0 {
            break at + ends.trailing_zeros() as usize;
        }
        at += WIDTH;
    };
    (end > starts[count - 1]).then_some(Labels { starts, count, end })
}

/// What is left of the text from `at` on, less than a block, and PAD.
#[inline]
fn last_block(text: &[u8], at: usize) -> Option<Block> {
    let rest = text.get(at..)?;
    let mut last = PAD;
    last.get_mut(..rest.len())?.copy_from_slice(rest);
    Block::at(&last, 0)
}

/// `www` and digits.
fn is_www(label: &[u8]) -> bool {
    matches!(label, [b'w' | b'W', b'w' | b'W', b'w' | b'W', digits @ ..] if digits.iter().all(u8::is_ascii_digit))
}

/// Finishes the key that begins at `host` with what follows the host in the URL.
fn write_rest(host: usize, rest: &[u8], options: &Options, scratch: &mut Scratch, key: &mut Vec<u8>) -> bool {
    let begin = key.len();
    if rest.first() != Some(&b'/') {
        key.push(b'/');
    }
    key.extend_from_slice(rest);
    key.extend_from_slice(&PAD);
    let (end, clean) = scan_path(key, begin);
    if clean {
        return write_query(host, begin, end, options, scratch, key);
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
    write_query(host, end, end, options, scratch, key)
}

/// Finishes a host from `host` on, a path from `begin` to `mark`, and the query behind it, if there is one.
fn write_query(
    host: usize,
    begin: usize,
    mark: usize,
    options: &Options,
    scratch: &mut Scratch,
    key: &mut Vec<u8>,
) -> bool {
    let slash = mark > begin + 1 && key[mark - 1] == b'/';
    if key[mark] != b'?' {
        lower(host, mark, key);
        key.truncate(mark - usize::from(slash));
        return true;
    }
    scratch.fields.clear();
    let (end, clean) = scan_query(key, mark + 1, &mut scratch.fields);
    if clean {
        lower(host, end, key);
        key.truncate(end);
        query::finish(mark + 1, scratch, key);
    } else {
        let mut query = std::mem::take(&mut scratch.text);
        query.clear();
        query.extend_from_slice(&key[mark + 1..end]);
        lower(host, mark, key);
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
