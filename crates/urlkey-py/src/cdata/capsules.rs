//! PyCapsules: what Python objects hand over, and what ours do.

use super::import::{Array, Fault};
use super::stream::{self, Incoming};
use super::{ArrowArray, ArrowArrayStream, ArrowSchema, Column, Field, take};
use crate::errors;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::CStr;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// What a Python object handed over.
pub enum Given {
    One(Array),
    Many(Stream),
}

/// A stream, pulled with the GIL released: a producer may run Python code, on any thread.
pub struct Stream {
    pub field: Arc<Field>,
    /// Never contended: it only lets the stream be used while detached.
    incoming: Mutex<Incoming>,
}

impl Stream {
    /// The next array; None at the end.
    pub fn next(&self, py: Python<'_>) -> PyResult<Option<Array>> {
        let next = || match self.incoming.lock() {
            Ok(mut incoming) => incoming.next(),
            Err(_) => Err(Fault::new("the stream broke off")),
        };
        py.detach(next).map_err(fault)
    }
}

/// A damaged array as Python's error.
#[cold]
pub fn fault(fault: Fault) -> PyErr {
    PyValueError::new_err(fault.to_string())
}

/// The array or the stream of an object with the Arrow PyCapsule interface.
///
/// An object that has both and fails to give one array (it is of several chunks) is taken as a stream.
pub fn read(argument: &str, object: &Bound<'_, PyAny>) -> PyResult<Given> {
    let array = object.getattr_opt("__arrow_c_array__")?;
    let stream = object.getattr_opt("__arrow_c_stream__")?;
    match (array, stream) {
        (Some(array), None) => read_array(&array),
        (Some(array), Some(stream)) => read_array(&array).or_else(|_| read_stream(&stream)),
        (None, Some(stream)) => read_stream(&stream),
        (None, None) => {
            let allowed = "an Arrow array: an object with __arrow_c_array__ or __arrow_c_stream__";
            Err(errors::type_error(argument, allowed, object))
        }
    }
}

fn read_array(method: &Bound<'_, PyAny>) -> PyResult<Given> {
    let pair = method.call0()?;
    let wrong = || PyTypeError::new_err("__arrow_c_array__ must return two capsules, of a schema and of an array");
    let pair = pair.cast::<PyTuple>().map_err(|_| wrong())?;
    if pair.len() != 2 {
        return Err(wrong());
    }
    let schema = pointer::<ArrowSchema>(&pair.get_item(0)?, SCHEMA)?;
    let array = pointer::<ArrowArray>(&pair.get_item(1)?, ARRAY)?;
    // SAFETY: a capsule of this name holds a schema that its producer filled; it stays in the capsule,
    // which lives to the end of this function and releases it.
    let field = Field::read(unsafe { schema.as_ref() }).map_err(fault)?;
    // SAFETY: likewise an array; it is moved out, as consumers do, under the GIL.
    let array = unsafe { take(array.as_ptr(), ArrowArray::empty) };
    Array::new(array, Arc::new(field)).map(Given::One).map_err(fault)
}

fn read_stream(method: &Bound<'_, PyAny>) -> PyResult<Given> {
    let capsule = method.call0()?;
    let stream = pointer::<ArrowArrayStream>(&capsule, STREAM)?;
    // SAFETY: a capsule of this name holds a stream that its producer filled; it is moved out, as
    // consumers do, under the GIL.
    let stream = unsafe { take(stream.as_ptr(), ArrowArrayStream::empty) };
    let incoming = method.py().detach(|| Incoming::new(stream)).map_err(fault)?;
    Ok(Given::Many(Stream { field: incoming.field.clone(), incoming: Mutex::new(incoming) }))
}

/// What a capsule of this name points to.
fn pointer<T>(object: &Bound<'_, PyAny>, name: &CStr) -> PyResult<NonNull<T>> {
    let wrong = || PyTypeError::new_err(format!("there must be a capsule named {name:?}"));
    let capsule = object.cast::<PyCapsule>().map_err(|_| wrong())?;
    let pointer = capsule.pointer_checked(Some(name)).map_err(|_| wrong())?.cast::<T>();
    if pointer.is_aligned() { Ok(pointer) } else { Err(PyValueError::new_err("the capsule's struct is not aligned")) }
}

/// A capsule of a schema.
pub fn schema_capsule<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, field.export(), SCHEMA)
}

/// A capsule of an array.
pub fn array_capsule<'py>(py: Python<'py>, column: &Column) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, column.export(), ARRAY)
}

/// A capsule of a stream.
pub fn stream_capsule<'py>(
    py: Python<'py>,
    field: Arc<Field>,
    columns: Vec<Column>,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, stream::export(field, columns), STREAM)
}
