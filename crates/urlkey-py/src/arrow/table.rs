//! Facts of a column of URLs, beside the columns of the batch that it stands in.

use super::facts::{Fact, Rows};
use super::keys::Call;
use super::work::{self, Job};
use crate::cdata::{Array, Column, Field, Node, Texts, fault};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::ops::Range;
use urlkey::Scratch;

/// What is asked for: the column that holds the URLs, and names and facts of the new ones.
pub struct Plan {
    /// None where the input is the column itself.
    column: Option<usize>,
    names: Vec<String>,
    facts: Vec<Fact>,
}

impl Plan {
    /// Of an input of this type.
    pub fn new(input: &Field, column: Option<&str>, asked: &[(String, String)]) -> PyResult<Plan> {
        let mut plan = Plan { column: None, names: Vec::new(), facts: Vec::new() };
        let mut taken: Vec<String> = Vec::new();
        if input.is_struct() {
            taken = input.children.iter().map(Field::name).collect();
            plan.column = Some(place(column.unwrap_or("url"), &taken)?);
        } else if column.is_some() {
            return Err(PyValueError::new_err("column names one of a record batch, and this is a column itself"));
        }
        for (name, fact) in asked {
            if taken.contains(name) {
                return Err(PyValueError::new_err(format!(
                    "there are two columns {name:?}: give the new one another name"
                )));
            }
            taken.push(name.clone());
            plan.names.push(name.clone());
            plan.facts.push(Fact::named(fact)?);
        }
        Ok(plan)
    }

    /// The facts of an array.
    pub fn rows(&self, array: &Array, call: &Call<'_>, py: Python<'_>) -> PyResult<Rows> {
        facts(self.urls(array)?, &self.facts, call, py)
    }

    fn urls<'a>(&self, array: &'a Array) -> PyResult<Node<'a>> {
        let node = array.node();
        let Some(column) = self.column else { return Ok(node) };
        if node.has_nulls().map_err(fault)? {
            return Err(PyValueError::new_err("a record batch with null rows is not read"));
        }
        node.column(column).map_err(fault)
    }

    /// The finished batch: the columns that came in, and the new ones.
    pub fn batch(&self, array: &Array, rows: Rows, policy_id: &str) -> PyResult<Column> {
        let old = if self.column.is_some() { array.field.children.len() } else { 0 };
        let mut columns =
            (0..old).map(|at| Column::child_of(array, at)).collect::<Result<Vec<_>, _>>().map_err(fault)?;
        for ((name, fact), made) in self.names.iter().zip(&self.facts).zip(rows.columns) {
            columns.push(made.column(name, *fact, policy_id));
        }
        Ok(Column::batch(columns, array.len(), self.metadata(&array.field)))
    }

    /// The metadata of the batch that came in.
    fn metadata(&self, input: &Field) -> Option<Vec<u8>> {
        self.column.and(input.metadata.clone())
    }

    /// Batches of one type: where a new column has offsets of 64 bits in one, it has them in all.
    pub fn batches(&self, mut chunks: Vec<(Array, Rows)>, policy_id: &str) -> PyResult<Vec<Column>> {
        for at in 0..self.facts.len() {
            if chunks.iter().any(|(_, rows)| rows.columns[at].is_large()) {
                chunks.iter_mut().for_each(|(_, rows)| rows.columns[at].widen());
            }
        }
        chunks.into_iter().map(|(array, rows)| self.batch(&array, rows, policy_id)).collect()
    }
}

/// Facts of a column of URLs.
pub fn facts(urls: Node<'_>, facts: &[Fact], call: &Call<'_>, py: Python<'_>) -> PyResult<Rows> {
    let texts = Texts::new(urls).map_err(fault)?;
    let threads = work::threads(call.threads, texts.len());
    match texts.dictionary() {
        Some(values) if values.len() <= texts.len() => {
            let made = work::run(&EachText { texts: values, facts, call }, values.len(), threads, py)?;
            let each = EachIndex { texts: &texts, facts, made: Rows::concat(facts, made) };
            Ok(Rows::concat(facts, work::run(&each, texts.len(), threads, py)?))
        }
        _ => {
            let made = work::run(&EachText { texts: &texts, facts, call }, texts.len(), threads, py)?;
            Ok(Rows::concat(facts, made))
        }
    }
}

fn place(column: &str, names: &[String]) -> PyResult<usize> {
    let mut found = (0..names.len()).filter(|at| names[*at] == column);
    match (found.next(), found.next()) {
        (Some(at), None) => Ok(at),
        (None, _) => {
            let names = names.join(", ");
            Err(PyValueError::new_err(format!("there is no column {column:?}: say which of {names} holds the URLs")))
        }
        (Some(_), Some(_)) => Err(PyValueError::new_err(format!("there are two columns {column:?}"))),
    }
}

/// Every row is looked at.
struct EachText<'a, 'c> {
    texts: &'a Texts<'a>,
    facts: &'a [Fact],
    call: &'a Call<'c>,
}

impl Job for EachText<'_, '_> {
    type Made = Rows;

    fn start(&self, rows: Range<usize>) -> Rows {
        Rows::with_capacity(self.facts, rows.len())
    }

    fn fill(&self, made: &mut Rows, rows: Range<usize>, scratch: &mut Scratch) -> bool {
        rows.for_each(|row| made.push(self.facts, self.texts.row(row), self.call, scratch));
        true
    }
}

/// Every value of a dictionary has been looked at: rows take theirs.
struct EachIndex<'a> {
    texts: &'a Texts<'a>,
    facts: &'a [Fact],
    made: Rows,
}

impl Job for EachIndex<'_> {
    type Made = Rows;

    fn start(&self, rows: Range<usize>) -> Rows {
        Rows::with_capacity(self.facts, rows.len())
    }

    fn fill(&self, made: &mut Rows, rows: Range<usize>, _: &mut Scratch) -> bool {
        rows.for_each(|row| made.push_row(&self.made, self.texts.index_of(row)));
        true
    }
}
