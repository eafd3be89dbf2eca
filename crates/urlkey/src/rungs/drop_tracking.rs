//! `drop_tracking`: parameters that carry attribution, not content.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};
use crate::query::Field;

pub(crate) static META: Meta = Meta {
    name: "drop_tracking",
    rule: "drop tracking parameters by name",
    section: "data/rules/tracking.toml",
    loss: Loss::Usual,
    revision: 1,
    reason: "tracking",
    example: ("http://a.example/?utm_source=x&id=7", "http://a.example/?id=7"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    let Some(query) = c.url.query() else { return Did::Nothing };
    let rules = &c.policy.tracking;
    let candidate = |f: &Field| f.from < f.name_end && rules.may(f.name(query)[0], (f.name_end - f.from) as usize);
    if !c.fields.list.iter().any(candidate) {
        return Did::Nothing;
    }
    let host = c.url.host().unwrap_or_default();
    let rule = &mut c.rule;
    let site = &c.site;
    let did = c.fields.retain(|f| {
        if !candidate(f) || holds_a_pair(f.value(query)) {
            return true;
        }
        let name = f.name(query);
        match rules.find(name, host) {
            Some(row) if !site.as_ref().is_some_and(|s| s.keep(name)) => {
                *rule = row.origin().map(Into::into);
                false
            }
            _ => true,
        }
    });
    Did::rewrote(did)
}

/// Whether the value holds `;name=`: the `;` then separates parameters, and
/// dropping the field would drop one that is content.
pub(super) fn holds_a_pair(value: &[u8]) -> bool {
    value.split(|&c| c == b';').skip(1).any(|part| memchr::memchr(b'=', part).is_some_and(|eq| eq > 0))
}
