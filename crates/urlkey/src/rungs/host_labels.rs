//! The loop that drop_www, fold_mobile_host and fold_amp_host share, since each
//! would give the others new work: front to back, once. The first cuts through
//! its last label; what is left for the next are its own labels.

use super::{Climb, Did, Rung};
use crate::domain;
use crate::host::HostKind;

/// Drops the leading labels that `rung` names, and those in front of them that
/// the others do if they are on, as long as the registrable domain
/// stays whole.
pub(super) fn drop(c: &mut Climb, rung: Rung) -> Did {
    let Some(host) = c.url.host().filter(|_| c.url.host_kind() == HostKind::Domain) else {
        return Did::Nothing;
    };
    // The lookup in the public suffix list is for hosts that begin so.
    if label(host, c).is_none() {
        return Did::Nothing;
    }
    let Some(registrable) = domain::registrable_start(host) else { return Did::Nothing };
    let (mut at, mut cut) = (0, 0);
    while let Some((len, whose)) = label(&host[at..], c)
        && at < registrable
    {
        at += len;
        if whose == rung {
            cut = at;
        }
    }
    if cut == 0 {
        return Did::Nothing;
    }
    c.url.cut_host_front(cut as u32);
    Did::Rewrote
}

/// How long the first label is, dot included, and which enabled rung drops it.
fn label(host: &str, c: &Climb) -> Option<(usize, Rung)> {
    let (len, rung) = match host.split_once('.')?.0 {
        "www" => (4, Rung::DropWww),
        "m" => (2, Rung::FoldMobileHost),
        "mobile" => (7, Rung::FoldMobileHost),
        "amp" => (4, Rung::FoldAmpHost),
        _ => return None,
    };
    c.on.has(rung).then_some((len, rung))
}
