//! The parser of the URL Standard: its states under their names, each driving a
//! run of bytes. Writes a serialized `Url` and nothing else; knows no rungs.

pub(crate) mod authority;
mod file;
mod relative;

use std::borrow::Cow;

use crate::encoding::{Encoding, percent_encode_after_encoding};
use crate::error::{Code, ParseError};
use crate::host::HostKind;
use crate::ladder::{Off, Part, Trace};
use crate::origins::Origins;
use crate::path;
use crate::percent::{self, C0, FRAGMENT, HASH, QUERY, QUESTION, SPECIAL_QUERY};
use crate::scheme::Scheme;
use crate::steps;
use crate::url::{Front, Options, Url};

/// Offsets are 32 bits wide and an escape is three bytes long.
pub(crate) const MAX_BYTES: usize = 1 << 30;

type Parsed = Result<(), ParseError>;

/// Parses `text` into `url`, whose buffer is reused
/// (<https://url.spec.whatwg.org/#concept-basic-url-parser>).
pub(crate) fn parse_into<T: Trace>(url: &mut Url, text: &str, options: &Options, trace: &mut T) -> Parsed {
    if text.len() > MAX_BYTES {
        return Err(ParseError::new(Code::TooLong, MAX_BYTES));
    }
    url.clear();
    let input = strip_controls(text, trace);
    let mut parser = Parser { url, input: &input, options, trace };
    parser.run().map_err(|e| if input.len() == text.len() { e } else { Origins::of_stripped(text).error(e) })
}

/// Goes on behind a front that is its own serialization. False, and nothing
/// done, where the rest holds what `strip_controls` would take away.
pub(crate) fn resume(url: &mut Url, text: &str, front: Front, options: &Options) -> bool {
    let at = front.query_to.unwrap_or(front.path_to) as usize;
    if front.ends_there {
        url.take_front(text, front);
        return true;
    }
    let rest = &text.as_bytes()[at..];
    if rest.last().is_none_or(|&c| c <= b' ') || memchr::memchr3(b'\t', b'\n', b'\r', rest).is_some() {
        return false;
    }
    url.take_front(text, front);
    let mut parser = Parser { url, input: text, options, trace: &mut Off };
    parser.after_path(at).is_ok()
}

fn is_c0_or_space(c: char) -> bool {
    c <= ' '
}

/// The text without controls and spaces around it, and without tabs and line
/// breaks in it.
fn strip_controls<'a, T: Trace>(text: &'a str, trace: &mut T) -> Cow<'a, str> {
    let bytes = text.as_bytes();
    let (mut lead, mut inner) = (0, text);
    if bytes.first().is_some_and(|&c| c <= b' ') || bytes.last().is_some_and(|&c| c <= b' ') {
        inner = text.trim_end_matches(is_c0_or_space);
        lead = inner.len() - inner.trim_start_matches(is_c0_or_space).len();
        inner = &inner[lead..];
    }
    let input = match memchr::memchr3(b'\t', b'\n', b'\r', inner.as_bytes()) {
        None => Cow::Borrowed(inner),
        Some(_) => Cow::Owned(inner.replace(['\t', '\n', '\r'], "")),
    };
    if T::ON && input.len() != text.len() {
        if inner.len() != text.len() {
            trace.violation(Code::InvalidUrlUnit, if lead > 0 { 0 } else { inner.len() });
        }
        for (i, _) in inner.match_indices(['\t', '\n', '\r']) {
            trace.violation(Code::InvalidUrlUnit, lead + i);
        }
        trace.text(&steps::STRIP_CONTROLS, &input);
        trace.moved(&Origins::of_stripped(text));
    }
    input
}

pub(crate) struct Parser<'a, T: Trace> {
    pub url: &'a mut Url,
    pub input: &'a str,
    pub options: &'a Options<'a>,
    pub trace: &'a mut T,
}

