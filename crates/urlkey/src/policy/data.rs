//! The rows that are compiled in: tracking, session, index, signed, redirectors. Parsed
//! at first use, through the reader that users' files go through. Must not know
//! which rows a policy takes.

use std::sync::{Arc, OnceLock};

use super::error::PolicyError;
use super::load::{kind, pattern, patterns};
use super::model::{Layer, SiteRule};
use super::names::Pattern;
use super::params::{ParamGroup, ParamRow};
use super::read::{File, Table, Value, as_table, as_text};
use super::redirector_rows;
use super::redirectors::Redirector;
use super::session::{Half, SessionPair, SessionRow, SessionRules};
use super::shape::Shape;
use super::signed::{MOST, MOST_NEEDS, Need, Scheme, SignedRules};
use super::site_rules;
use crate::domain::HostPattern;
use crate::error::Code;

/// Rows with the version of their file.
pub(crate) struct Versioned<T> {
    pub(crate) version: u64,
    pub(crate) rows: T,
}

/// Names with what is known of them.
pub(crate) type TrackingRows = Vec<(Pattern, Arc<ParamRow>)>;

type Once<T> = OnceLock<Result<Versioned<T>, PolicyError>>;
type Found<T> = Result<&'static Versioned<T>, PolicyError>;

/// The texts of the files that have a second reader, `owner_rows`.
pub(super) const TRACKING: &str = include_str!("../../data/rules/tracking.toml");
pub(super) const SESSION: &str = include_str!("../../data/rules/session.toml");

/// Tracking parameters.
pub(crate) fn tracking() -> Found<TrackingRows> {
    static ONCE: Once<TrackingRows> = OnceLock::new();
    load(&ONCE, "rules/tracking.toml", TRACKING, read_tracking)
}

/// Session ids.
pub(crate) fn session() -> Found<SessionRules> {
    static ONCE: Once<SessionRules> = OnceLock::new();
    load(&ONCE, "rules/session.toml", SESSION, read_session)
}

/// Names of index files.
pub(crate) fn index() -> Found<Vec<Pattern>> {
    static ONCE: Once<Vec<Pattern>> = OnceLock::new();
    load(&ONCE, "rules/index.toml", include_str!("../../data/rules/index.toml"), read_index)
}

/// Ways to sign URLs.
pub(crate) fn signed() -> Found<SignedRules> {
    static ONCE: Once<SignedRules> = OnceLock::new();
    load(&ONCE, "rules/signed.toml", include_str!("../../data/rules/signed.toml"), read_signed)
}

/// Links that hold the page they lead to.
pub(crate) fn redirectors() -> Found<Vec<Arc<Redirector>>> {
    static ONCE: Once<Vec<Arc<Redirector>>> = OnceLock::new();
    load(&ONCE, "rules/redirectors.toml", include_str!("../../data/rules/redirectors.toml"), redirector_rows::read)
}

/// Site rules for pages that lists are known to break.
pub(crate) fn breakages() -> Found<Vec<SiteRule>> {
    static ONCE: Once<Vec<SiteRule>> = OnceLock::new();
    load(&ONCE, "rules/breakages.toml", include_str!("../../data/rules/breakages.toml"), read_breakages)
}

fn read_breakages(file: &File) -> Result<Versioned<Vec<SiteRule>>, PolicyError> {
    let parsed = file.parse()?;
    let root = Table::new(file, 0, &parsed, "key", &["version", "sources", "site"])?;
    let sources = source_list(&root)?;
    let mut rows = site_rules::read(&root)?;
    site_rules::unique(&root, &rows)?;
    for row in &mut rows {
        let known = row.note.as_deref().is_some_and(|note| sources.contains(&note));
        if !known {
            let fault = file.error(0, "the note of a breakage is one of [sources]");
            return Err(PolicyError { line: Some(row.line), ..fault });
        }
        row.layer = Layer::Breakage;
    }
    Ok(Versioned { version: version(&root)?, rows })
}

