//! SURT keys, byte for byte those that web archives have stored: of the Python
//! package `surt` 0.3.1, of webarchive-commons, of Heritrix. What they lose is
//! lost here too. Any bytes have a key; where the original raises, the port
//! that it could not read stays in the key as text. Cost: linear, n log n in the
//! number of parameters. Must not know the URL parser.

mod cut;
mod escape;
mod heritrix;
mod host;
mod path;
mod plain;
mod prefixes;
mod query;
mod range;
mod ssurt;
mod unsurt;

use cut::{Parts, Port};

pub use prefixes::{Prefixes, ancestry, prefixes};
pub use range::{MatchType, Range, RangeError, cdx_range};
pub use ssurt::ssurt;
pub use unsurt::unsurt;

/// Whose keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flavor {
    /// The package `surt` 0.3.1, which pywb uses.
    #[default]
    Python,
    /// `WaybackURLKeyMaker` of webarchive-commons.
    Java,
    /// `org.archive.util.SURT`, the form of Heritrix: `http://(org,archive,)/`.
    Heritrix,
}

impl Flavor {
    /// The names that Python and the command line use.
    pub const NAMES: [(&'static str, Flavor); 3] =
        [("python", Flavor::Python), ("java", Flavor::Java), ("heritrix", Flavor::Heritrix)];

    /// By name.
    pub fn named(name: &str) -> Option<Flavor> {
        Flavor::NAMES.iter().find(|row| row.0 == name).map(|row| row.1)
    }
}

/// What a key is made of. The names are those of the options of the package `surt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whose keys.
    pub flavor: Flavor,
    /// `http://(com,example)/` instead of `com,example)/`.
    pub with_scheme: bool,
    /// `com,example,)/` instead of `com,example)/`.
    pub trailing_comma: bool,
    /// IPv4 addresses are turned like names.
    pub reverse_ipaddr: bool,
    /// Labels in reverse; off, a plain URL comes out.
    pub surt: bool,
    /// The escapes in the host in lower case, and Java's schemes; its letters are in any case.
    pub host_lowercase: bool,
    /// `www.`, `www2.` are dropped.
    pub host_massage: bool,
    /// Port 80 of http, 443 of https are dropped.
    pub port_strip_default: bool,
    /// The path in lower case.
    pub path_lowercase: bool,
    /// ASP.NET session ids go from the path.
    pub path_strip_session_id: bool,
    /// The path `/` goes.
    pub path_strip_empty: bool,
    /// One slash goes from the end of a path, but not the path `/`.
    pub path_strip_trailing_slash_unless_empty: bool,
    /// The query in lower case.
    pub query_lowercase: bool,
    /// Session ids go from the query.
    pub query_strip_session_id: bool,
    /// Parameters in order.
    pub query_alpha_reorder: bool,
    /// An empty query goes with its `?`.
    pub query_strip_empty: bool,
    /// Heritrix: upper case stays.
    pub preserve_case: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            flavor: Flavor::Python,
            with_scheme: false,
            trailing_comma: false,
            reverse_ipaddr: true,
            surt: true,
            host_lowercase: true,
            host_massage: true,
            port_strip_default: true,
            path_lowercase: true,
            path_strip_session_id: true,
            path_strip_empty: false,
            path_strip_trailing_slash_unless_empty: true,
            query_lowercase: true,
            query_strip_session_id: true,
            query_alpha_reorder: true,
            query_strip_empty: true,
            preserve_case: false,
        }
    }
}

impl Options {
    /// The defaults of a flavor.
    pub fn of(flavor: Flavor) -> Options {
        Options { flavor, ..Options::default() }
    }

    /// No rule of the Internet Archive acts: what is left is Safe Browsing's canonical URL of 2009,
    /// with its port.
    pub fn basic(flavor: Flavor) -> Options {
        Options {
            flavor,
            with_scheme: true,
            surt: false,
            host_lowercase: false,
            host_massage: false,
            port_strip_default: false,
            path_lowercase: false,
            path_strip_session_id: false,
            path_strip_trailing_slash_unless_empty: false,
            query_lowercase: false,
            query_strip_session_id: false,
            query_alpha_reorder: false,
            query_strip_empty: false,
            ..Options::default()
        }
    }

    /// The URL in lower case of scheme and host, without default port and empty query, and nothing
    /// else: `OrdinaryIAURLCanonicalizer`.
    pub fn ordinary(flavor: Flavor) -> Options {
        Options { host_lowercase: true, port_strip_default: true, query_strip_empty: true, ..Options::basic(flavor) }
    }
}

macro_rules! by_name {
    ($($name:ident)*) => {
        impl Options {
            /// The names of the options that are on or off.
            pub const NAMES: &[&str] = &[$(stringify!($name)),*];

            /// Switches one, by name; false: there is none of this name.
            pub fn set(&mut self, name: &str, on: bool) -> bool {
                match name {
                    $(stringify!($name) => self.$name = on,)*
                    _ => return false,
                }
                true
            }
        }
    };
}

by_name! {
    with_scheme trailing_comma reverse_ipaddr surt host_lowercase host_massage port_strip_default path_lowercase
    path_strip_session_id path_strip_empty path_strip_trailing_slash_unless_empty query_lowercase
    query_strip_session_id query_alpha_reorder query_strip_empty preserve_case
}

