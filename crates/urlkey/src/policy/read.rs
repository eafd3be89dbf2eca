//! Reads TOML with the line of every value at hand, and refuses what nobody
//! asked for. Must not know what any key means.

use std::cell::Cell;
use std::fmt::Display;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::PolicyError;
use crate::error::Code;

/// A text with a name, for errors.
pub(crate) struct File<'a> {
    name: Arc<str>,
    text: &'a str,
    code: Cell<Code>,
    lines: Vec<usize>,
}

/// A value and the byte where it stands.
pub(crate) type Value<'a> = Spanned<DeValue<'a>>;

impl<'a> File<'a> {
    /// A file whose errors are of this code.
    pub(crate) fn new(name: &str, text: &'a str, code: Code) -> File<'a> {
        let lines = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
        File { name: name.into(), text, code: Cell::new(code), lines }
    }

    /// The table of the whole file.
    pub(crate) fn parse(&self) -> Result<DeTable<'a>, PolicyError> {
        match DeTable::parse(self.text) {
            Ok(table) => Ok(table.into_inner()),
            Err(fault) => {
                let at = fault.span().map_or(0, |span| span.start);
                Err(self.error(at, first_line(fault.message())))
            }
        }
    }

    pub(crate) fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The line of a byte, counted from 1.
    pub(crate) fn line(&self, at: usize) -> usize {
        self.lines.partition_point(|&newline| newline < at) + 1
    }

    /// From here on, errors are of this code: a policy file may hold rules.
    pub(crate) fn code(&self, code: Code) {
        self.code.set(code);
    }

    pub(crate) fn error(&self, at: usize, message: impl Display) -> PolicyError {
        let line = Some(self.line(at));
        PolicyError { code: self.code.get(), file: self.name.to_string(), line, message: message.to_string() }
    }
}

/// A table under reading: its keys are checked once, then asked for by name.
pub(crate) struct Table<'f, 'a> {
    pub(crate) file: &'f File<'a>,
    pub(crate) at: usize,
    table: &'f DeTable<'a>,
}

impl<'f, 'a> Table<'f, 'a> {
    /// A table that holds none but these keys; `what` names one of them ("key", "limit").
    pub(crate) fn new(
        file: &'f File<'a>,
        at: usize,
        table: &'f DeTable<'a>,
        what: &str,
        allowed: &[&str],
    ) -> Result<Table<'f, 'a>, PolicyError> {
        let stranger = table.iter().map(|(key, _)| key).find(|key| !allowed.contains(&&**key.get_ref()));
        match stranger {
            None => Ok(Table { file, at, table }),
            Some(key) => {
                let message = format!("unknown {what} {:?}; allowed: {}", key.get_ref(), allowed.join(", "));
                Err(file.error(key.span().start, message))
            }
        }
    }

    /// A table inside another.
    pub(crate) fn of(
        file: &'f File<'a>,
        value: &'f Value<'a>,
        name: &str,
        what: &str,
        allowed: &[&str],
    ) -> Result<Table<'f, 'a>, PolicyError> {
        let table = as_table(file, value, name)?;
        Table::new(file, value.span().start, table, what, allowed)
    }

    pub(crate) fn get(&self, key: &str) -> Option<&'f Value<'a>> {
        self.table.get(key)
    }

