//! The columns of a table: what may be asked of a URL, and where it is put.

use super::keys::Call;
use super::lists::Lists;
use super::strings::Strings;
use crate::cdata::{Column, Field};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::borrow::Cow;
use std::io::Write;
use urlkey::{Identity, Key, ParseError, Scratch, Url};

/// What may be asked of a URL.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    Key,
    Href,
    Digest,
    Error,
    Loss,
    Flags,
    Host,
    Hostname,
    RegistrableDomain,
}

impl Fact {
    /// All of them.
    pub const ALL: [Fact; 9] = [
        Fact::Key,
        Fact::Href,
        Fact::Digest,
        Fact::Error,
        Fact::Loss,
        Fact::Flags,
        Fact::Host,
        Fact::Hostname,
        Fact::RegistrableDomain,
    ];

    /// Its name in Python.
    pub fn name(self) -> &'static str {
        match self {
            Fact::Key => "key",
            Fact::Href => "href",
            Fact::Digest => "digest",
            Fact::Error => "error",
            Fact::Loss => "loss",
            Fact::Flags => "flags",
            Fact::Host => "host",
            Fact::Hostname => "hostname",
            Fact::RegistrableDomain => "registrable_domain",
        }
    }

    /// By the name that Python gives.
    pub fn named(name: &str) -> PyResult<Fact> {
        Fact::ALL.into_iter().find(|fact| fact.name() == name).ok_or_else(|| {
            let names = Fact::ALL.map(Fact::name).join(", ");
            PyValueError::new_err(format!("there is no column {name:?} to be made; there are {names}"))
        })
    }

    /// Whether it is read off the parsed URL.
    fn is_of_url(self) -> bool {
        matches!(self, Fact::Href | Fact::Host | Fact::Hostname | Fact::RegistrableDomain)
    }

    /// Whether it is known only to who watches the way down the ladder.
    fn is_of_ladder(self) -> bool {
        matches!(self, Fact::Loss | Fact::Flags)
    }
}

/// The column of one fact, under construction.
pub enum Facts {
    Text(Strings),
    Lists(Lists),
}

impl Facts {
    fn with_capacity(fact: Fact, rows: usize) -> Facts {
        match fact {
            Fact::Flags => Facts::Lists(Lists::with_capacity(rows)),
            _ => Facts::Text(Strings::with_capacity(rows, 0, false)),
        }
    }

    /// Row `row` of another column once more, or a null.
    fn push_row(&mut self, other: &Facts, row: Option<usize>) {
        match (self, other) {
            (Facts::Text(all), Facts::Text(other)) => all.push_option(row.and_then(|row| other.row(row))),
            (Facts::Lists(all), Facts::Lists(other)) => all.push(row.and_then(|row| other.row(row))),
            _ => (),
        }
    }

    /// Whether offsets have 64 bits.
    pub fn is_large(&self) -> bool {
        match self {
            Facts::Text(text) => text.is_large(),
            Facts::Lists(lists) => lists.is_large(),
        }
    }

    /// Gives all offsets 64 bits.
    pub fn widen(&mut self) {
        match self {
            Facts::Text(text) => text.widen(),
            Facts::Lists(lists) => lists.widen(),
        }
    }

    /// The finished column.
    pub fn column(self, name: &str, fact: Fact, policy_id: &str) -> Column {
        match self {
            Facts::Lists(lists) => lists.column(name),
            Facts::Text(text) => {
                let field = |format| match fact {
                    Fact::Key | Fact::Digest => Field::new(name, format).with_metadata(super::POLICY_ID, policy_id),
                    _ => Field::new(name, format),
                };
                text.column(field, fact != Fact::Digest)
            }
        }
    }
}

/// The columns of a table, row by row.
pub struct Rows {
    pub columns: Vec<Facts>,
    /// Reused from row to row.
    text: Vec<u8>,
}

impl Rows {
    /// For about so many rows.
    pub fn with_capacity(facts: &[Fact], rows: usize) -> Rows {
        let columns = facts.iter().map(|fact| Facts::with_capacity(*fact, rows)).collect();
        Rows { columns, text: Vec::new() }
    }

