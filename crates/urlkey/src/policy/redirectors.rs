//! The rules of redirectors, found by host. Must not know how a target is
//! decoded: `unwrap` does that.

use std::sync::Arc;

use super::globs::Glob;
use super::host_index::HostIndex;
use super::names::Pattern;
use super::regexes::Rx;
use super::says::{Place, SiteRow};
use crate::domain::HostPattern;
use crate::url::Url;

/// What a link that holds another one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HopKind {
    /// A way out of a site.
    Redirector,
    /// A link that is paid for.
    Affiliate,
    /// A mail gateway that looks at the target first; its link carries the recipient.
    Shield,
    /// A mail sender that counts clicks.
    Mail,
    /// A link made to be passed on.
    Share,
    /// An AMP viewer or cache.
    Amp,
    /// An archive's or a cache's copy, which may differ from the page.
    Copy,
    /// A translation of the page.
    Translation,
}

impl HopKind {
    /// All kinds.
    pub const ALL: [HopKind; 8] = [
        HopKind::Redirector,
        HopKind::Affiliate,
        HopKind::Shield,
        HopKind::Mail,
        HopKind::Share,
        HopKind::Amp,
        HopKind::Copy,
        HopKind::Translation,
    ];

    /// The name in files and reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            HopKind::Redirector => "redirector",
            HopKind::Affiliate => "affiliate",
            HopKind::Shield => "shield",
            HopKind::Mail => "mail",
            HopKind::Share => "share",
            HopKind::Amp => "amp",
            HopKind::Copy => "copy",
            HopKind::Translation => "translation",
        }
    }
}

/// Where the target stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Take {
    /// In the first of these parameters that gives one.
    Param(Vec<String>),
    /// All behind the `?`.
    Query,
    /// Segment of this number, counted from 1.
    Segment(usize),
    /// The segment that begins so.
    Begins(String),
    /// The path behind so many segments.
    Rest(usize),
    /// The same, with query and fragment.
    RestOn(usize),
    /// The host, its dots written as hyphens.
    Host,
    /// Nowhere: only a request could tell.
    Nowhere,
    /// What an expression captures in href or path, one text behind the other, or put into `to` for `$1`.
    Match { rx: Rx, in_path: bool, to: Option<String> },
}

/// How it is written, in the file's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decoder {
    Percent,
    Form,
    Html,
    Base64,
    Hyphens,
    A1,
    Hash,
    Cache,
    V3,
}

impl Decoder {
    pub(crate) const ALL: [(&'static str, Decoder); 9] = [
        ("percent", Decoder::Percent),
        ("form", Decoder::Form),
        ("html", Decoder::Html),
        ("base64", Decoder::Base64),
        ("hyphens", Decoder::Hyphens),
        ("a1", Decoder::A1),
        ("hash", Decoder::Hash),
        ("cache", Decoder::Cache),
        ("v3", Decoder::V3),
    ];
}

/// One rule: which links hold a target, and how.
#[derive(Debug)]
pub(crate) struct Redirector {
    pub(crate) id: String,
    pub(crate) kind: HopKind,
    pub(crate) hosts: Vec<HostPattern>,
    /// Empty for any path.
    pub(crate) paths: Vec<Glob>,
    pub(crate) take: Take,
    pub(crate) decode: Vec<Decoder>,
    pub(crate) until: Vec<String>,
    pub(crate) to_end: Vec<String>,
    pub(crate) semicolons: bool,
    pub(crate) scheme: Option<String>,
    pub(crate) relative: bool,
    pub(crate) drop: Vec<Pattern>,
    pub(crate) verified: bool,
    /// `file:line`; None for one that a policy itself adds.
    pub(crate) origin: Option<String>,
    /// Which links, for a row of a rule file.
    pub(crate) cover: Option<SiteRow>,
    /// Put before every target.
    pub(crate) prepend: Option<String>,
    /// The target must be of another registrable domain.
    pub(crate) other_site: bool,
}

impl Redirector {
    /// A redirector of the policy's own, `host/path?param`.
    pub(crate) fn own(text: &str) -> Result<Redirector, String> {
        let wrong =
            || format!("{text:?} is no redirector; allowed: host/path?param, as in \"www.shop.example/out?url\"");
        let (place, param) = text.split_once('?').ok_or_else(wrong)?;
        let slash = place.find('/').ok_or_else(wrong)?;
        if param.is_empty() || param.contains(['&', '=', '#', ' ']) || place[slash..].contains('#') {
            return Err(wrong());
        }
        Ok(Redirector {
            id: text.to_owned(),
            kind: HopKind::Redirector,
            hosts: vec![HostPattern::parse(&place[..slash])?],
            paths: vec![Glob::parse(&place[slash..])?],
            take: Take::Param(vec![param.to_owned()]),
            decode: vec![Decoder::Form],
            until: Vec::new(),
            to_end: Vec::new(),
            semicolons: false,
            scheme: None,
            relative: false,
            drop: Vec::new(),
            verified: true,
            origin: None,
            cover: None,
            prepend: None,
            other_site: false,
        })
    }

    /// Whether a link with this host and path is the rule's.
    pub(crate) fn covers(&self, host: &str, path: &str) -> bool {
        if let Some(cover) = &self.cover {
            return cover.may_cover(host, path);
        }
        self.hosts.iter().any(|pattern| pattern.matches_itself(host))
            && (self.paths.is_empty() || self.paths.iter().any(|glob| glob.matches(path)))
    }
}

impl Redirector {
    /// Whether a link that the rule covers by host and path is one of its links.
    pub(crate) fn holds(&self, url: &Url) -> bool {
        let host = url.host().unwrap_or_default();
        let at = Place { href: url.href(), host: host.strip_suffix('.').unwrap_or(host), path: url.path() };
        self.cover.as_ref().is_none_or(|cover| cover.covers(&at))
    }
}

/// Rules, found by host.
pub(crate) struct Redirectors {
    rows: Vec<Arc<Redirector>>,
    by_host: HostIndex,
    /// Rows for any host.
    any: Vec<u32>,
}

impl Redirectors {
    pub(crate) fn new(rows: Vec<Arc<Redirector>>) -> Redirectors {
        let hosts =
            (0u32..).zip(&rows).flat_map(|(number, row)| row.hosts.iter().map(move |host| (host.to_string(), number)));
        let hosts: Vec<(String, u32)> = hosts.collect();
        let by_host = HostIndex::new(hosts.iter().map(|(host, number)| (host.as_str(), *number)));
        let is_any = |row: &Redirector| row.hosts.iter().any(|host| host.to_string() == "*");
        let any = (0u32..).zip(&rows).filter(|(_, row)| is_any(row)).map(|(number, _)| number).collect();
        Redirectors { rows, by_host, any }
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether a rule could be for this host. Linear in the host.
    pub(crate) fn may(&self, host: &str) -> bool {
        !self.any.is_empty() || self.by_host.may(host.strip_suffix('.').unwrap_or(host).as_bytes())
    }

    /// The rules for this host and path, in the order of the file.
    pub(crate) fn rows_for(&self, host: &str, path: &str) -> Vec<&Redirector> {
        let mut found: Vec<u32> = self.any.clone();
        self.by_host.each(host.strip_suffix('.').unwrap_or(host).as_bytes(), |number| found.push(number));
        found.sort_unstable();
        found.dedup();
        found.iter().map(|&number| &*self.rows[number as usize]).filter(|row| row.covers(host, path)).collect()
    }
}