/// What a key is made in; kept, it saves allocations.
#[derive(Debug, Default)]
pub struct Scratch {
    text: Vec<u8>,
    host: Vec<u8>,
    spare: Vec<u8>,
    spans: Vec<(usize, usize)>,
    fields: Vec<query::Field>,
    heads: Vec<query::Head>,
}

/// The SURT of any bytes.
///
/// ```
/// use urlkey::forms::surt::{Flavor, Options, surt};
/// assert_eq!(surt(b"http://www.Example.com:80/a/../B/?c&a=1", &Options::default()), b"com,example)/b?a=1&c");
/// assert_eq!(surt(b"http://u@example.com:8080/", &Options::of(Flavor::Heritrix)), b"http://(com,example,:8080@u)/");
/// ```
pub fn surt(url: &[u8], options: &Options) -> Vec<u8> {
    let mut key = Vec::with_capacity(url.len() + 16);
    write(url, options, &mut Scratch::default(), &mut key);
    key
}

/// Appends the SURT of any bytes to `key`.
pub fn write(url: &[u8], options: &Options, scratch: &mut Scratch, key: &mut Vec<u8>) {
    match *options == Options::default() {
        true => write_default(url, scratch, key),
        false => write_long(url, options, scratch, key),
    }
}

/// Appends the SURT under the default options.
#[inline]
pub fn write_default(url: &[u8], scratch: &mut Scratch, key: &mut Vec<u8>) {
    let options = Options::default();
    if !plain::write(url, &options, scratch, key) {
        write_long(url, &options, scratch, key);
    }
}

fn write_long(url: &[u8], options: &Options, scratch: &mut Scratch, key: &mut Vec<u8>) {
    match options.flavor {
        Flavor::Heritrix => heritrix::write(url, options, key),
        _ if url.is_empty() => key.push(b'-'),
        Flavor::Python if url.starts_with(b"filedesc") => key.extend_from_slice(url),
        Flavor::Python => {
            let mut text = std::mem::take(&mut scratch.text);
            match cut::python(url, &mut text) {
                Some(parts) => write_parts(&parts, options, scratch, key),
                None => key.push(b'-'),
            }
            scratch.text = text;
        }
        Flavor::Java => write_java(url, options, scratch, key),
    }
}

fn write_java(url: &[u8], options: &Options, scratch: &mut Scratch, key: &mut Vec<u8>) {
    if url.starts_with(b"filedesc") || url.starts_with(b"warcinfo") {
        return key.extend_from_slice(url);
    }
    if let Some(name) = url.strip_prefix(b"dns:") {
        if !options.surt {
            return key.extend_from_slice(if options.with_scheme { url } else { name });
        }
        host::reverse(name, true, key);
        return key.push(b')');
    }
    let mut text = std::mem::take(&mut scratch.text);
    match cut::java(url, &mut text) {
        Some(parts) => write_parts(&parts, options, scratch, key),
        // What stands before `(` is cut as a scheme would be; without one the input is the key.
        None => key.extend_from_slice(match text.iter().position(|&byte| byte == b'(') {
            Some(open) if options.surt && !options.with_scheme => &text[open + 1..],
            _ => url,
        }),
    }
    scratch.text = text;
}

fn write_parts(parts: &Parts<'_>, options: &Options, scratch: &mut Scratch, key: &mut Vec<u8>) {
    host::canonical(parts.host, options, scratch);
    let java = options.flavor == Flavor::Java;
    let authority = !scratch.host.is_empty() || java || matches!(parts.port, Port::Text(_));
    if authority {
        write_authority(parts, options, &scratch.host, key);
    } else {
        write_scheme(parts, java, key);
        key.push(b':');
    }
    let begin = key.len();
    path::write(parts.path, authority, options, scratch, key);
    let path_is_empty = key.len() == begin;
    if let Some(query) = parts.query {
        query::write(query, path_is_empty, options, scratch, key);
    }
}

fn write_scheme(parts: &Parts<'_>, lower: bool, key: &mut Vec<u8>) {
    let begin = key.len();
    key.extend_from_slice(parts.scheme);
    if lower {
        key[begin..].make_ascii_lowercase();
    }
}

fn write_authority(parts: &Parts<'_>, options: &Options, host: &[u8], key: &mut Vec<u8>) {
    let java = options.flavor == Flavor::Java;
    if options.with_scheme {
        write_scheme(parts, java && options.host_lowercase, key);
        key.extend_from_slice(b"://");
        if options.surt {
            key.push(b'(');
        }
    }
    match options.surt && (options.reverse_ipaddr || !host::is_quad(host)) {
        true => host::reverse(host, java, key),
        false => key.extend_from_slice(host),
    }
    let default = match parts.scheme {
        scheme if scheme.eq_ignore_ascii_case(b"http") => 80,
        scheme if scheme.eq_ignore_ascii_case(b"https") => 443,
        _ => 0,
    };
    match parts.port {
        Port::None => {}
        Port::Number(number) if number == default && options.port_strip_default => {}
        // The original takes 0 for no port.
        Port::Number(0) if !java => {}
        Port::Number(number) => key.extend_from_slice(format!(":{number}").as_bytes()),
        Port::Text(text) => {
            key.push(b':');
            let begin = key.len();
            key.extend_from_slice(text);
            key[begin..].make_ascii_lowercase();
            escape::escape(begin, false, &mut Vec::new(), key);
        }
    }
    if options.surt {
        if options.trailing_comma {
            key.push(b',');
        }
        key.push(b')');
    }
}

#[cfg(test)]
mod tests;
