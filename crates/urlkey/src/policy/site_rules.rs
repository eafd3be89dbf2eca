//! Reads `[[site]]` rules. Must not know how they are looked up.

use toml::de::DeValue;

use super::error::PolicyError;
use super::load::{pattern, rung_list};
use super::model::{Except, Layer, Name, SiteRule, Support};
use super::names::Pattern;
use super::paths::PathPattern;
use super::read::{Table, Value, as_float, as_text, wrong};
use super::regexes::Rx;
use crate::domain::HostPattern;
use crate::ladder::Loss;
use crate::rungs::RungSet;

pub(crate) const KEYS: [&str; 21] = [
    "host",
    "path",
    "url",
    "except",
    "drop",
    "keep",
    "drop_pairs",
    "keep_pairs",
    "referral",
    "valueless",
    "default",
    "raw",
    "drop_path",
    "case",
    "fragment",
    "on",
    "off",
    "source",
    "date",
    "support",
    "note",
];

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

/// What a row covers and where it comes from, without what it says.
pub(crate) fn cover(row: &Table) -> Result<SiteRule, PolicyError> {
    Ok(SiteRule {
        host: host(row)?,
        path: path(row)?,
        url: url(row)?,
        except: excepted(row)?,
        drop: Vec::new(),
        keep: Vec::new(),
        drop_pairs: Vec::new(),
        keep_pairs: Vec::new(),
        referral: Vec::new(),
        valueless: Vec::new(),
        raw: Vec::new(),
        drop_path: Vec::new(),
        case: false,
        fragment: false,
        default: Vec::new(),
        on: RungSet::EMPTY,
        off: RungSet::EMPTY,
        layer: layer(row)?,
        date: date(row)?,
        support: None,
        note: row.text("note")?.map(str::to_owned),
        file: row.file.name().clone(),
        line: row.file.line(row.at),
    })
}

fn url(row: &Table) -> Result<Option<Rx>, PolicyError> {
    row.text("url")?.map(|text| Rx::search(text).map_err(|e| row.file.error(place(row, "url"), e))).transpose()
}

/// One rule.
pub(crate) fn rule(row: &Table) -> Result<SiteRule, PolicyError> {
    let rule = SiteRule {
        drop: names(row, "drop")?,
        keep: names(row, "keep")?,
        drop_pairs: regexes(row, "drop_pairs")?,
        keep_pairs: regexes(row, "keep_pairs")?,
        referral: names(row, "referral")?,
        valueless: names(row, "valueless")?,
        raw: regexes(row, "raw")?,
        drop_path: regexes(row, "drop_path")?,
        case: row.bool("case")?.unwrap_or(false),
        fragment: row.bool("fragment")?.unwrap_or(false),
        default: defaults(row)?,
        on: rungs(row, "on")?,
        off: rungs(row, "off")?,
        support: support(row)?,
        ..cover(row)?
    };
    match contradiction(&rule) {
        Some(fault) => Err(row.file.error(row.at, fault)),
        None => Ok(rule),
    }
}

/// A regular expression stands in for the host.
fn host(row: &Table) -> Result<HostPattern, PolicyError> {
    let text = match (row.text("host")?, row.get("url")) {
        (None, Some(_)) => "*",
        (found, _) => row.need("host", found, "\"*.shop.example\"")?,
    };
    HostPattern::parse(text).map_err(|fault| row.file.error(place(row, "host"), fault))
}

fn path(row: &Table) -> Result<PathPattern, PolicyError> {
    let text = row.text("path")?.unwrap_or("/");
    PathPattern::parse(text).map_err(|fault| row.file.error(place(row, "path"), fault))
}

/// What stands between the slashes of a regular expression.
fn between_slashes(text: &str) -> Option<&str> {
    text.strip_prefix('/')?.strip_suffix('/').filter(|inside| !inside.is_empty())
}

