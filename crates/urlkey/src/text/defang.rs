//! Indicators of attacks on their way through mail and reports: broken on
//! purpose so that nobody follows them, and alive again. Which spellings are
//! broken is told by `refang.rs` alone, for the repair and for these.

use std::borrow::Cow;

use super::refang::{authority_length, begins_broken, is_scheme_char, live};
use super::{trim, trim_wrapping};

/// Broken texts inside one text that are made live: as many layers as redirectors may have.
const NESTED: usize = 5;

/// The live text of an indicator; None if nothing in it is broken.
///
/// Scheme and authority at the start of the text are looked at, and with
/// `nested` every URL with a broken scheme behind them. Brackets or quotes
/// around a broken text go, spaces around it stay. Time is linear.
///
/// ```
/// use urlkey::refang;
/// assert_eq!(refang("hxxps://evil[.]example/a[.]b", false).as_deref(), Some("https://evil.example/a[.]b"));
/// assert_eq!(refang("https://evil.example/", false), None);
/// ```
pub fn refang(text: &str, nested: bool) -> Option<String> {
    let inner = trim(text);
    let inside = trim_wrapping::inside(inner).unwrap_or(inner);
    let live = live_whole(inside, nested).or_else(|| live_whole(inner, nested))?;
    Some(beside(text, inner, &live))
}

/// `url` broken so that nobody follows it by accident: `hxxp[://]evil[.]example/a`.
///
/// `refang` of it is `url` again, for every text without wrapping that is not
/// broken itself, and so for every URL; of a text in quotes or brackets it is
/// what stands inside. What is broken already stays as it is, and so does what has
/// no authority or could not be told from another text once broken. Time is
/// linear.
///
/// ```
/// use urlkey::{defang, refang};
/// let broken = defang("http://user@evil.example/a.b");
/// assert_eq!(broken, "hxxp[://]user[@]evil[.]example/a.b");
/// assert_eq!(refang(&broken, false).as_deref(), Some("http://user@evil.example/a.b"));
/// ```
pub fn defang(url: &str) -> Cow<'_, str> {
    // `[.]` is a broken dot, and no wrapping around one that is alive.
    if refang(url, false).is_some() {
        return Cow::Borrowed(url);
    }
    let inner = trim(url);
    let inside = trim_wrapping::inside(inner).unwrap_or(inner);
    match broken(inside) {
        Some(text) => Cow::Owned(beside(url, inside, &text)),
        None => Cow::Borrowed(url),
    }
}

/// `whole` with `part`, a slice of it, written as `now`.
fn beside(whole: &str, part: &str, now: &str) -> String {
    let begin = part.as_ptr() as usize - whole.as_ptr() as usize;
    format!("{}{now}{}", &whole[..begin], &whole[begin + part.len()..])
}

fn live_whole(text: &str, nested: bool) -> Option<String> {
    let outer = live(text, false, &mut Vec::new());
    if !nested {
        return outer;
    }
    let inner = live_nested(outer.as_deref().unwrap_or(text));
    inner.or(outer)
}

/// With URLs live that stand behind the start of the text.
fn live_nested(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = Cow::Borrowed(text);
    let mut found = false;
    for _ in 0..NESTED {
        // The first letter of the rest is not a start: that one is the outer's, or was dealt with.
        let Some(at) = broken_start(&rest) else { break };
        let Some(live) = live(&rest[at..], false, &mut Vec::new()) else { break };
        out.push_str(&rest[..at]);
        rest = Cow::Owned(live);
        found = true;
    }
    out.push_str(&rest);
    found.then_some(out)
}

/// Where a URL with a broken scheme begins, behind the start: at a letter that continues no word.
fn broken_start(text: &str) -> Option<usize> {
    let mut in_word = true;
    for (at, unit) in text.char_indices() {
        if at > 0 && !in_word && unit.is_ascii_alphabetic() && begins_broken(&text[at..]) {
            return Some(at);
        }
        in_word = is_scheme_char(unit) || unit.is_alphanumeric();
    }
    None
}

/// The broken text: the first of these that comes alive as `url` and nothing else.
fn broken(url: &str) -> Option<String> {
    let word = url.find(|unit: char| !is_scheme_char(unit)).unwrap_or(url.len());
    let (scheme, rest) = match url[word..].strip_prefix("://") {
        Some(rest) => (&url[..word], rest),
        None => ("", url),
    };
    let rest = with_brackets(rest);
    let heads = match scheme {
        "" => vec![String::new()],
        _ => {
            let broken = BROKEN_SCHEMES.iter().find(|row| row.0 == scheme).map(|row| format!("{}[://]", row.1));
            broken.into_iter().chain([format!("{scheme}[://]"), format!("{scheme}://")]).collect()
        }
    };
    // One at a time: the first is nearly always it, and each is as long as the URL.
    heads.iter().map(|head| format!("{head}{rest}")).find(|text| refang(text, false).as_deref() == Some(url))
}

/// How schemes are broken.
const BROKEN_SCHEMES: [(&str, &str); 4] = [("http", "hxxp"), ("https", "hxxps"), ("ftp", "fxp"), ("ftps", "fxps")];

/// Every dot and `@` of the authority in square brackets.
fn with_brackets(rest: &str) -> String {
    let end = authority_length(rest, false);
    let mut out = String::with_capacity(rest.len() + 16);
    for unit in rest[..end].chars() {
        match unit {
            '.' => out.push_str("[.]"),
            '@' => out.push_str("[@]"),
            _ => out.push(unit),
        }
    }
    out + &rest[end..]
}
