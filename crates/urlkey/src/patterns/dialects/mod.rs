//! What a line says, dialect by dialect; and what all of them mean by a host, a
//! port and a path. Must not know how patterns are looked up.

mod chrome;
mod ere;
mod netskope;
mod pan_os;
mod secure_web_proxy;
mod squid;
mod zscaler;

use super::Dialect;
use super::model::{Fault, Pattern, Read};
use crate::error::{Code, ParseError};
use crate::host::{HostKind, parse_host};
use crate::ladder::Off;

/// A pattern as the line writes it, where it begins there, and what it says.
pub(super) type Found<'a> = Read<(&'a str, usize, Pattern)>;

/// Whether the dialect, or a file of it, has this line for people alone.
pub(super) fn is_comment(dialect: Dialect, line: &str) -> bool {
    match dialect {
        Dialect::Netskope => line.trim_start().starts_with(['#', ';']),
        _ => line.trim_start().starts_with('#'),
    }
}

/// The patterns of a line: one, but in Squid.
pub(super) fn read(dialect: Dialect, line: &str, allow: bool) -> Vec<Found<'_>> {
    let one: fn(&str) -> Read<Pattern> = match dialect {
        Dialect::Chrome if allow => chrome::read_allowing,
        Dialect::Chrome => chrome::read_blocking,
        Dialect::Squid => return squid::read(line),
        Dialect::SquidDomain => squid::domain,
        Dialect::SquidUrl | Dialect::SquidPath => return squid::expressions(line, dialect),
        Dialect::Zscaler => zscaler::read,
        Dialect::Netskope => netskope::read,
        Dialect::PanOs => pan_os::read,
        Dialect::PanOsSlash => pan_os::read_with_slash,
        Dialect::SecureWebProxy => secure_web_proxy::read,
    };
    vec![visible(line).and_then(|()| one(line)).map(|pattern| (line, 0, pattern))]
}

/// Hrefs are ASCII without spaces: whatever else a pattern holds, it would match nothing.
fn visible(text: &str) -> Read<()> {
    match text.bytes().position(|byte| !byte.is_ascii_graphic()) {
        None => Ok(()),
        Some(at) if text.as_bytes()[at].is_ascii() => Err(Fault::new(at, "spaces and controls are not allowed")),
        Some(at) => Err(Fault::new(at, "beyond ASCII: URLs have hosts as xn-- and paths escaped")),
    }
}

/// Scheme, authority and what follows it.
struct Parts<'a> {
    host: &'a str,
    host_at: usize,
    port: Option<u16>,
    /// From the `/`, `?` or `#` on.
    rest: &'a str,
}

/// Takes `host[:port][rest]` apart.
fn parts(text: &str, at: usize) -> Read<Parts<'_>> {
    let end = text.find(['/', '?', '#']).unwrap_or(text.len());
    let (authority, rest) = text.split_at(end);
    let behind = authority.rfind(']').map_or(0, |bracket| bracket + 1);
    let (host, port) = match authority[behind..].find(':') {
        None => (authority, None),
        Some(colon) => {
            let colon = behind + colon;
            (&authority[..colon], Some(port(&authority[colon + 1..], at + colon + 1)?))
        }
    };
    Ok(Parts { host, host_at: at, port, rest })
}

fn port(text: &str, at: usize) -> Read<u16> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Fault::coded(Code::PortInvalid, at));
    }
    match text.parse() {
        Ok(0) | Err(_) => Err(Fault::coded(Code::PortOutOfRange, at)),
        Ok(port) => Ok(port),
    }
}

/// The host as URLs have it, and what it is; an error where they have it otherwise.
fn host(text: &str, at: usize) -> Read<(String, HostKind)> {
    if let Some(star) = text.find('*') {
        return Err(Fault::new(at + star, "a * within a host stands for itself, and no host has one"));
    }
    let lower = text.to_ascii_lowercase();
    let mut out = String::new();
    let kind =
        parse_host(&lower, true, at, &mut out, &mut Off).map_err(|ParseError { code, at }| Fault::coded(code, at))?;
    if out != lower {
        return Err(Fault::new(at, "URLs have this host in another spelling"));
    }
    let bare = out.strip_suffix('.').unwrap_or(&out);
    if let Some(dots) = bare.split('.').position(str::is_empty) {
        return Err(Fault::new(at + dots.min(bare.len()), "a label of the host is empty"));
    }
    Ok((bare.to_owned(), kind))
}

/// The path and query of a pattern: what stands before a fragment, which no server sees.
fn without_fragment(rest: &str) -> &str {
    &rest[..rest.find('#').unwrap_or(rest.len())]
}
