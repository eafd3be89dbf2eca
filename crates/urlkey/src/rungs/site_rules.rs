//! `site_rules`: what the rules for this site say of its parameters. Not a
//! switch of a profile: it acts wherever a policy has a rule for the URL.

use std::borrow::Cow;

use regex::bytes::{Captures, Regex};

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};
use crate::param::{Param, holds_a_pair};
use crate::path::has_dot_segment;
use crate::percent::SESSION;
use crate::policy::{MOST_HREF, SiteRow, Verdict};
use crate::query::{BLANK, SITE};
use crate::url::{Options, Url};

pub(crate) static META: Meta = Meta {
    name: "site_rules",
    rule: "drop or empty parameters as a rule for this site says",
    section: "the policy's [[site]] rules",
    loss: Loss::Site,
    revision: 2,
    reason: "site-rule",
    example: ("http://shop.example/?color=red&v=7", "http://shop.example/?v=7"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    let (Some(site), Some(query)) = (&c.site, c.url.query()) else { return Did::Nothing };
    let by_name = site.acts_by_name_alone();
    if by_name && c.fields.seen & SITE == 0 {
        return Did::Nothing;
    }
    let semicolons = c.url.query_bits & SESSION != 0;
    let mut decided: Option<&SiteRow> = None;
    let mut emptied = false;
    let dropped = c.fields.retain_mut(|field| {
        if by_name && (field.class & SITE == 0 || !site.may_act_on(field.name(query))) {
            return true;
        }
        let row = match site.verdict(&field.param(query)) {
            None | Some(Verdict::Keep(_)) => return true,
            Some(_) if semicolons && holds_a_pair(field.value(query)) => return true,
            Some(Verdict::Valueless(_)) if field.name_end == field.to => return true,
            Some(Verdict::Drop(row)) => row,
            Some(Verdict::Valueless(row)) => {
                field.to = field.name_end;
                // Empty, it may be what goes: a default of nothing.
                match site.verdict(&field.param(query)) {
                    Some(Verdict::Drop(row)) => row,
                    _ => {
                        emptied = true;
                        decided = Some(row);
                        return true;
                    }
                }
            }
        };
        decided = Some(row);
        false
    });
    c.fields.changed |= emptied;
    if emptied {
        c.fields.seen |= BLANK;
    }
    c.rule = decided.map(|row| row.origin().into());
    Did::rewrote(emptied || dropped)
}

/// The same for parameters in a fragment, where a rule asks for them.
pub(crate) fn fragment(c: &mut Climb) -> Did {
    let (Some(site), Some(fragment)) = (&c.site, c.url.fragment()) else { return Did::Nothing };
    if !site.asks_for_fragments() {
        return Did::Nothing;
    }
    let mut decided: Option<&SiteRow> = None;
    c.tmp.clear();
    for text in fragment.split('&') {
        let param = Param::of(text.as_bytes());
        match site.verdict_in_fragment(&param) {
            Some(Verdict::Drop(row)) if !holds_a_pair(param.value()) => decided = Some(row),
            _ => {
                c.tmp.push_str(text);
                c.tmp.push('&');
            }
        }
    }
    let Some(row) = decided else { return Did::Nothing };
    c.rule = Some(row.origin().into());
    c.tmp.pop();
    c.url.set_fragment((!c.tmp.is_empty()).then_some(c.tmp));
    Did::Rewrote
}

/// Cuts out of href and path what a rule says. The result must parse, and be of the same origin.
pub(crate) fn cut(c: &mut Climb) -> Did {
    let Some(site) = &c.site else { return Did::Nothing };
    if c.url.href().len() > MOST_HREF {
        return Did::Nothing;
    }
    let mut refused = None;
    for row in site.cuts() {
        let from_href = row.raw().iter().map(|rx| (rx, false));
        for (rx, from_path) in from_href.chain(row.drop_path().iter().map(|rx| (rx, true))) {
            let Some(program) = rx.program() else { continue };
            let cut = if from_path { without_in_path(c.url, program) } else { without(c.url.href(), program) };
            let Some(cut) = cut else { continue };
            let parsed = cut.and_then(|cut| Url::parse(&cut, &Options::default()).ok());
            match parsed {
                Some(url) if url.href() == c.url.href() => {}
                Some(url) if front(&url) == front(c.url) => {
                    *c.url = url;
                    c.rule = Some(row.origin().into());
                    return Did::Rewrote;
                }
                _ if from_path => refused = Some("what is left is no path, or has a dot segment"),
                _ => refused = Some("what is left is no URL, or one of another origin"),
            }
        }
    }
    refused.map_or(Did::Nothing, Did::Refused)
}

/// The text without the matches; None where there is none, Some(None) where no text is left.
fn without(href: &str, program: &Regex) -> Option<Option<String>> {
    let found = program.replace_all(href.as_bytes(), &b""[..]);
    let Cow::Owned(cut) = found else { return None };
    Some(String::from_utf8(cut).ok())
}

/// The same for the path. A match between two slashes leaves one; what is left must begin with one, and have no dot
/// segments.
fn without_in_path(url: &Url, program: &Regex) -> Option<Option<String>> {
    let seam = |found: &Captures| match &found[0] {
        [b'/', .., b'/'] => b"/".to_vec(),
        _ => Vec::new(),
    };
    let path = url.path();
    let Cow::Owned(cut) = program.replace_all(path.as_bytes(), seam) else { return None };
    let Ok(cut) = String::from_utf8(cut) else { return Some(None) };
    let cut = if cut.is_empty() { "/" } else { cut.as_str() };
    if !cut.starts_with('/') || has_dot_segment(cut) {
        return Some(None);
    }
    let (from, to) = (url.path_start as usize, url.path_start as usize + path.len());
    Some(Some([&url.href()[..from], cut, &url.href()[to..]].concat()))
}

/// Scheme, userinfo, host and port.
fn front(url: &Url) -> &str {
    &url.href()[..url.path_start as usize]
}

#[cfg(test)]
mod tests {
    use super::MOST_HREF;
    use crate::{Explanation, Options, Policy, explain};

    fn ruled(rule: &str, text: &str) -> Explanation {
        let rules = format!("schema = 1\n[[site]]\nhost = \"*\"\n{rule}\n");
        let policy = Policy::builtin("crawl").unwrap().with_rules(&[("mine.toml", &rules)]).unwrap();
        explain(text, &Options::default(), &policy).unwrap()
    }

    fn told(expression: &str, text: &str) -> Explanation {
        ruled(&format!("drop_path = ['{expression}']"), text)
    }

    #[test]
    fn what_a_value_leaves_may_be_what_goes() {
        for more in ["default = { id = \"\" }", "drop_pairs = [\"^id$\"]"] {
            let rule = format!("valueless = [\"/.*id/\"]\n{more}");
            for (query, left) in [("?id=2", ""), ("?id", ""), ("?id=2&uid=3", "?uid")] {
                let key = ruled(&rule, &format!("http://a.example/{query}")).key;
                assert_eq!(key, format!("http://a.example/{left}"), "{query} under {rule}");
            }
        }
    }

    #[test]
    fn what_an_expression_finds_is_cut_out_of_the_path() {
        for (expression, path, left) in [
            ("^/en/", "/en/a", "/a"),
            ("^/en/", "/EN/en/a", "/a"),
            ("^/en/", "/a/en/b", "/a/en/b"),
            ("/sid-[0-9a-z]{8}/", "/a/sid-1a2b3c4d/b", "/a/b"),
            ("/[0-9]+/", "/a/1/2/3/b", "/a/b"),
            (";sid=[^/;]*", "/a;sid=1;p=2/b;SID=", "/a;p=2/b"),
            ("/amp$", "/a/amp", "/a"),
            ("/amp$", "/amp", "/"),
            (".*", "/a/b", "/"),
            ("^/en", "/en//a", "//a"),
            ("x", "/a?x=x#x", "/a?x=x"),
            ("a.example", "/a.example/b", "//b"),
            ("%3", "/%3B%2F", "/B%2F"),
        ] {
            let told = told(expression, &format!("http://a.example{path}"));
            assert_eq!(told.key, format!("http://a.example{left}"), "{expression} of {path}");
        }
    }

    #[test]
    fn the_step_names_file_and_line_and_a_path_that_nothing_is_found_in_has_none() {
        let step = &told("^/en/", "http://a.example/en/a").steps[0];
        assert_eq!((step.name, step.rule.as_deref()), ("site_rules", Some("mine.toml:2")));
        assert!(told("^/en/", "http://a.example/a?/en/").steps.is_empty());
        assert!(told("x*", "http://a.example/a").steps.is_empty(), "an empty match takes nothing");
    }

    #[test]
    fn what_would_be_another_address_is_refused() {
        for (expression, path) in
            [("x", "/.x./a"), ("x", "/a/.x"), ("x", "/a/.x%2e"), ("^/e", "/en"), ("^/", "/a"), ("^/a", "/a%2F")]
        {
            let text = format!("http://a.example{path}");
            let told = told(expression, &text);
            let kept = text.replace("%2e", ".");
            assert_eq!(told.key, kept, "{expression} of {path}");
            let refused = told.steps.iter().any(|step| step.name == "site_rules" && step.refused.is_some());
            assert!(refused, "{expression} of {path}: {:?}", told.steps);
        }
    }

    #[test]
    fn signed_urls_and_long_ones_stay_whole() {
        let signed = "https://b.s3.amazonaws.com/en/a?X-Amz-Expires=60&X-Amz-Signature=\
                      0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
        assert_eq!(told("^/en/", signed).key, signed);
        let in_path = "https://res.cloudinary.com/demo/image/upload/s--hg5zQ0Yq--/w_100/a.jpg";
        assert_eq!(told("/w_[0-9]+/", in_path).key, in_path);
        let unsigned = in_path.replace("s--", "s-");
        assert_eq!(told("/w_[0-9]+/", &unsigned).key, unsigned.replace("/w_100", ""));
        let most = MOST_HREF - "http://a.example/en/".len();
        let told_all = |length: usize| told("^/en/", &format!("http://a.example/en/{}", "a".repeat(length)));
        assert!(!told_all(most).key.contains("/en/"));
        assert!(told_all(most + 1).key.contains("/en/"));
    }
}
