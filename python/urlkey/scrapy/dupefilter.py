"""The duplicate filter, for DUPEFILTER_CLASS: fingerprints in a seen-set, in memory or in a file, and what a store
knows. Must not know how a fingerprint is made, nor what becomes of requests that wait."""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy import Request, Spider
from scrapy.dupefilters import BaseDupeFilter
from scrapy.utils.job import job_dir
from scrapy.utils.request import RequestFingerprinterProtocol, referer_str

from urlkey._native import UrlKeyError
from urlkey.scrapy.crawl import Crawl, is_plain
from urlkey.store import Seen, StoreError

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

#: In `request.meta`: the URLs in whose place a request stands, which was made because they failed.
INSTEAD_OF = "urlkey_instead_of"
SEEN_FILE = "urlkey-seen.db"

_logger = logging.getLogger(__name__)

__all__ = ["INSTEAD_OF", "SEEN_FILE", "KeyDupeFilter"]


class KeyDupeFilter(BaseDupeFilter):
    """Filters requests whose fingerprint has come before, in this crawl or, with a file, in those before it.

    With a store, a request is filtered too if an alias joins its key to the key of one that has come: whichever
    spelling comes first is requested, the others are not. With `URLKEY_SEEN = "store"`, so is one whose page an
    earlier crawl has fetched. With JOBDIR the set is a file there; URLKEY_SEEN names another.

    What it filtered counts as `urlkey/filtered/key`, `.../alias` or `.../fetched`, and as Scrapy's
    `dupefilter/filtered`.
    """

    #: How many new fingerprints wait for the disk; None where the scheduler says when (`flush`).
    flush_every: int | None = 1_000

    def __init__(
        self,
        seen: Seen,
        fingerprinter: RequestFingerprinterProtocol,
        crawl: Crawl,
        *,
        fetched: bool = False,
        debug: bool = False,
    ) -> None:
        self.seen, self._fingerprinter, self._crawl = seen, fingerprinter, crawl
        self._fetched, self._debug = fetched, debug
        self._logged, self._why, self._new = False, "", 0
        #: What the last request that was no duplicate is remembered by: digests, end to end.
        self.marks = b""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> KeyDupeFilter:
        """By the settings URLKEY_SEEN, JOBDIR, URLKEY_STORE and DUPEFILTER_DEBUG."""
        settings, crawl = crawler.settings, Crawl.of(crawler)
        place, folder = settings.get("URLKEY_SEEN"), job_dir(settings)
        fetched = place == "store"
        if fetched and crawl.store is None:
            raise ValueError('URLKEY_SEEN = "store" needs URLKEY_STORE')
        if place is None or fetched:
            place = None if folder is None else Path(folder, SEEN_FILE)
        fingerprinter = crawler.request_fingerprinter
        assert fingerprinter is not None
        debug = settings.getbool("DUPEFILTER_DEBUG")
        return cls(Seen(place, policy=crawl.policy), fingerprinter, crawl, fetched=fetched, debug=debug)

    def digest(self, request: Request) -> bytes:
        """The request's fingerprint, in 16 bytes if another fingerprinter made it longer or shorter."""
        made = self._fingerprinter.fingerprint(request)
        return made if len(made) == 16 else hashlib.sha256(made).digest()[:16]

    def request_seen(self, request: Request) -> bool:
        """Whether the request is a duplicate; if not, it is remembered."""
        digest = self.digest(request)
        self._why = self._seen(request, digest) or ""
        if self._why:
            return True
        if self.flush_every is not None:
            self._new += 1
            if self._new >= self.flush_every:
                self.flush()
        return False

    def _seen(self, request: Request, digest: bytes) -> str | None:
        if self.seen.holds(digest):
            return "key"
        cover = b""
        if self._crawl.store is not None and is_plain(request):
            try:
                page = self._crawl.page(request.url)
                keys = page or (self._crawl.policy.key(request.url),)
            except UrlKeyError:
                page = keys = ()
            if page:
                cover = _cover(self._crawl.policy.digest(page[0]))
                if self.seen.holds(cover) and not self._continues(request, page):
                    return "alias"
            if self._fetched and self._is_fetched(keys):
                return "fetched"
        self.remember(digest + cover)
        return None

    def _continues(self, request: Request, page: tuple[str, ...]) -> bool:
        """Whether a request goes on with what was asked for under another key of the page: a redirect of an alias leads
        to its page, or an alias failed and another spelling takes its place."""
        before = [*request.meta.get("redirect_urls", []), *request.meta.get(INSTEAD_OF, [])]
        return any(self._crawl.page(url) == page for url in before)

    def _is_fetched(self, keys: tuple[str, ...]) -> bool:
        store = self._crawl.store
        try:
            fetches = [store.fetch(key) for key in keys] if store else []
        except StoreError as error:
            self._crawl.failed(error)
            return False
        return any(fetch is not None and 200 <= fetch.status < 300 for fetch in fetches)

    def remember(self, marks: bytes) -> None:
        """Adds digests, 16 bytes each, without asking."""
        self.marks = marks
        for at in range(0, len(marks), 16):
            self.seen.add_digest(marks[at : at + 16])

    def flush(self) -> None:
        """Returns when all that came is on the disk, if the set is in a file."""
        self.seen.flush()
        self._new = 0

    def close(self, reason: str) -> None:
        """Flushes, and closes the file."""
        self.seen.close()

    def log(self, request: Request, spider: Spider) -> None:
        """Counts a filtered request, and logs the first, or all with DUPEFILTER_DEBUG."""
        stats = spider.crawler.stats
        assert stats is not None
        stats.inc_value("dupefilter/filtered")
        stats.inc_value(f"urlkey/filtered/{self._why}")
        if self._debug or not self._logged:
            more = "" if self._debug else " - no more are shown (see DUPEFILTER_DEBUG)"
            message = "Filtered duplicate request (%(why)s): %(request)s (referer: %(referer)s)" + more
            values = {"why": self._why, "request": request, "referer": referer_str(request)}
            _logger.debug(message, values, extra={"spider": spider})
            self._logged = True


def _cover(digest: bytes) -> bytes:
    """What marks that a page with several keys has been asked for; the digest is of the first of them."""
    return hashlib.sha256(b"urlkey alias of " + digest).digest()[:16]
