//! The pages of a domain as `urlkey.learn` counts them. Must not know what is
//! enough for a rule.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use urlkey::learn::{Changes, Kind, Page, Pages, Sight, Tally};

/// Pages that a rewrite changes, with the keys that it gives them; of the table that it came from.
#[pyclass(frozen, module = "urlkey._native")]
pub struct PageChanges {
    changes: Changes,
    table: u64,
}

#[pymethods]
impl PageChanges {
    /// The numbers of the pages.
    #[getter]
    fn pages(&self) -> Vec<u32> {
        self.changes.pages().to_vec()
    }

    /// The changes of these pages alone.
    fn only(&self, pages: HashSet<u32>) -> PageChanges {
        PageChanges { changes: self.changes.only(|page| pages.contains(&page)), table: self.table }
    }

    fn __len__(&self) -> usize {
        self.changes.pages().len()
    }
}

/// The pages of a domain by number, host after host, and the keys that rules leave them.
#[pyclass(frozen, module = "urlkey._native")]
pub struct PageTable {
    pages: Mutex<Pages>,
    /// Tells it from others.
    number: u64,
    /// Fingerprints and kinds of sights by number; the fingerprints once more in this order.
    contents: Py<PyDict>,
    kinds: Py<PyDict>,
    fingerprints: Py<PyList>,
}

static TABLES: AtomicU64 = AtomicU64::new(0);

impl PageTable {
    fn changes(&self, changes: Changes) -> PageChanges {
        PageChanges { changes, table: self.number }
    }

