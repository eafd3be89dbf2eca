//! Rows shared out to threads, in tasks, with the GIL released; interrupts are
//! heard meanwhile. Must not know what is made of a row.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use urlkey::Scratch;

/// Rows between two looks at the clock and the signals: some milliseconds of work.
const BLOCK: usize = 8192;

/// Rows of a task: small enough that threads end together, large enough that little is put together.
const TASK: usize = 4 * BLOCK;

/// Fewer rows than that for every thread are not worth starting it.
const WORTH_A_THREAD: usize = 4096;

/// The argument `threads`: None is as many as there are processors.
pub fn threads(asked: Option<usize>, rows: usize) -> usize {
    let most = rows / WORTH_A_THREAD;
    let asked = asked.unwrap_or_else(|| match most {
        0 | 1 => 1,
        _ => std::thread::available_parallelism().map_or(1, |count| count.get()),
    });
    asked.min(most).max(1)
}

/// What is made of rows.
pub trait Job: Sync {
    /// What a task fills, row by row.
    type Made: Send;

    /// An empty one, for these rows.
    fn start(&self, rows: Range<usize>) -> Self::Made;

    /// The rows, behind those it has; false where the rest is not wanted.
    fn fill(&self, made: &mut Self::Made, rows: Range<usize>, scratch: &mut Scratch) -> bool;
}

/// What is made of all rows, in pieces, in order. Rows behind one where `fill` gave up may be missing.
pub fn run<J: Job>(job: &J, rows: usize, threads: usize, py: Python<'_>) -> PyResult<Vec<J::Made>> {
    if threads == 1 {
        let mut scratch = Scratch::default();
        let mut made = job.start(0..rows);
        for block in blocks(0..rows) {
            if !py.detach(|| job.fill(&mut made, block, &mut scratch)) {
                break;
            }
            py.check_signals()?;
        }
        return Ok(vec![made]);
    }
    let crew = Crew { job, rows, next: AtomicUsize::new(0), stop: AtomicBool::new(false), done: Mutex::default() };
    let all = || {
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // A system that gives no more threads leaves the work to those it gave.
                if std::thread::Builder::new().spawn_scoped(scope, || crew.work(|| Ok(()))).is_err() {
                    break;
                }
            }
            // This thread works too, and hears signals between blocks.
            let heard = crew.work(|| Python::attach(|py| py.check_signals()));
            crew.stop.fetch_or(heard.is_err(), Ordering::Relaxed);
            heard
        })
    };
    py.detach(all)?;
    let mut done = crew.done.into_inner().map_err(|_| PyRuntimeError::new_err("a worker thread ended early"))?;
    done.sort_by_key(|(task, _)| *task);
    Ok(done.into_iter().map(|(_, made)| made).collect())
}

fn blocks(rows: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    rows.clone().step_by(BLOCK).map(move |start| start..rows.end.min(start + BLOCK))
}

struct Crew<'a, J: Job> {
    job: &'a J,
    rows: usize,
    next: AtomicUsize,
    stop: AtomicBool,
    done: Mutex<Vec<(usize, J::Made)>>,
}

impl<J: Job> Crew<'_, J> {
    /// Takes task after task until there are no more.
    fn work(&self, listen: impl Fn() -> PyResult<()>) -> PyResult<()> {
        let mut scratch = Scratch::default();
        loop {
            let start = self.next.fetch_add(TASK, Ordering::Relaxed);
            if start >= self.rows {
                return Ok(());
            }
            let rows = start..self.rows.min(start + TASK);
            let mut made = self.job.start(rows.clone());
            for block in blocks(rows) {
                if self.stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                if !self.job.fill(&mut made, block, &mut scratch) {
                    // Tasks with earlier rows are under way and go on to their end.
                    self.next.store(self.rows, Ordering::Relaxed);
                    break;
                }
                listen()?;
            }
            if let Ok(mut done) = self.done.lock() {
                done.push((start, made));
            }
        }
    }
}
