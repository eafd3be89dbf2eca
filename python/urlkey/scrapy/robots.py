"""Requests wait until the robots.txt of their host has been read.

Scrapy's own middleware (100) asks for robots.txt with the first request and lets those that come meanwhile wait; but
when it has come, all of them but one are let through unread (seen in 2.14 and 2.19). A crawl that resumes begins with
many requests at once, so this stands on both sides of it and lets one request a host through until the answer is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.defer import Deferred

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

__all__ = ["RobotsGate", "RobotsGateEnd"]


class _Gate:
    """A host: the request that asks for robots.txt, and those that wait for it."""

    def __init__(self, first: Request) -> None:
        self.first: Request | None = first
        self._waiting: list[Deferred[None]] = []

    def wait(self) -> Deferred[None]:
        """Comes when the gate is open."""
        waits: Deferred[None] = Deferred()
        self._waiting.append(waits)
        return waits

    def open(self) -> None:
        """Lets those through that wait."""
        self.first, waiting, self._waiting = None, self._waiting, []
        for waits in waiting:
            waits.callback(None)


class RobotsGate:
    """Before Scrapy's middleware: one request a host goes on, the others wait. Not there without ROBOTSTXT_OBEY."""

    def __init__(self, crawler: Crawler) -> None:
        if not crawler.settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured
        self._gates: dict[str, _Gate] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RobotsGate:
        """With the settings of the crawl."""
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        """Returns when Scrapy's middleware may ask its rules."""
        if request.meta.get("dont_obey_robotstxt"):
            return
        host = urlparse_cached(request).netloc
        gate = self._gates.get(host)
        if gate is None:
            self._gates[host] = _Gate(request)
        elif gate.first is not None and gate.first is not request:
            await maybe_deferred_to_future(gate.wait())

    def passed(self, request: Request) -> None:
        """Opens the gate of a request that has come through, or has been refused."""
        gate = self._gates.get(urlparse_cached(request).netloc)
        if gate is not None and gate.first is request:
            gate.open()

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Opens the gate of a request that robots.txt forbids."""
        self.passed(request)


class RobotsGateEnd:
    """Behind Scrapy's middleware: whoever comes here knows the rules."""

    def __init__(self, crawler: Crawler) -> None:
        if not crawler.settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RobotsGateEnd:
        """With the settings of the crawl."""
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Opens the gate."""
        gate = self._crawler.get_downloader_middleware(RobotsGate)
        if gate is not None:
            gate.passed(request)
