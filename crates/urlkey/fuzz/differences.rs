//! Where this parser and that of the `url` crate part, and the classes that
//! tell why. `tests/differential.jsonl` lists the classes with example and
//! reason; a difference of no class is a fault of one of the two.

use urlkey::{Options, Url};

/// What the two made of one text.
#[derive(Debug)]
#[allow(dead_code)] // a fuzz target only prints it
pub struct Difference {
    /// The class in `tests/differential.jsonl`; `None` if it has none.
    pub class: Option<&'static str>,
    pub ours: Result<String, String>,
    pub theirs: Result<String, String>,
}

/// How the two differ over a text, if they do. A base counts only where both agree on it.
pub fn difference(text: &str, base: Option<&str>) -> Option<Difference> {
    let bases = match base {
        Some(base) => match (Url::parse(base, &Options::default()), url::Url::parse(base)) {
            (Ok(ours), Ok(theirs)) if ours.href() == theirs.as_str() && !is_drive(&ours) => Some((ours, theirs)),
            _ => return None,
        },
        None => None,
    };
    let options = Options { base: bases.as_ref().map(|(ours, _)| ours), ..Options::default() };
    let ours = Url::parse(text, &options);
    let theirs = url::Url::options().base_url(bases.as_ref().map(|(_, theirs)| theirs)).parse(text);
    if let (Ok(ours), Ok(theirs)) = (&ours, &theirs)
        && ours.href() == theirs.as_str()
    {
        // One text is read in one way.
        let read = (theirs.host_str().unwrap_or_default(), theirs.path(), theirs.query(), theirs.fragment());
        assert_eq!((ours.host().unwrap_or_default(), ours.path(), ours.query(), ours.fragment()), read, "{text:?}");
        return None;
    }
    if ours.is_err() && theirs.is_err() {
        return None;
    }
    let ours = ours.map(|url| url.href().to_owned()).map_err(|e| e.code.as_str().to_owned());
    let theirs = theirs.map(String::from).map_err(|e| e.to_string());
    let case = Case { text, base, ours: ours.as_deref(), theirs: theirs.as_deref() };
    let class = CLASSES.iter().find(|(_, holds)| holds(&case)).map(|(name, _)| *name);
    Some(Difference { class, ours, theirs })
}

/// A base that ends with a drive: with .. against it the crate fails an assertion of its own (2.5.8).
fn is_drive(base: &Url) -> bool {
    base.scheme() == "file" && matches!(base.path().as_bytes(), [.., b'/', _, b':'])
}

/// The names of all classes.
#[allow(dead_code)] // a fuzz target does not ask
pub fn classes() -> impl Iterator<Item = &'static str> {
    CLASSES.iter().map(|(name, _)| *name)
}

struct Case<'a> {
    text: &'a str,
    base: Option<&'a str>,
    ours: Result<&'a str, &'a String>,
    theirs: Result<&'a str, &'a String>,
}

type Class = (&'static str, fn(&Case) -> bool);

/// The first that holds names the difference. Each says as narrowly as it can what differs.
const CLASSES: &[Class] = &[
    ("circumflex", |case| case.both(|ours, theirs| ours == theirs)),
    ("a-label", |case| {
        let host = case.ours.ok().and_then(|ours| ours.split("://").nth(1)).unwrap_or_default();
        let host = host.split(['/', '?', '#']).next().unwrap_or_default();
        case.theirs.is_err_and(|e| e.contains("domain name")) && host.contains("xn--")
    }),
    ("drive-letter-host", |case| {
        case.is_file() && case.both(|ours, theirs| drive_at(ours).is_some() && drive_at(ours) == drive_at(theirs))
    }),
    ("drive-letter-elsewhere", |case| case.both(|_, _| case.is_file() || case.has_dots()) && case.has_drive_letter()),
    ("file-empty-segment", |case| case.is_file() && case.both(|ours, theirs| one_slash(ours) == one_slash(theirs))),
    ("backslash-reference", |case| case.trimmed().starts_with(['\\', '/']) && !case.is_special_base()),
    ("backslash-port", |case| case.ours == Err(&"port-invalid".to_owned()) && case.text.contains('\\')),
    ("opaque-space", |case| case.both(|ours, theirs| ours.replace("%20", " ") == theirs.replace("%20", " "))),
    ("credentials-only", |case| case.ours == Err(&"host-missing".to_owned()) && case.text.contains('@')),
    ("line-break", |case| {
        let text = without_breaks(case.text);
        let rest = || difference(&text, case.base);
        case.is_file() && text.len() < case.text.len() && rest().is_none_or(|rest| rest.class.is_some())
    }),
    ("slashes-reference", |case| case.base.is_some() && case.theirs.is_err_and(|e| e == "empty host")),
];

impl Case<'_> {
    /// Whether both are URLs and `same`, circumflexes apart: those come on top of all else.
    fn both(&self, same: impl Fn(&str, &str) -> bool) -> bool {
        let plain = |href: &str| href.replace("%5E", "^");
        matches!((self.ours, self.theirs), (Ok(ours), Ok(theirs)) if same(&plain(ours), &plain(theirs)))
    }

    fn trimmed(&self) -> &str {
        self.text.trim_matches(|c| c <= ' ')
    }

    fn is_file(&self) -> bool {
        self.ours.is_ok_and(|ours| ours.starts_with("file:"))
    }

    fn has_drive_letter(&self) -> bool {
        let text = without_breaks(&[self.base.unwrap_or_default(), "/", self.trimmed()].concat());
        text.split(['/', '\\', '?', '#']).any(|segment| {
            // A scheme without slashes may stand in front of it.
            let segment =
                segment.rsplit_once(':').map_or(segment, |(_, rest)| if rest.is_empty() { segment } else { rest });
            matches!(segment.as_bytes(), [a, b'|' | b':'] if a.is_ascii_alphabetic())
        })
    }

    fn has_dots(&self) -> bool {
        [".", "%2e", "%2E"]
            .iter()
            .any(|dot| self.text.contains(dot) || self.base.is_some_and(|base| base.contains(dot)))
    }

    fn is_special_base(&self) -> bool {
        let special = ["http:", "https:", "ws:", "wss:", "ftp:", "file:"];
        self.base.is_none_or(|base| special.iter().any(|scheme| base.trim_start().starts_with(scheme)))
    }
}

/// From the drive letter on.
fn drive_at(href: &str) -> Option<&str> {
    let at = href[5..].find(':')? + 5;
    (href.as_bytes()[at - 2] == b'/').then(|| &href[at - 1..])
}

fn without_breaks(text: &str) -> String {
    text.replace(['\t', '\n', '\r'], "")
}

fn one_slash(href: &str) -> String {
    let mut out = String::new();
    for c in href.chars() {
        if !(c == '/' && out.ends_with('/')) {
            out.push(c);
        }
    }
    out
}
