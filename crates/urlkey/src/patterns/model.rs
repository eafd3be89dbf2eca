//! What a pattern says, whatever its dialect: which hosts, which paths, and what
//! else must hold. Must not know how any of it is looked up.

use crate::error::Code;

/// How many labels may stand before the host that a pattern names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Depths {
    pub least: u8,
    /// `u8::MAX`: any number.
    pub most: u8,
}

impl Depths {
    /// This very host.
    pub const EXACT: Depths = Depths { least: 0, most: 0 };
    /// The host and all below.
    pub const AT_OR_BELOW: Depths = Depths { least: 0, most: u8::MAX };
    /// All below, not the host.
    pub const BELOW: Depths = Depths { least: 1, most: u8::MAX };

    pub fn exactly(labels: u8) -> Depths {
        Depths { least: labels, most: labels }
    }

    pub fn holds(self, labels: usize) -> bool {
        labels >= usize::from(self.least) && (self.most == u8::MAX || labels <= usize::from(self.most))
    }
}

/// Which hosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Any, also none.
    Any,
    /// Those that end in these labels.
    Tail { host: String, depths: Depths },
    /// Those that have these labels behind so many others; `more`: and another after them.
    Head { host: String, depths: Depths, more: bool },
    /// What an expression matches.
    Expression { field: Field, text: String },
}

/// What an expression is searched in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Field {
    /// The URL, unescaped.
    Url,
    /// Path and query, unescaped.
    Path,
    /// The host.
    Host,
    /// Host, path and query in lower case.
    Tokens,
}

/// What must follow the prefix of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum End {
    /// Anything.
    Any,
    /// Nothing.
    Whole,
    /// Nothing but a query.
    File,
    /// Nothing, or a separator of tokens.
    Token,
    /// Something.
    More,
}

/// The separators of tokens in PAN-OS.
pub(super) const SEPARATORS: &[u8] = b"./?&=;+";

impl End {
    pub fn holds(self, rest: &[u8]) -> bool {
        match self {
            End::Any => true,
            End::Whole => rest.is_empty(),
            End::File => rest.first().is_none_or(|&byte| byte == b'?'),
            End::Token => rest.first().is_none_or(|byte| SEPARATORS.contains(byte)),
            End::More => !rest.is_empty(),
        }
    }
}

/// A field of a query that must be there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Condition {
    /// `key=value` or `key`.
    pub text: String,
    /// Any field that begins so will do.
    pub prefix: bool,
    /// Every field that begins with so many bytes of the text must fulfil it.
    pub all: Option<usize>,
}

/// A pattern, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    pub target: Target,
    /// With the leading `/`; empty for any.
    pub path: String,
    pub end: End,
    pub scheme: Option<String>,
    pub port: Option<u16>,
    pub query: Vec<Condition>,
}

impl Pattern {
    pub fn new(target: Target) -> Pattern {
        Pattern { target, path: String::new(), end: End::Any, scheme: None, port: None, query: Vec::new() }
    }
}

/// Why a pattern matches, as far as its kind says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Why {
    pub host: &'static str,
    pub path: bool,
    pub query: bool,
    pub scheme: bool,
    pub port: bool,
}

impl Why {
    pub fn of(pattern: &Pattern) -> Why {
        let host = match &pattern.target {
            Target::Any => "any host",
            Target::Tail { depths: Depths::EXACT, .. } => "the host",
            Target::Tail { depths: Depths::AT_OR_BELOW, .. } => "the host or one below",
            Target::Tail { depths: Depths { least: 0, .. }, .. } => "the host or one up to 5 levels below",
            Target::Tail { .. } => "a host below",
            Target::Head { depths: Depths::EXACT, .. } => "how the host begins",
            Target::Head { .. } => "labels within the host",
            Target::Expression { field: Field::Url, .. } => "an expression in the URL",
            Target::Expression { field: Field::Path, .. } => "an expression in path and query",
            Target::Expression { field: Field::Host, .. } => "an expression in the host",
            Target::Expression { field: Field::Tokens, .. } => "wildcards over host and path",
        };
        Why {
            host,
            path: !matches!((pattern.path.as_str(), pattern.end), ("" | "/", End::Any)),
            query: !pattern.query.is_empty(),
            scheme: pattern.scheme.is_some(),
            port: pattern.port.is_some(),
        }
    }

    /// For eyes: `the host or one below, its path`.
    pub fn says(self) -> String {
        let parts = [
            (self.scheme, ", its scheme"),
            (self.port, ", its port"),
            (self.path, ", its path"),
            (self.query, ", its query"),
        ];
        parts.iter().filter(|(holds, _)| *holds).fold(self.host.to_owned(), |said, (_, part)| said + part)
    }
}

/// Why a line is no pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub code: Code,
    /// Byte offset in the line.
    pub at: usize,
    pub says: &'static str,
}

impl Fault {
    pub fn new(at: usize, says: &'static str) -> Fault {
        Fault { code: Code::BadPattern, at, says }
    }

    pub fn coded(code: Code, at: usize) -> Fault {
        Fault { code, at, says: code.says() }
    }
}

pub(super) type Read<T> = Result<T, Fault>;
