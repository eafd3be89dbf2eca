//! The loop that drop_www and fold_mobile_host share: each would give the other
//! new work, so whichever comes first acts for both, front to back, once.

use super::{Climb, Did, Rung};
use crate::domain;
use crate::host::HostKind;

/// Drops the leading labels that an enabled rung names, as long as the
/// registrable domain stays whole.
pub(super) fn drop(c: &mut Climb) -> Did {
    let (www, mobile) = (c.on.has(Rung::DropWww), c.on.has(Rung::FoldMobileHost));
    let Some(host) = c.url.host().filter(|_| c.url.host_kind() == HostKind::Domain) else {
        return Did::Nothing;
    };
    let label_len = |rest: &str| match rest.split_once('.') {
        Some(("www", _)) if www => 4,
        Some(("m", _)) if mobile => 2,
        Some(("mobile", _)) if mobile => 7,
        _ => 0,
    };
    if label_len(host) == 0 {
        return Did::Nothing;
    }
    let Some(registrable) = domain::registrable_start(host) else { return Did::Nothing };
    let mut cut = 0;
    while cut < registrable {
        match label_len(&host[cut..]) {
            0 => break,
            len => cut += len,
        }
    }
    if cut == 0 {
        return Did::Nothing;
    }
    c.url.cut_host_front(cut as u32);
    Did::Rewrote
}
