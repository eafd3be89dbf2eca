//! From what a policy says to the tables that rungs read. Must not know TOML.

use std::sync::{Arc, OnceLock};

use super::error::PolicyError;
use super::model::{Kind, Profile, Rungs, SiteRule, Tracking};
use super::names::{NameSet, Pattern};
use super::params::{ParamGroup, ParamRow, ParamSet};
use super::redirectors::{HopKind, Redirector, Redirectors};
use super::says::rank;
use super::session::SessionRules;
use super::signed::SignedRules;
use super::sites::Sites;
use super::{Policy, data, redirects};
use crate::accept::Accept;
use crate::heads::NameClasses;
use crate::ladder::Loss;
use crate::query::{KEPT, SESSION, SIGNED, SITE, TRACKING};
use crate::rungs::{PATH, Rung, RungSet};
use crate::text::Repairs;

/// The policy of a profile. Tables that no enabled rung reads stay empty, and
/// their data unread.
pub(crate) fn compile(profile: Profile) -> Result<Policy, PolicyError> {
    let on = profile.rungs.on;
    let enabled = enabled(&profile);
    let tracking = tracking(&profile, enabled.has(Rung::DropTracking))?;
    let session = match enabled.has(Rung::DropSession) {
        true => &data::session()?.rows,
        false => no_session(),
    };
    let signed = match guards_signed(enabled) {
        true => &data::signed()?.rows,
        false => no_signed(),
    };
    let referral = on.has(Rung::DropTracking) && profile.rungs.tracking.kinds.contains(&Kind::Affiliate);
    let sites = Sites::new(ordered(&profile)?, referral);
    let redirectors = redirectors(&profile, enabled)?;
    Ok(Policy {
        on,
        forms: enabled.has(Rung::SiteForm),
        asks_hosts: !sites.is_empty() || !redirectors.is_empty() || enabled.has(Rung::SiteForm),
        redirectors,
        accept: Accept::new(on),
        classes: NameClasses::new(&[
            (TRACKING, tracking.filter()),
            (SESSION, session.filter()),
            (SIGNED, signed.filter()),
            (SITE, &sites.filter()),
            (KEPT, sites.kept()),
        ]),
        tracking,
        session,
        index: index(&profile.rungs, enabled.has(Rung::DropIndex))?,
        signed,
        rewrites_paths: enabled.meets(PATH),
        sites,
        repairs: Repairs {
            trim_wrapping: on.has(Rung::TrimWrapping),
            refang: on.has(Rung::Refang),
            assume_scheme: on.has(Rung::AssumeScheme),
        },
        limits: profile.limits,
        profile,
        id: OnceLock::new(),
        text: OnceLock::new(),
    })
}

/// All site rules, known breakages among them where something could drop what they keep; the first to be
/// heard first. The order of files decides nothing.
pub(crate) fn ordered(profile: &Profile) -> Result<Vec<&SiteRule>, PolicyError> {
    let mut rules: Vec<&SiteRule> = profile.sites.iter().collect();
    if asks_breakages(profile) {
        rules.extend(&data::breakages()?.rows);
    }
    rules.sort_by(|a, b| (rank(a), &a.file, a.line).cmp(&(rank(b), &b.file, b.line)));
    Ok(rules)
}

/// Whether anything drops more than the usual tracking parameters, none of which a known breakage keeps: a test
/// holds the two files to that, so that the rules for one site change nothing on others.
pub(crate) fn asks_breakages(profile: &Profile) -> bool {
    let (enabled, tracking) = (enabled(profile), &profile.rungs.tracking);
    let usual = Tracking::default();
    let wider = tracking.kinds.iter().any(|kind| !usual.kinds.contains(kind))
        || !tracking.also.is_empty()
        || tracking.risky
        || tracking.unverified;
    let by_value = enabled.has(Rung::DropOpaqueParams) || enabled.has(Rung::DropBlankParams);
    !profile.sites.is_empty() || by_value || (enabled.has(Rung::DropTracking) && wider)
}

/// The rungs that may act on some URL.
pub(crate) fn enabled(profile: &Profile) -> RungSet {
    profile.sites.iter().fold(profile.rungs.on, |set, rule| set.switched(rule.on, RungSet::EMPTY))
}

/// Signed URLs are looked for wherever a rung above `none` could break them.
pub(crate) fn guards_signed(enabled: RungSet) -> bool {
    enabled.iter().any(|rung| rung.meta().loss > Loss::None)
}

fn no_session() -> &'static SessionRules {
    static NONE: OnceLock<SessionRules> = OnceLock::new();
    NONE.get_or_init(|| SessionRules::new(&[], None))
}

fn no_signed() -> &'static SignedRules {
    static NONE: OnceLock<SignedRules> = OnceLock::new();
    NONE.get_or_init(|| SignedRules::new(Vec::new()))
}

fn tracking(profile: &Profile, enabled: bool) -> Result<ParamSet, PolicyError> {
    if !enabled {
        return Ok(ParamSet::new([]));
    }
    let choice = &profile.rungs.tracking;
    let taken = |row: &ParamRow| {
        let group = &row.group;
        choice.kinds.contains(&group.kind) && (group.verified || choice.unverified) && (!group.risk || choice.risky)
    };
    let rows = &data::tracking()?.rows;
    let rows = rows.iter().filter(|(_, row)| taken(row)).map(|(name, row)| (name, row.clone()));
    let own = own_group();
    let more = |names: &'_ [Pattern], keep: bool| -> Vec<Arc<ParamRow>> {
        let row =
            |name: &Pattern| Arc::new(ParamRow { name: name.text(), origin: None, line: 0, keep, group: own.clone() });
        names.iter().map(row).collect()
    };
    let also = choice.also.iter().zip(more(&choice.also, false));
    let keep = choice.keep.iter().zip(more(&choice.keep, true));
    Ok(ParamSet::new(rows.chain(also).chain(keep)))
}

/// The group of the names that a policy itself adds or keeps.
fn own_group() -> Arc<ParamGroup> {
    Arc::new(ParamGroup { kind: Kind::Campaign, hosts: Vec::new(), except: Vec::new(), verified: true, risk: false })
}

/// What an enabled rung may unwrap: AMP's rules are unwrap_amp's, the rest
/// unwrap_redirector's.
fn redirectors(profile: &Profile, enabled: RungSet) -> Result<Redirectors, PolicyError> {
    let (links, amp) = (enabled.has(Rung::UnwrapRedirector), enabled.has(Rung::UnwrapAmp));
    if !links && !amp {
        return Ok(Redirectors::new(Vec::new()));
    }
    let choice = &profile.rungs.unwrap;
    let taken = |row: &&Arc<Redirector>| match row.kind {
        HopKind::Amp => amp,
        kind => links && choice.kinds.contains(&kind) && (row.verified || choice.unverified),
    };
    // A file's own rows go first.
    let own = |row: &Arc<Redirector>| if row.kind == HopKind::Amp { amp } else { links };
    let mut rows: Vec<Arc<Redirector>> = redirects::compiled(&profile.redirects).into_iter().filter(own).collect();
    rows.extend(data::redirectors()?.rows.iter().filter(taken).cloned());
    // The loader has read each of them before.
    rows.extend(choice.also.iter().filter_map(|text| Redirector::own(text).ok()).map(Arc::new));
    Ok(Redirectors::new(rows))
}

fn index(rungs: &Rungs, enabled: bool) -> Result<NameSet, PolicyError> {
    match enabled {
        true => Ok(NameSet::new(data::index()?.rows.iter().chain(&rungs.index))),
        false => Ok(NameSet::new([])),
    }
}
