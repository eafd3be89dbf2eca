//! What somebody typed into a field for a website or a mail address: where the
//! host stands in it.

use super::{NoKey, parse};
use crate::percent;
use crate::url::Url;

/// A URL whose host is the one that counts.
pub(super) struct Given {
    pub(super) url: Url,
    /// Whether it was an address of mail.
    pub(super) mail: bool,
}

/// A URL, a host with or without port and path, or an address of mail.
pub(super) fn read(text: &str) -> Result<Given, NoKey> {
    let text = text.trim();
    if let Some(addresses) = strip_prefix_no_case(text, "mailto:") {
        let addresses = addresses.split('?').next().unwrap_or_default();
        let decoded = percent::decode(addresses.as_bytes());
        return address(std::str::from_utf8(&decoded).map_err(|_| NoKey::NoHost)?);
    }
    if text.contains("://") && !before_slash(text).contains('@') {
        return url(text);
    }
    if let Some(rest) = text.strip_prefix("//") {
        return url(&format!("https://{rest}"));
    }
    if text.contains('@') && !in_path(text) {
        // Behind a user's name may stand a host with a path.
        let has_path = text.rsplit_once('@').is_some_and(|(_, behind)| behind.contains('/'));
        return if has_path { url(&format!("https://{text}")) } else { address(text) };
    }
    if text.matches(':').count() > 1 && !text.starts_with('[') {
        // An IPv6 address without its brackets.
        if let Ok(given) = url(&format!("https://[{text}]")) {
            return Ok(given);
        }
    }
    match text.split_once(':') {
        // A scheme without slashes; digits are a port behind a host.
        Some((_, rest)) if !text.starts_with('[') && !rest.starts_with(|c: char| c.is_ascii_digit()) => url(text),
        _ => url(&format!("https://{text}")),
    }
}

fn strip_prefix_no_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (front, rest) = text.split_at_checked(prefix.len())?;
    front.eq_ignore_ascii_case(prefix).then_some(rest)
}

fn before_slash(text: &str) -> &str {
    text.split('/').next().unwrap_or_default()
}

/// Whether the first `@` stands behind a host and a path or query:
/// `medium.com/@jane`, `acme.com?to=jane@x.example`.
fn in_path(text: &str) -> bool {
    let front = text.split(['/', '?', '#']).next().unwrap_or_default();
    !front.contains(['@', '"', '<']) && front.contains('.')
}

fn url(text: &str) -> Result<Given, NoKey> {
    let url = parse(text).ok_or(NoKey::NoHost)?;
    if url.is_http() {
        return Ok(Given { url, mail: false });
    }
    // Hosts of other schemes are opaque: read again as a domain.
    let host = url.host().filter(|host| !host.is_empty()).ok_or(NoKey::NoHost)?;
    let url = parse(&format!("https://{host}{}", url.path())).ok_or(NoKey::NoHost)?;
    Ok(Given { url, mail: false })
}

/// `jane@acme.com`, `"a@b"@acme.com`, `Jane <jane@acme.com>`: the domain of the
/// last `@` of the one address.
///
/// Source: <https://www.rfc-editor.org/rfc/rfc5322#section-3.4>.
fn address(text: &str) -> Result<Given, NoKey> {
    let bare = unquoted(text);
    let address = match (bare.rfind('<'), bare.rfind('>')) {
        (Some(open), Some(close)) if open < close => {
            if bare.matches('<').count() > 1 {
                return Err(NoKey::SeveralAddresses);
            }
            &bare[open + 1..close]
        }
        _ => &bare,
    };
    let address = address.trim_matches(|c: char| c.is_whitespace() || ",;".contains(c));
    if address.split([',', ';']).filter(|part| part.contains('@')).count() > 1 {
        return Err(NoKey::SeveralAddresses);
    }
    let (_, domain) = address.rsplit_once('@').ok_or(NoKey::NoHost)?;
    // What follows in parentheses is a comment.
    let domain = domain.split(|c: char| c.is_whitespace() || "()<>,;\"".contains(c)).next().unwrap_or_default();
    let holds_more = |c: char| "/\\?#:@".contains(c);
    if domain.is_empty() || (domain.contains(holds_more) && !domain.starts_with('[')) {
        return Err(NoKey::NoHost);
    }
    let domain = domain.strip_prefix("[IPv6:").map_or_else(|| domain.to_owned(), |rest| format!("[{rest}"));
    let literal = domain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).filter(|rest| !rest.contains(':'));
    let url = parse(&format!("https://{}/", literal.unwrap_or(&domain))).ok_or(NoKey::NoHost)?;
    Ok(Given { url, mail: true })
}

/// The text with what stands in quotes left out: `"Doe, Jane @ Acme" <...>`.
fn unquoted(text: &str) -> String {
    let (mut out, mut inside, mut escaped) = (String::with_capacity(text.len()), false, false);
    for c in text.chars() {
        match c {
            _ if std::mem::take(&mut escaped) => {}
            '\\' if inside => escaped = true,
            '"' => inside = !inside,
            _ if inside => {}
            _ => out.push(c),
        }
    }
    // A quote that never ends is none.
    if inside { text.replace('"', "") } else { out }
}
