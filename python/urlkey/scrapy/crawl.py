"""What the parts of the add-on share in one crawl: the policy of its keys, and the store of what is known. Must not
know what a request is filtered or followed by."""

from __future__ import annotations

import logging
import os
import sys
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, WeakSet

from scrapy import Request, signals

from urlkey._native import Policy, UrlKeyError
from urlkey.evidence import Findings, Recorder, settle_store
from urlkey.scrapy.confirm import compare, confirmed
from urlkey.store import Fetch, Store, StoreError

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

# What waits to be written to the store, in rows: a commit waits for the disk.
_WAITING = 2_000
# What was read from it is kept for so many keys, until the next commit.
_PAGES = 100_000

#: The source of the evidence that a crawl records.
SOURCE = "urlkey.scrapy"

__all__ = ["SOURCE", "Crawl", "is_plain", "policy_of"]

_logger = logging.getLogger(__name__)
_crawls: WeakKeyDictionary[Crawler, Crawl] = WeakKeyDictionary()


class Crawl:
    """One crawl's policy and store, made at first use and closed with the spider."""

    def __init__(self, settings: BaseSettings) -> None:
        #: Of the keys, by URLKEY_POLICY and URLKEY_RULES.
        self.policy: Policy = policy_of(settings)
        place = settings.get("URLKEY_STORE")
        #: By URLKEY_STORE; None without.
        self.store: Store | None = None if place is None else Store.open(place, policy=self.policy)
        #: Requests that `Spider.start` made.
        self.started: WeakSet[Request] = WeakSet()
        self._pages: dict[str, tuple[str, ...]] = {}
        self._spellings: list[str] = []
        self._fetches: list[Fetch] = []
        self._findings, self._most = 0, _WAITING
        self._recorder = None if self.store is None else Recorder(self.store, batch=sys.maxsize, source=SOURCE)

    @classmethod
    def of(cls, crawler: Crawler) -> Crawl:
        """The one of this crawler. Raises UrlKeyError for a policy that is none, or a store of another one,
        StoreError for a store that cannot be used."""
        found = _crawls.get(crawler)
        if found is None:
            found = _crawls[crawler] = cls(crawler.settings)
            crawler.signals.connect(found.close, signals.spider_closed)
        return found

    def page(self, url: str) -> tuple[str, ...]:
        """The keys that are one page with the key of `url` beyond doubt, in order; none if the store knows no other.
        Raises UrlKeyError for what is no URL."""
        if self.store is None:
            return ()
        key = self.policy.key(url)
        found = self._pages.get(key)
        if found is None:
            try:
                found = confirmed(self.store, key)
            except StoreError as error:
                self.failed(error)
                return ()
            self._pages |= dict.fromkeys(found or (key,), found)
            if len(self._pages) > _PAGES:
                self._pages.clear()
        return found

    # --- what is written down, some time later

    def spelled(self, url: str) -> None:
        """Notes a spelling that came as a link."""
        if self.store is not None:
            self._spellings.append(url)
            self._flush_some()

    def fetched(self, fetch: Fetch) -> None:
        """Notes what a fetch gave."""
        if self.store is not None:
            self._fetches.append(fetch)
            self._flush_some()

    def says(self, url: str, findings: Findings) -> None:
        """Notes what the response of a URL says of others, all of it."""
        if self._recorder is not None:
            self._recorder.add(findings, url=url)
            self._findings += 1
            self._flush_some()

    def _flush_some(self) -> None:
        waiting = len(self._spellings) + 10 * (len(self._fetches) + self._findings)
        if waiting >= self._most and not self.try_flush():
            self._most = 2 * waiting

    def try_flush(self) -> bool:
        """Flushes; False where the store cannot be written to now. A crawl does not fail for that: what waits is tried
        again when twice as much does."""
        try:
            self.flush()
        except (StoreError, UrlKeyError) as error:  # UrlKeyError: somebody has given the store another policy
            self.failed(error)
            return False
        self._most = _WAITING
        return True

    def failed(self, error: StoreError | UrlKeyError) -> None:
        """Says that the store is of no use at the moment."""
        _logger.error("The store cannot be used: %s", error)

    def flush(self) -> None:
        """Returns when all that was noted is in the store, and its aliases follow from it."""
        if self.store is None or self._recorder is None:
            return
        # What cannot be written now is kept, and tried again.
        if self._spellings or self._fetches:
            with self.store.changing():
                self.store.add_many(self._spellings)
                for fetch in self._fetches:
                    facts = {"etag": fetch.etag, "last_modified": fetch.last_modified, "content": fetch.content}
                    self.store.fetched(fetch.url, fetch.status, time=fetch.time, **facts)  # type: ignore[arg-type]
        fetched, self._spellings, self._fetches = self._fetches, [], []
        self._recorder.flush()
        self._findings = 0
        # Content counts too, of pages of which nothing new is said.
        keys = {self.policy.key(fetch.url) for fetch in fetched}
        with self.store.changing():
            settle_store(self.store, keys)
            compare(self.store, keys, source=SOURCE)
        self._pages.clear()

    def close(self) -> None:
        """Flushes, and closes the store."""
        if self.store is not None:
            self.try_flush()
            self.store.close()
            self.store = None


def policy_of(settings: BaseSettings) -> Policy:
    """URLKEY_POLICY, a profile, a file or a Policy, with the rule files of URLKEY_RULES."""
    policy, rules = settings.get("URLKEY_POLICY") or "crawl", settings.getlist("URLKEY_RULES")
    if not rules:
        return policy if isinstance(policy, Policy) else Policy.load(policy)
    if isinstance(policy, Policy):
        raise ValueError("URLKEY_RULES goes with the name or the file of a policy, not with a Policy")
    return Policy.load(policy, rules=[os.fspath(rule) for rule in rules])


def is_plain(request: Request) -> bool:
    """Whether a request is told by its URL alone: a GET without a body."""
    return request.method == "GET" and not request.body and not request.meta.get("verbatim_url")
