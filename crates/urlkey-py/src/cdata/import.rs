//! An array that a producer handed over, held until the last reader is gone.

use super::{ArrowArray, Field, export};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Longer buffers do not fit in memory; so no sum of two lengths overflows.
const LONGEST: i64 = 1 << 40;

/// Children of one array at most; as many as `Field` takes.
const MOST_BUFFERS: i64 = 1 << 20;

/// Why an array cannot be read.
#[derive(Clone, Debug)]
pub struct Fault(Cow<'static, str>);

impl Fault {
    pub fn new(message: impl Into<Cow<'static, str>>) -> Fault {
        Fault(message.into())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Rows and their type. Cheap to clone; released when the last clone goes.
#[derive(Clone)]
pub struct Array {
    pub field: Arc<Field>,
    owner: Arc<ArrowArray>,
}

impl Array {
    /// Takes over what a producer filled.
    pub(super) fn new(raw: ArrowArray, field: Arc<Field>) -> Result<Array, Fault> {
        if raw.release.is_none() {
            return Err(Fault::new("the array is released"));
        }
        check(&raw, &field)?;
        Ok(Array { field, owner: Arc::new(raw) })
    }

    /// One without rows or buffers, which only says its type.
    pub fn empty(field: &Arc<Field>) -> Array {
        Array { field: field.clone(), owner: Arc::new(export::empty(field)) }
    }

    /// The root, to read.
    pub fn node(&self) -> Node<'_> {
        Node::new(&self.field, &self.owner)
    }

    /// Rows.
    pub fn len(&self) -> usize {
        self.owner.length as usize
    }
}

/// An array or a child of it, or some of its rows, checked, while the root is held.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    pub field: &'a Field,
    raw: &'a ArrowArray,
    offset: usize,
    len: usize,
}

impl<'a> Node<'a> {
    fn new(field: &'a Field, raw: &'a ArrowArray) -> Node<'a> {
        Node { field, raw, offset: raw.offset as usize, len: raw.length as usize }
    }

    pub(super) fn raw(self) -> &'a ArrowArray {
        self.raw
    }

    /// Rows.
    pub fn len(self) -> usize {
        self.len
    }

    /// Rows in front of the first one, in every buffer.
    pub(super) fn offset(self) -> usize {
        self.offset
    }

    /// The child at this place.
    pub fn child(self, at: usize) -> Node<'a> {
        // SAFETY: `check` has seen as many children as the field has, none of them null.
        let raw = unsafe { &**self.raw.children.add(at) };
        Node::new(&self.field.children[at], raw)
    }

    /// A column of a record batch: the rows of the child that are the batch's.
    pub fn column(self, at: usize) -> Result<Node<'a>, Fault> {
        let child = self.child(at);
        match child.len.checked_sub(self.offset) {
            Some(behind) if behind >= self.len => {
                Ok(Node { offset: child.offset + self.offset, len: self.len, ..child })
            }
            _ => Err(Fault::new("a column of the record batch is shorter than the batch")),
        }
    }

    /// Whether a row is null.
    pub fn has_nulls(self) -> Result<bool, Fault> {
        let Some(bits) = self.validity()? else { return Ok(false) };
        Ok((self.offset..self.offset + self.len).any(|at| bits[at / 8][0] >> (at % 8) & 1 == 0))
    }

    /// The values of a dictionary.
    pub fn dictionary(self) -> Option<Node<'a>> {
        let field = self.field.dictionary.as_deref()?;
        // SAFETY: null, or an array that lives as long as this one; `check` has seen it.
        unsafe { self.raw.dictionary.as_ref() }.map(|raw| Node::new(field, raw))
    }

    /// Buffer `at`, of `count` items of `N` bytes, of any alignment.
    pub(super) fn items<const N: usize>(self, at: usize, count: usize) -> Result<&'a [[u8; N]], Fault> {
        if count == 0 {
            return Ok(&[]);
        }
        if at as i64 >= self.raw.n_buffers {
            return Err(Fault::new(format!("the array has {} buffers: buffer {at} is missing", self.raw.n_buffers)));
        }
        // SAFETY: `check` has seen that there are so many buffers.
        let buffer = unsafe { *self.raw.buffers.add(at) }.cast::<[u8; N]>();
        if buffer.is_null() {
            return Err(Fault::new(format!("buffer {at} of the array is null")));
        }
        // SAFETY: not null; the interface promises as many items as the type and the array's
        // length, or another buffer of it, say, unchanged while the array is held. Arrays of bytes
        // need no alignment.
        Ok(unsafe { std::slice::from_raw_parts(buffer, count) })
    }

    /// How many buffers the producer gave.
    pub(super) fn buffers(self) -> usize {
        self.raw.n_buffers as usize
    }

    /// The bits that say which rows are not null; None where all of them are not.
    pub fn validity(self) -> Result<Option<&'a [[u8; 1]]>, Fault> {
        if self.raw.null_count == 0 || self.raw.n_buffers == 0 || self.len() == 0 {
            return Ok(None);
        }
        // SAFETY: `check` has seen that there are buffers.
        if unsafe { *self.raw.buffers }.is_null() {
            return Ok(None);
        }
        self.items::<1>(0, (self.offset() + self.len()).div_ceil(8)).map(Some)
    }
}

/// What holds before anything is read, for the array and all below it.
fn check(raw: &ArrowArray, field: &Field) -> Result<(), Fault> {
    if !(0..=LONGEST).contains(&raw.length) || !(0..=LONGEST).contains(&raw.offset) {
        return Err(Fault::new(format!("the array's length {} or offset {} is damaged", raw.length, raw.offset)));
    }
    if !(0..=MOST_BUFFERS).contains(&raw.n_buffers) || (raw.n_buffers > 0 && raw.buffers.is_null()) {
        return Err(Fault::new("the array's buffers are missing"));
    }
    if raw.n_children != field.children.len() as i64 || (raw.n_children > 0 && raw.children.is_null()) {
        return Err(Fault::new(format!(
            "the array has {} children, its type {}",
            raw.n_children,
            field.children.len()
        )));
    }
    for (at, field) in field.children.iter().enumerate() {
        // SAFETY: not null, and as many as the array says; each is null or an array.
        match unsafe { (*raw.children.add(at)).as_ref() } {
            Some(child) => check(child, field)?,
            None => return Err(Fault::new("a child of the array is missing")),
        }
    }
    // SAFETY: null, or an array that lives as long as this one.
    match (unsafe { raw.dictionary.as_ref() }, &field.dictionary) {
        (Some(values), Some(field)) => check(values, field),
        (None, None) => Ok(()),
        _ => Err(Fault::new("the array has a dictionary and its type none, or the other way round")),
    }
}
