use super::mixed::mixed;
use super::{Kind, Page, Pages, Sample, Sight};
use std::collections::HashSet;

/// A host of pages that were seen once each, one second after the other: key and content.
fn pages(rows: &[(&str, u32)]) -> Pages {
    let mut found = Pages::new();
    found.add_kind(None);
    for content in 0..10 {
        found.add_content(content.to_string());
    }
    found.add_host();
    for (second, &(key, content)) in rows.iter().enumerate() {
        let sights = [Sight { content, time: Some(second as f64 + 1.0), kind: 0 }];
        found.add(&Page { key, fetched: true, listed: false, sights: &sights });
    }
    found
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

/// (trials, failures, merges) of dropping names.
fn dropped(pages: &mut Pages, one: &[&str]) -> Vec<(u64, u64, u64)> {
    let changes = pages.changed(0, Kind::Drop, &names(one), "");
    let found = pages.tallies(0, &changes, &HashSet::new());
    found.iter().map(|tally| (tally.trials, tally.failures, tally.merges)).collect()
}

#[test]
fn the_order_is_that_of_blake2b() {
    // hashlib.blake2b(text, digest_size=8)
    assert_eq!(mixed(b""), 0xe4a6_a057_7479_b2b4);
    assert_eq!(mixed(b"abc"), 0xd8bb_14d8_33d5_9559);
    assert_eq!(mixed(&[b'a'; 128]), 0xf066_43fe_9c7e_18da);
    assert_eq!(mixed(&[b'a'; 300]), 0x8b39_7aa4_c754_29a2);
}

#[test]
fn a_key_is_its_head_and_its_parameters() {
    let found = pages(&[("http://a/p?b=1&C&=&b=2#f", 0), ("http://a/?", 0), ("http://a/#", 0)]);
    assert_eq!(found.head(0), Some("http://a/p#f"));
    assert_eq!(found.pairs(0), ["b=1", "C", "=", "b=2"]);
    assert_eq!(found.pairs(1), [""]);
    assert_eq!((found.head(2), found.pairs(2), found.head(3)), (Some("http://a/"), vec![], None));
    assert_eq!(found.names(0), [("b", 1), ("c", 1), ("", 2)]);
    assert_eq!(found.values(0, "b"), ["b=1", "b=2"]);
}

#[test]
fn pages_that_a_rewrite_gives_one_key_are_compared() {
    let mut found = pages(&[("a?x=1", 1), ("a?x=2", 1), ("a", 1), ("b?x=1", 2), ("b?x=2", 3), ("c?x=1", 4)]);
    assert_eq!(dropped(&mut found, &["x"]), [(3, 1, 3)]);
    let changes = found.changed(0, Kind::Drop, &names(&["x"]), "");
    let tallies = found.tallies(0, &changes, &HashSet::new());
    assert_eq!((tallies[0].groups, tallies[0].bare, tallies[0].pages), (2, 1, 5));
    assert_eq!(tallies[0].samples[2], Sample { a: 3, b: 4, same: false });
    assert_eq!(tallies[0].leaders, [0, 3]);
    // A wall says nothing.
    let tallies = found.tallies(0, &changes, &HashSet::from([3]));
    assert_eq!((tallies[0].trials, tallies[0].failures, tallies[0].blind), (2, 0, 1));
}

#[test]
fn values_and_defaults_go_alone() {
    let found = pages(&[("a?x=1&y", 1), ("a?x=2", 1), ("a?x", 1)]);
    assert_eq!(found.changed(0, Kind::Valueless, &names(&["x"]), "").pages(), [0, 1]);
    assert_eq!(found.changed(0, Kind::Default, &names(&["x"]), "2").pages(), [1]);
    assert_eq!(found.changed(0, Kind::Drop, &names(&["y", "x"]), "").pages(), [0, 1, 2]);
    assert!(found.changed(0, Kind::Drop, &names(&["z"]), "").pages().is_empty());
    assert!(found.changed(7, Kind::Drop, &names(&["x"]), "").pages().is_empty());
}

#[test]
fn a_rule_leaves_pages_other_keys() {
    let mut found = pages(&[("a?x=1&y=1", 1), ("a?x=2&y=1", 1), ("a?y=1", 1), ("a?x=1&y=2", 2)]);
    let changes = found.changed(0, Kind::Drop, &names(&["x"]), "");
    found.rekey(&changes.only(|page| page < 2));
    assert_eq!(found.pairs(0), ["y=1"]);
    assert_eq!(found.pairs(3), ["x=1", "y=2"]);
    assert_eq!((found.count(0, "x"), found.count(0, "y"), found.count(0, "z")), (1, 4, 0));
    // What has one key is one class.
    assert_eq!(dropped(&mut found, &["x"]), [(0, 0, 0)]);
}

#[test]
fn heads_meet_or_tell_nothing() {
    let heads = |text: &str, other: &str| vec![(text.to_string(), other.to_string())];
    let mut found = pages(&[("http://a/p?x", 1), ("http://a/p/?x", 1), ("http://a/q/", 2)]);
    assert!(found.tallies_of_heads(0, &heads("http://a/q/", "http://a/q"), &HashSet::new()).is_empty());
    let tallies = found.tallies_of_heads(0, &heads("http://a/p/", "http://a/p"), &HashSet::new());
    assert_eq!((tallies[0].trials, tallies[0].bare, tallies[0].leaders[0]), (1, 1, 1));
    let changes = found.with_heads(0, &heads("http://a/p/", "http://a/p"));
    found.rekey(&changes);
    assert!(found.has_head("http://a/p") && !found.has_head("http://a/p/"));
    assert_eq!(found.heads(0), ["http://a/p", "http://a/q/"]);
}

#[test]
fn names_out_of_order_are_found_with_their_keys() {
    let found = pages(&[("a?b=1&a#f", 1), ("a?a=2&a=1", 1), ("a?a&b=1", 1), ("a#f", 1), ("a?b&B", 1)]);
    let keys = |by_name| found.unsorted(0, by_name).into_iter().map(|(_, key)| key).collect::<Vec<_>>();
    assert_eq!(keys(true), ["a?b=1&a#f", "a?a=2&a=1", "a?b&B"]);
    assert_eq!(keys(false), ["a?a=2&a=1"]);
    assert_eq!(found.names_on(&found.changed(0, Kind::Drop, &names(&["b"]), "")), ["b", "a"]);
}

#[test]
fn what_time_explains_is_no_failure() {
    let turns: Vec<String> = (0..8).map(|turn| format!("a?x={}", turn % 4)).collect();
    let rows: Vec<_> = turns.iter().enumerate().map(|(turn, key)| (key.as_str(), turn as u32 / 4)).collect();
    assert_eq!(dropped(&mut pages(&rows), &["x"]), [(3, 0, 3)]);
    // Contents that come back do not keep to stretches.
    let rows: Vec<_> = turns.iter().enumerate().map(|(turn, key)| (key.as_str(), turn as u32 % 2)).collect();
    assert_eq!(dropped(&mut pages(&rows), &["x"]), [(3, 3, 3)]);
}

#[test]
fn skeletons_have_lost_what_may_change_nothing() {
    let mut found = pages(&[("a?x=1&y=1", 1), ("a?y=1&x=2", 1), ("a?y=2", 2), ("A?y=2", 1)]);
    let folded = found.heads(0).iter().map(|head| head.to_lowercase()).collect::<Vec<_>>();
    found.fold(0, &folded);
    found.strip(0, &names(&["x"]), &[], None);
    assert_eq!(found.skeletons(&[0, 1, 2, 3, 99]), 3);
    let mut under = found.under(0, 5);
    under.sort_unstable();
    assert_eq!(under, [(1, 2), (2, 1)]);
    found.strip(0, &[], &names(&["x", "y"]), None);
    assert_eq!(found.skeletons(&[0, 1, 2, 3]), 2);
}

#[test]
fn no_time_and_no_number_is_too_odd() {
    let mut found = Pages::new();
    found.add_kind(None);
    for time in [f64::NAN, f64::INFINITY, -0.0, f64::MAX, f64::MIN] {
        let sights = [Sight { content: 70, time: Some(time), kind: 9 }, Sight { content: 71, time: None, kind: 0 }];
        found.add(&Page { key: &format!("a?x={time}"), fetched: false, listed: true, sights: &sights });
    }
    // What only a sitemap knows is not merged, and what it lists is two pages.
    let changes = found.changed(0, Kind::Drop, &names(&["x"]), "");
    let tallies = found.tallies(0, &changes, &HashSet::new());
    assert_eq!((tallies[0].failures, tallies[0].listed, tallies[0].merges, tallies[0].pages), (1, 1, 0, 0));
}
