//! Session ids, told by name and by the shape of the value. Must not know
//! where in a URL they stand.

use std::sync::Arc;

use super::names::{Names, Pattern};
use super::shape::Shape;
use crate::heads::Filter;

/// A session id that a server writes into URLs.
#[derive(Debug)]
pub struct SessionRow {
    pub(crate) name: Pattern,
    /// What the star of the name stands for.
    pub(crate) rest: Option<Shape>,
    /// The value has one of these.
    pub(crate) shapes: Vec<Shape>,
    pub(crate) in_query: bool,
    pub(crate) in_path: bool,
    /// `file:line`
    pub(crate) origin: String,
}

impl SessionRow {
    fn is(&self, name: &[u8], value: &[u8]) -> bool {
        let rest = name.get(self.name.stem.len()..).unwrap_or_default();
        self.rest.as_ref().is_none_or(|shape| shape.matches(rest))
            && self.shapes.iter().any(|shape| shape.matches(value))
    }
}

/// Two ids that count only side by side.
#[derive(Debug)]
pub(crate) struct SessionPair {
    pub(crate) first: Half,
    pub(crate) second: Half,
}

/// One of them.
#[derive(Debug)]
pub(crate) struct Half {
    pub(crate) name: String,
    pub(crate) shape: Shape,
}

impl Half {
    fn is(&self, name: &[u8], value: &[u8]) -> bool {
        name.eq_ignore_ascii_case(self.name.as_bytes()) && self.shape.matches(value)
    }
}

/// What drop_session drops.
pub struct SessionRules {
    filter: Filter,
    query: Names<Arc<SessionRow>>,
    path: Names<Arc<SessionRow>>,
    pair: Option<SessionPair>,
}

impl SessionRules {
    pub(crate) fn new(rows: &[Arc<SessionRow>], pair: Option<SessionPair>) -> SessionRules {
        let some = |is: fn(&SessionRow) -> bool| {
            Names::new(rows.iter().filter(|row| is(row)).map(|row| (&row.name, row.clone())))
        };
        let (query, path) = (some(|row| row.in_query), some(|row| row.in_path));
        let mut filter = query.filter();
        for half in pair.iter().flat_map(|pair| [&pair.first, &pair.second]) {
            filter.add(half.name.as_bytes(), false);
        }
        SessionRules { filter, query, path, pair }
    }

    pub(crate) fn filter(&self) -> &Filter {
        &self.filter
    }

    /// The row, `file:line`, that says that this query parameter is a session id.
    pub fn query_pair(&self, name: &[u8], value: &[u8]) -> Option<&str> {
        self.query.find(name, |row| row.is(name, value).then_some(row.origin.as_str()))
    }

    /// Whether this path parameter (`;jsessionid=...`, without the semicolon) is a session id.
    /// The answer is the row, `file:line`.
    pub fn path_param(&self, name: &[u8], value: &[u8]) -> Option<&str> {
        self.path.find(name, |row| row.is(name, value).then_some(row.origin.as_str()))
    }

    /// Whether this is the first of two ids that count only together, `cfid`.
    pub fn is_cfid(&self, name: &[u8], value: &[u8]) -> bool {
        self.pair.as_ref().is_some_and(|pair| pair.first.is(name, value))
    }

    /// Whether this is the second, `cftoken`.
    pub fn is_cftoken(&self, name: &[u8], value: &[u8]) -> bool {
        self.pair.as_ref().is_some_and(|pair| pair.second.is(name, value))
    }

    /// Whether this path segment is a cookieless ASP.NET session:
    /// `(S(24 alphanumerics))`, several lettered groups, or `(24 alphanumerics)`.
    /// It counts only where a later segment holds `.aspx`; that is for the caller to see.
    pub fn path_segment(&self, segment: &[u8]) -> bool {
        let Some(mut inside) = segment.strip_prefix(b"(").and_then(|rest| rest.strip_suffix(b")")) else {
            return false;
        };
        if is_id(inside) {
            return true;
        }
        let grouped = !inside.is_empty();
        while let [letter, b'(', rest @ ..] = inside {
            match rest.split_at_checked(ASPNET_ID) {
                Some((id, [b')', after @ ..])) if letter.is_ascii_alphabetic() && is_id(id) => inside = after,
                _ => return false,
            }
        }
        grouped && inside.is_empty()
    }
}

const ASPNET_ID: usize = 24;

fn is_id(text: &[u8]) -> bool {
    text.len() == ASPNET_ID && text.iter().all(u8::is_ascii_alphanumeric)
}

#[cfg(test)]
mod tests {
    use crate::policy::data;

    #[test]
    fn a_session_id_has_name_and_shape() {
        let rules = &data::session().unwrap().rows;
        let query = [
            ("PHPSESSID", "0123456789abcdef0123456789abcdef", true),
            ("phpsessid", "off", false),
            ("jsessionid", "8DBFC2FEDBD740BBC8B4D1A504A6DE7F.node1", true),
            ("jsessionid", "a63098d96360$B0$D9$A", true),
            ("jsessionid", "ABC123", false),
            ("jsessionid", "$5", false),
            ("ASPSESSIONIDAQBSDSRT", "EOHBLBDDPFCLHKPGGKLILNAM", true),
            ("ASPSESSIONIDAQBS", "EOHBLBDDPFCLHKPGGKLILNAM", false),
            ("sid", "0123456789abcdef0123456789abcdef", true),
            ("sid", "7", false),
            ("s", "0123456789abcdef0123456789abcdef", false),
            ("sessionid", "0123456789abcdef0123456789abcdef", false),
        ];
        for (name, value, yes) in query {
            assert_eq!(rules.query_pair(name.as_bytes(), value.as_bytes()).is_some(), yes, "{name}={value}");
            assert!(!yes || rules.filter.may(name.as_bytes()));
        }
        let row = rules.path_param(b"jsessionid", b"8DBFC2FEDBD740BBC8B4D1A504A6DE7F");
        assert!(row.is_some_and(|row| row.starts_with("rules/session.toml:")));
        assert!(rules.path_param(b"sid", b"0123456789abcdef0123456789abcdef").is_none());
        assert!(rules.is_cfid(b"CFID", b"3304324") && rules.is_cftoken(b"CFTOKEN", b"57491900"));
        assert!(!rules.is_cfid(b"cfid", b"x") && !rules.is_cfid(b"cftoken", b"1"));
    }

    #[test]
    fn cookieless_sessions_are_segments() {
        let rules = &data::session().unwrap().rows;
        let id = "4hqa0555fwsecu455xqckv45";
        for yes in [format!("(S({id}))"), format!("({id})"), format!("(a({id})S({id})f({id}))")] {
            assert!(rules.path_segment(yes.as_bytes()), "{yes}");
        }
        for no in ["()", "(S())", "(S(abc))", "36050182@N05", &format!("(S({id})"), &format!("(S({id}))x")] {
            assert!(!rules.path_segment(no.as_bytes()), "{no}");
        }
    }
}
