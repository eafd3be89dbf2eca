//! Writes links to platforms in their one form. The form is final: host, path,
//! query and fragment stay as they are, whatever other rungs are on.

use super::{Found, report, site_of, switched};
use crate::forms::social::{may_be_social, origin, social_id};
use crate::ladder::Trace;
use crate::policy::Policy;
use crate::rungs::{Climb, Did, Rung, RungSet, site_form, site_rules};
use crate::url::{Options, Url};

/// How often one URL is written so: once for each layer that a redirector had.
/// A rule of a site that undoes it each time has the last word.
const MOST: u8 = 6;

/// Whether the URL has its form now; nothing else is to be done then. `times`
/// says how often it was written, `on` are the rungs before the rules for this
/// site switched some.
pub(super) fn form<T: Trace>(c: &mut Climb, times: &mut u8, on: RungSet, found: &mut Found, trace: &mut T) -> bool {
    if !may_be_social(c.url.host().unwrap_or_default(), c.url.path()) {
        return false;
    }
    // What a rule says of a parameter holds for the forms too: they are made of what it leaves.
    if c.site.is_some() && c.url.query().is_some() {
        let did = site_rules::apply(c);
        report(c, None, &site_rules::META, did, found, trace);
        c.fields.write(c.url);
    }
    let Some((target, platform)) = target(c.url, c.policy, on) else { return false };
    if target.href() == c.url.href() {
        return true;
    }
    if *times == MOST {
        return false;
    }
    *times += 1;
    *c.url = target;
    c.fields.read(c.url, &c.policy.classes);
    if T::ON {
        c.rule = Some(origin(platform).into());
    }
    report(c, Some(Rung::SiteForm), &site_form::META, Did::Rewrote, found, trace);
    true
}

/// Whether other rungs have made a link of it that has another form.
pub(super) fn again(url: &Url, policy: &Policy, on: RungSet, found: &Found, times: u8) -> bool {
    let host = url.host().unwrap_or_default();
    if times == MOST || found.signed.is_some() || !url.is_http() || !may_be_social(host, url.path()) {
        return false;
    }
    let site = policy.has_sites().then(|| site_of(url.href(), url, policy));
    switched(&site, on).has(Rung::SiteForm)
        && target(url, policy, on).is_some_and(|(target, _)| target.href() != url.href())
}

/// The form of a link, where the rules for the site of the form let it be
/// written: a rung that acts on one host alone must not be undone on the next.
fn target(url: &Url, policy: &Policy, on: RungSet) -> Option<(Url, &'static str)> {
    // What shows a part of it, a comment or a tab, is another page.
    let found = social_id(url).filter(|found| !found.is_part)?;
    let target = Url::parse(&found.canonical, &Options::default()).ok()?;
    let site = policy.has_sites().then(|| site_of(target.href(), &target, policy));
    switched(&site, on).has(Rung::SiteForm).then_some((target, found.platform))
}
