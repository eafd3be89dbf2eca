//! The ladder: every step that may rewrite a URL, in running order, what each
//! costs, and the `Trace` that watches them. Knows the names of the rungs, not
//! which of them a policy enables.

use crate::error::{Code, Violation};
use crate::origins::{self, Origins};
use crate::url::Url;

/// How much a step may lose, in rising order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Loss {
    /// A specification calls the spellings equivalent, or forbids one of them.
    None,
    /// The server never sees the difference.
    Client,
    /// Tracking, parameter order: the same page nearly everywhere.
    Usual,
    /// The same page on some sites only.
    Site,
}

impl Loss {
    /// All classes, lowest first.
    pub const ALL: [Loss; 4] = [Loss::None, Loss::Client, Loss::Usual, Loss::Site];

    /// The name in files and reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Loss::None => "none",
            Loss::Client => "client",
            Loss::Usual => "usual",
            Loss::Site => "site",
        }
    }
}

/// What a step is: one row of LADDER.md.
#[derive(Debug, PartialEq, Eq)]
pub struct Meta {
    /// Verb and part, as policies and reports write it.
    pub name: &'static str,
    /// What it does, in one sentence; `explain` prints it, the docs show it.
    pub rule: &'static str,
    /// The section or anchor that says so.
    pub section: &'static str,
    /// What it may lose.
    pub loss: Loss,
    /// Raised whenever keys change; part of the policy id.
    pub revision: u32,
    /// The word for the difference it removes, of `compare`'s vocabulary.
    pub reason: &'static str,
    /// Before and after, with this step alone on top of parse.
    pub example: (&'static str, &'static str),
}

/// A part of a URL, for steps of the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// `https:`
    Scheme,
    /// `//`
    Slashes,
    /// `user:password@`
    Userinfo,
    /// `example.com`
    Host,
    /// `:8080`
    Port,
    /// `/a/b`
    Path,
    /// `?a=1`
    Query,
    /// `#top`
    Fragment,
}

impl Part {
    /// The name in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Part::Scheme => "scheme",
            Part::Slashes => "slashes",
            Part::Userinfo => "userinfo",
            Part::Host => "host",
            Part::Port => "port",
            Part::Path => "path",
            Part::Query => "query",
            Part::Fragment => "fragment",
        }
    }
}

/// Watches a URL on its way down the ladder. `Off` compiles to nothing.
pub trait Trace {
    /// Whether anybody is watching: the parser then goes step by step.
    const ON: bool;
    /// A step rewrote the text as a whole: a repair, the resolution against a base.
    fn text(&mut self, _step: &'static Meta, _after: &str) {}
    /// The parser took this text for that part, delimiters included; told once a part, before its steps.
    fn raw(&mut self, _part: Part, _text: &str) {}
    /// A step of the parser rewrote one part; `after` includes its delimiter (`:8080`, `?a=1`).
    fn part(&mut self, _step: &'static Meta, _part: Part, _after: &str) {}
    /// A rung rewrote the URL; `rule` is the `file:line` of the row that said so, if one did.
    fn url(&mut self, _step: &'static Meta, _after: &Url, _rule: Option<&str>) {}
    /// A site rule, `file:line`, switches a rung on or off that the policy has off or on.
    fn switched(&mut self, _step: &'static Meta, _on: bool, _rule: &str) {}
    /// A rung would have acted, and its result was refused.
    fn refused(&mut self, _step: &'static Meta, _why: &'static str) {}
    /// The text was changed before it was read on: offsets told from now on are of the new one.
    fn moved(&mut self, _by: &Origins) {}
    /// The Standard notes a validation error here.
    fn violation(&mut self, _code: Code, _at: usize) {}
}

/// Nobody is watching.
pub struct Off;

impl Trace for Off {
    const ON: bool = false;
}

/// Collects validation errors alone.
#[derive(Default)]
pub struct Violations(pub Vec<Violation>, Vec<Origins>);

impl Trace for Violations {
    const ON: bool = true;
    fn moved(&mut self, by: &Origins) {
        self.1.push(by.clone());
    }
    fn violation(&mut self, code: Code, at: usize) {
        self.0.push(Violation { code, at: origins::first(&self.1, at) });
    }
}
