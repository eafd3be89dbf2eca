"""Wayback URLs: what stands behind an archive's prefix, `20101112030201id_/http://example.com/`.
pywb's grammar; reading needs no archive."""

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote, unquote

import urlkey

MODIFIERS = {
    "id_": "the bytes as they were captured",
    "mp_": "a page",
    "if_": "a page in an iframe",
    "fr_": "a page in a frame",
    "im_": "an image",
    "js_": "a script",
    "cs_": "a style sheet",
    "oe_": "an object or embed",
    "bn_": "the banner alone",
    "tf_": "the top frame",
    "uo_": "URLs rewritten, nothing else",
}

Type = Literal["replay", "latest_replay", "query", "url_query", "timemap"]

# The form of a modifier.
MODIFIER = re.compile(r"[a-z]+_|[$][a-z0-9:.-]+")
_QUERY = re.compile(r"(?:([\w:-]+)/)?([0-9]*)[*-]([0-9]*)/?(.+)", re.DOTALL)
_REPLAY = re.compile(rf"([0-9]*)({MODIFIER.pattern})?/{{1,3}}(.+)", re.DOTALL)
# Without a form where a scheme follows: RFC 7089, 5.1.
_TIMEMAP = re.compile(r"timemap/(?:([a-z]+)/|(?=\w+:/))(.+)", re.DOTALL)
_DIGITS = 14
# `urn:` alone needs no slashes: crawlers write their logs as such records.
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|\w+:/$|urn:", re.IGNORECASE)
_ONE_SLASH = re.compile(r"(\w+:)/(?=[^/])")
_ENCODED_SCHEME = re.compile(r"(\w+)%3A(?=/)", re.IGNORECASE)
# A URL escaped like one field of a query, up to the first bare delimiter.
_ENCODED_URL = re.compile(r"\w+(?:%3A|:)%2F%2F[^/?#]+", re.IGNORECASE)
_HOST = re.compile(r"([^/]*://)(?:[^/?#]*@)?(\[[^/?#\]]*\]|[^/?#:]*)", re.DOTALL)
_NOT_UTF8 = re.compile(r"[\udc80-\udcff]")
# Escapes of these would end the host or make it another part of the URL.
_NOT_IN_HOST = re.compile(r"[\x00-\x20#%/:<>?@\[\\\]^|\x7f]")
# What an archive may stand at, if the caller does not say.
_KNOWN = (
    "//web.archive.org/web/",
    "//wayback.archive.org/web/",
    "//arquivo.pt/wayback/",
    "//arquivo.pt/noFrame/replay/",
)
_ORIGIN = re.compile(r"(?:https?:)?//[^/?#]+", re.IGNORECASE)
# Longer hosts are no names: the codec of IDNA 2003 takes the square of their length.
_LONGEST_HOST = 1024

__all__ = ["MODIFIER", "MODIFIERS", "Type", "Wayback", "parse_wayback"]


@dataclass(frozen=True, slots=True)
class Wayback:
    """A Wayback URL. `str()` writes it, behind its prefix.

    `type`: 'replay' of a capture, 'latest_replay', 'query' for the captures of a URL, 'url_query' for those of all
    URLs that begin so, 'timemap' for the list of captures. `timestamp` and `end_timestamp` have 0 to 14 digits,
    `modifier` is one of MODIFIERS, another of its form, or empty. `format` is that of a TimeMap, as `link`, or empty.
    """

    prefix: str
    type: Type
    timestamp: str
    end_timestamp: str
    modifier: str
    url: str
    format: str = ""

    def __str__(self) -> str:
        url = _with_unicode_host(self.url)
        if self.type == "timemap":
            return f"{self.prefix}timemap/{self.format}{'/' if self.format else ''}{url}"
        if self.type in ("query", "url_query"):
            before = f"{self.modifier}/" if self.modifier else ""
            star = "*" if self.type == "url_query" else ""
            return f"{self.prefix}{before}{self.timestamp}*{self.end_timestamp}/{url}{star}"
        before = f"{self.timestamp}{self.modifier}"
        return f"{self.prefix}{before}{'/' if before else ''}{url}"


