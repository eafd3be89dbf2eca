//! Takes redirectors and AMP off, layer by layer: what is inside climbs anew,
//! and a rung further up may make it a redirector again. More layers than five,
//! or a loop, and none is taken off: the first layer asks a dry run before.

use super::{Found, Work, climb_on, site_of, switched};
use crate::ladder::{Off, Trace};
use crate::policy::{Policy, Redirector};
use crate::rungs::{Climb, Rung, RungSet, unwrap_amp, unwrap_redirector};
use crate::unwrap::{self, HopKind, MOST_LAYERS};
use crate::url::Url;

pub(super) const UNWRAP: RungSet = RungSet::of(&[Rung::UnwrapRedirector, Rung::UnwrapAmp]);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// No layer has been met.
    #[default]
    Untried,
    /// This is the dry run.
    Dry,
    /// The dry run came to an end.
    Sure,
    /// It did not: the layers stay.
    Never,
}

/// What is known of the layers of one URL.
#[derive(Default)]
pub(crate) struct Layers {
    state: State,
    /// The links that a layer was taken off.
    seen: Vec<String>,
    /// How often the layers had to stay, and of which link.
    stays: u8,
    stayed: String,
}

impl Layers {
    /// Forgets the URL before.
    pub(super) fn reset(&mut self) {
        self.state = State::Untried;
        self.seen.clear();
        self.stays = 0;
    }

    /// Whether another round would take a layer off that this one could not see.
    pub(super) fn again(&mut self, url: &Url, policy: &Policy, on: RungSet, found: &Found) -> bool {
        let host = url.host().unwrap_or_default();
        if found.signed.is_some() || !policy.redirectors.may(host) {
            return false;
        }
        let site = policy.has_sites().then(|| site_of(url.href(), url, policy));
        let on = switched(&site, on);
        if unwrap::inner(url, &policy.redirectors, |row| on.has(rung(row))).is_none() {
            return false;
        }
        match self.state {
            State::Never if self.stays < 2 && self.stayed != url.href() => {
                self.state = State::Untried;
                true
            }
            State::Never => false,
            // One too many is for the next round to find.
            _ => true,
        }
    }
}

fn rung(row: &Redirector) -> Rung {
    if row.kind == HopKind::Amp { Rung::UnwrapAmp } else { Rung::UnwrapRedirector }
}

/// Takes the outermost layer off, if there is one; `on` are the rungs before
/// the rules for this site switched some.
pub(super) fn unwrap<T: Trace>(c: &mut Climb, layers: &mut Layers, on: RungSet, trace: &mut T) -> bool {
    if layers.state == State::Never || !c.policy.redirectors.may(c.url.host().unwrap_or_default()) {
        return false;
    }
    let rungs = c.on;
    let Some(found) = unwrap::inner(c.url, &c.policy.redirectors, |row| rungs.has(rung(row))) else { return false };
    if layers.state == State::Untried {
        layers.state = if ends(c.url, c.policy, on) { State::Sure } else { State::Never };
    }
    let looped = layers.seen.iter().any(|before| before == found.url.href());
    if layers.state != State::Never && (looped || layers.seen.len() == MOST_LAYERS) {
        layers.state = State::Never;
    }
    if layers.state == State::Never {
        layers.stays += 1;
        layers.stayed.clear();
        layers.stayed.push_str(c.url.href());
        return false;
    }
    layers.seen.push(std::mem::replace(c.url, found.url).buf);
    if T::ON {
        let meta = if rung(found.row) == Rung::UnwrapAmp { &unwrap_amp::META } else { &unwrap_redirector::META };
        trace.url(meta, c.url, found.row.origin.as_deref());
    }
    true
}

/// The dry run: whether the layers of this link, with all rungs between them, come to an end.
fn ends(url: &Url, policy: &Policy, on: RungSet) -> bool {
    let mut work = Work { layers: Layers { state: State::Dry, ..Layers::default() }, ..Work::default() };
    climb_on(&mut url.clone(), policy, on, &mut work, &mut Off);
    work.layers.state == State::Dry
}
