//! The shapes that come back from explain, compare and identify, and Violation:
//! frozen records of Python objects. Must not know how they are filled.

use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple, PyType};

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
            fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
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
            fn __match_args__(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
                PyTuple::new(py, [$(stringify!($field)),*])
            }

            fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
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
    /// One layer that `unwrap` took off a link.
    ///
    /// >>> import urlkey
    /// >>> hop = urlkey.unwrap('https://t.umblr.com/redirect?z=https%3A%2F%2Fexample.com%2F')[0]
    /// >>> hop.url, hop.rule, hop.kind
    /// ('https://example.com/', 'tumblr', 'redirector')
    Hop {
        /// The target as the link spells it, decoded.
        url: Py<PyString>,
        /// Id of the rule, as in data/rules/redirectors.toml.
        rule: Py<PyString>,
        /// What the link was: 'redirector', 'affiliate', 'shield' (mail security), 'mail', 'share',
        /// 'amp', 'copy' or 'translation'.
        kind: Py<PyString>,
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

record! {
    "urlkey.systems.reputation":
    /// What a blocklist says of a URL.
    ///
    /// >>> from urlkey.systems.reputation import Blocklist
    /// >>> found = Blocklist(['evil.example']).lookup('http://www.evil.example/a')
    /// >>> found.expression, found.line, found.exact, found.layer
    /// ('evil.example/', 1, False, 0)
    Match {
        /// The expression of the URL that the list holds.
        expression: Py<PyString>,
        /// The line of the list, counted from 1.
        line: u32,
        /// How many bytes of its hash the list holds; None for a text list. A short prefix is met
        /// by chance.
        prefix: Option<usize>,
        /// Whether the expression is all of the URL: host, path and query.
        exact: bool,
        /// How many layers of wrapping were taken off; 0 is the URL itself.
        layer: usize,
        /// The URL of that layer; None for the URL itself.
        url: Option<Py<PyString>>,
        /// The redirector's rule that took the last layer off, or None.
        rule: Option<Py<PyString>>,
    }
}

record! {
    "urlkey.systems.social":
    /// What a URL of a social platform points at.
    ///
    /// >>> from urlkey.systems.social import social_id
    /// >>> social_id('https://youtu.be/dQw4w9WgXcQ?t=1m30s').canonical
    /// 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=90s'
    SocialId {
        /// The platform: 'youtube'.
        platform: Py<PyString>,
        /// What it is, as the URL says it: 'video', 'video-time', 'profile'.
        kind: Py<PyString>,
        /// The platform's own id, in the case that counts; None where the URL has none.
        id: Option<Py<PyString>>,
        /// The URL that all its spellings share; its own canonical.
        canonical: Py<PyString>,
        /// The id with the name space it is unique in, 'youtube:video:dQw4w9WgXcQ': what to group
        /// by. Equal where two kinds are one thing; None where there is no id.
        key: Option<Py<PyString>>,
        /// Parameters that say which part is meant: a tuple of (name, value), both str; times
        /// ('t') in seconds.
        content: Py<PyTuple>,
        /// Whether the URL shows a part of it or another page, a comment or a tab: it is then no
        /// spelling of the canonical, and keeps a key of its own.
        is_part: bool,
    }
}

record! {
    /// What sort of address an IP address is.
    ///
    /// Source: https://www.iana.org/assignments/iana-ipv4-special-registry/
    ///
    /// >>> import urlkey
    /// >>> found = urlkey.classify_ip('169.254.169.254')
    /// >>> found.class_, found.block, found.name, found.is_global
    /// ('link-local', '169.254.0.0/16', 'Link Local', False)
    IpClass {
        /// As the URL Standard serializes it, without brackets.
        address: Py<PyString>,
        /// What sort of block it is in: 'public' in none, else 'private', 'loopback', 'link-local',
        /// 'shared', 'unspecified', 'reserved', 'protocol', 'documentation', 'benchmarking',
        /// 'multicast', 'broadcast', 'deprecated', 'embeds-ipv4' or 'embeds-ipv4-local'.
        class_: Py<PyString>,
        /// The longest block that holds it, as '10.0.0.0/8'; None where it is public.
        block: Option<Py<PyString>>,
        /// The registry's name of that block, or None.
        name: Option<Py<PyString>>,
        /// The registry's word on the block; True where it is public, None where it says "N/A".
        globally_reachable: Option<bool>,
        /// Tuple of IpClass: the IPv4 addresses inside. One for mapped, compatible, translated,
        /// 6to4 and ISATAP addresses; client and server for Teredo.
        embedded: Py<PyTuple>,
        /// The service of a cloud that answers at this very address, or None.
        service: Option<Py<PyString>>,
    }
    /// Whether the address, and every address inside it, is globally reachable and no service of a
    /// cloud: the only ones that a gateway lets through.
    #[getter]
    fn is_global(&self, py: Python<'_>) -> PyResult<bool> {
        if self.globally_reachable != Some(true) || self.service.is_some() {
            return Ok(false);
        }
        for inner in self.embedded.bind(py) {
            if !inner.cast::<IpClass>()?.get().is_global(py)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

record! {
    "urlkey.systems.company":
    /// What a company is known by in a URL, a host or a mail address.
    ///
    /// >>> from urlkey.systems.company import company_key
    /// >>> found = company_key('https://shop.acme.myshopify.com/')
    /// >>> found.key, found.registrable_icann
    /// ('acme.myshopify.com', 'myshopify.com')
    CompanyKey {
        /// The registrable domain under the ICANN section of the public suffix list, or None.
        registrable_icann: Option<Py<PyString>>,
        /// The registrable domain under the whole list, or None.
        registrable_full: Option<Py<PyString>>,
        /// What stands for one customer below a shared domain, or None.
        tenant: Option<Py<PyString>>,
        /// What to group by: the tenant, else the registrable domain; None where `reason` says why.
        key: Option<Py<PyString>>,
        /// Why there is no key, or None: one of NO_KEY_REASONS.
        reason: Option<Py<PyString>>,
    }
}

record! {
    "urlkey._native":
    /// A pattern that decides about a URL: which one, where it stands, and what it names.
    ///
    /// >>> from urlkey.systems.gateway.patterns import PatternSet
    /// >>> found = PatternSet('chrome', ['example.com/a']).match('https://www.example.com/ab')
    /// >>> found.pattern, found.line, found.reason
    /// ('example.com/a', 1, 'the host or one below, its path')
    PatternMatch {
        /// The pattern as the line writes it.
        pattern: Py<PyString>,
        /// 'block' or 'allow'.
        list: Py<PyString>,
        /// The line of that list, counted from 1.
        line: u32,
        /// What of the URL it names.
        reason: Py<PyString>,
        /// The URL inside this one that it names, or None where it is the URL itself.
        embedded: Option<Py<PyString>>,
    }
}

record! {
    "urlkey._native":
    /// What a host looks like.
    ///
    /// >>> from urlkey.systems.gateway.homographs import homograph
    /// >>> found = homograph('xn--80ak6aa92e.com', ['apple.com'])
    /// >>> found.lookalike_of, found.restriction_level
    /// ('apple.com', 'single-script')
    Homograph {
        /// The host with its `xn--` labels decoded.
        host: Py<PyString>,
        /// UTS 39's skeleton of that: equal for hosts that look alike.
        skeleton: Py<PyString>,
        /// The widest level of its labels, from 'ascii-only' to 'unrestricted'.
        restriction_level: Py<PyString>,
        /// Scripts of its letters by their names in Unicode, in the order in which they come.
        scripts: Py<PyTuple>,
        /// Whether a label is of one other script, at home elsewhere, and all of it looks Latin.
        whole_script_confusable: bool,
        /// The protected name that it looks like and is not, or None.
        lookalike_of: Option<Py<PyString>>,
        /// What speaks against it; empty where nothing does.
        reasons: Py<PyTuple>,
    }
}

/// A URL for eyes: redacted, in quotes, as Python's repr writes it.
pub fn shown(py: Python<'_>, url: &str) -> PyResult<String> {
    Ok(PyString::new(py, &urlkey::redact(url)).repr()?.to_string())
}

fn shown_field(py: Python<'_>, url: &Py<PyString>) -> PyResult<String> {
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

impl PatternMatch {
    /// What the core found.
    pub fn of(py: Python<'_>, found: urlkey::patterns::Match<'_>) -> PatternMatch {
        PatternMatch {
            pattern: PyString::new(py, found.pattern).unbind(),
            list: PyString::intern(py, found.list.as_str()).unbind(),
            line: found.line,
            reason: PyString::new(py, &found.reason).unbind(),
            embedded: found.embedded.map(|url| PyString::new(py, &url).unbind()),
        }
    }

    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        let (pattern, list) = (shown_field(py, &self.pattern)?, self.list.bind(py));
        Ok(format!("<PatternMatch {pattern} list={list} line={}>", self.line))
    }
}

impl Match {
    /// What the core found.
    pub fn of(py: Python<'_>, found: urlkey::blocklist::Match) -> Match {
        let text = |text: String| PyString::new(py, &text).unbind();
        Match {
            expression: text(found.expression),
            line: found.line,
            prefix: found.prefix,
            exact: found.exact,
            layer: found.layer,
            url: found.url.map(text),
            rule: found.rule.map(text),
        }
    }

    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        let expression = shown_field(py, &self.expression)?;
        Ok(format!("<Match {expression} line={} layer={}>", self.line, self.layer))
    }
}

impl Homograph {
    /// What the core found.
    pub fn of(py: Python<'_>, found: urlkey::homographs::Homograph) -> PyResult<Homograph> {
        let text = |text: String| PyString::new(py, &text).unbind();
        Ok(Homograph {
            host: text(found.host),
            skeleton: text(found.skeleton),
            restriction_level: PyString::intern(py, found.restriction_level).unbind(),
            scripts: PyTuple::new(py, found.scripts)?.unbind(),
            whole_script_confusable: found.whole_script_confusable,
            lookalike_of: found.lookalike_of.map(text),
            reasons: PyTuple::new(py, found.reasons)?.unbind(),
        })
    }

    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Homograph {} reasons={}>", self.host.bind(py).repr()?, self.reasons.bind(py).repr()?))
    }
}

impl SocialId {
    /// What the core found.
    pub fn of(py: Python<'_>, found: urlkey::forms::social::SocialId) -> PyResult<SocialId> {
        let text = |text: String| PyString::new(py, &text).unbind();
        Ok(SocialId {
            platform: PyString::intern(py, found.platform).unbind(),
            kind: PyString::intern(py, found.kind).unbind(),
            id: found.id.map(text),
            canonical: text(found.canonical),
            key: found.key.map(text),
            content: PyTuple::new(py, found.content)?.unbind(),
            is_part: found.is_part,
        })
    }

    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        let (platform, kind) = (self.platform.bind(py).repr()?, self.kind.bind(py).repr()?);
        let id = self.id.as_ref().map_or(Ok("None".to_owned()), |id| id.bind(py).repr().map(|id| id.to_string()))?;
        let canonical = shown_field(py, &self.canonical)?;
        Ok(format!("SocialId(platform={platform}, kind={kind}, id={id}, canonical={canonical})"))
    }
}

impl IpClass {
    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        let class = self.class_.bind(py);
        let block = self.block.as_ref().map(|block| format!(" in {}", block.bind(py))).unwrap_or_default();
        Ok(format!("<IpClass {}: {class}{block}>", self.address.bind(py)))
    }
}

impl CompanyKey {
    /// What the core found.
    pub fn of(py: Python<'_>, found: urlkey::company::CompanyKey) -> CompanyKey {
        let text = |text: Option<String>| text.map(|text| PyString::new(py, &text).unbind());
        CompanyKey {
            registrable_icann: text(found.registrable_icann),
            registrable_full: text(found.registrable_full),
            tenant: text(found.tenant),
            key: text(found.key),
            reason: found.reason.map(|reason| PyString::intern(py, reason.as_str()).unbind()),
        }
    }

    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        let names = ["registrable_icann", "registrable_full", "tenant", "key", "reason"];
        let fields = names.iter().zip(self.fields(py)?.iter());
        let fields: Vec<String> =
            fields.map(|(name, value)| Ok(format!("{name}={}", value.repr()?))).collect::<PyResult<_>>()?;
        Ok(format!("CompanyKey({})", fields.join(", ")))
    }
}

impl Hop {
    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        let (rule, kind) = (self.rule.bind(py).repr()?, self.kind.bind(py).repr()?);
        Ok(format!("Hop(url={}, rule={rule}, kind={kind})", shown_field(py, &self.url)?))
    }
}
