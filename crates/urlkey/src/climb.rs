//! The climb: the enabled rungs, in running order, over one URL. One
//! implementation for keys and for explanations; the trace tells them apart.

use crate::ladder::{Meta, Off, Trace};
use crate::policy::{MOST_HREF, Numbers, Place, Policy, SiteView};
use crate::query::{BLANK, EMPTY, Fields, KEPT, SITE};
use crate::rungs::{self, Climb, Did, PATH, Rung, RungSet};
use crate::url::Url;

mod forms;
mod layers;
mod scan;
mod signature;

use layers::{Layers, UNWRAP};
use scan::{SCAN, percent_scan};
use signature::signature;
pub(crate) use signature::signed;

const AUTHORITY: RungSet = RungSet::of(&[
    Rung::FixSchemePort,
    Rung::FoldScheme,
    Rung::DropRootDot,
    Rung::DropWww,
    Rung::FoldMobileHost,
    Rung::FoldAmpHost,
    Rung::DropUserinfo,
    Rung::DropPort,
]);
const QUERY: RungSet = RungSet::of(&[
    Rung::DropQuery,
    Rung::DropTracking,
    Rung::DropOpaqueParams,
    Rung::DropBlankParams,
    Rung::DropEmptyParams,
    Rung::DropRepeatedPairs,
    Rung::SortQuery,
    Rung::SortValues,
    Rung::DropEmptyQuery,
]);
/// What acts on scheme, host and path alone, or only where the host says so.
pub(crate) const FRONT: RungSet =
    AUTHORITY.switched(PATH, RungSet::EMPTY).switched(UNWRAP, RungSet::EMPTY).with(Rung::SiteForm, true);
/// What rewrites scheme, host or path, and may bring the URL under other site rules.
const MOVES: RungSet =
    AUTHORITY.switched(PATH, RungSet::EMPTY).with(Rung::EncodeBrackets, true).with(Rung::DropSession, true);
/// What leaves path and query of a signed URL as they are.
const UNSIGNED_ONLY: RungSet = PATH
    .switched(QUERY, RungSet::EMPTY)
    .switched(UNWRAP, RungSet::EMPTY)
    .with(Rung::EncodeBrackets, true)
    .with(Rung::SiteForm, true)
    .with(Rung::DropSession, true);

/// Buffers that a climb needs, reused from URL to URL.
#[derive(Default)]
pub(crate) struct Work {
    pub fields: Fields,
    tmp: String,
    /// The href that the site's rules are looked up for.
    place: String,
    /// The site rules that `accept` found for a host.
    pub rules: Numbers,
    layers: Layers,
    /// How often site_form has written this URL.
    forms: u8,
}

impl Work {
    /// The fields of the URL's query, unless they have been read.
    fn read(&mut self, url: &Url, policy: &Policy) {
        if !std::mem::take(&mut self.fields.ready) {
            self.fields.read(url, &policy.classes);
        }
    }

    /// The rules that are found by host.
    #[inline]
    fn look_up(&mut self, url: &Url, policy: &Policy) {
        if policy.has_sites() {
            let host = &url.href().as_bytes()[url.host_range()];
            let host = host.strip_suffix(b".").unwrap_or(host);
            policy.sites().look_up_for(host, || place_of(url.href(), url), &mut self.rules);
        }
    }

    /// Whether a site rule may have a say: one that is found by host, or one for a parameter that may be there.
    fn may_be_ruled(&self, url: &Url, on: RungSet, policy: &Policy) -> bool {
        if !policy.has_sites() {
            return false;
        }
        let sites = policy.sites();
        let seen = self.fields.seen;
        let bare = seen & (BLANK | EMPTY) != 0 && sites.keeps_bare();
        let named = || seen & (SITE | KEPT) != 0 || bare || on.has(Rung::UnescapeHtml);
        let fragment = || sites.asks_for_fragments() && url.fragment().is_some();
        !self.rules.is_empty() || (url.query().is_some() && named()) || fragment()
    }
}

