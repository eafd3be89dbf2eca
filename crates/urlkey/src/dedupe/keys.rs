//! The keys of lines.

use std::sync::Arc;

use crate::encoding::Encoding;
use crate::error::ParseError;
use crate::key::{self, Key, Scratch};
use crate::policy::Policy;
use crate::url::{Options, Url};

/// How the spellings become keys.
pub struct Keys {
    /// The ladder.
    pub policy: Arc<Policy>,
    /// What relative references are resolved against.
    pub base: Option<Url>,
    /// The encoding of the page that the links come from.
    pub encoding: Encoding,
}

impl Keys {
    pub(super) fn options(&self) -> Options<'_> {
        Options { base: self.base.as_ref(), encoding: self.encoding }
    }

    /// The key of a line; `text` is the same bytes, where they are known to be text.
    #[inline]
    pub(super) fn key<'a>(
        &self,
        url: &[u8],
        text: Option<&str>,
        scratch: &'a mut Scratch,
    ) -> Result<Key<'a>, ParseError> {
        match text {
            Some(text) => key::key(text, &self.options(), &self.policy, scratch),
            None => key::key_of_bytes(url, &self.options(), &self.policy, scratch),
        }
    }

    /// The key of a line that is known to have one.
    pub(super) fn key_of_kept(&self, url: &[u8], scratch: &mut Scratch) -> Vec<u8> {
        match self.key(url, None, scratch) {
            Ok(Key::New(key)) => key.as_bytes().to_vec(),
            Ok(Key::Same) | Err(_) => url.to_vec(),
        }
    }
}
