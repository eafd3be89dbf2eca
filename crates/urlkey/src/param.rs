//! One parameter: name and value as they stand in a query, or in a fragment like
//! one. Knows no list of them.

/// A parameter as it stands in a query, or in a fragment like one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Param<'a> {
    /// `name=value`, or the name alone.
    pub(crate) text: &'a [u8],
    /// Where the name ends.
    pub(crate) name_end: usize,
}

impl<'a> Param<'a> {
    /// Of a text without `&`.
    pub(crate) fn of(text: &'a [u8]) -> Param<'a> {
        Param { text, name_end: memchr::memchr(b'=', text).unwrap_or(text.len()) }
    }

    pub(crate) fn name(&self) -> &'a [u8] {
        &self.text[..self.name_end]
    }

    pub(crate) fn value(&self) -> &'a [u8] {
        self.text.get(self.name_end + 1..).unwrap_or_default()
    }
}

/// Whether the value holds `;name=`: the `;` then separates parameters, and
/// dropping the field would drop one that is content.
pub(crate) fn holds_a_pair(value: &[u8]) -> bool {
    let Some(at) = memchr::memchr(b';', value) else { return false };
    value[at + 1..].split(|&c| c == b';').any(|part| memchr::memchr(b'=', part).is_some_and(|eq| eq > 0))
}
