//! Looks a file of site rules over: every fault, not the first one alone, and
//! what reads oddly though it is allowed. Must not know how rules are matched.

use std::collections::HashMap;

use toml::de::DeValue;

use super::error::PolicyError;
use super::model::{Except, Name, SiteRule};
use super::read::{File, Table, Value};
use super::site_rules;
use crate::domain::registrable_start;
use crate::error::Code;
use crate::host::ends_in_a_number;
use crate::rungs::RungSet;

/// What was found in a file of rules.
#[derive(Clone, Debug, Default)]
pub struct RuleCheck {
    /// Rules that can be used.
    pub rules: usize,
    /// How many items of each key there are, keys without any left out.
    pub items: Vec<(&'static str, usize)>,
    /// What keeps the file from being loaded, by line.
    pub faults: Vec<PolicyError>,
    /// What is allowed and reads oddly, by line.
    pub notes: Vec<RuleNote>,
}

/// Something that reads oddly.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RuleNote {
    /// Counted from 1.
    pub line: usize,
    /// `redundant`, `unheard`, `unreachable`, `wide`.
    pub kind: &'static str,
    /// One sentence, without a full stop.
    pub message: String,
}

/// Checks the text of a rule file, or of a policy file for its rules. Errors name the text by `origin`.
pub fn check_rules(text: &str, origin: &str) -> RuleCheck {
    let mut check = RuleCheck::default();
    let file = File::new(origin, text, Code::BadRule);
    let root = match file.parse() {
        Ok(root) => root,
        Err(fault) => {
            check.faults.push(fault);
            return check;
        }
    };
    let policy = ["name", "extends", "rungs", "limits", "version"].iter().any(|key| root.contains_key(*key));
    let loaded = match policy {
        true => super::Policy::from_toml(text, origin, &[]).map(drop),
        false => super::load::rules(text, origin).map(drop),
    };
    let mut rules = Vec::new();
    for row in root.get("site").and_then(|value| value.get_ref().as_array()).into_iter().flat_map(|list| list.iter()) {
        match every_fault(&file, row) {
            Ok(rule) => rules.push(rule),
            Err(faults) => check.faults.extend(faults),
        }
    }
    let listed = root.get("redirect").and_then(|value| value.get_ref().as_array());
    let mut redirects = 0;
    for row in listed.into_iter().flat_map(|list| list.iter()) {
        let table = Table::of(&file, row, "redirect", "key", &super::redirects::KEYS);
        match table.and_then(|table| super::redirects::redirect(&table)) {
            Ok(_) => redirects += 1,
            Err(fault) => check.faults.push(fault),
        }
    }
    if let Err(fault) = loaded
        && !check.faults.contains(&fault)
    {
        check.faults.push(fault);
    }
    for (_, second) in site_rules::twins(&rules).into_iter().skip(1) {
        let message = format!("another rule for host {}, path {}", second.host, second.path.text());
        let fault = PolicyError { line: Some(second.line), ..file.error(0, message) };
        if !policy && !check.faults.iter().any(|known| known.line == fault.line) {
            check.faults.push(fault);
        }
    }
    check.faults.sort_by_key(|fault| fault.line);
    check.rules = rules.len() + redirects;
    check.items = items(&rules);
    if redirects > 0 {
        check.items.push(("redirect", redirects));
    }
    check.notes = notes(&rules);
    check
}

/// More faults than these of one rule are not looked for.
const MOST_FAULTS: usize = 16;

/// The rule, or what is wrong with each of its keys: one that was found wrong is left out, and the rule read again.
fn every_fault(file: &File, row: &Value) -> Result<SiteRule, Vec<PolicyError>> {
    let mut row = row.clone();
    let mut faults = Vec::new();
    loop {
        let read = Table::of(file, &row, "site", "key", &site_rules::KEYS).and_then(|table| site_rules::rule(&table));
        let fault = match read {
            Ok(rule) if faults.is_empty() => return Ok(rule),
            Ok(_) => return Err(faults),
            Err(fault) => fault,
        };
        let line = fault.line;
        // What is said of the rule as a whole may be true only because a key is left out.
        if !faults.is_empty() && line == Some(file.line(row.span().start)) {
            return Err(faults);
        }
        faults.push(fault);
        let DeValue::Table(table) = row.get_mut() else { return Err(faults) };
        if faults.len() == MOST_FAULTS {
            return Err(faults);
        }
        let lines = |from: usize, to: usize| file.line(from)..=file.line(to);
        let said =
            |line: usize| table.iter().find(|(key, value)| lines(key.span().start, value.span().end).contains(&line));
        let Some(key) = line.and_then(said).map(|(key, _)| key.clone()) else { return Err(faults) };
        table.remove(&key);
        // Without a host the rule would be told to need one.
        if key.get_ref() == "host" {
            let at = key.span();
            table.insert(key, Value::new(at, DeValue::String("a.example".into())));
        }
    }
}

