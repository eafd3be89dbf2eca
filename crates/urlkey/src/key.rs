//! From a spelling to its key: repairs, parse, climb. Buffers
//! are the caller's, so that a batch allocates nothing per URL.

use std::borrow::Cow;

use crate::accept::Accepted;
use crate::climb::{self, Found, Work, climb, climb_behind_front};
use crate::error::{Code, ParseError};
use crate::ladder::{Off, Trace};
use crate::origins::{self, Origins};
use crate::parse;
use crate::percent;
use crate::policy::Policy;
use crate::rungs::RungSet;
use crate::split;
use crate::text;
use crate::url::{Options, Url};

/// Buffers that are reused from URL to URL, one set a thread.
#[derive(Default)]
pub struct Scratch {
    url: Url,
    work: Work,
}

/// A key, as far as it is news.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key<'a> {
    /// The spelling is its own key, byte for byte.
    Same,
    /// The key.
    New(&'a str),
}

impl<'a> Key<'a> {
    /// The key as text, given the spelling it was made of.
    pub fn text(self, spelling: &'a str) -> &'a str {
        match self {
            Key::Same => spelling,
            Key::New(key) => key,
        }
    }

    fn of(key: &'a str, spelling: &[u8]) -> Key<'a> {
        if key.as_bytes() == spelling { Key::Same } else { Key::New(key) }
    }
}

/// The key of a spelling under a policy.
///
/// Errors: the Standard's failures, and `too-long` where spelling or key are
/// above the policy's limit. Time is linear in the bytes, n log n in the
/// parameters.
///
/// ```
/// use urlkey::{Key, Options, Policy, Scratch, key};
/// let crawl = Policy::builtin("crawl").unwrap();
/// let mut scratch = Scratch::default();
/// let spelling = "HTTP://News.Example.com:80/a/./b/../story?utm_source=x&id=7#top";
/// let made = key(spelling, &Options::default(), &crawl, &mut scratch).unwrap();
/// assert_eq!(made, Key::New("http://news.example.com/a/story?id=7"));
/// ```
pub fn key<'a>(
    text: &str,
    options: &Options,
    policy: &Policy,
    scratch: &'a mut Scratch,
) -> Result<Key<'a>, ParseError> {
    check_length(text.len(), policy)?;
    let mut href = None;
    let fields = &mut scratch.work.fields;
    let resumed = match policy.accept.test(text, policy, fields) {
        Accepted::Whole => return Ok(Key::Same),
        Accepted::UpTo(end) => {
            scratch.url.take_whole(&text[..end]);
            return Ok(Key::New(scratch.url.href()));
        }
        Accepted::Front(front) => {
            fields.ready = front.query_to.is_some();
            href = front.query_to.filter(|_| front.ends_there).map(|end| &text[..end as usize]);
            parse::resume(&mut scratch.url, text, front, options)
        }
        Accepted::Nothing => false,
    };
    if resumed {
        climb_behind_front(&mut scratch.url, href, policy, &mut scratch.work);
        check_length(scratch.url.href().len(), policy)?;
    } else {
        scratch.work.fields.ready = false;
        make(text, options, policy, policy.on, scratch, &mut Off)?;
    }
    Ok(Key::of(scratch.url.href(), text.as_bytes()))
}

/// As `key`, of bytes. Those that are no UTF-8 are escaped as themselves in
/// path, query and fragment, and are an error (`not-utf8`) in the host.
pub fn key_of_bytes<'a>(
    bytes: &[u8],
    options: &Options,
    policy: &Policy,
    scratch: &'a mut Scratch,
) -> Result<Key<'a>, ParseError> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return key(text, options, policy, scratch);
    }
    let text = text_of_bytes(bytes)?;
    make(&text, options, policy, policy.on, scratch, &mut Off).map_err(|e| Origins::of_bytes(bytes).error(e))?;
    Ok(Key::of(scratch.url.href(), bytes))
}

