//! What holds of URLs that may be requested.

use urlkey::gateway::{Rules, check};
use urlkey::*;

/// An accepted href is accepted again as it is, with the same host and port; every reader of URLs finds these in it: the
/// `url` crate, and whoever cuts at the signs of RFC 3986. What the strict check accepts the lenient one accepts, and no
/// accepted host is known not to be public.
pub fn check_again(data: &[u8]) {
    let [flags, text @ ..] = data else { return };
    let strict = Rules::default();
    let lenient = Rules::default().lenient();
    let is_strict = flags & 1 == 0;
    let rules = if is_strict { &strict } else { &lenient };
    let found = check(text, rules);
    assert_eq!(found.accepted(), found.href.is_some());
    assert_eq!(found.accepted(), found.reasons.is_empty(), "{:?}", found.reasons);
    assert!(found.reasons.iter().all(|reason| reason.at.is_none_or(|at| at <= text.len())), "{:?}", found.reasons);
    let (Some(href), Some(host), Some(port)) = (&found.href, &found.host, found.port) else { return };
    let again = check(href.as_bytes(), rules);
    assert_eq!((&again.href, &again.host, again.port), (&found.href, &found.host, found.port), "{:?}", again.reasons);
    assert!(check(text, &lenient).accepted());

    let theirs = url::Url::parse(href).expect("a URL for others too");
    let bare = |host: &str| host.trim_start_matches('[').trim_end_matches(']').to_owned();
    assert_eq!((theirs.host_str().map(bare), theirs.port_or_known_default()), (Some(host.clone()), Some(port)));
    let (scheme, rest) = href.split_once("://").expect("an authority");
    let authority = &rest[..rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len())];
    let behind = if is_strict { authority } else { authority.rsplit('@').next().unwrap_or(authority) };
    let (name, digits) = match behind.rsplit_once(':') {
        Some((name, digits)) if !digits.ends_with(']') => (name, digits.parse().ok()),
        _ => (behind, None),
    };
    let default = if scheme == "https" { 443 } else { 80 };
    assert_eq!((bare(name), digits.unwrap_or(default)), (host.clone(), port));
    let written = if host.contains(':') { format!("[{host}]") } else { host.clone() };
    assert!(hosts::not_public(&written).is_none(), "{host}");
}
