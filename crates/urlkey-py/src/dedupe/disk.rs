//! Files of Python as the disk of the core: called for each page, so that the GIL
//! is wanted rarely, and what they raise comes out as it was. Must not know what
//! is in them.

use pyo3::exceptions::{PyEOFError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use urlkey::dedupe::{Disk, DiskError, DiskResult};

/// One file: an object with `write(at, bytes)` and `read(at, size)`.
pub(super) struct Files(Py<PyAny>);

impl Files {
    /// Calls what gives one.
    pub(super) fn open(files: &Bound<'_, PyAny>) -> DiskResult<Files> {
        Ok(Files(files.call0()?.unbind()))
    }
}

impl Disk for Files {
    fn write(&mut self, at: u64, bytes: &[u8]) -> DiskResult<()> {
        let written = Python::attach(|py| {
            self.0.call_method1(py, pyo3::intern!(py, "write"), (at, PyBytes::new(py, bytes))).map(|_| ())
        });
        Ok(written?)
    }

    fn read(&mut self, at: u64, buffer: &mut [u8]) -> DiskResult<()> {
        let read: PyResult<()> = Python::attach(|py| {
            let found = self.0.bind(py).call_method1(pyo3::intern!(py, "read"), (at, buffer.len()))?;
            let bytes: &[u8] = found.extract()?;
            if bytes.len() != buffer.len() {
                return Err(PyEOFError::new_err("the temporary file is shorter than what was written"));
            }
            buffer.copy_from_slice(bytes);
            Ok(())
        });
        Ok(read?)
    }
}

/// What a file has raised, or an error of the core's own.
pub(super) fn raised(error: DiskError) -> PyErr {
    match error.downcast::<PyErr>() {
        Ok(raised) => *raised,
        Err(error) => PyOSError::new_err(error.to_string()),
    }
}
