//! Reads policy files and rule files: validates every key, and says file, line
//! and what is allowed. Must not know what a rung does.

use toml::de::{DeTable, DeValue};

use super::error::PolicyError;
use super::model::{Kind, Limits, Profile, Redirect, Rungs, SiteRule, Tracking, Unwrap};
use super::names::Pattern;
use super::read::{File, Table, Value, as_table, wrong};
use super::redirector_rows;
use super::redirectors::{HopKind, Redirector};
use super::{redirects, site_rules};
use crate::error::Code;
use crate::path::has_dot_segment;
use crate::rungs::{Rung, RungSet};

const SCHEMA: u64 = 1;
/// Offsets into a URL are 32 bits wide, and an escape takes three bytes.
const MOST_INPUT_BYTES: u64 = 1 << 30;

/// Looks up what `extends` names.
pub(crate) type Parent<'p> = &'p dyn Fn(&str) -> Option<Profile>;

/// A policy from its file. Errors name the file by `origin`.
pub(crate) fn profile(text: &str, origin: &str, parent: Parent) -> Result<Profile, PolicyError> {
    let file = File::new(origin, text, Code::BadPolicy);
    let root = file.parse()?;
    let keys = ["schema", "name", "version", "extends", "serves", "rungs", "limits", "site", "redirect"];
    let table = Table::new(&file, 0, &root, "key", &keys)?;
    schema(&table)?;
    let mut profile = match table.text("extends")? {
        Some(name) => extended(&table, name, parent)?,
        None => blank(),
    };
    profile.name = name(&table)?;
    let version = table.int("version", 1, u64::from(u32::MAX))?;
    profile.version = table.need("version", version, "1")? as u32;
    if let Some(serves) = table.text("serves")? {
        profile.serves = serves.to_owned();
    }
    rungs_and_limits(&table, &mut profile)?;
    file.code(Code::BadRule);
    // The text of a policy holds the rules of several files, so two may be for one host and path.
    profile.sites.extend(site_rules::read(&table)?);
    profile.redirects.extend(redirects::read(&table)?);
    Ok(profile)
}

/// The site rules of a file that holds nothing else.
pub(crate) fn rules(text: &str, origin: &str) -> Result<(Vec<SiteRule>, Vec<Redirect>), PolicyError> {
    let file = File::new(origin, text, Code::BadRule);
    let root = file.parse()?;
    let table = Table::new(&file, 0, &root, "key", &["schema", "site", "redirect"])?;
    schema(&table)?;
    let rules = site_rules::read(&table)?;
    site_rules::unique(&table, &rules)?;
    Ok((rules, redirects::read(&table)?))
}

/// Changes to rungs and limits, as a file would write them.
pub(crate) fn changes(text: &str, origin: &str, profile: &mut Profile) -> Result<(), PolicyError> {
    let file = File::new(origin, text, Code::BadPolicy);
    let root = file.parse()?;
    let table = Table::new(&file, 0, &root, "key", &["rungs", "limits"])?;
    rungs_and_limits(&table, profile).map_err(|fault| PolicyError { line: None, ..fault })
}

fn schema(table: &Table) -> Result<(), PolicyError> {
    let found = table.int("schema", SCHEMA, SCHEMA)?;
    table.need("schema", found, "1").map(drop)
}

fn blank() -> Profile {
    Profile {
        name: String::new(),
        version: 0,
        serves: String::new(),
        rungs: Rungs::default(),
        limits: Limits::default(),
        sites: Vec::new(),
        redirects: Vec::new(),
    }
}

fn extended(table: &Table, name: &str, parent: Parent) -> Result<Profile, PolicyError> {
    parent(name).ok_or_else(|| {
        let at = table.get("extends").map_or(table.at, |value| value.span().start);
        table.file.error(at, format!("unknown profile {name:?}; allowed: {}", super::BUILTIN_NAMES.join(", ")))
    })
}

fn name(table: &Table) -> Result<String, PolicyError> {
    let name = table.need("name", table.text("name")?, "\"mine\"")?;
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_');
    if name.is_empty() || name.len() > 64 || !name.bytes().all(plain) {
        let at = table.get("name").map_or(table.at, |value| value.span().start);
        return Err(table.file.error(at, format!("name is {name:?}; allowed: 1 to 64 of a-z 0-9 - _")));
    }
    Ok(name.to_owned())
}

fn rungs_and_limits(table: &Table, profile: &mut Profile) -> Result<(), PolicyError> {
    if let Some(value) = table.get("rungs") {
        rungs(table.file, as_table(table.file, value, "rungs")?, &mut profile.rungs)?;
    }
    if let Some(value) = table.get("limits") {
        let limits = Table::of(table.file, value, "limits", "limit", &["input_bytes"])?;
        if let Some(bytes) = limits.int("input_bytes", 1, MOST_INPUT_BYTES)? {
            profile.limits.input_bytes = bytes as usize;
        }
    }
    Ok(())
}

fn rungs(file: &File, table: &DeTable, rungs: &mut Rungs) -> Result<(), PolicyError> {
    for (key, value) in table {
        let rung = rung(file, key.get_ref(), key.span().start)?;
        match value.get_ref() {
            DeValue::Boolean(true) => rungs.on = rungs.on.with(rung, true),
            DeValue::Boolean(false) => switch_off(rungs, rung),
            _ => {
                parameters(file, rung, value, rungs)?;
                rungs.on = rungs.on.with(rung, true);
            }
        }
    }
    Ok(())
}

