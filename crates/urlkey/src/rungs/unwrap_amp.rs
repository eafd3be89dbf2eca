//! `unwrap_amp`: the page behind an AMP viewer or cache. `climb::layers` takes
//! the layers off, this rung's and unwrap_redirector's together.

use crate::ladder::{Loss, Meta};

pub(crate) static META: Meta = Meta {
    name: "unwrap_amp",
    rule: "take the page that an AMP viewer or cache shows",
    section: "data/rules/redirectors.toml",
    loss: Loss::Usual,
    revision: 1,
    reason: "amp",
    example: ("http://www.google.com/amp/s/www.example.com/x", "https://www.example.com/x"),
};
