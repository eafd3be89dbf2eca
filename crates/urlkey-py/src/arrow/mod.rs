//! Keys and other facts of Arrow columns: any object with the Arrow PyCapsule
//! interface in, such an object out. Must not know how a key is made.

mod facts;
mod keys;
mod lists;
mod objects;
mod parts;
mod strings;
mod table;
pub mod work;

pub use objects::{Array, ChunkedArray};

use crate::args::{self, BaseArg, PolicyArg};
use crate::batch::{OnError, Threads};
use crate::cdata::{self, Column, Field, Given};
use facts::Fact;
use keys::Call;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use table::Plan;
use urlkey::Options;

/// The metadata of a column of keys that name the policy that made them.
const POLICY_ID: &str = "urlkey.policy_id";

/// What `on_error` may be: an array has no room for errors.
fn raise(on_error: &str) -> PyResult<bool> {
    match OnError::named(on_error) {
        Ok(OnError::Raise) => Ok(true),
        Ok(OnError::Null) => Ok(false),
        _ => Err(PyValueError::new_err(format!("on_error must be 'raise' or 'null', not {on_error:?}"))),
    }
}

/// The keys of a column of URLs, as a column of as many rows, in their order.
///
/// `array` is any object with the Arrow PyCapsule interface: an array, a chunked array or a stream of
/// string, large_string, string_view, binary, large_binary, binary_view, a dictionary of these, or null;
/// what a PyArrow, Polars, pandas or DuckDB column is. It is read where it lies, without a copy. `base`,
/// `policy` and `encoding` are those of `urlkey.key`. `threads`: how many share the work, outside the
/// GIL; None is as many as there are processors, as far as the column is long enough to be worth it.
///
/// Returns an Array, or for a stream a ChunkedArray with the same chunks, of type string, or
/// large_string where the input is that or the keys are longer than 2 GiB. Nulls stay null. Rows that
/// are no URL are null too, or with `on_error='raise'` raise the UrlKeyError of the first of them.
/// Raises TypeError for what is no Arrow array, ValueError for one of another type or a damaged one.
///
/// Source: https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html
#[pyfunction]
#[pyo3(
    signature = (array, base=None, *, policy=None, encoding=None, threads=None, on_error="null"),
    text_signature = "(array, base=None, *, policy='crawl', encoding='utf-8', threads=None, on_error='null')"
)]
pub fn arrow_keys<'py>(
    array: &Bound<'py, PyAny>,
    base: Option<&Bound<'py, PyAny>>,
    policy: Option<&Bound<'py, PyAny>>,
    encoding: Option<&Bound<'py, PyAny>>,
    threads: Option<Threads>,
    on_error: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    let shared = Shared::new(py, base, policy, encoding)?;
    let call = Call { raise: raise(on_error)?, ..shared.call(threads) };
    let finish = |input: &Field, keys: facts::Facts| keys.column(&input.name(), Fact::Key, shared.policy.id());
    each(array, py, |array, first| call.keys(array, first, py), finish)
}

/// One fact of each URL of a column, as a column.
///
/// `array`, `base`, `policy`, `encoding` and `threads` are those of `arrow_keys`, and so is what comes
/// back: its rows are null where there is no URL, and where the URL has no such thing. `name` is 'key',
/// 'href', 'digest', 'error', 'loss', 'flags', 'host', 'hostname' or 'registrable_domain'.
/// Raises ValueError for another name.
#[pyfunction]
#[pyo3(
    signature = (array, name, base=None, *, policy=None, encoding=None, threads=None),
    text_signature = "(array, name, base=None, *, policy='crawl', encoding='utf-8', threads=None)"
)]
pub fn arrow_column<'py>(
    array: &Bound<'py, PyAny>,
    name: &str,
    base: Option<&Bound<'py, PyAny>>,
    policy: Option<&Bound<'py, PyAny>>,
    encoding: Option<&Bound<'py, PyAny>>,
    threads: Option<Threads>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    let shared = Shared::new(py, base, policy, encoding)?;
    let call = shared.call(threads);
    let fact = Fact::named(name)?;
    let facts = |array: &cdata::Array, _| table::facts(array.node(), &[fact], &call, py).map(facts::Rows::only);
    let finish = |input: &Field, made: facts::Facts| made.column(&input.name(), fact, shared.policy.id());
    each(array, py, facts, finish)
}