fn items(rules: &[SiteRule]) -> Vec<(&'static str, usize)> {
    let sum = |count: fn(&SiteRule) -> usize| rules.iter().map(count).sum();
    let switches = |set: RungSet| set.iter().count();
    let all = [
        ("drop", sum(|rule| rule.drop.len() + rule.drop_pairs.len())),
        ("keep", sum(|rule| rule.keep.len() + rule.keep_pairs.len())),
        ("referral", sum(|rule| rule.referral.len())),
        ("valueless", sum(|rule| rule.valueless.len())),
        ("default", sum(|rule| rule.default.len())),
        ("raw", sum(|rule| rule.raw.len())),
        ("drop_path", sum(|rule| rule.drop_path.len())),
        ("on", rules.iter().map(|rule| switches(rule.on)).sum()),
        ("off", rules.iter().map(|rule| switches(rule.off)).sum()),
    ];
    all.into_iter().filter(|&(_, count)| count > 0).collect()
}

/// One name in one rule.
struct Said<'r> {
    rule: &'r SiteRule,
    key: &'static str,
    name: &'r Name,
}

fn notes(rules: &[SiteRule]) -> Vec<RuleNote> {
    let mut notes = Vec::new();
    for rule in rules {
        inside(rule, &mut notes);
        reach(rule, &mut notes);
    }
    let mut by_name: HashMap<String, Vec<Said>> = HashMap::new();
    for said in rules.iter().flat_map(said) {
        by_name.entry(said.name.text().to_ascii_lowercase()).or_default().push(said);
    }
    by_name.values().for_each(|group| between(group, &mut notes));
    notes.sort();
    notes.dedup();
    notes
}

fn said(rule: &SiteRule) -> impl Iterator<Item = Said<'_>> {
    let lists =
        [("keep", &rule.keep), ("drop", &rule.drop), ("valueless", &rule.valueless), ("referral", &rule.referral)];
    lists.into_iter().flat_map(move |(key, names)| names.iter().map(move |name| Said { rule, key, name }))
}

/// Names of one rule that another of its names takes in. Sorted by their stems, those that take a name in are before
/// it, each within the one before: no other is looked at.
fn inside(rule: &SiteRule, notes: &mut Vec<RuleNote>) {
    let plain = said(rule).filter_map(|said| match said.name {
        Name::Plain(pattern) => Some((pattern.stem.to_ascii_lowercase(), said, pattern)),
        Name::Matching(_) => None,
    });
    let mut names: Vec<_> = plain.collect();
    names.sort_by(|a, b| a.0.cmp(&b.0));
    let mut stars: Vec<usize> = Vec::new();
    for alike in names.chunk_by(|a, b| a.0 == b.0) {
        let stem = &alike[0].0;
        while stars.last().is_some_and(|&star| !stem.starts_with(&names[star].0)) {
            stars.pop();
        }
        let first = names.partition_point(|name| name.0 < *stem);
        stars.extend((first..first + alike.len()).filter(|&at| names[at].2.prefix));
        for (_, one, pattern) in alike {
            for (_, star, _) in stars.iter().map(|&star| &names[star]).filter(|star| star.2 != *pattern) {
                let (name, wide) = (one.name.text(), star.name.text());
                let (kind, message) = match (one.key, star.key) {
                    (a, b) if a == b => ("redundant", format!("{a} {name:?} is in {wide:?} already")),
                    ("keep", _) => continue,
                    (a, "keep") => ("unheard", format!("{a} {name:?} is never heard: keep {wide:?} comes first")),
                    _ => continue,
                };
                notes.push(RuleNote { line: rule.line, kind, message });
            }
        }
    }
}

