//! The blocks and services of `data/ip.toml`, parsed at first use. Must not know
//! what an address in them means to a caller.

use std::sync::OnceLock;

use super::{Address, Embeds};
use crate::error::Code;
use crate::policy::PolicyError;
use crate::policy::read::{File, Table, Value, as_bool, as_table};

/// A block of addresses.
pub(super) struct Block {
    pub(super) text: String,
    pub(super) name: String,
    pub(super) class: String,
    pub(super) globally_reachable: Option<bool>,
    pub(super) embeds: Option<Embeds>,
    first: Address,
    bits: u32,
}

impl Block {
    fn holds(&self, address: Address) -> bool {
        match (self.first, address) {
            (Address::V4(first), Address::V4(bits)) => (first ^ bits).checked_shr(32 - self.bits).unwrap_or(0) == 0,
            (Address::V6(first), Address::V6(bits)) => (first ^ bits).checked_shr(128 - self.bits).unwrap_or(0) == 0,
            _ => false,
        }
    }
}

/// All that is known of addresses.
pub(super) struct Tables {
    /// Longest first.
    blocks: Vec<Block>,
    services: Vec<(Address, String)>,
}

impl Tables {
    /// The longest block that holds the address.
    pub(super) fn block(&self, address: Address) -> Option<&Block> {
        self.blocks.iter().find(|block| block.holds(address))
    }

    pub(super) fn service(&self, address: Address) -> Option<&str> {
        self.services.iter().find(|(at, _)| *at == address).map(|(_, name)| name.as_str())
    }
}

/// The tables of the file. Were it broken, every address would be refused; a test reads it.
pub(super) fn tables() -> &'static Tables {
    static ONCE: OnceLock<Tables> = OnceLock::new();
    ONCE.get_or_init(|| {
        let file = File::new("ip.toml", include_str!("../../data/ip.toml"), Code::BadRule);
        read(&file).unwrap_or_else(|_| everything_refused())
    })
}

fn everything_refused() -> Tables {
    let all = |text: &str, first| Block {
        text: text.to_owned(),
        name: "data/ip.toml cannot be read".to_owned(),
        class: "reserved".to_owned(),
        globally_reachable: None,
        embeds: None,
        first,
        bits: 0,
    };
    Tables { blocks: vec![all("0.0.0.0/0", Address::V4(0)), all("::/0", Address::V6(0))], services: Vec::new() }
}

fn read(file: &File) -> Result<Tables, PolicyError> {
    let parsed = file.parse()?;
    let root = Table::new(file, 0, &parsed, "key", &["version", "sources", "registry", "service"])?;
    root.need("version", root.int("version", 1, u64::from(u32::MAX))?, "1")?;
    let sources = as_table(file, root.need("sources", root.get("sources"), "{ ... }")?, "sources")?;
    let known = |table: &Table| {
        let name = table.need("source", table.text("source")?, "\"...\"")?;
        match sources.iter().any(|(key, _)| key.get_ref() == name) {
            true => Ok(()),
            false => Err(file.error(table.at, format!("source {name:?} is not in [sources]"))),
        }
    };
    let mut tables = Tables { blocks: Vec::new(), services: Vec::new() };
    for row in root.tables("registry")? {
        let table = Table::of(file, row, "registry", "key", &["source", "blocks"])?;
        known(&table)?;
        for row in table.tables("blocks")? {
            tables.blocks.push(block(file, row)?);
        }
    }
    for row in root.tables("service")? {
        let table = Table::of(file, row, "service", "key", &["name", "addresses", "source", "verified"])?;
        known(&table)?;
        table.bool("verified")?;
        let name = table.need("name", table.text("name")?, "\"...\"")?;
        for (text, at) in table.need("addresses", table.texts("addresses")?, "[\"169.254.169.254\"]")? {
            tables.services.push((address(file, text, at)?, name.to_owned()));
        }
    }
    tables.blocks.sort_by_key(|block| std::cmp::Reverse(block.bits));
    Ok(tables)
}

fn block(file: &File, row: &Value) -> Result<Block, PolicyError> {
    let keys = ["block", "name", "rfc", "globally_reachable", "class", "embeds"];
    let table = Table::of(file, row, "block", "key", &keys)?;
    let text = |key: &str| table.need(key, table.text(key)?, "\"...\"");
    let written = text("block")?;
    let Some((first, bits)) = written.split_once('/') else {
        return Err(file.error(table.at, format!("block {written:?} has no length; write it as 10.0.0.0/8")));
    };
    let first = address(file, first, table.at)?;
    let longest = if matches!(first, Address::V4(_)) { 32 } else { 128 };
    let bits = bits.parse().ok().filter(|bits| *bits <= longest);
    table.need("rfc", table.texts("rfc")?, "[\"RFC1918\"]")?;
    Ok(Block {
        text: written.to_owned(),
        name: text("name")?.to_owned(),
        class: text("class")?.to_owned(),
        globally_reachable: reachable(&table)?,
        embeds: table.text("embeds")?.map(|how| embeds(&table, how)).transpose()?,
        first,
        bits: table.need("length of the block", bits, "0 to 32, or 0 to 128")?,
    })
}

fn address(file: &File, text: &str, at: usize) -> Result<Address, PolicyError> {
    Address::parse(text).map_err(|error| file.error(at, format!("{text:?}: {error}")))
}

/// The registry's column: true, false or "N/A".
fn reachable(table: &Table) -> Result<Option<bool>, PolicyError> {
    let key = "globally_reachable";
    let value = table.need(key, table.get(key), "false")?;
    match value.get_ref().as_str() {
        Some("N/A") => Ok(None),
        _ => as_bool(table.file, value, key).map(Some),
    }
}

fn embeds(table: &Table, how: &str) -> Result<Embeds, PolicyError> {
    match how {
        "low-32" => Ok(Embeds::Low32),
        "6to4" => Ok(Embeds::SixToFour),
        "teredo" => Ok(Embeds::Teredo),
        _ => Err(table.file.error(table.at, format!("embeds is {how:?}; allowed: low-32, 6to4, teredo"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_can_be_read_and_no_block_stands_twice() {
        let file = File::new("ip.toml", include_str!("../../data/ip.toml"), Code::BadRule);
        let tables = read(&file).unwrap();
        let mut blocks: Vec<String> = tables.blocks.iter().map(|b| format!("{}/{}", b.first, b.bits)).collect();
        let all = blocks.len();
        blocks.sort();
        blocks.dedup();
        assert_eq!(blocks.len(), all);
        for block in &tables.blocks {
            let first = match block.first {
                Address::V4(bits) => u128::from(bits) << 96,
                Address::V6(bits) => bits,
            };
            assert_eq!(first.checked_shl(block.bits).unwrap_or(0), 0, "{}: bits beyond its length", block.text);
        }
    }

    #[test]
    fn a_broken_file_refuses_everything() {
        let tables = everything_refused();
        for address in [Address::V4(0x0808_0808), Address::V6(1), Address::V6(u128::MAX)] {
            assert!(tables.block(address).is_some_and(|block| block.globally_reachable.is_none()));
        }
    }
}