    pub(crate) fn text(&self, key: &str) -> Result<Option<&'f str>, PolicyError> {
        self.get(key).map(|value| as_text(self.file, value, key)).transpose()
    }

    pub(crate) fn bool(&self, key: &str) -> Result<Option<bool>, PolicyError> {
        self.get(key).map(|value| as_bool(self.file, value, key)).transpose()
    }

    /// An integer within bounds.
    pub(crate) fn int(&self, key: &str, least: u64, most: u64) -> Result<Option<u64>, PolicyError> {
        self.get(key).map(|value| as_int(self.file, value, key, least, most)).transpose()
    }

    /// The texts of a list, each with its byte, none twice.
    pub(crate) fn texts(&self, key: &str) -> Result<Option<Vec<(&'f str, usize)>>, PolicyError> {
        self.get(key).map(|value| as_texts(self.file, value, key)).transpose()
    }

    /// The tables of a list of tables.
    pub(crate) fn tables(&self, key: &str) -> Result<&'f [Value<'a>], PolicyError> {
        match self.get(key) {
            None => Ok(&[]),
            Some(value) => match value.get_ref() {
                DeValue::Array(list) => Ok(list),
                other => Err(wrong(self.file, value, key, &format!("a list of tables, [[{key}]]"), other)),
            },
        }
    }

    /// What must be there.
    pub(crate) fn need<T>(&self, key: &str, found: Option<T>, like: &str) -> Result<T, PolicyError> {
        found.ok_or_else(|| self.file.error(self.at, format!("{key} is missing; write {key} = {like}")))
    }
}

pub(crate) fn as_table<'f, 'a>(
    file: &File<'a>,
    value: &'f Value<'a>,
    name: &str,
) -> Result<&'f DeTable<'a>, PolicyError> {
    value.get_ref().as_table().ok_or_else(|| wrong(file, value, name, "a table", value.get_ref()))
}

pub(crate) fn as_text<'f>(file: &File, value: &'f Value, name: &str) -> Result<&'f str, PolicyError> {
    value.get_ref().as_str().ok_or_else(|| wrong(file, value, name, "a text", value.get_ref()))
}

pub(crate) fn as_bool(file: &File, value: &Value, name: &str) -> Result<bool, PolicyError> {
    value.get_ref().as_bool().ok_or_else(|| wrong(file, value, name, "true or false", value.get_ref()))
}

fn as_int(file: &File, value: &Value, name: &str, least: u64, most: u64) -> Result<u64, PolicyError> {
    let allowed = format!("an integer from {least} to {most}");
    let Some(found) = value.get_ref().as_integer() else {
        return Err(wrong(file, value, name, &allowed, value.get_ref()));
    };
    match u64::from_str_radix(found.as_str(), found.radix()) {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(file.error(value.span().start, format!("{name} is {found}; allowed: {allowed}"))),
    }
}

fn as_texts<'f>(file: &File, value: &'f Value, name: &str) -> Result<Vec<(&'f str, usize)>, PolicyError> {
    let Some(list) = value.get_ref().as_array() else {
        return Err(wrong(file, value, name, "a list of texts", value.get_ref()));
    };
    let mut texts: Vec<(&str, usize)> = Vec::with_capacity(list.len());
    for item in list.iter() {
        texts.push((as_text(file, item, &format!("an item of {name}"))?, item.span().start));
    }
    let mut sorted = texts.clone();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(file.error(pair[1].1, format!("{:?} stands twice in {name}", pair[1].0)));
    }
    Ok(texts)
}

/// A number that may be written with or without a point.
pub(crate) fn as_float(file: &File, value: &Value, name: &str) -> Result<f64, PolicyError> {
    let text = match value.get_ref() {
        DeValue::Float(number) => number.as_str(),
        DeValue::Integer(number) if number.radix() == 10 => number.as_str(),
        other => return Err(wrong(file, value, name, "a number", other)),
    };
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(file.error(value.span().start, format!("{name} is {text}; allowed: a finite number"))),
    }
}

pub(crate) fn wrong(file: &File, value: &Value, name: &str, allowed: &str, found: &DeValue) -> PolicyError {
    let kind = match found.type_str() {
        "string" => "a text",
        "integer" => "an integer",
        "float" => "a number",
        "boolean" => "true or false",
        "datetime" => "a date",
        "array" => "a list",
        _ => "a table",
    };
    file.error(value.span().start, format!("{name} is {kind}; allowed: {allowed}"))
}

fn first_line(message: &str) -> &str {
    message.lines().next().unwrap_or("not TOML")
}