def parse_wayback(url: str, prefix: str | None = None) -> Wayback:
    """The parts of a Wayback URL.

    `prefix` is the archive's, as `https://archive.example/web/`; without it, those of the Internet Archive and
    Arquivo.pt are known, and a text that begins with none of them is read as what stands behind one. The prefix is
    found whatever the case of its host, and with the scheme's own port. `http:/x`, which browsers and proxies make
    of `http://x`, is repaired; a URL without a scheme is one of http. Raises ValueError where nothing stands behind
    the prefix, and for a timestamp of more than 14 digits.

    >>> from urlkey.systems import archive
    >>> found = archive.parse_wayback("https://web.archive.org/web/20101112030201id_/http:/example.com/")
    >>> found.type, found.timestamp, found.modifier, found.url
    ('replay', '20101112030201', 'id_', 'http://example.com/')
    >>> str(found)
    'https://web.archive.org/web/20101112030201id_/http://example.com/'
    """
    prefixes = _KNOWN if prefix is None else (prefix,)
    end = next(filter(None, (_end_of_prefix(url, known) for known in prefixes)), 0)
    prefix, rest = url[:end], url[end:]
    if not rest:
        raise ValueError("nothing stands behind the archive's prefix")
    if found := _TIMEMAP.fullmatch(rest):
        return Wayback(prefix, "timemap", "", "", "", _repaired(found[2]), found[1] or "")
    if found := _QUERY.fullmatch(rest):
        modifier, first, last, target = (part or "" for part in found.groups())
        _check(first, last)
        kind: Type = "url_query" if target.endswith("*") else "query"
        return Wayback(prefix, kind, first, last, modifier, _repaired(target.removesuffix("*")))
    if found := _REPLAY.fullmatch(rest):
        timestamp, modifier, target = (part or "" for part in found.groups())
        _check(timestamp)
        return Wayback(prefix, "replay" if timestamp else "latest_replay", timestamp, "", modifier, _repaired(target))
    return Wayback(prefix, "latest_replay", "", "", "", _repaired(rest))


def _check(*timestamps: str) -> None:
    for timestamp in timestamps:
        if len(timestamp) > _DIGITS:
            raise ValueError(f"a timestamp has {_DIGITS} digits at most, not {len(timestamp)}")


def _end_of_prefix(url: str, prefix: str) -> int:
    """Where an archive's prefix ends in a URL; 0 where the URL does not begin with it."""
    if url.startswith(prefix):
        return len(prefix)
    ours, theirs = _ORIGIN.match(url), _ORIGIN.match(prefix)
    if ours is None or theirs is None or not url.startswith(prefix[theirs.end() :], ours.end()):
        return 0
    return ours.end() + len(prefix) - theirs.end() if _is_at(ours[0], theirs[0]) else 0


def _is_at(origin: str, archive: str) -> bool:
    """Whether two origins are one; `//host` has the scheme of the other."""
    scheme = next((text.partition(":")[0] for text in (origin, archive) if not text.startswith("//")), "https")
    try:
        ours, theirs = (
            urlkey.parse(f"{scheme}:{text}" if text.startswith("//") else text) for text in (origin, archive)
        )
    except urlkey.UrlKeyError:
        return False
    return (ours.scheme, ours.host, ours.port) == (theirs.scheme, theirs.host, theirs.port)


def _repaired(url: str) -> str:
    if found := _ENCODED_URL.match(url):
        url = _decoded(found[0]) + url[found.end() :]
    url = _ENCODED_SCHEME.sub(r"\1:", url, count=1) if _ENCODED_SCHEME.match(url) else url
    url = _ONE_SLASH.sub(r"\1//", url, count=1) if _ONE_SLASH.match(url) else url
    if not _SCHEME.match(url):
        url = f"http://{url.removeprefix('//')}"
    return _in_ascii(url)


def _decoded(text: str) -> str:
    """Escapes undone but for bytes that are not UTF-8: two of them must not become one."""
    text = unquote(text, errors="surrogateescape")
    return _NOT_UTF8.sub(lambda found: f"%{ord(found[0]) - 0xDC00:02X}", text)


def _in_ascii(url: str) -> str:
    """The host in the letters of the DNS, what else is not ASCII as escapes of UTF-8."""
    before, host, after = _parts(url)
    with suppress(UnicodeError):
        host = host if host.isascii() or "%" in host else _codable(host).encode("idna").decode()
    return _escaped(before) + _escaped(host) + _escaped(after)


def _escaped(text: str) -> str:
    return text if text.isascii() else "".join(c if c.isascii() else quote(c) for c in text)


def _with_unicode_host(url: str) -> str:
    """A host of punycode as escapes of what it stands for."""
    before, host, after = _parts(url)
    if "xn--" not in host:
        return url
    try:
        name = _codable(host).encode("ascii").decode("idna")
    except UnicodeError:
        return url
    return before + quote(name, safe=":[]") + after


def _codable(host: str) -> str:
    if len(host) > _LONGEST_HOST:
        raise UnicodeError("the host is too long")
    return host


def _parts(url: str) -> tuple[str, str, str]:
    """What stands before the host, the host with its escapes undone, and the port and all behind it."""
    found = _HOST.match(url)
    if not found:
        return "", "", url
    host = _decoded(found[2])
    host = found[2] if _NOT_IN_HOST.search(host) else host
    return url[: found.start(2)], host, url[found.end(2) :]