/// Names of parameters: whole, `*` at their end, or regular expressions between slashes.
fn names(row: &Table, key: &str) -> Result<Vec<Name>, PolicyError> {
    let name = |(text, at)| match between_slashes(text) {
        Some(inside) => Rx::whole(inside).map(Name::Matching).map_err(|fault| row.file.error(at, fault)),
        None => pattern(row.file, text, at).map(Name::Plain),
    };
    row.texts(key)?.unwrap_or_default().into_iter().map(name).collect()
}

/// Hosts, or regular expressions between slashes.
fn excepted(row: &Table) -> Result<Vec<Except>, PolicyError> {
    let one = |(text, at): (&str, usize)| {
        match between_slashes(text) {
            Some(inside) => Rx::search(inside).map(Except::Url),
            None => HostPattern::parse(text).map(Except::Host),
        }
        .map_err(|fault| row.file.error(at, fault))
    };
    row.texts("except")?.unwrap_or_default().into_iter().map(one).collect()
}

fn regexes(row: &Table, key: &str) -> Result<Vec<Rx>, PolicyError> {
    let one = |(text, at)| Rx::search(text).map_err(|fault| row.file.error(at, fault));
    row.texts(key)?.unwrap_or_default().into_iter().map(one).collect()
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
    let both = |a: &[Name], b: &[Name]| a.iter().find(|name| b.contains(name)).map(Name::text);
    let defaults: Vec<Name> = rule.default.iter().map(|(name, _)| Name::Plain(name.clone())).collect();
    let pairs = [
        ("drop", "keep", both(&rule.drop, &rule.keep)),
        ("drop", "valueless", both(&rule.drop, &rule.valueless)),
        ("drop", "default", both(&rule.drop, &defaults)),
        ("keep", "default", both(&rule.keep, &defaults)),
        ("referral", "keep", both(&rule.referral, &rule.keep)),
        ("on", "off", rule.on.iter().find(|&rung| rule.off.has(rung)).map(|rung| rung.meta().name.to_owned())),
    ];
    if let Some((a, b, Some(name))) = pairs.into_iter().find(|pair| pair.2.is_some()) {
        return Some(format!("{name:?} stands in both {a} and {b}"));
    }
    let names = [&rule.drop, &rule.keep, &rule.referral, &rule.valueless];
    let regexes = [&rule.drop_pairs, &rule.keep_pairs, &rule.raw, &rule.drop_path];
    let silent = names.iter().all(|list| list.is_empty()) && regexes.iter().all(|list| list.is_empty());
    let still = rule.default.is_empty() && rule.on == RungSet::EMPTY && rule.off == RungSet::EMPTY;
    (silent && still).then(|| "the rule does nothing; give it drop, keep, valueless, default, on or off".to_owned())
}

/// One rule for one host and path: two would have to be read together to be understood.
pub(crate) fn unique(root: &Table, rules: &[SiteRule]) -> Result<(), PolicyError> {
    match twins(rules).first() {
        None => Ok(()),
        Some((first, second)) => {
            let (host, path) = (&second.host, second.path.text());
            let url = second.url.as_ref().map(|rx| format!(", url {:?}", rx.text())).unwrap_or_default();
            let message =
                format!("a second rule for host {host}, path {path}{url}; the first is in line {}", first.line);
            Err(PolicyError { line: Some(second.line), ..root.file.error(0, message) })
        }
    }
}

/// Pairs of rules that cover the same URLs, come from the same source and read names alike. Those with exceptions
/// stand beside others: what they do not cover may have a rule of its own.
pub(crate) fn twins(rules: &[SiteRule]) -> Vec<(&SiteRule, &SiteRule)> {
    let key = |rule: &SiteRule| {
        let except: Vec<String> = rule.except.iter().map(Except::text).collect();
        (rule.layer, rule.host.to_string(), rule.path.text().to_owned(), rule.url.clone(), rule.case, except)
    };
    let mut keyed: Vec<_> = rules.iter().map(|rule| (key(rule), rule)).collect();
    keyed.sort_by(|a, b| (&a.0, a.1.line).cmp(&(&b.0, b.1.line)));
    keyed.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| (pair[0].1, pair[1].1)).collect()
}

fn place(row: &Table, key: &str) -> usize {
    row.get(key).map_or(row.at, |value| value.span().start)
}
