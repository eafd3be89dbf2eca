//! `unwrap_redirector`: the page that a link of a known redirector leads to.
//! `climb::layers` takes the layers off, this rung's and unwrap_amp's together.

use crate::ladder::{Loss, Meta};

pub(crate) static META: Meta = Meta {
    name: "unwrap_redirector",
    rule: "take the target that a link of a known redirector holds",
    section: "data/rules/redirectors.toml",
    loss: Loss::Usual,
    revision: 1,
    reason: "redirector",
    example: ("http://www.google.com/url?q=http%3A%2F%2Fa.example%2Fx&sa=D", "http://a.example/x"),
};
