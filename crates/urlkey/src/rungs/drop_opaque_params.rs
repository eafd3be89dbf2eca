//! `drop_opaque_params`: parameters whose value is a bare hash.

use super::{Climb, Did};
use crate::ladder::{Loss, Meta};

pub(crate) static META: Meta = Meta {
    name: "drop_opaque_params",
    rule: "drop parameters whose value is 32, 40 or 64 hexadecimal digits",
    section: "data of crawlers: Apache StormCrawler #363",
    loss: Loss::Site,
    revision: 1,
    reason: "session",
    example: ("http://a.example/?k=d41d8cd98f00b204e9800998ecf8427e", "http://a.example/"),
};

pub(crate) fn apply(c: &mut Climb) -> Did {
    let Some(query) = c.url.query() else { return Did::Nothing };
    let site = &c.site;
    Did::rewrote(c.fields.retain(|f| !is_hash(f.value(query)) || Climb::keeps(site, f, query)))
}

fn is_hash(value: &[u8]) -> bool {
    matches!(value.len(), 32 | 40 | 64) && value.iter().all(u8::is_ascii_hexdigit)
}
