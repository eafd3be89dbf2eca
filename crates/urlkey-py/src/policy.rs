//! The class Policy: a compiled policy, and every function as a method of it.
//! Must not know what a rung does.

use crate::args::{self, BaseArg};
use crate::batch::{Batch, OnError, Threads, keys_of};
use crate::records::{Comparison, Explanation, Identity};
use crate::url::Url;
use crate::{errors, explain, key};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyInt, PyList, PyString, PyTuple};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use urlkey::{Code, Options, PolicyError, Rung, Setting};

/// What decides keys: which rungs of the ladder act, and with what parameters. Immutable; equal
/// and hashed by id; can be pickled. Every function of the package is a method too.
///
/// Takes the name of a built-in policy, or a Policy. Raises UrlKeyError ('bad-policy') for a name
/// that is unknown.
///
/// >>> import urlkey
/// >>> policy = urlkey.Policy('crawl').with_(drop_www=True)
/// >>> policy.key('http://www.example.com/')
/// 'http://example.com/'
#[pyclass(frozen, module = "urlkey")]
pub struct Policy {
    core: Arc<urlkey::Policy>,
}

impl Policy {
    /// As the core has it.
    pub fn of(core: Arc<urlkey::Policy>) -> Policy {
        Policy { core }
    }

    /// What the core takes.
    pub fn core(&self) -> &Arc<urlkey::Policy> {
        &self.core
    }

    /// The same, for what outlives the call.
    pub fn shared(&self) -> Arc<urlkey::Policy> {
        self.core.clone()
    }

    fn made(py: Python<'_>, made: Result<urlkey::Policy, urlkey::PolicyError>) -> PyResult<Policy> {
        match made {
            Ok(core) => Ok(Policy { core: Arc::new(core) }),
            Err(error) => Err(errors::policy_error(py, &error)),
        }
    }
}

/// What every method does with its arguments.
macro_rules! call {
    ($function:path, $self:ident, $url:ident, $base:ident, $encoding:ident) => {{
        let base = BaseArg::new($base)?;
        let options = Options { base: base.url(), encoding: args::encoding($encoding)? };
        $function($url, &options, &$self.core)
    }};
}

#[pymethods]
impl Policy {
    #[new]
    #[pyo3(signature = (policy=None), text_signature = "(policy='crawl')")]
    fn new(policy: Option<&Bound<'_, PyAny>>, py: Python<'_>) -> PyResult<Policy> {
        match policy {
            None => Ok(Policy { core: args::builtin(py, args::DEFAULT)? }),
            Some(object) => match object.cast::<Policy>() {
                Ok(policy) => Ok(Policy { core: policy.get().core.clone() }),
                Err(_) => match object.cast::<PyString>() {
                    Ok(name) => Ok(Policy { core: args::builtin(py, &name.to_string_lossy())? }),
                    Err(_) => Err(errors::type_error("policy", "a name or a Policy", object)),
                },
            },
        }
    }

    /// The policy of a name or of a TOML file, with more rule files on top.
    ///
    /// `name_or_path` is a built-in name, else a path; `rules` are paths of files with `[[site]]` rows,
    /// the last first in rank. Raises OSError for a file that cannot be read, UrlKeyError ('bad-policy', 'bad-rule') with file, line and what is allowed.
    ///
    /// >>> import urlkey
    /// >>> urlkey.Policy.load('safe').name
    /// 'safe'
    #[staticmethod]
    #[pyo3(signature = (name_or_path, rules=Vec::new()), text_signature = "(name_or_path, rules=())")]
    fn load(name_or_path: &Bound<'_, PyAny>, rules: Vec<PathBuf>) -> PyResult<Policy> {
        let py = name_or_path.py();
        let rules = rules.iter().map(|path| read(py, path, Code::BadRule)).collect::<PyResult<Vec<_>>>()?;
        let rules: Vec<(&str, &str)> = rules.iter().map(|(name, text)| (&**name, &**text)).collect();
        let named = match name_or_path.cast::<PyString>() {
            Ok(name) => builtin_or_none(py, &name.to_string_lossy())?,
            Err(_) => None,
        };
        match named {
            Some(core) if rules.is_empty() => Ok(Policy { core }),
            Some(core) => Policy::made(py, core.with_rules(&rules)),
            None => {
                let (name, text) = read(py, &name_or_path.extract::<PathBuf>()?, Code::BadPolicy)?;
                Policy::made(py, urlkey::Policy::from_toml(&text, &name, &rules))
            }
        }
    }

