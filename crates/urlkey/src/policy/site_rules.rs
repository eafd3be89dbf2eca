//! Reads `[[site]]` rules. Must not know how they are looked up.

use toml::de::DeValue;

use super::error::PolicyError;
use super::load::{pattern, patterns, rung_list};
use super::model::{Layer, SiteRule, Support};
use super::names::Pattern;
use super::paths::PathPattern;
use super::read::{Table, Value, as_float, as_text, wrong};
use crate::domain::HostPattern;
use crate::ladder::Loss;
use crate::rungs::RungSet;

const KEYS: [&str; 12] =
    ["host", "path", "drop", "keep", "valueless", "default", "on", "off", "source", "date", "support", "note"];

/// The `[[site]]` rules of a file, in its order. That a host and path has one
/// rule only is for the caller to ask.
pub(crate) fn read(root: &Table) -> Result<Vec<SiteRule>, PolicyError> {
    let rows = root.tables("site")?;
    let mut rules: Vec<SiteRule> = Vec::with_capacity(rows.len());
    for row in rows {
        rules.push(rule(&Table::of(root.file, row, "site", "key", &KEYS)?)?);
    }
    Ok(rules)
}

fn rule(row: &Table) -> Result<SiteRule, PolicyError> {
    let rule = SiteRule {
        host: host(row)?,
        path: path(row)?,
        drop: patterns(row, "drop")?,
        keep: patterns(row, "keep")?,
        valueless: patterns(row, "valueless")?,
        default: defaults(row)?,
        on: rungs(row, "on")?,
        off: rungs(row, "off")?,
        layer: layer(row)?,
        date: date(row)?,
        support: support(row)?,
        note: row.text("note")?.map(str::to_owned),
        file: row.file.name().clone(),
        line: row.file.line(row.at),
    };
    match contradiction(&rule) {
        Some(fault) => Err(row.file.error(row.at, fault)),
        None => Ok(rule),
    }
}

fn host(row: &Table) -> Result<HostPattern, PolicyError> {
    let text = row.need("host", row.text("host")?, "\"*.shop.example\"")?;
    HostPattern::parse(text).map_err(|fault| row.file.error(place(row, "host"), fault))
}

fn path(row: &Table) -> Result<PathPattern, PolicyError> {
    let text = row.text("path")?.unwrap_or("/");
    PathPattern::parse(text).map_err(|fault| row.file.error(place(row, "path"), fault))
}

/// Rungs that cost nothing act before any site rule is looked up.
fn rungs(row: &Table, key: &str) -> Result<RungSet, PolicyError> {
    let set = rung_list(row, key)?;
    match set.iter().find(|rung| rung.meta().loss == Loss::None || is_repair(rung.meta().name)) {
        None => Ok(set),
        Some(rung) => {
            let fault = format!("{key} names {}, which acts before the site is known", rung.meta().name);
            Err(row.file.error(place(row, key), fault))
        }
    }
}

fn is_repair(name: &str) -> bool {
    matches!(name, "trim_wrapping" | "refang" | "assume_scheme")
}

fn defaults(row: &Table) -> Result<Vec<(Pattern, String)>, PolicyError> {
    let Some(value) = row.get("default") else {
        return Ok(Vec::new());
    };
    let table = super::read::as_table(row.file, value, "default")?;
    let mut out = Vec::with_capacity(table.len());
    for (key, value) in table {
        let name = pattern(row.file, key.get_ref(), key.span().start)?;
        out.push((name, as_text(row.file, value, key.get_ref())?.to_owned()));
    }
    Ok(out)
}

fn layer(row: &Table) -> Result<Layer, PolicyError> {
    let Some(name) = row.text("source")? else {
        return Ok(Layer::User);
    };
    Layer::ALL.into_iter().find(|layer| layer.as_str() == name).ok_or_else(|| {
        let names = Layer::ALL.map(Layer::as_str).join(", ");
        row.file.error(place(row, "source"), format!("unknown source {name:?}; allowed: {names}"))
    })
}

fn date(row: &Table) -> Result<Option<String>, PolicyError> {
    match row.get("date").map(|value| (value, value.get_ref())) {
        None => Ok(None),
        Some((_, DeValue::Datetime(date))) => Ok(Some(date.to_string())),
        Some((value, other)) => Err(wrong(row.file, value, "date", "a date like 2026-11-30", other)),
    }
}

fn support(row: &Table) -> Result<Option<Support>, PolicyError> {
    let Some(value) = row.get("support") else {
        return Ok(None);
    };
    let table = Table::of(row.file, value, "support", "key", &["trials", "failures", "upper"])?;
    let count = |key| table.int(key, 0, u64::MAX).and_then(|found| table.need(key, found, "0"));
    let upper: &Value = table.need("upper", table.get("upper"), "0.01")?;
    let (trials, failures) = (count("trials")?, count("failures")?);
    Ok(Some(Support { trials, failures, upper: as_float(row.file, upper, "upper")? }))
}

fn contradiction(rule: &SiteRule) -> Option<String> {
    let both = |a: &[Pattern], b: &[Pattern]| a.iter().find(|name| b.contains(name)).map(Pattern::text);
    let defaults: Vec<Pattern> = rule.default.iter().map(|(name, _)| name.clone()).collect();
    let pairs = [
        ("drop", "keep", both(&rule.drop, &rule.keep)),
        ("drop", "valueless", both(&rule.drop, &rule.valueless)),
        ("drop", "default", both(&rule.drop, &defaults)),
        ("keep", "default", both(&rule.keep, &defaults)),
        ("on", "off", rule.on.iter().find(|&rung| rule.off.has(rung)).map(|rung| rung.meta().name.to_owned())),
    ];
    if let Some((a, b, Some(name))) = pairs.into_iter().find(|pair| pair.2.is_some()) {
        return Some(format!("{name:?} stands in both {a} and {b}"));
    }
    let silent = rule.drop.is_empty() && rule.keep.is_empty() && rule.valueless.is_empty();
    let still = rule.default.is_empty() && rule.on == RungSet::EMPTY && rule.off == RungSet::EMPTY;
    (silent && still).then(|| "the rule does nothing; give it drop, keep, valueless, default, on or off".to_owned())
}

/// One rule for one host and path: two would have to be read together to be understood.
pub(crate) fn unique(root: &Table, rules: &[SiteRule]) -> Result<(), PolicyError> {
    let key = |rule: &SiteRule| (rule.layer, rule.host.clone(), rule.path.text().to_owned(), rule.line);
    let mut keys: Vec<_> = rules.iter().map(key).collect();
    keys.sort_unstable();
    match keys.windows(2).find(|pair| (pair[0].0, &pair[0].1, &pair[0].2) == (pair[1].0, &pair[1].1, &pair[1].2)) {
        None => Ok(()),
        Some(pair) => {
            let message =
                format!("a second rule for host {}, path {}; the first is in line {}", pair[1].1, pair[1].2, pair[0].3);
            Err(PolicyError { line: Some(pair[1].3), ..root.file.error(0, message) })
        }
    }
}

fn place(row: &Table, key: &str) -> usize {
    row.get(key).map_or(row.at, |value| value.span().start)
}
