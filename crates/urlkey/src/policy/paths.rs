//! Path patterns of site rules: `/view/{int}` takes `/view/7` and all below it.
//! Matched by segment. Must not know hosts or queries.

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
        if inside.contains(['?', '#']) {
            return Err(format!("path {text:?} holds ? or #; allowed: segments alone"));
        }
        let inside = inside.strip_suffix('/').unwrap_or(inside);
        let segments = match inside {
            "" => Ok(Vec::new()),
            _ => inside.split('/').map(segment).collect(),
        };
        Ok(PathPattern { text: format!("/{inside}"), segments: segments? })
    }

    /// As rules write it.
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
        _ => Ok(Segment::Literal(text.to_owned())),
    }
}

impl Segment {
    fn matches(&self, text: &str) -> bool {
        let all = |is: fn(&u8) -> bool| !text.is_empty() && text.bytes().all(|byte| is(&byte));
        match self {
            Segment::Literal(literal) => literal == text,
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
    fn unknown_segments_are_refused() {
        for bad in ["view", "/{number}", "/a*", "/a?b"] {
            assert!(PathPattern::parse(bad).is_err(), "{bad}");
        }
    }
}
