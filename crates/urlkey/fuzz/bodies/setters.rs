//! What holds of a URL of which a part is set.

use urlkey::*;

const ATTRIBUTES: [Attribute; 10] = [
    Attribute::Href,
    Attribute::Protocol,
    Attribute::Username,
    Attribute::Password,
    Attribute::Host,
    Attribute::Hostname,
    Attribute::Port,
    Attribute::Pathname,
    Attribute::Search,
    Attribute::Hash,
];

/// A URL of which a part is set parses to itself; where a value is refused, it is the URL that it was.
pub fn setters(data: &[u8]) {
    let [attribute, rest @ ..] = data else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let (value, text) = text.split_once('\n').unwrap_or((text, "https://u:p@a.example:8080/b;c?d#e"));
    let Ok(mut url) = Url::parse(text, &Options::default()) else { return };
    let before = url.clone();
    let done = url.set(ATTRIBUTES[usize::from(*attribute) % ATTRIBUTES.len()], value);
    assert!(done.is_ok() || url == before, "{done:?}");
    let again = Url::parse(url.href(), &Options::default()).expect("an href is a URL");
    assert_eq!(again.href(), url.href());
    let parts = |url: &Url| [url.host(), url.query(), url.fragment()].map(|part| part.map(str::to_owned));
    assert_eq!((parts(&again), again.path(), again.port()), (parts(&url), url.path(), url.port()));
}
