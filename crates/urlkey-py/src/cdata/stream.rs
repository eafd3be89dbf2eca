//! Streams of arrays: pulled from a producer, offered to a consumer.

use super::import::{Array, Fault};
use super::{ArrowArray, ArrowArrayStream, ArrowSchema, Column, Field};
use std::collections::VecDeque;
use std::ffi::{CStr, c_char, c_int};
use std::ptr::{null, null_mut};
use std::sync::Arc;

/// Arrays that a producer gives one by one.
pub struct Incoming {
    stream: Box<ArrowArrayStream>,
    pub field: Arc<Field>,
}

impl Incoming {
    /// Takes over a stream and asks it for its type. What the producer does for that may need the
    /// GIL: the caller is detached.
    pub(super) fn new(stream: ArrowArrayStream) -> Result<Incoming, Fault> {
        if stream.release.is_none() {
            return Err(Fault::new("the stream is released: it can be read once only"));
        }
        let mut stream = Box::new(stream);
        let mut schema = ArrowSchema::empty();
        let Some(get_schema) = stream.get_schema else { return Err(Fault::new("the stream gives no schema")) };
        // SAFETY: the callback of a stream that is not released, with a place for the answer.
        let status = unsafe { get_schema(&mut *stream, &mut schema) };
        if status != 0 {
            return Err(failure(&mut stream, status));
        }
        let field = Arc::new(Field::read(&schema)?);
        Ok(Incoming { stream, field })
    }

    /// The next array; None at the end. The caller is detached, as before.
    pub fn next(&mut self) -> Result<Option<Array>, Fault> {
        let Some(get_next) = self.stream.get_next else { return Err(Fault::new("the stream gives no arrays")) };
        let mut array = ArrowArray::empty();
        // SAFETY: the callback of a stream that is not released, with a place for the answer.
        let status = unsafe { get_next(&mut *self.stream, &mut array) };
        if status != 0 {
            return Err(failure(&mut self.stream, status));
        }
        if array.release.is_none() {
            return Ok(None);
        }
        Array::new(array, self.field.clone()).map(Some)
    }
}

/// What a producer says of its last failure.
fn failure(stream: &mut ArrowArrayStream, status: c_int) -> Fault {
    let Some(get_last_error) = stream.get_last_error else {
        return Fault::new(format!("the stream failed with status {status}"));
    };
    // SAFETY: the callback of a stream that is not released, right after a failure.
    let message = unsafe { get_last_error(stream) };
    if message.is_null() {
        return Fault::new(format!("the stream failed with status {status}"));
    }
    // SAFETY: not null, so a string of C that lives until the next call of the stream.
    let message = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
    Fault::new(format!("the stream failed: {}", message.trim_end()))
}

/// A stream for a consumer: the columns, all of the field's type, in their order.
pub(super) fn export(field: Arc<Field>, columns: Vec<Column>) -> ArrowArrayStream {
    let offered = Box::new(Offered { field, columns: columns.into() });
    ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release),
        private_data: Box::into_raw(offered).cast(),
    }
}

struct Offered {
    field: Arc<Field>,
    columns: VecDeque<Column>,
}

/// # Safety
/// `stream` points to a stream that `export` made and nobody has released; `out` to a place for a schema.
unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: the box of `export`; what `out` holds is no schema yet, so nothing is dropped.
    unsafe {
        let offered = &*(*stream).private_data.cast::<Offered>();
        out.write(offered.field.export());
    }
    0
}

/// # Safety
/// As `get_schema`, with a place for an array; one thread at a time.
unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: as in `get_schema`.
    unsafe {
        let offered = &mut *(*stream).private_data.cast::<Offered>();
        out.write(offered.columns.pop_front().map_or_else(ArrowArray::empty, |column| column.export()));
    }
    0
}

/// Nothing here fails.
unsafe extern "C" fn get_last_error(_: *mut ArrowArrayStream) -> *const c_char {
    null()
}

/// # Safety
/// `stream` points to a stream that `export` made and nobody has released.
unsafe extern "C" fn release(stream: *mut ArrowArrayStream) {
    // SAFETY: the box of `export`, taken back once: release is None from here on.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<Offered>()));
        (*stream).release = None;
        (*stream).private_data = null_mut();
    }
}
