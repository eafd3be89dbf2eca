//! `drop_tracking`: parameters that carry attribution, not content.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};
use crate::param::holds_a_pair;
use crate::percent::SESSION;
use crate::query::TRACKING;

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
    if c.fields.seen & TRACKING == 0 {
        return Did::Nothing;
    }
    let Some(query) = c.url.query() else { return Did::Nothing };
    let rules = &c.policy.tracking;
    let host = c.url.host().unwrap_or_default();
    let rule = &mut c.rule;
    let site = &c.site;
    let semicolons = c.url.query_bits & SESSION != 0;
    let did = c.fields.retain(|f| {
        if f.class & TRACKING == 0 || (semicolons && holds_a_pair(f.value(query))) {
            return true;
        }
        let name = f.name(query);
        match rules.find(name, host) {
            Some(row) if !Climb::keeps(site, f, query) => {
                *rule = row.origin().map(Into::into);
                false
            }
            _ => true,
        }
    });
    Did::rewrote(did)
}
