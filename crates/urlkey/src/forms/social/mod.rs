//! What a URL of a social platform points at: platform, kind and id, and the
//! one URL that stands for all its spellings. Only what the URL says: a share
//! link that hides its target stays a share link. One file a platform, or a few
//! small ones; hosts and reserved names are data/rules/social.toml.
//!
//! Must not know rungs, policies or what a platform answers.

mod audio;
mod blogs;
mod bluesky;
mod facebook;
mod federated;
mod hosts;
mod instagram;
mod link;
mod linkedin;
mod pinterest;
mod reddit;
mod telegram;
mod threads;
mod tiktok;
mod video;
mod x;
mod youtube;

pub(crate) use hosts::{DATA_VERSION, may_be_social, origin};

use crate::error::Code;
use crate::host::HostKind;
use crate::url::{Options, Url};
use hosts::Platform;
use link::Link;

/// What a URL of a platform points at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SocialId {
    /// The platform: `youtube`.
    pub platform: &'static str,
    /// What it is, as the URL says it: `video`, `video-time`, `profile`.
    pub kind: &'static str,
    /// The platform's own id, in the case that counts; None where the URL has none.
    pub id: Option<String>,
    /// The URL that all spellings of it share; its own canonical.
    pub canonical: String,
    /// The id with the name space it is unique in, `youtube:video:dQw4w9WgXcQ`:
    /// equal where two kinds are one thing. None where there is no id.
    pub key: Option<String>,
    /// Parameters that say which part of it is meant, by name, in the order
    /// `list`, `t` (seconds), `img_index` ...; not all are in the canonical.
    pub content: Vec<(&'static str, String)>,
    /// The URL shows a part of it, or another page: a comment, a tab. It is then no spelling of the
    /// canonical.
    pub is_part: bool,
}

impl SocialId {
    fn new(platform: &'static str, kind: &'static str, id: impl Into<String>, canonical: String) -> SocialId {
        let id = id.into();
        let key = Some([platform, ":", kind, ":", &id].concat());
        SocialId { platform, kind, id: Some(id), canonical, key, content: Vec::new(), is_part: false }
    }

    fn without_id(platform: &'static str, kind: &'static str, canonical: String) -> SocialId {
        SocialId { platform, kind, id: None, canonical, key: None, content: Vec::new(), is_part: false }
    }

    /// With the name space that the id is unique in, where that is not the kind.
    fn in_space(mut self, space: &str) -> SocialId {
        self.key = self.id.as_ref().map(|id| [self.platform, ":", space, ":", id].concat());
        self
    }

    /// With what makes the id unique, where that is more than the id.
    fn told_by(mut self, unique: &str) -> SocialId {
        self.key = Some([self.platform, ":", self.kind, ":", unique].concat());
        self
    }

    /// As of a URL of which this is true: what it shows is a part of it, or another page.
    fn part_if(mut self, is_part: bool) -> SocialId {
        self.is_part |= is_part;
        self
    }

    /// With where it begins, which its canonical URL says too: `before` and `unit` around it.
    fn begun_at(mut self, seconds: Option<String>, kind: &'static str, before: &str, unit: &str) -> SocialId {
        if let Some(seconds) = seconds {
            self.kind = kind;
            self.canonical = format!("{}{before}{seconds}{unit}", self.canonical);
            self.content.push(("t", seconds));
        }
        self
    }

    fn with(mut self, name: &'static str, value: Option<String>) -> SocialId {
        self.content.extend(value.map(|value| (name, value)));
        self
    }
}

/// What a URL points at; None where it is no URL of a known platform, or points
/// at nothing that has an identity there. Hosts are matched by label;
/// Mastodon's by the shape of the path. Cost: linear.
///
/// ```
/// use urlkey::{Options, Url};
/// use urlkey::forms::social::social_id;
/// let url = Url::parse("https://youtu.be/dQw4w9WgXcQ?si=abc", &Options::default())?;
/// let video = social_id(&url).unwrap();
/// assert_eq!((video.platform, video.kind, video.id.as_deref()), ("youtube", "video", Some("dQw4w9WgXcQ")));
/// assert_eq!(video.canonical, "https://www.youtube.com/watch?v=dQw4w9WgXcQ");
/// # Ok::<(), urlkey::ParseError>(())
/// ```
pub fn social_id(url: &Url) -> Option<SocialId> {
    read(url, 0).and_then(|found| settled(found, url.href()))
}

