//! Texts that look like URLs, made from a seed and biased to trouble: escapes
//! and half escapes, dots, slashes both ways, ports, IDN, session ids, signed
//! markers. Knows what URLs look like, nothing of the crate under test.

#![allow(dead_code)] // each test takes what it needs

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

const SCHEMES: &[&str] = &[
    "http://", "http://", "http://", "https://", "https://", "https://", "HTTP://", "hTTps:", "http:/", "http:\\\\",
    "https:///", "//", "", "ftp://", "ws://", "file:///", "file://", "file:", "foo://", "foo:", "foo:/", "foo:/.//",
    "data:", "mailto:", "blob:https://", "hxxp://", "hxxps[:]//", "wss:", " http://", "javascript:", "h\tttp://",
];
const USERS: &[&str] = &["u@", "u:p@", ":p@", "@", ":@", "u:@", "a@b:c@", "%75@", "ü:é@", "u|[@"];
const LABELS: &[&str] = &[
    "a", "example", "www", "www", "m", "mobile", "Www", "xn--mnchen-3ya", "xn--", "xn--a", "münchen", "faß", "日本",
    "google", "facebook", "shop", "amazonaws", "a_b", "-", "", "%61", "%2e", "%", "0x7f", "127", "1", "08", "x1", "ß。",
];
const ENDS: &[&str] = &[
    "com", "com", "example", "co.uk", "de", "com.", "com..", "github.io", "s3.amazonaws.com", "ck", "kawasaki.jp", "1",
    "0x10", "localhost", "blogspot.com", "ru", "рф", "com%2E", "9", "",
];
const HOSTS: &[&str] = &[
    "127.0.0.1", "0x7f.1", "127.0.0.1.", "127.0.0.1..", "[::1]", "[2001:DB8:0::1]", "[::1", "[v1.x]", "256.1.1.1", ".",
    "..", "", "localhost", "a b", "www.com", "m.com", "www.co.uk", "m.www.example.com", "www.m.example.com",
    "www.www.example.com", "www.mobile.m.www.a.example", "www.ck", "www.www.ck", "example.com:80", "[example.com]",
    "example[.]com", "bucket.s3.amazonaws.com", "C:", "c|", "☕.example", "1.2.3.4.5", "a..b", "www.", "www..com",
];
const PORTS: &[&str] = &[":80", ":443", ":8080", ":", ":0", ":00080", ":65535", ":65536", ":21", ":x", ":0443", ":+80"];
const SEGMENTS: &[&str] = &[
    "a", "b", "Page", "..", ".", "%2e", "%2E%2e", ".%2e", "...", "", "", "index.html", "INDEX.HTM", "index.php",
    "default.aspx", "x.aspx", "(S(lit3py55t21z5v55vlm25s55))", "(lit3py55t21z5v55vlm25s55)", "..;jsessionid=A",
    "x;jsessionid=8DBFC2FEDBD740BBC8B4D1A504A6DE7F", "..;jsessionid=8DBFC2FEDBD740BBC8B4D1A504A6DE7F",
    "index.html;jsessionid=8DBFC2FEDBD740BBC8B4D1A504A6DE7F.n1;v=1", ";jsessionid=8DBFC2FEDBD740BBC8B4D1A504A6DE7F",
    "(S(lit3py55t21z5v55vlm25s55));jsessionid=8DBFC2FEDBD740BBC8B4D1A504A6DE7F", "%7Euser", "%c3%a9", "é", "日本語",
    "C:", "C|", "%43|", "C%7C", "%2f", "%5C", "%", "%4", "%zz", "%%32%65%%32%65", "%4%31", "%%341", "%25%32%65", "a b",
    "a|b", "a[b]", "{x}", "^", "`", "\"<>", "'", "~", "*", "@", "a:b", "/index.html/index.html/", "ref=sr_1_1",
];
const NAMES: &[&str] = &[
    "a", "b", "id", "q", "utm_source", "UTM_Medium", "utm_", "fbclid", "gclid", "ref", "amp;b", "amp;amp;utm_source",
    "amp;", "PHPSESSID", "jsessionid", "sid", "cfid", "CFTOKEN", "ASPSESSIONIDAQBSDSRT", "X-Amz-Signature",
    "X-Amz-Algorithm", "X-Amz-Credential", "X-Goog-Signature", "Signature", "Key-Pair-Id", "Expires", "sig", "sv", "sr",
    "%61", "%75tm_source", "f[]", "f%5b%5D", "", "é", "a b", "a+b", "a%26b", "%", "tag", "hl", "_ga", "mc_eid", "v",
];
const VALUES: &[&str] = &[
    "", "1", "2", "x", "X", "x y", "x+y", "%20", "%7e", "%7E", "%2f", "é", "%C3%A9", "%E9", "rss;id=1", "ーソ", "rss;", ";a=1",
    "a=b", "[1]", "|", "%", "%4", "%%34%31", "'", "\\", "http://b.example/?c=d", "http%3A%2F%2Fb.example%2F",
    "d41d8cd98f00b204e9800998ecf8427e", "0123456789abcdef0123456789abcdef", "3304324", "57491900",
    "EOHBLBDDPFCLHKPGGKLILNAM", "8DBFC2FEDBD740BBC8B4D1A504A6DE7F.n;id=1", "2020-08-04", "1700000000",
    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "?", "/", "\u{0}",
];
const JOINTS: &[&str] = &["&", "&", "&", "&", "&&", "&amp;", ";", "&#38;", "?"];
const FRAGMENTS: &[&str] = &["top", "", "!/route", "/route", ":~:text=x", "a b", "`\"<>", "%zz", "é", "#", "a?b"];
const EXTRA: &[&str] = &[
    "%", "%2", "/", "\\", ".", "..", "?", "#", "&", "=", ";", ":", "@", "[", "]", "|", " ", "\t", "\n", "\u{0}", "\u{7f}",
    "é", "\u{202e}", "\u{ad}", "\u{fdd0}", "。", "%00", "<", ">", "\"", "'", "(", ")", "www.", "amp;", "+", "\u{1b}[31m",
];
const WRAPPINGS: &[(&str, &str)] = &[("<", ">"), ("\"", "\""), ("(", ")"), ("<URL:", ">"), ("[", "]"), ("“", "”"), (" ", "\n")];

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

/// A text that is a URL, nearly one, or a reference.
pub fn url(random: &mut Random) -> String {
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
