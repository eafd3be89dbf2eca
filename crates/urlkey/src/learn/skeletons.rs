//! What is left of keys when all has gone that may turn out to change nothing, and
//! the contents that stand under several of these.

use super::pages::Pages;
use super::texts::NONE;
use std::collections::{HashMap, HashSet};

impl Pages {
    /// Gives every page of a host its skeleton: the key without the parameters of the names `gone`, without the values
    /// of those of `blank`, in any order, with the head that `heads` has for it; without `heads`, spelled as `fold` says.
    pub fn strip(&mut self, host: usize, gone: &[String], blank: &[String], heads: Option<&[(String, String)]>) {
        let numbers = |names: &[String]| names.iter().filter_map(|name| self.texts.find(name)).collect::<HashSet<_>>();
        let (gone, blank) = (numbers(gone), numbers(blank));
        let heads = heads.map(|heads| self.numbered(heads));
        let folded = self.hosts.get(host).and_then(|own| own.folded.as_deref()).unwrap_or_default();
        let mut folded = folded.iter().peekable();
        let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
        let (mut found, mut parts) = (Vec::new(), Vec::new());
        for page in self.range(host) {
            let key = self.key_of(page);
            let spelled = folded.next_if(|(one, _)| *one == page).map(|&(_, head)| head);
            let head = heads.as_ref().map_or(spelled, |heads| heads.get(&key[0]).copied());
            parts.clear();
            parts.push(head.unwrap_or(key[0]));
            for &pair in &key[1..] {
                let name = self.texts.name(pair);
                if blank.contains(&name) {
                    parts.push(name);
                } else if !gone.contains(&name) {
                    parts.push(pair);
                }
            }
            parts[1..].sort_unstable();
            let next = numbers.len() as u32;
            found.push(match numbers.get(&parts) {
                Some(&number) => number,
                None => *numbers.entry(parts.clone()).or_insert(next),
            });
        }
        for (page, skeleton) in self.range(host).zip(found) {
            self.pages[page as usize].skeleton = skeleton;
        }
    }

    /// The contents of a host, and under how many skeletons each stands, one more than `most` at most.
    pub fn under(&self, host: usize, most: usize) -> Vec<(u32, usize)> {
        let mut under: HashMap<u32, HashSet<u32>> = HashMap::new();
        for page in self.range(host) {
            for sight in self.sights_of(page) {
                let skeletons = under.entry(sight.content).or_default();
                if skeletons.len() <= most {
                    skeletons.insert(self.pages[page as usize].skeleton);
                }
            }
        }
        under.into_iter().map(|(content, skeletons)| (content, skeletons.len())).collect()
    }

    /// How many skeletons pages of one host have.
    pub fn skeletons(&self, pages: &[u32]) -> usize {
        let of = |page: &u32| self.pages.get(*page as usize).map_or(NONE, |page| page.skeleton);
        pages.iter().map(of).collect::<HashSet<_>>().len()
    }
}