    /// The policy that has this text, as `text` gives it: what a store kept.
    ///
    /// >>> import urlkey
    /// >>> policy = urlkey.Policy('fold')
    /// >>> urlkey.Policy.from_text(policy.text) == policy
    /// True
    #[staticmethod]
    fn from_text(text: &str, py: Python<'_>) -> PyResult<Policy> {
        Policy::made(py, urlkey::Policy::from_toml(text, "policy text", &[]))
    }

    /// The policy with some rungs changed: rung names as keywords, each True, False or a dict of
    /// parameters; `input_bytes` as an int. Raises UrlKeyError ('bad-policy') for what there is not.
    ///
    /// >>> import urlkey
    /// >>> policy = urlkey.Policy('crawl').with_(sort_query=False, drop_tracking={'kinds': ['campaign']})
    /// >>> policy.key('http://example.com/?b&a&utm_source=x&gclid=y')
    /// 'http://example.com/?b&a&gclid=y'
    #[pyo3(signature = (**changes))]
    fn with_(&self, changes: Option<&Bound<'_, PyDict>>, py: Python<'_>) -> PyResult<Policy> {
        let mut settings = Vec::new();
        for (name, value) in changes.into_iter().flatten() {
            settings.push((text(name.cast::<PyString>()?)?, setting(&value, 0)?));
        }
        let settings: Vec<(&str, Setting)> = settings.iter().map(|(name, value)| (&**name, value.clone())).collect();
        Policy::made(py, self.core.with(&settings))
    }

    /// The name, as the policy's file has it.
    #[getter]
    fn name(&self) -> &str {
        self.core.name()
    }

    /// The version, raised by hand whenever the policy's keys change.
    #[getter]
    fn version(&self) -> u32 {
        self.core.version()
    }

    /// SHA-256 over all that decides keys, in hex: two policies of one id give the same keys.
    #[getter]
    fn id(&self) -> &str {
        self.core.id()
    }

    /// Name, version and the first 8 digits of the id: 'crawl-1:9f3ab2c4'.
    #[getter]
    fn short_id(&self) -> &str {
        self.core.short_id()
    }

    /// The whole policy as TOML, from which `from_text` makes it again, with the same id.
    #[getter]
    fn text(&self) -> &str {
        self.core.text()
    }

