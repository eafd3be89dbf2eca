//! Path patterns of site rules: `/view/{int}` takes `/view/7` and all below it.
//! Matched by segment, both as the percent scan would write them. Must not know
//! hosts or queries.

use std::borrow::Cow;

use crate::path::has_dot_segment;
use crate::percent::{self, C0, Scan};

/// The beginning of a path, segment by segment.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PathPattern {
    text: String,
    segments: Vec<Segment>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Segment {
    Literal(String),
    Int,
    Hex,
    Uuid,
    Date,
    Slug,
}

impl PathPattern {
    /// Reads a pattern; a slash at its end changes nothing.
    pub(crate) fn parse(text: &str) -> Result<PathPattern, String> {
        let Some(inside) = text.strip_prefix('/') else {
            return Err(format!("path {text:?} does not begin with a slash"));
        };
        if inside.contains(['?', '#', '\\', '\t', '\n', '\r']) {
            return Err(format!("path {text:?} holds ?, #, \\ or a tab or line break; allowed: segments alone"));
        }
        if has_dot_segment(text) {
            return Err(format!("path {text:?} holds a dot segment, which no parsed path keeps"));
        }
        let inside = inside.strip_suffix('/').unwrap_or(inside);
        let segments: Vec<Segment> = match inside {
            "" => Vec::new(),
            _ => inside.split('/').map(segment).collect::<Result<_, _>>()?,
        };
        let mut text = segments.iter().flat_map(|segment| ["/", segment.text()]).collect::<String>();
        // The slash that reading takes off: without it an empty last segment would go, each time one.
        if segments.last().is_none_or(|last| last.text().is_empty()) {
            text.push('/');
        }
        Ok(PathPattern { text, segments })
    }

    /// As rules write it, literals settled.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether the path begins with these segments.
    pub(crate) fn matches(&self, path: &str) -> bool {
        let mut found = path.strip_prefix('/').unwrap_or(path).split('/');
        self.segments.iter().all(|wanted| found.next().is_some_and(|segment| wanted.matches(segment)))
    }

    /// More segments first, then more literal ones.
    pub(crate) fn rank(&self) -> (usize, usize) {
        let literals = self.segments.iter().filter(|segment| matches!(segment, Segment::Literal(_)));
        (self.segments.len(), literals.count())
    }
}

fn segment(text: &str) -> Result<Segment, String> {
    match text {
        "{int}" => Ok(Segment::Int),
        "{hex}" => Ok(Segment::Hex),
        "{uuid}" => Ok(Segment::Uuid),
        "{date}" => Ok(Segment::Date),
        "{slug}" => Ok(Segment::Slug),
        _ if text.contains(['{', '}', '*']) => {
            Err(format!("unknown segment {text:?}; allowed: a literal, {{int}}, {{hex}}, {{uuid}}, {{date}}, {{slug}}"))
        }
        _ => Ok(Segment::Literal(settled(text).into_owned())),
    }
}

/// The text as percent scan and encode_brackets write it, so that a policy
/// without them takes the same paths for one.
fn settled(text: &str) -> Cow<'_, str> {
    const SCAN: Scan = Scan { upper: true, decode: true, encode: true };
    if !SCAN.acts_on(text.as_bytes()) && !text.contains(['[', ']']) {
        return Cow::Borrowed(text);
    }
    let (mut ascii, mut out) = (String::new(), String::with_capacity(text.len() + 8));
    percent::encode(text, C0, &mut ascii);
    SCAN.write(&ascii, &mut out);
    Cow::Owned(out.replace('[', "%5B").replace(']', "%5D"))
}

impl Segment {
    fn text(&self) -> &str {
        match self {
            Segment::Literal(literal) => literal,
            Segment::Int => "{int}",
            Segment::Hex => "{hex}",
            Segment::Uuid => "{uuid}",
            Segment::Date => "{date}",
            Segment::Slug => "{slug}",
        }
    }

    fn matches(&self, text: &str) -> bool {
        let all = |is: fn(&u8) -> bool| !text.is_empty() && text.bytes().all(|byte| is(&byte));
        match self {
            Segment::Literal(literal) => literal == text || *literal == settled(text),
            Segment::Int => all(u8::is_ascii_digit),
            Segment::Hex => all(u8::is_ascii_hexdigit),
            Segment::Uuid => fits(text, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"),
            Segment::Date => fits(text, "0000-00-00") || fits(text, "00000000"),
            Segment::Slug => all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')),
        }
    }
}

/// `x` stands for a hexadecimal digit, `0` for a decimal one.
fn fits(text: &str, mask: &str) -> bool {
    let fit = |(byte, like): (u8, u8)| match like {
        b'x' => byte.is_ascii_hexdigit(),
        b'0' => byte.is_ascii_digit(),
        _ => byte == like,
    };
    text.len() == mask.len() && text.bytes().zip(mask.bytes()).all(fit)
}

#[cfg(test)]
mod tests {
    use super::PathPattern;

    #[test]
    fn segments_are_matched_whole_and_from_the_left() {
        let view = PathPattern::parse("/view/{int}").unwrap();
        assert!(view.matches("/view/7") && view.matches("/view/7/reviews"));
        assert!(!view.matches("/view/x") && !view.matches("/views/7") && !view.matches("/view"));
        assert!(PathPattern::parse("/").unwrap().matches("/any/thing"));
        assert!(PathPattern::parse("/{date}/").unwrap().matches("/2026-11-30"));
        assert!(PathPattern::parse("/{uuid}").unwrap().matches("/123e4567-e89b-12d3-a456-426614174000"));
    }

    #[test]
    fn literals_are_compared_as_the_percent_scan_writes_them() {
        for (rule, text) in [
            ("/caf\u{e9}", "/caf%C3%A9"),
            ("/caf%c3%a9/", "/caf%C3%A9"),
            ("/a b", "/a%20b"),
            ("/a|b", "/a%7Cb"),
            ("/a%2fb", "/a%2Fb"),
            ("/%7Ea/{int}", "/~a/{int}"),
            ("/100%", "/100%25"),
            ("/a[0]", "/a%5B0%5D"),
            ("/a/", "/a"),
            ("/a//", "/a//"),
            ("/a///", "/a///"),
            ("//a", "//a"),
            ("//", "/"),
            ("///", "///"),
        ] {
            let pattern = PathPattern::parse(rule).unwrap();
            assert_eq!(pattern.text(), text);
            assert_eq!(pattern, PathPattern::parse(text).unwrap());
            let path = text.replace("{int}", "7");
            assert!(pattern.matches(&path) && pattern.matches(&path.to_lowercase().replace("%7c", "|")), "{rule}");
        }
    }

    #[test]
    fn unknown_segments_are_refused() {
        for bad in ["view", "/{number}", "/a*", "/a?b", "/a\\b", "/..", "/a/./b", "/a/.%2E/b", "/a\tb"] {
            assert!(PathPattern::parse(bad).is_err(), "{bad}");
        }
    }
}
