//! Repairs: what people and feeds wrap around a URL or break in it on purpose,
//! undone before the parse. None is in a profile that is a default. Every
//! repair leaves a serialized URL alone. Must not know what a URL means.

mod assume_scheme;
mod defang;
#[cfg(test)]
mod defang_tests;
mod refang;
#[cfg(test)]
mod tests;
mod trim_wrapping;

use std::borrow::Cow;

pub use assume_scheme::META as ASSUME_SCHEME;
pub use defang::{defang, refang};
pub use refang::META as REFANG;
pub use trim_wrapping::META as TRIM_WRAPPING;

use crate::ladder::Trace;
use crate::origins::Origins;

/// Which repairs are on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Repairs {
    /// `<http://example.com/>` is what stands inside.
    pub trim_wrapping: bool,
    /// `hxxp://example[.]com/` is live again.
    pub refang: bool,
    /// `example.com/x` is `https:`.
    pub assume_scheme: bool,
}

impl Repairs {
    /// Whether any is on.
    pub fn any(&self) -> bool {
        self.trim_wrapping || self.refang || self.assume_scheme
    }
}

/// The text with these repairs, borrowed where none acts, and what was changed,
/// one change after the other. `has_base`: the text may be relative, so that
/// what looks like a host may be a path.
pub fn repair<'a, T: Trace>(
    text: &'a str,
    repairs: &Repairs,
    has_base: bool,
    trace: &mut T,
    changes: &mut Vec<Origins>,
) -> Cow<'a, str> {
    if !repairs.any() {
        return Cow::Borrowed(text);
    }
    let mut now = without_junk(text);
    if repairs.trim_wrapping
        && let Some(inside) = trim_wrapping::inside(&now)
    {
        changes.push(Origins::of_cut(&now, inside));
        now = Cow::Owned(inside.to_owned());
        trace.text(&TRIM_WRAPPING, &now);
    }
    if repairs.refang
        && let Some(live) = refang::live(&now, has_base, changes)
    {
        now = Cow::Owned(live);
        trace.text(&REFANG, &now);
    }
    if repairs.assume_scheme
        && !has_base
        && let Some(whole) = assume_scheme::with_scheme(&now)
    {
        changes.push(Origins::of_prefix(whole.len() - now.len()));
        now = Cow::Owned(whole);
        trace.text(&ASSUME_SCHEME, &now);
    }
    if changes.is_empty() {
        // The parser removes junk itself, and notes it.
        return Cow::Borrowed(text);
    }
    changes.insert(0, Origins::of_stripped(text));
    if T::ON {
        changes.iter().for_each(|change| trace.moved(change));
    }
    now
}

/// The text that the URL parser would go on with: C0 controls and spaces
/// trimmed, tabs and newlines removed. Without this a repair could act on the
/// key and not on the spelling it came from.
fn without_junk(text: &str) -> Cow<'_, str> {
    const REMOVED: [char; 3] = ['\t', '\n', '\r'];
    let text = trim(text);
    if text.contains(REMOVED) { Cow::Owned(text.replace(REMOVED, "")) } else { Cow::Borrowed(text) }
}

fn trim(text: &str) -> &str {
    text.trim_matches(|unit: char| unit <= ' ')
}
