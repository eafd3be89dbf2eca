//! The accept test: texts that are their own canonical URL, but for a path they
//! lack and a fragment that is cut. Most URLs are; a property test holds it to
//! the slow road.

/// Where the parts of such a text begin.
pub(super) struct Plain {
    pub(super) host: usize,
    pub(super) path: usize,
    pub(super) query: usize,
    pub(super) end: usize,
}

/// A byte that stays itself: graphic ASCII.
const SAME: u8 = 1;
/// One that stays itself in a host: a letter in lower case, a digit, `-`, `_`.
const HOST: u8 = 2;
/// `#`
const HASH: u8 = 4;

static CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = b'!';
    while byte <= b'~' {
        table[byte as usize] = match byte {
            b'#' => HASH,
            b'%' => 0,
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' => SAME | HOST,
            _ => SAME,
        };
        byte += 1;
    }
    table
};

/// The parts, if the text is one of these.
#[inline]
pub(super) fn plain(url: &[u8]) -> Option<Plain> {
    let host = match url {
        [b'h', b't', b't', b'p', b':', b'/', b'/', ..] => 7,
        [b'h', b't', b't', b'p', b's', b':', b'/', b'/', ..] => 8,
        _ => return None,
    };
    let path = host_end(url, host)?;
    let query = path_end(url, path)?;
    let end = query_end(url, query)?;
    Some(Plain { host, path, query, end })
}

/// Where the host ends: labels of plain bytes, one dot between. What begins
/// with a digit may be an address.
fn host_end(url: &[u8], host: usize) -> Option<usize> {
    if url.get(host)?.is_ascii_digit() {
        return None;
    }
    let mut before = b'.';
    for (at, &byte) in url.iter().enumerate().skip(host) {
        match byte {
            b'/' | b'?' | b'#' => return (before != b'.').then_some(at),
            b'.' if before == b'.' => return None,
            b'.' => {}
            _ if CLASS[byte as usize] & HOST == 0 => return None,
            _ => {}
        }
        before = byte;
    }
    (before != b'.').then_some(url.len())
}

/// Where the path ends. A slash before a slash or a dot is work.
fn path_end(url: &[u8], path: usize) -> Option<usize> {
    let mut before = 0;
    for (at, &byte) in url.iter().enumerate().skip(path) {
        if byte == b'?' || byte == b'#' {
            return Some(at);
        }
        if CLASS[byte as usize] & SAME == 0 || before == b'/' && matches!(byte, b'/' | b'.') {
            return None;
        }
        before = byte;
    }
    Some(url.len())
}

/// Where the query ends: at the fragment, which is cut whatever it holds but
/// for what surrounds a URL.
fn query_end(url: &[u8], query: usize) -> Option<usize> {
    for (at, &byte) in url.iter().enumerate().skip(query) {
        match CLASS[byte as usize] {
            0 => return None,
            HASH => return Some(at),
            _ => {}
        }
    }
    Some(url.len())
}
