//! Why a URL is refused: one list of codes. Must not know how any is found.

use std::fmt;

use crate::ladder::Part;

macro_rules! reasons {
    ($($(#[$doc:meta])* $variant:ident = $group:ident $name:literal, $says:literal;)*) => {
        /// A cause of refusal.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Why { $($(#[$doc])* #[doc = $says] $variant,)* }

        impl Why {
            /// Every cause: of the spelling, of the destination, of resolved addresses.
            pub const ALL: &'static [Why] = &[$(Why::$variant,)*];

            /// The stable slug.
            pub const fn as_str(self) -> &'static str {
                match self { $(Why::$variant => $name,)* }
            }

            /// One sentence: what was found; lower case, no full stop.
            pub const fn says(self) -> &'static str {
                match self { $(Why::$variant => $says,)* }
            }

            /// Where the cause lies.
            pub const fn group(self) -> Group {
                match self { $(Why::$variant => Group::$group,)* }
            }
        }
    };
}

/// Where a cause of refusal lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// In how the URL is written: parsers read it differently. Strict checks alone.
    Spelling,
    /// In where it leads.
    Destination,
    /// In what its host resolves to.
    Resolved,
}

impl Group {
    /// The name in documents.
    pub const fn as_str(self) -> &'static str {
        match self {
            Group::Spelling => "spelling",
            Group::Destination => "destination",
            Group::Resolved => "resolved",
        }
    }
}

reasons! {
    NotUtf8 = Spelling "not-utf8", "bytes that are not UTF-8, or a lone surrogate";
    ControlCharacter = Spelling "control-character", "a control character: tabs and line breaks are dropped by some parsers and kept by others";
    WhiteSpace = Spelling "white-space", "white space, which parsers trim, escape, keep or refuse";
    Backslash = Spelling "backslash", "a backslash, which is a slash to some parsers and part of a name to others";
    Slashes = Spelling "slashes", "not exactly two slashes after the scheme";
    AtSignOutside = Spelling "at-sign-outside", "an @ behind ? or # that follow the host without a slash: what stands before it is userinfo to some parsers";
    PercentEncodedHost = Spelling "percent-encoded-host", "an escape in the host, which some parsers decode and others do not";
    NumberFormIpv4 = Spelling "number-form-ipv4", "an IPv4 address that is not four decimal parts, which is a name to some parsers";
    EmbeddedIpv4 = Spelling "embedded-ipv4", "an IPv6 address with an IPv4 address in it, which checks of IPv4 addresses miss";
    ZoneId = Spelling "zone-id", "an IPv6 address with a zone id, which some parsers drop";
    IdnMapped = Spelling "idn-mapped", "a host beyond ASCII that becomes another one in standard form: full-width letters and digits, other dots, characters that vanish";
    IdnDeviation = Spelling "idn-deviation", "a host that is another one under IDNA 2003: ß, ς, joiners, and letters whose case came later";
    IdnSymbol = Spelling "idn-symbol", "a host with a symbol or punctuation beyond ASCII, such as another slash: no letter, mark or digit";
    TrailingDot = Spelling "trailing-dot", "a dot behind the host, which comparisons of names miss";
    EmptyPort = Spelling "empty-port", "a colon and no port";
    PortLeadingZero = Spelling "port-leading-zero", "zeros in front of the port";
    NoUrl = Destination "no-url", "the text is no URL; the sentence has the code of the error";
    TooLong = Destination "too-long", "the text or the URL is longer than the limit";
    Scheme = Destination "scheme", "a scheme that is not allowed";
    Port = Destination "port", "a port that is not allowed";
    Userinfo = Destination "userinfo", "something before an @ in front of the host, which some parsers take for the host";
    HostCharacter = Destination "host-character", "a character in the host that is no letter, digit, hyphen or underscore";
    HostLabel = Destination "host-label", "a label that begins or ends with a hyphen, or a name or label longer than the DNS has";
    Punycode = Destination "punycode", "a label that begins with xn-- and is not what IDNA writes";
    EmptyLabel = Destination "empty-label", "a host with an empty label, which cannot resolve";
    SingleLabel = Destination "single-label", "a name of one label, which only a network's own search list finds";
    PrivateName = Destination "private-name", "a name of this machine, of private networks, or one that resolves to any address";
    SpecialUseName = Destination "special-use-name", "a name that is in no public DNS: .onion, .invalid and others";
    PrivateAddress = Destination "private-address", "an IP address that is not globally reachable, or a service of a cloud";
    RedirectorLoop = Destination "redirector-loop", "more layers of redirectors than anybody needs, or layers that come back to themselves";
    RedirectTarget = Destination "redirect-target", "the target that a known redirector holds is refused";
    NoAddress = Resolved "no-address", "the host resolves to no address";
    NotAnAddress = Resolved "not-an-address", "what the host is said to resolve to is no IP address, or has a zone id";
    ResolvedAddress = Resolved "resolved-address", "the host resolves to an address that is not globally reachable, or to a service of a cloud";
    OtherAddress = Resolved "other-address", "the host is an address, and is said to resolve to another";
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One thing that speaks against a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The cause.
    pub code: Why,
    /// Byte offset in the text as it was given; none where no byte is to blame.
    pub at: Option<usize>,
    /// The part of the URL that the byte is in.
    pub part: Option<Part>,
    /// One sentence about this URL: lower case, no full stop.
    pub text: String,
}

impl Reason {
    /// A cause that its own sentence says all about.
    pub(super) fn of(code: Why, at: usize, part: Option<Part>) -> Reason {
        Reason { code, at: Some(at), part, text: code.says().to_owned() }
    }

    /// A cause with a sentence about this URL.
    pub(super) fn told(code: Why, at: usize, part: Option<Part>, text: String) -> Reason {
        Reason { code, at: Some(at), part, text }
    }
}
