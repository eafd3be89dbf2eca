//! The fast roads of `key(str)` and `surt(str)`: a call with one positional str and
//! nothing else, without PyO3's argument parsing and guards, which cost about as
//! much as the key of a clean URL. Every other call, and every error, goes the slow
//! road: the function that PyO3 made. A property test holds one to the other. This
//! is the one file with unsafe code: a wrapper of `METH_FASTCALL | METH_KEYWORDS`,
//! and what it needs to stand in the module.
#![allow(unsafe_code)]

use crate::key::SCRATCH;
use crate::{args, surt};
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::{CStr, CString, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use urlkey::{Key, Options};

/// What CPython calls a function of `METH_FASTCALL | METH_KEYWORDS` by.
type Call = ffi::PyCFunctionFastWithKeywords;

const FLAGS: c_int = ffi::METH_FASTCALL | ffi::METH_KEYWORDS;

/// A function of the module that has a fast road.
trait Fast {
    const NAME: &'static CStr;

    /// PyO3's function of this name.
    fn slow() -> &'static OnceLock<Slow>;

    /// What `give` makes of the answer for `text`; None: the slow road has to be taken.
    fn answer<T>(text: &str, give: impl FnOnce(Answer<'_>) -> T) -> Option<T>;
}

/// PyO3's function.
enum Slow {
    /// By its address, where CPython calls it as it calls ours.
    Address(Call),
    /// With a tuple and a dict: PyO3 takes `**options` so.
    Object(Py<PyAny>),
}

enum Answer<'a> {
    /// The object that came in.
    Same,
    /// A new str, of UTF-8.
    Text(&'a [u8]),
}

struct KeyRoad;

impl Fast for KeyRoad {
    const NAME: &'static CStr = c"key";

    fn slow() -> &'static OnceLock<Slow> {
        static SLOW: OnceLock<Slow> = OnceLock::new();
        &SLOW
    }

    #[inline]
    fn answer<T>(text: &str, give: impl FnOnce(Answer<'_>) -> T) -> Option<T> {
        let policy = args::default_policy()?;
        SCRATCH.with_borrow_mut(|scratch| match urlkey::key(text, &Options::default(), policy, scratch) {
            Ok(Key::Same) => Some(give(Answer::Same)),
            Ok(Key::New(key)) => Some(give(Answer::Text(key.as_bytes()))),
            Err(_) => None,
        })
    }
}

struct SurtRoad;

impl Fast for SurtRoad {
    const NAME: &'static CStr = c"surt";

    fn slow() -> &'static OnceLock<Slow> {
        static SLOW: OnceLock<Slow> = OnceLock::new();
        &SLOW
    }

    #[inline]
    fn answer<T>(text: &str, give: impl FnOnce(Answer<'_>) -> T) -> Option<T> {
        Some(surt::with_default(text, |key| give(Answer::Text(key))))
    }
}

/// Puts the fast roads in front of the module's functions.
pub fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    put::<KeyRoad>(module)?;
    put::<SurtRoad>(module)
}

fn put<F: Fast>(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let name = F::NAME.to_string_lossy();
    let slow = module.getattr(&*name)?;
    let signature: String = slow.getattr("__text_signature__")?.extract()?;
    let doc: String = slow.getattr("__doc__")?.extract()?;
    let doc = CString::new(format!("{name}{signature}\n--\n\n{doc}"))?;
    F::slow().get_or_init(|| address(&slow).map_or_else(|| Slow::Object(slow.unbind()), Slow::Address));
    // CPython keeps the address of both for as long as the process runs.
    let definition = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: F::NAME.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: call::<F> },
        ml_flags: FLAGS,
        ml_doc: Box::leak(doc.into_boxed_c_str()).as_ptr(),
    }));
    let module_name = module.name()?;
    // SAFETY: the definition is valid and never freed; module and name are live objects, of which
    // PyCFunction_NewEx takes its own references; it returns a new reference, or null with an error set.
    let fast = unsafe {
        let fast = ffi::PyCFunction_NewEx(definition, module.as_ptr(), module_name.as_ptr());
        Bound::from_owned_ptr_or_err(module.py(), fast)?
    };
    module.setattr(&*name, fast)
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

/// The function as CPython calls it.
///
/// # Safety
/// CPython calls it, attached, with `nargs` arguments and the values of `kwnames` in `args`.
unsafe extern "C" fn call<F: Fast>(
    module: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    nargs: ffi::Py_ssize_t,
    kwnames: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    if nargs == 1 && kwnames.is_null() {
        // SAFETY: there is one argument, and it is a live object for the time of the call.
        let done = catch_unwind(AssertUnwindSafe(|| unsafe { of_str::<F>(*args) }));
        if let Ok(Some(answer)) = done {
            return answer;
        }
    }
    match F::slow().get() {
        // SAFETY: the arguments are handed on as they came, to a function of this very convention.
        Some(Slow::Address(slow)) => unsafe { slow(module, args, nargs, kwnames) },
        // SAFETY: the function is live, the arguments are those of this call.
        Some(Slow::Object(slow)) => unsafe { call_object(slow.as_ptr(), args, nargs, kwnames) },
        None => std::ptr::null_mut(),
    }
}

/// Calls `function` with a tuple and a dict made of the arguments; null with an error set where it raises.
///
/// # Safety
/// Attached; `function` is a live object, `args` holds `nargs` live objects and the values of `kwnames`.
unsafe fn call_object(
    function: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    nargs: ffi::Py_ssize_t,
    kwnames: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: as above. Tuple and dict are new references, let go of at the end; PyTuple_SetItem takes
    // over the reference that it is given, PyDict_SetItem takes its own, PyTuple_GetItem borrows.
    unsafe {
        let positional = ffi::PyTuple_New(nargs);
        if positional.is_null() {
            return positional;
        }
        for i in 0..nargs {
            let arg = *args.offset(i);
            ffi::Py_IncRef(arg);
            ffi::PyTuple_SetItem(positional, i, arg);
        }
        let mut whole = true;
        let mut keywords = std::ptr::null_mut();
        if !kwnames.is_null() {
            keywords = ffi::PyDict_New();
            whole = !keywords.is_null();
            for i in 0..ffi::PyTuple_Size(kwnames) {
                let name = ffi::PyTuple_GetItem(kwnames, i);
                whole = whole && ffi::PyDict_SetItem(keywords, name, *args.offset(nargs + i)) == 0;
            }
        }
        let result = if whole { ffi::PyObject_Call(function, positional, keywords) } else { std::ptr::null_mut() };
        ffi::Py_DecRef(positional);
        ffi::Py_DecRef(keywords);
        result
    }
}

/// A new reference to the answer for a str; null with an error set where memory is out; None where the
/// slow road has to be taken, with no error set.
///
/// # Safety
/// Attached; `url` is a live object.
#[inline]
unsafe fn of_str<F: Fast>(url: *mut ffi::PyObject) -> Option<*mut ffi::PyObject> {
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
        F::answer(text, |answer| match answer {
            Answer::Same => {
                ffi::Py_IncRef(url);
                url
            }
            Answer::Text(text) => ffi::PyUnicode_FromStringAndSize(text.as_ptr().cast(), text.len() as isize),
        })
    }
}
