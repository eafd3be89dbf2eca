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
        let key = Some(format!("{platform}:{kind}:{id}"));
        SocialId { platform, kind, id: Some(id), canonical, key, content: Vec::new(), is_part: false }
    }

    fn without_id(platform: &'static str, kind: &'static str, canonical: String) -> SocialId {
        SocialId { platform, kind, id: None, canonical, key: None, content: Vec::new(), is_part: false }
    }

    /// With the name space that the id is unique in, where that is not the kind.
    fn in_space(mut self, space: &str) -> SocialId {
        self.key = self.id.as_ref().map(|id| format!("{}:{space}:{id}", self.platform));
        self
    }

    /// With what makes the id unique, where that is more than the id.
    fn told_by(mut self, unique: &str) -> SocialId {
        self.key = Some(format!("{}:{}:{unique}", self.platform, self.kind));
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
    read(url, 0)
}

/// As `social_id`, of a text: without a scheme too, as people write it, and
/// `at://did:plc:...`, which no URL parser takes. None where it is no URL.
pub fn social_id_of(text: &str) -> Option<SocialId> {
    let text = text.trim();
    if text.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("at://")) {
        return bluesky::at_uri(&text[5..]);
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
    let Some(platform) = hosts::platform(host) else {
        return federated::read(&Link::of(host, url.path(), url.query(), None)?);
    };
    let fragment = url.fragment();
    // `#!/name/status/1`, `#/watch?v=`: what stood behind it was a path once.
    if let Some(route) = fragment.and_then(|f| f.strip_prefix('!').or(f.starts_with('/').then_some(f)))
        && url.path() == "/"
        && url.query().is_none()
    {
        let (path, query) = route.split_once('?').map_or((route, None), |(path, query)| (path, Some(query)));
        return read_on(platform, &Link::of(host, path, query, None)?, depth);
    }
    read_on(platform, &Link::of(host, url.path(), url.query(), fragment)?, depth)
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
        "linkedin" => linkedin::read(link),
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
    let base = Url::parse(base, &Options::default()).ok()?;
    let target = Url::parse(&link.param(name)?, &Options { base: Some(&base), ..Options::default() }).ok()?;
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
