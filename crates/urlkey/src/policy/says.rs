//! What one site rule says of a parameter, and which of several rules is
//! heard. Must not know how rules are found.

use std::cmp::Reverse;
use std::sync::Arc;

use super::model::{Except, Layer, Name, SiteRule};
use super::names::{Names, Pattern};
use super::paths::PathPattern;
use super::regexes::{MOST_TEXT, Rx, Told};
use crate::domain::HostPattern;
use crate::param::Param;
use crate::rungs::RungSet;

/// Where a URL stands: what rules are asked with.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place<'a> {
    pub(crate) href: &'a str,
    /// Of the href, without a dot at its end.
    pub(crate) host: &'a str,
    pub(crate) path: &'a str,
}

/// A compiled site rule.
#[derive(Debug)]
pub struct SiteRow {
    pub(super) host: HostPattern,
    path: PathPattern,
    url: Option<Rx>,
    except_hosts: Vec<HostPattern>,
    except_urls: Option<Rx>,
    pub(super) rank: Rank,
    pub(super) on: RungSet,
    pub(super) off: RungSet,
    raw: Vec<Rx>,
    drop_path: Vec<Rx>,
    pub(super) fragment: bool,
    file: Arc<str>,
    line: usize,
    origin: Box<str>,
}

impl SiteRow {
    /// `file:line`.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// What is to be cut out of the href.
    pub(crate) fn raw(&self) -> &[Rx] {
        &self.raw
    }

    /// What is to be cut out of the path.
    pub(crate) fn drop_path(&self) -> &[Rx] {
        &self.drop_path
    }

    /// Whether it cuts anything out of href or path.
    pub(crate) fn cuts(&self) -> bool {
        !self.raw.is_empty() || !self.drop_path.is_empty()
    }

    /// For an order that does not depend on that of the files.
    pub(super) fn order(&self) -> (Rank, &str, usize) {
        (self.rank, &self.file, self.line)
    }

    /// Whether the rule is for any host, and not for any path; exceptions of hosts count too.
    pub(super) fn is_for_some_paths_on_any_host(&self) -> bool {
        self.host.to_string() == "*" && (self.path.text() != "/" || !self.except_hosts.is_empty())
    }

    /// Whether the rule asks for more than host and path.
    pub(super) fn reads_href(&self) -> bool {
        self.url.is_some() || self.except_urls.is_some() || self.cuts()
    }

    /// Whether the rule may cover a URL of this host and path, whatever else it asks for.
    pub(super) fn may_cover(&self, host: &str, path: &str) -> bool {
        self.host.matches(host) && self.path.matches(path)
    }

    /// Whether the rule covers this URL. What cannot be asked of a long URL is answered with no.
    pub(super) fn covers(&self, at: &Place) -> bool {
        if !self.may_cover(at.host, at.path) || self.except_hosts.iter().any(|host| host.matches(at.host)) {
            return false;
        }
        let href = at.href.as_bytes();
        let excepted = |rx: &Rx| href.len() > MOST_TEXT || rx.program().is_none_or(|program| program.is_match(href));
        self.url.as_ref().is_none_or(|rx| rx.is_match(href)) && !self.except_urls.as_ref().is_some_and(excepted)
    }
}

/// Lower comes first: layer, then the more specific host, then path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    pub(super) layer: Layer,
    host: Reverse<(usize, bool)>,
    path: Reverse<(usize, usize)>,
    /// One that asks for more of the URL is more specific.
    url: Reverse<bool>,
}

/// What a rule says about one name.
#[derive(Clone, Debug)]
pub(super) struct Say {
    what: What,
    /// Asked besides the look-up by name.
    test: Option<Test>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    Keep,
    Drop,
    Default(Box<str>),
    Valueless,
}

#[derive(Clone, Debug)]
enum Test {
    /// Matched by the name.
    Name(Rx),
    /// Found in `name=value`.
    Pair(Rx),
    /// The same, of one that never holds a `=`.
    Bare(Rx),
    /// The name as the rule writes it, letter by letter.
    Case(Pattern),
}

