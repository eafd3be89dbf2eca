//! The classes Array and ChunkedArray: Arrow columns for whoever asks through the
//! PyCapsule interface. Must not know where they come from.

use crate::cdata::{Buffer, Column, Field, array_capsule, schema_capsule, stream_capsule, type_name};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyList, PyString};
use std::sync::Arc;

/// A column, or a record batch: an Arrow array that PyArrow, Polars, pandas, DuckDB and others take
/// without a copy, through the Arrow PyCapsule interface.
///
/// Source: https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html
#[pyclass(frozen, module = "urlkey.arrow")]
pub struct Array {
    column: Column,
}

impl Array {
    pub fn new(column: Column) -> Array {
        Array { column }
    }
}

#[pymethods]
impl Array {
    /// The type, in the words of Arrow: 'string', 'large_string', 'binary', 'bool', 'struct'.
    #[getter]
    fn r#type(&self) -> String {
        type_name(&self.column.field.format.to_string_lossy())
    }

    /// How many rows are null.
    #[getter]
    fn null_count(&self) -> usize {
        self.column.nulls()
    }

    /// The rows as Python objects.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = (0..self.column.len()).map(|row| object(&self.column, row, py));
        PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        requested_schema: Option<&Bound<'py, PyAny>>,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // A producer may give another type than the one asked for: the consumer casts.
        let _ = requested_schema;
        Ok((schema_capsule(py, &self.column.field)?, array_capsule(py, &self.column)?))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.column.field)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        requested_schema: Option<&Bound<'py, PyAny>>,
        py: Python<'py>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        stream_capsule(py, self.column.field.clone(), vec![self.column.clone()])
    }

    fn __len__(&self) -> usize {
        self.column.len()
    }

    fn __repr__(&self) -> String {
        format!("<urlkey.arrow.Array of {}, {} rows>", self.r#type(), self.column.len())
    }
}

/// Columns of one type end to end, or record batches: what `Array` is, in several chunks.
///
/// Source: https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html
#[pyclass(frozen, module = "urlkey.arrow")]
pub struct ChunkedArray {
    field: Arc<Field>,
    chunks: Vec<Column>,
}

impl ChunkedArray {
    /// Of columns of one type, one at least; with `none` it only says the type.
    pub fn new(mut chunks: Vec<Column>, none: bool) -> ChunkedArray {
        let field = chunks.first().map_or_else(|| Arc::new(Field::new("", c"n")), |chunk| chunk.field.clone());
        chunks.truncate(if none { 0 } else { usize::MAX });
        ChunkedArray { field, chunks }
    }
}

#[pymethods]
impl ChunkedArray {
    /// The type, in the words of Arrow: 'string', 'large_string', 'binary', 'bool', 'struct'.
    #[getter]
    fn r#type(&self) -> String {
        type_name(&self.field.format.to_string_lossy())
    }

    /// How many rows are null.
    #[getter]
    fn null_count(&self) -> usize {
        self.chunks.iter().map(Column::nulls).sum()
    }

    /// How many chunks there are.
    #[getter]
    fn num_chunks(&self) -> usize {
        self.chunks.len()
    }

    /// The rows as Python objects.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = self.chunks.iter().flat_map(|chunk| (0..chunk.len()).map(move |row| object(chunk, row, py)));
        PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.field)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        requested_schema: Option<&Bound<'py, PyAny>>,
        py: Python<'py>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A producer may give another type than the one asked for: the consumer casts.
        let _ = requested_schema;
        stream_capsule(py, self.field.clone(), self.chunks.clone())
    }

    fn __len__(&self) -> usize {
        self.chunks.iter().map(Column::len).sum()
    }

    fn __repr__(&self) -> String {
        let (name, rows, chunks) = (self.r#type(), self.__len__(), self.chunks.len());
        format!("<urlkey.arrow.ChunkedArray of {name}, {rows} rows in {chunks} chunks>")
    }
}

/// A row of a column of our own: str, bytes, a list or a dict of them, None for null.
fn object<'py>(column: &Column, row: usize, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
    let format = column.field.format.to_bytes();
    let children = column.children();
    let theirs = || PyTypeError::new_err("a column that came in is not read here: give the batch to an Arrow library");
    match (format, column.buffers()) {
        (b"+s", [_]) => {
            let dict = PyDict::new(py);
            for child in children {
                dict.set_item(child.field.name(), object(child, row, py)?)?;
            }
            Ok(dict.into_any())
        }
        (_, [Buffer::Bytes(bits), ..]) if bits[row / 8] >> (row % 8) & 1 == 0 => Ok(py.None().into_bound(py)),
        (b"b", [_, Buffer::Bytes(bits)]) => {
            Ok((bits[row / 8] >> (row % 8) & 1 == 1).into_pyobject(py)?.to_owned().into_any())
        }
        (b"+l", [_, ends]) => {
            let (start, end) = ends_of(ends, row).ok_or_else(theirs)?;
            let items = (start..end).map(|item| object(&children[0], item, py)).collect::<PyResult<Vec<_>>>()?;
            Ok(PyList::new(py, items)?.into_any())
        }
        (b"u" | b"U" | b"z" | b"Z", [_, ends, Buffer::Bytes(values)]) => {
            let (start, end) = ends_of(ends, row).ok_or_else(theirs)?;
            let bytes = &values[start..end];
            match format {
                b"u" | b"U" => Ok(PyString::from_bytes(py, bytes)?.into_any()),
                _ => Ok(PyBytes::new(py, bytes).into_any()),
            }
        }
        _ => Err(theirs()),
    }
}

fn ends_of(ends: &Buffer, row: usize) -> Option<(usize, usize)> {
    match ends {
        Buffer::Short(ends) => Some((ends[row] as usize, ends[row + 1] as usize)),
        Buffer::Long(ends) => Some((ends[row] as usize, ends[row + 1] as usize)),
        _ => None,
    }
}
