//! Two spellings side by side: whether they are one page under a policy, what
//! it would take to make them one, and the words for how they differ.

use std::sync::{Arc, OnceLock};

use crate::error::ParseError;
use crate::explain::{Explanation, Step, explain, explain_under};
use crate::ladder::Loss;
use crate::parse::MAX_BYTES;
use crate::policy::{Policy, PolicyError, Setting};
use crate::rungs::{Rung, RungSet};
use crate::url::{Options, Url};

/// What two spellings have to do with each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Whether their keys under the policy are equal.
    pub same: bool,
    /// The lowest loss class whose rungs, all on, give them equal keys; `None` if no class does.
    pub meets: Option<Loss>,
    /// The words for how the spellings differ, in ladder order; empty where they never meet.
    pub reasons: Vec<&'static str>,
    /// The first part in which the keys differ; `None` where they are the same.
    pub part: Option<&'static str>,
    /// The key of the first.
    pub a: String,
    /// The key of the second.
    pub b: String,
}

/// They act on the text, whatever rungs are on.
const REPAIRS: RungSet = RungSet::of(&[Rung::TrimWrapping, Rung::Refang, Rung::AssumeScheme]);

/// Rungs that would switch off others of their class and tell less apart than they should.
const LEFT_OUT: RungSet = RungSet::of(&[
    Rung::TrimWrapping,
    Rung::Refang,
    Rung::AssumeScheme,
    Rung::DropQuery,
    Rung::DropPort,
    Rung::DropBlankParams,
    Rung::DropOpaqueParams,
]);

/// Compares two spellings under a policy.
///
/// Errors: those of `key`, for the first of the two that has one.
///
/// ```
/// use urlkey::{Loss, Options, Policy, compare};
/// let crawl = Policy::builtin("crawl").unwrap();
/// let told = compare("http://a.example/x?b=1&a=2", "HTTP://A.example/x/?a=2&b=1", &Options::default(), &crawl).unwrap();
/// assert!(!told.same);
/// assert_eq!(told.meets, Some(Loss::Site));
/// assert_eq!(told.reasons, ["scheme", "case-host", "trailing-slash", "param-order"]);
/// ```
pub fn compare(a: &str, b: &str, options: &Options, policy: &Policy) -> Result<Comparison, ParseError> {
    let (own_a, own_b) = (explain(a, options, policy)?, explain(b, options, policy)?);
    let same = own_a.key == own_b.key;
    let widest = widest()?;
    let mut meets = None;
    let mut reasons = Vec::new();
    for loss in Loss::ALL {
        let ladder = Ladder { policy: &widest, on: rungs_up_to(loss), options };
        // What only a repair of this policy makes a URL meets nothing here.
        if let (Ok(told_a), Ok(told_b)) = (ladder.explain(a), ladder.explain(b))
            && told_a.key == told_b.key
        {
            meets = Some(loss);
            reasons = why(&told_a, &told_b, &ladder)?;
            break;
        }
    }
    if same && meets.is_none() {
        // A rule or a repair of this policy alone made them one.
        meets = Some(own_a.loss().max(own_b.loss()));
        reasons = why(&own_a, &own_b, &Ladder { policy, on: policy.on, options })?;
    }
    let part = first_difference(&own_a.key, &own_b.key);
    Ok(Comparison { same, meets, reasons, part, a: own_a.key, b: own_b.key })
}

/// The widest profile, which has the data of every rung; compiled once, since reports compare
/// by the million. What is longer than the policy's own limit has been refused before.
fn widest() -> Result<Arc<Policy>, ParseError> {
    static FOLD: OnceLock<Result<Arc<Policy>, PolicyError>> = OnceLock::new();
    let more = [
        ("unwrap_redirector", Setting::Bool(true)),
        ("unwrap_amp", Setting::Bool(true)),
        ("input_bytes", Setting::Int(MAX_BYTES as i64)),
    ];
    let fold = FOLD.get_or_init(|| Policy::builtin("fold")?.with(&more).map(Arc::new)).clone();
    fold.map_err(|e| ParseError::new(e.code, 0))
}

