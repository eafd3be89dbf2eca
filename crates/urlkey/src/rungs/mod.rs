//! The rungs, one file each, and the list that puts them in running order.
//! What a rung sees of the climb is `Climb`; what it did is `Did`.

pub(crate) mod collapse_slashes;
pub(crate) mod decode_unreserved;
pub(crate) mod drop_anchor;
pub(crate) mod drop_blank_params;
pub(crate) mod drop_empty_params;
pub(crate) mod drop_empty_query;
pub(crate) mod drop_fragment;
pub(crate) mod drop_index;
pub(crate) mod drop_opaque_params;
pub(crate) mod drop_port;
pub(crate) mod drop_query;
pub(crate) mod drop_repeated_pairs;
pub(crate) mod drop_root_dot;
pub(crate) mod drop_session;
pub(crate) mod drop_tracking;
pub(crate) mod drop_trailing_slash;
pub(crate) mod drop_userinfo;
pub(crate) mod drop_www;
pub(crate) mod encode_brackets;
pub(crate) mod encode_unsafe;
pub(crate) mod fix_scheme_port;
pub(crate) mod fold_amp_host;
pub(crate) mod fold_mobile_host;
pub(crate) mod fold_scheme;
pub(crate) mod host_labels;
pub(crate) mod lower_path;
pub(crate) mod path_end;
pub(crate) mod site_form;
pub(crate) mod site_rules;
pub(crate) mod sort_query;
pub(crate) mod sort_values;
pub(crate) mod unescape_html;
pub(crate) mod unwrap_amp;
pub(crate) mod unwrap_redirector;
pub(crate) mod upper_percent;

use std::borrow::Cow;

use crate::ladder::Meta;
use crate::policy::{Policy, SiteView};
use crate::query::{Field, Fields, KEPT};
use crate::text;
use crate::url::Url;

macro_rules! rungs {
    ($($variant:ident = $($meta:ident)::+;)*) => {
        /// A rung of the ladder.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Rung { $(#[doc = concat!("See LADDER.md: ", stringify!($variant))] $variant,)* }

        impl Rung {
            /// All rungs in running order.
            pub const ALL: &'static [Rung] = &[$(Rung::$variant,)*];

            /// Its row of LADDER.md.
            pub fn meta(self) -> &'static Meta {
                match self { $(Rung::$variant => &$($meta)::+,)* }
            }
        }
    };
}

rungs! {
    TrimWrapping = text::TRIM_WRAPPING;
    Refang = text::REFANG;
    AssumeScheme = text::ASSUME_SCHEME;
    UpperPercent = upper_percent::META;
    DecodeUnreserved = decode_unreserved::META;
    EncodeUnsafe = encode_unsafe::META;
    UnescapeHtml = unescape_html::META;
    EncodeBrackets = encode_brackets::META;
    UnwrapRedirector = unwrap_redirector::META;
    UnwrapAmp = unwrap_amp::META;
    SiteForm = site_form::META;
    FixSchemePort = fix_scheme_port::META;
    FoldScheme = fold_scheme::META;
    DropRootDot = drop_root_dot::META;
    DropWww = drop_www::META;
    FoldMobileHost = fold_mobile_host::META;
    FoldAmpHost = fold_amp_host::META;
    DropUserinfo = drop_userinfo::META;
    DropPort = drop_port::META;
    DropSession = drop_session::META;
    CollapseSlashes = collapse_slashes::META;
    DropIndex = drop_index::META;
    DropTrailingSlash = drop_trailing_slash::META;
    LowerPath = lower_path::META;
    DropQuery = drop_query::META;
    DropTracking = drop_tracking::META;
    DropOpaqueParams = drop_opaque_params::META;
    DropBlankParams = drop_blank_params::META;
    DropEmptyParams = drop_empty_params::META;
    DropRepeatedPairs = drop_repeated_pairs::META;
    SortQuery = sort_query::META;
    SortValues = sort_values::META;
    DropEmptyQuery = drop_empty_query::META;
    DropAnchor = drop_anchor::META;
    DropFragment = drop_fragment::META;
}

impl Rung {
    /// The name in policies and reports.
    pub fn name(self) -> &'static str {
        self.meta().name
    }

    /// The rung of this name.
    pub fn by_name(name: &str) -> Option<Rung> {
        Rung::ALL.iter().copied().find(|rung| rung.name() == name)
    }
}

/// A set of rungs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RungSet(u64);

impl RungSet {
    /// No rung.
    pub const EMPTY: RungSet = RungSet(0);

    /// The set of these rungs.
    pub const fn of(rungs: &[Rung]) -> RungSet {
        let mut bits = 0;
        let mut i = 0;
        while i < rungs.len() {
            bits |= 1 << rungs[i] as u8;
            i += 1;
        }
        RungSet(bits)
    }

    /// Whether the rung is in the set.
    #[inline]
    pub const fn has(self, rung: Rung) -> bool {
        self.0 & (1 << rung as u8) != 0
    }

    /// Whether the two sets share a rung.
    #[inline]
    pub const fn meets(self, other: RungSet) -> bool {
        self.0 & other.0 != 0
    }

    /// This set with the rung switched.
    pub const fn with(self, rung: Rung, on: bool) -> RungSet {
        let bit = 1 << rung as u8;
        RungSet(if on { self.0 | bit } else { self.0 & !bit })
    }

    /// This set with `on` added, then `off` taken out.
    pub const fn switched(self, on: RungSet, off: RungSet) -> RungSet {
        RungSet((self.0 | on.0) & !off.0)
    }

    /// The rungs in running order.
    pub fn iter(self) -> impl Iterator<Item = Rung> {
        Rung::ALL.iter().copied().filter(move |rung| self.has(*rung))
    }
}

/// What rewrites paths, and breaks signatures in them.
pub(crate) const PATH: RungSet =
    RungSet::of(&[Rung::CollapseSlashes, Rung::DropIndex, Rung::DropTrailingSlash, Rung::LowerPath]);

/// A URL on its way, as the rungs see it.
pub(crate) struct Climb<'a> {
    pub url: &'a mut Url,
    /// The query's fields; written back when the query rungs are through.
    pub fields: &'a mut Fields,
    /// A buffer to write into.
    pub tmp: &'a mut String,
    pub policy: &'a Policy,
    /// The policy's rungs, as the site's rules switch them.
    pub on: RungSet,
    pub site: Option<SiteView<'a>>,
    /// `file:line` of the row that the last rung acted on.
    pub rule: Option<Cow<'a, str>>,
}

impl Climb<'_> {
    /// Whether a rule for this site keeps the parameter.
    pub(crate) fn keeps(site: &Option<SiteView>, field: &Field, query: &str) -> bool {
        let bare = field.name_end == field.to;
        site.as_ref().is_some_and(|site| site.keeps(|| field.param(query), field.class & KEPT != 0, bare))
    }
}

/// What a rung did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Did {
    Nothing,
    Rewrote,
    /// The result is one that parse would alter: the URL stayed as it was.
    Refused(&'static str),
}

impl Did {
    pub(crate) fn rewrote(yes: bool) -> Did {
        if yes { Did::Rewrote } else { Did::Nothing }
    }
}
