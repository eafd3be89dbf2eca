"""Observations out of web archives: the records of WARC files, with what robots.txt and sitemaps among them declare,
and the lines of CDX and CDXJ indexes. Knows what archives hold; must not know what is learned.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, TypeVar

from urlkey._native import Base, UrlKeyError, decode, parse
from urlkey.evidence import from_response, from_sitemap
from urlkey.evidence.clean_param import directives
from urlkey.learn.fingerprint import fingerprint
from urlkey.learn.observations import Fingerprint, Observation
from urlkey.page import page_encoding
from urlkey.page.tame import tame
from urlkey.readers import Row, read, sniff
from urlkey.readers.warc import Capture, captures

# Payloads whose revisits are known again, so that memory is bounded; of later ones a revisit tells no content.
_KNOWN = 1_000_000
# Bytes of what is no page, that its hash may tell it from others: pixels and empty answers do not.
_LEAST = 1024
_HTML = ("text/html", "application/xhtml+xml")
_SITEMAPS = ("text/xml", "application/xml", "text/plain", "application/gzip", "application/x-gzip")
# A redirect to the home page is where many sites send what is gone.
_REDIRECTS = ("redirect-permanent", "redirect-permanent-away", "redirect-temporary")
_CANONICAL = ("canonical", "canonical-header", "canonical-agreed")
# What stays of a page that is too deep for its parser: what main text and head are told by.
_KEPT = frozenset(
    [
        *("html", "head", "body", "title", "main", "article", "nav", "header", "footer", "aside", "script", "style"),
        *("noscript", "template", "svg", "iframe", "textarea", "plaintext", "xmp"),
    ]
)
# SHA-1 and MD5 of nothing, as indexes write them.
_NOTHING = frozenset(["3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "D41D8CD98F00B204E9800998ECF8427E"])
_ABSENT = ("", "-")
# The tag whose attribute names the language of a page stands at its beginning.
_LANG, _HEAD = re.compile(r"<html\b[^>]{0,1000}?\slang\s{0,9}=\s{0,9}[\"']?([A-Za-z][\w-]*)", re.IGNORECASE), 4096
_T = TypeVar("_T")

__all__ = ["Known", "declarations", "from_cdx", "from_warc"]


class Known(dict[str, _T]):
    """What is known of payloads by their digest, of as many as memory is given for."""

    def note(self, digest: str, told: _T) -> None:
        """Keeps the first that is told of a payload."""
        if len(self) < _KNOWN:
            self.setdefault(digest, told)


def from_warc(path: str, known: Known[Fingerprint | None] | None = None) -> Iterator[Observation]:
    """The observations of a WARC file: of each response, revisit and resource of the web one, whose fingerprint is that
    of the main text of a page, or the hash of anything else of at least 1 KiB. A revisit has the content of the record
    that it repeats, if that came before it, in this file or in those that `known` was given for. `robots.txt` and
    sitemaps declare what they declare (`declarations`) and are no pages.

    Raises what `urlkey.readers.warc.captures` raises, after the good records. A record is held whole, one at a time.
    """
    known = Known() if known is None else known
    for capture in captures(path):
        url = capture.url if isinstance(capture.url, str) else None
        if url is None or not url.lower().startswith(("http://", "https://")):
            continue
        if capture.status in (None, 200) and capture.truncated is None and (told := _declared(url, capture)):
            yield from told
        elif (row := _observation(url, capture, known)) is not None:
            yield row


def declarations(url: str, body: bytes | str) -> list[Observation]:
    """What a robots.txt or a sitemap declares, as rows for `learn`: its Clean-param directives, or the URLs that it
    lists. `url` is its own; what is called robots.txt is taken for one.

    >>> [row.clean_param for row in declarations("http://a.example/robots.txt", "Clean-param: ref&sid /shop/")]
    ['ref&sid /shop/']
    >>> [row.url for row in declarations("http://a.example/sitemap.txt", "http://a.example/x")]
    ['http://a.example/x']
    """
    if _is_robots(url):
        return [Observation(url, clean_param=text) for text in directives(body)]
    found = from_sitemap(url, body)
    return [Observation(one.to, listed=True) for one in found.evidence if one.kind == "sitemap"]


def from_cdx(path: str, bad: Callable[[int], None] | None = None) -> Iterator[Observation]:
    """The observations of a CDX or CDXJ file; the digest of the payload is the fingerprint. A revisit has the status of
    the capture that it repeats, if that came before it. `bad` gets the numbers of lines that are none. Raises what
    `urlkey.readers.read` raises."""
    statuses: Known[int] = Known()
    for row in read(path, "cdx"):
        if row.problem is not None:
            if bad is not None:
                bad(row.number)
        elif (found := _of_line(row, statuses)) is not None:
            yield found


def _declared(url: str, capture: Capture) -> list[Observation]:
    """What a record declares; nothing where it is a page, or anything else."""
    if capture.type not in ("response", "resource") or not capture.body or capture.encoding is not None:
        return []
    try:
        if _is_robots(url):
            return declarations(url, capture.body)
        kind = _media(capture)
        if kind in _SITEMAPS and (kind.endswith("xml") or "sitemap" in url.lower()):
            is_one = kind == "text/plain" or capture.body[:2] == b"\x1f\x8b" or sniff(capture.body[:4096]) == "sitemap"
            return declarations(url, capture.body) if is_one else []
    except (UrlKeyError, ValueError):
        pass
    return []


def _observation(url: str, capture: Capture, known: Known[Fingerprint | None]) -> Observation | None:
    """One record; None for those of a robots.txt without a declaration."""
    if _is_robots(url):
        return None
    when, status = _seconds_of(capture.date), capture.status
    if capture.type == "revisit":
        # 304: the server says that what it sent before is what it would send.
        status = 200 if status in (None, 304) else status
        same = known.get(capture.digest) if capture.digest is not None else None
        return Observation(url, same, when, status, **_told(url, status, capture, None))
    whole = capture.truncated is None and capture.encoding is None
    text = _text(capture) if _is_page(capture) and status in (None, 200, 203) else None
    content = None
    if whole and text is not None:
        content = fingerprint(text)
    elif whole and not _is_page(capture) and len(capture.body) >= _LEAST:
        content = blake2b(capture.body, digest_size=16).hexdigest()
    if capture.digest is not None and whole:
        known.note(capture.digest, content)
    return Observation(
        url,
        content,
        when,
        status,
        language=_language(text, capture),
        truncated=not whole,
        **_told(url, status or 200, capture, text),
    )


def _told(url: str, status: int, capture: Capture, text: str | None) -> dict[str, Any]:
    """What a response says of other URLs, as all evidence is read: mistakes refused."""
    told: dict[str, Any] = {"no_vary_search": _header(capture, "no-vary-search")}
    try:
        found = from_response(url, status, capture.headers, text)
    except (UrlKeyError, ValueError):
        return told
    for one in found.evidence:
        if one.kind in _REDIRECTS:
            told["redirect"] = one.to
        elif one.kind in _CANONICAL:
            told["canonical"] = one.to
    return told


def _header(capture: Capture, name: str) -> str | None:
    values = [value for own, value in capture.headers if own.lower() == name]
    return ", ".join(values) if values else None


def _media(capture: Capture) -> str:
    return (_header(capture, "content-type") or "").partition(";")[0].strip().lower()


def _is_page(capture: Capture) -> bool:
    return _media(capture) in (*_HTML, "")


def _is_robots(url: str) -> bool:
    return re.sub(r"[?#].*", "", url[url.find("/", 8) :]) == "/robots.txt"


def _text(capture: Capture) -> str:
    """The page as text; one that is too deep is made flat first, for its parser's sake."""
    encoding = page_encoding(capture.body, _header(capture, "content-type")).name
    return tame(decode(capture.body, encoding)[0], _KEPT)