    /// The numbers of one table say nothing in another.
    fn own<'a>(&self, changes: &'a PageChanges) -> PyResult<&'a Changes> {
        if changes.table == self.number {
            Ok(&changes.changes)
        } else {
            Err(PyValueError::new_err("changes of another table"))
        }
    }

    /// Whoever waits for another thread lets go of the interpreter, which that one may need.
    fn table(&self, py: Python<'_>) -> MutexGuard<'_, Pages> {
        self.pages.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// The same without the interpreter.
    fn free(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What `Page.sights` holds: (fingerprint, time, (status, language)).
    fn sight(&self, sight: &Bound<'_, PyAny>, table: &mut Pages) -> PyResult<Sight> {
        let py = sight.py();
        let sight = sight.cast::<PyTuple>()?;
        let (fingerprint, time, kind) = (sight.get_item(0)?, sight.get_item(1)?, sight.get_item(2)?);
        let (contents, kinds) = (self.contents.bind(py), self.kinds.bind(py));
        let content = match contents.get_item(&fingerprint)? {
            Some(number) => number.extract()?,
            None => {
                let number = contents.len() as u32;
                contents.set_item(&fingerprint, number)?;
                self.fingerprints.bind(py).append(&fingerprint)?;
                // A number may be too long for a text.
                table.add_content(fingerprint.str().map_or(String::new(), |text| text.to_string_lossy().into_owned()));
                number
            }
        };
        let kind_number = match kinds.get_item(&kind)? {
            Some(number) => number.extract()?,
            None => {
                let number = kinds.len() as u32;
                let language = kind.get_item(1)?;
                let text = (!language.is_none()).then(|| language.str()).transpose()?;
                table.add_kind(text.map(|text| text.to_string_lossy().into_owned()));
                kinds.set_item(&kind, number)?;
                number
            }
        };
        let seconds = |time: &Bound<'_, PyAny>| time.extract::<f64>().unwrap_or(f64::MAX);
        Ok(Sight { content, time: (!time.is_none()).then(|| seconds(&time)), kind: kind_number })
    }

    fn walls(&self, walls: &Bound<'_, PyAny>) -> PyResult<HashSet<u32>> {
        let contents = self.contents.bind(walls.py());
        let mut found = HashSet::new();
        for fingerprint in walls.try_iter()? {
            if let Some(number) = contents.get_item(fingerprint?)? {
                found.insert(number.extract()?);
            }
        }
        Ok(found)
    }
}

#[pymethods]
impl PageTable {
    #[new]
    fn new(py: Python<'_>) -> PageTable {
        PageTable {
            pages: Mutex::new(Pages::new()),
            number: TABLES.fetch_add(1, Ordering::Relaxed),
            contents: PyDict::new(py).unbind(),
            kinds: PyDict::new(py).unbind(),
            fingerprints: PyList::empty(py).unbind(),
        }
    }

    /// Adds the pages of a host, with `key`, `fetched`, `listed` and `sights`; the number of the host.
    fn add(&self, py: Python<'_>, pages: &Bound<'_, PyList>) -> PyResult<usize> {
        let names = ["key", "fetched", "listed", "sights"].map(|name| PyString::intern(py, name));
        let mut table = self.table(py);
        let host = table.add_host();
        let mut sights = Vec::new();
        for page in pages {
            let [key, fetched, listed, seen] = names.each_ref().map(|name| page.getattr(name));
            sights.clear();
            for sight in seen?.cast::<PyList>()? {
                sights.push(self.sight(&sight, &mut table)?);
            }
            let key = key?;
            let key = key.cast::<PyString>()?.to_string_lossy();
            let (fetched, listed) = (fetched?.is_truthy()?, listed?.is_truthy()?);
            table.add(&Page { key: &key, fetched, listed, sights: &sights });
        }
        Ok(host)
    }

    /// The head of a page, with which its fragment goes.
    fn head<'py>(&self, py: Python<'py>, page: u32) -> PyResult<Bound<'py, PyString>> {
        let table = self.table(py);
        table.head(page).map(|head| PyString::new(py, head)).ok_or_else(|| no_page(page))
    }

    /// The parameters of a page.
    fn pairs<'py>(&self, py: Python<'py>, page: u32) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.table(py).pairs(page))
    }

    /// The number of the place of each page.
    fn places(&self, py: Python<'_>, pages: Vec<u32>) -> PyResult<Vec<u32>> {
        let table = self.table(py);
        pages.into_iter().map(|page| table.place(page).ok_or_else(|| no_page(page))).collect()
    }

    /// The heads of a host, each once, in the order of its pages.
    fn heads<'py>(&self, py: Python<'py>, host: usize) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.table(py).heads(host))
    }

    /// Whether a page of the domain has this head now.
    fn has_head(&self, py: Python<'_>, head: &str) -> bool {
        self.table(py).has_head(head)
    }

    /// Says at which place, by number, each of the `heads` of a host stands.
    fn settle(&self, py: Python<'_>, host: usize, places: Vec<u32>) {
        self.table(py).settle(host, &places);
    }

    /// Says how each of the `heads` of a host could be spelled; until it is settled again.
    fn fold(&self, py: Python<'_>, host: usize, heads: Vec<String>) {
        self.table(py).fold(host, &heads);
    }

    /// The heads that pages have now that could be spelled in another way; None until `fold` says so.
    fn folded_heads<'py>(&self, py: Python<'py>, host: usize) -> PyResult<Option<Bound<'py, PyList>>> {
        self.table(py).folded_heads(host).map(|heads| PyList::new(py, heads)).transpose()
    }

    /// The names of parameters that a host had, with the number of pages that have each now.
    fn names<'py>(&self, py: Python<'py>, host: usize) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        for (name, pages) in self.table(py).names(host) {
            found.set_item(name, pages)?;
        }
        Ok(found)
    }

    /// How many pages have a parameter of this name.
    fn count(&self, py: Python<'_>, host: usize, name: &str) -> usize {
        self.table(py).count(host, name)
    }

    /// The parameters of this name, each once.
    fn values<'py>(&self, py: Python<'py>, host: usize, name: &str) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.table(py).values(host, name))
    }

    /// How many different parameters, or lists of them, the pages have of this name.
    fn different(&self, py: Python<'_>, host: usize, name: &str) -> usize {
        self.table(py).different(host, name)
    }

    /// The value of this name, of each page that has it once and is there without it too.
    fn beside<'py>(&self, py: Python<'py>, host: usize, name: &str) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.table(py).beside(host, name))
    }

    /// What a rewrite of parameters changes: `kind` is drop, valueless or default.
    fn changed(
        &self,
        py: Python<'_>,
        host: usize,
        kind: &str,
        names: Vec<String>,
        value: &str,
    ) -> PyResult<PageChanges> {
        let kind = match kind {
            "drop" => Kind::Drop,
            "valueless" => Kind::Valueless,
            "default" => Kind::Default,
            other => return Err(PyValueError::new_err(format!("kind {other}; allowed: drop, valueless, default"))),
        };
        Ok(self.changes(py.detach(|| self.free().changed(host, kind, &names, value))))
    }

    /// What becomes of pages with these heads, (before, after).
    fn with_heads(&self, py: Python<'_>, host: usize, heads: Vec<(String, String)>) -> PageChanges {
        self.changes(py.detach(|| self.free().with_heads(host, &heads)))
    }

    /// Pages with other keys, (page, key).
    fn with_keys(&self, py: Python<'_>, keys: Vec<(u32, String)>) -> PageChanges {
        self.changes(self.table(py).with_keys(&keys))
    }

    /// The names on the pages that change, each once.
    fn names_on<'py>(&self, py: Python<'py>, changes: &PageChanges) -> PyResult<Bound<'py, PyList>> {
        let changes = self.own(changes)?;
        PyList::new(py, self.table(py).names_on(changes))
    }

    /// (page, key) of the pages that have a name twice or, if that matters, names out of order.
    fn unsorted(&self, py: Python<'_>, host: usize, by_name: bool) -> Vec<(u32, String)> {
        py.detach(|| self.free().unsorted(host, by_name))
    }

    /// What the groups of changes say, by place: see `urlkey.learn.trials`.
    fn tallies<'py>(
        &self,
        py: Python<'py>,
        host: usize,
        changes: &PageChanges,
        walls: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        let (walls, changes) = (self.walls(walls)?, self.own(changes)?);
        shown(py, py.detach(|| self.free().tallies(host, changes, &walls)))
    }

    /// The same of a rewrite of heads; nothing where none meets another.
    fn tallies_of_heads<'py>(
        &self,
        py: Python<'py>,
        host: usize,
        heads: Vec<(String, String)>,
        walls: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        let walls = self.walls(walls)?;
        shown(py, py.detach(|| self.free().tallies_of_heads(host, &heads, &walls)))
    }

    /// Gives pages the keys that a rule leaves them.
    fn rekey(&self, py: Python<'_>, changes: &PageChanges) -> PyResult<()> {
        let changes = self.own(changes)?;
        py.detach(|| self.free().rekey(changes));
        Ok(())
    }

    /// Gives every page of a host its skeleton: without the parameters of the names `gone` and the values of `blank`,
    /// with other heads (before, after), or as `fold` said.
    fn strip(
        &self,
        py: Python<'_>,
        host: usize,
        gone: Vec<String>,
        blank: Vec<String>,
        heads: Option<Vec<(String, String)>>,
    ) {
        py.detach(|| self.free().strip(host, &gone, &blank, heads.as_deref()));
    }

    /// Fingerprints, and under how many skeletons of a host each stands, one more than `most` at most.
    fn under<'py>(&self, py: Python<'py>, host: usize, most: usize) -> PyResult<Vec<(Bound<'py, PyAny>, usize)>> {
        let found = py.detach(|| self.free().under(host, most));
        let fingerprints = self.fingerprints.bind(py);
        found.into_iter().map(|(content, count)| Ok((fingerprints.get_item(content as usize)?, count))).collect()
    }

    /// How many skeletons pages of one host have.
    fn skeletons(&self, py: Python<'_>, pages: Vec<u32>) -> usize {
        self.table(py).skeletons(&pages)
    }
}

fn no_page(page: u32) -> PyErr {
    PyValueError::new_err(format!("no page {page}"))
}

/// (place, counts, split, contents, leaders, samples) of each tally; counts are trials, failures, groups, bare, merges,
/// blind, listed, pages.
fn shown(py: Python<'_>, tallies: Vec<Tally>) -> PyResult<Bound<'_, PyList>> {
    let rows = tallies.into_iter().map(|tally| {
        let counts = (
            tally.trials,
            tally.failures,
            tally.groups,
            tally.bare,
            tally.merges,
            tally.blind,
            tally.listed,
            tally.pages,
        );
        let samples: Vec<_> = tally.samples.iter().map(|sample| (sample.a, sample.b, sample.same)).collect();
        (tally.place, counts, tally.split, tally.contents, tally.leaders, samples).into_pyobject(py)
    });
    PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)
}
