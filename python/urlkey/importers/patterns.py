"""Which URLs a rule of a list covers: match patterns of browsers, patterns of filter lists, and expressions that
begin with a host, each as a host and, where that does not say it all, an expression. Must not know rows."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from urlkey._native import UrlKeyError, host_fault, parse
from urlkey.importers.regexes import Unsupported
from urlkey.importers.rulefile import literal

__all__ = ["Where", "filter_pattern", "host_of", "hosts_of_expression", "match_pattern"]

_MOST_HOSTS = 64
_SCHEMES = r"^https?://"
_SEPARATOR = r"(?:[^a-z0-9_.%-]|$)"
_BELOW = r"(?:[^/?#]*\.)?"
# A pattern of a filter list that begins with a host: `||a.example`, `|https://a.example`, `://a.example`.
_ANCHORED = re.compile(
    r"(?:\|\||\|?(?:https?|\*):?//|://)(\*\.)?([a-z0-9._-]+\.\*|[a-z0-9._*-]*?[a-z0-9])"
    r"(?=[/^?:|]|\*(?![a-z0-9.-])|$)",
    re.IGNORECASE,
)
# A name beyond ASCII there: hrefs hold it in ASCII.
_IDN = re.compile(r"(?:\|\||\|?(?:https?|\*):?//|://)(?:\*\.)?([\w.-]*[^\W_])(?=[/^?:|]|$)", re.IGNORECASE)


@dataclass(frozen=True)
class Where:
    """A host, and an expression for the href where the host does not say it all."""

    host: str
    url: str | None = None


def host_of(text: str) -> str | None:
    """A host as rules write it: `a.example`, `*.a.example`, `a.*` before any public suffix; None if it is none.

    >>> host_of("*.shop.example"), host_of("google.*"), host_of("a b")
    ('*.shop.example', 'google.<suffix>', None)
    """
    text = text.strip().lower()
    if text.endswith(".*"):
        text = text.removeprefix("*.").removesuffix(".*") + ".<suffix>"
    return None if not text or host_fault(text) else text


def match_pattern(pattern: str) -> Where:
    """A browser's match pattern. Raises Unsupported for what is none.

    Source: https://developer.chrome.com/docs/extensions/develop/concepts/match-patterns

    >>> match_pattern("<all_urls>").host
    '*'
    >>> match_pattern("*://*.shop.example/*"), match_pattern("https://a.example/x?*").url
    (Where(host='*.shop.example', url=None), '^https://a\\\\.example(?::[0-9]+)?/x\\\\?')
    """
    if pattern.strip() == "<all_urls>":
        return Where("*")
    found = re.fullmatch(r"(\*|[a-z]+)://([^/]*)(/.*)", pattern.strip(), re.IGNORECASE | re.DOTALL)
    if not found:
        raise Unsupported("not a match pattern")
    scheme, host, path = found[1].lower(), found[2].lower(), found[3]
    port = re.search(r":(\d+|\*)$", host)
    host = host[: port.start()] if port else host
    covered = "*" if host == "*" else host_of(host)
    if covered is None:
        raise Unsupported("not a match pattern")
    if scheme not in ("*", "http", "https"):
        raise Unsupported("another scheme than http and https")
    any_port = port is None or port[1] == "*"
    if path == "/*" and scheme == "*" and any_port:
        return Where(covered)
    start = {"*": "https?", "http": "http", "https": "https"}[scheme]
    authority = {"*": "[^/?#]*"}.get(covered) or (
        _BELOW + literal(covered[2:]) if covered.startswith("*.") else _suffixed(covered)
    )
    where = "(?::[0-9]+)?" if any_port else f":{port[1] if port else ''}"
    # A fragment is no part of what is matched.
    end = "" if path.endswith("*") else "(?:#|$)"
    return Where(covered, f"^{start}://{authority}{where}{_glob(path.rstrip('*') if not end else path)}{end}")


def _suffixed(host: str) -> str:
    before = host.removesuffix(".<suffix>")
    return literal(host) if before == host else _BELOW + literal(before) + r"(?:\.[a-z0-9-]+)+"


def _glob(text: str) -> str:
    return ".*".join(literal(part) for part in text.split("*"))


def filter_pattern(pattern: str, case: bool = False) -> Where:
    """A pattern of a filter list. Raises Unsupported.

    Source: https://adguard.com/kb/general/ad-filtering/create-own-filters/#basic-rules-syntax

    >>> filter_pattern("||shop.example^"), filter_pattern("*").host
    (Where(host='*.shop.example', url=None), '*')
    """
    if pattern in ("", "*", "^", "|", "||", "http", "https", "|http", "|https", "|http*", "|https*", "://", "*://*"):
        return Where("*")
    pattern = pattern if pattern.isascii() else _in_ascii(pattern)
    anchored = _ANCHORED.match(pattern)
    host = host_of(anchored[2]) if anchored else None
    if anchored is None or host is None or "." not in host:
        return Where("*", _expression(pattern, case))
    rest = pattern[anchored.end() :]
    below = pattern.startswith("||") or bool(anchored[1])
    suffixed = host.endswith(".<suffix>")
    host = f"*.{host}" if below and not suffixed and not _is_address(host) else host
    if rest in ("", "^", "/", "^*", "/*", "*", "^|") and pattern.startswith(("||", "://")):
        return Where(host)
    return Where(host, _expression(pattern, case))


def _in_ascii(pattern: str) -> str:
    """The pattern with its host as hrefs have it. Raises Unsupported where that is no host."""
    named = _IDN.match(pattern)
    if named is None or named[1].isascii():
        return pattern
    try:
        host = parse(f"http://{named[1]}/").host
    except UrlKeyError:
        raise Unsupported("a host that is none") from None
    return pattern[: named.start(1)] + str(host) + pattern[named.end(1) :]


def _is_address(host: str) -> bool:
    return re.fullmatch(r"[0-9.]+", host) is not None


def _expression(pattern: str, case: bool) -> str:
    start = end = ""
    if pattern.startswith("||"):
        start, pattern = _SCHEMES + _BELOW, pattern[2:]
    elif pattern.startswith("|"):
        start, pattern = "^", pattern[1:]
    if pattern.endswith("|"):
        end, pattern = "$", pattern[:-1]
    parts = {"*": ".*", "^": _SEPARATOR}
    middle = "".join(parts.get(c) or literal(c) for c in pattern)
    middle = middle.removeprefix(".*") if not start else middle
    middle = middle.removesuffix(".*") if not end else middle
    text = f"{start}{middle}{end}"
    if not text:
        raise Unsupported("a pattern that says nothing")
    return f"(?-i:{text})" if case else text


# How expressions of ClearURLs begin: scheme, then perhaps labels below the host.
_START = re.compile(r"\^?(?:https\?|http\(s\)\?|http\(\?:s\)\?|\(\?:https\?\)|https|http):(?:\\?/){2}")
_LABELS = re.compile(
    r"\(\?:\[a-z0-9-\]\+\\\.\)\*\??|\(\[a-z0-9-\\?\.\]\)\*|\(\[a-z0-9-\.\]\*\\\.\)|\(\?:\[\^/\]\+\\\.\)\??\*?"
    r"|\(\?:\[a-z0-9-\]\*\\\.\)\*\??|\(\?:\\w\+\\\.\)\*\??|\(\?:\.\*\\\.\)\??"
)
_SUFFIX = re.compile(r"\(\?:\\\.\[a-z\]\{2,\}\)(?:\{1,\}|\+)|\\\.\[a-z\]\{2,\}|\(\?:\\\.\[a-z\]\{2,\}\)")


def hosts_of_expression(pattern: str) -> tuple[list[str], bool] | None:
    """The hosts that an expression for URLs begins with, and whether it says no more than them; None if it does
    not begin with a host. An expression for `name(?:\\.[a-z]{2,})+` is read as that name before a public suffix:
    `name.evil.example` is another's.

    >>> hosts_of_expression(r"^https?:\\/\\/(?:[a-z0-9-]+\\.)*?(?:a\\.com|b\\.org)\\/x")
    (['*.a.com', '*.b.org'], False)
    """
    start = _START.match(pattern)
    if not start:
        return None
    rest = pattern[start.end() :]
    labels = _LABELS.match(rest)
    rest = rest[labels.end() :] if labels else rest
    try:
        hosts, rest, suffixed = _host_part(rest)
    except Unsupported:
        return None
    if not hosts or any("." not in host and not suffixed for host in hosts):
        return None
    only = rest in ("", "/", r"\/", "$", "/.*", r"\/.*", ".*", r"(?:\/|$)", r"(?:/|$)", r"(?:\/.*)?", r"(?::\d+)?\/")
    only = only and start[0].removeprefix("^").startswith(("https?", "http(s)?", "http(?:s)?", "(?:https?)"))
    before = "" if suffixed or not labels else "*."
    after = ".<suffix>" if suffixed else ""
    made = [f"{before}{host}{after}" for host in hosts]
    if any(host_fault(host) for host in made):
        return None
    # Without labels before it, the name alone is meant; `name.<suffix>` covers what is below too.
    return made, only and not (suffixed and not labels)


def _host_part(text: str) -> tuple[list[str], str, bool]:
    """All texts of the literal host that an expression begins with, what is left of it, and whether a public
    suffix stood behind."""
    hosts = [""]
    while text:
        suffix = _SUFFIX.match(text)
        if suffix:
            return hosts, text[suffix.end() :], True
        if text[0] in "/:?$" or text.startswith(
            ("\\/", r"\?", "[^", ".*", "(?:\\/", "(?:/", "(\\/", r"(?::", "\\b", "#", "&")
        ):
            break
        options, length = _piece(text)
        hosts = [host + option for host, option in itertools.product(hosts, options)]
        if len(hosts) > _MOST_HOSTS:
            raise Unsupported("too many hosts")
        text = text[length:]
    return hosts, text, False


def _piece(text: str) -> tuple[list[str], int]:
    """The texts of one literal or group, and how long it is."""
    group = re.match(r"\((?:\?:)?((?:[a-z0-9|_-]|\\?\.|\\-)*)\)(\??)", text)
    if group:
        options = [re.sub(r"\\(.)", r"\1", option) for option in group[1].split("|")]
        return options + [""] * bool(group[2]), group.end()
    single = re.match(r"(\\?[.-]|[a-z0-9_])(\?(?!\?))?", text)
    if not single or text[single.end() : single.end() + 1] in ("*", "+", "{"):
        raise Unsupported("no literal host")
    character = single[1].removeprefix("\\")
    return [character] + [""] * bool(single[2]), single.end()
