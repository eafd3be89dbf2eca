//! The class `Dedupe`: blocks and rows of Python to the core and back. Must not
//! know files, nor how lines are judged.

mod disk;

use crate::args::{self, BaseArg};
use crate::policy::Policy;
use crate::seed::random_seed;
use disk::{Files, raised};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyDict};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use urlkey::dedupe::{self, DiskResult, Keep, Keys, Settings};

/// Deduplicates lines or rows by the keys of their URLs, block by block; the
/// state stays in the core, and about 26 bytes a key are all it needs where the
/// first spelling is kept and nothing else is asked for.
///
/// `keep` is "first", "shortest" or "https"; `rejects` how many of them to
/// collect between two calls of `take_rejects` (-1: all); `end` what ends a line, by default LF.
///
/// With `memory`, keys, groups and report take that many bytes at most; the rest goes through files: `files`
/// is called for each and returns an object with `write(at, bytes)` and `read(at, size)`. Then `drain`
/// has most of the output, after `settle`, and groups come from `next_spellings` alone. What a file
/// raises is raised, and is the end.
///
/// >>> from urlkey._native import Dedupe
/// >>> lines = Dedupe("crawl")
/// >>> lines.feed(b"http://a.example/?b=1&a=2\nHTTP://A.example/?a=2&b=1\nhttp://b.ex")
/// b'http://a.example/?b=1&a=2\n'
/// >>> lines.feed(b"ample/\n") + lines.end_file()
/// b'http://b.example/\n'
/// >>> lines.totals
/// {'lines': 3, 'kept': 2, 'merged': 1, 'rejected': 0}
#[pyclass(frozen, module = "urlkey._native")]
pub struct Dedupe(Mutex<dedupe::Dedupe>);

/// Number of the line, code, byte offset, message, text.
type Reject<'py> = (u64, &'static str, usize, &'static str, Bound<'py, PyBytes>);
/// Key; number and text of each line.
type Group<'py> = (Bound<'py, PyBytes>, Vec<(u64, Bound<'py, PyBytes>)>);
/// Key, where it is the group's first piece; spellings of the whole group; number and text of some lines.
type Piece<'py> = (Option<Bound<'py, PyBytes>>, u64, Vec<(u64, Bound<'py, PyBytes>)>);

/// Bytes of the spellings that are handed out together.
const PIECE: usize = 1 << 16;

impl Dedupe {
    /// Whoever works on the core may want the GIL for its files: nobody waits with it.
    /// A panic elsewhere cannot leave the state half written: the core has none.
    fn core(&self, py: Python<'_>) -> MutexGuard<'_, dedupe::Dedupe> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `act` without the GIL.
    fn work<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut dedupe::Dedupe) -> DiskResult<T> + Send,
    ) -> PyResult<T> {
        py.detach(|| act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))).map_err(raised)
    }

    /// The same; returns what it wrote.
    fn write<'py>(
        &self,
        py: Python<'py>,
        act: impl FnOnce(&mut dedupe::Dedupe, &mut Vec<u8>) -> DiskResult<()> + Send,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let out = self.work(py, |core| {
            let mut out = Vec::new();
            act(core, &mut out).map(|()| out)
        })?;
        Ok(PyBytes::new(py, &out))
    }
}

#[pymethods]
impl Dedupe {
    #[new]
    #[pyo3(signature = (policy, *, base=None, encoding=None, keep="first", report=false, groups=false, rejects=0, end=None, memory=None, files=None))]
    #[expect(clippy::too_many_arguments, reason = "one keyword each in Python")]
    fn new(
        policy: &Bound<'_, PyAny>,
        base: Option<&Bound<'_, PyAny>>,
        encoding: Option<&Bound<'_, PyAny>>,
        keep: &str,
        report: bool,
        groups: bool,
        rejects: i64,
        end: Option<&[u8]>,
        memory: Option<usize>,
        files: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Dedupe> {
        let settings = Settings {
            keep: keep_named(keep)?,
            merges: report,
            groups,
            rejects: usize::try_from(rejects).unwrap_or(usize::MAX),
            end: one_byte(end)?,
        };
        let keys = Keys {
            policy: shared_policy(policy)?,
            base: BaseArg::new(base)?.url().cloned(),
            encoding: args::encoding(encoding)?,
        };
        let core = match (memory, files) {
            (None, None) => dedupe::Dedupe::new(keys, settings, random_seed()),
            (Some(memory), Some(files)) => {
                let open = || Files::open(&files);
                dedupe::Dedupe::bounded(keys, settings, random_seed(), memory, open).map_err(raised)?
            }
            _ => return Err(PyValueError::new_err("memory and files go together")),
        };
        Ok(Dedupe(Mutex::new(core)))
    }

    /// Takes the next bytes of a file; returns the lines to be kept, with their ends.
    fn feed<'py>(&self, py: Python<'py>, block: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        self.write(py, |core, out| core.feed(block, out))
    }

