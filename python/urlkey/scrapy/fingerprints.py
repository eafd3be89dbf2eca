"""Request fingerprints made of keys, for REQUEST_FINGERPRINTER_CLASS. What a fingerprint takes in besides the URL is
what Scrapy's own takes in: method, body, and the headers that are asked for."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from scrapy import Request

from urlkey._native import Policy, UrlKeyError
from urlkey.scrapy.crawl import Crawl

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

__all__ = ["KeyFingerprinter", "fingerprint"]


def fingerprint(request: Request, policy: Policy, include_headers: Iterable[str | bytes] = ()) -> bytes:
    """16 bytes that requests for one resource share.

    Of a GET without a body and without headers that count, it is the digest of the URL's key: what
    `urlkey.digest(request.url)` gives, what stores hold, what SQL recomputes. Of any other request it is the half of
    a SHA-256 over method, key, body and the headers named. A URL that has no key counts as it is; so does one that
    `request.meta["verbatim_url"]` wants untouched.

    >>> from scrapy import Request
    >>> import urlkey
    >>> a, b = Request("http://a.example/?b=1&a=2"), Request("http://A.example/?a=2&utm_source=x&b=1#top")
    >>> policy = urlkey.Policy("crawl")
    >>> fingerprint(a, policy) == fingerprint(b, policy) == urlkey.digest("http://a.example/?a=2&b=1")
    True
    >>> fingerprint(a, policy) == fingerprint(a.replace(method="POST"), policy)
    False
    """
    names = sorted({name.encode() if isinstance(name, str) else name for name in include_headers}, key=bytes.lower)
    headers = {
        name.lower().hex(): [value.hex() for value in request.headers.getlist(name)]
        for name in names
        if name in request.headers
    }
    url = _compared(request, policy)
    if request.method == "GET" and not request.body and not headers:
        return _half(url)
    data = {"method": request.method, "url": url, "body": request.body.hex(), "headers": headers}
    return _half(json.dumps(data, sort_keys=True))


def _compared(request: Request, policy: Policy) -> str:
    if request.meta.get("verbatim_url"):
        return request.url
    try:
        return policy.key(request.url)
    except UrlKeyError:
        return request.url


def _half(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()[:16]


class KeyFingerprinter:
    """Scrapy's REQUEST_FINGERPRINTER_CLASS by keys. For headers that count, set `include_headers` in a subclass."""

    #: Names of request headers that make a request another one.
    include_headers: tuple[str | bytes, ...] = ()

    def __init__(self, policy: str | Policy = "crawl") -> None:
        self.policy = Policy(policy)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> KeyFingerprinter:
        """With the policy of the crawl."""
        return cls(Crawl.of(crawler).policy)

    def fingerprint(self, request: Request) -> bytes:
        """16 bytes that requests for one resource share; see `fingerprint`."""
        return fingerprint(request, self.policy, self.include_headers)
