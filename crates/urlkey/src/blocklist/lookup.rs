//! Whether a list names a URL, or one that it wraps.

use std::ops::BitOr;

use super::table::Table;
use super::{Blocklist, Kind};
use crate::error::ParseError;
use crate::forms::safebrowsing::{self, Canonical, MOST_EXPRESSIONS};
use crate::key::text_of_bytes;
use crate::unwrap;
use crate::url::{Options, Url};

/// Layers that are looked into. More than redirectors are unwrapped: whoever
/// hides a URL under more of them is not to get past.
const LAYERS: usize = 16;

/// Bytes of the longest name in the DNS.
const LONGEST_NAME: usize = 253;

/// What a list says of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The expression of the URL that the list holds.
    pub expression: String,
    /// The line of the list, counted from 1.
    pub line: u32,
    /// How many bytes of its hash the list holds; None for a text list. A short
    /// prefix is met by chance: ask for the whole hash.
    pub prefix: Option<usize>,
    /// Whether the expression is all of the URL: host, path and query.
    pub exact: bool,
    /// How many layers of wrapping were taken off: 0 is the URL itself.
    pub layer: usize,
    /// The URL of that layer, as the one around it spells it; None for the URL itself.
    pub url: Option<String>,
    /// The rule that took the last layer off.
    pub rule: Option<String>,
}

/// Buffers that are reused from URL to URL.
#[derive(Default)]
pub struct Lookup {
    canonical: Canonical,
}

/// What was found of one spelling.
struct Found {
    expression: String,
    line: u32,
    prefix: Option<usize>,
    exact: bool,
}

impl Blocklist {
    /// What the list says of the URL, as given; then of all that it may lead to, layer by
    /// layer. None: it does not name it.
    ///
    /// Errors: `host-missing` where neither the form nor the URL Standard sees a
    /// host. Time is linear in the URL.
    pub fn lookup(&self, url: &[u8], lookup: &mut Lookup) -> Result<Option<Match>, ParseError> {
        let canonical = &mut lookup.canonical;
        let read = canonical.read(url, self.version);
        if read.is_ok() {
            if let Some(found) = self.find(canonical) {
                return Ok(Some(found.on(0, None)));
            }
            if !canonical.has_backslash() && !unwrap::may_hold(canonical.host(), true) {
                return Ok(None);
            }
        }
        let Some(parsed) = parse(url) else { return read.map(|()| None) };
        if let Some(found) = self.find_as_browser(&parsed, canonical) {
            return Ok(Some(found.on(0, None)));
        }
        let has_host = read.is_ok() || parsed.host().is_some_and(|host| !host.is_empty());
        for unwrap::Held { hop, layer, .. } in unwrap::held(&parsed, true, LAYERS).0 {
            // A target without a host, as a data: URL, is nothing that a list can name.
            let found = canonical.read(hop.url.as_bytes(), self.version).ok().and_then(|()| self.find(canonical));
            let as_browser = || self.find_as_browser(&parse(hop.url.as_bytes())?, canonical);
            if let Some(found) = found.or_else(as_browser) {
                return Ok(Some(found.on(layer, Some(hop))));
            }
        }
        if has_host { Ok(None) } else { read.map(|()| None) }
    }

    /// Asks for what a browser requests. Chromium takes a backslash for a slash,
    /// escaped or not, and swallows slashes before a host that the documents
    /// see no host behind.
    fn find_as_browser(&self, url: &Url, canonical: &mut Canonical) -> Option<Found> {
        let href = url.href().replace('\\', "/").replace("%5C", "/").replace("%5c", "/");
        canonical.read(href.as_bytes(), self.version).ok()?;
        self.find(canonical)
    }

    fn find(&self, canonical: &Canonical) -> Option<Found> {
        match self.kind {
            Kind::Text => self.find_print(canonical),
            Kind::Hex | Kind::Base64 => self.find_hash(canonical),
        }
    }

    fn find_print(&self, canonical: &Canonical) -> Option<Found> {
        let table = self.tables.values().next()?;
        if !self.may_have_host(canonical.host()) {
            return None;
        }
        let mut exact = true;
        for (host, expressions) in canonical.expressions().by_host() {
            if self.filter.may_have(self.prints.of(host) as u32) {
                for expression in expressions {
                    if let Some(line) = table.line_of(&self.prints.of(expression).to_be_bytes()) {
                        return Some(Found { expression: text_of(expression), line, prefix: None, exact });
                    }
                    exact = false;
                }
            }
            exact = false;
        }
        self.find_above(canonical, table)
    }

    /// Whether there may be an entry of the host or of one above it. Most have none: all are asked for, so that
    /// the processor need not wait for one word of the filter before it reads the next.
    fn may_have_host(&self, host: &str) -> bool {
        let host = host.as_bytes();
        let may_have = |host: &[u8]| self.filter.may_have(self.prints.of(host) as u32);
        let above = memchr::memchr_iter(b'.', host).map(|dot| may_have(&host[dot + 1..]));
        host.len() > LONGEST_NAME || above.fold(may_have(host), BitOr::bitor)
    }

    /// A list of one's own may name more hosts than the documents ask about: a public suffix, one with
    /// many labels.
    fn find_above(&self, canonical: &Canonical, table: &Table) -> Option<Found> {
        let host = Some(canonical.host()).filter(|host| host.len() <= LONGEST_NAME && !canonical.is_address())?;
        host.match_indices('.').find_map(|(dot, _)| {
            let above = &host[dot + 1..];
            if !self.filter.may_have(self.prints.of(above.as_bytes()) as u32) {
                return None;
            }
            let expression = format!("{above}/");
            let line = table.line_of(&self.prints.of(expression.as_bytes()).to_be_bytes())?;
            Some(Found { expression, line, prefix: None, exact: false })
        })
    }

    fn find_hash(&self, canonical: &Canonical) -> Option<Found> {
        let all = || canonical.expressions().by_host().flat_map(|(_, expressions)| expressions).enumerate();
        // A hash is long work, so the words of the filter are read when all are there: no one waits for another.
        let mut marks = [0; MOST_EXPRESSIONS];
        let mut count = 0;
        for (mark, (_, expression)) in marks.iter_mut().zip(all()) {
            *mark = super::mark(&safebrowsing::hash(expression));
            count += 1;
        }
        let bits = marks[..count].iter().enumerate();
        let may_have = bits.fold(0, |all, (index, mark)| all | u32::from(self.filter.may_have(*mark)) << index);
        if may_have == 0 {
            return None;
        }
        for (index, expression) in all().filter(|(index, _)| may_have & 1 << index != 0) {
            let hash = safebrowsing::hash(expression);
            // The longest prefix says most.
            for (&width, table) in self.tables.iter().rev() {
                if let Some(line) = table.line_of(&hash) {
                    let expression = text_of(expression);
                    return Some(Found { expression, line, prefix: Some(width), exact: index == 0 });
                }
            }
        }
        None
    }
}

fn parse(url: &[u8]) -> Option<Url> {
    let text = text_of_bytes(url).ok()?;
    Url::parse(&text, &Options::default()).ok()
}

fn text_of(expression: &[u8]) -> String {
    String::from_utf8_lossy(expression).into_owned()
}

impl Found {
    fn on(self, layer: usize, hop: Option<unwrap::Hop>) -> Match {
        let Found { expression, line, prefix, exact } = self;
        let (url, rule) = hop.map(|hop| (hop.url, hop.rule)).unzip();
        Match { expression, line, prefix, exact, layer, url, rule }
    }
}
