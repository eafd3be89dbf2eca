//! ACLs of Squid: `dstdomain`, `dstdom_regex`, `url_regex`, `urlpath_regex`, as
//! lines `acl NAME TYPE [-i] VALUE...` or without the first two words.
//!
//! Source: <https://www.squid-cache.org/Doc/config/acl/>.

use super::{Found, ere, host};
use crate::host::HostKind;
use crate::patterns::Dialect;
use crate::patterns::model::{Depths, Fault, Field, Pattern, Read, Target};

/// The patterns of a line with its type.
pub(super) fn read(line: &str) -> Vec<Found<'_>> {
    // "# block a tracker": from a word that begins so on, squid.conf is a comment.
    let words = words(line).take_while(|(_, word)| !word.starts_with('#')).collect::<Vec<_>>();
    let rest = match words.as_slice() {
        [(_, "acl"), _, rest @ ..] => rest,
        rest => rest,
    };
    let Some((&(at, kind), rest)) = rest.split_first() else {
        return vec![Err(Fault::new(0, "an ACL has a name, a type and values"))];
    };
    let field = match kind {
        "dstdomain" => None,
        "dstdom_regex" => Some(Field::Host),
        "url_regex" => Some(Field::Url),
        "urlpath_regex" => Some(Field::Path),
        _ => {
            let types = "the type is none of dstdomain, dstdom_regex, url_regex, urlpath_regex";
            return vec![Err(Fault::new(at, types))];
        }
    };
    values(rest, field, line.len())
}

/// The pattern of a line of a file of expressions; options may stand before it.
pub(super) fn expressions(line: &str, dialect: Dialect) -> Vec<Found<'_>> {
    let field = if dialect == Dialect::SquidUrl { Field::Url } else { Field::Path };
    let words = words(line).collect::<Vec<_>>();
    let options = words.iter().take_while(|(_, word)| matches!(*word, "-i" | "+i")).count();
    // An item of a file is a line; what looks like an option is one.
    let Some(&(at, _)) = words.get(options) else {
        return vec![Err(Fault::new(line.len(), "no expression behind the option"))];
    };
    let folds = words[..options].last().is_some_and(|(_, word)| *word == "-i");
    vec![expression(line[at..].trim_end(), at, field, folds)]
}

/// A line of a file of domains.
pub(super) fn domain(text: &str) -> Read<Pattern> {
    domain_at(text, 0)
}

fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split_ascii_whitespace().map(|word| (word.as_ptr() as usize - line.as_ptr() as usize, word))
}

fn values<'a>(words: &[(usize, &'a str)], field: Option<Field>, end: usize) -> Vec<Found<'a>> {
    let (mut found, mut folds) = (Vec::new(), false);
    for &(at, word) in words {
        found.push(match (word, field) {
            ("-i", _) => {
                folds = true;
                continue;
            }
            ("+i", _) => {
                folds = false;
                continue;
            }
            ("-n" | "--", None) => continue,
            _ if word.starts_with('"') => Err(Fault::new(at, "a file of values is not followed: give its lines")),
            (_, None) => super::visible(word).and_then(|()| domain_at(word, at)).map(|pattern| (word, at, pattern)),
            (_, Some(field)) => expression(word, at, field, folds),
        });
    }
    if found.is_empty() {
        found.push(Err(Fault::new(end, "an ACL has at least one value")));
    }
    found
}

/// "`.x` is the domain and all below; without the dot it is the very host."
fn domain_at(text: &str, at: usize) -> Read<Pattern> {
    let dot = usize::from(text.starts_with('.'));
    let (host, kind) = host(&text[dot..], at + dot)?;
    let depths = if dot == 1 && kind == HostKind::Domain { Depths::AT_OR_BELOW } else { Depths::EXACT };
    Ok(Pattern::new(Target::Tail { host, depths }))
}

fn expression(text: &str, at: usize, field: Field, folds: bool) -> Found<'_> {
    let read = ere::translated(text).map_err(|fault| Fault { at: at + fault.at, ..fault })?;
    let flag = if folds { "(?i)" } else { "" };
    Ok((text, at, Pattern::new(Target::Expression { field, text: format!("{flag}{read}") })))
}
