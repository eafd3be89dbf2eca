//! What holds of the forms: other texts made of a URL.

use urlkey::forms::{safebrowsing, social, surt, w3lib};
use urlkey::*;

/// Any bytes have a SURT key in every flavor and under every option, the same with buffers kept from other texts;
/// the package's keys are visible ASCII; a range begins before it ends and holds the key it is made of; prefixes get
/// shorter.
pub fn surt(data: &[u8]) {
    use surt::{Flavor, MatchType, Options};
    let [kept, a, b, text @ ..] = data else { return };
    let mut scratch = surt::Scratch::default();
    surt::write(&text[..text.len().min(usize::from(*kept))], &Options::default(), &mut scratch, &mut Vec::new());
    let bits = u16::from_le_bytes([*a, *b]);
    for (_, flavor) in Flavor::NAMES {
        let mut chosen = Options::of(flavor);
        for (bit, name) in Options::NAMES.iter().enumerate() {
            assert!(chosen.set(name, bits >> (bit % 16) & 1 == 1));
        }
        for options in [Options::of(flavor), chosen] {
            let mut key = Vec::new();
            surt::write(text, &options, &mut scratch, &mut key);
            assert_eq!(key, surt::surt(text, &options));
            surt::unsurt(&key);
        }
    }
    let key = surt::surt(text, &Options::default());
    assert!(text.starts_with(b"filedesc") || key.iter().all(u8::is_ascii_graphic), "{}", key.escape_ascii());
    for (name, kind) in MatchType::NAMES {
        let (start, end) = surt::cdx_range(text, kind, &Options::default()).expect("a range");
        assert!(start < end, "{name}");
        assert!(kind != MatchType::Exact || start <= key && key < end, "{name}");
    }
    for prefixes in [surt::prefixes(text), surt::ancestry(text)] {
        assert!(prefixes.ends.is_sorted_by(|a, b| a > b) && prefixes.ends[0] == prefixes.whole.len());
    }
    surt::ssurt(text);
}

/// A canonical URL of Safe Browsing is its own canonical, in either version, with buffers kept or new; it has 1 to 30
/// expressions, the first of them all of it, each a suffix of the host with a prefix of the path.
pub fn safebrowsing(data: &[u8]) {
    use safebrowsing::{Version, canonical};
    let mut kept = safebrowsing::Canonical::default();
    for version in [Version::V4, Version::V5] {
        let made = canonical(data, version);
        assert_eq!(made.as_ref().err(), kept.read(data, version).as_ref().err());
        let Ok(made) = made else { continue };
        assert_eq!(made.as_str(), kept.as_str());
        assert!(made.as_str().bytes().all(|byte| byte.is_ascii_graphic()), "{}", made.as_str());
        let again = canonical(made.as_str().as_bytes(), version).expect("a canonical URL has a host");
        assert_eq!(again.as_str(), made.as_str());
        let all: Vec<&str> = made.expressions().iter().collect();
        assert!((1..=30).contains(&all.len()), "{all:?}");
        let behind = &made.as_str()[made.as_str().find("://").expect("a scheme") + 3..];
        assert_eq!(behind.strip_suffix('?').unwrap_or(behind), all[0].strip_suffix('?').unwrap_or(all[0]));
        let (host, path) = behind.split_at(made.host().len());
        for expression in all {
            let end = expression.find('/').expect("a path");
            assert!(host.ends_with(&expression[..end]) && path.starts_with(&expression[end..]), "{expression}");
        }
    }
}

/// The form of w3lib is one of any bytes or an error at a byte of them; spaces around it change nothing, and the form
/// of ASCII is ASCII.
pub fn w3lib(data: &[u8]) {
    use w3lib::{Error, Options, canonicalize};
    const SEPARATORS: [&str; 4] = ["&", ";", "&&", ""];
    let [flags, text @ ..] = data else { return };
    let options = Options {
        keep_blank_values: flags & 1 == 0,
        keep_fragments: flags & 2 == 0,
        separator: SEPARATORS[usize::from(flags >> 2) % 4],
    };
    let made = canonicalize(text, &options, None);
    if let Err(Error::Url(error)) = &made {
        assert!(error.at <= text.len(), "{error:?}");
    }
    let spaced = [b" \t", text, b"\n "].concat();
    assert_eq!(canonicalize(&spaced, &options, None).ok(), made.as_ref().ok().cloned());
    if let Ok(form) = made {
        assert!(form.is_ascii() || !text.is_ascii(), "{form}");
    }
}

/// What a link of a platform points at has a canonical URL that points at the same, and is its own canonical.
pub fn social(data: &[u8]) {
    let Ok(text) = text_of_bytes(data) else { return };
    let Some(found) = social::social_id_of(&text) else { return };
    let again = social::social_id_of(&found.canonical);
    let again = again.unwrap_or_else(|| panic!("{} points at nothing", found.canonical));
    assert_eq!((again.platform, &again.canonical), (found.platform, &found.canonical));
    assert!(found.key.is_none() || again.key == found.key, "{:?} {:?}", found.key, again.key);
}

/// What is shown of a text is no more for being shown again, and a company's key is its own key.
pub fn company(data: &[u8]) {
    let Ok(text) = text_of_bytes(data) else { return };
    let shown = redact(&text);
    assert_eq!(redact(&shown), shown);
    let found = company::company_key(&text);
    assert_eq!(found.key.is_some(), found.reason.is_none());
    if let Some(key) = found.key {
        assert_eq!(company::company_key(&key).key, Some(key));
    }
}
