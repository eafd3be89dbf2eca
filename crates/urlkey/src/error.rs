//! What can be wrong with a URL: the fatal `ParseError` and the non-fatal
//! `Violation`, both named by a `Code`. Must not know where a text came from.

use std::fmt;

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $says:literal;)*) => {
        /// A cause, under the name the URL Standard gives it where it has one
        /// (<https://url.spec.whatwg.org/#validation-error>).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code { $($(#[$doc])* #[doc = $says] $variant,)* }

        impl Code {
            /// Every code, in the Standard's order, urlkey's own last.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// The stable slug, as the Standard spells it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $name,)* }
            }

            /// One sentence: what was found or what is allowed; lower case, no full stop.
            pub const fn says(self) -> &'static str {
                match self { $(Code::$variant => $says,)* }
            }
        }
    };
}

codes! {
    DomainToAscii = "domain-to-ASCII", "the host is not a domain that UTS #46 can write in ASCII";
    DomainToUnicode = "domain-to-Unicode", "the host cannot be written in Unicode";
    DomainInvalidCodePoint = "domain-invalid-code-point", "the host holds a code point that no domain may hold";
    HostInvalidCodePoint = "host-invalid-code-point", "the opaque host holds a code point that no host may hold";
    Ipv4EmptyPart = "IPv4-empty-part", "the IPv4 address ends with a dot";
    Ipv4TooManyParts = "IPv4-too-many-parts", "the IPv4 address has more than four parts";
    Ipv4NonNumericPart = "IPv4-non-numeric-part", "the host ends in a number, but a part of it is none";
    Ipv4NonDecimalPart = "IPv4-non-decimal-part", "the IPv4 address has an octal or hexadecimal part";
    Ipv4OutOfRangePart = "IPv4-out-of-range-part", "a part of the IPv4 address is above 255";
    Ipv6Unclosed = "IPv6-unclosed", "the IPv6 address lacks its closing bracket";
    Ipv6InvalidCompression = "IPv6-invalid-compression", "the IPv6 address begins with a single colon";
    Ipv6TooManyPieces = "IPv6-too-many-pieces", "the IPv6 address has more than eight pieces";
    Ipv6MultipleCompression = "IPv6-multiple-compression", "the IPv6 address is compressed in more than one place";
    Ipv6InvalidCodePoint = "IPv6-invalid-code-point", "the IPv6 address holds what is neither a hexadecimal digit nor a colon, or ends with a colon";
    Ipv6TooFewPieces = "IPv6-too-few-pieces", "the IPv6 address has fewer than eight pieces and no compression";
    Ipv4InIpv6TooManyPieces = "IPv4-in-IPv6-too-many-pieces", "the IPv4 address inside the IPv6 address begins after the sixth piece";
    Ipv4InIpv6InvalidCodePoint = "IPv4-in-IPv6-invalid-code-point", "the IPv4 address inside the IPv6 address is not four decimal parts without leading zeros";
    Ipv4InIpv6OutOfRangePart = "IPv4-in-IPv6-out-of-range-part", "a part of the IPv4 address inside the IPv6 address is above 255";
    Ipv4InIpv6TooFewParts = "IPv4-in-IPv6-too-few-parts", "the IPv4 address inside the IPv6 address has fewer than four parts";
    InvalidUrlUnit = "invalid-URL-unit", "a code point that is not a URL unit";
    SpecialSchemeMissingFollowingSolidus = "special-scheme-missing-following-solidus", "the scheme is not followed by //";
    MissingSchemeNonRelativeUrl = "missing-scheme-non-relative-URL", "no scheme, and no base that a relative reference could be resolved against";
    InvalidReverseSolidus = "invalid-reverse-solidus", "a backslash where a slash belongs";
    InvalidCredentials = "invalid-credentials", "the URL carries credentials";
    HostMissing = "host-missing", "the scheme demands a host, and there is none";
    PortOutOfRange = "port-out-of-range", "the port is above 65535";
    PortInvalid = "port-invalid", "the port is not a decimal number";
    FileInvalidWindowsDriveLetter = "file-invalid-Windows-drive-letter", "a relative file reference begins with a Windows drive letter";
    FileInvalidWindowsDriveLetterHost = "file-invalid-Windows-drive-letter-host", "a file URL has a Windows drive letter for a host";
    NotAnIpAddress = "not-an-IP-address", "neither an IPv4 address of four decimal parts nor an IPv6 address";
    ZoneId = "zone-id", "the address has a zone id, which only one machine can tell the meaning of";
    NotAHash = "not-a-hash", "the line is no prefix of a SHA-256, 4 to 32 bytes in the spelling of its list";
    BadPattern = "bad-pattern", "the line is no pattern of its dialect";
    TooLong = "too-long", "the text is longer than the policy's limit";
    NotUtf8 = "not-utf8", "bytes that are not UTF-8 where they cannot be escaped as themselves";
    Surrogate = "surrogate", "a lone surrogate, which no UTF-8 text can hold";
    NoUrl = "no-url", "the row is None: it has no URL";
    SetterIgnored = "setter-ignored", "the URL Standard ignores this change";
    BadPolicy = "bad-policy", "the policy cannot be used";
    BadRule = "bad-rule", "a rule cannot be used";
    PolicyMismatch = "policy-mismatch", "the keys were made under another policy";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a text is no URL, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParseError {
    /// The cause.
    pub code: Code,
    /// Byte offset in the original text as UTF-8.
    pub at: usize,
}

impl ParseError {
    /// An error of this cause at this byte.
    pub const fn new(code: Code, at: usize) -> ParseError {
        ParseError { code, at }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (byte {})", self.code.says(), self.at)
    }
}

impl std::error::Error for ParseError {}

/// An oddity that the URL Standard notes and parses through all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Violation {
    /// The Standard's validation error.
    pub code: Code,
    /// Byte offset in the original text as UTF-8.
    pub at: usize,
}
