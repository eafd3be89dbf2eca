//! The rows of a column of texts, whatever its layout: string, large_string,
//! string_view, the same of bytes, a dictionary of any of them, and nulls.

use super::import::{Fault, Node};
use std::ops::Range;

/// Rows of bytes, borrowed from the producer's buffers. Made checked: every row lies within its
/// buffer, unless the producer changes it meanwhile.
pub struct Texts<'a> {
    len: usize,
    offset: usize,
    validity: Option<&'a [[u8; 1]]>,
    layout: Layout<'a>,
    /// Whether rows are meant as text; bytes otherwise.
    pub is_text: bool,
    /// Whether the column counts its bytes with 64 bits.
    pub is_large: bool,
}

enum Layout<'a> {
    Short { ends: &'a [[u8; 4]], bytes: &'a [[u8; 1]] },
    Long { ends: &'a [[u8; 8]], bytes: &'a [[u8; 1]] },
    Views { views: &'a [[u8; 16]], buffers: Vec<&'a [[u8; 1]]> },
    Indices { indices: Indices<'a>, values: Box<Texts<'a>> },
    Nulls,
}

enum Indices<'a> {
    Narrow(&'a [[u8; 1]]),
    Two(&'a [[u8; 2]]),
    Four(&'a [[u8; 4]]),
    Eight(&'a [[u8; 8]]),
}

/// What may stand in a column of URLs.
const TYPES: &str = "string, large_string, string_view, binary, large_binary, binary_view or a dictionary of these";

impl<'a> Texts<'a> {
    /// The rows of an array.
    pub fn new(node: Node<'a>) -> Result<Texts<'a>, Fault> {
        let format = node.field.format.as_bytes();
        if node.field.dictionary.is_some() {
            return Texts::of_dictionary(node, format);
        }
        let rows = rows(node);
        let layout = match format {
            b"u" | b"z" => {
                let ends = offsets::<4>(node, rows)?;
                Layout::Short { ends, bytes: node.items(2, last(ends, short, node.offset(), "offsets")?)? }
            }
            b"U" | b"Z" => {
                let ends = offsets::<8>(node, rows)?;
                Layout::Long { ends, bytes: node.items(2, last(ends, long, node.offset(), "offsets")?)? }
            }
            b"vu" | b"vz" => Layout::Views { views: node.items(1, rows)?, buffers: view_buffers(node)? },
            b"n" => Layout::Nulls,
            _ => {
                let found = type_name(&node.field.format.to_string_lossy());
                return Err(Fault::new(format!("the column must be {TYPES}, not {found}")));
            }
        };
        let validity = if format == b"n" { None } else { node.validity()? };
        let is_text = !matches!(format, b"z" | b"Z" | b"vz");
        let is_large = matches!(format, b"U" | b"Z");
        let texts = Texts { len: node.len(), offset: node.offset(), validity, layout, is_text, is_large };
        texts.check_views()?;
        Ok(texts)
    }

    fn of_dictionary(node: Node<'a>, format: &[u8]) -> Result<Texts<'a>, Fault> {
        let rows = rows(node);
        let indices = match format {
            b"c" | b"C" => Indices::Narrow(node.items(1, rows)?),
            b"s" | b"S" => Indices::Two(node.items(1, rows)?),
            b"i" | b"I" => Indices::Four(node.items(1, rows)?),
            b"l" | b"L" => Indices::Eight(node.items(1, rows)?),
            _ => return Err(Fault::new("the indices of the dictionary are no integers")),
        };
        let values = match node.dictionary() {
            Some(values) if values.field.dictionary.is_none() => Texts::new(values)?,
            _ => return Err(Fault::new(format!("the dictionary must be one of {TYPES}"))),
        };
        let (is_text, is_large) = (values.is_text, values.is_large);
        let layout = Layout::Indices { indices, values: Box::new(values) };
        let validity = node.validity()?;
        let texts = Texts { len: node.len(), offset: node.offset(), validity, layout, is_text, is_large };
        texts.check_indices()?;
        Ok(texts)
    }

    fn check_views(&self) -> Result<(), Fault> {
        let Layout::Views { views, .. } = &self.layout else { return Ok(()) };
        let bad = |row: &usize| self.is_valid(*row) && self.view(&views[self.offset + row]).is_none();
        match (0..self.len).find(bad) {
            Some(row) => Err(Fault::new(format!("row {row} lies outside the buffers of its views"))),
            None => Ok(()),
        }
    }

    fn check_indices(&self) -> Result<(), Fault> {
        let Layout::Indices { values, .. } = &self.layout else { return Ok(()) };
        let bad = |row: &usize| self.is_valid(*row) && self.index(*row).is_none_or(|index| index >= values.len);
        match (0..self.len).find(bad) {
            Some(row) => Err(Fault::new(format!("row {row} has an index outside the dictionary"))),
            None => Ok(()),
        }
    }

    /// Rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The values of a dictionary.
    pub fn dictionary(&self) -> Option<&Texts<'a>> {
        match &self.layout {
            Layout::Indices { values, .. } => Some(values),
            _ => None,
        }
    }

    /// Which value of the dictionary a row is; None for null.
    pub fn index_of(&self, row: usize) -> Option<usize> {
        if self.is_valid(row) { self.index(row) } else { None }
    }

    /// The bytes of a row; None for null.
    pub fn row(&self, row: usize) -> Option<&'a [u8]> {
        let mut found = None;
        self.each(row..row + 1, |_, bytes| {
            found = bytes;
            true
        });
        found
    }

    /// Row after row with its bytes, None for null, until `read` gives false; whether it never did.
    /// The layout is asked once, not for every row.
    #[inline]
    pub fn each(&self, rows: Range<usize>, mut read: impl FnMut(usize, Option<&'a [u8]>) -> bool) -> bool {
        let bytes_of = |bytes: &'a [[u8; 1]], start: usize, end: usize| Some(bytes.get(start..end)?.as_flattened());
        match &self.layout {
            Layout::Short { ends, bytes } => self.read(rows, &mut read, |at| {
                let [start, end] = ends.get(at..at + 2)? else { return None };
                bytes_of(bytes, short(start), short(end))
            }),
            Layout::Long { ends, bytes } => self.read(rows, &mut read, |at| {
                let [start, end] = ends.get(at..at + 2)? else { return None };
                bytes_of(bytes, long(start), long(end))
            }),
            Layout::Views { views, .. } => self.read(rows, &mut read, |at| self.view(views.get(at)?)),
            Layout::Indices { values, .. } => {
                self.read(rows, &mut read, |at| values.row(self.index(at - self.offset)?))
            }
            Layout::Nulls => self.read(rows, &mut read, |_| None),
        }
    }

    /// Reads rows by their places in the buffers.
    #[inline(always)]
    fn read(
        &self,
        mut rows: Range<usize>,
        read: &mut impl FnMut(usize, Option<&'a [u8]>) -> bool,
        bytes: impl Fn(usize) -> Option<&'a [u8]>,
    ) -> bool {
        match self.validity {
            None => rows.all(|row| read(row, bytes(self.offset + row))),
            Some(_) => rows.all(|row| read(row, if self.is_valid(row) { bytes(self.offset + row) } else { None })),
        }
    }

    /// Bytes of all rows in the range together, about.
    pub fn bytes_in(&self, rows: Range<usize>) -> usize {
        let (start, end) = (self.offset + rows.start, self.offset + rows.end);
        match &self.layout {
            _ if rows.is_empty() => 0,
            Layout::Short { ends, .. } => short(&ends[end]).saturating_sub(short(&ends[start])),
            Layout::Long { ends, .. } => long(&ends[end]).saturating_sub(long(&ends[start])),
            Layout::Views { views, .. } => views[start..end].iter().map(|view| number(view, 0)).sum(),
            Layout::Indices { .. } | Layout::Nulls => 0,
        }
    }

    #[inline]
    fn is_valid(&self, row: usize) -> bool {
        let at = self.offset + row;
        match self.validity {
            Some(bits) => bits.get(at / 8).is_some_and(|[byte]| byte >> (at % 8) & 1 == 1),
            None => true,
        }
    }

    fn index(&self, row: usize) -> Option<usize> {
        let Layout::Indices { indices, .. } = &self.layout else { return None };
        let at = self.offset + row;
        // A negative index becomes one that no dictionary has.
        Some(match indices {
            Indices::Narrow(items) => usize::from(u8::from_ne_bytes(*items.get(at)?)),
            Indices::Two(items) => usize::from(u16::from_ne_bytes(*items.get(at)?)),
            Indices::Four(items) => u32::from_ne_bytes(*items.get(at)?) as usize,
            Indices::Eight(items) => usize::try_from(u64::from_ne_bytes(*items.get(at)?)).unwrap_or(usize::MAX),
        })
    }

    /// Length in four bytes; up to 12 bytes themselves, or else a prefix in four, the buffer in
    /// four, where they begin in four.
    #[inline]
    fn view(&self, view: &'a [u8; 16]) -> Option<&'a [u8]> {
        let Layout::Views { buffers, .. } = &self.layout else { return None };
        let len = number(view, 0);
        if len <= 12 {
            return view.get(4..4 + len);
        }
        let start = number(view, 12);
        let bytes = buffers.get(number(view, 8))?.get(start..start.checked_add(len)?)?;
        Some(bytes.as_flattened())
    }
}

/// The i32 at this place of a view; a negative one becomes one that nothing has.
#[inline]
fn number(view: &[u8; 16], at: usize) -> usize {
    let number = [view[at], view[at + 1], view[at + 2], view[at + 3]];
    u32::from_ne_bytes(number) as usize
}

#[inline]
fn short(end: &[u8; 4]) -> usize {
    u32::from_ne_bytes(*end) as usize
}

#[inline]
fn long(end: &[u8; 8]) -> usize {
    usize::try_from(u64::from_ne_bytes(*end)).unwrap_or(usize::MAX)
}

/// Items of a buffer that rows are read from; none where there are no rows, and perhaps no buffer.
fn rows(node: Node<'_>) -> usize {
    if node.len() == 0 { 0 } else { node.offset() + node.len() }
}

/// One offset more than rows; none where there are no rows and no buffer.
fn offsets<const N: usize>(node: Node<'_>, rows: usize) -> Result<&[[u8; N]], Fault> {
    if rows == 0 { Ok(&[]) } else { node.items(1, rows + 1) }
}

/// Bytes that the offsets span; they must not fall. In front of the first row nothing is read.
fn last<const N: usize>(
    ends: &[[u8; N]],
    read: impl Fn(&[u8; N]) -> usize,
    offset: usize,
    what: &str,
) -> Result<usize, Fault> {
    let Some(ends) = ends.get(offset..) else { return Ok(0) };
    let falls = ends.array_windows().fold(false, |falls, [a, b]| falls | (read(a) > read(b)));
    let last = ends.last().map_or(0, &read);
    if falls || last > (usize::MAX >> 1).min(if N == 4 { i32::MAX as usize } else { usize::MAX }) {
        return Err(Fault::new(format!("the {what} of the array are damaged")));
    }
    Ok(last)
}

/// The buffers behind views: all but the bits, the views, and the last, which says how long each is.
fn view_buffers(node: Node<'_>) -> Result<Vec<&[[u8; 1]]>, Fault> {
    if node.len() == 0 {
        return Ok(Vec::new());
    }
    let Some(count) = node.buffers().checked_sub(3) else {
        return Err(Fault::new(format!("the array has {} buffers: views need 3 at least", node.buffers())));
    };
    let lengths = node.items::<8>(2 + count, count)?;
    let damaged = |_| Fault::new("the lengths of the buffers of views are damaged");
    let lengths = lengths.iter().map(|length| isize::try_from(i64::from_ne_bytes(*length)).map_err(damaged));
    let lengths = lengths.map(|length| length.and_then(|length| usize::try_from(length).map_err(damaged)));
    lengths.enumerate().map(|(at, length)| node.items(2 + at, length?)).collect()
}

/// The text that bytes are, if they are UTF-8; for ASCII a good deal faster than `str::from_utf8`.
#[inline]
pub fn text(bytes: &[u8]) -> Option<&str> {
    if bytes.is_ascii() {
        // SAFETY: ASCII is UTF-8.
        return Some(unsafe { std::str::from_utf8_unchecked(bytes) });
    }
    std::str::from_utf8(bytes).ok()
}

/// A type of the interface in the words of Arrow, for messages.
pub fn type_name(format: &str) -> String {
    let name = match format {
        "n" => "null",
        "b" => "bool",
        "c" => "int8",
        "C" => "uint8",
        "s" => "int16",
        "S" => "uint16",
        "i" => "int32",
        "I" => "uint32",
        "l" => "int64",
        "L" => "uint64",
        "e" => "float16",
        "f" => "float",
        "g" => "double",
        "u" => "string",
        "U" => "large_string",
        "vu" => "string_view",
        "z" => "binary",
        "Z" => "large_binary",
        "vz" => "binary_view",
        "+s" => "struct",
        "+l" | "+L" | "+vl" | "+vL" => "list",
        "+m" => "map",
        "+r" => "run_end_encoded",
        _ => return format!("the type with format {format:?}"),
    };
    name.to_owned()
}
