//! All that a link may lead to: where a parameter is there twice, or two could name
//! the target, whoever checks links must look at each. Must not know what is
//! checked.

use std::collections::HashSet;

use super::{Hop, Inner, hop, rows_for, rules, take};
use crate::policy::Redirectors;
use crate::url::Url;

/// More URLs than this in one link are not told.
pub const MOST_HELD: usize = 1000;

/// A URL that a link holds inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The URL, and the rule that says so.
    pub hop: Hop,
    /// How many layers of wrapping were taken off, from 1.
    pub layer: usize,
    /// The place of the URL around it in the list; none where that is the link itself.
    pub within: Option<usize>,
}

/// Every URL that the link may lead to, of any scheme, layer by layer, each href once; and
/// whether that is all: false where there are more than `layers` or [`MOST_HELD`], or where one
/// leads back to what is around it. Where no target is in doubt, and none is of another scheme
/// than http and https, these are the hops of [`layers`](super::layers). `unverified` takes rules that no listed source confirms. Time
/// is linear in the link.
pub fn held(link: &Url, unverified: bool, layers: usize) -> (Vec<Held>, bool) {
    let rules = rules(unverified);
    let (mut all, mut urls, mut ended): (Vec<Held>, Vec<Url>, bool) = (Vec::new(), Vec::new(), true);
    let mut seen = HashSet::from([link.href().to_owned()]);
    let mut within = None;
    loop {
        let (outer, layer) = within.map_or((link, 0), |at: usize| (&urls[at], all[at].layer));
        let found = held_by(outer, rules);
        let found: Vec<_> = found.into_iter().map(|inner| inner.on_from(outer)).collect();
        for inner in found {
            if !seen.insert(inner.url.href().to_owned()) {
                ended &= !is_around(inner.url.href(), within, link, &all, &urls);
            } else if layer == layers || all.len() == MOST_HELD {
                ended = false;
            } else {
                all.push(Held { hop: hop(&inner), layer: layer + 1, within });
                urls.push(inner.url);
            }
        }
        within = Some(within.map_or(0, |at| at + 1));
        if within == Some(all.len()) {
            return (all, ended);
        }
    }
}

/// What one URL holds: by the first rule that finds a page, and by those before it that find what is none.
fn held_by<'r>(outer: &Url, rules: &'r Redirectors) -> Vec<Inner<'r>> {
    let mut found = Vec::new();
    for row in rows_for(outer, rules) {
        found.extend(take::targets(outer, row));
        if found.iter().any(|inner| inner.is_web) {
            break;
        }
    }
    found
}

/// Whether an href is that of the URL at this place, or of one around it.
fn is_around(href: &str, mut at: Option<usize>, link: &Url, all: &[Held], urls: &[Url]) -> bool {
    while let Some(place) = at {
        if urls[place].href() == href {
            return true;
        }
        at = all[place].within;
    }
    link.href() == href
}