fn load<T>(
    once: &'static Once<T>,
    name: &str,
    text: &'static str,
    read: fn(&File) -> Result<Versioned<T>, PolicyError>,
) -> Found<T> {
    once.get_or_init(|| read(&File::new(name, text, Code::BadRule))).as_ref().map_err(Clone::clone)
}

pub(super) fn version(root: &Table) -> Result<u64, PolicyError> {
    root.need("version", root.int("version", 1, u64::from(u32::MAX))?, "1")
}

fn read_tracking(file: &File) -> Result<Versioned<TrackingRows>, PolicyError> {
    let parsed = file.parse()?;
    let root = Table::new(file, 0, &parsed, "key", &["version", "sources", "params"])?;
    let sources = source_list(&root)?;
    let mut rows = Vec::with_capacity(320);
    for group in root.tables("params")? {
        let keys = ["owner", "kind", "hosts", "except", "in", "sources", "verified", "risk", "names"];
        let table = Table::of(file, group, "params", "key", &keys)?;
        let shared = Arc::new(param_group(&table, &sources)?);
        // Rows of the path are facts for rungs to come; drop_tracking reads queries.
        let in_path = part(&table)? == ["path"];
        let names = words(&table, "names", "\"utm_*\"")?;
        for (text, at) in names.into_iter().filter(|_| !in_path) {
            rows.push((pattern(file, text, at)?, Arc::new(param_row(file, text, at, &shared))));
        }
    }
    unique(file, &rows)?;
    Ok(Versioned { version: version(&root)?, rows })
}

fn param_row(file: &File, text: &str, at: usize, group: &Arc<ParamGroup>) -> ParamRow {
    let line = file.line(at);
    let origin = Some(format!("{}:{line}", file.name()));
    ParamRow { name: text.to_owned(), origin, line, keep: false, group: group.clone() }
}

/// The words of a text, each with its byte. One text is read several times
/// faster than a list of texts, and most of the rows are lists of names.
pub(super) fn words<'f>(table: &Table<'f, '_>, key: &str, like: &str) -> Result<Vec<(&'f str, usize)>, PolicyError> {
    let text = table.need(key, table.text(key)?, like)?;
    let value = table.need(key, table.get(key), like)?;
    // Past the quotes; TOML drops the first newline of a long text. No text here has escapes.
    let long = value.span().len() > text.len() + 2;
    let start = value.span().start + if long { 4 } else { 1 };
    let mut at = 0;
    let mut out = Vec::new();
    for word in text.split([' ', '\n']) {
        if !word.is_empty() {
            out.push((word, start + at));
        }
        at += word.len() + 1;
    }
    Ok(out)
}

/// The short names of sources; what they stand for is for readers of the file.
pub(super) fn source_list<'f>(root: &Table<'f, '_>) -> Result<Vec<&'f str>, PolicyError> {
    let value = root.need("sources", root.get("sources"), "{ ... }")?;
    let table = as_table(root.file, value, "sources")?;
    table.iter().map(|(key, value)| as_text(root.file, value, key.get_ref()).map(|_| &**key.get_ref())).collect()
}

fn param_group(table: &Table, sources: &[&str]) -> Result<ParamGroup, PolicyError> {
    let kind_name = table.need("kind", table.text("kind")?, "\"campaign\"")?;
    let hosts = |key| {
        let texts = table.texts(key)?.unwrap_or_default();
        texts.iter().map(|&(text, at)| host(table.file, text, at)).collect::<Result<_, PolicyError>>()
    };
    let listed = words(table, "sources", "\"...\"")?;
    if let Some((name, at)) = listed.into_iter().find(|(name, _)| !sources.contains(name)) {
        return Err(table.file.error(at, format!("source {name:?} is not in [sources]")));
    }
    table.need("owner", table.text("owner")?, "\"...\"")?;
    Ok(ParamGroup {
        kind: kind(table.file, kind_name, table.at)?,
        hosts: hosts("hosts")?,
        except: hosts("except")?,
        verified: table.bool("verified")?.unwrap_or(true),
        risk: table.text("risk")?.is_some(),
    })
}

