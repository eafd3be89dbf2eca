//! The setters of the URL API (<https://url.spec.whatwg.org/#api>): one part
//! of a URL replaced, as `url.port = "80"` would in a browser. Where the
//! Standard ignores a value in silence, these say so.

use crate::error::{Code, ParseError};
use crate::host::{self, HostKind};
use crate::ladder::Off;
use crate::parse::authority::parse_port;
use crate::parse::scheme_len;
use crate::path;
use crate::percent::{self, FRAGMENT, QUERY, SPECIAL_QUERY, USERINFO};
use crate::scheme::Scheme;
use crate::url::{Options, Url};

/// What the URL API lets a script set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Attribute {
    Href,
    Protocol,
    Username,
    Password,
    Host,
    Hostname,
    Port,
    Pathname,
    Search,
    Hash,
}

type Set = Result<(), ParseError>;

fn ignored() -> Set {
    Err(ParseError::new(Code::SetterIgnored, 0))
}

impl Url {
    /// Sets one attribute as the URL API does.
    ///
    /// Errors: `setter-ignored` where the Standard leaves the URL as it is, or
    /// the cause where it fails to parse the value; the URL is unchanged then.
    pub fn set(&mut self, attribute: Attribute, value: &str) -> Set {
        let given_none = value.is_empty();
        let raw = value;
        // A ? or # in front is taken off first: one behind a tab stays.
        let value = match attribute {
            Attribute::Search => value.strip_prefix('?').unwrap_or(value),
            Attribute::Hash => value.strip_prefix('#').unwrap_or(value),
            _ => value,
        };
        // What goes through the basic URL parser loses tabs and line breaks.
        let clean = value.replace(['\t', '\n', '\r'], "");
        let value = clean.as_str();
        match attribute {
            Attribute::Href => {
                *self = Url::parse(value, &Options::default())?;
                Ok(())
            }
            Attribute::Protocol => self.set_protocol(value),
            Attribute::Username => self.set_credentials(Some(raw), None),
            Attribute::Password => self.set_credentials(None, Some(raw)),
            Attribute::Host => self.set_host_and_port(value, true),
            Attribute::Hostname => self.set_host_and_port(value, false),
            Attribute::Port if given_none && !self.cannot_have_credentials() => {
                self.set_port(None);
                Ok(())
            }
            Attribute::Port => self.set_port_digits(value),
            Attribute::Pathname => self.set_pathname(value),
            Attribute::Search if given_none => {
                self.set_query(None);
                Ok(())
            }
            Attribute::Search => self.set_search(value),
            Attribute::Hash if given_none => {
                self.set_fragment(None);
                Ok(())
            }
            Attribute::Hash => self.set_hash(value),
        }
    }

    /// <https://url.spec.whatwg.org/#scheme-state> with a state override.
    fn set_protocol(&mut self, value: &str) -> Set {
        let text = [value, ":"].concat();
        let Some(len) = scheme_len(text.as_bytes()) else { return ignored() };
        let name = text[..len].to_ascii_lowercase();
        let scheme = Scheme::of(&name);
        let file_barred = scheme == Scheme::File && (self.has_userinfo() || self.port().is_some());
        let hostless_file = self.scheme == Scheme::File && self.host_kind == HostKind::Empty;
        if scheme.is_special() != self.scheme.is_special() || file_barred || hostless_file {
            return ignored();
        }
        self.set_scheme(&name, scheme);
        Ok(())
    }

    /// <https://url.spec.whatwg.org/#cannot-have-a-username-password-port>
    fn cannot_have_credentials(&self) -> bool {
        matches!(self.host_kind, HostKind::None | HostKind::Empty) || self.scheme == Scheme::File
    }

    fn set_credentials(&mut self, username: Option<&str>, password: Option<&str>) -> Set {
        if self.cannot_have_credentials() {
            return ignored();
        }
        let encoded = |new: Option<&str>, old: &str| match new {
            Some(text) => {
                let mut out = String::new();
                percent::encode(text, USERINFO, &mut out);
                out
            }
            None => old.to_owned(),
        };
        let (username, password) = (encoded(username, self.username()), encoded(password, self.password()));
        self.set_userinfo(&username, &password);
        Ok(())
    }

