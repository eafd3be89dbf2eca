//! `drop_repeated_pairs`: the same name and value once more.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};
use crate::query::{Fields, UNORDERED};

pub(crate) static META: Meta = Meta {
    name: "drop_repeated_pairs",
    rule: "drop a parameter that repeats an earlier one, name and value",
    section: "Scrapy #1113",
    loss: Loss::Usual,
    revision: 1,
    reason: "param-dup",
    example: ("http://a.example/?q=1&q=1&q=2", "http://a.example/?q=1&q=2"),
};

/// Up to here, comparing each with each is faster than sorting.
const FEW: usize = 12;

pub(crate) fn apply(c: &mut Climb) -> Did {
    // In order, no name stands twice.
    if c.fields.seen & UNORDERED == 0 {
        return Did::Nothing;
    }
    let Some(query) = c.url.query() else { return Did::Nothing };
    let list = &c.fields.list;
    if list.len() <= FEW {
        let mut seen = [0u32; FEW];
        let mut n = 0;
        // No early way out: which pair is the first to be alike, no processor foresees.
        let (alike, _) = list.iter().fold((0, 0), |(alike, met), f| (alike | (met & f.bit()), met | f.bit()));
        let repeated = alike != 0 && list.iter().enumerate().any(|(i, f)| list[..i].iter().any(|g| f.same(g, query)));
        if !repeated {
            return Did::Nothing;
        }
        for (i, f) in list.iter().enumerate() {
            if !list[..i].iter().any(|g| f.same(g, query)) {
                seen[n] = f.from;
                n += 1;
            }
        }
        return Did::rewrote(c.fields.retain(|f| seen[..n].contains(&f.from)));
    }
    Did::rewrote(drop_among_many(c.fields, query))
}

/// Sorts by text, so that repeats stand side by side: n log n.
fn drop_among_many(fields: &mut Fields, query: &str) -> bool {
    let mut order: Vec<u32> = (0..fields.list.len() as u32).collect();
    order.sort_by_key(|&i| (fields.list[i as usize].text(query), i));
    let mut repeats = vec![false; order.len()];
    for pair in order.windows(2) {
        let (a, b) = (&fields.list[pair[0] as usize], &fields.list[pair[1] as usize]);
        repeats[pair[1] as usize] = a.same(b, query);
    }
    let mut i = 0;
    fields.retain(|_| {
        i += 1;
        !repeats[i - 1]
    })
}
