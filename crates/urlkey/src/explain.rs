//! Why a key is what it is: the way down the ladder, step by step. Made by the
//! code that makes keys, watched by a `Trace`; has no rewriting of its own.

use crate::error::{Code, ParseError, Violation};
use crate::key::{Scratch, make};
use crate::ladder::{Loss, Meta, Part, Trace};
use crate::origins::{self, Origins};
use crate::policy::Policy;
use crate::rungs::RungSet;
use crate::url::{Options, Url};

/// One step: whole URLs before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The step's name, a row of LADDER.md.
    pub name: &'static str,
    /// The whole spelling before.
    pub before: String,
    /// The whole spelling after; the same as before where the result was refused.
    pub after: String,
    /// What it does, in one sentence.
    pub rule_text: &'static str,
    /// The word for the difference, of `compare`'s vocabulary.
    pub reason: &'static str,
    /// What it may lose.
    pub loss: Loss,
    /// The section or data file that says so.
    pub source: &'static str,
    /// `file:line` of the row that decided, where one did.
    pub rule: Option<String>,
    /// Why the result was refused, where it was.
    pub refused: Option<&'static str>,
}

/// A spelling, its href and key, and every step between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The spelling as given.
    pub input: String,
    /// What a client would request.
    pub href: String,
    /// The key.
    pub key: String,
    /// The steps in running order.
    pub steps: Vec<Step>,
    /// The oddities that the URL Standard notes, the first 1,000 found, by offset.
    pub violations: Vec<Violation>,
    /// `signed`, `refused:<rung>`.
    pub flags: Vec<String>,
    /// What site rules switched: `mine.toml:3: off sort_query`.
    pub rules: Vec<String>,
}

impl Explanation {
    /// The highest loss class of the steps that acted.
    pub fn loss(&self) -> Loss {
        self.steps.iter().filter(|s| s.refused.is_none()).map(|s| s.loss).max().unwrap_or(Loss::None)
    }
}

/// A spelling beside its key, and what the key cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The spelling as given.
    pub original: String,
    /// What a client would request.
    pub href: String,
    /// The key.
    pub key: String,
    /// The highest loss class of the steps that acted.
    pub loss: Loss,
    /// `signed`, `refused:<rung>`.
    pub flags: Vec<String>,
}

/// The steps from a spelling to its key.
///
/// Errors: those of `key`.
///
/// ```
/// use urlkey::{Options, Policy, explain};
/// let crawl = Policy::builtin("crawl").unwrap();
/// let told = explain("http://a.example/x?utm_source=y#top", &Options::default(), &crawl).unwrap();
/// let names: Vec<_> = told.steps.iter().map(|s| s.name).collect();
/// assert_eq!(names, ["drop_tracking", "drop_anchor"]);
/// ```
pub fn explain(text: &str, options: &Options, policy: &Policy) -> Result<Explanation, ParseError> {
    explain_under(text, options, policy, policy.on)
}

/// As `explain`, with other rungs of the policy on.
pub(crate) fn explain_under(
    text: &str,
    options: &Options,
    policy: &Policy,
    on: RungSet,
) -> Result<Explanation, ParseError> {
    let mut recorder = Recorder::new(text);
    let mut scratch = Scratch::default();
    let found = make(text, options, policy, on, &mut scratch, &mut recorder)?;
    let key = scratch.url().href().to_owned();
    let mut href = Scratch::default();
    let href = crate::key::href(text, options, policy, &mut href)?.text(text).to_owned();
    let signed = found.signed.map(|_| "signed".to_owned());
    let refused = found.refused.iter().map(|rung| format!("refused:{}", rung.name()));
    let flags = signed.into_iter().chain(refused).collect();
    let rules = std::mem::take(&mut recorder.rules);
    let (steps, violations) = recorder.finish(&href, &key);
    Ok(Explanation { input: text.to_owned(), href, key, steps, violations, flags, rules })
}

/// The spelling beside its key, its href, and what the key cost.
///
/// Errors: those of `key`.
pub fn identify(text: &str, options: &Options, policy: &Policy) -> Result<Identity, ParseError> {
    let told = explain(text, options, policy)?;
    let loss = told.loss();
    Ok(Identity { original: told.input, href: told.href, key: told.key, loss, flags: told.flags })
}

const PARTS: usize = 8;

/// A text of megabytes can hold as many; nobody reads further.
const MOST_VIOLATIONS: usize = 1000;