/// What was found on the way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    /// The scheme whose signature the URL carries.
    pub signed: Option<&'static str>,
    /// The rungs whose results were refused.
    pub refused: RungSet,
    /// What a site rule said may have hung on the query.
    read_href: bool,
    /// There are rules for this very host.
    ruled: bool,
    /// Scheme, host or path may be others than before.
    moved: bool,
}

impl Found {
    /// With what was refused before.
    fn after(self, before: Found) -> Found {
        Found { refused: before.refused.switched(self.refused, RungSet::EMPTY), ..self }
    }
}

/// Takes the URL up the policy's ladder.
///
/// `on` are the rungs to take: the policy's own, unless somebody asks what if.
pub(crate) fn climb<T: Trace>(url: &mut Url, policy: &Policy, on: RungSet, work: &mut Work, trace: &mut T) -> Found {
    work.forms = 0;
    if policy.unwraps() {
        work.layers.reset();
    }
    climb_on(url, policy, on, work, trace)
}

/// The rest of the ladder for a URL whose scheme, host and path are their own key.
/// Its href may stand elsewhere too, and is then one that no scan would rewrite.
pub(crate) fn climb_behind_front(url: &mut Url, href: Option<&str>, policy: &Policy, work: &mut Work) -> Found {
    work.forms = 0;
    if policy.unwraps() {
        work.layers.reset();
    }
    let on = policy.on.switched(RungSet::EMPTY, FRONT);
    let mut found = Found::default();
    if href.is_none() && on.meets(SCAN) {
        percent_scan(url, on, &mut work.tmp, &mut found, &mut Off);
    }
    work.rules.clear();
    // None that changes queries is for this host, or the front would not have been accepted.
    if url.query_from().is_none() {
        work.look_up(url, policy);
    }
    work.read(url, policy);
    let mut buffer = std::mem::take(&mut work.place);
    let ruled = work.may_be_ruled(url, on, policy);
    let at = ruled.then(|| place_of(href.unwrap_or_else(|| copied(url, &mut buffer)), url));
    let (now, unwrapped) = round(url, at, policy, on, work, &mut Off);
    // No rung that is left rewrites host or path, so that no other rules can hold.
    let settled = !unwrapped && (!now.read_href || at.is_some_and(|at| at.href == url.href()));
    work.place = buffer;
    if settled && !goes_on(url, policy, on, &now, work) {
        return now.after(found);
    }
    climb_on(url, policy, policy.on, work, &mut Off).after(now).after(found)
}

/// As `climb`, with what is known of the layers.
fn climb_on<T: Trace>(url: &mut Url, policy: &Policy, on: RungSet, work: &mut Work, trace: &mut T) -> Found {
    let mut found = Found::default();
    if on.meets(SCAN) {
        percent_scan(url, on, &mut work.tmp, &mut found, trace);
    }
    if !url.is_http() {
        return found;
    }
    let forms = policy.forms || on.has(Rung::SiteForm);
    if !policy.has_sites() && !policy.unwraps() && !forms {
        work.read(url, policy);
        return round(url, None, policy, on, work, trace).0.after(found);
    }
    let mut afresh = false;
    let mut buffer = std::mem::take(&mut work.place);
    for again in 0..MOST_ROUNDS {
        let rewritten = again > 0 && policy.has_sites() && policy.sites().reads_href();
        if (rewritten || std::mem::take(&mut afresh)) && on.meets(SCAN) {
            percent_scan(url, on, &mut work.tmp, &mut found, trace);
        }
        work.rules.clear();
        work.look_up(url, policy);
        work.read(url, policy);
        let at = work.may_be_ruled(url, on, policy).then(|| place_of(copied(url, &mut buffer), url));
        let written = work.forms;
        let (now, unwrapped) = round(url, at, policy, on, work, trace);
        let written = work.forms != written;
        found = now.after(found);
        if unwrapped {
            // Another URL: it begins at the foot of the ladder.
            afresh = true;
            continue;
        }
        // Under another host or path, other site rules may hold: they have their say too.
        let settled = match now.read_href {
            true => at.is_some_and(|at| at.href == url.href()),
            false => !now.moved || !(now.ruled || policy.sites().speak_of(&place_of(url.href(), url))),
        };
        // A form may hold a parameter that the link did not have.
        let settled = (settled && !written) || !policy.has_sites();
        if (settled && !goes_on(url, policy, on, &found, work)) || !url.is_http() {
            break;
        }
    }
    work.place = buffer;
    found
}

