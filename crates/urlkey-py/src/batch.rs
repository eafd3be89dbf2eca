//! The function keys: many URLs in, as many rows out, in their order, on one
//! thread or several. Must not know how a key is made.

use crate::args::{self, BaseArg, Text};
use crate::errors;
use crate::key::{core_key, key_object};
use pyo3::exceptions::{PyOverflowError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use urlkey::{Key, Options, ParseError, Policy, Scratch};

/// Rows that a thread takes at a time: some 200 microseconds of work, so that an interrupt is
/// soon seen and the threads end together.
const CHUNK: usize = 1024;

/// Items of a list whose texts are looked up before their keys are made: memory fetches them
/// meanwhile, side by side.
const BLOCK: usize = 32;

/// More threads than that are no faster on any machine, and each costs memory.
const MOST_THREADS: usize = 256;

/// The argument `threads`: at least 1; a number too large for a machine is taken for the most.
#[derive(Clone, Copy)]
pub struct Threads(usize);

impl Threads {
    pub const ONE: Threads = Threads(1);

    /// How many.
    pub fn count(self) -> usize {
        self.0
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Threads {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Threads> {
        let number = match given.extract::<usize>() {
            Ok(number) => number,
            Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => {
                if given.gt(0)? {
                    MOST_THREADS
                } else {
                    0
                }
            }
            Err(error) => return Err(error),
        };
        match number {
            0 => Err(PyValueError::new_err(format!("threads must be at least 1, not {}", given.str()?))),
            _ => Ok(Threads(number.min(MOST_THREADS))),
        }
    }
}

/// What a row holds where its URL is none.
#[derive(Clone, Copy)]
pub enum OnError {
    Raise,
    Null,
    Error,
}

impl OnError {
    /// By the name that Python gives.
    pub fn named(name: &str) -> PyResult<OnError> {
        match name {
            "raise" => Ok(OnError::Raise),
            "null" => Ok(OnError::Null),
            "error" => Ok(OnError::Error),
            _ => Err(PyValueError::new_err(format!("on_error must be 'raise', 'null' or 'error', not {name:?}"))),
        }
    }
}

/// The keys of many URLs, as a list with one row for each, in their order.
///
/// `urls` is any iterable of str and bytes. The other arguments are those of `key`, and:
/// `on_error`: 'raise' raises the UrlKeyError of the first row that is no URL, 'null' puts None in
/// its place, 'error' puts the UrlKeyError itself there. `threads`: above 1, the work is shared by
/// so many threads, at most 256, and other Python threads run meanwhile; worth it from some thousand
/// URLs on.
/// Rows where nothing changes are the very objects that came in.
///
/// >>> import urlkey
/// >>> urlkey.keys(['http://example.com/?b&a', 'nonsense'], on_error='null')
/// ['http://example.com/?a&b', None]
#[pyfunction]
#[pyo3(
    signature = (urls, base=None, *, policy=None, encoding=None, on_error="raise", threads=Threads::ONE),
    text_signature = "(urls, base=None, *, policy='crawl', encoding='utf-8', on_error='raise', threads=1)"
)]
pub fn keys<'py>(
    urls: &Bound<'py, PyAny>,
    base: Option<&Bound<'py, PyAny>>,
    policy: Option<&Bound<'py, PyAny>>,
    encoding: Option<&Bound<'py, PyAny>>,
    on_error: &str,
    threads: Threads,
) -> PyResult<Bound<'py, PyList>> {
    let base = BaseArg::new(base)?;
    let options = Options { base: base.url(), encoding: args::encoding(encoding)? };
    let policy = args::policy(urls.py(), policy)?;
    keys_of(urls, &Batch { options, policy: &policy, on_error: OnError::named(on_error)? }, threads)
}

/// What holds for every row.
pub struct Batch<'a> {
    pub options: Options<'a>,
    pub policy: &'a Policy,
    pub on_error: OnError,
}

/// The keys of what Python gave.
pub fn keys_of<'py>(urls: &Bound<'py, PyAny>, batch: &Batch<'_>, threads: Threads) -> PyResult<Bound<'py, PyList>> {
    if urls.is_instance_of::<PyString>() || urls.is_instance_of::<PyBytes>() {
        return Err(errors::type_error("urls", "an iterable of URLs", urls));
    }
    if threads.0 > 1 {
        return batch.on_threads(&collect(urls)?, urls.py(), threads.0);
    }
    match urls.cast::<PyList>() {
        Ok(list) => batch.in_blocks(list),
        Err(_) => batch.in_turn(urls.try_iter()?, urls.len().unwrap_or(0), urls.py()),
    }
}