/// As `social_id`, of a text: without a scheme too, as people write it, and
/// `at://did:plc:...`, which no URL parser takes. None where it is no URL.
pub fn social_id_of(text: &str) -> Option<SocialId> {
    let text = text.trim();
    if text.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("at://")) {
        return bluesky::at_uri(&text[5..]).and_then(|found| settled(found, text));
    }
    match Url::parse(text, &Options::default()) {
        Ok(url) => social_id(&url),
        Err(error) if error.code == Code::MissingSchemeNonRelativeUrl => {
            let bare = text.trim_start_matches('/');
            social_id(&Url::parse(&format!("https://{bare}"), &Options::default()).ok()?)
        }
        Err(_) => None,
    }
}

/// What was found at an address, if it is found again at its canonical URL; None where that shows
/// another thing, a part of it, or nothing. This is the one place that holds all platforms to it.
fn settled(found: SocialId, href: &str) -> Option<SocialId> {
    let is_same = |again: SocialId| {
        !again.is_part
            && again.platform == found.platform
            && again.id == found.id
            && again.key == found.key
            && again.canonical == found.canonical
    };
    let holds = match found.canonical == href {
        true => !found.is_part,
        false => read_canonical(&found.canonical).is_some_and(is_same),
    };
    holds.then_some(found)
}

/// What the canonical URL of a thing points at. Most are as a parser would write them, which their
/// characters show, and are not parsed.
fn read_canonical(text: &str) -> Option<SocialId> {
    let target = text.strip_prefix("https://")?;
    if !is_plain(target) {
        return read(&Url::parse(text, &Options::default()).ok()?, 0);
    }
    let (rest, fragment) = split(target, b'#');
    let (rest, query) = split(rest, b'?');
    let (host, path) = split(rest, b'/');
    read_at(host, path?, query, fragment, 0)
}

/// Whether a parser leaves what stands behind `https://` as it is: by its characters, and no segment
/// begins with a dot, written or escaped.
fn is_plain(text: &str) -> bool {
    let text = text.as_bytes();
    text.iter().enumerate().all(|(i, &c)| match c {
        b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'_' | b'~' | b'@' | b'+' | b':' | b'=' | b'&' => true,
        b'/' | b'?' | b'#' => true,
        b'.' => i > 0 && text[i - 1] != b'/',
        b'%' => !matches!(text.get(i + 1..i + 3), Some(b"2e" | b"2E")),
        _ => false,
    })
}

fn split(text: &str, at: u8) -> (&str, Option<&str>) {
    memchr::memchr(at, text.as_bytes()).map_or((text, None), |i| (&text[..i], Some(&text[i + 1..])))
}

/// Embeds name what they embed by a URL; one that embeds an embed is nobody's.
const DEEPEST: u8 = 1;

/// Whether a serialized host belongs to a known platform.
pub(crate) fn is_platform(host: &str) -> bool {
    hosts::platform(host.strip_suffix('.').unwrap_or(host)).is_some()
}

fn read(url: &Url, depth: u8) -> Option<SocialId> {
    if !url.is_http() {
        return app(url);
    }
    if url.host_kind() != HostKind::Domain || url.port().is_some() {
        return None;
    }
    let host = url.host()?;
    let host = host.strip_suffix('.').unwrap_or(host);
    // One dot at the end names the root; behind another, the host would be another once more.
    if host.ends_with('.') {
        return None;
    }
    read_at(host, url.path(), url.query(), url.fragment(), depth)
}

fn read_at(host: &str, path: &str, query: Option<&str>, fragment: Option<&str>, depth: u8) -> Option<SocialId> {
    let Some(platform) = hosts::platform(host) else {
        return federated::may_be(path).then(|| federated::read(&Link::of(host, path, query, None)?)).flatten();
    };
    // `#!/name/status/1`, `#/watch?v=`: what stood behind it was a path once, and is read as one.
    if let Some(route) = fragment.and_then(|f| f.strip_prefix('!').or(f.starts_with('/').then_some(f)))
        && matches!(path, "" | "/")
        && query.is_none()
    {
        let route = route.trim_start_matches('/');
        let url = Url::parse(&format!("https://{host}/{route}"), &Options::default()).ok()?;
        return read_on(platform, &Link::of(host, url.path(), url.query(), None)?, depth);
    }
    read_on(platform, &Link::of(host, path, query, fragment)?, depth)
}

