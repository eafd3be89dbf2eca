//! One line's way up the ladder: the texts that it has, and on which stages. Must
//! not know other lines.

use crate::error::ParseError;
use crate::key::{self, Scratch};
use crate::ladder::{Loss, Meta, Trace};
use crate::policy::Policy;
use crate::rungs::{Rung, site_rules};
use crate::seen::Fingerprints;
use crate::url::Url;

use super::Keys;

/// The ladder as stages: the line as written, the repairs, the parse, the rungs.
pub(super) struct Stages {
    pub(super) steps: Vec<Step>,
    parse: usize,
}

pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) loss: Loss,
    /// Whether the policy has it on everywhere; site rules may switch it on.
    pub(super) on: bool,
}

impl Stages {
    pub(super) fn of(policy: &Policy) -> Stages {
        let always = |name| Step { name, loss: Loss::None, on: true };
        let mut stages = Stages { steps: vec![always("lines")], parse: 0 };
        for &rung in Rung::ALL {
            if stages.parse == 0 && !is_repair(rung) {
                stages.parse = stages.steps.len();
                stages.steps.push(always("parse"));
            }
            if rung == Rung::DropTracking {
                let Meta { name, loss, .. } = site_rules::META;
                stages.steps.push(Step { name, loss, on: false });
            }
            let &Meta { name, loss, .. } = rung.meta();
            stages.steps.push(Step { name, loss, on: policy.has(rung) });
        }
        stages
    }

    fn find(&self, step: &Meta) -> Option<usize> {
        self.steps.iter().position(|known| known.name == step.name)
    }
}

/// Repairs act on the text, before there is a URL.
fn is_repair(rung: Rung) -> bool {
    matches!(rung, Rung::TrimWrapping | Rung::Refang | Rung::AssumeScheme)
}

/// A text, and the first stage where a line has it.
#[derive(Clone, Debug)]
pub(super) struct Stop {
    pub(super) stage: usize,
    pub(super) fingerprint: u128,
    pub(super) text: String,
}

/// Follows one line: a stop wherever its text changes.
struct Walk<'a> {
    stages: &'a Stages,
    prints: &'a Fingerprints,
    stops: Vec<Stop>,
    with_text: bool,
    /// What the parse will make of it; taken when its turn comes.
    href: Option<String>,
}

impl Walk<'_> {
    /// The first rung comes, or the end: the parse is done.
    fn parsed(&mut self) {
        if let Some(href) = self.href.take() {
            self.stop(self.stages.parse, &href);
        }
    }

    /// Rungs that run as one loop report in turns: what comes back after a later
    /// one counts as the later one's.
    fn stop(&mut self, stage: usize, text: &str) {
        let stage = self.stops.last().map_or(stage, |last| last.stage.max(stage));
        let fingerprint = self.prints.of(text.as_bytes());
        if self.stops.last().is_some_and(|last| last.fingerprint == fingerprint) {
            return;
        }
        let text = if self.with_text { text.to_owned() } else { String::new() };
        let stop = Stop { stage, fingerprint, text };
        match self.stops.last_mut() {
            Some(last) if last.stage == stage => *last = stop,
            _ => self.stops.push(stop),
        }
    }
}

impl Trace for Walk<'_> {
    const ON: bool = true;

    fn text(&mut self, step: &'static Meta, after: &str) {
        if let Some(stage) = self.stages.find(step) {
            self.stop(stage, after);
        }
    }

    fn url(&mut self, step: &'static Meta, after: &Url, _rule: Option<&str>) {
        self.parsed();
        // A step that is no stage would be counted where the line stands.
        self.stop(self.stages.find(step).unwrap_or(0), after.href());
    }
}

/// The stops of a line, as written first.
pub(super) fn walk(
    line: &[u8],
    stages: &Stages,
    prints: &Fingerprints,
    keys: &Keys,
    scratch: &mut Scratch,
    with_text: bool,
) -> Result<Vec<Stop>, ParseError> {
    let (text, options) = (key::text_of_bytes(line)?, keys.options());
    let href = key::href(&text, &options, &keys.policy, scratch)?.text(&text).to_owned();
    let written = Stop { stage: 0, fingerprint: prints.of(line), text: String::new() };
    let mut walk = Walk { stages, prints, stops: vec![written], with_text, href: Some(href) };
    key::make(&text, &options, &keys.policy, keys.policy.on, scratch, &mut walk)?;
    walk.parsed();
    Ok(walk.stops)
}
