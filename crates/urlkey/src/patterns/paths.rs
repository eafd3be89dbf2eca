//! Which patterns of a host have a path that a URL's path begins with: the
//! longest, then those that it begins with itself. A binary search over the
//! lengths of a table, with markers for what is longer (Waldvogel et al.,
//! SIGCOMM 1997): its steps grow with the logarithm of the number of lengths.

use std::collections::{HashMap, HashSet};

use super::List;
use super::hash::{Rolling, Table, mixed};
use super::model::{Condition, End};
use super::query::Fields;

/// Paths of one host that are beginnings of one another.
const MOST_NESTED: u32 = 64;
/// Patterns of one host and path whose rarest field is the same.
const MOST_ALIKE: usize = 64;
/// Lengths of the beginnings of fields at one host and path.
const MOST_LENGTHS: usize = 64;

const NONE: u32 = u32::MAX;

/// What stands at the end of a look-up: a pattern, and what else must hold.
pub(super) struct Leaf {
    pub row: u32,
    pub list: List,
    pub end: End,
    pub query: Box<[Condition]>,
}

#[derive(Default)]
struct Node {
    text: Box<str>,
    parent: u32,
    /// Of leaves without conditions.
    plain: Vec<u32>,
    /// Of leaves with conditions; only while the table is built.
    asking: Vec<u32>,
    /// Whether a whole field leads to leaves, and which lengths of beginnings do.
    fields: bool,
    lengths: Box<[u32]>,
}

/// The paths of one host, under one choice of what stands before it, scheme and port.
struct Tree {
    root: u32,
    lengths: Box<[u32]>,
}

/// All tables.
pub(super) struct Paths {
    rolling: Rolling,
    trees: Vec<Tree>,
    nodes: Vec<Node>,
    leaves: Vec<Leaf>,
    /// By tree and hash of a prefix: the longest path of the tree that begins it.
    entries: Table<u32>,
    /// By node and hash of a field: leaves that ask for it.
    triggers: Table<Vec<u32>>,
    longest: usize,
    building: Option<Box<Building>>,
}

#[derive(Default)]
struct Building {
    nodes: HashMap<(u32, Box<str>), u32>,
    of_tree: HashMap<u32, Vec<u32>>,
    seen: HashSet<(u32, List, End, Box<[Condition]>)>,
}

/// Hashes of the prefixes of a path, as far as they are asked for.
#[derive(Default)]
pub(super) struct Prefixes {
    hashes: Vec<u64>,
}

impl Prefixes {
    pub fn clear(&mut self) {
        self.hashes.clear();
    }

    fn fill(&mut self, rolling: Rolling, path: &[u8], longest: usize) {
        if self.hashes.is_empty() {
            self.hashes.push(Rolling::EMPTY);
            let mut hash = Rolling::EMPTY;
            for &byte in &path[..path.len().min(longest)] {
                hash = rolling.push(hash, byte);
                self.hashes.push(hash);
            }
        }
    }
}

impl Paths {
    pub fn new(rolling: Rolling) -> Paths {
        Paths {
            rolling,
            trees: Vec::new(),
            nodes: Vec::new(),
            leaves: Vec::new(),
            entries: Table::default(),
            triggers: Table::default(),
            longest: 0,
            building: Some(Box::default()),
        }
    }

    /// A new tree.
    pub fn tree(&mut self) -> u32 {
        self.nodes.push(Node { parent: NONE, ..Node::default() });
        self.trees.push(Tree { root: self.nodes.len() as u32 - 1, lengths: Box::default() });
        self.trees.len() as u32 - 1
    }

    /// Puts a leaf at a path of a tree; the first of those that say the same stays.
    pub fn add(&mut self, tree: u32, path: &str, leaf: Leaf) {
        let node = self.node(tree, path);
        let Some(building) = &mut self.building else { return };
        if leaf.query.is_empty() {
            let plain = &self.nodes[node as usize].plain;
            let same = |&&other: &&u32| {
                let other = &self.leaves[other as usize];
                (other.list, other.end) == (leaf.list, leaf.end)
            };
            if plain.iter().any(|other| same(&other)) {
                return;
            }
            self.nodes[node as usize].plain.push(self.leaves.len() as u32);
        } else {
            if !building.seen.insert((node, leaf.list, leaf.end, leaf.query.clone())) {
                return;
            }
            self.nodes[node as usize].asking.push(self.leaves.len() as u32);
        }
        self.leaves.push(leaf);
    }

