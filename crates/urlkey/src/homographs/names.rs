//! Names that others are compared with: by what is left of a label when marks,
//! case and likenesses are taken away.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

use super::{Label, data, is_mark};
use crate::domain::{registrable_domain, registrable_start};
use crate::error::{Code, ParseError};
use crate::host::{HostKind, parse_host};
use crate::ladder::Off;

/// Names that are protected.
#[derive(Default)]
pub struct Protected {
    names: Vec<Name>,
    /// By what the first label looks like.
    labels: HashMap<String, Vec<u32>>,
    /// By what the domain looks like.
    domains: HashMap<String, Vec<u32>>,
    /// By the domain in ASCII.
    own: HashMap<String, u32>,
}

struct Name {
    written: String,
    /// The registrable domain, or the label where it is one alone.
    domain: String,
    label: String,
}

impl Protected {
    /// Of domains (`apple.com`) and of labels that are protected under any suffix (`apple`). A host
    /// below a domain stands for that.
    ///
    /// Errors: the place of a name that is none, and why.
    pub fn new<T: AsRef<str>>(names: &[T]) -> Result<Protected, (usize, ParseError)> {
        let mut made = Protected::default();
        for (place, written) in names.iter().map(AsRef::as_ref).enumerate() {
            made.add(written).map_err(|error| (place, error))?;
        }
        Ok(made)
    }

    fn add(&mut self, written: &str) -> Result<(), ParseError> {
        let mut ascii = String::new();
        if parse_host(written, true, 0, &mut ascii, &mut Off)? != HostKind::Domain {
            return Err(ParseError::new(Code::DomainInvalidCodePoint, 0));
        }
        let ascii = ascii.strip_suffix('.').unwrap_or(&ascii);
        // A public suffix is nobody's name: it would protect nothing.
        let domain = match registrable_domain(ascii) {
            Some(domain) if !ascii.contains('*') => domain,
            None if !ascii.contains(['.', '*']) => ascii,
            _ => return Err(ParseError::new(Code::DomainInvalidCodePoint, 0)),
        };
        let label = domain.split('.').next().unwrap_or(domain);
        if label.is_empty() {
            return Err(ParseError::new(Code::DomainInvalidCodePoint, 0));
        }
        let index = self.names.len() as u32;
        self.labels.entry(looks(&Label::read(label).unicode)).or_default().push(index);
        let unicode = domain.split('.').map(|label| Label::read(label).unicode).collect::<Vec<_>>().join(".");
        self.domains.entry(looks(&unicode)).or_default().push(index);
        self.own.entry(domain.to_owned()).or_insert(index);
        self.names.push(Name { written: written.to_owned(), domain: domain.to_owned(), label: label.to_owned() });
        Ok(())
    }

    /// The name that a host looks like and is not. `count`: labels before the public suffix.
    pub(super) fn like(&self, ascii: &str, labels: &[Label], count: usize) -> Option<&str> {
        if self.names.is_empty() {
            return None;
        }
        let domain = &ascii[registrable_start(ascii).unwrap_or(0)..];
        if self.own.contains_key(domain) || self.is_own_label(labels, count) {
            return None;
        }
        // The domain's own label first: what stands before it is of less weight.
        let mut found = labels[..count].iter().rev().find_map(|label| self.like_label(label.ascii, &label.unicode));
        found = found.or_else(|| {
            let unicode = labels[count.saturating_sub(1)..].iter().map(|label| &*label.unicode).collect::<Vec<_>>();
            self.of(&self.domains, &looks(&unicode.join("."))).find(|name| name.domain != domain)
        });
        found.map(|name| name.written.as_str())
    }

    /// As `like`, of a host of ASCII in the case in which it was written: a capital i looks like an l.
    pub(super) fn like_spelled(&self, host: &str, ascii: &str, labels: &[Label], count: usize) -> Option<&str> {
        let spelled = host.strip_suffix('.').unwrap_or(host);
        if !spelled.bytes().any(|byte| byte.is_ascii_uppercase()) || !spelled.eq_ignore_ascii_case(ascii) {
            return None;
        }
        let labels: Vec<Label> = spelled
            .split('.')
            .zip(labels)
            .map(|(spelled, label)| {
                // Among capitals it looks like itself.
                let in_case = spelled.bytes().any(|byte| byte.is_ascii_lowercase());
                let unicode = if in_case { spelled } else { label.ascii };
                Label { ascii: label.ascii, unicode: unicode.to_owned(), valid: label.valid }
            })
            .collect();
        self.like(ascii, &labels, count)
    }

    /// Whether the domain's label is one that is protected under any suffix.
    fn is_own_label(&self, labels: &[Label], count: usize) -> bool {
        count.checked_sub(1).is_some_and(|at| self.own.contains_key(labels[at].ascii))
    }

    /// By the label, and by each of its parts between hyphens: `paypa1-login`.
    fn like_label(&self, ascii: &str, unicode: &str) -> Option<&Name> {
        let whole = self.of(&self.labels, &looks(unicode)).find(|name| name.label != ascii);
        whole.or_else(|| {
            let parts = unicode.split('-').filter(|part| part.len() < unicode.len());
            parts.into_iter().find_map(|part| {
                self.of(&self.labels, &looks(part))
                    .find(|name| !Label::read(&name.label).unicode.eq_ignore_ascii_case(part))
            })
        })
    }

    fn of(&self, table: &HashMap<String, Vec<u32>>, looks: &str) -> impl Iterator<Item = &Name> {
        table.get(looks).into_iter().flatten().map(|&index| &self.names[index as usize])
    }
}

/// What is left of a text when nothing that looks alike is told apart: its skeleton, without the
/// marks of Latin, Greek and Cyrillic letters, without case, and by the likenesses of our data.
fn looks(text: &str) -> String {
    let data = data::data();
    let mut plain = String::with_capacity(text.len());
    for unit in text.nfd().filter(|&unit| !is_mark(unit)) {
        match data.alike.get(&unit) {
            Some(like) => plain.push_str(like),
            None => plain.push(unit),
        }
    }
    let skeleton = unicode_security::skeleton(&plain).filter(|&unit| !is_mark(unit));
    // A zero is a capital O in UTS 39.
    let lower: String = skeleton.flat_map(char::to_lowercase).collect();
    lower.replace("vv", "w")
}