fn collect<'py>(urls: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    match urls.cast::<PyList>() {
        Ok(list) => Ok(list.iter().collect()),
        Err(_) => urls.try_iter()?.collect(),
    }
}
impl Batch<'_> {
    fn in_blocks<'py>(&self, list: &Bound<'py, PyList>) -> PyResult<Bound<'py, PyList>> {
        let py = list.py();
        let mut scratch = Scratch::default();
        let mut rows = Vec::with_capacity(list.len());
        let mut items = list.iter();
        loop {
            let block: Vec<_> = items.by_ref().take(BLOCK).collect();
            if block.is_empty() {
                return PyList::new(py, rows);
            }
            if rows.len() % CHUNK == 0 {
                py.check_signals()?;
            }
            let start = rows.len();
            let texts: Vec<_> = block.iter().zip(start..).map(|(item, row)| args::row("urls", row, item)).collect();
            for ((item, text), row) in block.iter().zip(texts).zip(start..) {
                let text = text?;
                let key = core_key(text, &self.options, self.policy, &mut scratch);
                rows.push(self.row(row, item, text, key)?);
            }
        }
    }

    fn in_turn<'py>(
        &self,
        items: impl Iterator<Item = PyResult<Bound<'py, PyAny>>>,
        expected: usize,
        py: Python<'py>,
    ) -> PyResult<Bound<'py, PyList>> {
        let mut scratch = Scratch::default();
        let mut rows = Vec::with_capacity(expected);
        for (row, item) in items.enumerate() {
            let item = item?;
            if row % CHUNK == 0 {
                py.check_signals()?;
            }
            let text = args::row("urls", row, &item)?;
            let key = core_key(text, &self.options, self.policy, &mut scratch);
            rows.push(self.row(row, &item, text, key)?);
        }
        PyList::new(py, rows)
    }

    #[inline]
    fn row<'py>(
        &self,
        row: usize,
        item: &Bound<'py, PyAny>,
        text: Text<'_>,
        key: Result<Key<'_>, ParseError>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match (key, self.on_error) {
            (Ok(key), _) => key_object(item, text, key),
            (Err(error), OnError::Raise) => Err(errors::row_error(row, item, error)),
            (Err(_), OnError::Null) => Ok(item.py().None().into_bound(item.py())),
            (Err(error), OnError::Error) => errors::url_error_object(item, error),
        }
    }

    /// The workers write the keys of a chunk into one buffer; this thread makes the strs, in order.
    fn on_threads<'py>(
        &self,
        items: &[Bound<'py, PyAny>],
        py: Python<'py>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let texts = items.iter().enumerate().map(|(row, item)| args::row("urls", row, item));
        let texts = texts.collect::<PyResult<Vec<_>>>()?;
        let chunks: Vec<&[Text<'_>]> = texts.chunks(CHUNK).collect();
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let workers = threads.min(chunks.len());
            let (sender, receiver) = sync_channel(2 * workers);
            for _ in 0..workers {
                let (sender, chunks, next) = (sender.clone(), &chunks, &next);
                let worker = Worker { options: self.options, policy: self.policy, sender };
                // A system that gives no more threads leaves the work to those it gave.
                if std::thread::Builder::new().spawn_scoped(scope, move || worker.run(chunks, next)).is_err() {
                    break;
                }
            }
            drop(sender);
            self.gather(items, &texts, py, receiver)
        })
    }

    fn gather<'py>(
        &self,
        items: &[Bound<'py, PyAny>],
        texts: &[Text<'_>],
        py: Python<'py>,
        receiver: Receiver<(usize, Chunk)>,
    ) -> PyResult<Bound<'py, PyList>> {
        // The lock is never contended: it only lets the receiver be used while detached.
        let receiver = Mutex::new(receiver);
        let mut early = BTreeMap::new();
        let mut rows = Vec::with_capacity(items.len());
        while rows.len() < items.len() {
            let wanted = rows.len() / CHUNK;
            let Some(chunk) = early.remove(&wanted) else {
                let came = py.detach(|| receiver.lock().ok().and_then(|receiver| receiver.recv().ok()));
                let (at, chunk) = came.ok_or_else(|| PyRuntimeError::new_err("a worker thread ended early"))?;
                early.insert(at, chunk);
                py.check_signals()?;
                continue;
            };
            let start = rows.len();
            let keys = chunk.keys().zip(start..);
            for (key, row) in keys {
                rows.push(self.row(row, &items[row], texts[row], key)?);
            }
        }
        PyList::new(py, rows)
    }
}

/// The keys of one chunk: their text end to end.
#[derive(Default)]
struct Chunk {
    text: String,
    rows: Vec<Row>,
}

enum Row {
    Same,
    /// The key ends here in the text.
    New(usize),
    Bad(ParseError),
}

impl Chunk {
    fn keys(&self) -> impl Iterator<Item = Result<Key<'_>, ParseError>> {
        let mut start = 0;
        self.rows.iter().map(move |row| match row {
            Row::Same => Ok(Key::Same),
            Row::New(end) => Ok(Key::New(&self.text[std::mem::replace(&mut start, *end)..*end])),
            Row::Bad(error) => Err(*error),
        })
    }
}

struct Worker<'a> {
    options: Options<'a>,
    policy: &'a Policy,
    sender: SyncSender<(usize, Chunk)>,
}

impl Worker<'_> {
    fn run(&self, chunks: &[&[Text<'_>]], next: &AtomicUsize) {
        let mut scratch = Scratch::default();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(texts) = chunks.get(at) else { return };
            // Nobody listens any more once an error is on its way up.
            if self.sender.send((at, self.chunk(texts, &mut scratch))).is_err() {
                return;
            }
        }
    }

    fn chunk(&self, texts: &[Text<'_>], scratch: &mut Scratch) -> Chunk {
        let mut chunk = Chunk::default();
        chunk.rows.reserve_exact(texts.len());
        for text in texts {
            let row = match core_key(*text, &self.options, self.policy, scratch) {
                Ok(Key::Same) => Row::Same,
                Ok(Key::New(key)) => {
                    chunk.text.push_str(key);
                    Row::New(chunk.text.len())
                }
                Err(error) => Row::Bad(error),
            };
            chunk.rows.push(row);
        }
        chunk
    }
}