impl<'a, T: Trace> Parser<'a, T> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.input.as_bytes().get(at).copied()
    }

    fn special(&self) -> bool {
        self.url.scheme.is_special()
    }

    /// Whether a path separator stands at `at`: `/`, in special URLs `\` too.
    fn slash_at(&self, at: usize) -> bool {
        matches!(self.byte(at), Some(b'/')) || (self.special() && matches!(self.byte(at), Some(b'\\')))
    }

    fn fail(&self, code: Code, at: usize) -> Parsed {
        Err(ParseError::new(code, at))
    }

    fn violation(&mut self, code: Code, at: usize) {
        if T::ON {
            self.trace.violation(code, at);
        }
    }

    /// The scheme start state and what follows from it.
    fn run(&mut self) -> Parsed {
        let bytes = self.input.as_bytes();
        if T::ON
            && let Some(len) = scheme_len(bytes)
        {
            self.trace.raw(Part::Scheme, &self.input[..=len]);
        }
        if bytes.starts_with(b"https://") {
            self.begin("https", Scheme::Https);
            return self.special_authority_slashes(6);
        }
        if bytes.starts_with(b"http://") {
            self.begin("http", Scheme::Http);
            return self.special_authority_slashes(5);
        }
        match scheme_len(bytes) {
            Some(len) => self.after_scheme(len),
            None => self.no_scheme(),
        }
    }

    fn begin(&mut self, name: &str, scheme: Scheme) {
        self.url.buf.push_str(name);
        self.url.buf.push(':');
        self.url.scheme = scheme;
        self.url.scheme_end = name.len() as u32;
        let end = name.len() as u32 + 1;
        self.url.username_end = end;
        self.url.host_start = end;
        self.url.host_end = end;
        self.url.path_start = end;
    }

    /// <https://url.spec.whatwg.org/#scheme-state>
    fn after_scheme(&mut self, len: usize) -> Parsed {
        let name = self.input[..len].to_ascii_lowercase();
        let scheme = Scheme::of(&name);
        if T::ON && name != self.input[..len] {
            self.trace.part(&steps::LOWER_SCHEME, Part::Scheme, &[&name, ":"].concat());
        }
        let at = len + 1;
        match scheme {
            Scheme::File => {
                if T::ON && !self.input[at..].starts_with("//") {
                    self.violation(Code::SpecialSchemeMissingFollowingSolidus, at);
                }
                let base = self.options.base.filter(|b| b.scheme == Scheme::File);
                self.file(at, base)
            }
            _ if scheme.is_special() => match self.options.base {
                // Special relative or authority state.
                Some(base) if base.scheme == scheme && !self.input[at..].starts_with("//") => {
                    self.violation(Code::SpecialSchemeMissingFollowingSolidus, at);
                    self.relative(at, base)
                }
                _ => {
                    self.begin(&name, scheme);
                    self.special_authority_slashes(at)
                }
            },
            _ => {
                self.begin(&name, scheme);
                match self.byte(at) {
                    // Path or authority state.
                    Some(b'/') if self.byte(at + 1) == Some(b'/') => self.plain_authority(at),
                    Some(b'/') => self.path_state(at + 1),
                    _ => self.opaque_path(at),
                }
            }
        }
    }

    /// <https://url.spec.whatwg.org/#special-authority-slashes-state> and
    /// <https://url.spec.whatwg.org/#special-authority-ignore-slashes-state>
    fn special_authority_slashes(&mut self, at: usize) -> Parsed {
        let bytes = self.input.as_bytes();
        let mut from = at;
        while matches!(bytes.get(from), Some(b'/' | b'\\')) {
            from += 1;
        }
        if T::ON {
            self.trace.raw(Part::Slashes, &self.input[at..from]);
        }
        if T::ON && &self.input[at..from] != "//" {
            if !self.input[at..].starts_with("//") || from > at + 2 {
                self.violation(Code::SpecialSchemeMissingFollowingSolidus, at);
            }
            self.trace.part(&steps::REPAIR_SLASHES, Part::Slashes, "//");
        }
        self.authority(from)
    }

    /// The authority of a scheme that is not special, behind exactly two slashes.
    fn plain_authority(&mut self, at: usize) -> Parsed {
        if T::ON {
            self.trace.raw(Part::Slashes, "//");
        }
        self.authority(at + 2)
    }

    /// The path start state at the end of an authority
    /// (<https://url.spec.whatwg.org/#path-start-state>).
    fn path_start(&mut self, at: usize) -> Parsed {
        self.url.path_start = self.url.buf.len() as u32;
        if self.special() || self.byte(at) == Some(b'/') {
            return self.path_state(at);
        }
        match self.byte(at) {
            None | Some(b'?' | b'#') => self.after_path(at),
            Some(_) => self.path_state(at),
        }
    }

    /// <https://url.spec.whatwg.org/#path-state>
    fn path_state(&mut self, at: usize) -> Parsed {
        let (end, bits) = percent::run(self.input.as_bytes(), at, QUESTION | HASH);
        let text = &self.input[at..end];
        path::append(self.url, text, bits, at, self.trace);
        self.guard_path();
        self.after_path(end)
    }

    /// Where there is no host, a path that begins with `//` needs `/.` in front
    /// (<https://url.spec.whatwg.org/#url-serializing>).
    fn guard_path(&mut self) {
        let start = self.url.path_start as usize;
        if self.url.host_kind == HostKind::None && self.url.buf[start..].starts_with("//") {
            self.url.buf.insert_str(start, "/.");
            self.url.path_start += 2;
            if T::ON {
                self.trace.part(&steps::DOT_SEGMENTS, Part::Path, &self.url.buf[start..]);
            }
        }
    }

    /// Takes off a `/.` that came over from the base.
    fn unguard_path(&mut self) {
        let start = self.url.scheme_end as usize + 1;
        if self.url.host_kind == HostKind::None && self.url.path_start as usize > start {
            self.url.buf.replace_range(start..start + 2, "");
            self.url.path_start -= 2;
        }
    }

    fn after_path(&mut self, at: usize) -> Parsed {
        match self.byte(at) {
            None => Ok(()),
            Some(b'?') => self.query(at),
            Some(_) => self.fragment(at),
        }
    }

    /// <https://url.spec.whatwg.org/#cannot-be-a-base-url-path-state>
    fn opaque_path(&mut self, at: usize) -> Parsed {
        self.url.opaque_path = true;
        let end = self.input[at..].find(['?', '#']).map_or(self.input.len(), |n| at + n);
        let text = &self.input[at..end];
        // A space right in front of ? or # would be lost to whoever trims the path.
        let last_space = end < self.input.len() && text.ends_with(' ');
        let body = if last_space { &text[..text.len() - 1] } else { text };
        percent::encode(body, C0, &mut self.url.buf);
        if last_space {
            self.url.buf.push_str("%20");
        }
        if T::ON {
            self.trace.raw(Part::Path, text);
            path::trace_units(text, at, self.trace);
            let path = self.url.path();
            if path != text {
                self.trace.part(&steps::ENCODE_PATH, Part::Path, path);
            }
        }
        self.after_path(end)
    }

    /// <https://url.spec.whatwg.org/#query-state>; the `?` stands at `at`.
    fn query(&mut self, at: usize) -> Parsed {
        let (end, bits) = percent::run(self.input.as_bytes(), at + 1, HASH);
        let text = &self.input[at + 1..end];
        self.url.query_bits = bits;
        self.url.begin_query();
        let set = if self.special() { SPECIAL_QUERY } else { QUERY };
        if bits & set == 0 {
            self.url.buf.push_str(text);
        } else {
            self.encode_query(text, set);
        }
        if T::ON {
            self.trace.raw(Part::Query, &self.input[at..end]);
            path::trace_units(text, at + 1, self.trace);
            let query = self.url.query().unwrap_or_default();
            if query != text {
                self.trace.part(&steps::ENCODE_QUERY, Part::Query, &["?", query].concat());
            }
        }
        if end == self.input.len() { Ok(()) } else { self.fragment(end) }
    }

    fn encode_query(&mut self, text: &str, set: u16) {
        let encoding = self.options.encoding;
        let utf8 = encoding == Encoding::UTF8 || !self.special() || matches!(self.url.scheme, Scheme::Ws | Scheme::Wss);
        if utf8 || text.is_ascii() {
            percent::encode(text, set, &mut self.url.buf);
        } else {
            let set: [bool; 256] = std::array::from_fn(|byte| percent::is(byte as u8, set));
            let from = self.url.buf.len();
            percent_encode_after_encoding(text, encoding, &set, &mut self.url.buf);
            // The bytes of a character may be ASCII: ー of Shift_JIS ends in [.
            let written = &self.url.buf.as_bytes()[from..];
            self.url.query_bits =
                written.iter().fold(self.url.query_bits, |bits, &c| bits | percent::CLASS[c as usize]);
        }
    }

    /// <https://url.spec.whatwg.org/#fragment-state>; the `#` stands at `at`.
    fn fragment(&mut self, at: usize) -> Parsed {
        let text = &self.input[at + 1..];
        self.url.begin_fragment();
        percent::encode(text, FRAGMENT, &mut self.url.buf);
        if T::ON {
            self.trace.raw(Part::Fragment, &self.input[at..]);
            path::trace_units(text, at + 1, self.trace);
            let fragment = self.url.fragment().unwrap_or_default();
            if fragment != text {
                self.trace.part(&steps::ENCODE_FRAGMENT, Part::Fragment, &["#", fragment].concat());
            }
        }
        Ok(())
    }
}

/// How long the scheme in front of the first `:` is, if the text begins with one
/// (<https://url.spec.whatwg.org/#scheme-start-state>).
pub(crate) fn scheme_len(bytes: &[u8]) -> Option<usize> {
    if !bytes.first()?.is_ascii_alphabetic() {
        return None;
    }
    let len = bytes.iter().position(|c| !(c.is_ascii_alphanumeric() || matches!(c, b'+' | b'-' | b'.')))?;
    (bytes[len] == b':').then_some(len)
}
