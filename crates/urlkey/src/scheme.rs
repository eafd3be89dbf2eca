//! Schemes that the URL Standard treats apart. Knows names and ports, nothing of URLs.

/// A scheme, as far as the parser cares
/// (<https://url.spec.whatwg.org/#special-scheme>).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Scheme {
    #[default]
    Other,
    Blob,
    File,
    Ftp,
    Http,
    Https,
    Ws,
    Wss,
}

impl Scheme {
    /// The scheme of this lower-case name.
    pub(crate) fn of(name: &str) -> Scheme {
        match name {
            "blob" => Scheme::Blob,
            "file" => Scheme::File,
            "ftp" => Scheme::Ftp,
            "http" => Scheme::Http,
            "https" => Scheme::Https,
            "ws" => Scheme::Ws,
            "wss" => Scheme::Wss,
            _ => Scheme::Other,
        }
    }

    pub(crate) fn is_special(self) -> bool {
        !matches!(self, Scheme::Other | Scheme::Blob)
    }

    pub(crate) fn default_port(self) -> Option<u16> {
        match self {
            Scheme::Ftp => Some(21),
            Scheme::Http | Scheme::Ws => Some(80),
            Scheme::Https | Scheme::Wss => Some(443),
            _ => None,
        }
    }
}
