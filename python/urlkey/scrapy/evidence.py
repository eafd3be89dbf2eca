"""Downloader middlewares that keep what responses say: fetch facts and evidence in the store; and that see to it that
no page is lost because an alias was believed.

Known aliases are skipped by the filter: of the keys that are one page, the first that comes is requested. If that
request fails, or its answer no longer says that it is the page, another of them is requested in its place.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.http import Response

from urlkey._native import UrlKeyError
from urlkey.evidence import Findings, from_response, keeping
from urlkey.scrapy.content import content
from urlkey.scrapy.crawl import Crawl, is_plain
from urlkey.scrapy.dupefilter import INSTEAD_OF
from urlkey.store import Fetch, StoreError

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

_REDIRECTS = frozenset([301, 302, 303, 307, 308])
# An error of another kind may pass: what the page said before still stands.
_GONE = frozenset([404, 410])
# So many requests in place of one.
_MOST = 5
# What a request has in its meta because of what became of it.
_HISTORY = ("redirect_times", "redirect_ttl", "redirect_urls", "redirect_reasons", "retry_times")

__all__ = ["AliasMiddleware", "PageMiddleware", "RedirectMiddleware"]


class _Observer:
    """What the three have in common."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler, self._crawl = crawler, Crawl.of(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> _Observer:
        return cls(crawler)

    def _observe(self, request: Request, response: Response) -> None:
        """Keeps what the response says, and looks whether it says what its aliases do."""
        if self._crawl.store is None or not is_plain(request) or request.url.endswith("/robots.txt"):
            return
        headers = [(name, value) for name, values in response.headers.items() for value in values]
        body = response.body if _is_html(response) else None
        try:
            found = from_response(request.url, response.status, headers, body, policy=self._crawl.policy)
        except (UrlKeyError, ValueError):
            return
        fetch = _fetch(request.url, response)
        self._crawl.fetched(fetch)
        for piece in found.evidence:
            self._count(f"evidence/{piece.kind}")
        for refused in found.refusals:
            self._count(f"refused/{refused.reason}")
        if response.status < 400 or response.status in _GONE:
            self._crawl.says(request.url, found)
        try:
            if response.status < 400 and not self._confirms(fetch, found):
                self._release(request)
        except StoreError as error:
            self._crawl.failed(error)

    def _confirms(self, fetch: Fetch, found: Findings) -> bool:
        """Whether a response bears out that its URL stands for others, if it has been requested for them."""
        store, page, url = self._crawl.store, self._crawl.page(str(fetch.url)), fetch.url
        if store is None or not page:
            return True
        leader = store.resolve(url)
        # The one that others name has no need to name itself.
        if leader == self._crawl.policy.key(url):
            return True
        if any(piece.weight > 0 and store.resolve(piece.to) == leader for piece in found.evidence):
            return True
        # Nor has one that answers what the page answered before.
        before = [known.content for key in page if (known := store.fetch(key)) is not None]
        if fetch.content is not None and fetch.content in before:
            return True
        # What somebody has said by hand is not for the response to take back.
        return any(edge.source != keeping.SOURCE for edge in store.edges(url, kind="alias") if edge.undone is None)

    def _release(self, request: Request) -> None:
        """Requests all other keys of what was taken for one page, and is not."""
        if INSTEAD_OF not in request.meta:
            for key in self._others(request.url, [request.url]):
                self._request(request, key, [request.url])

    def _instead(self, request: Request) -> None:
        """Requests the page of `request` under another of its keys, one that has not been tried."""
        before = request.meta.get(INSTEAD_OF, [])
        if self._crawl.store is None or not is_plain(request) or len(before) >= _MOST:
            return
        tried = [*before, *request.meta.get("redirect_urls", []), request.url]
        try:
            for key in self._others(request.url, tried):
                self._request(request, key, tried)
                return
        except (StoreError, UrlKeyError) as error:
            self._crawl.failed(error)

    def _request(self, request: Request, key: str, tried: list[str]) -> None:
        meta = {name: value for name, value in request.meta.items() if name not in _HISTORY}
        meta[INSTEAD_OF] = tried
        engine = self._crawler.engine
        assert engine is not None
        self._count("instead")
        engine.crawl(request.replace(url=self._spelling(key), meta=meta, dont_filter=False))

    def _others(self, url: str, tried: list[str]) -> Iterator[str]:
        """The other keys of the page, the one that stands for all first."""
        store = self._crawl.store
        assert store is not None
        page = self._crawl.page(url)
        leader = store.resolve(url)
        done = {self._crawl.policy.key(one) for one in tried}
        yield from (key for key in sorted(page, key=lambda key: key != leader) if key not in done)

    def _spelling(self, key: str) -> str:
        """A URL of the key as it was seen: keys are not requested."""
        spellings = self._crawl.store.spellings(key) if self._crawl.store else ()
        return next((spelling.text for spelling in spellings if isinstance(spelling.text, str)), key)

    def _count(self, name: str) -> None:
        assert self._crawler.stats is not None
        self._crawler.stats.inc_value(f"urlkey/{name}")


class RedirectMiddleware(_Observer):
    """Keeps the evidence of redirects, before Scrapy follows them (which is at 600)."""

    def process_response(self, request: Request, response: Response) -> Response:
        """Observes a redirect."""
        if response.status in _REDIRECTS:
            self._observe(request, response)
        return response


class PageMiddleware(_Observer):
    """Keeps the fetch facts and the evidence of pages, unpacked (590), before a refresh in them is followed (580)."""

    def process_response(self, request: Request, response: Response) -> Response:
        """Observes what is no redirect."""
        if response.status not in _REDIRECTS:
            self._observe(request, response)
        return response


class AliasMiddleware(_Observer):
    """Looks for another URL of a page whose request has failed, after the last retry (550)."""

    def process_response(self, request: Request, response: Response) -> Response:
        """Takes another URL of the page where the response is an error."""
        if response.status >= 400:
            self._instead(request)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Takes another URL of the page where there is no response, or robots.txt does not allow this one."""
        self._instead(request)


def _is_html(response: Response) -> bool:
    kind = (response.headers.get("Content-Type") or b"").partition(b";")[0].strip().lower()
    return kind in (b"text/html", b"application/xhtml+xml", b"") and bool(response.body)


def _fetch(url: str, response: Response) -> Fetch:
    def header(name: str) -> str | None:
        value = response.headers.get(name)
        return None if value is None else value.decode("latin-1")

    made = content(response.body, header("Content-Type")) if _is_html(response) and response.status == 200 else None
    return Fetch(url, int(time.time()), response.status, header("ETag"), header("Last-Modified"), made)
