//! The rules of redirectors, found by host. Must not know how a target is
//! decoded: `unwrap` does that.

use std::sync::Arc;

use super::globs::Glob;
use super::names::Pattern;
use super::regexes::Rx;
use super::says::before_suffix;
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
        if place[..slash].split('.').count() > MOST_LABELS {
            return Err(format!("{text:?} has more than {MOST_LABELS} labels"));
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

/// No rule's host has more.
const MOST_LABELS: usize = 8;

/// Rules, found by a hash of each suffix of the host's labels.
pub(crate) struct Redirectors {
    rows: Vec<Arc<Redirector>>,
    /// (hash of the key, number of the row), sorted.
    by_key: Vec<(u64, u32)>,
    /// Bit `h % 4096`: some key has this hash.
    seen: Box<[u64; 64]>,
    /// Rows for any host.
    any: Vec<u32>,
}

impl Redirectors {
    pub(crate) fn new(rows: Vec<Arc<Redirector>>) -> Redirectors {
        let keys = |(number, row): (usize, &Arc<Redirector>)| -> Vec<(u64, u32)> {
            row.hosts.iter().map(|host| (key_of(&host.to_string()), number as u32)).collect()
        };
        let mut by_key: Vec<(u64, u32)> = rows.iter().enumerate().flat_map(keys).collect();
        by_key.sort_unstable();
        let mut seen = Box::new([0u64; 64]);
        by_key.iter().for_each(|&(key, _)| seen[(key >> 6 & 63) as usize] |= 1 << (key & 63));
        let is_any = |row: &Redirector| row.hosts.iter().any(|host| host.to_string() == "*");
        let any = (0u32..).zip(&rows).filter(|(_, row)| is_any(row)).map(|(number, _)| number).collect();
        Redirectors { rows, by_key, seen, any }
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether a rule could be for this host. Linear in the host.
    pub(crate) fn may(&self, host: &str) -> bool {
        let mut may = !self.any.is_empty();
        self.each_key(host, |key| may |= self.seen[(key >> 6 & 63) as usize] >> (key & 63) & 1 != 0);
        may
    }

    /// The rules for this host and path, in the order of the file.
    pub(crate) fn rows_for(&self, host: &str, path: &str) -> Vec<&Redirector> {
        if !self.may(host) {
            return Vec::new();
        }
        let mut found: Vec<u32> = self.any.clone();
        self.each_key(host, |key| {
            let from = self.by_key.partition_point(|&(other, _)| other < key);
            let under = self.by_key[from..].iter().take_while(|&&(other, _)| other == key);
            found.extend(under.map(|&(_, number)| number));
        });
        found.sort_unstable();
        found.dedup();
        found.iter().map(|&number| &*self.rows[number as usize]).filter(|row| row.covers(host, path)).collect()
    }

    fn each_key(&self, host: &str, mut add: impl FnMut(u64)) {
        let host = host.strip_suffix('.').unwrap_or(host);
        // A rule has few labels; beyond them lies nothing to find.
        let mut end = host.len();
        for _ in 0..MOST_LABELS {
            let start = host[..end].rfind('.').map_or(0, |dot| dot + 1);
            add(hash(&host[start..]));
            // Cheaper than to ask the suffix list, and never too few.
            add(suffix_key(hash(&host[start..end])));
            let Some(before) = start.checked_sub(1) else { break };
            end = before;
        }
    }
}

fn key_of(host: &str) -> u64 {
    match before_suffix(host) {
        Some(labels) => suffix_key(hash(labels.rsplit('.').next().unwrap_or(labels))),
        None => hash(host.strip_prefix("*.").unwrap_or(host)),
    }
}

/// `name` of `name.<suffix>` is a label of its own.
fn suffix_key(label: u64) -> u64 {
    step(label, b'<')
}

const SEED: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a, from the last byte to the first.
fn hash(text: &str) -> u64 {
    finish(text.bytes().rev().fold(SEED, step))
}

fn step(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
}

fn finish(hash: u64) -> u64 {
    hash ^ hash >> 32
}
