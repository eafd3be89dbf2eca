//! The Arrow C data interface and its PyCapsules: columns in and out without a
//! copy. The one other module with unsafe code, all of it for what the interface
//! is made of: structs of C that producers fill, pointers in them, and callbacks
//! that release them. What can be checked is checked before it is read; what
//! cannot be (how long a buffer is where no field says so) the interface puts on
//! the producer. Must not know what a URL is.
//!
//! Source: <https://arrow.apache.org/docs/format/CDataInterface.html>,
//! <https://arrow.apache.org/docs/format/CStreamInterface.html>,
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>
#![allow(unsafe_code)]

mod capsules;
mod export;
mod field;
mod import;
mod stream;
mod texts;

pub use capsules::{Given, Stream, array_capsule, fault, read, schema_capsule, stream_capsule};
pub use export::{Buffer, Column};
pub use field::Field;
pub use import::{Array, Node};
pub use texts::{Texts, text, type_name};

use std::ffi::{c_char, c_int, c_void};
use std::ptr::null_mut;

/// `struct ArrowSchema`: the type of a column.
#[repr(C)]
pub struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

/// `struct ArrowArray`: its rows.
#[repr(C)]
pub struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

/// `struct ArrowArrayStream`: arrays of one type, one after the other.
#[repr(C)]
pub struct ArrowArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    private_data: *mut c_void,
}

/// What the three structs have in common: they are moved by their bytes, and whoever holds them last
/// calls `release`, if they are not marked as released.
macro_rules! released_on_drop {
    ($name:ident { $($field:ident: $empty:expr),* $(,)? }) => {
        impl $name {
            /// One that is released already: nothing is in it.
            fn empty() -> $name {
                $name { $($field: $empty),* }
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: a struct that is not released is released once, by its own callback.
                    unsafe { release(self) }
                }
            }
        }

        // SAFETY: the interface lets a consumer release on any thread; the fields are read only
        // while the struct is held.
        unsafe impl Send for $name {}
    };
}

released_on_drop!(ArrowSchema {
    format: null_mut(),
    name: null_mut(),
    metadata: null_mut(),
    flags: 0,
    n_children: 0,
    children: null_mut(),
    dictionary: null_mut(),
    release: None,
    private_data: null_mut(),
});

released_on_drop!(ArrowArray {
    length: 0,
    null_count: 0,
    offset: 0,
    n_buffers: 0,
    n_children: 0,
    buffers: null_mut(),
    children: null_mut(),
    dictionary: null_mut(),
    release: None,
    private_data: null_mut(),
});

released_on_drop!(ArrowArrayStream {
    get_schema: None,
    get_next: None,
    get_last_error: None,
    release: None,
    private_data: null_mut(),
});

/// Moves a struct out of what a producer handed over, and marks what stays behind as released.
///
/// # Safety
/// `from` points to a struct that a producer filled or released, aligned, and nobody else reads or
/// writes it meanwhile.
unsafe fn take<T>(from: *mut T, empty: fn() -> T) -> T {
    // SAFETY: the caller's promise.
    unsafe { std::ptr::replace(from, empty()) }
}

// SAFETY: an array is immutable while it is held; nothing here writes through its pointers.
unsafe impl Sync for ArrowArray {}
