//! Policies: which rungs act, with which parameters, and what sites do
//! differently; read from TOML, compiled to tables, hashed. Must not know how a
//! rung rewrites a URL, and reads no file itself: texts come in with a name.

mod check;
mod compile;
mod data;
mod error;
mod globs;
mod host_index;
mod id;
mod load;
mod model;
mod names;
mod owner_rows;
mod params;
mod paths;
pub(crate) mod read;
mod redirector_rows;
mod redirectors;
mod redirects;
mod regexes;
mod says;
mod session;
mod shape;
mod show;
mod signed;
mod site_rules;
mod sites;
mod sure;
mod write;

use std::fmt;
use std::sync::{Arc, OnceLock};

pub use check::{RuleCheck, RuleNote, check_rules};
pub use error::PolicyError;
pub use model::{Limits, Setting};
pub(crate) use names::Pattern;
pub(crate) use owner_rows::{OwnerRow, Owners, app_links, owners};
pub use params::ParamSet;
pub use redirectors::HopKind;
pub(crate) use redirectors::{Decoder, Redirector, Redirectors, Take};
pub use regexes::expression_fault;
pub(crate) use regexes::{MOST_TEXT as MOST_HREF, Rx, positions};
pub use session::SessionRules;
pub use show::{ParamFate, RuleText};
pub use signed::SignedRules;
pub(crate) use sites::{Numbers, Place};
pub use sites::{SiteRow, SiteView, Sites, Verdict};

use crate::accept::Accept;
use crate::error::Code;
use crate::forms::social::may_be_social;
use crate::heads::NameClasses;
use crate::rungs::{Rung, RungSet};
use crate::text::Repairs;
use model::Profile;
use names::NameSet;

/// Whether a scheme of signatures that is told by this host has such a parameter.
pub(crate) fn signs(host: &str, name: &[u8], value: &[u8]) -> bool {
    data::signed().is_ok_and(|data| data.rows.signs(host, name, value))
}

/// Whether the segment is an id that ASP.NET writes into paths.
pub(crate) fn cookieless(segment: &str) -> bool {
    data::session().is_ok_and(|data| data.rows.path_segment(segment.as_bytes()))
}

/// Every rule of redirectors that is compiled in.
pub(crate) fn all_redirectors() -> &'static [Arc<Redirector>] {
    data::redirectors().map_or(&[], |data| &data.rows)
}

/// The version of `rules/signed.toml`: what `signed` finds changes with it.
pub fn signed_version() -> u64 {
    data::signed().map_or(0, |data| data.version)
}

/// A profile with its site rules, compiled; immutable, and shared by threads.
pub struct Policy {
    /// The rungs that act where no site rule says otherwise.
    pub(crate) on: RungSet,
    /// The test for spellings that are their own keys.
    pub(crate) accept: Accept,
    /// Which of the three tables below a parameter's name may be in, as `query::Fields` reads it.
    pub(crate) classes: NameClasses,
    /// For drop_tracking.
    pub(crate) tracking: ParamSet,
    /// For drop_session.
    pub(crate) session: &'static SessionRules,
    index: NameSet,
    /// Which URLs no rung above `none` may touch.
    pub(crate) signed: &'static SignedRules,
    /// Whether some rung may rewrite a path, and so break a signature in it.
    pub(crate) rewrites_paths: bool,
    sites: Sites,
    /// For unwrap_redirector and unwrap_amp.
    pub(crate) redirectors: Redirectors,
    /// site_form may act on some URL.
    pub(crate) forms: bool,
    /// Sites, redirectors or platforms may speak of a host.
    pub(crate) asks_hosts: bool,
    /// What is done to a text before it is parsed.
    pub(crate) repairs: Repairs,
    /// Bounds of the input.
    pub(crate) limits: Limits,
    profile: Profile,
    id: OnceLock<(String, String)>,
    text: OnceLock<String>,
}

/// The names of the compiled-in profiles, and their texts beside them.
macro_rules! builtin {
    ($($name:literal)*) => {
        /// The profiles that are compiled in: the ladder's, mildest first, then one a kind of
        /// system. Each extends none but those before it.
        pub const BUILTIN_NAMES: [&str; [$($name),*].len()] = [$($name),*];

        const BUILTIN_TEXTS: [&str; BUILTIN_NAMES.len()] =
            [$(include_str!(concat!("../../data/profiles/", $name, ".toml"))),*];
    };
}

builtin! { "whatwg" "safe" "crawl" "aggressive" "fold" "seo" "shortener" "feed" "affiliate" "social" "gateway" }

impl Policy {
    /// A built-in policy, parsed at first use and shared from then on.
    ///
    /// ```
    /// use urlkey::Policy;
    /// assert_eq!(Policy::builtin("crawl")?.name(), "crawl");
    /// # Ok::<(), urlkey::PolicyError>(())
    /// ```
    pub fn builtin(name: &str) -> Result<Arc<Policy>, PolicyError> {
        static ONCE: [OnceLock<Result<Arc<Policy>, PolicyError>>; BUILTIN_NAMES.len()] =
            [const { OnceLock::new() }; BUILTIN_NAMES.len()];
        let Some(number) = BUILTIN_NAMES.iter().position(|&known| known == name) else {
            let message = format!("unknown policy {name:?}; allowed: {}", BUILTIN_NAMES.join(", "));
            return Err(PolicyError { code: Code::BadPolicy, file: name.to_owned(), line: None, message });
        };
        ONCE[number].get_or_init(|| compile::compile(builtin_profile(number)?).map(Arc::new)).clone()
    }