/// Whether there is more to unwrap, or to write in another form.
fn goes_on(url: &Url, policy: &Policy, on: RungSet, found: &Found, work: &mut Work) -> bool {
    let forms = policy.forms || on.has(Rung::SiteForm);
    (policy.unwraps() && work.layers.again(url, policy, on, found))
        || (forms && forms::again(url, policy, on, found, work.forms))
}

/// The href as it is now: rungs rewrite it.
fn copied<'b>(url: &Url, buffer: &'b mut String) -> &'b str {
    buffer.clear();
    buffer.push_str(url.href());
    buffer
}

/// Every round but the last takes something away or writes it in another way that no rung takes
/// back, so rounds end by themselves, most after two; the bound is that of the texts that rules
/// with expressions read.
const MOST_ROUNDS: usize = MOST_HREF + 64;

/// The rules for the URL, whose href `place` is.
fn site_of<'a>(place: &'a str, url: &Url, policy: &'a Policy) -> SiteView<'a> {
    policy.sites().at(place_of(place, url))
}

fn place_of<'a>(place: &'a str, url: &Url) -> Place<'a> {
    let host = &place[url.host_range()];
    Place { href: place, host: host.strip_suffix('.').unwrap_or(host), path: &place[url.path_range()] }
}

/// The rungs as the rules for the site switch them.
fn switched(site: &Option<SiteView>, on: RungSet) -> RungSet {
    match site {
        Some(site) if !site.acts_by_name_alone() => {
            let (to, from) = site.switches();
            on.switched(to, from)
        }
        _ => on,
    }
}

