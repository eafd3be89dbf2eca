//! Shapes of values: what a session id or a signature looks like. A shape is a
//! row of character sets with counts, `[0-9a-f]{64}`; no alternatives, no
//! backtracking, one pass. Must not know which parameter has which shape.

/// A row of character sets with counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape(Vec<Piece>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    /// Bit `b` is set if byte `b` belongs to the set; ASCII only.
    set: u128,
    least: usize,
    most: usize,
}

impl Shape {
    /// Reads `[0-9A-Za-z,-]{22,}`: sets in brackets or single characters, each
    /// with `{n}`, `{n,}`, `{n,m}` or nothing, which is once.
    pub(crate) fn parse(text: &str) -> Result<Shape, String> {
        let mut rest = text.as_bytes();
        let mut pieces = Vec::new();
        while !rest.is_empty() {
            let (set, after) = take_set(rest).ok_or_else(|| fault(text))?;
            let (least, most, after) = take_count(after).ok_or_else(|| fault(text))?;
            pieces.push(Piece { set, least, most });
            rest = after;
        }
        if pieces.is_empty() {
            return Err(fault(text));
        }
        match pieces.windows(2).any(|pair| pair[0].least != pair[0].most && pair[0].set & pair[1].set != 0) {
            true => Err(format!("shape {text:?} is ambiguous: neighbouring sets share a character")),
            false => Ok(Shape(pieces)),
        }
    }

    /// The fewest and the most bytes that a value of this shape has.
    pub(crate) fn bounds(&self) -> (usize, usize) {
        let most = self.0.iter().fold(0usize, |sum, piece| sum.saturating_add(piece.most));
        (self.0.iter().map(|piece| piece.least).sum(), most)
    }

    /// Whether the whole value has this shape.
    pub(crate) fn matches(&self, value: &[u8]) -> bool {
        let mut rest = value;
        for piece in &self.0 {
            let run = rest.iter().take(piece.most).take_while(|&&byte| holds(piece.set, byte)).count();
            if run < piece.least {
                return false;
            }
            rest = &rest[run..];
        }
        rest.is_empty()
    }
}

fn holds(set: u128, byte: u8) -> bool {
    byte < 128 && set >> byte & 1 == 1
}

fn fault(text: &str) -> String {
    format!("shape {text:?} cannot be read; allowed: sets with counts like [0-9a-f]{{64}} or [A-Za-z]{{8,24}}")
}

fn take_set(text: &[u8]) -> Option<(u128, &[u8])> {
    match text {
        [b'[', inside @ ..] => {
            let end = inside.iter().position(|&byte| byte == b']')?;
            Some((set_of(&inside[..end])?, &inside[end + 1..]))
        }
        [b'{' | b'}' | b']', ..] => None,
        [byte @ b'!'..=b'~', after @ ..] => Some((1 << byte, after)),
        _ => None,
    }
}

fn set_of(mut inside: &[u8]) -> Option<u128> {
    let mut set = 0u128;
    while let [first, after @ ..] = inside {
        let (last, after) = match after {
            [b'-', last, rest @ ..] => (last, rest),
            _ => (first, after),
        };
        if !first.is_ascii() || !last.is_ascii() || first > last {
            return None;
        }
        (*first..=*last).for_each(|byte| set |= 1 << byte);
        inside = after;
    }
    (set != 0).then_some(set)
}

fn take_count(text: &[u8]) -> Option<(usize, usize, &[u8])> {
    let [b'{', inside @ ..] = text else {
        return Some((1, 1, text));
    };
    let end = inside.iter().position(|&byte| byte == b'}')?;
    let count = std::str::from_utf8(&inside[..end]).ok()?;
    let (least, most) = match count.split_once(',') {
        None => (count.parse().ok()?, count.parse().ok()?),
        Some((least, "")) => (least.parse().ok()?, usize::MAX),
        Some((least, most)) => (least.parse().ok()?, most.parse().ok()?),
    };
    (least <= most).then_some((least, most, &inside[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::Shape;

    fn is(shape: &str, value: &str) -> bool {
        Shape::parse(shape).unwrap().matches(value.as_bytes())
    }

    #[test]
    fn counts_and_sets() {
        assert!(is("[0-9a-f]{4}", "09af"));
        assert!(!is("[0-9a-f]{4}", "09aff"));
        assert!(!is("[0-9a-f]{4}", "09aF"));
        assert!(is("[0-9,-]{2,}", "1,-"));
        assert!(!is("[0-9,-]{2,}", "1"));
        assert!(is("v[0-9]{1,2}.", "v12."));
        assert!(is("[a-z]{2,}[.!]{1}[!-~]{0,}", "ab.%x"));
        assert!(!is("[a-z]{2,}", "ab\u{e4}"));
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for bad in ["", "[", "[]", "[z-a]", "a{", "a{2,1}", "a{x}", "]", "[0-9]{1,}[0-9a]"] {
            assert!(Shape::parse(bad).is_err(), "{bad}");
        }
    }
}