    /// Names of the rungs that are on: a tuple of str, in running order.
    #[getter]
    fn rungs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let on = Rung::ALL.iter().filter(|rung| self.core.has(**rung));
        PyTuple::new(py, on.map(|rung| rung.meta().name).collect::<Vec<_>>())
    }

    /// The key of a URL under this policy; see `urlkey.key`.
    ///
    /// >>> import urlkey
    /// >>> urlkey.Policy('whatwg').key('HTTP://example.com?b&a')
    /// 'http://example.com/?b&a'
    #[pyo3(signature = (url, base=None, *, encoding=None), text_signature = "($self, url, base=None, *, encoding='utf-8')")]
    fn key<'py>(
        &self,
        url: &Bound<'py, PyAny>,
        base: Option<&Bound<'py, PyAny>>,
        encoding: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        call!(key::key_of, self, url, base, encoding)
    }

    /// The href of a URL, after this policy's repairs; see `urlkey.href`.
    ///
    /// >>> import urlkey
    /// >>> urlkey.Policy('safe').with_(assume_scheme=True).href('example.com/a')
    /// 'https://example.com/a'
    #[pyo3(signature = (url, base=None, *, encoding=None), text_signature = "($self, url, base=None, *, encoding='utf-8')")]
    fn href<'py>(
        &self,
        url: &Bound<'py, PyAny>,
        base: Option<&Bound<'py, PyAny>>,
        encoding: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        call!(key::href_of, self, url, base, encoding)
    }

    /// The keys of many URLs under this policy; see `urlkey.keys`.
    ///
    /// >>> import urlkey
    /// >>> urlkey.Policy('fold').keys(['https://www.example.com/', 'http://example.com'])
    /// ['https://example.com/', 'https://example.com/']
    #[pyo3(
        signature = (urls, base=None, *, encoding=None, on_error="raise", threads=Threads::ONE),
        text_signature = "($self, urls, base=None, *, encoding='utf-8', on_error='raise', threads=1)"
    )]
    fn keys<'py>(
        &self,
        urls: &Bound<'py, PyAny>,
        base: Option<&Bound<'py, PyAny>>,
        encoding: Option<&Bound<'py, PyAny>>,
        on_error: &str,
        threads: Threads,
    ) -> PyResult<Bound<'py, PyList>> {
        let base = BaseArg::new(base)?;
        let options = Options { base: base.url(), encoding: args::encoding(encoding)? };
        keys_of(urls, &Batch { options, policy: &self.core, on_error: OnError::named(on_error)? }, threads)
    }

    /// The digest of a URL's key under this policy; see `urlkey.digest`.
    ///
    /// >>> import urlkey
    /// >>> policy = urlkey.Policy('fold')
    /// >>> policy.digest('https://example.com/') == policy.digest('http://www.example.com')
    /// True
    #[pyo3(signature = (url, base=None, *, encoding=None), text_signature = "($self, url, base=None, *, encoding='utf-8')")]
    fn digest<'py>(
        &self,
        url: &Bound<'py, PyAny>,
        base: Option<&Bound<'py, PyAny>>,
        encoding: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        call!(key::digest_of, self, url, base, encoding)
    }

    /// The parsed URL, after this policy's repairs; see `urlkey.parse`.
    ///
    /// >>> import urlkey
    /// >>> urlkey.Policy('crawl').parse('http://www.example.co.uk/').registrable_domain
    /// 'example.co.uk'
    #[pyo3(signature = (url, base=None, *, encoding=None), text_signature = "($self, url, base=None, *, encoding='utf-8')")]
    fn parse(
        &self,
        url: &Bound<'_, PyAny>,
        base: Option<&Bound<'_, PyAny>>,
        encoding: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Url> {
        call!(Url::of, self, url, base, encoding)
    }

    /// The href of a reference found in the document at `base`; see `urlkey.join`.
    ///
    /// >>> import urlkey
    /// >>> urlkey.Policy('crawl').join('http://example.com/a/b', '?c')
    /// 'http://example.com/a/b?c'
    #[pyo3(signature = (base, url, *, encoding=None), text_signature = "($self, base, url, *, encoding='utf-8')")]
    fn join<'py>(
        &self,
        base: &Bound<'py, PyAny>,
        url: &Bound<'py, PyAny>,
        encoding: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let base = Some(base);
        call!(key::href_of, self, url, base, encoding)
    }

    /// How a URL becomes its key under this policy; see `urlkey.explain`.
    ///
    /// >>> import urlkey
    /// >>> [step.name for step in urlkey.Policy('fold').explain('http://example.com/').steps]
    /// ['fold_scheme']
    #[pyo3(signature = (url, base=None, *, encoding=None), text_signature = "($self, url, base=None, *, encoding='utf-8')")]
    fn explain(
        &self,
        url: &Bound<'_, PyAny>,
        base: Option<&Bound<'_, PyAny>>,
        encoding: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Explanation> {
        call!(explain::explain_of, self, url, base, encoding)
    }

    /// How two URLs differ under this policy; see `urlkey.compare`.
    ///
    /// >>> import urlkey
    /// >>> urlkey.Policy('fold').compare('http://example.com/', 'https://example.com/').same
    /// True
    #[pyo3(signature = (a, b, base=None, *, encoding=None), text_signature = "($self, a, b, base=None, *, encoding='utf-8')")]
    fn compare(
        &self,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        base: Option<&Bound<'_, PyAny>>,
        encoding: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Comparison> {
        let base = BaseArg::new(base)?;
        let options = Options { base: base.url(), encoding: args::encoding(encoding)? };
        explain::compare_of(a, b, &options, &self.core)
    }

    /// What to store of a URL under this policy; see `urlkey.identify`.
    ///
    /// >>> import urlkey
    /// >>> urlkey.Policy('fold').identify('http://example.com/').loss
    /// 'site'
    #[pyo3(signature = (url, base=None, *, encoding=None), text_signature = "($self, url, base=None, *, encoding='utf-8')")]
    fn identify(
        &self,
        url: &Bound<'_, PyAny>,
        base: Option<&Bound<'_, PyAny>>,
        encoding: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Identity> {
        call!(explain::identify_of, self, url, base, encoding)
    }

    fn __repr__(&self) -> String {
        format!("<Policy {}>", self.core.short_id())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Policy>().is_ok_and(|other| other.get().core.id() == self.core.id())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, self.core.id()).hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&str,))> {
        Ok((py.get_type::<Policy>().getattr("from_text")?, (self.core.text(),)))
    }
}

