//! A rule set as an import of the public lists makes it, from a seed: half of
//! the rules for any host, half for one site each. Says nothing of time.

use std::fmt::Write;

/// The names of parameters begin and end like those of the lists.
const STARTS: [&str; 20] = [
    "ad", "aff", "at", "bsft", "ck", "cm", "ecid", "elq", "fb", "ga", "hsa", "icid", "mkt", "ml", "oly", "pk", "sc",
    "trk", "vero", "yb",
];
const ENDS: [&str; 16] = [
    "campaign", "cid", "click", "clid", "content", "email", "eid", "id", "kw", "medium", "network", "ref", "source",
    "src", "term", "uid",
];
const TLDS: [&str; 6] = ["com", "org", "net", "de", "co.uk", "io"];
/// Every so many names are an expression.
const EXPRESSIONS: usize = 25;

/// SplitMix64: the same rules on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

fn name(random: &mut Random, number: usize) -> String {
    let (start, end) = (STARTS[random.below(STARTS.len())], ENDS[random.below(ENDS.len())]);
    match number % EXPRESSIONS {
        0 => format!("/{start}_(?:{end}|{number})_[a-z]+/"),
        _ if random.below(3) == 0 => format!("{start}{number}{end}"),
        _ => format!("{start}_{end}{number}"),
    }
}

/// `count` rules as the text of a rule file.
pub fn file(count: usize) -> String {
    let mut random = Random(1);
    let mut out = String::from("schema = 1\n\n[[site]]\nhost = \"*\"\nsource = \"imported\"\ndrop = [\n");
    for number in 0..count / 2 {
        let _ = writeln!(out, "  '{}',", name(&mut random, number));
    }
    out.push_str("]\n");
    for number in 0..count - count / 2 {
        let tld = TLDS[random.below(TLDS.len())];
        let own = name(&mut random, number + 1);
        let _ = write!(out, "\n[[site]]\nhost = \"*.site{number}.{tld}\"\nsource = \"imported\"\n");
        match random.below(8) {
            0 => writeln!(out, "url = '^https?://(?:[a-z0-9-]+\\.)*?site{number}\\.{tld}/p/'\ndrop = ['{own}', 'ref']"),
            1 => writeln!(out, "keep = ['ref']"),
            _ => writeln!(out, "drop = ['{own}', 'ref', 's']"),
        }
        .unwrap_or_default();
    }
    out
}
