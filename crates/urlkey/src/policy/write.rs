//! Writes a policy as the TOML that it could have been read from, `extends`
//! resolved. Must not know what a rung does.

use std::fmt::Write;

use super::model::{Except, Name, Profile, Rungs, Setting, SiteRule, Tracking, Unwrap};
use super::names::Pattern;
use super::redirects;
use super::regexes::Rx;
use crate::rungs::{Rung, RungSet};

/// The full text of a policy; `id` goes into its first line, a comment.
pub(crate) fn profile(profile: &Profile, id: &str) -> String {
    let mut out = format!("# id: {id}\nschema = 1\n");
    // Writing to a String cannot fail.
    let _ = writeln!(out, "name = {}\nversion = {}", quoted(&profile.name), profile.version);
    if !profile.serves.is_empty() {
        let _ = writeln!(out, "serves = {}", quoted(&profile.serves));
    }
    out.push_str("\n[rungs]\n");
    for rung in profile.rungs.on.iter() {
        let _ = writeln!(out, "{} = {}", rung.meta().name, parameters(&profile.rungs, rung));
    }
    let _ = writeln!(out, "\n[limits]\ninput_bytes = {}", profile.limits.input_bytes);
    profile.sites.iter().for_each(|rule| site(&mut out, rule));
    profile.redirects.iter().for_each(|row| redirects::write(&mut out, row));
    out
}

/// Changes as a file would write them: rungs and limits.
pub(crate) fn changes(changes: &[(&str, Setting)]) -> String {
    let mut out = String::new();
    for (table, limits) in [("rungs", false), ("limits", true)] {
        let _ = writeln!(out, "[{table}]");
        for (key, value) in changes.iter().filter(|(key, _)| (*key == "input_bytes") == limits) {
            let _ = writeln!(out, "{} = {}", quoted(key), setting(value));
        }
    }
    out
}

/// A text in TOML's quotes.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\0'..='\x1f' | '\x7f' => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

fn setting(value: &Setting) -> String {
    match value {
        Setting::Bool(on) => on.to_string(),
        Setting::Int(number) => number.to_string(),
        Setting::Text(text) => quoted(text),
        Setting::List(items) => list(items.iter().map(setting)),
        Setting::Table(pairs) => {
            let pairs: Vec<String> =
                pairs.iter().map(|(key, value)| format!("{} = {}", quoted(key), setting(value))).collect();
            format!("{{ {} }}", pairs.join(", "))
        }
    }
}

/// A list of what is quoted already.
pub(crate) fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

fn names(patterns: &[Pattern]) -> String {
    list(patterns.iter().map(|pattern| quoted(&pattern.text())))
}

fn parameters(rungs: &Rungs, rung: Rung) -> String {
    match rung {
        Rung::DropTracking => tracking(&rungs.tracking),
        Rung::UnwrapRedirector if rungs.unwrap != Unwrap::default() => unwrap(&rungs.unwrap),
        Rung::DropIndex if !rungs.index.is_empty() => format!("{{ also = {} }}", names(&rungs.index)),
        _ => "true".to_owned(),
    }
}

fn tracking(tracking: &Tracking) -> String {
    let mut parts = vec![format!("kinds = {}", list(tracking.kinds.iter().map(|kind| quoted(kind.as_str()))))];
    for (key, patterns) in [("also", &tracking.also), ("keep", &tracking.keep)] {
        if !patterns.is_empty() {
            parts.push(format!("{key} = {}", names(patterns)));
        }
    }
    for (key, on) in [("risky", tracking.risky), ("unverified", tracking.unverified)] {
        if on {
            parts.push(format!("{key} = true"));
        }
    }
    format!("{{ {} }}", parts.join(", "))
}

fn unwrap(unwrap: &Unwrap) -> String {
    let mut parts = vec![format!("kinds = {}", list(unwrap.kinds.iter().map(|kind| quoted(kind.as_str()))))];
    if !unwrap.also.is_empty() {
        parts.push(format!("also = {}", list(unwrap.also.iter().map(|text| quoted(text)))));
    }
    if unwrap.unverified {
        parts.push("unverified = true".to_owned());
    }
    format!("{{ {} }}", parts.join(", "))
}

/// What a site rule asks for besides host and path, and what it says: key, then items.
pub(crate) fn lists(rule: &SiteRule) -> Vec<(&'static str, Vec<String>)> {
    let names = |names: &[Name]| names.iter().map(Name::text).collect::<Vec<_>>();
    let regexes = |list: &[Rx]| list.iter().map(|rx| rx.text().to_owned()).collect::<Vec<_>>();
    let rungs = |set: RungSet| set.iter().map(|rung| rung.meta().name.to_owned()).collect::<Vec<_>>();
    let default = |(name, value): &(Pattern, String)| format!("{}={value}", name.text());
    let all = [
        ("url", regexes(rule.url.as_slice())),
        ("except", rule.except.iter().map(Except::text).collect()),
        ("drop", names(&rule.drop)),
        ("keep", names(&rule.keep)),
        ("drop_pairs", regexes(&rule.drop_pairs)),
        ("keep_pairs", regexes(&rule.keep_pairs)),
        ("referral", names(&rule.referral)),
        ("valueless", names(&rule.valueless)),
        ("default", rule.default.iter().map(default).collect()),
        ("raw", regexes(&rule.raw)),
        ("drop_path", regexes(&rule.drop_path)),
        ("on", rungs(rule.on)),
        ("off", rungs(rule.off)),
    ];
    all.into_iter().filter(|(_, items)| !items.is_empty()).collect()
}

/// One site rule as a file would write it.
fn site(out: &mut String, rule: &SiteRule) {
    let _ = writeln!(out, "\n[[site]]\nhost = {}\npath = {}", quoted(&rule.host.to_string()), quoted(rule.path.text()));
    for (key, items) in lists(rule) {
        let _ = match key {
            "url" => writeln!(out, "url = {}", quoted(&items[0])),
            "default" => {
                let pair = |(name, value): &(Pattern, String)| format!("{} = {}", quoted(&name.text()), quoted(value));
                writeln!(out, "default = {{ {} }}", rule.default.iter().map(pair).collect::<Vec<_>>().join(", "))
            }
            _ => writeln!(out, "{key} = {}", list(items.iter().map(|item| quoted(item)))),
        };
    }
    for (key, on) in [("case", rule.case), ("fragment", rule.fragment)] {
        if on {
            let _ = writeln!(out, "{key} = true");
        }
    }
    let _ = writeln!(out, "source = {}", quoted(rule.layer.as_str()));
    if let Some(date) = &rule.date {
        let _ = writeln!(out, "date = {date}");
    }
    if let Some(found) = rule.support {
        let (trials, failures, upper) = (found.trials, found.failures, found.upper);
        let _ = writeln!(out, "support = {{ trials = {trials}, failures = {failures}, upper = {upper:?} }}");
    }
    if let Some(note) = &rule.note {
        let _ = writeln!(out, "note = {}", quoted(note));
    }
}