/// Hosts and exceptions that say more, or less, than it looks.
fn reach(rule: &SiteRule, notes: &mut Vec<RuleNote>) {
    let mut note = |kind, message| notes.push(RuleNote { line: rule.line, kind, message });
    let host = rule.host.to_string();
    if let Some(apex) = host.strip_prefix("*.")
        && registrable_start(apex).is_none()
        && !apex.starts_with('[')
        && !ends_in_a_number(apex.as_bytes())
    {
        note("wide", format!("{host} is every site below a public suffix"));
    }
    if host == "*" && rule.drop.iter().any(|name| matches!(name, Name::Plain(p) if p.prefix && p.stem.len() < 3)) {
        note("wide", "a name of fewer than three letters with * is dropped on every host".to_owned());
    }
    for except in &rule.except {
        let Except::Host(spared) = except else { continue };
        let spared = spared.to_string();
        let apex = spared.strip_prefix("*.").unwrap_or(&spared);
        let (own, any) = (host.strip_prefix("*.").unwrap_or(&host), host == "*" || host.contains('<'));
        let meets = any || spared.contains('<') || is_below(apex, own) || is_below(own, apex);
        if !meets {
            note("unreachable", format!("except {spared:?} is no host that {host} covers"));
        }
        if !any && spared.starts_with("*.") && is_below(own, apex) {
            note("unreachable", format!("except {spared:?} leaves nothing of {host}"));
        }
    }
    let lists = rule.drop.iter().chain(&rule.keep).chain(&rule.valueless).chain(&rule.referral);
    for name in lists {
        if let Name::Matching(rx) = name
            && rx.text().contains(['&', '='])
            && !rx.text().contains(['[', '?'])
        {
            note("unreachable", format!("no name holds & or =, so {:?} matches none", name.text()));
        }
    }
    let texts =
        rule.url.iter().chain(&rule.raw).chain(&rule.drop_path).chain(rule.except.iter().filter_map(|except| {
            match except {
                Except::Url(rx) => Some(rx),
                Except::Host(_) => None,
            }
        }));
    for rx in texts.filter(|rx| !rx.text().is_ascii() || rx.text().contains(' ')) {
        note("unreachable", format!("an href is ASCII without spaces, {:?} is not", rx.text()));
    }
}

/// What several rules say of one name.
fn between(group: &[Said], notes: &mut Vec<RuleNote>) {
    // Most names stand on many hosts that have nothing in common: only rules without conditions overrule others.
    let wide: Vec<&Said> = group.iter().filter(|s| s.rule.url.is_none() && s.rule.except.is_empty()).collect();
    let by_host: HashMap<String, Vec<&&Said>> = wide.iter().fold(HashMap::new(), |mut map, said| {
        map.entry(said.rule.host.to_string()).or_insert_with(Vec::new).push(said);
        map
    });
    for one in group {
        for other in above(&one.rule.host.to_string()).iter().filter_map(|host| by_host.get(host)).flatten() {
            if std::ptr::eq(one.rule, other.rule) || !covers_path(other.rule, one.rule) {
                continue;
            }
            let (name, line) = (one.name.text(), other.rule.line);
            let closer = super::says::rank(one.rule) < super::says::rank(other.rule);
            let note = match (one.key == other.key, closer) {
                (true, _) if one.rule.layer == other.rule.layer => {
                    ("redundant", format!("{} {name:?} is said in line {line} already", one.key))
                }
                (_, false) => {
                    let source = other.rule.layer.as_str();
                    ("unheard", format!("{} {name:?} is never heard: line {line} ({source}) comes first", one.key))
                }
                _ => continue,
            };
            notes.push(RuleNote { line: one.rule.line, kind: note.0, message: note.1 });
        }
    }
}

/// The patterns that cover every host of this one.
fn above(host: &str) -> Vec<String> {
    let mut out = vec!["*".to_owned()];
    if host != "*" {
        out.push(host.to_owned());
    }
    let bare = host.strip_prefix("*.").unwrap_or(host);
    if !host.contains('<') && host != "*" {
        let starts = std::iter::once(0).chain(bare.match_indices('.').map(|(at, _)| at + 1));
        out.extend(starts.map(|at| format!("*.{}", &bare[at..])).filter(|pattern| pattern != host));
    }
    out
}

