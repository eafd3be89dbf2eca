//! Many URLs as Python gives them: a list or another iterable, or a column of Arrow, chunk by chunk. Must not
//! know what is made of them.

use crate::args::{self, Text};
use crate::arrow::{Array, ChunkedArray};
use crate::cdata::{self, Buffer, Column, Field, Given, Stream, Texts, fault};
use crate::errors;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A batch of URLs, held while it is read.
pub enum Urls<'py> {
    Items(Vec<Bound<'py, PyAny>>),
    Chunk(PyRef<'py, UrlChunk>),
}

impl<'py> Urls<'py> {
    /// Of an iterable, or of a chunk of a column.
    pub fn new(urls: &Bound<'py, PyAny>) -> PyResult<Urls<'py>> {
        if let Ok(chunk) = urls.cast::<UrlChunk>() {
            return Ok(Urls::Chunk(chunk.borrow()));
        }
        if urls.is_instance_of::<PyString>() || urls.is_instance_of::<PyBytes>() {
            return Err(errors::type_error("urls", "an iterable of URLs", urls));
        }
        match urls.cast::<PyList>() {
            Ok(list) => Ok(Urls::Items(list.iter().collect())),
            Err(_) => urls.try_iter()?.collect::<PyResult<_>>().map(Urls::Items),
        }
    }

    /// Its rows, to be read without the GIL.
    pub fn rows(&self) -> PyResult<Rows<'_>> {
        match self {
            Urls::Items(items) => {
                let texts = items.iter().enumerate().map(|(row, item)| args::row("urls", row, item));
                texts.collect::<PyResult<_>>().map(Rows::Items)
            }
            Urls::Chunk(chunk) => {
                let texts = Texts::new(chunk.array.node()).map_err(fault)?;
                Ok(Rows::Column { texts, first: chunk.rows.start, len: chunk.rows.len() })
            }
        }
    }

    /// The URL of a row, as an object.
    pub fn object(&self, row: usize, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Urls::Items(items) => Ok(items[row].clone()),
            Urls::Chunk(chunk) => {
                let texts = Texts::new(chunk.array.node()).map_err(fault)?;
                let bytes = texts.row(chunk.rows.start + row).unwrap_or_default();
                Ok(match std::str::from_utf8(bytes) {
                    Ok(text) if texts.is_text => PyString::new(py, text).into_any(),
                    _ => PyBytes::new(py, bytes).into_any(),
                })
            }
        }
    }

    /// Which row of the whole column, or of the iterable, its first one is.
    pub fn before(&self) -> usize {
        match self {
            Urls::Items(_) => 0,
            Urls::Chunk(chunk) => chunk.before,
        }
    }
}

/// The texts of a batch.
pub enum Rows<'a> {
    Items(Vec<Text<'a>>),
    Column { texts: Texts<'a>, first: usize, len: usize },
}

impl<'a> Rows<'a> {
    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Rows::Items(texts) => texts.len(),
            Rows::Column { len, .. } => *len,
        }
    }

    /// Row after row with its text; None for a null.
    #[inline]
    pub fn each(&self, rows: Range<usize>, mut read: impl FnMut(usize, Option<Text<'a>>)) {
        match self {
            Rows::Items(texts) => rows.for_each(|row| read(row, Some(texts[row]))),
            Rows::Column { texts, first, .. } => {
                texts.each(first + rows.start..first + rows.end, |row, bytes| {
                    let text = bytes.map(|bytes| cdata::text(bytes).map_or(Text::Bytes(bytes), Text::Str));
                    read(row - first, text);
                    true
                });
            }
        }
    }
}

/// Some rows of a column; what `UrlColumn` gives, and what takes URLs takes.
#[pyclass(frozen, module = "urlkey._native")]
pub struct UrlChunk {
    array: cdata::Array,
    rows: Range<usize>,
    before: usize,
}

#[pymethods]
impl UrlChunk {
    fn __len__(&self) -> usize {
        self.rows.len()
    }
}

/// A column of URLs, any object with the Arrow PyCapsule interface, in chunks of at most so many rows; used
/// by `urlkey.store`.
#[pyclass(frozen, module = "urlkey._native")]
pub struct UrlColumn {
    most: usize,
    name: String,
    is_stream: bool,
    left: Mutex<Left>,
}

