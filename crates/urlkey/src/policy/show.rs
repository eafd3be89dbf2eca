//! Which rules are for a URL, in order of precedence, and what becomes of its
//! parameters. For people; decides nothing.

use super::Policy;
use super::compile::ordered;
use super::model::SiteRule;
use super::sites::Place;
use super::write::lists;
use crate::param::Param;
use crate::url::Url;

/// One rule, as a file would write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleText {
    /// `file:line`.
    pub origin: String,
    /// `user`, `breakage`, `learned`, `imported` or `built-in`.
    pub source: &'static str,
    /// Host pattern.
    pub host: String,
    /// Path pattern.
    pub path: String,
    /// What it asks for besides and what it says: key, then items.
    pub says: Vec<(&'static str, Vec<String>)>,
    /// As the file has it.
    pub date: Option<String>,
    /// As the file has it.
    pub note: Option<String>,
}

/// What becomes of one parameter of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamFate {
    /// `name=value`.
    pub text: String,
    /// `drop`, `keep`, `valueless`, or nothing where no rule speaks about it.
    pub says: Option<&'static str>,
    /// `file:line` of the rule that decides.
    pub rule: Option<String>,
    /// The rules that are not heard: what they say, `file:line`.
    pub overruled: Vec<(&'static str, String)>,
}

impl Policy {
    /// The rules for a host, whatever the path, the first to be heard first; those for any host
    /// too, if `anywhere`.
    pub fn rules_for_host(&self, host: &str, anywhere: bool) -> Vec<RuleText> {
        let host = host.strip_suffix('.').unwrap_or(host);
        let fits = |rule: &&SiteRule| rule.host.matches(host) && (anywhere || rule.host.to_string() != "*");
        self.ordered_rules().into_iter().filter(fits).map(text).collect()
    }

    /// The rules that cover a URL, as parsed, the first to be heard first.
    pub fn rules_for_url(&self, url: &Url) -> Vec<RuleText> {
        let at = place(url);
        let covering = self.sites.covering(&at);
        let rules = self.ordered_rules();
        covering.into_iter().filter_map(|number| rules.get(number as usize)).map(|rule| text(rule)).collect()
    }

    /// The data was read when the policy was compiled, so this cannot fail any more.
    fn ordered_rules(&self) -> Vec<&SiteRule> {
        ordered(&self.profile).unwrap_or_default()
    }

    /// What becomes of each parameter of the URL's query under the rules, built-in tables
    /// included; rungs that look at values alone are left out.
    pub fn param_fates(&self, url: &Url) -> Vec<ParamFate> {
        let at = place(url);
        let view = self.sites.at(at);
        let fate = |field: &str| {
            let param = Param::of(field.as_bytes());
            let mut heard = view.all(&param).into_iter().map(|verdict| {
                let (says, row) = verdict.parts();
                (says, row.origin().to_owned())
            });
            let table = self.tracking.find(param.name(), at.host);
            let tracking = table.map(|row| ("drop", row.origin().unwrap_or("drop_tracking").to_owned()));
            let first = heard.next();
            let rest: Vec<_> = heard.collect();
            let (says, rule, overruled) = match (first, tracking) {
                (Some((says, rule)), more) => (Some(says), Some(rule), rest.into_iter().chain(more).collect()),
                (None, Some((says, rule))) => (Some(says), Some(rule), Vec::new()),
                (None, None) => (None, None, Vec::new()),
            };
            ParamFate { text: field.to_owned(), says, rule, overruled }
        };
        url.query().into_iter().flat_map(|query| query.split('&')).filter(|field| !field.is_empty()).map(fate).collect()
    }
}

fn place(url: &Url) -> Place<'_> {
    let host = url.host().unwrap_or_default();
    Place { href: url.href(), host: host.strip_suffix('.').unwrap_or(host), path: url.path() }
}

fn text(rule: &SiteRule) -> RuleText {
    RuleText {
        origin: format!("{}:{}", rule.file, rule.line),
        source: rule.layer.as_str(),
        host: rule.host.to_string(),
        path: rule.path.text().to_owned(),
        says: lists(rule),
        date: rule.date.clone(),
        note: rule.note.clone(),
    }
}
