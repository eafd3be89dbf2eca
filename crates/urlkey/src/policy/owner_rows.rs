//! Whose a parameter is: the rows of tracking.toml, session.toml and
//! app_links.toml with their owners, best row first. The rungs take fewer of
//! them, and need no owner. Must not know where in a URL a name stood.

use std::sync::OnceLock;

use super::data::{self, host, source_list, words};
use super::error::PolicyError;
use super::load::{kind, pattern};
use super::names::{Names, Pattern};
use super::read::{File, Table, Value};
use crate::domain::HostPattern;
use crate::error::Code;

/// A parameter that is known to somebody.
#[derive(Debug)]
pub(crate) struct OwnerRow {
    pub(crate) owner: String,
    /// `campaign`, `click-id`, `affiliate`, `session`, or `app-link`.
    pub(crate) kind: &'static str,
    /// Empty for any host.
    hosts: Vec<HostPattern>,
    pub(crate) verified: bool,
    /// Dropping it breaks some pages; so may taking it for attribution.
    pub(crate) risk: bool,
    /// `file:line`.
    pub(crate) origin: String,
}

/// All of them, by name.
pub(crate) struct Owners {
    rows: Vec<OwnerRow>,
    /// Number of the row, and whether it is a name's beginning.
    names: Names<(u32, bool)>,
    /// What a segment of the path begins with.
    segments: Vec<(String, u32)>,
}

impl Owners {
    /// The row for a name of a query on this host, spelled as the percent scan
    /// leaves it: of several, the one with hosts, then the whole name, then the
    /// verified one.
    pub(crate) fn find(&self, name: &[u8], host: &str) -> Option<&OwnerRow> {
        let mut found: Option<((bool, bool, bool), u32)> = None;
        self.names.find(name, |&(number, prefix)| {
            let row = &self.rows[number as usize];
            let rank = (row.hosts.is_empty(), prefix, !row.verified);
            if row.covers(host) && found.is_none_or(|(best, at)| (rank, number) < (best, at)) {
                found = Some((rank, number));
            }
            None::<()>
        });
        found.map(|(_, number)| &self.rows[number as usize])
    }

    /// The row for a segment of the path, and where its value begins.
    pub(crate) fn segment(&self, segment: &str, host: &str) -> Option<(&OwnerRow, usize)> {
        let mut fitting = self.segments.iter().filter(|(begins, _)| segment.starts_with(begins.as_str()));
        let (begins, number) = fitting.find(|(_, number)| self.rows[*number as usize].covers(host))?;
        Some((&self.rows[*number as usize], begins.len()))
    }
}

impl OwnerRow {
    fn covers(&self, host: &str) -> bool {
        self.hosts.is_empty() || self.hosts.iter().any(|pattern| pattern.matches(host))
    }
}

/// Tracking parameters and session ids.
pub(crate) fn owners() -> Option<&'static Owners> {
    static ONCE: OnceLock<Result<Owners, PolicyError>> = OnceLock::new();
    let read = || {
        let mut rows = Rows::default();
        params(&File::new("rules/tracking.toml", data::TRACKING, Code::BadRule), "params", &mut rows)?;
        sessions(&File::new("rules/session.toml", data::SESSION, Code::BadRule), &mut rows)?;
        Ok(rows.done())
    };
    ONCE.get_or_init(read).as_ref().ok()
}

/// Parameters that hold links.
pub(crate) fn app_links() -> Option<&'static Owners> {
    static ONCE: OnceLock<Result<Owners, PolicyError>> = OnceLock::new();
    let read = || {
        let mut rows = Rows::default();
        let text = include_str!("../../data/rules/app_links.toml");
        params(&File::new("rules/app_links.toml", text, Code::BadRule), "app_link", &mut rows)?;
        Ok(rows.done())
    };
    ONCE.get_or_init(read).as_ref().ok()
}

#[derive(Default)]
struct Rows {
    rows: Vec<OwnerRow>,
    names: Vec<(Pattern, (u32, bool))>,
    segments: Vec<(String, u32)>,
}

impl Rows {
    fn done(self) -> Owners {
        let names = Names::new(self.names.iter().map(|(name, row)| (name, *row)));
        Owners { rows: self.rows, names, segments: self.segments }
    }