/// The href of a spelling: parse alone, with the policy's repairs and limit.
pub fn href<'a>(
    text: &str,
    options: &Options,
    policy: &Policy,
    scratch: &'a mut Scratch,
) -> Result<Key<'a>, ParseError> {
    parse_spelling(text, options, policy, &mut scratch.url, &mut Off)?;
    Ok(Key::of(scratch.url.href(), text.as_bytes()))
}

/// The whole way down, watched. The URL is left in the scratch.
pub(crate) fn make<T: Trace>(
    text: &str,
    options: &Options,
    policy: &Policy,
    on: RungSet,
    scratch: &mut Scratch,
    trace: &mut T,
) -> Result<Found, ParseError> {
    parse_spelling(text, options, policy, &mut scratch.url, trace)?;
    let found = climb(&mut scratch.url, policy, on, &mut scratch.work, trace);
    check_length(scratch.url.href().len(), policy)?;
    Ok(found)
}

impl Scratch {
    /// The URL that the last call left.
    pub(crate) fn url(&self) -> &Url {
        &self.url
    }
}

fn check_length(bytes: usize, policy: &Policy) -> Result<(), ParseError> {
    let limit = policy.limits.input_bytes;
    if bytes > limit { Err(ParseError::new(Code::TooLong, limit)) } else { Ok(()) }
}

/// The URL of a spelling: parse with the policy's repairs and limit.
///
/// Errors: those of `href`.
pub fn parse_under(text: &str, options: &Options, policy: &Policy) -> Result<Url, ParseError> {
    let mut url = Url::default();
    parse_spelling(text, options, policy, &mut url, &mut Off)?;
    Ok(url)
}

pub(crate) fn parse_spelling<T: Trace>(
    text: &str,
    options: &Options,
    policy: &Policy,
    url: &mut Url,
    trace: &mut T,
) -> Result<(), ParseError> {
    check_length(text.len(), policy)?;
    if !policy.repairs.any() {
        return parse::parse_into(url, text, options, trace);
    }
    let mut changes = Vec::new();
    let repaired = text::repair(text, &policy.repairs, options.base.is_some(), trace, &mut changes);
    parse::parse_into(url, &repaired, options, trace)
        .map_err(|e| ParseError { at: origins::first(&changes, e.at), ..e })
}

/// The scheme whose signature a spelling carries in its query or path: `AWS SigV4`.
/// A bare name is not enough: see `data/rules/signed.toml`. Policies whose rungs are
/// all of class `none` look for none.
///
/// Errors: those of `href`.
///
/// ```
/// use urlkey::{Options, Policy, signed};
/// let crawl = Policy::builtin("crawl").unwrap();
/// let image = "https://res.cloudinary.com/demo/image/upload/s--hg5zQ0Yq--/w_100/a.jpg";
/// assert_eq!(signed(image, &Options::default(), &crawl), Ok(Some("Cloudinary")));
/// ```
pub fn signed(text: &str, options: &Options, policy: &Policy) -> Result<Option<&'static str>, ParseError> {
    let mut scratch = Scratch::default();
    parse_spelling(text, options, policy, &mut scratch.url, &mut Off)?;
    Ok(climb::signed(&mut scratch.url, policy, &mut scratch.work))
}

/// Bytes as text, those that are no UTF-8 escaped as themselves; `Origins::of_bytes`
/// says where the bytes of the text stood.
pub fn text_of_bytes(bytes: &[u8]) -> Result<Cow<'_, str>, ParseError> {
    let Err(error) = std::str::from_utf8(bytes) else {
        return Ok(String::from_utf8_lossy(bytes));
    };
    let first = error.valid_up_to();
    let parts = split::split(bytes);
    let authority_end = parts.port.end.max(parts.host.end);
    let mut text = String::with_capacity(bytes.len() + 16);
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        at += chunk.valid().len();
        if !chunk.invalid().is_empty() && at >= parts.host.start && at < authority_end {
            return Err(ParseError::new(Code::NotUtf8, first.max(at)));
        }
        for &byte in chunk.invalid() {
            percent::push_escape(&mut text, byte);
        }
        at += chunk.invalid().len();
    }
    Ok(Cow::Owned(text))
}
