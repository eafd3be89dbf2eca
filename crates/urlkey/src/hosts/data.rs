//! The rows of `rules/shorteners.toml` and `rules/special_use.toml`, parsed at first
//! use. Must not know what a host in them means to a caller.

use std::sync::OnceLock;

use super::{Names, Shortener, SpecialUse};
use crate::error::Code;
use crate::policy::PolicyError;
use crate::policy::read::{File, Table, as_table, as_text};

const SHORTENERS: (&str, &str) = ("rules/shorteners.toml", include_str!("../../data/rules/shorteners.toml"));
const SPECIAL_USE: (&str, &str) = ("rules/special_use.toml", include_str!("../../data/rules/special_use.toml"));

/// Hosts of URL shorteners. A test reads the file.
pub(super) fn shorteners() -> &'static Names<Shortener> {
    static ONCE: OnceLock<Names<Shortener>> = OnceLock::new();
    ONCE.get_or_init(|| Names::new(read_shorteners(&open(SHORTENERS)).unwrap_or_default()))
}

/// Names of special use. A test reads the file.
pub(super) fn special_use() -> &'static Names<SpecialUse> {
    static ONCE: OnceLock<Names<SpecialUse>> = OnceLock::new();
    ONCE.get_or_init(|| Names::new(read_special_use(&open(SPECIAL_USE)).unwrap_or_default()))
}

fn open((name, text): (&str, &'static str)) -> File<'static> {
    File::new(name, text, Code::BadRule)
}

fn read_shorteners(file: &File) -> Result<Vec<(String, Shortener)>, PolicyError> {
    let kinds = ["open", "branded", "app", "paid", "logger"];
    rows(file, "shorteners", "hosts", &["owner", "kind", "source", "verified", "hosts"], &kinds, |table, kind, _| {
        let owner = table.need("owner", table.text("owner")?, "\"...\"")?;
        Ok(Shortener { owner: owner.to_owned(), kind: kind.to_owned() })
    })
}

fn read_special_use(file: &File) -> Result<Vec<(String, SpecialUse)>, PolicyError> {
    let kinds = ["loopback", "private", "wildcard", "unresolvable", "overlay", "documentation"];
    let keys = ["kind", "source", "verified", "rfc", "names"];
    let named = rows(file, "names", "names", &keys, &kinds, |table, kind, source| {
        let source = table.text("rfc")?.unwrap_or(source);
        Ok(SpecialUse { name: String::new(), kind: kind.to_owned(), source: source.to_owned() })
    })?;
    Ok(named.into_iter().map(|(name, row)| (name.clone(), SpecialUse { name, ..row })).collect())
}

/// The tables of `[[part]]`, once for each name in their list of words.
fn rows<T: Clone>(
    file: &File,
    part: &str,
    list: &str,
    keys: &[&str],
    kinds: &[&str],
    row: impl Fn(&Table, &str, &str) -> Result<T, PolicyError>,
) -> Result<Vec<(String, T)>, PolicyError> {
    let parsed = file.parse()?;
    let root = Table::new(file, 0, &parsed, "key", &["version", "sources", part])?;
    root.need("version", root.int("version", 1, u64::from(u32::MAX))?, "1")?;
    let sources = as_table(file, root.need("sources", root.get("sources"), "{ ... }")?, "sources")?;
    let mut out: Vec<(String, T)> = Vec::new();
    for value in root.tables(part)? {
        let table = Table::of(file, value, part, "key", keys)?;
        table.bool("verified")?;
        let kind = table.need("kind", table.text("kind")?, "\"...\"")?;
        if !kinds.contains(&kind) {
            return Err(file.error(table.at, format!("kind is {kind:?}; allowed: {}", kinds.join(", "))));
        }
        let source = table.need("source", table.text("source")?, "\"...\"")?;
        let Some(said) = sources.get(source) else {
            return Err(file.error(table.at, format!("source {source:?} is not in [sources]")));
        };
        let made = row(&table, kind, as_text(file, said, source)?)?;
        for name in table.need(list, table.text(list)?, "\"a.example\"")?.split_ascii_whitespace() {
            out.push((name.to_owned(), made.clone()));
        }
    }
    out.sort_by(|a, b| a.0.cmp(&b.0));
    match out.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => Err(file.error(0, format!("{} stands twice", pair[0].0))),
        None => Ok(out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HostPattern;

    #[test]
    fn the_files_can_be_read_and_names_are_as_hosts_are_serialized() {
        let shorteners = read_shorteners(&open(SHORTENERS)).unwrap();
        assert!(shorteners.len() > 300);
        let names = read_special_use(&open(SPECIAL_USE)).unwrap();
        for name in shorteners.iter().map(|row| &row.0).chain(names.iter().map(|row| &row.0)) {
            assert_eq!(HostPattern::parse(name).map(|pattern| pattern.to_string()).as_ref(), Ok(name));
        }
    }
}