impl Test {
    fn holds(&self, param: &Param) -> bool {
        match self {
            Test::Name(rx) => rx.is_match(param.name()),
            Test::Pair(rx) => rx.is_match(param.text),
            Test::Bare(rx) => param.name_end == param.text.len() && rx.is_match(param.text),
            Test::Case(pattern) => pattern.is_exactly(param.name()),
        }
    }
}

/// What becomes of a parameter.
#[derive(Clone, Copy, Debug)]
pub enum Verdict<'a> {
    /// It stays, whatever drop_tracking says.
    Keep(&'a SiteRow),
    /// It goes.
    Drop(&'a SiteRow),
    /// Its name stays, its value goes.
    Valueless(&'a SiteRow),
}

impl<'a> Verdict<'a> {
    /// What is said, in a word, and the rule that says it.
    pub(crate) fn parts(self) -> (&'static str, &'a SiteRow) {
        match self {
            Verdict::Keep(row) => ("keep", row),
            Verdict::Drop(row) => ("drop", row),
            Verdict::Valueless(row) => ("valueless", row),
        }
    }
}

/// How loud a rule speaks among those of one rank: what is said at another
/// value than a default is no more than that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Voice {
    OtherValue,
    Valueless,
    Drop,
    Keep,
}

impl Say {
    /// Whether it can change a URL, rather than keep it from being changed.
    pub(super) fn acts(&self) -> bool {
        self.what != What::Keep
    }

    /// Whether it can keep a parameter.
    pub(super) fn keeps(&self) -> bool {
        matches!(self.what, What::Keep | What::Default(_))
    }

    /// Whether it is said only of parameters that hold no `=`.
    pub(super) fn is_of_bare(&self) -> bool {
        matches!(self.test, Some(Test::Bare(_)))
    }

    /// Whether it is said of this parameter, whose name has been looked up.
    #[inline]
    pub(super) fn holds(&self, param: &Param) -> bool {
        self.test.as_ref().is_none_or(|test| test.holds(param))
    }

    /// What is said of this parameter, whose name has been looked up.
    pub(super) fn of<'a>(&self, row: &'a SiteRow, param: &Param) -> Option<(Voice, Verdict<'a>)> {
        self.holds(param).then(|| match &self.what {
            What::Keep => (Voice::Keep, Verdict::Keep(row)),
            What::Drop => (Voice::Drop, Verdict::Drop(row)),
            What::Default(value) if value.as_bytes() == param.value() => (Voice::Drop, Verdict::Drop(row)),
            // At another value it is content.
            What::Default(_) => (Voice::OtherValue, Verdict::Keep(row)),
            What::Valueless => (Voice::Valueless, Verdict::Valueless(row)),
        })
    }
}

/// The loudest of what was heard so far; the higher rank first.
#[derive(Default)]
pub(super) struct Heard<'a>(Option<(Rank, Voice, Verdict<'a>)>);

impl<'a> Heard<'a> {
    /// Whether a rule of this rank can still be heard.
    pub(super) fn listens_to(&self, rank: Rank) -> bool {
        self.0.is_none_or(|(first, voice, _)| rank < first || (rank == first && voice != Voice::Keep))
    }

    pub(super) fn hear(&mut self, rank: Rank, (voice, verdict): (Voice, Verdict<'a>)) {
        if self.0.is_none_or(|(first, loudest, _)| rank < first || (rank == first && voice > loudest)) {
            self.0 = Some((rank, voice, verdict));
        }
    }

    pub(super) fn verdict(self) -> Option<Verdict<'a>> {
        self.0.map(|(_, _, verdict)| verdict)
    }
}

/// A rule and what it says of names; `referral` says whether parameters that tell who is paid go.
pub(super) struct Site {
    pub(super) row: SiteRow,
    pub(super) says: Vec<(Pattern, Say)>,
    pub(super) names: Names<Say>,
}

