//! What a link holds inside: the target of a redirector, of a mail gateway, of
//! an affiliate network, of an AMP viewer or cache. Of known endpoints only, by
//! the rules of rules/redirectors.toml; nothing is requested. Must not know
//! which rungs a policy has on.

mod decode;
mod held;
mod take;
mod v3;

use std::sync::OnceLock;

use crate::error::ParseError;
use crate::percent;
use crate::policy::{self, Redirector, Redirectors};
use crate::url::{Options, Url};

pub use crate::policy::HopKind;
pub use held::{Held, MOST_HELD, held};

/// More layers than this, or a loop, and nothing is unwrapped at all.
pub const MOST_LAYERS: usize = 5;

/// One layer that was taken off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The target as the link spells it, decoded; resolved where it was relative.
    pub url: String,
    /// The id of the rule, `google-url`.
    pub rule: String,
    /// `file:line` of the rule.
    pub source: String,
    /// What the link was.
    pub kind: HopKind,
}

/// The target of a link, parsed, and the rule that says so.
pub(crate) struct Inner<'r> {
    pub spelling: String,
    pub url: Url,
    pub row: &'r Redirector,
    /// Whether it is what redirectors are unwrapped to: http or https, with a host.
    pub is_web: bool,
}

/// The target of the link, by the first of the rules that finds one and that
/// `takes` says yes to. Linear in the link.
pub(crate) fn inner<'r>(url: &Url, rules: &'r Redirectors, takes: impl Fn(&Redirector) -> bool) -> Option<Inner<'r>> {
    rows_for(url, rules).filter(|row| takes(row)).find_map(|row| take::target(url, row)).map(|found| found.on_from(url))
}

/// The rules that say what the link holds.
fn rows_for<'r>(url: &Url, rules: &'r Redirectors) -> impl Iterator<Item = &'r Redirector> {
    let host = url.host().filter(|_| url.is_http() && url.port().is_none());
    let rows = host.map(|host| rules.rows_for(host, &percent::plain(url.path())));
    rows.into_iter().flatten().filter(|row| row.holds(url))
}

impl Inner<'_> {
    /// What is redirected keeps its fragment where the target has none (Fetch, HTTP-redirect
    /// fetch): two routes of one application are two pages.
    fn on_from(mut self, url: &Url) -> Self {
        if let Some(route) = url.fragment().filter(|fragment| fragment.starts_with(['!', '/']))
            && self.url.fragment().is_none()
        {
            self.url.set_fragment(Some(route));
        }
        self
    }
}

/// The rules for whoever asks what a link holds: all that a source confirms,
/// or all.
fn rules(unverified: bool) -> &'static Redirectors {
    static ONCE: [OnceLock<Redirectors>; 2] = [const { OnceLock::new() }; 2];
    ONCE[usize::from(unverified)].get_or_init(|| {
        let rows = policy::all_redirectors();
        Redirectors::new(rows.iter().filter(|row| row.verified || unverified).cloned().collect())
    })
}

fn hop(found: &Inner) -> Hop {
    let row = found.row;
    Hop {
        url: found.spelling.clone(),
        rule: row.id.clone(),
        source: row.origin.clone().unwrap_or_default(),
        kind: row.kind,
    }
}

/// The link that this one holds, if it is one of a known redirector.
///
/// ```
/// use urlkey::{Options, Url, unwrap};
/// let link = Url::parse("https://www.google.com/url?q=https%3A%2F%2Fa.example%2F", &Options::default()).unwrap();
/// assert_eq!(unwrap::next(&link, false).unwrap().url, "https://a.example/");
/// ```
pub fn next(url: &Url, unverified: bool) -> Option<Hop> {
    inner(url, rules(unverified), |_| true).as_ref().map(hop)
}

/// Where a link leads behind all its layers, copies and translations left as they
/// are; None where nothing is wrapped, or the layers do not end.
pub(crate) fn last(url: &Url) -> Option<Url> {
    let leads = |row: &Redirector| !matches!(row.kind, HopKind::Copy | HopKind::Translation);
    let mut found = inner(url, rules(false), leads)?.url;
    let mut seen = vec![url.href().to_owned()];
    while let Some(next) = inner(&found, rules(false), leads) {
        seen.push(found.href().to_owned());
        if seen.len() > MOST_LAYERS || seen.iter().any(|before| before == next.url.href()) {
            return None;
        }
        found = next.url;
    }
    Some(found)
}

/// Whether a link of this host could hold another: cheaper than to parse it.
pub(crate) fn may_hold(host: &str, unverified: bool) -> bool {
    rules(unverified).may(host)
}

/// Every layer of a link, outermost first; the last one's URL is where it leads.
/// Empty where nothing is wrapped, and where the layers are more than
/// [`MOST_LAYERS`] or come back to a URL they have been at. `unverified` takes
/// rules that no listed source confirms.
///
/// Errors: those of `Url::parse`. Time is linear in the link.
pub fn chain(text: &str, options: &Options, unverified: bool) -> Result<Vec<Hop>, ParseError> {
    let (hops, ended) = layers(text, options, unverified)?;
    Ok(if ended { hops } else { Vec::new() })
}

/// As `chain`, for whoever must not be led in circles: the first [`MOST_LAYERS`]
/// layers at most, and whether that is all there are.
pub fn layers(text: &str, options: &Options, unverified: bool) -> Result<(Vec<Hop>, bool), ParseError> {
    let mut url = Url::parse(text, options)?;
    let (mut hops, mut seen) = (Vec::new(), Vec::new());
    while let Some(found) = inner(&url, rules(unverified), |_| true) {
        seen.push(std::mem::take(&mut url).buf);
        if hops.len() == MOST_LAYERS || seen.iter().any(|before| before == found.url.href()) {
            return Ok((hops, false));
        }
        hops.push(hop(&found));
        url = found.url;
    }
    Ok((hops, true))
}
