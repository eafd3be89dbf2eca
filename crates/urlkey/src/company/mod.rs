//! The name that one company's websites and mail addresses share: the
//! registrable domain, or what a tenant has below a shared one. Reads hosts,
//! URLs and mail addresses; must not know who owns a domain.

mod data;
mod given;

pub use data::{FREEMAIL_VERSION, TENANTS_VERSION};

use crate::domain;
use crate::forms::social::{self, SocialId};
use crate::host::HostKind;
use crate::hosts;
use crate::unwrap;
use crate::url::{Options, Url};
use given::Given;

/// What a company is known by, and why it is not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CompanyKey {
    /// The registrable domain under the ICANN section of the public suffix list.
    pub registrable_icann: Option<String>,
    /// The registrable domain under the whole list: `acme.myshopify.com`.
    pub registrable_full: Option<String>,
    /// What stands for one customer below a shared domain, by the list's private
    /// section or by data/rules/tenants.toml: `acme.zendesk.com`.
    pub tenant: Option<String>,
    /// What to group by: the tenant, else the registrable domain.
    pub key: Option<String>,
    /// Why there is no key.
    pub reason: Option<NoKey>,
}

macro_rules! reasons {
    ($($(#[$doc:meta])* $variant:ident = $name:literal;)*) => {
        /// Why a text has no company's key.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum NoKey { $($(#[$doc])* $variant,)* }

        impl NoKey {
            /// All reasons.
            pub const ALL: &'static [NoKey] = &[$(NoKey::$variant,)*];

            /// The stable slug.
            pub const fn as_str(self) -> &'static str {
                match self { $(NoKey::$variant => $name,)* }
            }
        }
    };
}

reasons! {
    /// No host can be read from it.
    NoHost = "no-host";
    /// More than one mail address.
    SeveralAddresses = "several-addresses";
    /// The host is an IP address.
    IpAddress = "ip-address";
    /// The host has one label: `localhost`.
    SingleLabel = "single-label";
    /// The host is a public suffix itself: `co.uk`, `github.io`.
    PublicSuffix = "public-suffix";
    /// The name is set aside, and nobody's: `.local`, `.internal`, `.invalid`.
    ReservedName = "reserved-name";
    /// A provider of mail for everybody.
    FreeMail = "free-mail";
    /// A page of somebody on a platform of others.
    PlatformPage = "platform-page";
    /// A short link: its target may be anybody's.
    ShortLink = "short-link";
}

/// The key of a company, from a URL, a host, or a mail address in any of its
/// usual spellings (`Jane <jane@acme.com>`, `mailto:jane@acme.com`). Never fails:
/// a text without a key has a reason. Links of known redirectors are looked through. Cost: linear.
///
/// ```
/// use urlkey::company::company_key;
/// assert_eq!(company_key("https://www.Acme.co.uk/about").key.as_deref(), Some("acme.co.uk"));
/// assert_eq!(company_key("Jane <jane@acme.zendesk.com>").key.as_deref(), Some("acme.zendesk.com"));
/// assert_eq!(company_key("jane@gmail.com").reason.unwrap().as_str(), "free-mail");
/// ```
pub fn company_key(text: &str) -> CompanyKey {
    let refused = |reason| CompanyKey { reason: Some(reason), ..CompanyKey::default() };
    let mut given = match given::read(text) {
        Ok(given) => given,
        Err(reason) => return refused(reason),
    };
    // A link through a redirector is about the site that it leads to.
    if !given.mail
        && let Some(target) = unwrap::last(&given.url)
    {
        given.url = target;
    }
    match given.url.host_kind() {
        HostKind::Domain => {}
        HostKind::Ipv4 | HostKind::Ipv6 => return refused(NoKey::IpAddress),
        _ => return refused(NoKey::NoHost),
    }
    let host = given.url.host().unwrap_or_default();
    let host = host.strip_suffix('.').unwrap_or(host);
    // URLs may have more in a host than names of companies: `acme.com;other.com` is two of them.
    let in_names = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let named = host.strip_prefix("*.").unwrap_or(host);
    if host.split('.').any(str::is_empty) || !named.chars().all(in_names) {
        return refused(NoKey::NoHost);
    }
    if !host.contains('.') {
        return refused(NoKey::SingleLabel);
    }
    let full = domain::registrable_domain(host);
    let icann = domain::registrable_icann(host);
    let private = full != icann;
    let tenant = match data::tenant(host, full) {
        // What all customers share is none of theirs: `apply.workable.com`.
        _ if data::is_shared(host) => None,
        None if private => full.map(str::to_owned),
        found => found,
    };
    let reason = reason(&given, host, full, tenant.is_some());
    let key = tenant.clone().or_else(|| full.map(str::to_owned)).filter(|_| reason.is_none());
    CompanyKey {
        registrable_icann: icann.map(str::to_owned),
        registrable_full: full.map(str::to_owned),
        tenant,
        key,
        reason,
    }
}

fn reason(given: &Given, host: &str, full: Option<&str>, tenant: bool) -> Option<NoKey> {
    // Names for examples stand for companies in examples; those of overlays and wildcards are somebody's.
    let nobodys = |name: &hosts::SpecialUse| matches!(&*name.kind, "loopback" | "private" | "unresolvable");
    if hosts::special_use(host).is_some_and(nobodys) {
        Some(NoKey::ReservedName)
    } else if full.is_none() {
        Some(NoKey::PublicSuffix)
    } else if data::is_freemail(host, given.mail) {
        Some(NoKey::FreeMail)
    } else if given.mail || tenant || is_home(&given.url) {
        None
    } else if hosts::is_shortener(host) {
        Some(NoKey::ShortLink)
    } else if data::holds_pages(host) || social::is_platform(host) {
        Some(NoKey::PlatformPage)
    } else {
        None
    }
}

/// Whether nothing stands behind the host: what it is then is its owner's.
fn is_home(url: &Url) -> bool {
    url.path().trim_matches('/').is_empty() && url.query().is_none()
}

/// The profile of a person or an organization on LinkedIn or Crunchbase; None for
/// any other URL. Kinds: `person`, `person-pub`, `company`, `school`, `showcase`,
/// `organization`.
///
/// ```
/// use urlkey::company::profile_id;
/// let found = profile_id("https://fr.linkedin.com/company/Microsoft/about/?trk=x").unwrap();
/// assert_eq!((found.kind, found.canonical.as_str()), ("company", "https://www.linkedin.com/company/microsoft"));
/// ```
pub fn profile_id(text: &str) -> Option<SocialId> {
    const KINDS: [&str; 6] = ["person", "person-pub", "company", "school", "showcase", "organization"];
    let found = social::social_id_of(text)?;
    (matches!(found.platform, "linkedin" | "crunchbase") && KINDS.contains(&found.kind)).then_some(found)
}

fn parse(text: &str) -> Option<Url> {
    Url::parse(text, &Options::default()).ok()
}