    fn node(&mut self, tree: u32, path: &str) -> u32 {
        let Some(building) = self.building.as_mut().filter(|_| !path.is_empty()) else {
            return self.trees[tree as usize].root;
        };
        if let Some(&found) = building.nodes.get(&(tree, path.into())) {
            return found;
        }
        let made = self.nodes.len() as u32;
        self.nodes.push(Node { text: path.into(), parent: NONE, ..Node::default() });
        building.nodes.insert((tree, path.into()), made);
        building.of_tree.entry(tree).or_default().push(made);
        made
    }

    /// Makes the tables; the rows that would make a match slow for any URL, and are left out.
    pub fn finish(&mut self) -> Vec<u32> {
        let Some(building) = self.building.take() else { return Vec::new() };
        let mut refused = Vec::new();
        let mut of_tree: Vec<_> = building.of_tree.into_iter().collect();
        of_tree.sort_unstable();
        for (tree, nodes) in of_tree {
            self.finish_tree(tree, nodes, &mut refused);
        }
        for node in 0..self.nodes.len() as u32 {
            self.finish_fields(node, &mut refused);
        }
        refused
    }

    fn finish_tree(&mut self, tree: u32, mut nodes: Vec<u32>, refused: &mut Vec<u32>) {
        let length = |node: &u32| self.nodes[*node as usize].text.len();
        nodes.sort_by_key(length);
        let mut lengths: Vec<u32> = nodes.iter().map(|node| length(node) as u32).collect();
        lengths.dedup();
        self.longest = self.longest.max(lengths.last().map_or(0, |&length| length as usize));
        self.trees[tree as usize].lengths = lengths.into();
        let mut depths: HashMap<u32, u32> = HashMap::new();
        for node in nodes {
            let text = self.nodes[node as usize].text.clone();
            let mut prefixes = Prefixes::default();
            prefixes.fill(self.rolling, text.as_bytes(), text.len());
            let parent = self.longest_of(tree, &text.as_bytes()[..text.len() - 1], &prefixes.hashes);
            let depth = depths.get(&parent).copied().unwrap_or(0) + 1;
            if depth > MOST_NESTED {
                let node = &mut self.nodes[node as usize];
                let gone = node.plain.drain(..).chain(node.asking.drain(..));
                refused.extend(gone.map(|leaf| self.leaves[leaf as usize].row));
                continue;
            }
            depths.insert(node, depth);
            self.nodes[node as usize].parent = parent;
            self.mark(tree, node, &text, &prefixes.hashes);
        }
    }

    /// Enters a path, and markers where the search for it looks before.
    fn mark(&mut self, tree: u32, node: u32, text: &str, hashes: &[u64]) {
        let lengths = self.trees[tree as usize].lengths.clone();
        let (mut low, mut high) = (0, lengths.len());
        while low < high {
            let middle = (low + high) / 2;
            let length = lengths[middle] as usize;
            if length > text.len() {
                high = middle;
                continue;
            }
            let key = mixed(tree, hashes[length]);
            if length == text.len() {
                self.entries.insert(key, node);
                return;
            }
            if !self.entries.contains_key(&key) {
                let shorter = self.longest_of(tree, &text.as_bytes()[..length], hashes);
                self.entries.insert(key, shorter);
            }
            low = middle + 1;
        }
    }

