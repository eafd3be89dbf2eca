"""The spider middleware: notes the spellings that a spider comes upon, and holds back URLs that look like a trap."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

import urlkey
from urlkey.scrapy.crawl import Crawl, is_plain
from urlkey.systems.crawler import traps

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

_MOST = 100

_logger = logging.getLogger(__name__)

__all__ = ["SpellingMiddleware", "TrapMiddleware"]


class SpellingMiddleware(BaseSpiderMiddleware):
    """Notes every URL that the spider asks for in the store, and tells the scheduler which of them `Spider.start`
    made. The nearest to the engine, so that it sees what others leave."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._crawl = Crawl.of(crawler)

    async def process_start(self, start: AsyncIterator[Any]) -> AsyncIterator[Any]:
        """Passes on what the spider starts with."""
        async for made in super().process_start(start):
            if isinstance(made, Request):
                self._crawl.started.add(made)
            yield made

    def get_processed_request(self, request: Request, response: Response | None) -> Request | None:
        """Notes the URL of a request that is told by its URL."""
        if is_plain(request):
            self._crawl.spelled(request.url)
        return request


class TrapMiddleware(BaseSpiderMiddleware):
    """Lets no more than URLKEY_TRAPS requests a host through whose URL shows a sign of a trap: 100 by default, None
    for all of them. A session id is no such sign where the policy drops it. What is held back counts as
    `urlkey/traps/` and the sign; the first of a host is logged."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        most = crawler.settings.get("URLKEY_TRAPS", _MOST)
        if most is None or str(most) == "None":
            raise NotConfigured
        self._most, self._policy = int(most), Crawl.of(crawler).policy
        self._passed: dict[str, set[bytes]] = defaultdict(set)
        self._told: set[str] = set()

    def get_processed_request(self, request: Request, response: Response | None) -> Request | None:
        """The request, or None for one too many."""
        try:
            key = self._policy.key(request.url)
            signs = traps(key)
            host = urlkey.parse(key).host or ""
        except urlkey.UrlKeyError:
            return request
        if not signs:
            return request
        passed, digest = self._passed[host], self._policy.digest(key)
        if digest in passed:
            return request
        if len(passed) < self._most:
            passed.add(digest)
            return request
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value(f"urlkey/traps/{signs[0].code}")
        if host not in self._told:
            self._told.add(host)
            _logger.warning(
                "%s shows more than %d URLs like a trap (%s: %s); more are not requested (URLKEY_TRAPS): %s",
                *(host, self._most, signs[0].code, signs[0].detail, request),
                extra={"spider": self.crawler.spider},
            )
        return None
