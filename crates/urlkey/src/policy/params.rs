//! The parameters that drop_tracking drops: rows by name, with scope. Must not
//! know where in a URL the names stand.

use std::fmt;
use std::sync::Arc;

use super::model::Kind;
use super::names::{Names, Pattern};
use super::sure::Sure;
use crate::domain::HostPattern;
use crate::heads::Filter;

/// A parameter that carries attribution, not content.
pub struct ParamRow {
    /// As the file writes it: `utm_source`, `utm_*`.
    pub name: String,
    /// `file:line`; None for names that a policy adds itself.
    pub(crate) origin: Option<String>,
    /// Counted from 1; 0 for names that a policy adds itself.
    pub(crate) line: usize,
    pub(crate) keep: bool,
    /// What the rows written together share.
    pub(crate) group: Arc<ParamGroup>,
}

/// What parameters of one owner have in common, as far as it decides anything:
/// owner and source are for readers of the file.
pub(crate) struct ParamGroup {
    pub(crate) kind: Kind,
    /// Empty for any host.
    pub(crate) hosts: Vec<HostPattern>,
    /// Where they are content all the same.
    pub(crate) except: Vec<HostPattern>,
    pub(crate) verified: bool,
    pub(crate) risk: bool,
}

impl ParamRow {
    /// `file:line`; None for a name that the policy itself adds.
    pub fn origin(&self) -> Option<&str> {
        self.origin.as_deref()
    }

    fn covers(&self, host: &str) -> bool {
        let any = |patterns: &[HostPattern]| patterns.iter().any(|pattern| pattern.matches(host));
        (self.group.hosts.is_empty() || any(&self.group.hosts)) && !any(&self.group.except)
    }
}

impl fmt::Debug for ParamRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.origin().unwrap_or("the policy"))
    }
}

/// Parameter names that a rung drops, with scope.
pub struct ParamSet {
    filter: Filter,
    names: Names<Arc<ParamRow>>,
    /// What is dropped anywhere, where the set keeps nothing.
    sure: Sure,
    sure_rows: Vec<Arc<ParamRow>>,
}

impl ParamSet {
    pub(crate) fn new<'p>(rows: impl IntoIterator<Item = (&'p Pattern, Arc<ParamRow>)>) -> ParamSet {
        let rows: Vec<(&Pattern, Arc<ParamRow>)> = rows.into_iter().collect();
        let keeps = rows.iter().any(|(_, row)| row.keep);
        let anywhere = |(_, row): &&(&Pattern, Arc<ParamRow>)| !keeps && row.group.hosts.is_empty();
        let sure: Vec<_> = rows.iter().filter(anywhere).map(|(name, _)| (name.stem.as_str(), name.prefix)).collect();
        let (sure, sure_rows) = (Sure::new(&sure), rows.iter().filter(anywhere).map(|(_, row)| row.clone()).collect());
        let names = Names::new(rows);
        ParamSet { filter: names.filter(), names, sure, sure_rows }
    }

    pub(crate) fn filter(&self) -> &Filter {
        &self.filter
    }

    /// The row that drops this name on this host. Names are compared without
    /// ASCII case; hosts only where a row has a scope. Linear in the name, plus
    /// the rows of that very name.
    pub fn find(&self, name: &[u8], host: &str) -> Option<&ParamRow> {
        if let Some(row) = self.sure.find(name).map(|row| &self.sure_rows[row])
            && row.covers(host)
        {
            return Some(row);
        }
        let mut found: Option<&ParamRow> = None;
        let kept = self.names.find(name, |row| {
            if (found.is_none() || row.keep) && row.covers(host) {
                match row.keep {
                    true => return Some(()),
                    false => found = Some(row),
                }
            }
            None
        });
        if kept.is_some() { None } else { found }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 12] = ["utm_*", "utm_id", "gclid", "s", "S*", "id", "id2", "ref", "x[0]", "a*", "ab*", "abc"];
    const HOSTS: [&[&str]; 4] = [&[], &["*.a.example"], &["b.example", "*.c.example"], &["*"]];

    const EXCEPT: [&[&str]; 3] = [&[], &[], &["a.example", "*.b.example"]];

    /// A tiny generator, so that a failure can be run again.
    fn next(state: &mut u64) -> usize {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (*state >> 33) as usize
    }

    fn row(name: &str, hosts: &[&str], except: &[&str], keep: bool) -> Arc<ParamRow> {
        let parsed = |hosts: &[&str]| hosts.iter().map(|host| HostPattern::parse(host).unwrap()).collect();
        let group = Arc::new(ParamGroup {
            kind: Kind::Campaign,
            hosts: parsed(hosts),
            except: parsed(except),
            verified: true,
            risk: false,
        });
        Arc::new(ParamRow { name: name.to_owned(), origin: None, line: 0, keep, group })
    }

    /// All rows, one after the other.
    fn oracle(rows: &[(Pattern, Arc<ParamRow>)], name: &str, host: &str) -> bool {
        let name = name.to_ascii_lowercase();
        let fits = |pattern: &Pattern| {
            let stem = pattern.stem.to_ascii_lowercase();
            if pattern.prefix { name.starts_with(&stem) } else { name == stem }
        };
        let mut fitting = rows.iter().filter(|(pattern, row)| fits(pattern) && row.covers(host));
        fitting.clone().next().is_some() && !fitting.any(|(_, row)| row.keep)
    }

    #[test]
    fn the_set_finds_what_a_walk_over_all_rows_finds() {
        let mut state = 7;
        let tried = [
            "utm_", "utm_id", "UTM_ID", "gclid", "gclid2", "s", "sid", "id", "id2", "ref", "x[0]", "a", "abc", "abcd",
            "b",
        ];
        for _ in 0..400 {
            let rows: Vec<(Pattern, Arc<ParamRow>)> = (0..next(&mut state) % 9)
                .map(|_| {
                    let name = NAMES[next(&mut state) % NAMES.len()];
                    let hosts = HOSTS[next(&mut state) % HOSTS.len()];
                    let except = EXCEPT[next(&mut state) % EXCEPT.len()];
                    (Pattern::parse(name).unwrap(), row(name, hosts, except, next(&mut state).is_multiple_of(5)))
                })
                .collect();
            let set = ParamSet::new(rows.iter().map(|(name, row)| (name, row.clone())));
            for name in tried {
                for host in ["a.example", "www.a.example", "nota.example", "b.example", "x.b.example", "c.example"] {
                    let found = set.find(name.as_bytes(), host).is_some();
                    assert_eq!(found, oracle(&rows, name, host), "{name} on {host} in {rows:?}");
                    assert!(!found || set.filter.may(name.as_bytes()));
                }
            }
        }
    }

    #[test]
    fn five_thousand_rows_are_all_found() {
        let names: Vec<String> = (0..5000).map(|number| format!("p{number}")).collect();
        let rows = names.iter().map(|name| (Pattern::parse(name).unwrap(), row(name, &[], &[], false)));
        let rows: Vec<_> = rows.collect();
        let set = ParamSet::new(rows.iter().map(|(name, row)| (name, row.clone())));
        assert!(names.iter().all(|name| set.find(name.as_bytes(), "a").is_some_and(|row| row.name == *name)));
        assert!(set.find(b"p5000", "a").is_none());
    }
}