    /// The policy that this text writes; `rules` are (name, text) of files with
    /// site rules. Errors name the texts by `origin` and by their names.
    pub fn from_toml(text: &str, origin: &str, rules: &[(&str, &str)]) -> Result<Policy, PolicyError> {
        with_rules(load::profile(text, origin, &parent)?, rules)
    }

    /// This policy with the site rules of more files.
    pub fn with_rules(&self, rules: &[(&str, &str)]) -> Result<Policy, PolicyError> {
        with_rules(self.profile.clone(), rules)
    }

    /// This policy with other rungs or limits: names of rungs with true, false
    /// or their parameters, and `input_bytes`.
    ///
    /// ```
    /// use urlkey::{Policy, Setting};
    /// let policy = Policy::builtin("crawl")?.with(&[("drop_www", Setting::Bool(true))])?;
    /// assert_ne!(policy.id(), Policy::builtin("crawl")?.id());
    /// # Ok::<(), urlkey::PolicyError>(())
    /// ```
    pub fn with(&self, changes: &[(&str, Setting)]) -> Result<Policy, PolicyError> {
        let mut profile = self.profile.clone();
        load::changes(&write::changes(changes), "with", &mut profile)?;
        compile::compile(profile)
    }

    /// The name in the file; a changed policy keeps it.
    pub fn name(&self) -> &str {
        &self.profile.name
    }

    /// The version in the file.
    pub fn version(&self) -> u32 {
        self.profile.version
    }

    /// Whom the policy serves, in a few words.
    pub fn serves(&self) -> &str {
        &self.profile.serves
    }

    /// SHA-256 of all that decides keys: policies of one id give the same keys.
    pub fn id(&self) -> &str {
        &self.ids().0
    }

    /// Name, version and the beginning of the id: `crawl-1:9f3ab2c4`.
    pub fn short_id(&self) -> &str {
        &self.ids().1
    }

    /// The policy as TOML, `extends` resolved and rules included: `from_toml`
    /// makes a policy of the same id from it.
    pub fn text(&self) -> &str {
        self.text.get_or_init(|| write::profile(&self.profile, self.id()))
    }

    /// Whether this rung acts where no site rule says otherwise.
    #[inline(always)]
    pub fn has(&self, rung: Rung) -> bool {
        self.on.has(rung)
    }

    /// The rungs that act where no site rule says otherwise, in running order.
    pub fn rungs(&self) -> impl Iterator<Item = Rung> {
        self.on.iter()
    }

    /// The rules of single sites.
    pub(crate) fn sites(&self) -> &Sites {
        &self.sites
    }

    /// Whether any site rule could speak about a URL.
    pub(crate) fn has_sites(&self) -> bool {
        !self.sites.is_empty()
    }

    /// Whether some rung may take a layer off a URL.
    #[inline(always)]
    pub(crate) fn unwraps(&self) -> bool {
        !self.redirectors.is_empty()
    }

    /// Whether a site rule, or perhaps one of a redirector or a platform, may change a URL of this host and path.
    #[inline(never)] // Inlined, it costs every policy that asks no hosts some thirty instructions a URL.
    pub(crate) fn reach(&self, host: &str, path: &str, has_query: bool) -> bool {
        (self.has_sites() && self.sites.reach(host, path, has_query))
            || (self.unwraps() && self.redirectors.may(host))
            || (self.forms && may_be_social(host, path))
    }

    /// Whether drop_index drops a last segment of this name.
    pub(crate) fn is_index(&self, segment: &[u8]) -> bool {
        self.index.has(segment)
    }

    /// Bounds of the input.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    fn ids(&self) -> &(String, String) {
        self.id.get_or_init(|| {
            // The data was read when the policy was compiled, so this cannot fail any more.
            let id = id::id(&self.profile).unwrap_or_default();
            let short = format!("{}-{}:{}", self.name(), self.version(), id.get(..8).unwrap_or_default());
            (id, short)
        })
    }
}

impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Policy({})", self.short_id())
    }
}

fn with_rules(mut profile: Profile, rules: &[(&str, &str)]) -> Result<Policy, PolicyError> {
    for (origin, text) in rules {
        let (sites, redirects) = load::rules(text, origin)?;
        profile.sites.extend(sites);
        profile.redirects.extend(redirects);
    }
    compile::compile(profile)
}

fn builtin_profile(number: usize) -> Result<Profile, PolicyError> {
    let origin = format!("profiles/{}.toml", BUILTIN_NAMES[number]);
    // A built-in profile extends those before it only, so this ends.
    let milder = |name: &str| {
        let parent = BUILTIN_NAMES[..number].iter().position(|&known| known == name)?;
        builtin_profile(parent).ok()
    };
    load::profile(BUILTIN_TEXTS[number], &origin, &milder)
}

fn parent(name: &str) -> Option<Profile> {
    Policy::builtin(name).ok().map(|policy| policy.profile.clone())
}
