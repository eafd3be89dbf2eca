"""The pages of one host as the learner sees them: a key under the policy and the rules accepted so far, its
parameters, and the sights of its content. Knows keys and sights; must not judge them."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from operator import attrgetter
from typing import NamedTuple

from urlkey._native import PageChanges, PageTable, is_signed
from urlkey.learn.observations import Fingerprint, Observation
from urlkey.learn.paths import Place, places

# A redirect says that two URLs are one page for good (RFC 9110, sections 15.4.2 and 15.4.9); 303 says they are not.
PERMANENT = (301, 308)

# What must be equal for two sights to be compared.
Kind = tuple[int | None, str | None]
Key = tuple[str, tuple[str, ...]]

__all__ = [
    *("PERMANENT", "Host", "Key", "Keys", "Page", "Sight"),
    *("follow", "joined", "name_of", "noted", "parted", "path_of"),
]


_KEY = attrgetter("key")


class Sight(NamedTuple):
    """The content of a page at a time."""

    fingerprint: Fingerprint
    time: float | None
    kind: Kind


class Page:
    """One key of the policy, and what is known of it. Its `head`, which no rule for parameters touches, and its `pairs`
    are those of the key as the rules accepted so far leave it; the table of its domain has them."""

    __slots__ = ("canonical", "fetched", "key", "listed", "number", "redirect", "sights", "table", "url", "varies")

    def __init__(self, key: str, url: str) -> None:
        self.key, self.url = key, url
        # Where the table has it, once it is of a host.
        self.table: PageTable | None = None
        self.number = 0
        self.sights: list[Sight] = []
        # Where it leads for good, and the page that it names as its canonical; the first by text, if there are several.
        self.redirect: str | None = None
        self.canonical: str | None = None
        # Whether it was asked for, or is known by a sitemap alone; whether one lists it; its No-Vary-Search, empty
        # where responses do not agree.
        self.fetched = self.listed = False
        self.varies: str | None = None

    @property
    def head(self) -> str:
        return parted(self.key)[0] if self.table is None else self.table.head(self.number)

    @property
    def pairs(self) -> tuple[str, ...]:
        return parted(self.key)[1] if self.table is None else self.table.pairs(self.number)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(map(name_of, self.pairs))

    @property
    def path(self) -> str:
        return path_of(self.head)

    @property
    def mixed(self) -> bytes:
        """An order that has nothing to do with what is in the key; the core has the same (`learn/mixed.rs`)."""
        return blake2b(self.key.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def parted(key: str) -> Key:
    """A key as head and parameters; a fragment goes with the head."""
    if "#" not in key:
        head, mark, query = key.partition("?")
        return head, tuple(query.split("&")) if mark else ()
    front, _, fragment = key.partition("#")
    head, mark, query = front.partition("?")
    return f"{head}#{fragment}" if fragment else head, tuple(query.split("&")) if mark else ()


def path_of(head: str) -> str:
    """The path of a head."""
    start = head.find("/", head.find("//") + 2)
    return head[start:].partition("#")[0] if start >= 0 else "/"


def joined(key: Key) -> str:
    """The text of a key."""
    head, pairs = key
    if not pairs:
        return head
    front, mark, fragment = head.partition("#")
    return f"{front}?{'&'.join(pairs)}{mark}{fragment}"


def name_of(pair: str) -> str:
    """The name of a parameter as rules compare it: without case."""
    return pair.partition("=")[0].lower()


class Keys:
    """The pages of all hosts of a domain by number, and the table that counts them."""

    __slots__ = ("pages", "table")

    def __init__(self) -> None:
        self.table = PageTable()
        self.pages: list[Page] = []


class Host:
    """The pages of a host; `keys` has them together with those of the other hosts of its domain."""

    def __init__(
        self, name: str, domain: str, pages: Iterable[Page], keys: Keys | None = None, said: Iterable[str] = ()
    ) -> None:
        self.name, self.domain = name, domain
        # The Clean-param directives of its robots.txt.
        self.said = frozenset(said)
        # In an order of their own, so that the order of arrival decides nothing.
        self.pages = sorted([page for page in pages if not is_signed(page.url)], key=_KEY)
        self.fetched = 0
        self.keys = Keys() if keys is None else keys
        self.table = self.keys.table
        for number, page in enumerate(self.pages, len(self.keys.pages)):
            page.table, page.number = self.table, number
            self.fetched += page.fetched
            if len(page.sights) > 1:
                page.sights.sort(key=lambda sight: (sight.time or 0.0, str(sight.fingerprint)))
        self.keys.pages += self.pages
        self.number = self.table.add(self.pages)
        # By the numbers that the table has them by.
        self.places: list[Place] = []
        self.settle()

    def names(self) -> dict[str, int]:
        """The names of parameters, and how many pages have each now."""
        return self.table.names(self.number)

    def having(self, name: str) -> int:
        """How many pages have a parameter of this name now."""
        return self.table.count(self.number, name)

    def values(self) -> dict[str, list[str]]:
        """The pairs of each name, each once."""
        return {name: self.table.values(self.number, name) for name in self.names()}

    def heads(self) -> list[str]:
        """The heads of the pages, each once."""
        return self.table.heads(self.number)

    def settle(self) -> None:
        """Says of every page at which place its path stands now."""
        paths = list(map(path_of, self.heads()))
        found = places(list(set(paths)))
        numbers: dict[Place, int] = {}
        for place in found.values():
            numbers.setdefault(place, len(numbers))
        self.places = list(numbers)
        self.table.settle(self.number, [numbers[found[path]] for path in paths])

    def rekey(self, changes: PageChanges) -> None:
        """Gives pages the keys that a rule leaves them."""
        self.table.rekey(changes)


def follow(pages: Iterable[Page]) -> None:
    """A page that redirects for good has the content of the page that it leads to, whatever that is."""
    by_key = {page.key: page for page in pages}
    for page in list(by_key.values()):
        if page.redirect is None or page.sights:
            continue
        seen = {page.key}
        target = page.redirect
        while (last := by_key.get(target)) is not None and last.redirect is not None and last.key not in seen:
            seen.add(last.key)
            target = last.redirect
        if target in seen:
            continue
        if last is not None and last.sights:
            page.sights = list(last.sights)
            continue
        page.sights = [Sight(f"\u2192{target}", None, (None, None))]
        if last is not None:
            last.sights = list(page.sights)


def noted(page: Page, seen: Observation, redirect: str | None, canonical: str | None) -> None:
    """Adds what one fetch tells of a page; `redirect` and `canonical` are keys."""
    url, fingerprint, time, status, location, _, language, truncated, varies, _, listed = seen
    if url != page.url:
        page.url = min(page.url, url, key=lambda url: (len(url), url))
    page.listed |= listed
    page.fetched = page.fetched or seen.fetched
    if varies is not None:
        page.varies = varies if page.varies in (None, varies) else ""
    if location is not None or (status is not None and 300 <= status < 400):
        if status in PERMANENT and redirect is not None and redirect != page.key:
            page.redirect = min(page.redirect or redirect, redirect)
        return
    if canonical is not None:
        page.canonical = min(page.canonical or canonical, canonical)
    usable = status is None or 200 <= status < 300
    if usable and fingerprint is not None and not truncated:
        spoken = language.partition("-")[0].lower() if language else None
        page.sights.append(Sight(fingerprint, time, (status, spoken)))