    fn add(&mut self, name: Pattern, row: u32) {
        let prefix = name.prefix;
        self.names.push((name, (row, prefix)));
    }
}

/// Tables of one owner with several names; each name is told by its own line.
fn params(file: &File, key: &str, out: &mut Rows) -> Result<(), PolicyError> {
    let parsed = file.parse()?;
    let root = Table::new(file, 0, &parsed, "key", &["version", "sources", key])?;
    source_list(&root)?;
    for group in root.tables(key)? {
        let keys = ["owner", "kind", "hosts", "except", "in", "sources", "verified", "risk", "names"];
        let table = Table::of(file, group, key, "key", &keys)?;
        let in_path = table.texts("in")?.is_some_and(|parts| parts.iter().all(|(part, _)| *part == "path"));
        for (text, at) in words(&table, "names", "\"utm_*\"")? {
            let number = out.rows.len() as u32;
            out.rows.push(row(&table, file.line(at))?);
            match in_path {
                true => out.segments.push((text.trim_end_matches('*').to_owned(), number)),
                false => out.add(pattern(file, text, at)?, number),
            }
        }
    }
    Ok(())
}

fn row(table: &Table, line: usize) -> Result<OwnerRow, PolicyError> {
    let file = table.file;
    let hosts = table.texts("hosts")?.unwrap_or_default();
    Ok(OwnerRow {
        owner: table.need("owner", table.text("owner")?, "\"...\"")?.to_owned(),
        kind: table
            .text("kind")?
            .map_or(Ok("app-link"), |name| kind(file, name, table.at).map(|kind| kind.as_str()))?,
        hosts: hosts.iter().map(|&(text, at)| host(file, text, at)).collect::<Result<_, _>>()?,
        verified: table.bool("verified")?.unwrap_or(true),
        risk: table.text("risk")?.is_some(),
        origin: format!("{}:{line}", file.name()),
    })
}

/// Session ids, by name alone: whose a parameter is, its value does not decide.
fn sessions(file: &File, out: &mut Rows) -> Result<(), PolicyError> {
    let parsed = file.parse()?;
    let root = Table::new(file, 0, &parsed, "key", &["version", "session", "pair"])?;
    let mut all = |value: &Value, name: &str, keys: &[&str]| {
        let keys = [keys, &["owner", "source", "verified", "risk"]].concat();
        let table = Table::of(file, value, name, "key", &keys)?;
        for key in ["name", "first", "second"] {
            if let Some(text) = table.text(key)? {
                let number = out.rows.len() as u32;
                out.rows.push(OwnerRow { kind: "session", ..row(&table, file.line(table.at))? });
                out.add(pattern(file, text, table.at)?, number);
            }
        }
        Ok::<(), PolicyError>(())
    };
    for value in root.tables("session")? {
        all(value, "session", &["name", "rest", "shapes", "in"])?;
    }
    for value in root.tables("pair")? {
        all(value, "pair", &["first", "first_shape", "second", "second_shape"])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_an_owner_and_a_line() {
        let owners = owners().unwrap();
        assert!(owners.rows.len() > 300, "{}", owners.rows.len());
        assert!(owners.rows.iter().all(|row| !row.owner.is_empty() && row.origin.contains(".toml:")));
        assert!(app_links().unwrap().rows.iter().all(|row| row.kind == "app-link"));
    }

    #[test]
    fn the_row_with_the_closest_scope_is_found() {
        let owners = owners().unwrap();
        let of = |name: &str, host: &str| owners.find(name.as_bytes(), host).map(|row| row.owner.as_str());
        assert_eq!(of("utm_source", "a.example"), Some("Google Analytics"));
        assert_eq!(of("UTM_x", "a.example"), Some("Google Analytics (Urchin), used by everyone"));
        assert_eq!(of("tag", "www.amazon.co.uk"), Some("Amazon Associates"));
        assert_eq!(of("tag", "notamazon.com"), None);
        assert_eq!(of("sid", "www.dpbolvw.net"), Some("CJ Affiliate"));
        assert_eq!(of("sid", "a.example"), Some("phpBB and others"));
    }
}
