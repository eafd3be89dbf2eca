//! The percent scan, the first step of the climb: three rungs in one pass, told
//! apart where somebody watches.

use super::Found;
use crate::ladder::Trace;
use crate::percent::{PERCENT, Scan, UNSAFE};
use crate::rungs::{self, Rung, RungSet};
use crate::scheme::Scheme;
use crate::url::{Options, Url};

/// The rungs of the scan.
pub(super) const SCAN: RungSet = RungSet::of(&[Rung::UpperPercent, Rung::DecodeUnreserved, Rung::EncodeUnsafe]);

/// upper_percent, decode_unreserved and encode_unsafe: one scan over path and query.
pub(super) fn percent_scan<T: Trace>(url: &mut Url, on: RungSet, tmp: &mut String, found: &mut Found, trace: &mut T) {
    if url.opaque_path || (url.path_bits | url.query_bits) & (PERCENT | UNSAFE) == 0 {
        return;
    }
    let scan = Scan {
        upper: on.has(Rung::UpperPercent),
        decode: on.has(Rung::DecodeUnreserved),
        encode: on.has(Rung::EncodeUnsafe),
    };
    let text = &url.href()[url.path_start as usize..url.query_end() as usize];
    if !scan.acts_on(text.as_bytes()) {
        return;
    }
    if url.scheme == Scheme::File && !survives_parse(url, scan) {
        found.refused = found.refused.with(Rung::DecodeUnreserved, true);
        if T::ON {
            trace.refused(&rungs::decode_unreserved::META, "a Windows drive letter would be read");
        }
        return;
    }
    if !T::ON {
        write_scan(url, scan, tmp);
        return;
    }
    // Watched, the switches are thrown one after the other, each on the parsed text.
    let parsed = url.clone();
    let off = Scan { upper: false, decode: false, encode: false };
    let stages = [
        (scan.upper, Scan { upper: true, ..off }, &rungs::upper_percent::META),
        (scan.decode, Scan { upper: scan.upper, decode: true, encode: false }, &rungs::decode_unreserved::META),
        (scan.encode, scan, &rungs::encode_unsafe::META),
    ];
    for (enabled, stage, meta) in stages {
        if enabled {
            let before = std::mem::replace(url, parsed.clone());
            write_scan(url, stage, tmp);
            if url.href() != before.href() {
                trace.url(meta, url, None);
            }
        }
    }
}

fn write_scan(url: &mut Url, scan: Scan, tmp: &mut String) {
    let start = url.path_start as usize;
    let end = url.query_end() as usize;
    let query_at = url.query_from().map(|from| from as usize - 1);
    tmp.clear();
    scan.write(&url.href()[start..query_at.unwrap_or(end)], tmp);
    let at = query_at.map(|at| {
        let written = tmp.len() as u32;
        scan.write(&url.href()[at..end], tmp);
        written
    });
    url.set_path_and_query(tmp, at);
}

/// Whether parse leaves the scanned URL alone: `%43|` must not become a drive letter.
fn survives_parse(url: &Url, scan: Scan) -> bool {
    let mut scanned = url.clone();
    write_scan(&mut scanned, scan, &mut String::new());
    Url::parse(scanned.href(), &Options::default()).is_ok_and(|again| again.href() == scanned.href())
}
