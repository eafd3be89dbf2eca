//! Regular expressions of site rules: without ASCII case, over bytes, linear in
//! the text and bounded in size; compiled when first asked. Must not know what
//! a rule does where one matches.

use std::cmp::Ordering;
use std::sync::{Arc, OnceLock};

use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::hir::literal::{Extractor, Literal};
use regex_syntax::hir::{Hir, HirKind, Look};
use regex_syntax::{ParserBuilder, hir};

use super::names::{LONGEST_PREFIX, Pattern};
use crate::percent::{self, UNRESERVED};

/// A longer text is matched by no expression, and rules that have one do not cover it.
pub(crate) const MOST_TEXT: usize = 4096;
/// Bytes of an expression as written.
const MOST_WRITTEN: usize = 4096;
/// Groups within groups.
const DEEPEST: u32 = 32;
/// Positions of an expression, repetitions counted.
const MOST_POSITIONS: usize = 4096;
/// What compiled programs and their caches may take; above any that `MOST_POSITIONS` lets through.
const MOST_BYTES: usize = 16 << 20;
/// More names than this are told by the expression itself.
const MOST_NAMES: usize = 128;
/// More beginnings than this are all that there are.
const MOST_STEMS: usize = 32;

/// An expression as a rule writes it.
#[derive(Clone, Debug)]
pub(crate) struct Rx(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    text: String,
    /// Must the whole text match, or is it searched?
    whole: bool,
    compiled: OnceLock<Option<Regex>>,
}

impl PartialEq for Rx {
    fn eq(&self, other: &Rx) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Rx {}

impl PartialOrd for Rx {
    fn partial_cmp(&self, other: &Rx) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rx {
    fn cmp(&self, other: &Rx) -> Ordering {
        (&self.0.text, self.0.whole).cmp(&(&other.0.text, other.0.whole))
    }
}

/// Which names an expression can match, as far as its text says.
pub(crate) enum Told {
    /// These and no others.
    Names(Vec<Pattern>),
    /// Some of those that begin in one of these ways.
    Some(Vec<Pattern>),
}

impl Rx {
    /// An expression that is searched for in a text.
    pub(crate) fn search(text: &str) -> Result<Rx, String> {
        Rx::new(text, false)
    }

    /// An expression that a text must match from end to end.
    pub(crate) fn whole(text: &str) -> Result<Rx, String> {
        Rx::new(text, true)
    }

    /// One that is found where any of these is; each has been read alone before.
    pub(crate) fn any(list: &[Rx]) -> Rx {
        let text = list.iter().map(|rx| format!("(?:{})", rx.0.text)).collect::<Vec<_>>().join("|");
        Rx(Arc::new(Inner { text, whole: false, compiled: OnceLock::new() }))
    }

    fn new(text: &str, whole: bool) -> Result<Rx, String> {
        if text.is_empty() || text.len() > MOST_WRITTEN {
            return Err(format!("a regular expression has 1 to {MOST_WRITTEN} bytes, not {}", text.len()));
        }
        let hir = parse(text).and_then(|hir| parse(&format!("(?:{text})")).map(|_| hir));
        let hir = hir.map_err(|fault| format!("regular expression {text:?}: {fault}"))?;
        match positions(&hir) {
            found if found > MOST_POSITIONS => {
                Err(format!("regular expression {text:?} is too large; allowed: {MOST_POSITIONS} positions"))
            }
            _ => Ok(Rx(Arc::new(Inner { text: text.to_owned(), whole, compiled: OnceLock::new() }))),
        }
    }

    /// The same, but `A` is not `a`.
    pub(crate) fn with_case(&self) -> Rx {
        let text = format!("(?-i:{})", self.0.text);
        Rx(Arc::new(Inner { text, whole: self.0.whole, compiled: OnceLock::new() }))
    }

    /// As the rule writes it.
    pub(crate) fn text(&self) -> &str {
        &self.0.text
    }

    /// The program; None only if it is above `MOST_BYTES`, which `MOST_POSITIONS` is there to prevent.
    pub(crate) fn program(&self) -> Option<&Regex> {
        let text = || match self.0.whole {
            true => format!("^(?:{})$", self.0.text),
            false => self.0.text.clone(),
        };
        let build = || {
            let mut builder = RegexBuilder::new(&text());
            builder.unicode(false).case_insensitive(true).nest_limit(DEEPEST + 2);
            builder.size_limit(MOST_BYTES).dfa_size_limit(MOST_BYTES).build().ok()
        };
        self.0.compiled.get_or_init(build).as_ref()
    }

