//! ToASCII of IDNA 2003, as programs do it that have not moved on: Nameprep with
//! unassigned code points allowed and without the rules of STD 3. Unicode 3.2
//! decides what is decomposed and what runs right to left; lower case, order of
//! marks and composition are those of today, as in CPython's codec `idna`.
//!
//! Source: <https://www.rfc-editor.org/rfc/rfc3490#section-4.1>.

use std::ops::RangeInclusive;
use std::sync::OnceLock;

use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_normalizer::properties::{CanonicalCombiningClassMapBorrowed, CanonicalCompositionBorrowed};
use serde::Deserialize;

/// A label is 1 to 63 bytes.
const LABEL_BYTES: usize = 63;
const ACE: &str = "xn--";

#[derive(Default, Deserialize)]
struct File {
    unassigned: String,
    nothing: String,
    prohibited: String,
    right_to_left: String,
    left_to_right: String,
    folded: Vec<String>,
    decomposed: Vec<String>,
}

/// The tables of data/nameprep.toml.
struct Tables {
    unassigned: Set,
    nothing: Set,
    prohibited: Set,
    right_to_left: Set,
    left_to_right: Set,
    folded: Map,
    decomposed: Map,
}

/// Ranges of code points, in order.
struct Set(Vec<RangeInclusive<u32>>);

/// Code points in order, and what each becomes.
struct Map(Vec<(char, String)>);

impl Set {
    fn read(text: &str) -> Set {
        let ranges = text.split_whitespace().filter_map(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            Some(code_point(first)?..=code_point(last)?)
        });
        Set(ranges.collect())
    }

    fn has(&self, c: char) -> bool {
        let c = u32::from(c);
        let at = self.0.partition_point(|range| *range.end() < c);
        self.0.get(at).is_some_and(|range| range.contains(&c))
    }
}

impl Map {
    fn read(rows: &[String]) -> Map {
        let rows = rows.iter().filter_map(|row| {
            let mut points = row.split(' ').map(|point| char::from_u32(code_point(point)?));
            Some((points.next()??, points.collect::<Option<String>>()?))
        });
        Map(rows.collect())
    }

    fn get(&self, c: char) -> Option<&str> {
        let at = self.0.binary_search_by_key(&c, |row| row.0).ok()?;
        Some(&self.0[at].1)
    }
}

fn code_point(hex: &str) -> Option<u32> {
    u32::from_str_radix(hex, 16).ok()
}

fn tables() -> &'static Tables {
    static ONCE: OnceLock<Tables> = OnceLock::new();
    ONCE.get_or_init(|| {
        // A test holds that the file is read whole.
        let file: File = toml::from_str(include_str!("../../data/nameprep.toml")).unwrap_or_default();
        Tables {
            unassigned: Set::read(&file.unassigned),
            nothing: Set::read(&file.nothing),
            prohibited: Set::read(&file.prohibited),
            right_to_left: Set::read(&file.right_to_left),
            left_to_right: Set::read(&file.left_to_right),
            folded: Map::read(&file.folded),
            decomposed: Map::read(&file.decomposed),
        }
    })
}

/// What becomes of code points that Unicode 3.2 does not know.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unassigned {
    /// Let through, as a query is (RFC 3454, section 7): CPython's codec.
    Allowed,
    /// Refused, as in a stored name: Java's `IDN`.
    Refused,
}

/// A host in ASCII, in the case it has; None where a label is empty, too long or
/// prohibited. Any of the four full stops of IDNA parts labels; one may stand at the end.
pub(crate) fn to_ascii(host: &str, unassigned: Unassigned) -> Option<String> {
    let mut out = String::with_capacity(host.len() + 8);
    let (labels, end) = match host.strip_suffix(is_stop) {
        Some(labels) => (labels, "."),
        None => (host, ""),
    };
    for (index, label) in labels.split(is_stop).enumerate() {
        if index > 0 {
            out.push('.');
        }
        push_label(label, unassigned, &mut out)?;
    }
    out.push_str(end);
    Some(out)
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | '\u{3002}' | '\u{FF0E}' | '\u{FF61}')
}

fn push_label(label: &str, unassigned: Unassigned, out: &mut String) -> Option<()> {
    if label.is_ascii() {
        return push_checked(label, out);
    }
    let label = prepare(label, unassigned)?;
    if label.is_ascii() {
        return push_checked(&label, out);
    }
    // Punycode writes a byte or more for each character, and its cost is not linear.
    if label.starts_with(ACE) || label.chars().nth(LABEL_BYTES - ACE.len()).is_some() {
        return None;
    }
    let encoded = idna::punycode::encode_str(&label)?;
    push_checked(&(ACE.to_owned() + &encoded), out)
}

fn push_checked(label: &str, out: &mut String) -> Option<()> {
    out.push_str(label);
    (1..=LABEL_BYTES).contains(&label.len()).then_some(())
}

/// Nameprep: map, normalize, refuse what is prohibited, check the direction.
///
/// Source: <https://www.rfc-editor.org/rfc/rfc3491>.
fn prepare(label: &str, unassigned: Unassigned) -> Option<String> {
    let t = tables();
    let mut mapped = String::with_capacity(label.len());
    label.chars().filter(|&c| !t.nothing.has(c)).for_each(|c| push_mapped(c, unassigned, &mut mapped));
    let label = nfkc(&mapped);
    let refused = |c| t.prohibited.has(c) || unassigned == Unassigned::Refused && t.unassigned.has(c);
    if label.chars().any(refused) {
        return None;
    }
    let is_right = |c: Option<char>| c.is_some_and(|c| t.right_to_left.has(c));
    if label.chars().any(|c| is_right(Some(c))) {
        let mixed = label.chars().any(|c| t.left_to_right.has(c));
        let ends = is_right(label.chars().next()) && is_right(label.chars().next_back());
        return (!mixed && ends).then_some(label);
    }
    Some(label)
}

