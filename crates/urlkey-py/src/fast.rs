//! The fast road of `key(str)`: a call with one positional str and nothing else,
//! the headline of the benchmark, without PyO3's argument parsing and guards,
//! which cost about as much as the key of a clean URL. Every other call, and
//! every error, goes the slow road: the function that PyO3 made. A property test
//! holds one to the other. This is the one file with unsafe code: a wrapper of
//! `METH_FASTCALL | METH_KEYWORDS`, and what it needs to stand in the module.
#![allow(unsafe_code)]

use crate::args;
use crate::key::SCRATCH;
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::{CString, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use urlkey::{Key, Options};

/// What CPython calls a function of `METH_FASTCALL | METH_KEYWORDS` by.
type Call = ffi::PyCFunctionFastWithKeywords;

const FLAGS: c_int = ffi::METH_FASTCALL | ffi::METH_KEYWORDS;

/// PyO3's function for `key`, by its address.
static SLOW: OnceLock<Call> = OnceLock::new();

/// Puts the fast road in front of the module's function `key`.
pub fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let slow = module.getattr("key")?;
    let Some(call) = address(&slow) else { return Ok(()) };
    let signature: String = slow.getattr("__text_signature__")?.extract()?;
    let doc: String = slow.getattr("__doc__")?.extract()?;
    let doc = CString::new(format!("key{signature}\n--\n\n{doc}"))?;
    SLOW.get_or_init(|| call);
    // CPython keeps the address of both for as long as the process runs.
    let definition = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: c"key".as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: key },
        ml_flags: FLAGS,
        ml_doc: Box::leak(doc.into_boxed_c_str()).as_ptr(),
    }));
    let name = module.name()?;
    // SAFETY: the definition is valid and never freed; module and name are live objects, of which
    // PyCFunction_NewEx takes its own references; it returns a new reference, or null with an error set.
    let fast = unsafe {
        let fast = ffi::PyCFunction_NewEx(definition, module.as_ptr(), name.as_ptr());
        Bound::from_owned_ptr_or_err(module.py(), fast)?
    };
    module.setattr("key", fast)
}

/// The address of a built-in function, if CPython calls it the way that `Call` says.
fn address(function: &Bound<'_, PyAny>) -> Option<Call> {
    let object = function.as_ptr();
    // SAFETY: the object is live, and is a PyCFunction wherever it is asked as one; an address goes
    // with the flags that say how to call it.
    unsafe {
        if ffi::PyCFunction_Check(object) == 0 || ffi::PyCFunction_GetFlags(object) != FLAGS {
            return None;
        }
        let call = ffi::PyCFunction_GetFunction(object)?;
        Some(std::mem::transmute::<ffi::PyCFunction, Call>(call))
    }
}

/// `key` as CPython calls it.
///
/// # Safety
/// CPython calls it, attached, with `nargs` arguments and the values of `kwnames` in `args`.
unsafe extern "C" fn key(
    module: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    nargs: ffi::Py_ssize_t,
    kwnames: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    if nargs == 1 && kwnames.is_null() {
        // SAFETY: there is one argument, and it is a live object for the time of the call.
        let done = catch_unwind(AssertUnwindSafe(|| unsafe { key_of_str(*args) }));
        if let Ok(Some(key)) = done {
            return key;
        }
    }
    match SLOW.get() {
        // SAFETY: the arguments are handed on as they came, to a function of this very convention.
        Some(slow) => unsafe { slow(module, args, nargs, kwnames) },
        None => std::ptr::null_mut(),
    }
}

/// A new reference to the key of a str; null with an error set where memory is out; None where the
/// slow road has to be taken, with no error set.
///
/// # Safety
/// Attached; `url` is a live object.
#[inline]
unsafe fn key_of_str(url: *mut ffi::PyObject) -> Option<*mut ffi::PyObject> {
    let policy = args::default_policy()?;
    // SAFETY: `url` is live. The bytes are UTF-8, belong to it, and stay while it lives: that is until
    // the caller lets go of its reference, after this call. Nothing here runs Python code.
    unsafe {
        if ffi::PyUnicode_CheckExact(url) == 0 {
            return None;
        }
        let mut length = 0;
        let bytes = ffi::PyUnicode_AsUTF8AndSize(url, &mut length);
        if bytes.is_null() {
            ffi::PyErr_Clear();
            return None;
        }
        let text = std::str::from_utf8_unchecked(std::slice::from_raw_parts(bytes.cast(), length as usize));
        SCRATCH.with_borrow_mut(|scratch| match urlkey::key(text, &Options::default(), policy, scratch) {
            Ok(Key::Same) => {
                ffi::Py_IncRef(url);
                Some(url)
            }
            Ok(Key::New(key)) => Some(ffi::PyUnicode_FromStringAndSize(key.as_ptr().cast(), key.len() as isize)),
            Err(_) => None,
        })
    }
}
