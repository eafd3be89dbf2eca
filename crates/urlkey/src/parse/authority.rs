//! The authority of a URL: userinfo, host, port, and where they end.

use super::{Parsed, Parser};
use crate::blocks::{Block, EVERY, WIDTH};
use crate::error::{Code, ParseError};
use crate::host::{self, HostKind};
use crate::ladder::{Part, Trace};
use crate::path;
use crate::percent::{self, USERINFO};
use crate::steps;

const END: u8 = 1;
const BACKSLASH: u8 = 1 << 1;
const AT: u8 = 1 << 2;
const COLON: u8 = 1 << 3;
/// What a lower-case ASCII domain does not hold: the host parser decides.
const OTHER: u8 = 1 << 4;

static AUTHORITY: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut t = [OTHER; 256];
    let mut i = 0;
    while i < 256 {
        t[i] = match i as u8 {
            b'/' | b'?' | b'#' => END,
            b'\\' => BACKSLASH,
            b'@' => AT,
            b':' => COLON,
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' => 0,
            _ => OTHER,
        };
        i += 1;
    }
    t
}

impl<T: Trace> Parser<'_, T> {
    /// <https://url.spec.whatwg.org/#authority-state>
    pub(super) fn authority(&mut self, at: usize) -> Parsed {
        let stop = if self.special() { END | BACKSLASH } else { END };
        let bytes = self.input.as_bytes();
        let (mut end, mut bits) = (at, 0u8);
        while let Some(block) = Block::at(bytes, end) {
            // `/`, `:` and `,` are common too: the table says what they are.
            let other = !block.common() | block.is(b'/') | block.is_either(b':', b',');
            end += other.trailing_zeros().min(WIDTH as u32) as usize;
            if other & EVERY != 0 {
                break;
            }
        }
        while let Some(&c) = bytes.get(end) {
            let class = AUTHORITY[c as usize];
            if class & stop != 0 {
                break;
            }
            bits |= class;
            end += 1;
        }
        self.url.buf.push_str("//");
        self.url.username_end = self.url.buf.len() as u32;
        let mut from = at;
        if bits & AT != 0 {
            from = self.userinfo(at, end)?;
        }
        self.url.host_start = self.url.buf.len() as u32;
        let (host_end, port) = if bits & COLON == 0 { (end, None) } else { self.split_port(from, end) };
        if from == host_end && (self.special() || port.is_some()) {
            return Err(ParseError::new(Code::HostMissing, from));
        }
        if T::ON {
            self.trace.raw(Part::Userinfo, &self.input[at..from]);
            self.trace.raw(Part::Host, &self.input[from..host_end]);
            self.trace.raw(Part::Port, &self.input[host_end..end]);
        }
        self.host(from, host_end, bits & (OTHER | BACKSLASH) == 0)?;
        self.url.host_end = self.url.buf.len() as u32;
        if let Some(port_at) = port {
            self.port(port_at, end)?;
        }
        self.path_start(end)
    }

    /// Writes what stands in front of the last `@`, and returns where the host begins.
    fn userinfo(&mut self, at: usize, end: usize) -> Result<usize, ParseError> {
        let text = &self.input[at..end];
        let Some(at_sign) = memchr::memrchr(b'@', text.as_bytes()) else { return Ok(at) };
        self.violation(Code::InvalidCredentials, at);
        if at + at_sign + 1 == end {
            return Err(ParseError::new(Code::HostMissing, end));
        }
        let text = &text[..at_sign];
        let (username, password) = text.split_once(':').unwrap_or((text, ""));
        percent::encode(username, USERINFO, &mut self.url.buf);
        self.url.username_end = self.url.buf.len() as u32;
        if !password.is_empty() {
            self.url.buf.push(':');
            percent::encode(password, USERINFO, &mut self.url.buf);
        }
        if !text.is_empty() && text != ":" {
            self.url.buf.push('@');
        }
        if T::ON {
            path::trace_units(text, at, self.trace);
            let written = &self.url.buf[self.url.scheme_end as usize + 3..];
            if written != &self.input[at..=at + at_sign] {
                self.trace.part(&steps::ENCODE_USERINFO, Part::Userinfo, written);
            }
        }
        Ok(at + at_sign + 1)
    }

    /// Where the host ends, and where the port's digits begin
    /// (<https://url.spec.whatwg.org/#host-state>).
    fn split_port(&self, from: usize, end: usize) -> (usize, Option<usize>) {
        let mut in_brackets = false;
        for (i, c) in self.input.as_bytes()[from..end].iter().enumerate() {
            match c {
                b'[' => in_brackets = true,
                b']' => in_brackets = false,
                b':' if !in_brackets => return (from + i, Some(from + i + 1)),
                _ => {}
            }
        }
        (end, None)
    }

    fn host(&mut self, from: usize, to: usize, plain: bool) -> Parsed {
        let text = &self.input[from..to];
        self.url.host_kind = if text.is_empty() {
            HostKind::Empty
        } else if plain && !may_end_in_a_number(text.as_bytes()) {
            self.url.buf.push_str(text);
            if self.special() { HostKind::Domain } else { HostKind::Opaque }
        } else {
            host::parse_host(text, self.special(), from, &mut self.url.buf, self.trace)?
        };
        Ok(())
    }

    /// <https://url.spec.whatwg.org/#port-state>
    fn port(&mut self, from: usize, to: usize) -> Parsed {
        let text = &self.input[from..to];
        let port = parse_port(text, from)?.filter(|p| Some(*p) != self.url.scheme.default_port());
        let start = self.url.buf.len();
        if let Some(port) = port {
            push_port(&mut self.url.buf, port);
        }
        self.url.note_port(port);
        if T::ON && self.url.buf[start..] != self.input[from - 1..to] {
            self.trace.part(&steps::DEFAULT_PORT, Part::Port, &self.url.buf[start..]);
        }
        Ok(())
    }
}

/// The sure "no" of the ends-in-a-number checker: the last label begins with no digit.
pub(crate) fn may_end_in_a_number(host: &[u8]) -> bool {
    let host = host.strip_suffix(b".").unwrap_or(host);
    // A number ends with a digit, or is `0x`; most top-level domains do not.
    if !host.last().is_none_or(|&c| c.is_ascii_hexdigit() || c == b'x') {
        return false;
    }
    let label = memchr::memrchr(b'.', host).map_or(0, |dot| dot + 1);
    host.get(label).is_none_or(u8::is_ascii_digit)
}

/// The port that the digits spell; `None` for no digits.
pub(crate) fn parse_port(text: &str, at: usize) -> Result<Option<u16>, ParseError> {
    if let Some(i) = text.bytes().position(|c| !c.is_ascii_digit()) {
        return Err(ParseError::new(Code::PortInvalid, at + i));
    }
    let digits = text.trim_start_matches('0');
    match digits.len() {
        0 if text.is_empty() => Ok(None),
        0 => Ok(Some(0)),
        1..=5 => digits.parse().map(Some).map_err(|_| ParseError::new(Code::PortOutOfRange, at)),
        _ => Err(ParseError::new(Code::PortOutOfRange, at)),
    }
}

fn push_port(out: &mut String, port: u16) {
    use std::fmt::Write;
    // Writing to a String cannot fail.
    let _ = write!(out, ":{port}");
}