    /// The file ends here; its last line may lack an end, and gets one.
    fn end_file<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.write(py, |core, out| core.end_file(out))
    }

    /// Takes back the line that has begun and will not end: the file is broken here.
    fn take_cut<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.core(py).take_cut())
    }

    /// Takes rows that were split elsewhere: the URL of each, the row itself with
    /// its end, its number. Returns the rows to be kept.
    fn feed_rows<'py>(
        &self,
        py: Python<'py>,
        rows: Vec<(Bound<'py, PyBytes>, Bound<'py, PyBytes>, u64)>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let rows: Vec<_> = rows.iter().map(|(url, row, number)| (url.as_bytes(), row.as_bytes(), *number)).collect();
        self.write(py, |core, out| rows.into_iter().try_for_each(|(url, row, number)| core.row(url, row, number, out)))
    }

    /// Counts rows that their reader rejected.
    fn add_unreadable(&self, py: Python<'_>, rows: u64) {
        self.core(py).add_unreadable(rows);
    }

    /// Does a part of what is left to do after the last line; how many of how many parts are done,
    /// None where none is left.
    fn settle(&self, py: Python<'_>) -> PyResult<Option<(usize, usize)>> {
        self.work(py, dedupe::Dedupe::settle)
    }

    /// The next of the lines held back, about `limit` bytes; empty at the end.
    fn drain<'py>(&self, py: Python<'py>, limit: usize) -> PyResult<Bound<'py, PyBytes>> {
        self.write(py, |core, out| core.drain(limit, out))
    }

    /// The rejects since the last call: number, code, byte offset, message, text.
    fn take_rejects<'py>(&self, py: Python<'py>) -> Vec<Reject<'py>> {
        let rejects = self.core(py).take_rejects();
        let rows = rejects.into_iter().map(|reject| {
            let code = reject.error.code;
            (reject.line, code.as_str(), reject.error.at, code.says(), PyBytes::new(py, &reject.text))
        });
        rows.collect()
    }

    /// The counts so far: lines, kept, merged, rejected.
    #[getter]
    fn totals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let totals = self.core(py).totals();
        let dict = PyDict::new(py);
        dict.set_item("lines", totals.lines)?;
        dict.set_item("kept", totals.kept)?;
        dict.set_item("merged", totals.merged)?;
        dict.set_item("rejected", totals.rejected)?;
        Ok(dict)
    }

    /// How many groups are remembered.
    fn group_count(&self, py: Python<'_>) -> usize {
        self.core(py).groups().unwrap_or(0)
    }

    /// Key and spellings of the groups from `start` on, at most `count`.
    fn groups<'py>(&self, py: Python<'py>, start: usize, count: usize) -> Vec<Group<'py>> {
        let mut core = self.core(py);
        let mut groups = Vec::new();
        for index in start..start.saturating_add(count) {
            let Some(group) = core.group(index) else { break };
            let spellings = group.spellings.iter().map(|(number, text)| (*number, PyBytes::new(py, text)));
            groups.push((PyBytes::new(py, &group.key), spellings.collect()));
        }
        groups
    }

    /// Some spellings of the next key, where memory is bounded: the key, None where the spellings go
    /// on; how many it has in all; number and text of these lines. None after the last.
    fn next_spellings<'py>(&self, py: Python<'py>) -> PyResult<Option<Piece<'py>>> {
        let Some((key, piece)) = self.work(py, |core| core.next_piece(PIECE))? else { return Ok(None) };
        let spellings = piece.spellings.iter().map(|(number, text)| (*number, PyBytes::new(py, text)));
        Ok(Some((key.map(|key| PyBytes::new(py, &key)), piece.count, spellings.collect())))
    }

    /// What each step merged: dicts of name, loss, rewrote, merged, distinct and
    /// samples (spellings, before, after, all bytes), in running order.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let rows = self.work(py, dedupe::Dedupe::merges)?.unwrap_or_default();
        rows.iter().map(|row| report_row(py, row)).collect()
    }
}

fn report_row<'py>(py: Python<'py>, row: &dedupe::MergeRow) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", row.name)?;
    dict.set_item("loss", row.loss.as_str())?;
    dict.set_item("rewrote", row.rewrote)?;
    dict.set_item("merged", row.merged)?;
    dict.set_item("distinct", row.distinct)?;
    let samples = row.samples.iter().map(|sample| sample_dict(py, sample));
    dict.set_item("samples", samples.collect::<PyResult<Vec<_>>>()?)?;
    Ok(dict)
}

fn sample_dict<'py>(py: Python<'py>, sample: &dedupe::Sample) -> PyResult<Bound<'py, PyDict>> {
    let pair = |pair: &[Vec<u8>; 2]| pair.each_ref().map(|text| PyBytes::new(py, text));
    let dict = PyDict::new(py);
    dict.set_item("spellings", pair(&sample.spellings))?;
    dict.set_item("before", pair(&sample.before))?;
    dict.set_item("after", PyBytes::new(py, &sample.after))?;
    Ok(dict)
}

fn shared_policy(given: &Bound<'_, PyAny>) -> PyResult<Arc<urlkey::Policy>> {
    match given.cast::<Policy>() {
        Ok(policy) => Ok(policy.get().shared()),
        Err(_) => args::builtin(given.py(), given.extract()?),
    }
}

fn keep_named(name: &str) -> PyResult<Keep> {
    match name {
        "first" => Ok(Keep::First),
        "shortest" => Ok(Keep::Shortest),
        "https" => Ok(Keep::Https),
        _ => Err(PyValueError::new_err(format!("keep is first, shortest or https, not {name:?}"))),
    }
}

fn one_byte(end: Option<&[u8]>) -> PyResult<u8> {
    match end {
        None => Ok(b'\n'),
        Some([byte]) => Ok(*byte),
        _ => Err(PyValueError::new_err("end must be one byte")),
    }
}
