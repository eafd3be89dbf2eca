//! Which platform a host belongs to, and which names no user of it has: the
//! rows of data/rules/social.toml.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use serde::Deserialize;

use super::link::Link;

/// The version of the rows, part of the policy id.
pub(crate) const DATA_VERSION: u64 = 3;

const TEXT: &str = include_str!("../../../data/rules/social.toml");

#[derive(Deserialize)]
struct File {
    platform: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    name: String,
    hosts: Vec<String>,
    #[serde(default)]
    reserved: Vec<String>,
    #[serde(default)]
    comments: Vec<String>,
}

/// One platform of the data.
pub(super) struct Platform {
    name: &'static str,
    reserved: HashSet<String>,
    comments: Vec<String>,
}

impl Platform {
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// Whether a first segment is a page of the platform's own.
    pub(super) fn reserves(&self, segment: &str) -> bool {
        match segment.bytes().all(|c| c.is_ascii_lowercase()) {
            true => self.reserved.contains(segment),
            false => self.reserved.contains(&segment.to_lowercase()),
        }
    }

    /// Whether a parameter names a comment, or another part, of what the path names.
    pub(super) fn names_a_part(&self, link: &Link) -> bool {
        link.params().any(|(name, value)| !value.is_empty() && self.comments.iter().any(|known| *known == *name))
    }
}

/// The names that results carry.
const PLATFORMS: [&str; 20] = [
    "youtube",
    "x",
    "instagram",
    "facebook",
    "threads",
    "tiktok",
    "linkedin",
    "reddit",
    "pinterest",
    "bluesky",
    "telegram",
    "snapchat",
    "tumblr",
    "medium",
    "twitch",
    "vimeo",
    "dailymotion",
    "soundcloud",
    "spotify",
    "crunchbase",
];

struct Data {
    platforms: Vec<Platform>,
    hosts: HashMap<String, usize>,
}

fn data() -> &'static Data {
    static DATA: OnceLock<Data> = OnceLock::new();
    DATA.get_or_init(|| {
        // Compiled in, and read by a test: there is no other text that could fail here.
        let file = toml::from_str(TEXT);
        let file = file.unwrap_or(File { platform: Vec::new() });
        let rows = file.platform.iter().enumerate();
        let hosts = rows.flat_map(|(i, row)| row.hosts.iter().map(move |host| (host.clone(), i))).collect();
        let platforms = file.platform.into_iter();
        let platforms = platforms.map(|row| Platform {
            name: PLATFORMS.iter().find(|known| **known == row.name).copied().unwrap_or_default(),
            reserved: row.reserved.into_iter().collect(),
            comments: row.comments,
        });
        Data { platforms: platforms.collect(), hosts }
    })
}

/// The platform that a serialized host, without trailing dot, belongs to.
pub(super) fn platform(host: &str) -> Option<&'static Platform> {
    let data = data();
    let found = data.hosts.get(host).or_else(|| {
        let (label, rest) = host.split_once('.')?;
        let below = |what: &str| data.hosts.get(&format!("<{what}>.{rest}"));
        match label.as_bytes() {
            [a, b] if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() => below("country"),
            [a, b, b'-', c, d] if [a, b, c, d].iter().all(|c| c.is_ascii_alphabetic()) => below("locale"),
            _ => None,
        }
        .or_else(|| below("user"))
    })?;
    data.platforms.get(*found)
}

/// Whether `social_id` could say something of a serialized host and path, of
/// http or https: false means no.
pub(crate) fn may_be_social(host: &str, path: &str) -> bool {
    super::federated::may_be(path) || platform(host.strip_suffix('.').unwrap_or(host)).is_some()
}

/// `file:line` of the row of a platform; of the file alone for those of any host.
pub(crate) fn origin(platform: &str) -> String {
    let name = format!("name = \"{platform}\"");
    match TEXT.lines().position(|line| line == name) {
        Some(before) => format!("rules/social.toml:{}", before + 1),
        None => "rules/social.toml".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_read_and_their_platforms_known() {
        let names: Vec<&str> = data().platforms.iter().map(|platform| platform.name()).collect();
        assert_eq!(names.iter().collect::<HashSet<_>>(), PLATFORMS.iter().collect());
        assert!(TEXT.contains(&format!("\nversion = {DATA_VERSION}\n")));
        assert_eq!(origin("youtube"), "rules/social.toml:12");
    }

    #[test]
    fn no_two_platforms_share_a_host() {
        let rows: File = toml::from_str(TEXT).unwrap();
        let hosts: Vec<_> = rows.platform.iter().flat_map(|row| &row.hosts).collect();
        assert_eq!(hosts.len(), hosts.iter().collect::<HashSet<_>>().len());
        assert!(hosts.len() > 200 && hosts.iter().all(|host| **host == host.to_lowercase()));
    }

    #[test]
    fn hosts_are_matched_by_label() {
        for (host, name) in [
            ("youtube.com", Some("youtube")),
            ("fr.linkedin.com", Some("linkedin")),
            ("pt-br.facebook.com", Some("facebook")),
            ("staff.tumblr.com", Some("tumblr")),
            ("a.staff.tumblr.com", None),
            ("notyoutube.com", None),
            ("youtube.com.evil.example", None),
            ("business.facebook.com", None),
        ] {
            assert_eq!(platform(host).map(Platform::name), name, "{host}");
        }
    }
}
