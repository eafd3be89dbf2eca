//! What a policy says, before it is compiled: rungs, parameters, limits and
//! site rules as plain data. Must not know files, hashes or tables.

use std::sync::Arc;

use super::names::Pattern;
use super::paths::PathPattern;
use super::redirectors::{Decoder, HopKind, Take};
use super::regexes::Rx;
use crate::domain::HostPattern;
use crate::rungs::RungSet;

/// What a tracking parameter is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Which campaign brought the visitor.
    Campaign,
    /// Which click, share or recipient.
    ClickId,
    /// Who is paid.
    Affiliate,
    /// What the visitor did before, on this site.
    Session,
}

impl Kind {
    pub(crate) const ALL: [Kind; 4] = [Kind::Campaign, Kind::ClickId, Kind::Affiliate, Kind::Session];

    /// The name in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::Campaign => "campaign",
            Kind::ClickId => "click-id",
            Kind::Affiliate => "affiliate",
            Kind::Session => "session",
        }
    }
}

/// The parameters of drop_tracking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tracking {
    pub(crate) kinds: Vec<Kind>,
    /// Dropped besides, on any host.
    pub(crate) also: Vec<Pattern>,
    /// Never dropped.
    pub(crate) keep: Vec<Pattern>,
    /// Take rows that may break pages.
    pub(crate) risky: bool,
    /// Take rows that no listed source confirms.
    pub(crate) unverified: bool,
}

impl Default for Tracking {
    fn default() -> Tracking {
        let kinds = vec![Kind::Campaign, Kind::ClickId];
        Tracking { kinds, also: Vec::new(), keep: Vec::new(), risky: false, unverified: false }
    }
}

/// The parameters of unwrap_redirector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unwrap {
    pub(crate) kinds: Vec<HopKind>,
    /// Redirectors of the policy's own: `host/path?param`.
    pub(crate) also: Vec<String>,
    /// Take rules that no listed source confirms.
    pub(crate) unverified: bool,
}

impl Default for Unwrap {
    /// All but other pages than the original, and AMP, which has a rung of its own.
    fn default() -> Unwrap {
        let kinds = [HopKind::Redirector, HopKind::Affiliate, HopKind::Shield, HopKind::Mail, HopKind::Share];
        Unwrap { kinds: kinds.to_vec(), also: Vec::new(), unverified: false }
    }
}

/// Which rungs act, and with which parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rungs {
    pub(crate) on: RungSet,
    pub(crate) tracking: Tracking,
    pub(crate) unwrap: Unwrap,
    /// Names of index files that drop_index drops besides the usual ones.
    pub(crate) index: Vec<Pattern>,
}

/// Bounds of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// A longer text, or a longer key, is refused as too-long.
    pub input_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { input_bytes: 64 * 1024 }
    }
}

/// Where a site rule comes from; the first overrules the later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Layer {
    User,
    Breakage,
    Learned,
    Imported,
    BuiltIn,
}

impl Layer {
    pub(crate) const ALL: [Layer; 5] = [Layer::User, Layer::Breakage, Layer::Learned, Layer::Imported, Layer::BuiltIn];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Layer::User => "user",
            Layer::Breakage => "breakage",
            Layer::Learned => "learned",
            Layer::Imported => "imported",
            Layer::BuiltIn => "built-in",
        }
    }
}

/// How a learned rule fared; decides nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Support {
    pub(crate) trials: u64,
    pub(crate) failures: u64,
    pub(crate) upper: f64,
}

/// A parameter as a site rule names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Name {
    /// `utm_source`, `utm_*`
    Plain(Pattern),
    /// `/utm_[a-z]+/`, which the whole name matches.
    Matching(Rx),
}

impl Name {
    /// As rules write it.
    pub(crate) fn text(&self) -> String {
        match self {
            Name::Plain(pattern) => pattern.text(),
            Name::Matching(rx) => format!("/{}/", rx.text()),
        }
    }
}

/// What a rule does not cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Except {
    /// `*.shop.example`
    Host(HostPattern),
    /// `/^https://shop\.example/login/`, found in the href.
    Url(Rx),
}

impl Except {
    /// As rules write it.
    pub(crate) fn text(&self) -> String {
        match self {
            Except::Host(host) => host.to_string(),
            Except::Url(rx) => format!("/{}/", rx.text()),
        }
    }
}

/// What one host or path does differently.
#[derive(Clone, Debug)]
pub(crate) struct SiteRule {
    pub(crate) host: HostPattern,
    pub(crate) path: PathPattern,
    /// Found in the href of every URL that the rule covers.
    pub(crate) url: Option<Rx>,
    pub(crate) except: Vec<Except>,
    pub(crate) drop: Vec<Name>,
    pub(crate) keep: Vec<Name>,
    /// Found in `name=value` of parameters that go, and that stay.
    pub(crate) drop_pairs: Vec<Rx>,
    pub(crate) keep_pairs: Vec<Rx>,
    /// Tell who is paid: dropped where drop_tracking takes the kind `affiliate`.
    pub(crate) referral: Vec<Name>,
    /// Only the presence of these counts.
    pub(crate) valueless: Vec<Name>,
    /// Cut out of the href.
    pub(crate) raw: Vec<Rx>,
    /// Cut out of the path.
    pub(crate) drop_path: Vec<Rx>,
    /// Names and expressions for parameters tell `A` from `a`.
    pub(crate) case: bool,
    /// Parameters are dropped from a fragment too, if it is kept.
    pub(crate) fragment: bool,
    /// Dropped at this value only.
    pub(crate) default: Vec<(Pattern, String)>,
    pub(crate) on: RungSet,
    pub(crate) off: RungSet,
    pub(crate) layer: Layer,
    pub(crate) date: Option<String>,
    pub(crate) support: Option<Support>,
    pub(crate) note: Option<String>,
    pub(crate) file: Arc<str>,
    pub(crate) line: usize,
}

/// A link that holds the page it leads to.
#[derive(Clone, Debug)]
pub(crate) struct Redirect {
    /// Which links, and where the row stands; says nothing of parameters.
    pub(crate) cover: SiteRule,
    pub(crate) take: Take,
    pub(crate) decode: Vec<Decoder>,
    /// Of a target without one.
    pub(crate) scheme: Option<String>,
    /// Put before every target.
    pub(crate) prepend: Option<String>,
    /// The target must be of another registrable domain.
    pub(crate) other_site: bool,
    pub(crate) kind: HopKind,
}

/// A policy as its file says it, `extends` resolved.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    pub(crate) name: String,
    pub(crate) version: u32,
    pub(crate) serves: String,
    pub(crate) rungs: Rungs,
    pub(crate) limits: Limits,
    pub(crate) sites: Vec<SiteRule>,
    pub(crate) redirects: Vec<Redirect>,
}

/// A value for `Policy::with`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// A rung on or off.
    Bool(bool),
    /// A limit.
    Int(i64),
    /// A text.
    Text(String),
    /// A list of names.
    List(Vec<Setting>),
    /// The parameters of a rung.
    Table(Vec<(String, Setting)>),
}

impl From<bool> for Setting {
    fn from(on: bool) -> Setting {
        Setting::Bool(on)
    }
}