/// The rung of this name.
pub(crate) fn rung(file: &File, name: &str, at: usize) -> Result<Rung, PolicyError> {
    Rung::by_name(name).ok_or_else(|| {
        let names: Vec<&str> = Rung::ALL.iter().map(|rung| rung.meta().name).collect();
        file.error(at, format!("unknown rung {name:?}; allowed: {}", names.join(", ")))
    })
}

/// A rung that is off has no parameters: switched on again, it starts from its defaults.
fn switch_off(rungs: &mut Rungs, rung: Rung) {
    rungs.on = rungs.on.with(rung, false);
    match rung {
        Rung::DropTracking => rungs.tracking = Tracking::default(),
        Rung::DropIndex => rungs.index.clear(),
        Rung::UnwrapRedirector => rungs.unwrap = Unwrap::default(),
        _ => {}
    }
}

/// A table replaces all parameters: what it does not name takes its default.
fn parameters(file: &File, rung: Rung, value: &Value, rungs: &mut Rungs) -> Result<(), PolicyError> {
    let name = rung.meta().name;
    match (rung, value.get_ref()) {
        (Rung::DropTracking, DeValue::Table(_)) => rungs.tracking = tracking(file, value)?,
        (Rung::DropIndex, DeValue::Table(_)) => {
            let table = Table::of(file, value, name, "parameter", &["also"])?;
            rungs.index = segments(&table, "also")?;
        }
        (Rung::UnwrapRedirector, DeValue::Table(_)) => rungs.unwrap = unwrap(file, value)?,
        (Rung::DropTracking | Rung::DropIndex | Rung::UnwrapRedirector, found) => {
            return Err(wrong(file, value, name, "true, false or a table of parameters", found));
        }
        (_, found) => return Err(wrong(file, value, name, "true or false", found)),
    }
    Ok(())
}

fn tracking(file: &File, value: &Value) -> Result<Tracking, PolicyError> {
    let keys = ["kinds", "also", "keep", "risky", "unverified"];
    let table = Table::of(file, value, "drop_tracking", "parameter", &keys)?;
    let kinds = match table.texts("kinds")? {
        None => Tracking::default().kinds,
        Some(names) => names.iter().map(|&(name, at)| kind(file, name, at)).collect::<Result<_, _>>()?,
    };
    let (also, keep) = (stems(&table, "also")?, stems(&table, "keep")?);
    let (risky, unverified) = (table.bool("risky")?, table.bool("unverified")?);
    Ok(Tracking { kinds, also, keep, risky: risky.unwrap_or(false), unverified: unverified.unwrap_or(false) })
}

fn unwrap(file: &File, value: &Value) -> Result<Unwrap, PolicyError> {
    let table = Table::of(file, value, "unwrap_redirector", "parameter", &["kinds", "also", "unverified"])?;
    let kind = |&(name, at): &(&str, usize)| match redirector_rows::hop_kind(file, name, at)? {
        HopKind::Amp => Err(file.error(at, "kind \"amp\" is unwrap_amp's")),
        kind => Ok(kind),
    };
    let kinds = match table.texts("kinds")? {
        None => Unwrap::default().kinds,
        Some(names) => names.iter().map(kind).collect::<Result<_, _>>()?,
    };
    let own =
        |&(text, at): &(&str, usize)| Redirector::own(text).map(|row| row.id).map_err(|fault| file.error(at, fault));
    let also = table.texts("also")?.unwrap_or_default().iter().map(own).collect::<Result<_, _>>()?;
    Ok(Unwrap { kinds, also, unverified: table.bool("unverified")?.unwrap_or(false) })
}

/// The kind of this name.
pub(crate) fn kind(file: &File, name: &str, at: usize) -> Result<Kind, PolicyError> {
    Kind::ALL.into_iter().find(|kind| kind.as_str() == name).ok_or_else(|| {
        let names = Kind::ALL.map(Kind::as_str).join(", ");
        file.error(at, format!("unknown kind {name:?}; allowed: {names}"))
    })
}

/// Names of parameters, `*` allowed at their end.
pub(crate) fn patterns(table: &Table, key: &str) -> Result<Vec<Pattern>, PolicyError> {
    let texts = table.texts(key)?.unwrap_or_default();
    texts.into_iter().map(|(text, at)| pattern(table.file, text, at)).collect()
}

/// Names of files, `*` allowed at their end.
fn segments(table: &Table, key: &str) -> Result<Vec<Pattern>, PolicyError> {
    for (text, at) in table.texts(key)?.unwrap_or_default() {
        if text.contains(['/', '\\', '?']) || has_dot_segment(&format!("/{text}")) {
            return Err(table.file.error(at, format!("{text:?} is no file name; allowed: a segment of a path")));
        }
    }
    patterns(table, key)
}

/// One name of a parameter.
pub(crate) fn pattern(file: &File, text: &str, at: usize) -> Result<Pattern, PolicyError> {
    Pattern::parse(text).map_err(|fault| file.error(at, fault))
}

/// Names, but no lone star: that would be drop_query.
fn stems(table: &Table, key: &str) -> Result<Vec<Pattern>, PolicyError> {
    let found = patterns(table, key)?;
    match found.iter().any(|pattern| pattern.stem.is_empty()) {
        true => {
            let at = table.get(key).map_or(table.at, |value| value.span().start);
            Err(table.file.error(at, format!("{key} names every parameter; allowed: names, drop_query drops all")))
        }
        false => Ok(found),
    }
}

/// Rungs by name, as `on` and `off` list them.
pub(crate) fn rung_list(table: &Table, key: &str) -> Result<RungSet, PolicyError> {
    let mut set = RungSet::EMPTY;
    for (name, at) in table.texts(key)?.unwrap_or_default() {
        set = set.with(rung(table.file, name, at)?, true);
    }
    Ok(set)
}