    /// The host state with a state override (<https://url.spec.whatwg.org/#host-state>).
    fn set_host_and_port(&mut self, value: &str, with_port: bool) -> Set {
        if self.opaque_path {
            return ignored();
        }
        let special = self.scheme.is_special();
        let end = value.find(|c| matches!(c, '/' | '?' | '#') || (special && c == '\\')).unwrap_or(value.len());
        let value = &value[..end];
        if self.scheme == Scheme::File {
            return self.set_file_host(value);
        }
        let colon = port_colon(value);
        if colon.is_some() && !with_port {
            return ignored();
        }
        let text = &value[..colon.unwrap_or(value.len())];
        if text.is_empty() && (special || colon.is_some() || self.has_userinfo() || self.port().is_some()) {
            return ignored();
        }
        self.write_host(text)?;
        match colon {
            // A port that is none leaves the host set.
            Some(at) => self.set_port_digits(&value[at + 1..]).or(Ok(())),
            None => Ok(()),
        }
    }

    fn set_file_host(&mut self, value: &str) -> Set {
        let mut host = String::new();
        let mut kind = HostKind::Empty;
        if !value.is_empty() {
            kind = host::parse_host(value, true, 0, &mut host, &mut Off)?;
        }
        if host == "localhost" {
            host.clear();
            kind = HostKind::Empty;
        }
        self.set_host(&host, kind);
        Ok(())
    }

    fn write_host(&mut self, text: &str) -> Set {
        let mut host = String::new();
        let mut kind = HostKind::Empty;
        if !text.is_empty() {
            kind = host::parse_host(text, self.scheme.is_special(), 0, &mut host, &mut Off)?;
        }
        self.set_host(&host, kind);
        Ok(())
    }

    fn set_port_digits(&mut self, value: &str) -> Set {
        if self.cannot_have_credentials() {
            return ignored();
        }
        let digits = value.bytes().take_while(u8::is_ascii_digit).count();
        let Some(port) = parse_port(&value[..digits], 0)? else { return ignored() };
        self.set_port(Some(port));
        Ok(())
    }

    fn set_pathname(&mut self, value: &str) -> Set {
        if self.opaque_path {
            return ignored();
        }
        let mut rest = self.clone();
        rest.path_bits = 0;
        rest.set_query(None);
        rest.set_fragment(None);
        rest.buf.truncate(rest.path_start as usize);
        let special = self.scheme.is_special();
        if !value.is_empty() || special || !self.has_host() {
            let bits = value.bytes().fold(0, |bits, c| bits | percent::CLASS[c as usize]);
            path::append(&mut rest, if value.is_empty() { "/" } else { value }, bits, 0, &mut Off);
        }
        let path = rest.buf[rest.path_start as usize..].to_owned();
        self.set_path(&path);
        self.path_bits = rest.path_bits;
        Ok(())
    }

    fn set_search(&mut self, value: &str) -> Set {
        let mut query = String::new();
        let set = if self.scheme.is_special() { SPECIAL_QUERY } else { QUERY };
        percent::encode(value, set, &mut query);
        self.set_query(Some(&query));
        self.query_bits = value.bytes().fold(0, |bits, c| bits | percent::CLASS[c as usize]);
        Ok(())
    }

    fn set_hash(&mut self, value: &str) -> Set {
        let mut fragment = String::new();
        percent::encode(value, FRAGMENT, &mut fragment);
        self.set_fragment(Some(&fragment));
        Ok(())
    }
}

/// The first `:` outside of brackets.
fn port_colon(text: &str) -> Option<usize> {
    let mut in_brackets = false;
    text.bytes().position(|c| {
        in_brackets = (in_brackets || c == b'[') && c != b']';
        c == b':' && !in_brackets
    })
}
