//! Frozen records of Python objects, and those that come back from explain, compare
//! and identify. Must not know how they are filled.

use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

/// A frozen class with these fields: constructor, equality, hash, matching and pickling by field.
/// Of the package `urlkey`, unless a module says so in front: where pickles look for it.
macro_rules! record {
    (
        $(#[$doc:meta])*
        $class:ident $($rest:tt)*
    ) => {
        record! { "urlkey": $(#[$doc])* $class $($rest)* }
    };
    (
        $module:literal:
        $(#[$doc:meta])*
        $class:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* }
        $($more:item)*
    ) => {
        $(#[$doc])*
        #[pyclass(frozen, get_all, module = $module)]
        pub struct $class { $($(#[$field_doc])* pub $field: $type,)* }

        impl $class {
            fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyTuple>> {
                ($(&self.$field,)*).into_pyobject(py)
            }
        }

        #[pymethods]
        impl $class {
            #[new]
            #[allow(clippy::too_many_arguments, reason = "one argument a field")]
            fn new($($field: $type),*) -> $class {
                $class { $($field),* }
            }

            #[classattr]
            fn __match_args__(py: Python<'_>) -> PyResult<Bound<'_, pyo3::types::PyTuple>> {
                pyo3::types::PyTuple::new(py, [$(stringify!($field)),*])
            }

            fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, pyo3::types::PyType>, Bound<'py, pyo3::types::PyTuple>)> {
                Ok((py.get_type::<$class>(), self.fields(py)?))
            }

            fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
                match other.cast::<$class>() {
                    Ok(same) => {
                        let py = other.py();
                        self.fields(py)?.eq(same.get().fields(py)?)
                    }
                    Err(_) => Ok(false),
                }
            }

            fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
                self.fields(py)?.hash()
            }

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                self.shown(py)
            }

            $($more)*
        }
    };
}

pub(crate) use record;

record! {
    /// An oddity that the URL Standard notes and parses through all the same.
    ///
    /// Source: https://url.spec.whatwg.org/#validation-error
    ///
    /// >>> import urlkey
    /// >>> urlkey.parse('http://example.com\\a').violations[0].code
    /// 'invalid-reverse-solidus'
    Violation {
        /// The Standard's name of it.
        code: Py<PyString>,
        /// Byte offset in the text as UTF-8.
        at: usize,
    }
}

record! {
    /// One step of an explanation: what was rewritten, why, and on whose word.
    ///
    /// >>> import urlkey
    /// >>> step = urlkey.explain('http://example.com/?b&a').steps[-1]
    /// >>> step.name, step.before, step.after, step.loss
    /// ('sort_query', 'http://example.com/?b&a', 'http://example.com/?a&b', 'usual')
    Step {
        /// Name of the rung or of the parser's step.
        name: Py<PyString>,
        /// The whole URL before it.
        before: Py<PyString>,
        /// The whole URL after it.
        after: Py<PyString>,
        /// The word for the difference that it removes.
        reason: Py<PyString>,
        /// What it may lose: 'none', 'client', 'usual' or 'site'.
        loss: Py<PyString>,
        /// The section or anchor that says so.
        source: Py<PyString>,
        /// `file:line` of the rule row that decided, or None.
        rule: Option<Py<PyString>>,
        /// What the step does, in one sentence.
        rule_text: Py<PyString>,
        /// Why the step's result was refused, or None where it acted.
        refused: Option<Py<PyString>>,
    }
}

record! {
    /// How a spelling became its key, step by step.
    ///
    /// >>> import urlkey
    /// >>> told = urlkey.explain('HTTP://example.com/')
    /// >>> told.key, [step.name for step in told.steps]
    /// ('http://example.com/', ['lower_scheme'])
    Explanation {
        /// The spelling that was given: str, or bytes.
        input: Py<PyAny>,
        /// What a client would request.
        href: Py<PyString>,
        /// What the ladder ends with.
        key: Py<PyString>,
        /// Id of the policy, as `Policy.id`.
        policy_id: Py<PyString>,
        /// Tuple of Step, in running order.
        steps: Py<PyTuple>,
        /// Tuple of str: 'signed' and the like.
        flags: Py<PyTuple>,
        /// Tuple of Violation, by offset.
        violations: Py<PyTuple>,
        /// Tuple of str: what site rules switched, 'mine.toml:3: off sort_query'.
        rules: Py<PyTuple>,
    }
}

record! {
    /// Whether two spellings have one key, and what stands between them. True in a condition where
    /// they have.
    ///
    /// >>> import urlkey
    /// >>> seen = urlkey.compare('http://example.com/', 'https://example.com/')
    /// >>> seen.same, seen.meets, seen.reasons, seen.part
    /// (False, 'site', ('scheme',), 'scheme')
    Comparison {
        /// Whether the keys are equal under the policy.
        same: bool,
        /// The lowest loss class whose rungs, all on, make the keys equal: 'none', 'client',
        /// 'usual' or 'site'; None if no class does.
        meets: Option<Py<PyString>>,
        /// Tuple of the words for what differs.
        reasons: Py<PyTuple>,
        /// The first part in which the two still differ, or None.
        part: Option<Py<PyString>>,
        /// The key of the first.
        a: Py<PyString>,
        /// The key of the second.
        b: Py<PyString>,
    }
    fn __bool__(&self) -> bool {
        self.same
    }
}

record! {
    /// What to store of a URL: spelling, href and key, with what the key may have lost.
    ///
    /// >>> import urlkey
    /// >>> urlkey.identify('http://example.com/?utm_source=x').loss
    /// 'usual'
    Identity {
        /// The spelling that was given: str, or bytes.
        original: Py<PyAny>,
        /// What a client would request.
        href: Py<PyString>,
        /// What to compare and store.
        key: Py<PyString>,
        /// Id of the policy, as `Policy.id`.
        policy_id: Py<PyString>,
        /// The highest loss class of the steps that acted.
        loss: Py<PyString>,
        /// Tuple of str: 'signed' and the like.
        flags: Py<PyTuple>,
    }
}

/// A URL for eyes: redacted, in quotes, as Python's repr writes it.
pub fn shown(py: Python<'_>, url: &str) -> PyResult<String> {
    Ok(PyString::new(py, &urlkey::redact(url)).repr()?.to_string())
}

/// The same of a field.
pub fn shown_field(py: Python<'_>, url: &Py<PyString>) -> PyResult<String> {
    shown(py, &url.bind(py).to_string_lossy())
}

impl Violation {
    /// A tuple of what the core noted, by offset: it looks at some parts before those to their left.
    pub fn all(py: Python<'_>, mut noted: Vec<urlkey::Violation>) -> PyResult<Bound<'_, PyTuple>> {
        noted.sort_by_key(|violation| violation.at);
        let of = |violation: urlkey::Violation| Violation {
            code: PyString::intern(py, violation.code.as_str()).unbind(),
            at: violation.at,
        };
        PyTuple::new(py, noted.into_iter().map(of))
    }

    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Violation(code={}, at={})", self.code.bind(py).repr()?, self.at))
    }
}

impl Step {
    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        let (before, after) = (shown_field(py, &self.before)?, shown_field(py, &self.after)?);
        Ok(format!("<Step {}: {before} to {after}>", self.name.bind(py)))
    }
}

impl Explanation {
    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        let steps = self.steps.bind(py).len();
        Ok(format!("<Explanation key={} steps={steps}>", shown_field(py, &self.key)?))
    }
}

impl Comparison {
    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        let same = if self.same { "True" } else { "False" };
        let (a, b) = (shown_field(py, &self.a)?, shown_field(py, &self.b)?);
        Ok(format!("<Comparison same={same} a={a} b={b}>"))
    }
}

impl Identity {
    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Identity key={} loss={}>", shown_field(py, &self.key)?, self.loss.bind(py).repr()?))
    }
}
