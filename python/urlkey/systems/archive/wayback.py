"""Wayback URLs: what stands behind an archive's prefix, `20101112030201id_/http://example.com/`.
pywb's grammar; reading needs no archive."""

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote, unquote

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

Type = Literal["replay", "latest_replay", "query", "url_query"]

_QUERY = re.compile(r"(?:([\w:-]+)/)?(\d*)[*-](\d*)/?(.+)", re.DOTALL)
_REPLAY = re.compile(r"(\d*)([a-z]+_|[$][a-z0-9:.-]+)?/{1,3}(.+)", re.DOTALL)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_ONE_SLASH = re.compile(r"(\w+:)/(?=[^/])")
_ENCODED_SCHEME = re.compile(r"(\w+)%3A(?=/)", re.IGNORECASE)
_HOST = re.compile(r"([^/]*://)([^/?#]*)", re.DOTALL)
# What an archive may stand at, if the caller does not say.
_KNOWN = re.compile(r"(?:https?:)?//(?:web\.archive\.org/web|wayback\.archive\.org/web|arquivo\.pt/wayback)/")

__all__ = ["MODIFIERS", "Type", "Wayback", "parse_wayback"]


@dataclass(frozen=True, slots=True)
class Wayback:
    """A Wayback URL. `str()` writes it, behind its prefix.

    `type`: 'replay' of a capture, 'latest_replay', 'query' for the captures of a URL, 'url_query' for those of all
    URLs that begin so. `timestamp` and `end_timestamp` have 0 to 14 digits, `modifier` is one of MODIFIERS, another
    of its form, or empty.
    """

    prefix: str
    type: Type
    timestamp: str
    end_timestamp: str
    modifier: str
    url: str

    def __str__(self) -> str:
        url = _with_unicode_host(self.url)
        if self.type in ("query", "url_query"):
            before = f"{self.modifier}/" if self.modifier else ""
            star = "*" if self.type == "url_query" else ""
            return f"{self.prefix}{before}{self.timestamp}*{self.end_timestamp}/{url}{star}"
        before = f"{self.timestamp}{self.modifier}"
        return f"{self.prefix}{before}{'/' if before else ''}{url}"


def parse_wayback(url: str, prefix: str | None = None) -> Wayback:
    """The parts of a Wayback URL.

    `prefix` is the archive's, as `https://archive.example/web/`; without it, those of the Internet Archive and
    Arquivo.pt are known, and a text that begins with none of them is read as what stands behind one. `http:/x`,
    which browsers and proxies make of `http://x`, is repaired; a URL without a scheme is one of http. Raises
    ValueError for an empty text.

    >>> from urlkey.systems import archive
    >>> found = archive.parse_wayback("https://web.archive.org/web/20101112030201id_/http:/example.com/")
    >>> found.type, found.timestamp, found.modifier, found.url
    ('replay', '20101112030201', 'id_', 'http://example.com/')
    >>> str(found)
    'https://web.archive.org/web/20101112030201id_/http://example.com/'
    """
    if prefix is None:
        known = _KNOWN.match(url)
        prefix = known[0] if known else ""
    rest = url.removeprefix(prefix)
    prefix = prefix if len(rest) < len(url) else ""
    if not rest:
        raise ValueError("nothing stands behind the archive's prefix")
    if found := _QUERY.fullmatch(rest):
        modifier, start, end, target = (part or "" for part in found.groups())
        kind: Type = "url_query" if target.endswith("*") else "query"
        return Wayback(prefix, kind, start, end, modifier, _repaired(target.removesuffix("*")))
    if found := _REPLAY.fullmatch(rest):
        timestamp, modifier, target = (part or "" for part in found.groups())
        return Wayback(prefix, "replay" if timestamp else "latest_replay", timestamp, "", modifier, _repaired(target))
    return Wayback(prefix, "latest_replay", "", "", "", _repaired(rest))


def _repaired(url: str) -> str:
    url = _ENCODED_SCHEME.sub(r"\1:", url, count=1) if _ENCODED_SCHEME.match(url) else url
    url = _ONE_SLASH.sub(r"\1//", url, count=1) if _ONE_SLASH.match(url) else url
    if not _SCHEME.match(url):
        url = f"http://{url.removeprefix('//')}"
    return url if url.isascii() else _in_ascii(url)


def _in_ascii(url: str) -> str:
    """The host in the letters of the DNS, what follows as escapes of UTF-8."""
    scheme, host, rest = _parts(url)
    try:
        host = host.encode("idna").decode()
    except UnicodeError:
        host = quote(host, safe="%:[]@")
    return scheme + host + "".join(c if c.isascii() else quote(c) for c in rest)


def _with_unicode_host(url: str) -> str:
    """A host of punycode as escapes of what it stands for."""
    scheme, host, rest = _parts(url)
    if "xn--" not in host:
        return url
    try:
        name = host.encode("ascii").decode("idna")
    except UnicodeError:
        return url
    return scheme + quote(name, safe=":@[]") + rest


def _parts(url: str) -> tuple[str, str, str]:
    found = _HOST.match(url)
    return (found[1], unquote(found[2]), url[found.end() :]) if found else ("", "", url)
