//! The loop that drop_index and drop_trailing_slash share: each would give the
//! other new work, so whichever comes first acts for both, back to front, once.

use super::{Climb, Did, Rung};

/// Cuts index files and slashes off the end of the path, as the enabled rungs say.
pub(super) fn cut(c: &mut Climb) -> Did {
    let (index, slash) = (c.on.has(Rung::DropIndex), c.on.has(Rung::DropTrailingSlash));
    let path = c.url.path().as_bytes();
    let mut end = path.len();
    loop {
        if slash && end > 1 && path[end - 1] == b'/' {
            end -= 1;
            continue;
        }
        let segment = memchr::memrchr(b'/', &path[..end]).map_or(0, |at| at + 1);
        if index && segment < end && c.policy.is_index(&path[segment..end]) {
            end = segment;
            continue;
        }
        break;
    }
    if end == path.len() {
        return Did::Nothing;
    }
    c.url.cut_path(end as u32);
    Did::Rewrote
}