/// Table B.2: case folded so that it stays so under NFKC.
fn push_mapped(c: char, unassigned: Unassigned, out: &mut String) {
    let mut folded = String::new();
    fold(c, unassigned, &mut folded);
    let normal = nfkc(&folded);
    let mut again = String::new();
    normal.chars().for_each(|c| fold(c, unassigned, &mut again));
    let again = nfkc(&again);
    out.push_str(if again == normal { &folded } else { &again });
}

fn fold(c: char, unassigned: Unassigned, out: &mut String) {
    match tables().folded.get(c) {
        Some(folded) => out.push_str(folded),
        // A small letter that came after Unicode 3.2 is none in it.
        None if unassigned == Unassigned::Refused && c.to_lowercase().any(|c| tables().unassigned.has(c)) => {
            out.push(c)
        }
        None => out.extend(c.to_lowercase()),
    }
}

/// NFKC with the decompositions of Unicode 3.2.
fn nfkc(text: &str) -> String {
    let classes = CanonicalCombiningClassMapBorrowed::new();
    let mut points: Vec<(u8, char)> = Vec::with_capacity(text.len());
    let push = |points: &mut Vec<_>, c| points.push((classes.get_u8(c), c));
    for c in text.chars() {
        if tables().unassigned.has(c) {
            push(&mut points, c);
        } else if let Some(old) = tables().decomposed.get(c) {
            old.chars().for_each(|c| push(&mut points, c));
        } else {
            let nfkd = DecomposingNormalizerBorrowed::new_nfkd();
            let whole = nfkd.normalize(c.encode_utf8(&mut [0; 4])).into_owned();
            whole.chars().for_each(|c| push(&mut points, c));
        }
    }
    for marks in points.split_mut(|&(class, _)| class == 0) {
        marks.sort_by_key(|&(class, _)| class);
    }
    compose(&points)
}

/// Canonical composition: a mark joins the last starter unless one of its class stands between.
fn compose(points: &[(u8, char)]) -> String {
    let pairs = CanonicalCompositionBorrowed::new();
    let mut out: Vec<char> = Vec::with_capacity(points.len());
    let mut starter = None;
    let mut between = 0;
    for &(class, c) in points {
        let near = starter.is_some_and(|at: usize| at + 1 == out.len());
        let joined = starter.filter(|_| near || between < class).and_then(|at| pairs.compose(out[at], c));
        match (starter, joined) {
            (Some(at), Some(joined)) => out[at] = joined,
            _ => {
                if class == 0 {
                    starter = Some(out.len());
                }
                between = class;
                out.push(c);
            }
        }
    }
    out.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_read_whole() {
        let t = tables();
        let sizes = [&t.unassigned, &t.nothing, &t.prohibited, &t.right_to_left, &t.left_to_right];
        let text: toml::Table = toml::from_str(include_str!("../../data/nameprep.toml")).expect("valid");
        for (name, set) in
            ["unassigned", "nothing", "prohibited", "right_to_left", "left_to_right"].into_iter().zip(sizes)
        {
            let rows = text[name].as_str().expect(name).split_whitespace().count();
            assert_eq!(set.0.len(), rows, "{name}");
            assert!(set.0.windows(2).all(|two| two[0].end() < two[1].start()), "{name} is in order");
        }
        for (name, map) in [("folded", &t.folded), ("decomposed", &t.decomposed)] {
            assert_eq!(map.0.len(), text[name].as_array().expect(name).len(), "{name}");
            assert!(map.0.is_sorted(), "{name} is in order");
        }
    }

    #[test]
    fn hosts_are_written_as_idna_2003_does() {
        for (host, expected) in [
            ("b\u{fc}cher.de", Some("xn--bcher-kva.de")),
            ("fa\u{df}.de", Some("fass.de")),
            ("\u{130}", Some("xn--i-9bb")),
            ("\u{1e9e}", Some("ss")),
            ("\u{2460}\u{3002}\u{e9}.", Some("1.xn--9ca.")),
            ("\u{ad}\u{e9}", Some("xn--9ca")),
            ("\u{ad}", None),
            ("xn--\u{e9}", None),
            (".\u{e9}", None),
            ("\u{e9}..", None),
            ("\u{5d0}a", None),
            ("\u{5d0}", Some("xn--4db")),
            ("\u{fffd}", None),
            // Unicode 3.2 has this decomposition wrong, and so do names made with it.
            ("\u{2f868}", Some("xn--j74i")),
        ] {
            assert_eq!(to_ascii(host, Unassigned::Allowed).as_deref(), expected, "{host:?}");
        }
        assert_eq!(to_ascii(&"\u{e9}".repeat(64), Unassigned::Allowed), None);
        let java = |host| to_ascii(host, Unassigned::Refused);
        assert_eq!(java("\u{10a0}").as_deref(), Some("xn--7md"), "a capital letter without a small one in Unicode 3.2");
        assert_eq!(java("\u{221}"), None);
    }
}
