//! What a change of policy merges and splits, on somebody's own URLs: the keys
//! of each URL under both, counted as pairs. Must not know files.

use std::collections::HashMap;
use std::sync::Arc;

use crate::error::ParseError;
use crate::explain::explain;
use crate::key::{Key, Scratch, key_of_bytes};
use crate::policy::Policy;
use crate::seen::{Fingerprints, Seen};
use crate::url::Options;

/// Counts so far. Keys are distinct ones: `merged` is by how many the pairs of keys are more than the keys under
/// B, `split` by how many they are more than those under A.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiffTotals {
    /// URLs fed.
    pub urls: u64,
    /// URLs that have no key under either.
    pub rejected: u64,
    /// URLs whose key is another one.
    pub changed: u64,
    /// Keys under A.
    pub keys_a: u64,
    /// Keys under B.
    pub keys_b: u64,
    /// Keys of A that fell to others.
    pub merged: u64,
    /// Keys of B that came out of others.
    pub split: u64,
}

/// Two URLs that one policy gives one key, and the other two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffSample {
    /// Whether B gives them one key, and A two.
    pub merged: bool,
    /// The one key.
    pub key: String,
    /// The two keys.
    pub keys: [String; 2],
    /// One URL of each.
    pub urls: [String; 2],
    /// What the steps that differ stand on: the step's name, with `file:line` where a rule decided.
    pub why: Vec<String>,
}

/// Bytes of URLs that are remembered for samples.
const MOST_REMEMBERED: usize = 64 << 20;

/// Merges and splits whose reasons are looked for: four explanations each.
const MOST_TOLD: u64 = 10_000;

/// The state between two URLs.
pub struct Diff {
    policies: [Arc<Policy>; 2],
    prints: Fingerprints,
    scratch: [Scratch; 2],
    keys: [Seen; 2],
    pairs: Seen,
    /// A URL for each key of A, of B, that some URL got and did not get from the other.
    urls: [HashMap<u128, Box<[u8]>>; 2],
    remembered: usize,
    totals: DiffTotals,
    samples: Vec<DiffSample>,
    wanted: usize,
    reasons: HashMap<(bool, String), u64>,
}

impl Diff {
    /// `samples` is how many pairs of each kind are kept; `seed` must be random: see [`Fingerprints`].
    pub fn new(a: Arc<Policy>, b: Arc<Policy>, samples: usize, seed: [u8; 16]) -> Diff {
        Diff {
            policies: [a, b],
            prints: Fingerprints::new(&seed),
            scratch: Default::default(),
            keys: Default::default(),
            pairs: Seen::default(),
            urls: Default::default(),
            remembered: 0,
            totals: DiffTotals::default(),
            samples: Vec::new(),
            wanted: samples,
            reasons: HashMap::new(),
        }
    }

    /// Takes one URL. About 80 bytes of memory for each pair of keys, and up to 64 MiB of URLs.
    ///
    /// Errors: those of `key`, under either policy; the URL is counted as rejected.
    pub fn add(&mut self, url: &[u8]) -> Result<(), ParseError> {
        self.totals.urls += 1;
        let made = self.both(url);
        self.totals.rejected += u64::from(made.is_err());
        let [a, b] = made?;
        let prints = [&a, &b].map(|key| self.prints.of(key.as_bytes()));
        let changed = prints[0] != prints[1];
        self.totals.changed += u64::from(changed);
        let fresh = [self.keys[0].insert(prints[0]), self.keys[1].insert(prints[1])];
        let mut pair = [0; 32];
        pair[..16].copy_from_slice(&prints[0].to_le_bytes());
        pair[16..].copy_from_slice(&prints[1].to_le_bytes());
        let fresh_pair = self.pairs.insert(self.prints.of(&pair));
        self.totals.keys_a += u64::from(fresh[0]);
        self.totals.keys_b += u64::from(fresh[1]);
        if fresh_pair {
            let keys = [a, b];
            for (side, merged) in [(1, true), (0, false)] {
                if !fresh[side] {
                    let count = if merged { &mut self.totals.merged } else { &mut self.totals.split };
                    *count += 1;
                    self.tell(url, &keys, prints[side], merged);
                }
            }
            if changed {
                self.remember(url, prints);
            }
        }
        Ok(())
    }

    fn both(&mut self, url: &[u8]) -> Result<[String; 2], ParseError> {
        let mut made = [const { String::new() }; 2];
        for (side, out) in made.iter_mut().enumerate() {
            let key = key_of_bytes(url, &Options::default(), &self.policies[side], &mut self.scratch[side])?;
            match key {
                Key::New(key) => out.push_str(key),
                Key::Same => out.push_str(&String::from_utf8_lossy(url)),
            }
        }
        Ok(made)
    }