pub(super) fn host(file: &File, text: &str, at: usize) -> Result<HostPattern, PolicyError> {
    HostPattern::parse(text).map_err(|fault| file.error(at, fault))
}

/// Where the names stand; the query unless said otherwise.
fn part<'f>(table: &Table<'f, '_>) -> Result<Vec<&'f str>, PolicyError> {
    let parts = table.texts("in")?.unwrap_or_else(|| vec![("query", table.at)]);
    match parts.iter().find(|(part, _)| !matches!(*part, "query" | "path")) {
        Some(&(part, at)) => Err(table.file.error(at, format!("in is {part:?}; allowed: query, path"))),
        None => Ok(parts.into_iter().map(|(part, _)| part).collect()),
    }
}

/// Refuses a name that stands twice for the same hosts.
fn unique(file: &File, rows: &[(Pattern, Arc<ParamRow>)]) -> Result<(), PolicyError> {
    let key = |row: &'_ (Pattern, Arc<ParamRow>)| (row.0.stem.to_ascii_lowercase(), row.0.prefix);
    let mut keyed: Vec<_> = rows.iter().map(|row| (key(row), &row.1)).collect();
    keyed.sort_unstable_by(|a, b| (&a.0, &a.1.group.hosts, a.1.line).cmp(&(&b.0, &b.1.group.hosts, b.1.line)));
    let twice = |a: &ParamRow, b: &ParamRow| a.group.hosts == b.group.hosts;
    match keyed.windows(2).find(|pair| pair[0].0 == pair[1].0 && twice(pair[0].1, pair[1].1)) {
        Some([first, second]) => {
            let message = format!("{:?} stands in line {} already, for the same hosts", second.1.name, first.1.line);
            Err(PolicyError { line: Some(second.1.line), ..file.error(0, message) })
        }
        _ => Ok(()),
    }
}

fn read_session(file: &File) -> Result<Versioned<SessionRules>, PolicyError> {
    let parsed = file.parse()?;
    let root = Table::new(file, 0, &parsed, "key", &["version", "session", "pair"])?;
    let mut rows = Vec::new();
    for row in root.tables("session")? {
        let keys = ["name", "rest", "shapes", "in", "owner", "source", "verified", "risk"];
        let table = Table::of(file, row, "session", "key", &keys)?;
        let found = session_row(&table)?;
        let trusted = table.bool("verified")?.unwrap_or(true) && table.text("risk")?.is_none();
        if trusted {
            rows.push(Arc::new(found));
        }
    }
    let pair = match root.tables("pair")? {
        [] => None,
        [pair] => Some(session_pair(&root, pair)?),
        _ => return Err(file.error(0, "more than one [[pair]]; allowed: one")),
    };
    Ok(Versioned { version: version(&root)?, rows: SessionRules::new(&rows, pair) })
}

fn session_row(table: &Table) -> Result<SessionRow, PolicyError> {
    table.need("owner", table.text("owner")?, "\"...\"")?;
    table.need("source", table.text("source")?, "\"...\"")?;
    let name = table.need("name", table.text("name")?, "\"phpsessid\"")?;
    let parts = part(table)?;
    Ok(SessionRow {
        name: pattern(table.file, name, table.at)?,
        rest: table.text("rest")?.map(|text| shape(table, text)).transpose()?,
        shapes: table
            .texts("shapes")?
            .unwrap_or_default()
            .iter()
            .map(|(text, _)| shape(table, text))
            .collect::<Result<_, _>>()?,
        in_query: parts.contains(&"query"),
        in_path: parts.contains(&"path"),
        origin: format!("{}:{}", table.file.name(), table.file.line(table.at)),
    })
}

fn session_pair(root: &Table, value: &Value) -> Result<SessionPair, PolicyError> {
    let keys = ["first", "first_shape", "second", "second_shape", "owner", "source"];
    let table = Table::of(root.file, value, "pair", "key", &keys)?;
    let text = |key: &str| table.text(key).and_then(|found| table.need(key, found, "\"...\""));
    text("owner")?;
    text("source")?;
    let half = |name: &str, like: &str| {
        Ok::<_, PolicyError>(Half { name: text(name)?.to_owned(), shape: shape(&table, text(like)?)? })
    };
    Ok(SessionPair { first: half("first", "first_shape")?, second: half("second", "second_shape")? })
}

