//! Hosts that look like others: skeletons and restriction levels of UTS 39,
//! names wholly of letters that look Latin, and likeness to names that are
//! protected. Reads hosts; must not know URLs, nor whose a name is.
//!
//! Source: <https://www.unicode.org/reports/tr39/>.

mod data;
mod names;
#[cfg(test)]
mod tests;

use idna::uts46::{AsciiDenyList, Hyphens, Uts46};
use unicode_normalization::UnicodeNormalization;
use unicode_script::{Script, UnicodeScript};
use unicode_security::mixed_script::AugmentedScriptSet;
use unicode_security::{RestrictionLevel, RestrictionLevelDetection};

use crate::domain::registrable_start;
use crate::error::ParseError;
use crate::host::{HostKind, parse_host};
use crate::ladder::Off;

pub use names::Protected;

/// The version of Unicode whose confusables are looked up.
pub const CONFUSABLES_VERSION: (u64, u64, u64) = unicode_security::UNICODE_VERSION;

/// A name of the DNS has no longer label; Punycode costs more than linear time.
const LONGEST_LABEL: usize = 63;

/// What a host looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Homograph {
    /// The host with its `xn--` labels decoded.
    pub host: String,
    /// UTS 39's skeleton of that: equal for hosts that look alike.
    pub skeleton: String,
    /// The widest level of its labels: `ascii-only`, `single-script`, `highly-restrictive`,
    /// `moderately-restrictive`, `minimally-restrictive` or `unrestricted`.
    pub restriction_level: &'static str,
    /// Scripts of its letters by their names in Unicode, in the order in which they come.
    pub scripts: Vec<&'static str>,
    /// Whether a label is of one other script, at home elsewhere, and all of it looks Latin.
    pub whole_script_confusable: bool,
    /// The protected name that it looks like and is not.
    pub lookalike_of: Option<String>,
    /// What speaks against it: out of [`REASONS`].
    pub reasons: Vec<&'static str>,
}

/// All reasons.
pub const REASONS: [&str; 7] = [
    "lookalike",
    "whole-script-confusable",
    "mixed-scripts",
    "restricted-character",
    "repeated-mark",
    "regional-letter",
    "invalid-label",
];

/// What a host looks like, and which of the protected names it looks like.
///
/// Errors: those of the URL Standard for the host of an http URL. Linear in the host.
///
/// ```
/// use urlkey::homographs::{Protected, homograph};
/// let names = Protected::new(&["apple.com"]).unwrap();
/// let found = homograph("xn--80ak6aa92e.com", &names).unwrap();
/// assert_eq!((found.host.as_str(), found.lookalike_of.as_deref()), ("аррӏе.com", Some("apple.com")));
/// assert_eq!(found.reasons, ["lookalike", "whole-script-confusable"]);
/// assert_eq!(homograph("müller.de", &names).unwrap().reasons, [""; 0]);
/// ```
pub fn homograph(host: &str, names: &Protected) -> Result<Homograph, ParseError> {
    let mut ascii = String::new();
    let kind = parse_host(host, true, 0, &mut ascii, &mut Off)?;
    if kind != HostKind::Domain {
        let (host, skeleton) = (ascii.clone(), ascii);
        let (scripts, reasons) = (Vec::new(), Vec::new());
        return Ok(Homograph {
            host,
            skeleton,
            restriction_level: name_of(RestrictionLevel::ASCIIOnly),
            scripts,
            whole_script_confusable: false,
            lookalike_of: None,
            reasons,
        });
    }
    let ascii = ascii.strip_suffix('.').unwrap_or(&ascii);
    let labels: Vec<Label> = ascii.split('.').map(Label::read).collect();
    let unicode = labels.iter().map(|label| &*label.unicode).collect::<Vec<_>>().join(".");
    let name_labels = registrable_start(ascii).map_or(labels.len(), |start| {
        // Labels of the registrable domain but the first are the public suffix.
        let before = ascii[..start].matches('.').count();
        before + 1
    });
    let suffix = if name_labels < labels.len() { labels.last() } else { None };
    let lookalike =
        names.like(ascii, &labels, name_labels).or_else(|| names.like_spelled(host, ascii, &labels, name_labels));
    let mut found = Findings::default();
    for label in &labels {
        found.look(label, suffix);
    }
    let mut scripts: Vec<&'static str> = Vec::new();
    for name in unicode.chars().map(|unit| unit.script()).filter(|script| !is_neutral(*script)).map(Script::full_name) {
        if !scripts.contains(&name) {
            scripts.push(name);
        }
    }
    let skeleton = unicode_security::skeleton(&unicode).collect();
    Ok(Homograph {
        skeleton,
        restriction_level: name_of(found.level),
        scripts,
        whole_script_confusable: found.whole_script,
        reasons: found.reasons(lookalike.is_some()),
        lookalike_of: lookalike.map(str::to_owned),
        host: unicode,
    })
}