    /// Whether it matches whole texts that hold no `=`: parameters without a value.
    pub(crate) fn is_bare(&self) -> bool {
        let Ok(hir) = parse(&self.0.text) else { return false };
        let look = hir.properties();
        let whole = look.look_set_prefix().contains(Look::Start) && look.look_set_suffix().contains(Look::End);
        (whole || self.0.whole) && !may_hold(&hir, b'=')
    }

    /// How many texts it captures.
    pub(crate) fn groups(&self) -> usize {
        self.program().map_or(0, |program| program.captures_len() - 1)
    }

    /// Whether a text of at most `MOST_TEXT` bytes matches.
    pub(crate) fn is_match(&self, text: &[u8]) -> bool {
        text.len() <= MOST_TEXT && self.program().is_some_and(|program| program.is_match(text))
    }

    /// What names can match, for a look-up by name before the expression is asked.
    pub(crate) fn told(&self) -> Told {
        let any = || Told::Some(vec![Pattern { stem: String::new(), prefix: true }]);
        let Ok(hir) = parse_as_written(&self.0.text) else { return any() };
        if !self.0.whole && !hir.properties().look_set_prefix().contains(Look::Start) {
            return any();
        }
        if self.0.whole
            && hir.properties().look_set().is_empty()
            && !self.sets_flags()
            && let Some(names) = names(&hir)
        {
            return Told::Names(names);
        }
        let found = Extractor::new().extract(&hir);
        let texts = found.literals().and_then(texts);
        let Some(texts) = texts else { return any() };
        let mut stems: Vec<Pattern> = texts.into_iter().map(|text| self.stem(text)).collect();
        stems.sort_unstable();
        // One that begins like another is found with it.
        stems.dedup_by(|longer, shorter| shorter.prefix && longer.stem.starts_with(&shorter.stem));
        stems.dedup();
        match stems.first() {
            Some(first) if !first.stem.is_empty() && stems.len() <= MOST_STEMS => Told::Some(stems),
            _ => any(),
        }
    }

    /// How the name begins where the match begins so; all of it, where `=` follows.
    fn stem(&self, text: &str) -> Pattern {
        let length = plain(text);
        let prefix = self.0.whole || length > LONGEST_PREFIX || text.as_bytes().get(length) != Some(&b'=');
        Pattern { stem: text[..length.min(LONGEST_PREFIX)].to_ascii_lowercase(), prefix }
    }

    /// Whether letters may mean no more than themselves somewhere: `(?-i)`.
    fn sets_flags(&self) -> bool {
        self.0.text.as_bytes().windows(3).any(|w| w.starts_with(b"(?") && (w[2].is_ascii_alphabetic() || w[2] == b'-'))
    }
}

/// All texts that match, if they are few and as names stand in queries.
fn names(hir: &Hir) -> Option<Vec<Pattern>> {
    // One letter of any kind is few enough.
    let found = Extractor::new().limit_class(26).extract(hir);
    let texts = texts(found.literals()?).filter(|texts| found.is_exact() && texts.len() <= MOST_NAMES)?;
    let name = |text: &str| Pattern { stem: text.to_owned(), prefix: false };
    let whole = texts.iter().all(|text| !text.is_empty() && plain(text) == text.len());
    whole.then(|| texts.into_iter().map(name).collect())
}

fn texts(literals: &[Literal]) -> Option<Vec<&str>> {
    literals.iter().map(|literal| std::str::from_utf8(literal.as_bytes()).ok()).collect()
}

/// How many bytes from the left are of those that stand in names as they are: what no scan rewrites, and
/// whole escapes of what it leaves escaped.
fn plain(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += match byte {
            b'%' if percent::escape_at(&bytes[at..]).is_some_and(|byte| !percent::is(byte, UNRESERVED)) => 3,
            _ if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.') => 1,
            _ => break,
        };
    }
    at
}

/// Why this text cannot be an expression of a site rule; None if it can.
///
/// ```
/// assert!(urlkey::expression_fault("utm_[a-z]+").is_none());
/// assert!(urlkey::expression_fault("(?=x)").is_some());
/// ```
pub fn expression_fault(text: &str) -> Option<String> {
    Rx::search(text).err()
}

fn parse(text: &str) -> Result<Hir, String> {
    parser(text, true)
}

/// Letters as they stand: a class for each would hide the literals.
fn parse_as_written(text: &str) -> Result<Hir, String> {
    parser(text, false)
}

fn parser(text: &str, any_case: bool) -> Result<Hir, String> {
    let mut builder = ParserBuilder::new();
    builder.unicode(false).utf8(false).nest_limit(DEEPEST).case_insensitive(any_case);
    builder.build().parse(text).map_err(|fault| match fault {
        regex_syntax::Error::Parse(fault) => fault.kind().to_string(),
        regex_syntax::Error::Translate(fault) => fault.kind().to_string(),
        _ => "not a regular expression".to_owned(),
    })
}

/// Whether a match may hold this byte. As deep as `DEEPEST` lets groups be.
fn may_hold(hir: &Hir, byte: u8) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Class(hir::Class::Bytes(class)) => class.iter().any(|r| (r.start()..=r.end()).contains(&byte)),
        HirKind::Class(hir::Class::Unicode(_)) => true,
        HirKind::Literal(hir::Literal(bytes)) => bytes.contains(&byte),
        HirKind::Capture(group) => may_hold(&group.sub, byte),
        HirKind::Repetition(times) => may_hold(&times.sub, byte),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(|part| may_hold(part, byte)),
    }
}