/// Some rungs of a policy, to ask what would be.
struct Ladder<'a> {
    policy: &'a Policy,
    on: RungSet,
    options: &'a Options<'a>,
}

impl Ladder<'_> {
    fn explain(&self, text: &str) -> Result<Explanation, ParseError> {
        explain_under(text, self.options, self.policy, self.on)
    }

    /// Without the rungs that remove this difference: there may be two.
    fn without(&self, reason: &str) -> Self {
        let theirs = Rung::ALL.iter().filter(|rung| rung.meta().reason == reason);
        Ladder { on: theirs.fold(self.on, |on, rung| on.with(*rung, false)), ..*self }
    }
}

fn rungs_up_to(loss: Loss) -> RungSet {
    let wanted = Rung::ALL.iter().filter(|r| r.meta().loss <= loss && !LEFT_OUT.has(**r));
    wanted.fold(RungSet::EMPTY, |set, rung| set.with(*rung, true))
}

/// The reasons of the steps without which the two would differ.
fn why(a: &Explanation, b: &Explanation, ladder: &Ladder) -> Result<Vec<&'static str>, ParseError> {
    let mut reasons: Vec<&'static str> = Vec::new();
    let steps = in_ladder_order(&a.steps, &b.steps);
    let differs = |step: &Step| changes_of(&a.steps, step.name) != changes_of(&b.steps, step.name);
    for step in &steps {
        if reasons.contains(&step.reason) {
            continue;
        }
        let needed = match Rung::by_name(step.name) {
            Some(rung) if !REPAIRS.has(rung) => {
                let without = ladder.without(step.reason);
                without.explain(&a.input)?.key != without.explain(&b.input)?.key
            }
            _ => differs(step),
        };
        if needed {
            reasons.push(step.reason);
        }
    }
    if reasons.is_empty() {
        // Two steps could each do it: the end of /x/ and /x//.
        for step in steps.iter().filter(|step| differs(step)) {
            if !reasons.contains(&step.reason) {
                reasons.push(step.reason);
            }
        }
    }
    Ok(reasons)
}

/// The steps of both, each name once, as the ladder runs.
fn in_ladder_order<'s>(a: &'s [Step], b: &'s [Step]) -> Vec<&'s Step> {
    let mut steps: Vec<&Step> = a.iter().collect();
    steps.extend(b.iter().filter(|s| !a.iter().any(|t| t.name == s.name)));
    let rows = crate::rows();
    steps.sort_by_key(|s| rows.iter().position(|meta| meta.name == s.name));
    steps
}

/// What the steps of this name took away and put in, without what they left
/// alone; each layer of a wrapped link is a step.
fn changes_of<'s>(steps: &'s [Step], name: &str) -> Vec<(&'s str, &'s str)> {
    steps.iter().filter(|s| s.name == name).map(change_of).collect()
}

fn change_of(step: &Step) -> (&str, &str) {
    let (before, after) = (step.before.as_bytes(), step.after.as_bytes());
    let front = before.iter().zip(after).take_while(|(x, y)| x == y).count();
    let room = before.len().min(after.len()) - front;
    let back = before.iter().rev().zip(after.iter().rev()).take(room).take_while(|(x, y)| x == y).count();
    fn cut(text: &str, front: usize, back: usize) -> &str {
        text.get(front..text.len() - back).unwrap_or(text)
    }
    (cut(&step.before, front, back), cut(&step.after, front, back))
}

fn first_difference(a: &str, b: &str) -> Option<&'static str> {
    if a == b {
        return None;
    }
    let (Ok(a), Ok(b)) = (Url::parse(a, &Options::default()), Url::parse(b, &Options::default())) else {
        return Some("text");
    };
    let parts = [
        ("scheme", a.scheme() != b.scheme()),
        ("userinfo", (a.username(), a.password()) != (b.username(), b.password())),
        ("host", a.host() != b.host()),
        ("port", a.port() != b.port()),
        ("path", a.path() != b.path()),
        ("query", a.query() != b.query()),
    ];
    Some(parts.iter().find(|(_, differs)| *differs).map_or("fragment", |(name, _)| name))
}