fn shape(table: &Table, text: &str) -> Result<Shape, PolicyError> {
    Shape::parse(text).map_err(|fault| table.file.error(table.at, fault))
}

fn read_index(file: &File) -> Result<Versioned<Vec<Pattern>>, PolicyError> {
    let parsed = file.parse()?;
    let root = Table::new(file, 0, &parsed, "key", &["version", "names"])?;
    Ok(Versioned { version: version(&root)?, rows: patterns(&root, "names")? })
}

fn read_signed(file: &File) -> Result<Versioned<SignedRules>, PolicyError> {
    let parsed = file.parse()?;
    let root = Table::new(file, 0, &parsed, "key", &["version", "signed"])?;
    let rows = root.tables("signed")?;
    let schemes: Vec<Scheme> = rows.iter().map(|row| scheme(file, row)).collect::<Result<_, _>>()?;
    match schemes.len() <= MOST {
        true => Ok(Versioned { version: version(&root)?, rows: SignedRules::new(schemes) }),
        false => Err(file.error(0, format!("{} schemes; allowed: {MOST}", schemes.len()))),
    }
}

fn scheme(file: &File, row: &Value) -> Result<Scheme, PolicyError> {
    let table = Table::of(file, row, "signed", "key", &["scheme", "hosts", "need", "segments", "source", "verified"])?;
    table.need("source", table.text("source")?, "\"...\"")?;
    table.bool("verified")?;
    let hosts = table.texts("hosts")?.unwrap_or_default();
    let needs: Vec<Need> = table.tables("need")?.iter().map(|row| need(file, row)).collect::<Result<_, _>>()?;
    let segments = table.texts("segments")?.unwrap_or_default();
    let segments: Vec<Shape> = segments.iter().map(|(text, _)| shape(&table, text)).collect::<Result<_, _>>()?;
    if needs.is_empty() == segments.is_empty() || needs.len() > MOST_NEEDS {
        let message = format!("{} needs; allowed: 1 to {MOST_NEEDS}, or segments instead", needs.len());
        return Err(file.error(table.at, message));
    }
    Ok(Scheme {
        name: table.need("scheme", table.text("scheme")?, "\"...\"")?.to_owned(),
        hosts: hosts.iter().map(|&(text, at)| host(file, text, at)).collect::<Result<_, _>>()?,
        needs,
        segments,
    })
}

fn need(file: &File, row: &Value) -> Result<Need, PolicyError> {
    let table = Table::of(file, row, "need", "key", &["any", "shape"])?;
    let names = table.need("any", table.texts("any")?, "[\"sig\"]")?;
    let shape = shape(&table, table.text("shape")?.unwrap_or("[!-~]{1,}"))?;
    Ok(Need { any: names.iter().map(|(name, _)| (*name).to_owned()).collect(), shape })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_knows_its_line() {
        let text = include_str!("../../data/rules/tracking.toml");
        for (name, row) in &tracking().unwrap().rows {
            let line = text.lines().nth(row.line - 1).unwrap();
            assert!(line.contains(&name.text()), "{}: {line}", row.line);
            assert_eq!(row.origin(), Some(&*format!("rules/tracking.toml:{}", row.line)));
        }
    }

    #[test]
    fn a_name_that_stands_twice_is_refused() {
        let group = "[[params]]\nowner = \"a\"\nkind = \"campaign\"\nsources = \"s\"\n";
        let text = format!("version = 1\n[sources]\ns = \"\"\n{group}names = \"x y\"\n{group}names = \"z X\"\n");
        let fault = read_tracking(&File::new("t", &text, Code::BadRule)).err().unwrap();
        assert_eq!(fault.to_string(), "t:13: \"X\" stands in line 8 already, for the same hosts");
    }
}
