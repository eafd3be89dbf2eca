//! The rows of data/rules/freemail.toml and tenants.toml.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use serde::Deserialize;

/// The version of the mail providers.
pub const FREEMAIL_VERSION: u64 = 1;

/// The version of the shared domains.
pub const TENANTS_VERSION: u64 = 2;

#[derive(Default, Deserialize)]
struct FreemailFile {
    freemail: Vec<Freemail>,
}

#[derive(Deserialize)]
struct Freemail {
    #[serde(default)]
    site: bool,
    domains: Vec<String>,
}

#[derive(Default, Deserialize)]
struct TenantsFile {
    own: HashSet<String>,
    tenants: Vec<Tenants>,
    pages: Vec<Pages>,
}

#[derive(Deserialize)]
struct Tenants {
    suffixes: Vec<String>,
    #[serde(rename = "as")]
    under: Option<String>,
}

#[derive(Deserialize)]
struct Pages {
    hosts: Vec<String>,
}

struct Data {
    /// With whether it is a website too.
    freemail: HashMap<String, bool>,
    own: HashSet<String>,
    /// With the suffix that tenants are written under.
    tenants: HashMap<String, Option<String>>,
    pages: HashSet<String>,
}

fn data() -> &'static Data {
    static DATA: OnceLock<Data> = OnceLock::new();
    DATA.get_or_init(|| {
        // Compiled in, and read by a test: there are no other texts that could fail here.
        let mail: FreemailFile = toml::from_str(include_str!("../../data/rules/freemail.toml")).unwrap_or_default();
        let shared: TenantsFile = toml::from_str(include_str!("../../data/rules/tenants.toml")).unwrap_or_default();
        let freemail = mail.freemail.into_iter();
        let freemail = freemail.flat_map(|row| row.domains.into_iter().map(move |domain| (domain, row.site)));
        let tenants = shared.tenants.into_iter();
        let tenants = tenants.flat_map(|row| row.suffixes.into_iter().map(move |suffix| (suffix, row.under.clone())));
        Data {
            freemail: freemail.collect(),
            own: shared.own,
            tenants: tenants.collect(),
            pages: shared.pages.into_iter().flat_map(|row| row.hosts).collect(),
        }
    })
}

/// Bytes of the longest name that the DNS has: what is longer is in no row.
const LONGEST: usize = 253;

/// The host, or where it is too long to be a name the longest end of it that could be one.
fn nameable(host: &str) -> &str {
    match host.len().checked_sub(LONGEST + 1).map(|from| host.get(from..).and_then(|end| end.split_once('.'))) {
        Some(cut) => cut.map_or("", |(_, name)| name),
        None => host,
    }
}

/// The host, and each name above it, the host first, as far as they are no longer than names are.
fn names(host: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(nameable(host)), |name| name.split_once('.').map(|(_, above)| above))
}

/// Whether the host is a mail provider's: of addresses alone where it has a site.
pub(super) fn is_freemail(host: &str, mail: bool) -> bool {
    let site = names(host).find_map(|name| data().freemail.get(name));
    site.is_some_and(|site| mail || !site)
}

/// Whether paths on the host are pages of others.
pub(super) fn holds_pages(host: &str) -> bool {
    names(host).any(|name| data().pages.contains(name))
}

/// Whether this very host has pages of many customers.
pub(super) fn is_shared(host: &str) -> bool {
    data().pages.contains(host)
}

/// What stands for one customer below a shared domain of the rows; the longest one counts.
pub(super) fn tenant(host: &str, full: Option<&str>) -> Option<String> {
    let data = data();
    // A suffix is never shorter than the registrable domain.
    let registrable = full?;
    let mut name = nameable(host);
    let mut before = &host[..host.len() - name.len()];
    loop {
        let starred = || name.split_once('.').map(|(_, above)| format!("*.{above}"));
        let under = data.tenants.get(name).or_else(|| data.tenants.get(&starred()?));
        if let Some(under) = under {
            let label = before.strip_suffix('.').and_then(|before| before.rsplit('.').next())?;
            let suffix = under.as_deref().unwrap_or(name);
            return (!data.own.contains(label)).then(|| format!("{label}.{suffix}"));
        }
        if name.len() <= registrable.len() {
            return None;
        }
        let (label, above) = name.split_once('.')?;
        before = &host[..before.len() + label.len() + 1];
        name = above;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{registrable_domain, registrable_icann};

    #[test]
    fn the_rows_are_read() {
        let data = data();
        assert!(data.freemail.len() > 500 && data.tenants.len() > 90 && data.pages.len() > 90 && data.own.len() > 60);
        for (text, version) in [
            (include_str!("../../data/rules/freemail.toml"), FREEMAIL_VERSION),
            (include_str!("../../data/rules/tenants.toml"), TENANTS_VERSION),
        ] {
            assert!(text.contains(&format!("\nversion = {version}\n")), "raise the constant too");
        }
    }

    #[test]
    fn names_above_a_host_are_those_that_can_be_names() {
        assert_eq!(names("a.b.c").collect::<Vec<_>>(), ["a.b.c", "b.c", "c"]);
        let long = "a.".repeat(1000) + "zendesk.com";
        assert!(names(&long).all(|name| name.len() <= LONGEST));
        assert_eq!(names(&long).next().map(str::len), Some(253));
        assert_eq!(names(&"a".repeat(300)).collect::<Vec<_>>(), [""]);
        assert_eq!(tenant(&long, Some("zendesk.com")).as_deref(), Some("a.zendesk.com"));
    }

    #[test]
    fn no_row_says_what_the_public_suffix_list_says() {
        let listed = |suffix: &&String| {
            let below = format!("acme.{}", suffix.replace('*', "wd5"));
            registrable_domain(&below) != registrable_icann(&below)
        };
        let listed: Vec<_> = data().tenants.keys().filter(listed).collect();
        assert!(listed.is_empty(), "{listed:?}");
    }

    #[test]
    fn rows_stand_once_and_are_serialized_hosts() {
        let mail: FreemailFile = toml::from_str(include_str!("../../data/rules/freemail.toml")).unwrap();
        let shared: TenantsFile = toml::from_str(include_str!("../../data/rules/tenants.toml")).unwrap();
        let mut lists: [Vec<String>; 3] = [
            mail.freemail.into_iter().flat_map(|row| row.domains).collect(),
            shared.tenants.into_iter().flat_map(|row| row.suffixes).collect(),
            shared.pages.into_iter().flat_map(|row| row.hosts).collect(),
        ];
        for list in &mut lists {
            list.sort_unstable();
            let twice: Vec<_> = list.windows(2).filter(|two| two[0] == two[1]).collect();
            assert!(twice.is_empty(), "{twice:?}");
            assert!(list.iter().all(|host| host.is_ascii() && *host == host.to_ascii_lowercase()));
        }
    }
}
