//! Patterns of whole paths, as rules of redirectors write them. Must not know
//! what a path leads to.

/// A path, segment by segment: `/click-*-*`, `/web/{stamp}/**`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Glob {
    segments: Vec<Segment>,
    /// Behind the segments follows anything that begins so.
    open: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    /// Literal pieces, with some bytes between them.
    Pieces(Vec<String>),
    Int,
    Hex,
    Stamp,
}

impl Glob {
    /// Reads a pattern; an error says what is allowed.
    pub(crate) fn parse(text: &str) -> Result<Glob, String> {
        let wrong = || {
            format!(
                "{text:?} is no pattern of a path; allowed: segments behind /, with * {{int}} {{hex}} {{stamp}}, ** at the end"
            )
        };
        let mut rest = text.strip_prefix('/').ok_or_else(wrong)?;
        let mut open = None;
        if let Some(front) = rest.strip_suffix("**") {
            let (before, prefix) = front.rsplit_once('/').unwrap_or(("", front));
            (rest, open) = (before, Some(prefix.to_owned()));
        }
        if rest.contains("**") || rest.contains(['?', '#']) {
            return Err(wrong());
        }
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let segments = rest.split('/').filter(|_| !rest.is_empty()).map(|segment| match segment {
            "{int}" => Segment::Int,
            "{hex}" => Segment::Hex,
            "{stamp}" => Segment::Stamp,
            literal => Segment::Pieces(literal.split('*').map(str::to_owned).collect()),
        });
        Ok(Glob { segments: segments.collect(), open })
    }

    /// Whether the path is of this pattern; one slash at its end is looked past.
    pub(crate) fn matches(&self, path: &str) -> bool {
        let Some(mut rest) = path.strip_prefix('/') else { return false };
        let mut ended = false;
        for segment in &self.segments {
            let end = rest.find('/');
            if ended || !segment.is(&rest[..end.unwrap_or(rest.len())]) {
                return false;
            }
            ended = end.is_none();
            rest = end.map_or("", |at| &rest[at + 1..]);
        }
        match &self.open {
            Some(prefix) => !ended && rest.starts_with(prefix.as_str()),
            None => rest.is_empty(),
        }
    }
}

impl Segment {
    fn is(&self, text: &str) -> bool {
        let all = |is: fn(&u8) -> bool| !text.is_empty() && text.bytes().all(|byte| is(&byte));
        match self {
            Segment::Int => all(u8::is_ascii_digit),
            Segment::Hex => all(u8::is_ascii_hexdigit),
            Segment::Stamp => stamp(text),
            Segment::Pieces(pieces) => fits(pieces, text),
        }
    }
}

/// `20170204063743`, `2017*`, `*`, with a modifier such as `id_` behind it.
fn stamp(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let star = usize::from(text.as_bytes().get(digits) == Some(&b'*'));
    let behind = &text.as_bytes()[digits + star..];
    digits + star > 0 && digits <= 14 && matches!(behind, [] | [b'a'..=b'z', b'a'..=b'z', b'_'])
}

/// Whether the text is these pieces with some bytes between any two. Linear:
/// the leftmost place of a piece leaves the most room for those behind it.
fn fits(pieces: &[String], text: &str) -> bool {
    let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { return false };
    if pieces.len() == 1 {
        return text == first;
    }
    let Some(mut rest) = text.strip_prefix(first.as_str()) else { return false };
    for piece in &pieces[1..pieces.len() - 1] {
        let Some(at) = rest.get(1..).and_then(|behind| behind.find(piece.as_str())) else { return false };
        rest = &rest[1 + at + piece.len()..];
    }
    rest.len() > last.len() && rest.ends_with(last.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_matches_whole_segments() {
        let rows = [
            ("/", &["/"][..], &["/x", "//"][..]),
            ("/url", &["/url", "/url/"], &["/urls", "/url/x", "/a/url"]),
            ("/click-*-*", &["/click-1-2", "/click-1-2-3/"], &["/click--", "/click-1", "/xclick-1-2", "/click-1/-2"]),
            ("/amp/s/**", &["/amp/s/", "/amp/s/a/b"], &["/amp/s", "/amp/sx/"]),
            ("/v3/__**", &["/v3/__https://a/"], &["/v3/https://a/", "/v3/", "/v3"]),
            ("/web/{stamp}/**", &["/web/2017id_/http://a/", "/web/*/a"], &["/web/x/a", "/web/2017idx/a"]),
            ("/v1/{hex}/**", &["/v1/0aF/x"], &["/v1/0x/x", "/v1//x"]),
            ("/rover/1/*/1", &["/rover/1/a-b/1"], &["/rover/1//1", "/rover/1/a/2"]),
        ];
        for (glob, yes, no) in rows {
            let glob = Glob::parse(glob).unwrap();
            yes.iter().for_each(|path| assert!(glob.matches(path), "{glob:?} {path}"));
            no.iter().for_each(|path| assert!(!glob.matches(path), "{glob:?} {path}"));
        }
        for wrong in ["url", "/a/**/b", "/a?b"] {
            assert!(Glob::parse(wrong).is_err(), "{wrong}");
        }
    }
}