/// The rungs for http and https, once; true where a layer was taken off, which ends the round. `work.fields` are those of
/// the URL, `work.rules` the rules for its host, `at` says where it stands, if rules may have a say.
fn round<T: Trace>(
    url: &mut Url,
    at: Option<Place>,
    policy: &Policy,
    on: RungSet,
    work: &mut Work,
    trace: &mut T,
) -> (Found, bool) {
    let mut found = Found::default();
    let all = on;
    let Work { fields, tmp, rules, layers, forms, .. } = work;
    let site = at.map(|at| policy.sites().of(at, rules));
    let on = switched(&site, on);
    let mut c = Climb { url, fields, tmp, policy, on, site, rule: None };
    if T::ON {
        switches(&c, trace);
    }
    macro_rules! step {
        ($($rung:ident $module:ident),* $(,)?) => {$(
            if c.on.has(Rung::$rung) {
                let did = rungs::$module::apply(&mut c);
                found.moved |= did == Did::Rewrote && MOVES.has(Rung::$rung);
                report(&mut c, Some(Rung::$rung), &rungs::$module::META, did, &mut found, trace);
            }
        )*};
    }
    found.signed = signature(&c);
    if c.on.has(Rung::UnescapeHtml) && found.signed.is_none() {
        step!(UnescapeHtml unescape_html);
        found.signed = signature(&c);
    }
    if found.signed.is_some() {
        c.on = c.on.switched(RungSet::EMPTY, UNSIGNED_ONLY);
    }
    if found.signed.is_none() && c.site.as_ref().is_some_and(|site| site.cuts().next().is_some()) {
        let did = rungs::site_rules::cut(&mut c);
        report(&mut c, None, &rungs::site_rules::META, did, &mut found, trace);
        if did == Did::Rewrote {
            found.read_href = true;
            return (found, false);
        }
    }
    step!(EncodeBrackets encode_brackets);
    if c.on.meets(UNWRAP) && layers::unwrap(&mut c, layers, all, trace) {
        return (found, true);
    }
    if c.on.has(Rung::SiteForm) && forms::form(&mut c, forms, all, &mut found, trace) {
        return (found, false);
    }
    if c.on.meets(AUTHORITY) {
        step!(
            FixSchemePort fix_scheme_port,
            FoldScheme fold_scheme,
            DropRootDot drop_root_dot,
            DropWww drop_www,
            FoldMobileHost fold_mobile_host,
            FoldAmpHost fold_amp_host,
            DropUserinfo drop_userinfo,
            DropPort drop_port,
        );
    }
    step!(DropSession drop_session);
    if c.on.meets(PATH) {
        step!(
            CollapseSlashes collapse_slashes,
            DropIndex drop_index,
            DropTrailingSlash drop_trailing_slash,
            LowerPath lower_path,
        );
    }
    if (c.on.meets(QUERY) || c.site.is_some()) && c.url.query().is_some() {
        step!(DropQuery drop_query);
        if c.site.is_some() && found.signed.is_none() {
            let did = rungs::site_rules::apply(&mut c);
            report(&mut c, None, &rungs::site_rules::META, did, &mut found, trace);
        }
        step!(
            DropTracking drop_tracking,
            DropOpaqueParams drop_opaque_params,
            DropBlankParams drop_blank_params,
            DropEmptyParams drop_empty_params,
            DropRepeatedPairs drop_repeated_pairs,
            SortQuery sort_query,
            SortValues sort_values,
        );
    }
    if c.site.is_some() && found.signed.is_none() && c.url.fragment().is_some() {
        let did = rungs::site_rules::fragment(&mut c);
        report(&mut c, None, &rungs::site_rules::META, did, &mut found, trace);
    }
    if !T::ON {
        // With nobody watching, the fragment goes first: nothing then stands behind the query that would have to move.
        step!(DropAnchor drop_anchor, DropFragment drop_fragment);
    }
    c.fields.finish(c.url);
    step!(DropEmptyQuery drop_empty_query, DropAnchor drop_anchor, DropFragment drop_fragment);
    found.read_href = c.site.as_ref().is_some_and(SiteView::read_href);
    found.ruled = c.site.as_ref().is_some_and(SiteView::ruled);
    (found, false)
}

/// Tells which rule switches which rung, where the policy says otherwise.
fn switches<T: Trace>(c: &Climb, trace: &mut T) {
    let Some(site) = &c.site else { return };
    for rung in Rung::ALL.iter().copied().filter(|&rung| c.on.has(rung) != c.policy.has(rung)) {
        if let Some(row) = site.switched(rung, c.on.has(rung)) {
            trace.switched(rung.meta(), c.on.has(rung), row.origin());
        }
    }
}

/// `rung` is none for the site's rules, which are no switch.
fn report<T: Trace>(
    c: &mut Climb,
    rung: Option<Rung>,
    meta: &'static Meta,
    did: Did,
    found: &mut Found,
    trace: &mut T,
) {
    match did {
        Did::Nothing => {}
        Did::Rewrote => {
            if T::ON {
                c.fields.write(c.url);
                if c.rule.is_none()
                    && let (Some(rung), Some(site)) = (rung, &c.site)
                    && !c.policy.has(rung)
                {
                    c.rule = site.switched(rung, true).map(|row| row.origin().into());
                }
                trace.url(meta, c.url, c.rule.take().as_deref());
            }
        }
        Did::Refused(why) => {
            if let Some(rung) = rung {
                found.refused = found.refused.with(rung, true);
            }
            if T::ON {
                trace.refused(meta, why);
            }
        }
    }
}