impl Site {
    pub(super) fn new(rule: &SiteRule, referral: bool) -> Site {
        let mut says = Vec::new();
        let lists = [
            (&rule.keep, What::Keep),
            (&rule.drop, What::Drop),
            (&rule.valueless, What::Valueless),
            (if referral { &rule.referral } else { &Vec::new() }, What::Drop),
        ];
        for (names, what) in lists {
            names.iter().for_each(|name| add(&mut says, name, &what, rule.case));
        }
        for (list, what) in [(&rule.keep_pairs, What::Keep), (&rule.drop_pairs, What::Drop)] {
            for rx in list {
                let test = if rx.is_bare() { Test::Bare } else { Test::Pair };
                add_tested(&mut says, rx, test, &what, rule.case);
            }
        }
        for (name, value) in &rule.default {
            let test = rule.case.then(|| Test::Case(name.clone()));
            says.push((name.clone(), Say { what: What::Default(value.as_str().into()), test }));
        }
        Site { row: row(rule), says, names: Names::new([]) }
    }

    /// For a rule that is found by its host.
    pub(super) fn with_names(mut self) -> Site {
        let says = std::mem::take(&mut self.says);
        self.names = Names::new(says.iter().map(|(name, say)| (name, say.clone())));
        self.says = says;
        self
    }

    pub(super) fn hear<'a>(&'a self, param: &Param, heard: &mut Heard<'a>) {
        self.names.find(param.name(), |say| {
            if let Some(said) = say.of(&self.row, param) {
                heard.hear(self.row.rank, said);
            }
            None::<()>
        });
    }
}

fn add(says: &mut Vec<(Pattern, Say)>, name: &Name, what: &What, case: bool) {
    match name {
        Name::Plain(pattern) => {
            let test = case.then(|| Test::Case(pattern.clone()));
            says.push((pattern.clone(), Say { what: what.clone(), test }));
        }
        Name::Matching(rx) => add_tested(says, rx, Test::Name, what, case),
    }
}

fn add_tested(says: &mut Vec<(Pattern, Say)>, rx: &Rx, test: fn(Rx) -> Test, what: &What, case: bool) {
    let rx = if case { rx.with_case() } else { rx.clone() };
    match rx.told() {
        Told::Names(names) => says.extend(names.into_iter().map(|name| (name, Say { what: what.clone(), test: None }))),
        Told::Some(stems) => {
            let say = Say { what: what.clone(), test: Some(test(rx)) };
            says.extend(stems.into_iter().map(|stem| (stem, say.clone())));
        }
    }
}

pub(super) fn row(rule: &SiteRule) -> SiteRow {
    let hosts = rule.except.iter().filter_map(|except| match except {
        Except::Host(host) => Some(host.clone()),
        Except::Url(_) => None,
    });
    let urls: Vec<Rx> = rule
        .except
        .iter()
        .filter_map(|except| match except {
            Except::Url(rx) => Some(rx.clone()),
            Except::Host(_) => None,
        })
        .collect();
    SiteRow {
        host: rule.host.clone(),
        path: rule.path.clone(),
        url: rule.url.clone(),
        except_hosts: hosts.collect(),
        except_urls: (!urls.is_empty()).then(|| Rx::any(&urls)),
        rank: rank(rule),
        on: rule.on,
        off: rule.off,
        raw: rule.raw.clone(),
        drop_path: rule.drop_path.clone(),
        fragment: rule.fragment,
        file: rule.file.clone(),
        line: rule.line,
        origin: format!("{}:{}", rule.file, rule.line).into(),
    }
}

pub(super) fn rank(rule: &SiteRule) -> Rank {
    Rank {
        layer: rule.layer,
        host: Reverse(host_rank(&rule.host)),
        path: Reverse(rule.path.rank()),
        url: Reverse(rule.url.is_some()),
    }
}

/// More labels first, then this host alone before all below it.
fn host_rank(host: &HostPattern) -> (usize, bool) {
    let text = host.to_string();
    match text.as_str() {
        "*" => (0, false),
        _ if before_suffix(&text).is_some() => (1, false),
        _ => match text.strip_prefix("*.") {
            Some(apex) => (apex.split('.').count() + 1, false),
            None => (text.split('.').count() + 1, true),
        },
    }
}

/// The labels before `.<suffix>`.
pub(super) fn before_suffix(pattern: &str) -> Option<&str> {
    pattern.strip_suffix(".<suffix>")
}
