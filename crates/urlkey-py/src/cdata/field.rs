//! The type of a column, owned: read from an ArrowSchema, written to another.

use super::ArrowSchema;
use super::import::Fault;
use std::ffi::{CStr, CString, c_char};
use std::ptr::null_mut;

/// Types are nested so deep at most.
const DEEPEST: usize = 64;

/// More children than that are no type that anybody made.
const MOST_CHILDREN: i64 = 1 << 20;

/// Longer metadata are damage.
const MOST_METADATA: usize = 1 << 28;

/// The flag of a column that may hold nulls.
const NULLABLE: i64 = 2;

/// Name and type of a column, as the interface spells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: CString,
    pub format: CString,
    pub flags: i64,
    /// Pairs of key and value, as the interface encodes them.
    pub metadata: Option<Vec<u8>>,
    pub children: Vec<Field>,
    pub dictionary: Option<Box<Field>>,
}

impl Field {
    /// A nullable field without metadata or children.
    pub fn new(name: &str, format: &CStr) -> Field {
        // A name with a NUL in it cannot be said to C: it is cut there.
        let name = name.split('\0').next().unwrap_or_default();
        Field {
            name: CString::new(name).unwrap_or_default(),
            format: format.to_owned(),
            flags: NULLABLE,
            metadata: None,
            children: Vec::new(),
            dictionary: None,
        }
    }

    /// With one pair of metadata.
    pub fn with_metadata(mut self, key: &str, value: &str) -> Field {
        let mut bytes = 1i32.to_ne_bytes().to_vec();
        for text in [key, value] {
            bytes.extend((text.len() as i32).to_ne_bytes());
            bytes.extend(text.as_bytes());
        }
        self.metadata = Some(bytes);
        self
    }

    /// With children.
    pub fn with_children(mut self, children: Vec<Field>) -> Field {
        self.children = children;
        self
    }

    /// Whether rows are structs: a record batch.
    pub fn is_struct(&self) -> bool {
        self.format.as_c_str() == c"+s"
    }

    /// Name, as far as it is text.
    pub fn name(&self) -> String {
        self.name.to_string_lossy().into_owned()
    }

    /// A copy of what a producer filled.
    pub(super) fn read(schema: &ArrowSchema) -> Result<Field, Fault> {
        Field::read_nested(schema, 0)
    }

    fn read_nested(schema: &ArrowSchema, depth: usize) -> Result<Field, Fault> {
        if schema.release.is_none() {
            return Err(Fault::new("the schema is released"));
        }
        if schema.format.is_null() {
            return Err(Fault::new("the schema has no format"));
        }
        if depth >= DEEPEST {
            return Err(Fault::new(format!("the type is nested deeper than {DEEPEST}")));
        }
        // SAFETY: not null, so a string of C that lives as long as the schema.
        let format = unsafe { CStr::from_ptr(schema.format) }.to_owned();
        let name = match schema.name.is_null() {
            true => CString::default(),
            // SAFETY: as above.
            false => unsafe { CStr::from_ptr(schema.name) }.to_owned(),
        };
        // SAFETY: null, or metadata as the interface encodes them.
        let metadata = unsafe { read_metadata(schema.metadata) }?;
        let children = children(schema)?.map(|child| Field::read_nested(child, depth + 1)).collect::<Result<_, _>>()?;
        // SAFETY: null, or a schema that lives as long as this one.
        let dictionary = match unsafe { schema.dictionary.as_ref() } {
            Some(dictionary) => Some(Box::new(Field::read_nested(dictionary, depth + 1)?)),
            None => None,
        };
        Ok(Field { name, format, flags: schema.flags, metadata, children, dictionary })
    }

    /// A schema for a consumer, which releases it.
    pub(super) fn export(&self) -> ArrowSchema {
        let held = Box::new(Held {
            format: self.format.clone(),
            name: self.name.clone(),
            metadata: self.metadata.clone(),
            children: self.children.iter().map(|child| Box::into_raw(Box::new(child.export()))).collect(),
            dictionary: self.dictionary.as_ref().map(|field| Box::into_raw(Box::new(field.export()))),
        });
        let held = Box::into_raw(held);
        // SAFETY: the box was made above, and is ours until the schema's release takes it back.
        let held_now = unsafe { &mut *held };
        ArrowSchema {
            format: held_now.format.as_ptr(),
            name: held_now.name.as_ptr(),
            metadata: held_now.metadata.as_ref().map_or(null_mut(), |bytes| bytes.as_ptr().cast()),
            flags: self.flags,
            n_children: self.children.len() as i64,
            children: if self.children.is_empty() { null_mut() } else { held_now.children.as_mut_ptr() },
            dictionary: held_now.dictionary.unwrap_or(null_mut()),
            release: Some(release),
            private_data: held.cast(),
        }
    }
}

/// What an exported schema points to.
struct Held {
    format: CString,
    name: CString,
    metadata: Option<Vec<u8>>,
    children: Vec<*mut ArrowSchema>,
    dictionary: Option<*mut ArrowSchema>,
}

/// The release callback of exported schemas.
///
/// # Safety
/// `schema` points to a schema that `export` made and nobody has released.
unsafe extern "C" fn release(schema: *mut ArrowSchema) {
    // SAFETY: the box of `export`, taken back once: release is None from here on. Children that a
    // consumer moved away are marked as released, and dropping them does nothing.
    unsafe {
        let held = Box::from_raw((*schema).private_data.cast::<Held>());
        for child in held.children.iter().chain(&held.dictionary) {
            drop(Box::from_raw(*child));
        }
        (*schema).release = None;
        (*schema).private_data = null_mut();
    }
}

/// The schemas of the children.
fn children(schema: &ArrowSchema) -> Result<impl Iterator<Item = &ArrowSchema>, Fault> {
    if !(0..=MOST_CHILDREN).contains(&schema.n_children) || (schema.n_children > 0 && schema.children.is_null()) {
        return Err(Fault::new("the schema's children are damaged"));
    }
    let pointers = match schema.n_children {
        0 => &[][..],
        // SAFETY: not null, so as many pointers as the schema says.
        count => unsafe { std::slice::from_raw_parts(schema.children, count as usize) },
    };
    if pointers.iter().any(|child| child.is_null()) {
        return Err(Fault::new("a child of the schema is missing"));
    }
    // SAFETY: not null, so schemas that live as long as their parent.
    Ok(pointers.iter().map(|child| unsafe { &**child }))
}

/// A copy of encoded metadata: a count of pairs, and before each text its length, as native i32.
///
/// # Safety
/// `from` is null or points to metadata as the interface encodes them.
unsafe fn read_metadata(from: *const c_char) -> Result<Option<Vec<u8>>, Fault> {
    if from.is_null() {
        return Ok(None);
    }
    let from = from.cast::<u8>();
    let number = |at: usize| {
        // SAFETY: the encoding has a number here; it need not be aligned.
        let number = unsafe { from.add(at).cast::<i32>().read_unaligned() };
        usize::try_from(number).map_err(|_| Fault::new("the schema's metadata are damaged"))
    };
    let mut end = size_of::<i32>();
    for _ in 0..2 * number(0)? {
        end += size_of::<i32>() + number(end)?;
        if end > MOST_METADATA {
            return Err(Fault::new("the schema's metadata are damaged"));
        }
    }
    // SAFETY: the encoding is so long.
    Ok(Some(unsafe { std::slice::from_raw_parts(from, end) }.to_vec()))
}
