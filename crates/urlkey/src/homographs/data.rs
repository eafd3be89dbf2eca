//! The rows of `rules/homographs.toml`, read at first use.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde::Deserialize;

const TEXT: &str = include_str!("../../data/rules/homographs.toml");

/// The file as it stands.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "version")]
    _version: u32,
    sources: HashMap<String, String>,
    alike: Vec<Alike>,
    home: Vec<Home>,
    regional: Vec<Regional>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Alike {
    source: String,
    to: HashMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Home {
    source: String,
    suffixes: HashMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Regional {
    source: String,
    letters: HashMap<char, String>,
}

/// What the rows say, by what is asked.
#[derive(Default)]
pub(super) struct Data {
    /// The text that a letter looks like.
    pub alike: HashMap<char, String>,
    homes: Vec<(String, String)>,
    regional: HashMap<char, String>,
}

impl Data {
    /// Whether names of the script are at home under the suffix.
    pub fn is_home(&self, script: &str, suffix: &str) -> bool {
        self.homes.iter().any(|(of, suffixes)| of == script && has(suffixes, suffix))
    }

    /// Whether the letter is at home under other suffixes alone.
    pub fn is_out_of_place(&self, letter: char, suffix: &str) -> bool {
        self.regional.get(&letter).is_some_and(|suffixes| !has(suffixes, suffix))
    }
}

fn has(words: &str, wanted: &str) -> bool {
    words.split(' ').any(|word| word == wanted)
}

/// The data. A test reads the file.
pub(super) fn data() -> &'static Data {
    static ONCE: OnceLock<Data> = OnceLock::new();
    ONCE.get_or_init(|| read().unwrap_or_default())
}

fn read() -> Result<Data, String> {
    let file: File = toml::from_str(TEXT).map_err(|error| error.to_string())?;
    let named = file.alike.iter().map(|row| &row.source).chain(file.home.iter().map(|row| &row.source));
    for source in named.chain(file.regional.iter().map(|row| &row.source)) {
        file.sources.get(source).ok_or_else(|| format!("no source {source}"))?;
    }
    let letters = file.alike.iter().flat_map(|row| &row.to);
    Ok(Data {
        alike: letters.flat_map(|(to, letters)| letters.chars().map(|letter| (letter, to.clone()))).collect(),
        homes: file.home.into_iter().flat_map(|row| row.suffixes).collect(),
        regional: file.regional.into_iter().flat_map(|row| row.letters).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_can_be_read() {
        let data = read().unwrap();
        assert!(data.alike.len() > 100 && data.alike[&'æ'] == "ae");
        assert!(data.is_home("Cyrillic", "ru") && !data.is_home("Cyrillic", "r"));
        assert!(data.is_out_of_place('ə', "com") && !data.is_out_of_place('ə', "az"));
    }
}
