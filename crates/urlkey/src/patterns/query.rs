//! Fields of a query that patterns ask for, as Chrome does: in any order, by
//! the whole field or its beginning; a pattern that allows asks it of every field
//! of that name, so that `v=allowed&v=other` is not let through.

use super::model::Condition;

/// The fields of a query, sorted; none where there is no query.
#[derive(Default)]
pub(super) struct Fields<'a> {
    sorted: Vec<&'a [u8]>,
}

impl<'a> Fields<'a> {
    pub fn of(query: Option<&'a str>) -> Fields<'a> {
        let mut sorted: Vec<&[u8]> = query.map_or(Vec::new(), |query| query.as_bytes().split(|&c| c == b'&').collect());
        sorted.sort_unstable();
        Fields { sorted }
    }

    /// Each field once.
    pub fn distinct(&self) -> impl Iterator<Item = &'a [u8]> {
        self.sorted.chunk_by(|a, b| a == b).map(|run| run[0])
    }

    pub fn fulfil(&self, condition: &Condition) -> bool {
        let text = condition.text.as_bytes();
        let stem = &text[..condition.all.unwrap_or(text.len())];
        let from = self.sorted.partition_point(|field| *field < stem);
        let begun = &self.sorted[from..];
        let begun = &begun[..begun.partition_point(|field| field.starts_with(stem))];
        let does = |field: &&[u8]| if condition.prefix { field.starts_with(text) } else { *field == text };
        match condition.all {
            // What lies between two fields that do, does.
            Some(_) => begun.first().is_some_and(does) && begun.last().is_some_and(does),
            None => begun.first().is_some_and(does),
        }
    }
}

/// The conditions of a pattern's query, without those that say what another says.
pub(super) fn conditions(query: &str, allow: bool) -> Vec<Condition> {
    let mut found: Vec<Condition> = Vec::new();
    let fields = query.strip_suffix('&').unwrap_or(query);
    for field in fields.split('&').filter(|_| !query.is_empty()) {
        let (key, value) = field.split_once('=').unwrap_or((field, ""));
        let made = condition(key, value, allow);
        if !found.iter().any(|other| other.all == made.all && stem(other) == stem(&made)) {
            found.push(made);
        }
    }
    found
}

/// What Chrome tells conditions apart by: of those that ask of all fields, the name alone.
fn stem(condition: &Condition) -> (&str, bool) {
    match condition.all {
        Some(length) => (&condition.text[..length], false),
        None => (&condition.text, condition.prefix),
    }
}

fn condition(key: &str, value: &str, allow: bool) -> Condition {
    let whole = |text: &str| (text.strip_suffix('*').unwrap_or(text).to_owned(), text.ends_with('*'));
    let (text, prefix, stem, value) = if value.is_empty() {
        let (key, prefix) = whole(key);
        (key.clone(), prefix, key.len(), String::new())
    } else {
        let (value, prefix) = whole(value);
        (format!("{key}={value}"), prefix, key.len() + 1, value)
    };
    // "If |value_| is empty no need to find the |key_| and verify if the value matches."
    let presence = value.is_empty() && prefix;
    Condition { text, prefix, all: (allow && !presence).then_some(stem) }
}
