//! Reads rules/redirectors.toml. Must not know what becomes of its rows.

use std::sync::Arc;

use super::data::{Versioned, host, source_list, version, words};
use super::error::PolicyError;
use super::globs::Glob;
use super::load::patterns;
use super::read::{File, Table, Value};
use super::redirectors::{Decoder, HopKind, Redirector, Take};

const KEYS: [&str; 17] = [
    "id",
    "owner",
    "kind",
    "hosts",
    "paths",
    "take",
    "params",
    "number",
    "begins",
    "decode",
    "until",
    "to_end",
    "semicolons",
    "scheme",
    "relative",
    "drop",
    "sources",
];

/// All rules, in the order of the file.
pub(crate) fn read(file: &File) -> Result<Versioned<Vec<Arc<Redirector>>>, PolicyError> {
    let parsed = file.parse()?;
    let root = Table::new(file, 0, &parsed, "key", &["version", "sources", "redirector"])?;
    let sources = source_list(&root)?;
    let mut rows: Vec<Arc<Redirector>> = Vec::with_capacity(64);
    for value in root.tables("redirector")? {
        let row = row(file, value, &sources)?;
        if rows.iter().any(|known| known.id == row.id) {
            return Err(file.error(value.span().start, format!("{:?} stands twice", row.id)));
        }
        rows.push(Arc::new(row));
    }
    Ok(Versioned { version: version(&root)?, rows })
}

fn row(file: &File, value: &Value, sources: &[&str]) -> Result<Redirector, PolicyError> {
    let keys: Vec<&str> = KEYS.iter().copied().chain(["verified"]).collect();
    let table = Table::of(file, value, "redirector", "key", &keys)?;
    table.need("owner", table.text("owner")?, "\"...\"")?;
    let listed = words(&table, "sources", "\"...\"")?;
    if let Some((name, at)) = listed.into_iter().find(|(name, _)| !sources.contains(name)) {
        return Err(file.error(at, format!("source {name:?} is not in [sources]")));
    }
    let hosts = table.need("hosts", table.texts("hosts")?, "[\"...\"]")?;
    let paths = table.texts("paths")?.unwrap_or_default();
    let glob = |&(text, at): &(&str, usize)| Glob::parse(text).map_err(|fault| file.error(at, fault));
    Ok(Redirector {
        id: table.need("id", table.text("id")?, "\"...\"")?.to_owned(),
        kind: kind(&table)?,
        hosts: hosts.iter().map(|&(text, at)| host(file, text, at)).collect::<Result<_, _>>()?,
        paths: paths.iter().map(glob).collect::<Result<_, _>>()?,
        take: take(&table)?,
        decode: decoders(&table)?,
        until: names(&table, "until")?,
        to_end: names(&table, "to_end")?,
        semicolons: table.bool("semicolons")?.unwrap_or(false),
        scheme: scheme(&table)?,
        relative: table.bool("relative")?.unwrap_or(false),
        drop: patterns(&table, "drop")?,
        verified: table.bool("verified")?.unwrap_or(true),
        origin: Some(format!("{}:{}", file.name(), file.line(table.at))),
        cover: None,
        prepend: None,
        other_site: false,
    })
}

fn names(table: &Table, key: &str) -> Result<Vec<String>, PolicyError> {
    Ok(table.texts(key)?.unwrap_or_default().iter().map(|(name, _)| (*name).to_owned()).collect())
}

fn kind(table: &Table) -> Result<HopKind, PolicyError> {
    let name = table.need("kind", table.text("kind")?, "\"redirector\"")?;
    hop_kind(table.file, name, table.at)
}

/// The kind of this name.
pub(crate) fn hop_kind(file: &File, name: &str, at: usize) -> Result<HopKind, PolicyError> {
    HopKind::ALL.into_iter().find(|kind| kind.as_str() == name).ok_or_else(|| {
        let names = HopKind::ALL.map(HopKind::as_str).join(", ");
        file.error(at, format!("unknown kind {name:?}; allowed: {names}"))
    })
}

fn take(table: &Table) -> Result<Take, PolicyError> {
    let number = || table.int("number", 1, 9).and_then(|found| table.need("number", found, "2")).map(|n| n as usize);
    match table.need("take", table.text("take")?, "\"param\"")? {
        "param" => Ok(Take::Param(names(table, "params")?)),
        "query" => Ok(Take::Query),
        "segment" => match table.text("begins")? {
            Some(text) => Ok(Take::Begins(text.to_owned())),
            None => number().map(Take::Segment),
        },
        "rest" => number().map(Take::Rest),
        "rest-on" => number().map(Take::RestOn),
        "host" => Ok(Take::Host),
        "none" => Ok(Take::Nowhere),
        other => {
            let allowed = "param, query, segment, rest, rest-on, host, none";
            Err(table.file.error(table.at, format!("take is {other:?}; allowed: {allowed}")))
        }
    }
}

/// The decoders of a row.
pub(crate) fn decoders(table: &Table) -> Result<Vec<Decoder>, PolicyError> {
    // Not `texts`, which refuses a decoder that acts twice.
    let found = table.get("decode").and_then(|value| value.get_ref().as_array());
    let list = table.need("decode", found, "[\"form\"]")?;
    let known = |value: &Value| Decoder::ALL.iter().find(|(name, _)| value.get_ref().as_str() == Some(name));
    let decoder = |value: &Value| match known(value) {
        Some((_, decoder)) => Ok(*decoder),
        None => {
            let names: Vec<&str> = Decoder::ALL.iter().map(|(name, _)| *name).collect();
            Err(table.file.error(value.span().start, format!("unknown decoder; allowed: {}", names.join(", "))))
        }
    };
    list.iter().map(decoder).collect()
}

fn scheme(table: &Table) -> Result<Option<String>, PolicyError> {
    match table.text("scheme")? {
        None => Ok(None),
        Some(name @ ("http" | "https")) => Ok(Some(name.to_owned())),
        Some(other) => Err(table.file.error(table.at, format!("scheme is {other:?}; allowed: http, https"))),
    }
}
