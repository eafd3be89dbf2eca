//! Signed URLs: what the climb looks at to know one. Must not know what it then
//! leaves alone.

use super::scan::{SCAN, percent_scan};
use super::{Found, Work};
use crate::ladder::Off;
use crate::policy::Policy;
use crate::query::{Fields, SIGNED};
use crate::rungs::{Climb, PATH};
use crate::url::Url;

/// The scheme whose signature the URL carries. A path is looked at only where some rung of the
/// policy rewrites paths, or a rule for the site cuts: what others do to one breaks no signature in it.
pub(super) fn signature(c: &Climb) -> Option<&'static str> {
    let of_query = in_query(c.url, c.fields, c.policy);
    let cuts = || c.site.as_ref().is_some_and(|site| site.cuts().next().is_some());
    if of_query.is_none() && (c.policy.rewrites_paths || c.on.meets(PATH) || cuts()) {
        return in_path(c.url, c.policy);
    }
    of_query
}

/// Only a name that a scheme uses makes the query worth the look.
fn in_query(url: &Url, fields: &Fields, policy: &Policy) -> Option<&'static str> {
    if fields.seen & SIGNED == 0 {
        return None;
    }
    let query = url.query()?;
    let mut named = fields.list.iter().filter(|f| f.class & SIGNED != 0);
    if !named.any(|f| policy.signed.begins(f.name(query), f.value(query))) {
        return None;
    }
    policy.signed.detect(url.host().unwrap_or_default(), fields.list.iter().map(|f| (f.name(query), f.value(query))))
}

fn in_path(url: &Url, policy: &Policy) -> Option<&'static str> {
    policy.signed.detect_path(url.host().unwrap_or_default(), url.path())
}

/// The scheme whose signature a URL carries in query or path, as the percent scan spells it.
pub(crate) fn signed(url: &mut Url, policy: &Policy, work: &mut Work) -> Option<&'static str> {
    percent_scan(url, SCAN, &mut work.tmp, &mut Found::default(), &mut Off);
    if !url.is_http() {
        return None;
    }
    work.fields.read(url, &policy.classes);
    in_query(url, &work.fields, policy).or_else(|| in_path(url, policy))
}
