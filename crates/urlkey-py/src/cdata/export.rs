//! Columns for a consumer: our own buffers, and children of arrays that came in.

use super::import::{Array, Fault};
use super::{ArrowArray, Field};
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::Arc;

/// One buffer of a column of our own.
#[derive(Debug)]
pub enum Buffer {
    /// Where there are no nulls, their bits are left out.
    Absent,
    Bytes(Vec<u8>),
    Short(Vec<i32>),
    Long(Vec<i64>),
}

impl Buffer {
    fn pointer(&self) -> *const c_void {
        match self {
            Buffer::Absent => null(),
            Buffer::Bytes(items) => items.as_ptr().cast(),
            Buffer::Short(items) => items.as_ptr().cast(),
            Buffer::Long(items) => items.as_ptr().cast(),
        }
    }
}

/// Rows of one type, immutable, shared by everybody they are handed to. Cheap to clone.
#[derive(Clone)]
pub struct Column {
    pub field: Arc<Field>,
    len: usize,
    nulls: Option<usize>,
    rows: Rows,
}

#[derive(Clone)]
enum Rows {
    Ours {
        buffers: Arc<Vec<Buffer>>,
        children: Vec<Column>,
    },
    /// The child at `child` of an array that came in, from row `offset` on.
    Theirs {
        root: Array,
        child: usize,
    },
}

impl Column {
    /// A column of buffers in the order and the sizes that the format asks for.
    pub fn new(field: Field, len: usize, nulls: usize, buffers: Vec<Buffer>, children: Vec<Column>) -> Column {
        let rows = Rows::Ours { buffers: Arc::new(buffers), children };
        Column { field: Arc::new(field), len, nulls: Some(nulls), rows }
    }

    /// Columns side by side: a record batch, with metadata as the interface encodes them.
    pub fn batch(children: Vec<Column>, len: usize, metadata: Option<Vec<u8>>) -> Column {
        let fields = children.iter().map(|child| Field::clone(&child.field)).collect();
        let field = Column::batch_field(fields, metadata);
        Column::new(field, len, 0, vec![Buffer::Absent], children)
    }

    /// The type of a record batch: a struct that is never null itself.
    pub fn batch_field(children: Vec<Field>, metadata: Option<Vec<u8>>) -> Field {
        Field { flags: 0, metadata, ..Field::new("", c"+s").with_children(children) }
    }

    /// A column of a record batch that came in, as it is.
    pub fn child_of(root: &Array, child: usize) -> Result<Column, Fault> {
        let node = root.node().column(child)?;
        let field = Arc::new(node.field.clone());
        Ok(Column { field, len: node.len(), nulls: None, rows: Rows::Theirs { root: root.clone(), child } })
    }

    /// Rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Null rows; 0 where nobody has counted them.
    pub fn nulls(&self) -> usize {
        self.nulls.unwrap_or(0)
    }

    /// The buffers of a column of our own.
    pub fn buffers(&self) -> &[Buffer] {
        match &self.rows {
            Rows::Ours { buffers, .. } => buffers,
            Rows::Theirs { .. } => &[],
        }
    }

    /// The children of a column of our own.
    pub fn children(&self) -> &[Column] {
        match &self.rows {
            Rows::Ours { children, .. } => children,
            Rows::Theirs { .. } => &[],
        }
    }

    /// An array for a consumer, which releases it.
    pub(super) fn export(&self) -> ArrowArray {
        match &self.rows {
            Rows::Ours { buffers, children } => {
                let pointers = buffers.iter().map(Buffer::pointer).collect();
                let children = children.iter().map(|child| boxed(child.export())).collect();
                let nulls = self.nulls.map_or(-1, |nulls| nulls as i64);
                Held { pointers, children, dictionary: null_mut(), _column: Some(self.clone()) }
                    .array(self.len, 0, nulls)
            }
            Rows::Theirs { root, child } => {
                let from = root.node().child(*child);
                let mut copy = self.copy(from.raw());
                let offset = root.node().offset();
                copy.offset += offset as i64;
                copy.length = self.len as i64;
                // Of a cut nobody has counted the nulls.
                copy.null_count = match copy.null_count {
                    0 => 0,
                    nulls if offset == 0 && self.len == from.len() => nulls,
                    _ => -1,
                };
                copy
            }
        }
    }

    /// The producer's struct once more, down to the last child, with our release: a consumer may move
    /// children out of what it gets, and the next one must find them still. The buffers are the
    /// producer's; they stay with the root, which is held as long.
    fn copy(&self, from: &ArrowArray) -> ArrowArray {
        let children = match from.n_children {
            0 => &[][..],
            // SAFETY: the root is checked: as many children, none of them null.
            count => unsafe { std::slice::from_raw_parts(from.children, count as usize) },
        };
        let pointers = match from.n_buffers {
            0 => Vec::new(),
            // SAFETY: likewise, so many buffers.
            count => unsafe { std::slice::from_raw_parts(from.buffers, count as usize) }.to_vec(),
        };
        // SAFETY: not null, so an array that lives as long as the root.
        let children = children.iter().map(|child| boxed(self.copy(unsafe { &**child }))).collect();
        // SAFETY: null, or an array that lives as long as the root.
        let dictionary = unsafe { from.dictionary.as_ref() }.map_or(null_mut(), |values| boxed(self.copy(values)));
        let held = Held { pointers, children, dictionary, _column: Some(self.clone()) };
        held.array(from.length as usize, from.offset, from.null_count)
    }
}

/// An array without rows and buffers, with the children that its type says.
pub(super) fn empty(field: &Field) -> ArrowArray {
    let children = field.children.iter().map(|child| boxed(empty(child))).collect();
    let dictionary = field.dictionary.as_ref().map_or(null_mut(), |values| boxed(empty(values)));
    Held { pointers: Vec::new(), children, dictionary, _column: None }.array(0, 0, 0)
}

fn boxed(array: ArrowArray) -> *mut ArrowArray {
    Box::into_raw(Box::new(array))
}

/// What an exported array points to.
struct Held {
    pointers: Vec<*const c_void>,
    children: Vec<*mut ArrowArray>,
    dictionary: *mut ArrowArray,
    _column: Option<Column>,
}

impl Held {
    fn array(self, len: usize, offset: i64, null_count: i64) -> ArrowArray {
        let held = Box::into_raw(Box::new(self));
        // SAFETY: the box was made above, and is ours until the array's release takes it back.
        let held_now = unsafe { &mut *held };
        ArrowArray {
            length: len as i64,
            null_count,
            offset,
            n_buffers: held_now.pointers.len() as i64,
            n_children: held_now.children.len() as i64,
            buffers: held_now.pointers.as_mut_ptr(),
            children: if held_now.children.is_empty() { null_mut() } else { held_now.children.as_mut_ptr() },
            dictionary: held_now.dictionary,
            release: Some(release),
            private_data: held.cast(),
        }
    }
}

/// The release callback of exported arrays.
///
/// # Safety
/// `array` points to an array that `export` made and nobody has released.
unsafe extern "C" fn release(array: *mut ArrowArray) {
    // SAFETY: the box of `export`, taken back once: release is None from here on. Children that a
    // consumer moved away are marked as released, and dropping them does nothing.
    unsafe {
        let held = Box::from_raw((*array).private_data.cast::<Held>());
        for child in &held.children {
            drop(Box::from_raw(*child));
        }
        if !held.dictionary.is_null() {
            drop(Box::from_raw(held.dictionary));
        }
        (*array).release = None;
        (*array).private_data = null_mut();
    }
}
