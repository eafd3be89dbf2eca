//! The policy id: a hash of all that decides keys and of nothing else. Names,
//! dates, support, comments, limits and the order of rules are left out. Must
//! not know TOML.

use sha2::{Digest, Sha256};

use super::compile::{asks_breakages, enabled, guards_signed};
use super::data;
use super::error::PolicyError;
use super::model::{Except, Name, Profile, SiteRule, Tracking, Unwrap};
use super::names::Pattern;
use super::redirects;
use super::regexes::Rx;
use crate::domain::PSL_VERSION;
use crate::forms::social;
use crate::host::{self, UNICODE_VERSION};
use crate::ladder::Meta;
use crate::rungs::{Rung, RungSet, site_rules};
use crate::steps::{AFTER_HOST, BEFORE_HOST};

/// Raised when other options for UTS #46 give other keys.
const IDNA_REVISION: u64 = 1;

/// Versions of the data that enabled rungs read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DataVersions {
    tracking: Option<u64>,
    session: Option<u64>,
    index: Option<u64>,
    signed: Option<u64>,
    redirectors: Option<u64>,
    breakages: Option<u64>,
    social: Option<u64>,
    suffixes: Option<&'static str>,
}

/// The full id, 64 hexadecimal digits.
pub(crate) fn id(profile: &Profile) -> Result<String, PolicyError> {
    Ok(digest(&lines(profile, versions(profile)?)))
}

fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn versions(profile: &Profile) -> Result<DataVersions, PolicyError> {
    let enabled = enabled(profile);
    let unwraps = enabled.has(Rung::UnwrapRedirector) || enabled.has(Rung::UnwrapAmp);
    let by_suffix = [Rung::DropWww, Rung::FoldMobileHost, Rung::FoldAmpHost, Rung::DropTracking];
    let suffixes = unwraps
        || by_suffix.into_iter().any(|rung| enabled.has(rung))
        || profile.sites.iter().any(|rule| rule.host.to_string().ends_with("<suffix>"));
    let breakages = asks_breakages(profile);
    // Some of them are for names before any suffix.
    let suffixes = suffixes || breakages;
    Ok(DataVersions {
        tracking: enabled.has(Rung::DropTracking).then(data::tracking).transpose()?.map(|data| data.version),
        session: enabled.has(Rung::DropSession).then(data::session).transpose()?.map(|data| data.version),
        index: enabled.has(Rung::DropIndex).then(data::index).transpose()?.map(|data| data.version),
        signed: guards_signed(enabled).then(data::signed).transpose()?.map(|data| data.version),
        redirectors: unwraps.then(data::redirectors).transpose()?.map(|data| data.version),
        breakages: breakages.then(data::breakages).transpose()?.map(|data| data.version),
        social: enabled.has(Rung::SiteForm).then_some(social::DATA_VERSION),
        suffixes: suffixes.then_some(PSL_VERSION),
    })
}

/// What is hashed: one fact a line.
fn lines(profile: &Profile, versions: DataVersions) -> String {
    let mut out = vec![format!("idna {IDNA_REVISION} unicode {UNICODE_VERSION}")];
    out.extend(parse_steps().map(|step| format!("parse {} {}", step.name, step.revision)));
    let enabled = enabled(profile);
    out.extend(enabled.iter().map(|rung| rung_line(profile, rung)));
    let rows = [
        ("tracking", versions.tracking),
        ("session", versions.session),
        ("index", versions.index),
        ("signed", versions.signed),
        ("redirectors", versions.redirectors),
        ("breakages", versions.breakages),
        ("social", versions.social),
    ];
    out.extend(rows.iter().filter_map(|(name, version)| Some(format!("data {name} {}", (*version)?))));
    out.extend(versions.suffixes.map(|version| format!("data suffixes {version}")));
    if !profile.sites.is_empty() || versions.breakages.is_some() {
        out.push(format!("rung {} {}", site_rules::META.name, site_rules::META.revision));
    }
    let mut sites: Vec<String> = profile.sites.iter().map(site_line).collect();
    // They act where a rung takes them off alone.
    if versions.redirectors.is_some() {
        sites.extend(profile.redirects.iter().map(redirects::id_line));
    }
    sites.sort_unstable();
    sites.dedup();
    out.extend(sites);
    out.join("\n")
}

/// Every policy parses alike; a step that changes keys raises its revision.
fn parse_steps() -> impl Iterator<Item = &'static Meta> {
    let host = [&host::DECODE_HOST, &host::IDNA, &host::LOWER_HOST, &host::IPV4, &host::IPV6, &host::ENCODE_HOST];
    BEFORE_HOST.into_iter().chain(host).chain(AFTER_HOST)
}

fn rung_line(profile: &Profile, rung: Rung) -> String {
    let meta = rung.meta();
    let place = if profile.rungs.on.has(rung) { "" } else { " on some sites" };
    let parameters = match rung {
        Rung::DropTracking => tracking_text(&profile.rungs.tracking),
        Rung::UnwrapRedirector => unwrap_text(&profile.rungs.unwrap),
        Rung::DropIndex if !profile.rungs.index.is_empty() => format!(" also={}", names(&profile.rungs.index)),
        _ => String::new(),
    };
    format!("rung {} {}{parameters}{place}", meta.name, meta.revision)
}

