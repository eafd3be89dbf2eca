//! Texts as numbers: heads and parameters of keys, and the names of parameters.

use std::collections::HashMap;
use std::sync::Arc;

/// What a key is: the number of its head, then those of its parameters.
pub type Key = [u32];

/// Every text once.
#[derive(Default)]
pub struct Texts {
    numbers: HashMap<Arc<str>, u32>,
    texts: Vec<Text>,
}

struct Text {
    text: Arc<str>,
    /// Of a parameter: its name without case, and itself without a value.
    name: u32,
    bare: u32,
}

impl Texts {
    /// The number of a text.
    pub fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.texts.len() as u32;
        let text: Arc<str> = text.into();
        self.numbers.insert(Arc::clone(&text), number);
        self.texts.push(Text { text, name: NONE, bare: NONE });
        number
    }

    /// The number of a parameter, whose name is a text of its own.
    pub fn pair(&mut self, pair: &str) -> u32 {
        let number = self.number(pair);
        if self.texts[number as usize].name == NONE {
            let bare = pair.split('=').next().unwrap_or_default();
            let (name, bare) = (self.number(&bare.to_lowercase()), self.number(bare));
            let text = &mut self.texts[number as usize];
            (text.name, text.bare) = (name, bare);
            if bare != number {
                // A parameter without a value may become one of a page.
                self.texts[bare as usize].name = name;
                self.texts[bare as usize].bare = bare;
            }
        }
        number
    }

    pub fn find(&self, text: &str) -> Option<u32> {
        self.numbers.get(text).copied()
    }

    pub fn text(&self, number: u32) -> &str {
        &self.texts[number as usize].text
    }

    /// The number of the name of a parameter.
    pub fn name(&self, pair: u32) -> u32 {
        self.texts[pair as usize].name
    }

    /// The parameter without a value.
    pub fn bare(&self, pair: u32) -> u32 {
        self.texts[pair as usize].bare
    }

    /// The value of a parameter, empty where it has none.
    pub fn value(&self, pair: u32) -> &str {
        self.text(pair).split_once('=').map_or("", |(_, value)| value)
    }

    /// A key as numbers: its head, with which the fragment goes, and its parameters.
    pub fn parted(&mut self, key: &str, parts: &mut Vec<u32>) {
        let (front, fragment) = key.split_once('#').unwrap_or((key, ""));
        let (head, query) = front.split_once('?').map_or((front, None), |(head, query)| (head, Some(query)));
        parts.clear();
        parts.push(if fragment.is_empty() { self.number(head) } else { self.number(&format!("{head}#{fragment}")) });
        parts.extend(query.iter().flat_map(|query| query.split('&')).map(|pair| self.pair(pair)));
    }
}

/// No number.
pub const NONE: u32 = u32::MAX;

/// Keys as numbers, and the pages that have each now.
#[derive(Default)]
pub struct Keys {
    numbers: HashMap<Arc<Key>, u32>,
    keys: Vec<Arc<Key>>,
    /// In the order in which they came to it.
    pub pages: Vec<Vec<u32>>,
}

impl Keys {
    pub fn number(&mut self, key: &Key) -> u32 {
        if let Some(&number) = self.numbers.get(key) {
            return number;
        }
        let (number, key) = (self.keys.len() as u32, Arc::<Key>::from(key));
        self.numbers.insert(Arc::clone(&key), number);
        self.keys.push(key);
        self.pages.push(Vec::new());
        number
    }

    pub fn find(&self, key: &Key) -> Option<u32> {
        self.numbers.get(key).copied()
    }

    pub fn key(&self, number: u32) -> &Key {
        &self.keys[number as usize]
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }
}
