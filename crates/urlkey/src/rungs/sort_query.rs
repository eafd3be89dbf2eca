//! `sort_query`: parameters in the order of their names.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};
use crate::query::{Field, UNORDERED};

pub(crate) static META: Meta = Meta {
    name: "sort_query",
    rule: "sort parameters by name; repeated names keep their order",
    section: "URL Standard, URLSearchParams.sort",
    loss: Loss::Usual,
    revision: 1,
    reason: "param-order",
    example: ("http://a.example/?b=1&a=2&b=0", "http://a.example/?a=2&b=1&b=0"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    if c.fields.seen & UNORDERED == 0 {
        return Did::Nothing;
    }
    let Some(query) = c.url.query() else { return Did::Nothing };
    let list = &mut c.fields.list;
    let moved = if let Some(moved) = place(list) {
        moved
    } else if list.len() <= FEW {
        insert(list, query)
    } else {
        let sorted = list.is_sorted_by(|a, b| a.cmp_name(b, query).is_le());
        list.sort_by(|a, b| a.cmp_name(b, query));
        !sorted
    };
    c.fields.changed |= moved;
    Did::rewrote(moved)
}

/// Up to here, comparing each with each is faster than moving them one by one.
const FEWEST: usize = 8;

/// Sorts by counting how many names are below each, which has no branch that depends on the names; says whether a
/// field moved. None, and nothing done, where there are many, or two begin alike.
fn place(list: &mut [Field]) -> Option<bool> {
    let count = list.len();
    if count > FEWEST {
        return None;
    }
    let (mut heads, mut places) = ([0; FEWEST], [0; FEWEST]);
    heads.iter_mut().zip(&*list).for_each(|(head, field)| *head = field.head());
    let (mut alike, mut moved) = (false, false);
    for i in 1..count {
        for j in 0..i {
            let above = heads[j] > heads[i];
            alike |= heads[j] == heads[i];
            moved |= above;
            places[j] += usize::from(above);
            places[i] += usize::from(!above);
        }
    }
    if alike {
        return None;
    }
    let mut sorted = [Field::default(); FEWEST];
    for (field, place) in list.iter().zip(places) {
        sorted[place % FEWEST] = *field;
    }
    list.copy_from_slice(&sorted[..count]);
    Some(moved)
}

/// Up to here, inserting each where it belongs is faster than asking first and sorting then.
const FEW: usize = 16;

/// Sorts by insertion; says whether a field moved.
fn insert(list: &mut [Field], query: &str) -> bool {
    let mut moved = false;
    for i in 1..list.len() {
        let field = list[i];
        let mut at = i;
        while at > 0 && field.cmp_name(&list[at - 1], query).is_lt() {
            list[at] = list[at - 1];
            at -= 1;
        }
        list[at] = field;
        moved |= at < i;
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heads::NameClasses;
    use crate::query::Fields;

    const NAMES: [&str; 8] = ["a", "b", "aa", "utm_source", "utm_sourced", "q", "", "Z"];

    #[test]
    fn places_are_those_that_insertion_finds() {
        let mut state = 7u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            (state >> 33) % below
        };
        let mut placed = 0;
        for _ in 0..20_000 {
            let fields: Vec<String> = (0..1 + next(10))
                .map(|_| format!("{}={}", NAMES[next(NAMES.len() as u64) as usize], next(3)))
                .collect();
            let query = fields.join("&");
            let mut fields = Fields::default();
            fields.scan(query.as_bytes(), 0, &NameClasses::new(&[]));
            let (mut one, mut other) = (fields.list.clone(), fields.list.clone());
            let moved = insert(&mut other, &query);
            match place(&mut one) {
                Some(told) => assert_eq!((told, &one), (moved, &other), "{query}"),
                None => assert_eq!(one, fields.list, "{query}: nothing done"),
            }
            placed += usize::from(one == other && moved);
        }
        assert!(placed > 1000, "{placed}");
    }
}