fn tracking_text(tracking: &Tracking) -> String {
    let mut kinds: Vec<&str> = tracking.kinds.iter().map(|kind| kind.as_str()).collect();
    kinds.sort_unstable();
    let (also, keep) = (names(&tracking.also), names(&tracking.keep));
    let (risky, unverified) = (tracking.risky, tracking.unverified);
    format!(" kinds={kinds:?} also={also} keep={keep} risky={risky} unverified={unverified}")
}

fn unwrap_text(unwrap: &Unwrap) -> String {
    let mut kinds: Vec<&str> = unwrap.kinds.iter().map(|kind| kind.as_str()).collect();
    kinds.sort_unstable();
    let mut also = unwrap.also.clone();
    also.sort_unstable();
    format!(" kinds={kinds:?} also={also:?} unverified={}", unwrap.unverified)
}

fn site_line(rule: &SiteRule) -> String {
    let mut defaults: Vec<(String, &str)> =
        rule.default.iter().map(|(name, value)| (folded(name), value.as_str())).collect();
    defaults.sort_unstable();
    let mut line = format!(
        "site {} {:?} {} drop={} keep={} valueless={} default={defaults:?} on={:?} off={:?}",
        rule.host,
        rule.path.text(),
        rule.layer.as_str(),
        site_names(&rule.drop, rule.case),
        site_names(&rule.keep, rule.case),
        site_names(&rule.valueless, rule.case),
        rung_names(rule.on),
        rung_names(rule.off),
    );
    let regexes = |list: &[Rx]| list.iter().map(|rx| rx.text().to_owned()).collect::<Vec<_>>();
    for (key, mut texts) in [
        ("url", regexes(rule.url.as_slice())),
        ("except", rule.except.iter().map(Except::text).collect()),
        ("drop_pairs", regexes(&rule.drop_pairs)),
        ("keep_pairs", regexes(&rule.keep_pairs)),
        ("referral", rule.referral.iter().map(|name| site_name(name, rule.case)).collect()),
        ("raw", regexes(&rule.raw)),
        ("drop_path", regexes(&rule.drop_path)),
        ("case", vec!["true".to_owned(); usize::from(rule.case)]),
        ("fragment", vec!["true".to_owned(); usize::from(rule.fragment)]),
    ] {
        if !texts.is_empty() {
            // Expressions are cut out in their order.
            if !matches!(key, "raw" | "drop_path") {
                texts.sort_unstable();
            }
            line.push_str(&format!(" {key}={texts:?}"));
        }
    }
    line
}

fn site_names(names: &[Name], case: bool) -> String {
    let mut names: Vec<String> = names.iter().map(|name| site_name(name, case)).collect();
    names.sort_unstable();
    format!("{names:?}")
}

/// Letters of an expression mean what they mean: `\\d` is not `\\D`.
fn site_name(name: &Name, case: bool) -> String {
    match name {
        Name::Plain(pattern) if !case => folded(pattern),
        _ => name.text(),
    }
}

fn rung_names(set: RungSet) -> Vec<&'static str> {
    set.iter().map(|rung| rung.meta().name).collect()
}

fn names(patterns: &[Pattern]) -> String {
    let mut names: Vec<String> = patterns.iter().map(folded).collect();
    names.sort_unstable();
    format!("{names:?}")
}

/// Names are compared without ASCII case.
fn folded(pattern: &Pattern) -> String {
    pattern.text().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::domain::HostPattern;
    use crate::policy::{Policy, Redirector};

    fn crawl() -> Profile {
        Policy::builtin("crawl").unwrap().profile.clone()
    }

    #[test]
    fn a_data_version_that_an_enabled_rung_reads_changes_the_id() {
        let profile = crawl();
        let now = versions(&profile).unwrap();
        assert!(now.tracking.is_some() && now.session.is_some() && now.signed.is_some() && now.suffixes.is_some());
        assert_eq!(now.index, None, "crawl does not read index.toml");
        let later = DataVersions { tracking: now.tracking.map(|version| version + 1), ..now };
        assert_ne!(lines(&profile, now), lines(&profile, later));
    }

    #[test]
    fn a_revision_changes_the_id() {
        let text = lines(&crawl(), DataVersions::default());
        for step in ["idna 1", "parse lower_host 1", "rung sort_query 1"] {
            assert!(text.contains(step), "{step} in {text}");
        }
    }

    /// Whoever changes rows raises the version of their file, then these.
    #[test]
    fn data_files_are_those_of_their_versions() {
        let tracking = data::tracking().unwrap();
        let mut rows: Vec<String> = tracking
            .rows
            .iter()
            .map(|(name, row)| {
                let group = &row.group;
                let texts = |hosts: &[HostPattern]| hosts.iter().map(|host| host.to_string()).collect::<Vec<_>>();
                let (hosts, except) = (texts(&group.hosts), texts(&group.except));
                format!("{} {:?} {hosts:?} {except:?} {} {}", folded(name), group.kind, group.verified, group.risk)
            })
            .collect();
        rows.sort_unstable();
        let found = (tracking.version, rows.len(), &digest(&rows.join("\n"))[..16]);
        assert_eq!(found, (2, 293, "dc828d6e269c00db"));
        let redirectors = data::redirectors().unwrap();
        let facts = |row: &Arc<Redirector>| {
            // All but where the row stands.
            let text = format!("{row:?}");
            text.split(", origin").next().unwrap_or_default().to_owned()
        };
        let text: Vec<String> = redirectors.rows.iter().map(facts).collect();
        let found = (redirectors.version, text.len(), &digest(&text.join("\n"))[..16]);
        assert_eq!(found, (2, 61, "b3b92376d268b91b"));
    }
}
