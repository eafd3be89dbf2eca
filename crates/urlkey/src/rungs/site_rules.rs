//! `site_rules`: what the rules for this site say of its parameters. Not a
//! switch of a profile: it acts wherever a policy has a rule for the host.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};
use crate::policy::Verdict;
use crate::query::{BLANK, holds_a_pair};

pub(crate) static META: Meta = Meta {
    name: "site_rules",
    rule: "drop or empty parameters as a rule for this site says",
    section: "the policy's [[site]] rules",
    loss: Loss::Site,
    revision: 1,
    reason: "site-rule",
    example: ("http://shop.example/?color=red&v=7", "http://shop.example/?v=7"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    let (Some(site), Some(query)) = (&c.site, c.url.query()) else { return Did::Nothing };
    let rule = &mut c.rule;
    let mut emptied = false;
    for field in &mut c.fields.list {
        if let Some(Verdict::Valueless(row)) = site.verdict(field.name(query), field.value(query))
            && field.name_end < field.to
            && !holds_a_pair(field.value(query))
        {
            field.to = field.name_end;
            emptied = true;
            *rule = Some(row.origin().into());
        }
    }
    c.fields.changed |= emptied;
    if emptied {
        c.fields.seen |= BLANK;
    }
    let dropped = c.fields.retain(|field| match site.drop(field.name(query), field.value(query)) {
        Some(_) if holds_a_pair(field.value(query)) => true,
        Some(row) => {
            *rule = Some(row.origin().into());
            false
        }
        None => true,
    });
    Did::rewrote(emptied || dropped)
}
