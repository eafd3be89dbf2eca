//! What a caller lets through: schemes, ports, and what of the caller's own
//! network. Must not know how a URL is read.

use std::sync::OnceLock;

use crate::domain::HostPattern;
use crate::error::Code;
use crate::ip::{Address, classify};
use crate::policy::PolicyError;
use crate::policy::read::{File, Table};
use crate::scheme::Scheme;

/// Bytes of the longest URL unless a caller says otherwise: what RFC 9110, section
/// 4.1, asks everybody to support.
pub const LONGEST: usize = 8000;

/// Ports unless a caller says otherwise: those of http and https.
pub const PORTS: [u16; 2] = [80, 443];

/// Schemes unless a caller says otherwise.
pub const SCHEMES: [&str; 2] = ["http", "https"];

/// Those whose host every client finds in one place.
const POSSIBLE_SCHEMES: [&str; 5] = ["http", "https", "ws", "wss", "ftp"];

/// The ports that are let through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ports {
    /// These alone.
    Listed(Vec<u16>),
    /// All but those of `data/rules/bad_ports.toml`.
    NotBad,
}

impl Ports {
    pub(super) fn allow(&self, port: u16) -> bool {
        match self {
            Ports::Listed(ports) => ports.contains(&port),
            Ports::NotBad => !bad_ports().contains(&port),
        }
    }

    pub(super) fn says(&self) -> String {
        match self {
            Ports::Listed(ports) => {
                let all: Vec<String> = ports.iter().map(u16::to_string).collect();
                all.join(", ")
            }
            Ports::NotBad => "those that the Fetch Standard does not block".to_owned(),
        }
    }
}

/// One thing of a network of one's own that is let through.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Own {
    /// Addresses that share so many first bits with this one.
    Network(Address, u32),
    /// Names.
    Host(HostPattern),
}

/// What a check lets through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Refuse spellings that parsers read differently, instead of repairing them.
    pub(super) strict: bool,
    /// Bytes of the longest text and href.
    pub(super) longest: usize,
    pub(super) schemes: Vec<String>,
    pub(super) ports: Ports,
    own: Vec<Own>,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            strict: true,
            longest: LONGEST,
            schemes: SCHEMES.map(str::to_owned).to_vec(),
            ports: Ports::Listed(PORTS.to_vec()),
            own: Vec::new(),
        }
    }
}

impl Rules {
    /// Repair spellings as the URL Standard does, instead of refusing them.
    #[must_use]
    pub fn lenient(mut self) -> Rules {
        self.strict = false;
        self
    }

    /// Bytes of the longest text and href.
    #[must_use]
    pub fn with_longest(mut self, longest: usize) -> Rules {
        self.longest = longest;
        self
    }

    /// These schemes alone: of http, https, ws, wss and ftp.
    pub fn with_schemes<'a>(mut self, schemes: impl IntoIterator<Item = &'a str>) -> Result<Rules, String> {
        self.schemes.clear();
        for scheme in schemes {
            if !POSSIBLE_SCHEMES.contains(&scheme) {
                return Err(format!("scheme {scheme:?} cannot be allowed; allowed: {}", POSSIBLE_SCHEMES.join(", ")));
            }
            self.schemes.push(scheme.to_owned());
        }
        Ok(self)
    }

    /// These ports alone.
    #[must_use]
    pub fn with_ports(mut self, ports: Ports) -> Rules {
        self.ports = ports;
        self
    }

    /// What would be refused as private, and is the caller's own to let through:
    /// an address, a network (`10.1.0.0/16`), a host, or a host and all below
    /// (`*.corp.example`). A host lets its name through, not what it resolves to.
    pub fn with_own<'a>(mut self, own: impl IntoIterator<Item = &'a str>) -> Result<Rules, String> {
        for text in own {
            self.own.push(parse_own(text)?);
        }
        Ok(self)
    }

    /// Whether a caller has let this very address through.
    pub(super) fn own_address(&self, address: Address) -> bool {
        self.own.iter().any(|own| matches!(own, Own::Network(first, bits) if within(address, *first, *bits)))
    }

    /// Whether a caller has let this name through.
    pub(super) fn own_host(&self, host: &str) -> bool {
        self.own.iter().any(|own| matches!(own, Own::Host(pattern) if pattern.matches(host)))
    }

    /// Whether an address may be connected to.
    pub(super) fn may_dial(&self, address: Address) -> bool {
        classify(address).is_global() || self.own_address(address)
    }
}

/// The port of a scheme that needs none in the URL.
pub(super) fn default_port(scheme: &str) -> Option<u16> {
    Scheme::of(scheme).default_port()
}

