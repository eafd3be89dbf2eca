//! The SURTs above a SURT, for whoever holds rules or lists by SURT prefix. Must
//! not know what is looked up.

use super::ssurt::{has_authority, write_host};
use super::{Options, heritrix};
use crate::split::split;

/// A text and beginnings of it, the longest first. Kept as lengths: written out, the prefixes of a path
/// of n slashes would have n * n bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prefixes {
    /// The longest.
    pub whole: Vec<u8>,
    /// Where each one ends, that of `whole` first.
    pub ends: Vec<usize>,
}

impl Prefixes {
    fn new(whole: Vec<u8>, mut ends: Vec<usize>) -> Prefixes {
        ends.insert(0, whole.len());
        ends.dedup();
        Prefixes { whole, ends }
    }

    /// The prefixes, the longest first.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.ends.iter().map(|&end| &self.whole[..end])
    }
}

/// The SURT of a URL in Heritrix's form and all coarser ones: without query, without one segment after
/// the other, without userinfo, port, one label after the other. `url` is a URL or a SURT that begins
/// with `(`; `http://` and the fragment are left out, as in SURT prefix files.
///
/// ```
/// let found = urlkey::forms::surt::prefixes(b"http://archive.org:8080/a?b");
/// let expected: [&[u8]; 6] = [
///     b"(org,archive,:8080)/a?b", b"(org,archive,:8080)/a", b"(org,archive,:8080)/",
///     b"(org,archive,:8080", b"(org,archive", b"(org",
/// ];
/// assert!(found.iter().eq(expected));
/// ```
pub fn prefixes(url: &[u8]) -> Prefixes {
    let whole = prefix_form(url);
    let mut ends = Vec::new();
    let open = memchr::memchr(b'(', &whole);
    let close = open.and_then(|open| authority_end(&whole[open..]).map(|close| open + close));
    let (Some(open), Some(close)) = (open, close) else { return Prefixes::new(whole, ends) };
    let mark = memchr::memchr(b'?', &whole[close..]).map(|mark| close + mark);
    ends.extend(mark);
    let path = close + 1..mark.unwrap_or(whole.len());
    // The first slash stays: `)/` is the whole host.
    ends.extend(memchr::memrchr_iter(b'/', &whole[path]).map(|slash| (close + 1 + slash).max(close + 2)));
    let authority = &whole[open + 1..close];
    let extra = authority.iter().position(|&byte| byte == b':' || byte == b'@');
    ends.extend(extra.map(|_| close));
    if let (Some(b':'), Some(sign)) = (extra.map(|at| authority[at]), memchr::memchr(b'@', authority)) {
        ends.push(open + 1 + sign);
    }
    let labels = &authority[..extra.unwrap_or(authority.len())];
    ends.extend(memchr::memrchr_iter(b',', labels).map(|comma| open + 1 + comma));
    Prefixes::new(whole, ends)
}

/// The `)` that ends the authority; parentheses may stand in userinfo.
fn authority_end(surt: &[u8]) -> Option<usize> {
    surt.windows(2).position(|two| two == b")/").or_else(|| memchr::memrchr(b')', surt))
}

/// Heritrix's form without fragment and without `http://`, of a URL that may lack scheme or path.
fn prefix_form(url: &[u8]) -> Vec<u8> {
    if url.starts_with(b"(") {
        return url.to_vec();
    }
    let mut text = Vec::with_capacity(url.len() + 8);
    let colon = memchr::memchr(b':', url);
    let period = memchr::memchr(b'.', url);
    let has_scheme = colon.is_some_and(|colon| period.is_none_or(|period| colon < period));
    if !has_scheme {
        text.extend_from_slice(b"http://");
    }
    text.extend_from_slice(&url[..memchr::memchr(b'#', url).unwrap_or(url.len())]);
    let mut surt = Vec::with_capacity(text.len() + 8);
    heritrix::write(&text, &Options::default(), &mut surt);
    if surt.ends_with(b")") {
        surt.push(b'/');
    }
    surt.strip_prefix(b"http://").map(<[u8]>::to_vec).unwrap_or(surt)
}

/// The SURT of a URL as it stands and all coarser ones, as urlcanon gives them: without fragment,
/// without query, one segment after the other, the authority without port, one label after the other.
///
/// ```
/// let found = urlkey::forms::surt::ancestry(b"http://example.com/a#b");
/// let expected: [&[u8]; 6] = [
///     b"http://(com,example,)/a#b", b"http://(com,example,)/a", b"http://(com,example,)",
///     b"http://(com,example,", b"http://(com,", b"http://(",
/// ];
/// assert!(found.iter().eq(expected));
/// ```
pub fn ancestry(url: &[u8]) -> Prefixes {
    let parts = split(url);
    let has_authority = has_authority(&parts);
    let mut whole = url[parts.scheme.start..parts.slashes.end].to_vec();
    let open = whole.len();
    if has_authority {
        whole.push(b'(');
        write_host(&url[parts.host.clone()], &mut whole);
    }
    let labels = whole.len();
    if has_authority {
        whole.extend_from_slice(&url[parts.port.clone()]);
        whole.push(b')');
    }
    let path = whole.len();
    let text = &url[parts.path.clone()];
    if !text.is_empty() && !text.starts_with(b"/") && (has_authority || url[parts.scheme].eq_ignore_ascii_case(b"file"))
    {
        whole.push(b'/');
    }
    whole.extend_from_slice(text);
    let query = whole.len();
    whole.extend_from_slice(&url[parts.path.end..parts.trailing.start]);
    let mut ends = vec![whole.len() - parts.fragment.len(), query];
    ends.extend(memchr::memrchr_iter(b'/', &whole[path..query]).map(|slash| path + slash));
    ends.push(path);
    if has_authority {
        ends.extend(memchr::memrchr_iter(b',', &whole[open..labels]).map(|comma| open + comma + 1));
        ends.push(open + 1);
    }
    Prefixes::new(whole, ends)
}
