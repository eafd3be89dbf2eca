//! `site_form`: the one form of a link to a social platform. `climb::forms`
//! writes it, since what has its form is left alone by all rungs behind.

use crate::ladder::{Loss, Meta};

pub(crate) static META: Meta = Meta {
    name: "site_form",
    rule: "write a link to a known platform in its one form, and leave it so",
    section: "data/rules/social.toml",
    loss: Loss::Site,
    revision: 1,
    reason: "platform",
    example: ("http://youtu.be/dQw4w9WgXcQ?si=x", "https://www.youtube.com/watch?v=dQw4w9WgXcQ"),
};