enum Event {
    Text(&'static Meta, String),
    Part(&'static Meta, Part, String),
    Url(&'static Meta, String, Option<String>),
    Refused(&'static Meta, &'static str),
}

/// Takes down what happens, and afterwards makes steps of whole URLs of it:
/// only then is known what the parser took for which part.
struct Recorder {
    input: String,
    parts: [String; PARTS],
    events: Vec<Event>,
    changes: Vec<Origins>,
    violations: Vec<Violation>,
    rules: Vec<String>,
}

impl Recorder {
    fn new(text: &str) -> Recorder {
        Recorder {
            input: text.to_owned(),
            parts: Default::default(),
            events: Vec::new(),
            changes: Vec::new(),
            violations: Vec::new(),
            rules: Vec::new(),
        }
    }

    fn finish(mut self, href: &str, key: &str) -> (Vec<Step>, Vec<Violation>) {
        let mut steps: Vec<Step> = Vec::new();
        let mut now = std::mem::take(&mut self.input);
        let mut parsed = false;
        for event in std::mem::take(&mut self.events) {
            let (meta, after, rule, refused) = match event {
                Event::Text(meta, after) => (meta, after, None, None),
                Event::Part(meta, part, text) => {
                    self.parts[part as usize] = text;
                    (meta, self.parts.concat(), None, None)
                }
                Event::Url(meta, after, rule) => {
                    settle(&mut steps, &mut now, href, &mut parsed);
                    (meta, after, rule, None)
                }
                Event::Refused(meta, why) => {
                    settle(&mut steps, &mut now, href, &mut parsed);
                    (meta, now.clone(), None, Some(why))
                }
            };
            push(&mut steps, meta, &now, &after, rule, refused);
            now = after;
        }
        settle(&mut steps, &mut now, href, &mut parsed);
        debug_assert_eq!(now, key);
        steps.retain(|step| step.before != step.after || step.refused.is_some());
        self.violations.sort_by_key(|noted| noted.at);
        (steps, self.violations)
    }
}

/// Where the parts do not add up to the href, the last step of the parser did it.
fn settle(steps: &mut [Step], now: &mut String, href: &str, parsed: &mut bool) {
    if !*parsed && now != href {
        if let Some(last) = steps.last_mut() {
            last.after = href.to_owned();
        }
        *now = href.to_owned();
    }
    *parsed = true;
}

fn push(
    steps: &mut Vec<Step>,
    meta: &'static Meta,
    before: &str,
    after: &str,
    rule: Option<String>,
    refused: Option<&'static str>,
) {
    // Another round refuses what this one did: said once.
    if refused.is_some() && steps.iter().any(|step| step.name == meta.name && step.refused == refused) {
        return;
    }
    match steps.last_mut() {
        // Each layer of a wrapped link is a step of its own.
        Some(last) if last.name == meta.name && refused.is_none() && !meta.name.starts_with("unwrap_") => {
            last.after = after.to_owned()
        }
        _ => steps.push(Step {
            name: meta.name,
            before: before.to_owned(),
            after: after.to_owned(),
            rule_text: meta.rule,
            reason: meta.reason,
            loss: meta.loss,
            source: meta.section,
            rule,
            refused,
        }),
    }
}

impl Trace for Recorder {
    const ON: bool = true;

    fn raw(&mut self, part: Part, text: &str) {
        self.parts[part as usize] = text.to_owned();
    }

    fn text(&mut self, step: &'static Meta, after: &str) {
        self.events.push(Event::Text(step, after.to_owned()));
    }

    fn part(&mut self, step: &'static Meta, part: Part, after: &str) {
        self.events.push(Event::Part(step, part, after.to_owned()));
    }

    fn url(&mut self, step: &'static Meta, after: &Url, rule: Option<&str>) {
        self.events.push(Event::Url(step, after.href().to_owned(), rule.map(str::to_owned)));
    }

    fn switched(&mut self, step: &'static Meta, on: bool, rule: &str) {
        let says = format!("{rule}: {} {}", if on { "on" } else { "off" }, step.name);
        if !self.rules.contains(&says) {
            self.rules.push(says);
        }
    }

    fn refused(&mut self, step: &'static Meta, why: &'static str) {
        self.events.push(Event::Refused(step, why));
    }

    fn moved(&mut self, by: &Origins) {
        self.changes.push(by.clone());
    }

    fn violation(&mut self, code: Code, at: usize) {
        if self.violations.len() < MOST_VIOLATIONS {
            let at = origins::first(&self.changes, at);
            self.violations.push(Violation { code, at });
        }
    }
}