def _language(text: str | None, capture: Capture) -> str | None:
    """What the page says of its language, else the header, where it names one."""
    found = _LANG.search(text, 0, _HEAD) if text else None
    said = found[1] if found else _header(capture, "content-language")
    return said.strip().lower() if said and "," not in said else None


def _seconds_of(date: str | None) -> float | None:
    """Seconds of a WARC-Date."""
    try:
        return datetime.fromisoformat(date).timestamp() if date is not None else None
    except ValueError:
        return None


def _of_line(row: Row, statuses: Known[int]) -> Observation | None:
    url, told = row.url, row.fields
    if not isinstance(url, str) or not url.lower().startswith(("http://", "https://")) or _is_robots(url):
        return None
    digest = _said(told, "digest")
    status = _number(_said(told, "statuscode", "status"))
    is_revisit = _said(told, "mimetype", "mime") == "warc/revisit"
    if digest is not None:
        digest = digest.rpartition(":")[2]
        if is_revisit and status in (None, 304):
            status = statuses.get(digest)
        elif status is not None:
            statuses.note(digest, status)
    languages = (_said(told, "languages") or "").split(",")
    return Observation(
        url,
        None if digest is None or digest.upper() in _NOTHING else digest,
        _seconds(_said(told, "timestamp")),
        status,
        redirect=_resolved(url, _said(told, "redirect")),
        language=languages[0] or None if len(languages) == 1 else None,
        truncated=_said(told, "truncated") is not None,
    )


def _said(told: Mapping[str, Any], *names: str) -> str | None:
    """The first of these fields that says something."""
    values: Iterable[Any] = (told.get(name) for name in names)
    return next((str(value) for value in values if value is not None and str(value) not in _ABSENT), None)


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdecimal() and len(text) == 3 else None


def _seconds(stamp: str | None) -> float | None:
    """Seconds of a time stamp of 4 to 14 digits, which may be cut short."""
    if stamp is None or not stamp.isdecimal() or not 4 <= len(stamp) <= 17:
        return None
    whole = (stamp + "00000101000000"[len(stamp) :])[:14]
    try:
        return datetime.strptime(whole, "%Y%m%d%H%M%S").replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None


def _resolved(url: str, target: str | None) -> str | None:
    if target is None:
        return None
    try:
        return str(parse(target, Base(url)).href)
    except UrlKeyError:
        return None