    fn remember(&mut self, url: &[u8], prints: [u128; 2]) {
        for (side, print) in prints.into_iter().enumerate() {
            if self.remembered < MOST_REMEMBERED && !self.urls[side].contains_key(&print) {
                self.remembered += url.len() + 32;
                self.urls[side].insert(print, url.into());
            }
        }
    }

    /// Counts why, and keeps a sample.
    fn tell(&mut self, url: &[u8], keys: &[String; 2], print: u128, merged: bool) {
        if self.totals.merged + self.totals.split > MOST_TOLD {
            return;
        }
        let side = usize::from(merged);
        // Whoever got this key without changing is that key.
        let one = keys[side].clone();
        let other = self.urls[side].get(&print).map_or_else(|| one.clone().into_bytes(), |url| url.to_vec());
        let [here, there] = [url, &other].map(|url| String::from_utf8_lossy(url).into_owned());
        let mut why = self.steps(&here, side);
        why.extend(self.steps(&there, side));
        why.sort_unstable();
        why.dedup();
        for reason in &why {
            *self.reasons.entry((merged, reason.clone())).or_default() += 1;
        }
        if self.samples.iter().filter(|sample| sample.merged == merged).count() < self.wanted {
            let before = self.other_key(&there, 1 - side);
            let keys = [before, keys[1 - side].clone()];
            self.samples.push(DiffSample { merged, key: one, keys, urls: [there, here], why });
        }
    }

    fn other_key(&mut self, url: &str, side: usize) -> String {
        let key = key_of_bytes(url.as_bytes(), &Options::default(), &self.policies[side], &mut self.scratch[side]);
        key.map_or_else(|_| url.to_owned(), |key| key.text(url).to_owned())
    }

    /// The steps that this policy takes with the URL and the other does not, or on another rule's word.
    fn steps(&self, url: &str, side: usize) -> Vec<String> {
        let told = |side: usize| -> Vec<String> {
            let Ok(told) = explain(url, &Options::default(), &self.policies[side]) else { return Vec::new() };
            let steps = told.steps.into_iter().filter(|step| step.refused.is_none());
            steps.map(|step| step.rule.map_or(step.name.to_owned(), |rule| format!("{} {rule}", step.name))).collect()
        };
        let without = told(1 - side);
        told(side).into_iter().filter(|step| !without.contains(step)).collect()
    }

    /// The counts so far.
    pub fn totals(&self) -> DiffTotals {
        self.totals
    }

    /// The samples so far.
    pub fn samples(&self) -> &[DiffSample] {
        &self.samples
    }

    /// What merged and split keys, of the first 10,000, the most frequent first: whether it merged, why, how often.
    pub fn reasons(&self) -> Vec<(bool, String, u64)> {
        let mut all: Vec<_> =
            self.reasons.iter().map(|((merged, why), count)| (*merged, why.clone(), *count)).collect();
        all.sort_by(|a, b| (b.0, b.2, &a.1).cmp(&(a.0, a.2, &b.1)));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(a: &str, b: &str, urls: &[&str]) -> Diff {
        let policy = |rules: &str| {
            let text = format!("schema = 1\n{rules}");
            Arc::new(Policy::builtin("safe").unwrap().with_rules(&[("mine.toml", &text)]).unwrap())
        };
        let mut diff = Diff::new(policy(a), policy(b), 9, [7; 16]);
        for url in urls {
            let _ = diff.add(url.as_bytes());
        }
        diff
    }

    const DROP: &str = "[[site]]\nhost = \"a.example\"\ndrop = [\"x\"]\n";

    #[test]
    fn merges_and_splits_are_counted_by_keys() {
        let urls = [
            "http://a.example/?x=1",
            "http://a.example/?x=2",
            "http://a.example/",
            "http://b.example/?x=1",
            "http://a:b",
        ];
        let found = diff("", DROP, &urls);
        let totals = DiffTotals { urls: 5, rejected: 1, changed: 2, keys_a: 4, keys_b: 2, merged: 2, split: 0 };
        assert_eq!(found.totals(), totals);
        assert_eq!(found.samples()[0].key, "http://a.example/");
        assert_eq!(found.samples()[0].keys, ["http://a.example/?x=1", "http://a.example/?x=2"]);
        assert_eq!(found.samples()[1].urls[1], "http://a.example/");
        assert_eq!(found.reasons(), [(true, "site_rules mine.toml:2".to_owned(), 2)]);
        let back = diff(DROP, "", &urls);
        let totals = DiffTotals { keys_a: 2, keys_b: 4, merged: 0, split: 2, ..totals };
        assert_eq!(back.totals(), totals);
    }

    #[test]
    fn the_order_of_urls_changes_no_count() {
        let mut urls =
            vec!["http://a.example/", "http://a.example/?x=1", "http://a.example/?x=2&y", "http://a.example/?y"];
        let first = diff("", DROP, &urls).totals();
        urls.reverse();
        assert_eq!(diff("", DROP, &urls).totals(), first);
        assert_eq!((first.merged, first.split), (2, 0));
    }
}