/// Positions of the automaton, roughly. As deep as `DEEPEST` lets groups be.
pub(crate) fn positions(hir: &Hir) -> usize {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(_) => 1,
        HirKind::Literal(hir::Literal(bytes)) => bytes.len(),
        HirKind::Capture(group) => positions(&group.sub),
        HirKind::Repetition(times) => {
            let most = times.max.unwrap_or(times.min.saturating_add(1)).max(1);
            positions(&times.sub).saturating_mul(most as usize).saturating_add(1)
        }
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().fold(1, |sum: usize, part| sum.saturating_add(positions(part)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        match Rx::whole(text).unwrap().told() {
            Told::Names(names) => names.iter().map(Pattern::text).collect::<Vec<_>>().join(" "),
            Told::Some(stems) => stems.iter().map(Pattern::text).collect::<Vec<_>>().join(" "),
        }
    }

    #[test]
    fn names_are_told_where_the_text_says_them() {
        for (text, names) in [
            ("gclid", "gclid"),
            ("utm_(?:source|medium)", "utm_source utm_medium"),
            ("ref_?", "ref_ ref"),
            ("utm_[a-z]+", "utm_*"),
            ("(?:utm|uta)_.*", "uta_* utm_*"),
            ("(?:%3F)?utm_[a-z]*", "%3futm_* utm_*"),
            ("(?:%3F)?mc", "%3Fmc mc"),
            ("(?:utm|utm_).*x", "utm*"),
            ("[a-z]+_id", "*"),
            ("(?:%75)?utm", "*"),
            ("(?-i)ABC", "abc*"),
            ("^utm_source$", "utm_source*"),
        ] {
            assert_eq!(told(text), names, "{text}");
        }
        for (text, stem) in
            [("^sid=[0-9]+$", "sid"), ("^sid[a-z]+=", "sid*"), ("sid=[0-9]+$", "*"), ("^(?:a|sid)=", "a sid")]
        {
            let Told::Some(stems) = Rx::search(text).unwrap().told() else { panic!("{text}") };
            assert_eq!(stems.iter().map(Pattern::text).collect::<Vec<_>>().join(" "), stem);
        }
    }

    #[test]
    fn expressions_that_are_not_linear_or_too_large_are_refused() {
        let deep = format!("{}a{}", "(".repeat(60), ")".repeat(60));
        let deep = deep.as_str();
        for bad in ["", "(", "a)|(?:b", "(?x)a#", "(?=a)", "(?!a)b", r"(a)\1", "a{1000}{1000}", "[a-z]{5000}", deep] {
            assert!(Rx::search(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn matches_are_without_case_and_of_bounded_texts() {
        let rx = Rx::search(r"^https?://(?:[a-z0-9-]+\.)*?shop\.example/").unwrap();
        assert!(rx.is_match(b"http://WWW.shop.example/") && !rx.is_match(b"http://notshop.example/"));
        assert!(!rx.is_match(format!("http://shop.example/{}", "a".repeat(MOST_TEXT)).as_bytes()));
        assert!(Rx::whole("a+").unwrap().is_match(b"AAA") && !Rx::whole("a+").unwrap().is_match(b"aab"));
        let largest = Rx::search("(?:[a-z]{64}){63}").unwrap();
        assert!(largest.program().is_some());
        assert!(Rx::any(&[largest, rx]).is_match(b"http://shop.example/"));
    }
}
