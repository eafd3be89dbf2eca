//! Texts that look like URLs, made from a seed and biased to trouble: escapes
//! and half escapes, dots, slashes both ways, ports, IDN, session ids, signed
//! markers. Knows what URLs look like, nothing of the crate under test.

#![allow(dead_code)] // each test takes what it needs

mod tables;

use tables::*;

/// SplitMix64: small, and the same on every machine.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

fn path(random: &mut Random, out: &mut String) {
    for _ in 0..random.below(6) {
        out.push_str(if random.once_in(12) { "\\" } else { "/" });
        out.push_str(random.pick(SEGMENTS));
    }
    if random.once_in(4) {
        out.push('/');
    }
}

fn query(random: &mut Random, out: &mut String) {
    out.push('?');
    for i in 0..random.below(7) {
        if i > 0 || random.once_in(8) {
            out.push_str(random.pick(JOINTS));
        }
        out.push_str(random.pick(NAMES));
        if !random.once_in(5) {
            out.push('=');
            out.push_str(random.pick(VALUES));
        }
    }
}

fn host(random: &mut Random, out: &mut String) {
    if random.once_in(3) {
        out.push_str(random.pick(HOSTS));
        return;
    }
    for _ in 0..random.below(4) {
        out.push_str(random.pick(LABELS));
        out.push('.');
    }
    out.push_str(random.pick(ENDS));
}

/// Puts a troublemaker somewhere, or takes a character out.
fn disturb(random: &mut Random, text: &mut String) {
    let at = text.char_indices().map(|(i, _)| i).nth(random.below(text.chars().count().max(1))).unwrap_or(0);
    if random.once_in(3) && at < text.len() {
        text.remove(at);
    } else {
        text.insert_str(at, random.pick(EXTRA));
    }
}

/// A text that is a URL, nearly one, a reference, or a link that holds one of these.
pub fn url(random: &mut Random) -> String {
    let text = bare_url(random);
    if random.once_in(6) { wrapped(random, text) } else { text }
}

/// A link that holds another one, one to seven layers deep.
fn wrapped(random: &mut Random, mut text: String) -> String {
    let same = random.once_in(3).then(|| random.below(WRAPPERS.len()));
    for _ in 0..1 + random.below(7) * random.below(2) {
        let (front, how, back) = WRAPPERS[same.unwrap_or_else(|| random.below(WRAPPERS.len()))];
        let inner = match how {
            '1' => escaped(&text),
            '2' => escaped(&escaped(&text)),
            'b' => base64(text.as_bytes()),
            'x' => text.split_once("://").map_or(text.as_str(), |(_, rest)| rest).to_owned(),
            _ => text,
        };
        text = [front, &inner, back].concat();
    }
    if random.once_in(12) {
        disturb(random, &mut text);
    }
    text
}

fn escaped(text: &str) -> String {
    let escape = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' => char::from(byte).to_string(),
        _ => format!("%{byte:02x}"),
    };
    text.bytes().map(escape).collect()
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let digits = |three: &[u8]| {
        let held = three.iter().fold(0u32, |held, &byte| held << 8 | u32::from(byte)) << (8 * (3 - three.len()));
        (0..=three.len()).map(move |n| char::from(DIGITS[(held >> (18 - 6 * n) & 63) as usize])).collect::<String>()
    };
    bytes.chunks(3).map(digits).collect()
}

/// A link to a platform, as it is shared.
fn social(random: &mut Random) -> String {
    let mut out = String::from(random.pick(&["https://", "http://", "https://", "HTTP://"]));
    if random.once_in(10) {
        out.push_str(random.pick(USERS));
    }
    let (host, link) = SOCIAL[random.below(SOCIAL.len())];
    out.push_str(host);
    if random.once_in(10) {
        out.push_str(random.pick(PORTS));
    }
    out.push_str(link);
    if random.once_in(3) {
        out.push(if link.contains('?') { '&' } else { '?' });
        out.push_str(random.pick(NAMES));
        out.push('=');
        out.push_str(random.pick(VALUES));
    }
    if random.once_in(4) {
        disturb(random, &mut out);
    }
    out
}

fn bare_url(random: &mut Random) -> String {
    if random.once_in(10) {
        return social(random);
    }
    let mut out = String::from(random.pick(SCHEMES));
    if !out.is_empty() || random.once_in(3) {
        if random.once_in(8) {
            out.push_str(random.pick(USERS));
        }
        host(random, &mut out);
        if random.once_in(5) {
            out.push_str(random.pick(PORTS));
        }
    }
    path(random, &mut out);
    if !random.once_in(3) {
        query(random, &mut out);
    }
    if random.once_in(4) {
        out.push('#');
        out.push_str(random.pick(FRAGMENTS));
    }
    for _ in 0..[0, 0, 0, 1, 2][random.below(5)] {
        disturb(random, &mut out);
    }
    if random.once_in(20) {
        let (open, close) = WRAPPINGS[random.below(WRAPPINGS.len())];
        out = [open, &out, close].concat();
    }
    out
}

/// A reference as links hold them.
pub fn reference(random: &mut Random) -> String {
    let mut out = String::new();
    match random.below(5) {
        0 => out.push_str(random.pick(&["//", "\\\\", "/", "http:", "file:", "foo:", "#", "?", "C|/", "../"])),
        1 => return url(random),
        2 => out.push_str(random.pick(SEGMENTS)),
        _ => {}
    }
    path(random, &mut out);
    if random.once_in(2) {
        query(random, &mut out);
    }
    out
}

/// A spelling that servers answer as they answer `text`, or nearly.
pub fn respelled(random: &mut Random, text: &str) -> String {
    let mut out = text.to_owned();
    match random.below(9) {
        0 => out = out.replacen("http://", "HTTP://", 1),
        1 => out = out.replacen("http://", "https://", 1),
        2 => out = out.replacen("://", "://www.", 1),
        3 => out.push_str("#top"),
        4 => out.push('/'),
        5 => out.push_str("&utm_source=x"),
        6 => out = out.replace('a', "%61"),
        7 => out = out.replace('A', "a"),
        _ => disturb(random, &mut out),
    }
    out
}

/// Bytes for a fuzz target: a URL, bytes of all kinds, or both.
pub fn bytes(random: &mut Random) -> Vec<u8> {
    let mut out = Vec::new();
    if !random.once_in(4) {
        out.extend(url(random).bytes());
    }
    for _ in 0..random.below(5) {
        let at = random.below(out.len() + 1);
        out.insert(at, random.next() as u8);
    }
    out
}