/// UTS 39's skeleton of any text.
pub fn skeleton(text: &str) -> String {
    unicode_security::skeleton(text).collect()
}

fn is_neutral(script: Script) -> bool {
    matches!(script, Script::Common | Script::Inherited | Script::Unknown)
}

fn name_of(level: RestrictionLevel) -> &'static str {
    match level {
        RestrictionLevel::ASCIIOnly => "ascii-only",
        RestrictionLevel::SingleScript => "single-script",
        RestrictionLevel::HighlyRestrictive => "highly-restrictive",
        RestrictionLevel::ModeratelyRestrictive => "moderately-restrictive",
        RestrictionLevel::MinimallyRestrictive => "minimally-restrictive",
        RestrictionLevel::Unrestricted => "unrestricted",
    }
}

/// A label of a host, as it is asked for and as it is shown.
struct Label<'a> {
    ascii: &'a str,
    unicode: String,
    valid: bool,
}

impl<'a> Label<'a> {
    fn read(ascii: &'a str) -> Label<'a> {
        if !ascii.starts_with("xn--") {
            return Label { ascii, unicode: ascii.to_owned(), valid: true };
        }
        let decoded = (ascii.len() <= LONGEST_LABEL)
            .then(|| Uts46::new().to_unicode(ascii.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow));
        match decoded {
            Some((text, Ok(()))) => Label { ascii, unicode: text.into_owned(), valid: true },
            _ => Label { ascii, unicode: ascii.to_owned(), valid: false },
        }
    }
}

/// What was found of the labels so far.
struct Findings {
    level: RestrictionLevel,
    whole_script: bool,
    mixed: bool,
    repeated: bool,
    regional: bool,
    invalid: bool,
}

impl Default for Findings {
    fn default() -> Findings {
        let level = RestrictionLevel::ASCIIOnly;
        Findings { level, whole_script: false, mixed: false, repeated: false, regional: false, invalid: false }
    }
}

impl Findings {
    fn look(&mut self, label: &Label, suffix: Option<&Label>) {
        self.invalid |= !label.valid;
        let text = label.unicode.as_str();
        if text.is_ascii() {
            // "-" and "_" and what else ASCII has in hosts is ASCII, whatever a profile of identifiers says.
            return;
        }
        let level = text.detect_restriction_level();
        self.level = self.level.max(level);
        self.mixed |= matches!(level, RestrictionLevel::ModeratelyRestrictive | RestrictionLevel::MinimallyRestrictive)
            || level == RestrictionLevel::Unrestricted && AugmentedScriptSet::for_str(text).is_empty();
        let end = suffix.map_or("", |suffix| suffix.ascii);
        self.regional |= text.chars().any(|unit| data::data().is_out_of_place(unit, end));
        self.repeated |= has_repeated_mark(text);
        self.whole_script |= is_whole_script(text, suffix);
    }

    fn reasons(&self, lookalike: bool) -> Vec<&'static str> {
        let holds = [
            lookalike,
            self.whole_script,
            self.mixed,
            self.level == RestrictionLevel::Unrestricted,
            self.repeated,
            self.regional,
            self.invalid,
        ];
        REASONS.into_iter().zip(holds).filter(|(_, holds)| *holds).map(|(reason, _)| reason).collect()
    }
}

/// UTS 39, section 5.4: "forbid sequences of the same nonspacing mark".
fn has_repeated_mark(text: &str) -> bool {
    let units: Vec<char> = text.nfd().collect();
    units.windows(2).any(|two| two[0] == two[1] && is_mark(two[0]))
}

/// Whether a mark of Latin, Greek and Cyrillic letters.
fn is_mark(unit: char) -> bool {
    matches!(unit, '\u{300}'..='\u{36F}')
}

/// Whether all of a label is of one script that is not Latin, not at home under the suffix, and
/// looks like Latin letters.
fn is_whole_script(text: &str, suffix: Option<&Label>) -> bool {
    let scripts = AugmentedScriptSet::for_str(text).base;
    if scripts.is_empty() || scripts.is_common() || scripts.is_inherited() || scripts.contains_script(Script::Latin) {
        return false;
    }
    let looks: String = unicode_security::skeleton(text).collect();
    let is_latin = looks.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let at_home = suffix.is_some_and(|suffix| {
        let same = |unit: char| scripts.contains_script(unit.script());
        let of = |script: Script| data::data().is_home(script.full_name(), suffix.ascii);
        suffix.unicode.chars().any(|unit| !is_neutral(unit.script()) && same(unit)) || scripts.iter().any(of)
    });
    is_latin && looks.bytes().any(|byte| byte.is_ascii_alphabetic()) && !at_home
}