fn read_on(platform: &'static Platform, link: &Link, depth: u8) -> Option<SocialId> {
    let inner = |name: &str, base: &str| embedded(platform, link, name, base, depth);
    match platform.name() {
        "youtube" => youtube::read(link, platform, inner),
        "x" => x::read(link, platform),
        "instagram" => instagram::read(link, platform),
        "facebook" => facebook::read(link, platform, inner),
        "threads" => threads::read(link),
        "tiktok" => tiktok::read(link),
        "linkedin" => linkedin::read(link, platform),
        "reddit" => reddit::read(link, platform),
        "pinterest" => pinterest::read(link, platform),
        "bluesky" => bluesky::read(link),
        "telegram" => telegram::read(link, platform),
        "snapchat" => threads::snapchat(link),
        "tumblr" => blogs::tumblr(link, platform),
        "medium" => blogs::medium(link, platform),
        "twitch" => video::twitch(link, platform),
        "vimeo" => video::vimeo(link),
        "dailymotion" => video::dailymotion(link),
        "soundcloud" => audio::soundcloud(link, platform, inner),
        "spotify" => audio::spotify(link),
        "crunchbase" => linkedin::crunchbase(link),
        _ => None,
    }
    .map(|found| found.part_if(platform.names_a_part(link)))
}

/// What the URL in a parameter points at, if that is on the same platform.
fn embedded(platform: &'static Platform, link: &Link, name: &str, base: &str, depth: u8) -> Option<SocialId> {
    if depth >= DEEPEST {
        return None;
    }
    // A word alone is no link: it would be whose page is so called.
    let text = link.param(name).filter(|text| text.starts_with('/') || text.contains("://"))?;
    let base = Url::parse(base, &Options::default()).ok()?;
    let target = Url::parse(&text, &Options { base: Some(&base), ..Options::default() }).ok()?;
    read(&target, depth + 1).filter(|found| found.platform == platform.name())
}

/// Links that open an app.
fn app(url: &Url) -> Option<SocialId> {
    match url.scheme() {
        "vnd.youtube" | "youtube" => youtube::app(url),
        "spotify" => audio::spotify_uri(url.path()),
        "tg" => telegram::app(url),
        "instagram" => instagram::app(url),
        "at" => bluesky::at_uri(url.href().get(5..)?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(kind: &'static str, id: &str, canonical: &str) -> SocialId {
        SocialId::new("x", kind, id, canonical.to_owned())
    }

    #[test]
    fn an_identity_that_its_canonical_url_does_not_show_is_none() {
        let holds = |found: SocialId| settled(found.clone(), "https://x.com/a?b") == Some(found);
        assert!(holds(at("profile", "jack", "https://x.com/jack")));
        for (kind, id, canonical) in [
            ("profile", "jack", "https://x.com/Jack"),
            ("profile", "jack", "https://x.com/joe"),
            ("profile", "jack", "https://www.x.com/jack"),
            ("profile", "jack", "http://x.com/jack"),
            ("profile", "likes", "https://x.com/jack/likes"),
            ("profile", "search", "https://x.com/search"),
            ("profile", "jack", "https://x.com/./jack"),
            ("profile", "jack", "https://x.com/%2e/jack"),
            ("profile", "jack", "https://x.com/ jack"),
            ("profile", "jack", "no URL"),
            ("list", "20", "https://x.com/i/status/20"),
        ] {
            assert!(!holds(at(kind, id, canonical)), "{canonical}");
        }
        let tab = at("profile", "jack", "https://x.com/jack").part_if(true);
        assert_eq!(settled(tab, "https://x.com/jack"), None);
    }

    #[test]
    fn a_canonical_url_that_is_not_parsed_is_read_as_if_it_were() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/social.jsonl");
        let rows = std::fs::read_to_string(file).unwrap();
        let told = |row: &str| {
            serde_json::from_str::<serde_json::Value>(row).unwrap()["canonical"].as_str().map(str::to_owned)
        };
        let canonicals: Vec<String> = rows.lines().filter_map(told).collect();
        let plain = |text: &&String| text.strip_prefix("https://").is_some_and(is_plain);
        assert!(canonicals.iter().filter(plain).count() > 200);
        for text in canonicals {
            let parsed = Url::parse(&text, &Options::default()).unwrap();
            assert_eq!(parsed.href(), text);
            assert_eq!(read_canonical(&text), read(&parsed, 0), "{text}");
        }
    }
}