/// What is made of every chunk of a column, as an Array or a ChunkedArray.
fn each<'py>(
    array: &Bound<'py, PyAny>,
    py: Python<'py>,
    make: impl Fn(&cdata::Array, usize) -> PyResult<facts::Facts>,
    finish: impl Fn(&Field, facts::Facts) -> Column,
) -> PyResult<Bound<'py, PyAny>> {
    match cdata::read("array", array)? {
        Given::One(array) => {
            let made = make(&array, 0)?;
            Ok(Bound::new(py, Array::new(finish(&array.field, made)))?.into_any())
        }
        Given::Many(stream) => {
            let mut chunks = Vec::new();
            let mut rows = 0;
            while let Some(array) = stream.next(py)? {
                chunks.push(make(&array, rows)?);
                rows += array.len();
            }
            // A stream of no chunks has a type too.
            let none = chunks.is_empty();
            if none {
                chunks.push(make(&cdata::Array::empty(&stream.field), 0)?);
            }
            // One type for all: where one has offsets of 64 bits, all have.
            if chunks.iter().any(facts::Facts::is_large) {
                chunks.iter_mut().for_each(facts::Facts::widen);
            }
            let columns: Vec<Column> = chunks.into_iter().map(|chunk| finish(&stream.field, chunk)).collect();
            Ok(Bound::new(py, ChunkedArray::new(columns, none))?.into_any())
        }
    }
}

/// What `table` gives: facts of a column of URLs, beside the columns that stood there.
///
/// `data` is a column of URLs as `arrow_keys` takes it, or a record batch, a table or a stream of record
/// batches, of which `column` names the one with the URLs ('url' where it is None). `columns` are pairs
/// of the name of a new column and of what it holds. `base`, `policy`, `encoding` and `threads` are those
/// of `arrow_keys`. Returns an Array, or for a stream a ChunkedArray with the same chunks, of type
/// struct: a record batch with the columns that came in, as they are, and the new ones behind them.
/// Raises ValueError for a column that is not there, or twice, or cannot be made.
#[pyfunction]
#[pyo3(signature = (data, column, columns, base, policy, encoding, threads))]
pub fn arrow_table<'py>(
    data: &Bound<'py, PyAny>,
    column: Option<&str>,
    columns: Vec<(String, String)>,
    base: Option<&Bound<'py, PyAny>>,
    policy: Option<&Bound<'py, PyAny>>,
    encoding: Option<&Bound<'py, PyAny>>,
    threads: Option<Threads>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = data.py();
    let shared = Shared::new(py, base, policy, encoding)?;
    let call = shared.call(threads);
    let id = shared.policy.id();
    match cdata::read("data", data)? {
        Given::One(array) => {
            let plan = Plan::new(&array.field, column, &columns)?;
            let rows = plan.rows(&array, &call, py)?;
            Ok(Bound::new(py, Array::new(plan.batch(&array, rows, id)?))?.into_any())
        }
        Given::Many(stream) => {
            let plan = Plan::new(&stream.field, column, &columns)?;
            let mut chunks = Vec::new();
            while let Some(array) = stream.next(py)? {
                let rows = plan.rows(&array, &call, py)?;
                chunks.push((array, rows));
            }
            let none = chunks.is_empty();
            if none {
                let array = cdata::Array::empty(&stream.field);
                let rows = plan.rows(&array, &call, py)?;
                chunks.push((array, rows));
            }
            Ok(Bound::new(py, ChunkedArray::new(plan.batches(chunks, id)?, none))?.into_any())
        }
    }
}

/// What the arguments that all functions share hold.
struct Shared<'a> {
    base: BaseArg<'a>,
    policy: PolicyArg<'a>,
    encoding: urlkey::Encoding,
}

impl<'a> Shared<'a> {
    fn new(
        py: Python<'_>,
        base: Option<&'a Bound<'_, PyAny>>,
        policy: Option<&'a Bound<'_, PyAny>>,
        encoding: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Shared<'a>> {
        Ok(Shared { base: BaseArg::new(base)?, policy: args::policy(py, policy)?, encoding: args::encoding(encoding)? })
    }

    fn call(&self, threads: Option<Threads>) -> Call<'_> {
        let options = Options { base: self.base.url(), encoding: self.encoding };
        Call { options, policy: &self.policy, raise: false, threads: threads.map(Threads::count) }
    }
}