    /// The node of the longest path of a tree that begins this one.
    fn longest_of(&self, tree: u32, path: &[u8], hashes: &[u64]) -> u32 {
        let tree_of = &self.trees[tree as usize];
        let (mut low, mut high, mut best) = (0, tree_of.lengths.len(), tree_of.root);
        while low < high {
            let middle = (low + high) / 2;
            let length = tree_of.lengths[middle] as usize;
            let found = (length <= path.len()).then(|| self.entries.get(&mixed(tree, hashes[length]))).flatten();
            match found {
                Some(&node) => {
                    best = node;
                    low = middle + 1;
                }
                None => high = middle,
            }
        }
        // Two texts may share a hash; then one of what the other began with may be meant.
        while best != NONE && !path.starts_with(self.nodes[best as usize].text.as_bytes()) {
            best = self.nodes[best as usize].parent;
        }
        if best == NONE { tree_of.root } else { best }
    }

    /// Chooses for each leaf with conditions the one that leads to it: the rarest.
    fn finish_fields(&mut self, node: u32, refused: &mut Vec<u32>) {
        let asking = std::mem::take(&mut self.nodes[node as usize].asking);
        let mut counts: HashMap<(&str, bool), usize> = HashMap::new();
        for condition in asking.iter().flat_map(|&leaf| &self.leaves[leaf as usize].query) {
            *counts.entry((&condition.text, condition.prefix)).or_default() += 1;
        }
        let mut lengths: Vec<u32> = Vec::new();
        let mut whole = false;
        for &leaf in &asking {
            let rarity = |condition: &&Condition| (counts[&(&*condition.text, condition.prefix)], condition.prefix);
            let Some(rarest) = self.leaves[leaf as usize].query.iter().min_by_key(rarity) else { continue };
            let length = rarest.text.len() as u32;
            let postings = self.triggers.entry(self.rolling.keyed(node, rarest.text.as_bytes())).or_default();
            let crowded = rarest.prefix && !lengths.contains(&length) && lengths.len() == MOST_LENGTHS;
            if postings.len() == MOST_ALIKE || crowded {
                refused.push(self.leaves[leaf as usize].row);
                continue;
            }
            postings.push(leaf);
            match rarest.prefix {
                true if !lengths.contains(&length) => lengths.push(length),
                true => {}
                false => whole = true,
            }
        }
        self.nodes[node as usize].fields = whole;
        self.nodes[node as usize].lengths = lengths.into();
    }

    /// Tells `see` of the leaves of a tree that the path leads to, the longest path first, until
    /// it says that it has seen enough; a path's length comes with it.
    pub fn walk<'a>(
        &self,
        tree: u32,
        path: &[u8],
        prefixes: &mut Prefixes,
        fields: impl Fn() -> &'a Fields<'a>,
        mut see: impl FnMut(&Leaf, usize) -> bool,
    ) {
        let tree_of = &self.trees[tree as usize];
        let mut at = tree_of.root;
        if !tree_of.lengths.is_empty() {
            prefixes.fill(self.rolling, path, self.longest);
            at = self.longest_of(tree, path, &prefixes.hashes);
        }
        let mut enough = false;
        while at != NONE && !enough {
            let node = &self.nodes[at as usize];
            let rest = &path[node.text.len()..];
            let mut show = |leaf: &Leaf| leaf.end.holds(rest) && see(leaf, node.text.len());
            for &leaf in &node.plain {
                enough |= show(&self.leaves[leaf as usize]);
            }
            if node.fields || !node.lengths.is_empty() {
                enough |= self.ask(at, node, fields(), show);
            }
            at = node.parent;
        }
    }

    /// The leaves of a node whose conditions the fields fulfil.
    fn ask(&self, at: u32, node: &Node, fields: &Fields, mut show: impl FnMut(&Leaf) -> bool) -> bool {
        let mut enough = false;
        for field in fields.distinct() {
            let lengths = node.lengths.iter().map(|&length| length as usize).filter(|&length| length <= field.len());
            let whole = node.fields.then_some(field.len());
            for length in whole.into_iter().chain(lengths) {
                let Some(leaves) = self.triggers.get(&self.rolling.keyed(at, &field[..length])) else { continue };
                for leaf in leaves.iter().map(|&leaf| &self.leaves[leaf as usize]) {
                    if leaf.query.iter().all(|condition| fields.fulfil(condition)) {
                        enough |= show(leaf);
                    }
                }
            }
        }
        enough
    }
}
