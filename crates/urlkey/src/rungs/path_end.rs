//! The loop that drop_index and drop_trailing_slash share, since each would give
//! the other new work: back to front, once. drop_index cuts through the
//! foremost index file; what is left for drop_trailing_slash are slashes alone.

use super::{Climb, Did, Rung};

/// Cuts index files, and the slashes behind them if drop_trailing_slash is on.
pub(super) fn cut_index(c: &mut Climb) -> Did {
    let slash = c.on.has(Rung::DropTrailingSlash);
    let path = c.url.path().as_bytes();
    let (mut end, mut keep) = (path.len(), path.len());
    loop {
        if slash {
            end = without_slashes(path, end);
        }
        let segment = memchr::memrchr(b'/', &path[..end]).map_or(0, |at| at + 1);
        if segment == end || !c.policy.is_index(&path[segment..end]) {
            break;
        }
        end = segment;
        keep = segment;
    }
    cut(c, keep)
}

/// Cuts slashes.
pub(super) fn cut_slashes(c: &mut Climb) -> Did {
    let path = c.url.path().as_bytes();
    let keep = without_slashes(path, path.len());
    cut(c, keep)
}

/// Where the slashes at the end begin; the root's stays.
fn without_slashes(path: &[u8], mut end: usize) -> usize {
    while end > 1 && path[end - 1] == b'/' {
        end -= 1;
    }
    end
}

fn cut(c: &mut Climb, keep: usize) -> Did {
    if keep == c.url.path().len() {
        return Did::Nothing;
    }
    c.url.cut_path(keep as u32);
    Did::Rewrote
}