fn within(address: Address, first: Address, bits: u32) -> bool {
    match (first, address) {
        (Address::V4(first), Address::V4(address)) => (first ^ address).checked_shr(32 - bits).unwrap_or(0) == 0,
        (Address::V6(first), Address::V6(address)) => (first ^ address).checked_shr(128 - bits).unwrap_or(0) == 0,
        _ => false,
    }
}

fn parse_own(text: &str) -> Result<Own, String> {
    let wrong = || format!("{text:?} is none of 10.1.2.3, 10.1.0.0/16, fd00::/8, intranet.example, *.intranet.example");
    if let Some((first, bits)) = text.split_once('/') {
        let first = Address::parse(first).map_err(|_| wrong())?;
        let most = if matches!(first, Address::V4(_)) { 32 } else { 128 };
        let bits = bits.parse().ok().filter(|bits| *bits <= most).ok_or_else(wrong)?;
        return match host_bits(first, bits) {
            true => Err(format!("{text:?} has bits set beyond its length")),
            false => Ok(Own::Network(first, bits)),
        };
    }
    if let Ok(address) = Address::parse(text) {
        return Ok(Own::Network(address, if matches!(address, Address::V4(_)) { 32 } else { 128 }));
    }
    let pattern = HostPattern::parse(text).map_err(|_| wrong())?;
    match text == "*" || text.contains('<') || !pattern.to_string().contains(|c: char| c.is_ascii_alphabetic()) {
        true => Err(wrong()),
        false => Ok(Own::Host(pattern)),
    }
}

/// Whether bits are set behind the first `bits`.
fn host_bits(first: Address, bits: u32) -> bool {
    match first {
        Address::V4(first) => first.checked_shl(bits).unwrap_or(0) != 0,
        Address::V6(first) => first.checked_shl(bits).unwrap_or(0) != 0,
    }
}

/// The ports of the file. Were it broken, every port would be bad; a test reads it.
fn bad_ports() -> &'static [u16] {
    static ONCE: OnceLock<Vec<u16>> = OnceLock::new();
    ONCE.get_or_init(|| read_bad_ports().unwrap_or_else(|_| (0..=u16::MAX).collect()))
}

fn read_bad_ports() -> Result<Vec<u16>, PolicyError> {
    let file = File::new("rules/bad_ports.toml", include_str!("../../data/rules/bad_ports.toml"), Code::BadRule);
    let parsed = file.parse()?;
    let root = Table::new(&file, 0, &parsed, "key", &["version", "source", "ports"])?;
    root.need("version", root.int("version", 1, u64::from(u32::MAX))?, "1")?;
    root.need("source", root.text("source")?, "\"...\"")?;
    let words = root.need("ports", root.text("ports")?, "\"25 110\"")?.split_ascii_whitespace();
    words
        .map(|word| word.parse().map_err(|_| file.error(0, format!("{word:?} is no port; allowed: 0 to 65535"))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_bad_ports_can_be_read() {
        let ports = read_bad_ports().unwrap();
        assert!(ports.is_sorted() && ports.len() > 75);
        assert!(!Ports::NotBad.allow(25) && !Ports::NotBad.allow(0) && Ports::NotBad.allow(8080));
    }

    #[test]
    fn own_networks_hold_what_they_say_and_nothing_else() {
        let rules = Rules::default().with_own(["10.1.0.0/16", "fd00::/8", "127.0.0.2", "*.corp.example"]).unwrap();
        for (text, yes) in [
            ("10.1.255.1", true),
            ("10.2.0.1", false),
            ("127.0.0.2", true),
            ("127.0.0.1", false),
            ("fdff::1", true),
            ("fe00::1", false),
            ("::ffff:10.1.0.1", false),
            ("::ffff:127.0.0.2", false),
        ] {
            assert_eq!(rules.own_address(Address::parse(text).unwrap()), yes, "{text}");
        }
        assert!(rules.own_host("a.corp.example") && rules.own_host("corp.example."));
        assert!(!rules.own_host("notcorp.example"));
    }

    #[test]
    fn what_cannot_be_let_through_is_an_error() {
        for text in
            ["", "*", "10.0.0.1/8", "10.0.0.0/33", "::/129", "1.2.3.4/x", "a b", "shop.<suffix>", "http://a/", "*.1"]
        {
            assert!(Rules::default().with_own([text]).is_err(), "{text}");
        }
        assert!(Rules::default().with_own(["0.0.0.0/0", "::/0"]).is_ok());
        for scheme in ["foo", "file", "javascript", "HTTP", "http:", ""] {
            assert!(Rules::default().with_schemes([scheme]).is_err(), "{scheme}");
        }
    }
}