/// A built-in policy, or None where the text can only be a path.
fn builtin_or_none(py: Python<'_>, name: &str) -> PyResult<Option<Arc<urlkey::Policy>>> {
    match urlkey::Policy::builtin(name) {
        Ok(core) => Ok(Some(core)),
        Err(_) if name.ends_with(".toml") || Path::new(name).exists() => Ok(None),
        Err(error) => Err(errors::policy_error(py, &error)),
    }
}

/// Name and text of a file; `code` is that of one which is no text.
fn read(py: Python<'_>, path: &Path, code: Code) -> PyResult<(String, String)> {
    let bytes = std::fs::read(path).map_err(|error| errors::file_error(path, error))?;
    let file = path.display().to_string();
    match String::from_utf8(bytes) {
        Ok(text) => Ok((file, text)),
        Err(error) => {
            let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = 1 + good.iter().filter(|byte| **byte == b'\n').count();
            let message = "a policy is UTF-8 text".to_owned();
            Err(errors::policy_error(py, &PolicyError { code, file, line: Some(line), message }))
        }
    }
}

/// A change that no policy file could hold.
#[cold]
fn bad_setting(py: Python<'_>, message: String) -> PyErr {
    let error = PolicyError { code: Code::BadPolicy, file: "changes".to_owned(), line: None, message };
    errors::policy_error(py, &error)
}

fn text(value: &Bound<'_, PyString>) -> PyResult<String> {
    let lossy = |_| bad_setting(value.py(), format!("{:?} holds a lone surrogate", value.to_string_lossy()));
    value.to_str().map(str::to_owned).map_err(lossy)
}

/// Depth of the deepest parameter: a list of names in the dict of a rung.
const DEEPEST: usize = 2;

/// A value of `with_`, as policy files have it.
fn setting(value: &Bound<'_, PyAny>, depth: usize) -> PyResult<Setting> {
    if let Ok(bool) = value.cast::<PyBool>() {
        return Ok(Setting::Bool(bool.is_true()));
    }
    if value.is_instance_of::<PyInt>() {
        let number = value.extract().map_err(|_| bad_setting(value.py(), "no setting is a number so large".to_owned()));
        return Ok(Setting::Int(number?));
    }
    if let Ok(string) = value.cast::<PyString>() {
        return text(string).map(Setting::Text);
    }
    // Deeper values are refused here, and none can hold itself.
    if depth < DEEPEST {
        if let Ok(table) = value.cast::<PyDict>() {
            let rows =
                table.iter().map(|(name, value)| Ok((text(name.cast::<PyString>()?)?, setting(&value, depth + 1)?)));
            return Ok(Setting::Table(rows.collect::<PyResult<_>>()?));
        }
        if let Ok(list) = value.try_iter() {
            let items = list.map(|item| setting(&item?, depth + 1));
            return Ok(Setting::List(items.collect::<PyResult<_>>()?));
        }
    }
    Err(errors::type_error("a setting", "bool, int, str, a list of str or a dict of these", value))
}