fn covers_path(wide: &SiteRule, one: &SiteRule) -> bool {
    let (wide, one) = (wide.path.text(), one.path.text());
    wide == "/" || one == wide || one.strip_prefix(wide).is_some_and(|rest| rest.starts_with('/'))
}

fn is_below(host: &str, apex: &str) -> bool {
    host.strip_suffix(apex).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(text: &str) -> Vec<(usize, &'static str)> {
        let check = check_rules(&format!("schema = 1\n{text}"), "mine.toml");
        assert!(check.faults.is_empty(), "{:?}", check.faults);
        check.notes.into_iter().map(|note| (note.line, note.kind)).collect()
    }

    #[test]
    fn every_fault_is_found() {
        let text = "schema = 1\n[[site]]\nhost = \"a b\"\ndrop = [\"x\"]\n[[site]]\nhost = \"a.example\"\n\
                    drop = [\"(\", \"/(/\"]\n[[site]]\nhost = \"a.example\"\nkeep = [\"x\"]\n";
        let check = check_rules(text, "mine.toml");
        let lines: Vec<_> = check.faults.iter().map(|fault| fault.line).collect();
        assert_eq!((lines, check.rules), (vec![Some(3), Some(7)], 1));
        assert_eq!(check_rules("[[", "mine.toml").faults.len(), 1);
    }

    #[test]
    fn every_fault_of_one_rule_is_found() {
        let text = "schema = 1\n[[site]]\nhost = \"a b\"\ndrop = [\n  \"x\",\n  \"/(/\",\n]\nfragment = 1\nnosuch = 1\n\
                    raw = [\"[\"]\n[[site]]\nurl = \"(\"\n";
        let check = check_rules(text, "mine.toml");
        let lines: Vec<_> = check.faults.iter().filter_map(|fault| fault.line).collect();
        assert_eq!((lines, check.rules), (vec![3, 6, 8, 9, 10, 12], 0), "{:?}", check.faults);
        let many: String = (0..1000).map(|n| format!("no{n} = 1\n")).collect();
        let check = check_rules(&format!("schema = 1\n[[site]]\nhost = \"a.example\"\n{many}"), "mine.toml");
        assert_eq!(check.faults.len(), MOST_FAULTS);
        let check = check_rules("schema = 1\nsite = [{ host = \"a b\", drop = [\"/(/\"] }]\n", "mine.toml");
        assert_eq!(check.faults.len(), 1, "{:?}", check.faults);
    }

    #[test]
    fn what_reads_oddly_is_noted() {
        let site = |rest: &str| format!("[[site]]\nhost = {rest}\n");
        for (text, found) in [
            (site("\"a.example\"\ndrop = [\"x\"]"), vec![]),
            (site("\"a.example\"\ndrop = [\"utm_*\", \"utm_id\"]"), vec![(2, "redundant")]),
            (site("\"a.example\"\ndrop = [\"utm_id\"]\nkeep = [\"utm_*\"]"), vec![(2, "unheard")]),
            (site("\"a.example\"\ndrop = [\"a_*\", \"a_b_*\", \"a_b_c\", \"b*\", \"a\"]"), vec![(2, "redundant"); 3]),
            (site("\"a.example\"\ndrop = [\"A_x\", \"a_*\", \"A_*\"]"), vec![(2, "redundant"); 4]),
            (site("\"*\"\ndrop = [\"x\"]") + &site("\"a.example\"\ndrop = [\"x\"]"), vec![(5, "redundant")]),
            (site("\"*\"\ndrop = [\"x\"]") + &site("\"a.example\"\nkeep = [\"x\"]"), vec![]),
            (
                site("\"*\"\ndrop = [\"x\"]") + &site("\"a.example\"\nkeep = [\"x\"]\nsource = \"imported\""),
                vec![(5, "unheard")],
            ),
            (site("\"*.co.uk\"\ndrop = [\"xyz\"]"), vec![(2, "wide")]),
            (site("\"a.example\"\nexcept = [\"b.example\"]\ndrop = [\"x\"]"), vec![(2, "unreachable")]),
            (site("\"a.example\"\nurl = \"a b\"\ndrop = [\"x\"]"), vec![(2, "unreachable")]),
        ] {
            assert_eq!(noted(&text), found, "{text}");
        }
    }
}