    /// All rows, piece after piece.
    pub fn concat(facts: &[Fact], pieces: Vec<Rows>) -> Rows {
        let mut columns: Vec<(Vec<Strings>, Vec<Lists>)> = facts.iter().map(|_| Default::default()).collect();
        for (column, piece) in pieces.into_iter().flat_map(|piece| piece.columns.into_iter().enumerate()) {
            match piece {
                Facts::Text(text) => columns[column].0.push(text),
                Facts::Lists(lists) => columns[column].1.push(lists),
            }
        }
        let join = |(fact, (texts, lists)): (&Fact, (Vec<Strings>, Vec<Lists>))| match fact {
            Fact::Flags => Facts::Lists(Lists::concat(lists)),
            _ => Facts::Text(Strings::concat(texts)),
        };
        Rows { columns: facts.iter().zip(columns).map(join).collect(), text: Vec::new() }
    }

    /// The one column there is.
    pub fn only(mut self) -> Facts {
        self.columns.swap_remove(0)
    }

    /// Row `row` of other columns once more, or nulls.
    pub fn push_row(&mut self, other: &Rows, row: Option<usize>) {
        self.columns.iter_mut().zip(&other.columns).for_each(|(column, other)| column.push_row(other, row));
    }

    /// One row: the facts of these bytes, or nulls, and perhaps an error.
    pub fn push(&mut self, facts: &[Fact], bytes: Option<&[u8]>, call: &Call<'_>, scratch: &mut Scratch) {
        let known = bytes.map(|bytes| Known::of(bytes, facts, call, scratch));
        let (known, error) = match known {
            Some(Ok(known)) => (Some(known), None),
            Some(Err(error)) => (None, Some(error.code.as_str())),
            None => (None, None),
        };
        for (fact, column) in facts.iter().zip(&mut self.columns) {
            match column {
                Facts::Text(text) if *fact == Fact::Error => text.push_option(error.map(str::as_bytes)),
                Facts::Text(text) => {
                    self.text.clear();
                    let is_there = known.as_ref().is_some_and(|known| known.write(*fact, &mut self.text));
                    text.push_option(is_there.then_some(&*self.text));
                }
                Facts::Lists(lists) => {
                    let told = known.as_ref().and_then(|known| known.told.as_ref());
                    lists.push(told.map(|told| told.flags.iter().map(|flag| flag.as_bytes())));
                }
            }
        }
    }
}

/// What is known of one URL, as far as somebody asks.
struct Known<'a> {
    key: Cow<'a, [u8]>,
    url: Option<Url>,
    told: Option<Identity>,
}

impl<'a> Known<'a> {
    fn of(bytes: &'a [u8], facts: &[Fact], call: &Call<'_>, scratch: &mut Scratch) -> Result<Known<'a>, ParseError> {
        let key = match call.key(bytes, scratch)? {
            Key::Same => Cow::Borrowed(bytes),
            Key::New(key) => Cow::Owned(key.as_bytes().to_vec()),
        };
        let mut known = Known { key, url: None, told: None };
        if facts.iter().any(|fact| fact.is_of_url() || fact.is_of_ladder()) {
            let text = urlkey::text_of_bytes(bytes)?;
            if facts.iter().any(|fact| fact.is_of_url()) {
                known.url = Some(urlkey::parse_under(&text, &call.options, call.policy)?);
            }
            if facts.iter().any(|fact| fact.is_of_ladder()) {
                known.told = Some(urlkey::identify(&text, &call.options, call.policy)?);
            }
        }
        Ok(known)
    }

    /// Writes a fact; false where there is none.
    fn write(&self, fact: Fact, out: &mut Vec<u8>) -> bool {
        let url = self.url.as_ref();
        let host = url.and_then(|url| url.host());
        let text = match fact {
            Fact::Key => Some(&*self.key),
            Fact::Href => url.map(|url| url.href().as_bytes()),
            Fact::Digest => {
                // A key is ASCII.
                let digest = std::str::from_utf8(&self.key).map(urlkey::digest);
                out.extend(digest.iter().flatten());
                return digest.is_ok();
            }
            Fact::Loss => self.told.as_ref().map(|told| told.loss.as_str().as_bytes()),
            Fact::Host | Fact::Hostname => host.map(str::as_bytes),
            Fact::RegistrableDomain => host.and_then(urlkey::registrable_domain).map(str::as_bytes),
            Fact::Error | Fact::Flags => None,
        };
        out.extend_from_slice(text.unwrap_or_default());
        if let (Fact::Host, Some(_), Some(port)) = (fact, host, url.and_then(|url| url.port())) {
            // Writing to memory cannot fail.
            return write!(out, ":{port}").is_ok();
        }
        text.is_some()
    }
}