/// What has not been given yet.
struct Left {
    stream: Option<Stream>,
    array: Option<(cdata::Array, usize)>,
    /// The lengths of the arrays so far.
    arrays: Vec<usize>,
    /// Rows that were given.
    given: usize,
}

impl UrlColumn {
    fn left(&self) -> MutexGuard<'_, Left> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Left {
    fn next(&mut self, most: usize, py: Python<'_>) -> PyResult<Option<UrlChunk>> {
        loop {
            if let Some((array, start)) = self.array.take()
                && start < array.len()
            {
                let rows = start..array.len().min(start + most);
                self.array = Some((array.clone(), rows.end));
                let before = self.given;
                self.given += rows.len();
                return Ok(Some(UrlChunk { array, before, rows }));
            }
            let Some(stream) = &self.stream else { return Ok(None) };
            match stream.next(py)? {
                Some(array) => self.take(array)?,
                None => self.stream = None,
            }
        }
    }

    fn take(&mut self, array: cdata::Array) -> PyResult<()> {
        // What is no column of URLs is refused before anything is made of it.
        Texts::new(array.node()).map_err(fault)?;
        self.arrays.push(array.len());
        self.array = Some((array, 0));
        Ok(())
    }
}

#[pymethods]
impl UrlColumn {
    #[new]
    fn new(urls: &Bound<'_, PyAny>, most: usize) -> PyResult<UrlColumn> {
        let mut left = Left { stream: None, array: None, arrays: Vec::new(), given: 0 };
        let (name, is_stream) = match cdata::read("urls", urls)? {
            Given::One(array) => {
                let name = array.field.name();
                left.take(array)?;
                (name, false)
            }
            Given::Many(stream) => {
                // Of a stream without arrays the type is looked at all the same.
                Texts::new(cdata::Array::empty(&stream.field).node()).map_err(fault)?;
                let name = stream.field.name();
                left.stream = Some(stream);
                (name, true)
            }
        };
        Ok(UrlColumn { most: most.max(1), name, is_stream, left: Mutex::new(left) })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<UrlChunk>> {
        self.left().next(self.most, py)
    }

    /// What was told of each row, True, False or None, as a column of bool: an Array for an array, a
    /// ChunkedArray with the same chunks for a stream.
    fn mask<'py>(&self, told: &Bound<'py, PyList>) -> PyResult<Bound<'py, PyAny>> {
        let py = told.py();
        let arrays = self.left().arrays.clone();
        if arrays.iter().sum::<usize>() != told.len() {
            return Err(PyValueError::new_err("there must be as many rows as the column has"));
        }
        let mut rows = told.iter();
        let mut columns = arrays.iter().map(|len| bits(&self.name, rows.by_ref().take(*len), *len));
        let mut columns: Vec<Column> = columns.by_ref().collect::<PyResult<_>>()?;
        if !self.is_stream {
            let column = columns.pop().map_or_else(|| bits(&self.name, std::iter::empty(), 0), Ok)?;
            return Ok(Bound::new(py, Array::new(column))?.into_any());
        }
        let none = columns.is_empty();
        if none {
            columns.push(bits(&self.name, std::iter::empty(), 0)?);
        }
        Ok(Bound::new(py, ChunkedArray::new(columns, none))?.into_any())
    }
}

/// A column of bool.
fn bits<'py>(name: &str, rows: impl Iterator<Item = Bound<'py, PyAny>>, len: usize) -> PyResult<Column> {
    let (mut values, mut validity, mut nulls) = (vec![0_u8; len.div_ceil(8)], vec![0_u8; len.div_ceil(8)], 0);
    for (row, told) in rows.enumerate() {
        let bit = 1 << (row % 8);
        match told.is_none() {
            true => nulls += 1,
            false => {
                validity[row / 8] |= bit;
                values[row / 8] |= if told.is_truthy()? { bit } else { 0 };
            }
        }
    }
    let validity = if nulls == 0 { Buffer::Absent } else { Buffer::Bytes(validity) };
    Ok(Column::new(Field::new(name, c"b"), len, nulls, vec![validity, Buffer::Bytes(values)], Vec::new()))
}
