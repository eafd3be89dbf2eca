//! `site_rules`: what the rules for this site say of its parameters. Not a
//! switch of a profile: it acts wherever a policy has a rule for the URL.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};
use crate::percent::SESSION;
use crate::policy::{MOST_HREF, SiteRow, Verdict};
use crate::query::{BLANK, Param, SITE, holds_a_pair};
use crate::url::{Options, Url};

pub(crate) static META: Meta = Meta {
    name: "site_rules",
    rule: "drop or empty parameters as a rule for this site says",
    section: "the policy's [[site]] rules",
    loss: Loss::Site,
    revision: 2,
    reason: "site-rule",
    example: ("http://shop.example/?color=red&v=7", "http://shop.example/?v=7"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    let (Some(site), Some(query)) = (&c.site, c.url.query()) else { return Did::Nothing };
    let by_name = site.acts_by_name_alone();
    if by_name && c.fields.seen & SITE == 0 {
        return Did::Nothing;
    }
    let semicolons = c.url.query_bits & SESSION != 0;
    let mut decided: Option<&SiteRow> = None;
    let mut emptied = false;
    let dropped = c.fields.retain_mut(|field| {
        if by_name && field.class & SITE == 0 {
            return true;
        }
        let row = match site.verdict(&field.param(query)) {
            None | Some(Verdict::Keep(_)) => return true,
            Some(_) if semicolons && holds_a_pair(field.value(query)) => return true,
            Some(Verdict::Valueless(_)) if field.name_end == field.to => return true,
            Some(Verdict::Drop(row)) => row,
            Some(Verdict::Valueless(row)) => {
                field.to = field.name_end;
                emptied = true;
                decided = Some(row);
                return true;
            }
        };
        decided = Some(row);
        false
    });
    c.fields.changed |= emptied;
    if emptied {
        c.fields.seen |= BLANK;
    }
    c.rule = decided.map(|row| row.origin().into());
    Did::rewrote(emptied || dropped)
}

/// The same for parameters in a fragment, where a rule asks for them.
pub(crate) fn fragment(c: &mut Climb) -> Did {
    let (Some(site), Some(fragment)) = (&c.site, c.url.fragment()) else { return Did::Nothing };
    if !site.asks_for_fragments() {
        return Did::Nothing;
    }
    let mut decided: Option<&SiteRow> = None;
    c.tmp.clear();
    for text in fragment.split('&') {
        let param = Param::of(text.as_bytes());
        match site.verdict_in_fragment(&param) {
            Some(Verdict::Drop(row)) if !holds_a_pair(param.value()) => decided = Some(row),
            _ => {
                c.tmp.push_str(text);
                c.tmp.push('&');
            }
        }
    }
    let Some(row) = decided else { return Did::Nothing };
    c.rule = Some(row.origin().into());
    c.tmp.pop();
    c.url.set_fragment((!c.tmp.is_empty()).then_some(c.tmp));
    Did::Rewrote
}

/// Cuts out of the href what a rule says. The result must parse, and be of the same origin.
pub(crate) fn raw(c: &mut Climb) -> Did {
    let Some(site) = &c.site else { return Did::Nothing };
    let mut refused = None;
    for row in site.raw() {
        for rx in row.raw() {
            let href = c.url.href();
            let Some(program) = rx.program().filter(|_| href.len() <= MOST_HREF) else { continue };
            if !program.is_match(href.as_bytes()) {
                continue;
            }
            let cut = program.replace_all(href.as_bytes(), &b""[..]);
            let parsed = std::str::from_utf8(&cut).ok().and_then(|cut| Url::parse(cut, &Options::default()).ok());
            match parsed {
                Some(url) if url.href() == href => {}
                Some(url) if front(&url) == front(c.url) => {
                    *c.url = url;
                    c.rule = Some(row.origin().into());
                    return Did::Rewrote;
                }
                _ => refused = Some("what is left is no URL, or one of another origin"),
            }
        }
    }
    refused.map_or(Did::Nothing, Did::Refused)
}

/// Scheme, userinfo, host and port.
fn front(url: &Url) -> &str {
    &url.href()[..url.path_start as usize]
}
