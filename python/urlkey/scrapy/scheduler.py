"""Scrapy's scheduler, with a journal: a crawl with JOBDIR that is killed at any moment resumes where it was.

Scrapy's own queue on the disk is whole only after an orderly end. The journal has every request from the moment that
it is enqueued until its response, and all that follows from it, is done with; when a crawl begins anew, the queue is
filled from there.
"""

from __future__ import annotations

import logging
import pickle
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy import Request, Spider, signals
from scrapy.core.scheduler import Scheduler
from scrapy.dupefilters import BaseDupeFilter
from scrapy.utils.job import job_dir
from scrapy.utils.request import request_from_dict

from urlkey.scrapy.crawl import Crawl
from urlkey.scrapy.dupefilter import KeyDupeFilter
from urlkey.scrapy.journal import Journal

if TYPE_CHECKING:
    from twisted.internet.defer import Deferred

JOURNAL_FILE = "urlkey-requests.db"

# In `request.meta`: the number in the journal.
_NUMBER = "_urlkey_number"
# So many requests, of one page too, wait for a commit.
_ROWS = 10_000
# So many requests, new or done, wait for the seen-set to be on the disk. By then the journal must have them: a seen-set
# that knows a request of which nothing else does would lose it.
_WAITING = 20_000
# Asked in place of the filter where a request has passed it.
_ALL = BaseDupeFilter()

_logger = logging.getLogger(__name__)

__all__ = ["JOURNAL_FILE", "KeyScheduler"]


class KeyScheduler(Scheduler):
    """Scrapy's scheduler, for SCHEDULER; without JOBDIR, no more than that.

    With JOBDIR, a request is done with when its page has been processed, items included. After `kill -9` those that
    were not are requested again, and only those; requests that `Spider.start` makes anew are left out where the
    crawl that was interrupted has made them (`urlkey/resumed/start`). Requests that cannot be pickled are not
    kept (`urlkey/unserializable`), as by Scrapy itself.
    """

    def open(self, spider: Spider) -> Deferred[None] | None:
        """Opens the queues, and fills them with what the crawl before left."""
        assert self.crawler is not None
        self._journal: Journal | None = None
        self._running: dict[int, Request] = {}
        self._waiting = 0
        folder = job_dir(self.crawler.settings)
        if folder is None:
            return super().open(spider)
        assert self.dqdir is not None
        place = Path(folder, JOURNAL_FILE)
        is_new = not place.exists()
        journal = Journal(place)
        if not is_new:
            shutil.rmtree(self.dqdir, ignore_errors=True)
            Path(self.dqdir).mkdir(parents=True, exist_ok=True)
        opened = super().open(spider)
        self._starts = journal.starts()
        # What a crawl without the journal has left in Scrapy's own queue.
        for request in list(iter(super().next_request, None)):
            known = self.df if isinstance(self.df, KeyDupeFilter) and not request.dont_filter else None
            self._keep(journal, request, known.digest(request) if known else b"")
        journal.commit()
        self._journal = journal
        self._resume(journal)
        # `next_request` is not called while the downloader is busy.
        self.crawler.signals.connect(self._settle, signals.response_received)
        return opened

    def _resume(self, journal: Journal) -> None:
        if isinstance(self.df, KeyDupeFilter):
            self.df.flush_every = None
            for marks in journal.marks():
                self.df.remember(marks)
        self._checkpoint(journal)
        for number, data in journal.pending():
            request = self._loaded(number, data)
            if request is not None:
                self._push(request)
                self._count("urlkey/resumed/request")

    def _loaded(self, number: int, data: bytes) -> Request | None:
        try:
            return request_from_dict(pickle.loads(data), spider=self.spider)
        except Exception as error:  # whatever a class that has changed since raises
            _logger.error("A request of the crawl before cannot be read: %s", error, extra={"spider": self.spider})
            self._count("urlkey/resumed/unreadable")
            assert self._journal is not None
            self._journal.done(number)
            return None

    def enqueue_request(self, request: Request) -> bool:
        """Whether the request is stored: not if it is a duplicate."""
        journal = self._journal
        if journal is None or self.crawler is None:
            return super().enqueue_request(request)
        # Not by `is_start_request`, which goes along where meta is copied.
        if request in Crawl.of(self.crawler).started:
            fingerprint = self._fingerprint(request)
            if fingerprint in self._starts:
                self._count("urlkey/resumed/start")
                return False
            journal.start(fingerprint)
        if not request.dont_filter and self.df.request_seen(request):
            self.df.log(request, self.spider)
            return False
        marks = self.df.marks if isinstance(self.df, KeyDupeFilter) and not request.dont_filter else b""
        if not self._keep(journal, request, marks):
            self._count("urlkey/unserializable")
        self._push(request)
        self._waiting += 1
        if journal.waiting >= _ROWS:
            self._commit(journal)
        return True

    def _keep(self, journal: Journal, request: Request, marks: bytes) -> bool:
        """Whether the journal has the request now."""
        # A copy of another request's meta has that one's number.
        request.meta[_NUMBER] = number = journal.number()
        data = self._dumped(request)
        if data is None:
            del request.meta[_NUMBER]
            return False
        journal.put(number, marks, data)
        return True

    def _push(self, request: Request) -> None:
        """What Scrapy does with a request that has passed the filter."""
        self.df, held = _ALL, self.df
        try:
            super().enqueue_request(request)
        finally:
            self.df = held

    def _fingerprint(self, request: Request) -> bytes:
        assert self.crawler is not None
        assert self.crawler.request_fingerprinter is not None
        return self.crawler.request_fingerprinter.fingerprint(request)

    def _dumped(self, request: Request) -> bytes | None:
        try:
            return pickle.dumps(request.to_dict(spider=self.spider), protocol=4)
        except Exception as error:  # callbacks that are no methods of the spider, whatever stands in meta
            _logger.debug("A request will not survive a kill: %s", error, extra={"spider": self.spider})
            return None

    def next_request(self) -> Request | None:
        """The next request, once it is written down which are done."""
        journal = self._journal
        if journal is None:
            return super().next_request()
        self._settle()
        request = super().next_request()
        if request is not None and _NUMBER in request.meta:
            self._running[request.meta[_NUMBER]] = request
        return request

    def _settle(self) -> None:
        """Writes down which requests the engine is done with."""
        journal = self._journal
        assert self.crawler is not None
        assert journal is not None
        slot = self.crawler.engine._slot if self.crawler.engine else None
        # No signal says that a page has been processed; the engine's slot, which is not public, knows.
        active = slot.inprogress if slot else set()
        for number in [number for number, request in self._running.items() if request not in active]:
            del self._running[number]
            journal.done(number)
            self._waiting += 1
        self._commit(journal)

    def _commit(self, journal: Journal) -> None:
        journal.commit()
        if self._waiting >= _WAITING:
            self._checkpoint(journal)

    def _checkpoint(self, journal: Journal) -> None:
        """Puts on the disk what the journal keeps until it is there, and lets the journal forget it."""
        assert self.crawler is not None
        # What cannot be kept of what was learned is no reason to stop.
        Crawl.of(self.crawler).try_flush()
        if isinstance(self.df, KeyDupeFilter):
            self.df.flush()
        journal.forget_done()
        self._waiting = 0

    def close(self, reason: str) -> Deferred[None] | None:
        """Writes down what is left, and closes the queues."""
        journal = self._journal
        if journal is not None:
            self._settle()
            self._checkpoint(journal)
            if reason == "finished":
                journal.forget_starts()
            journal.close()
        return super().close(reason)

    def _count(self, name: str) -> None:
        assert self.stats is not None
        self.stats.inc_value(name)
