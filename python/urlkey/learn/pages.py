"""The pages of one host as the learner sees them: a key under the policy and the rules accepted so far, its
parameters, and the sights of its content. Knows keys and sights; must not judge them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from hashlib import blake2b
from operator import attrgetter
from typing import NamedTuple

from urlkey._native import is_signed
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
    """One key of the policy. `at` is the key as the rules accepted so far leave it: its `head`, which no rule for
    parameters touches, and its `pairs`."""

    __slots__ = (
        "at",
        "canonical",
        "fetched",
        "head",
        "key",
        "listed",
        "mixed",
        "names",
        "pairs",
        "place",
        "redirect",
        "sights",
        "skeleton",
        "url",
        "varies",
    )

    def __init__(self, key: str, url: str) -> None:
        self.key, self.url = key, url
        # An order that has nothing to do with what is in the key.
        self.mixed = blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        self.replace(parted(key))
        # What is left of the key when all has gone that may turn out to change nothing.
        self.skeleton: Key = self.at
        self.place: Place = ()
        self.sights: list[Sight] = []
        # Where it leads for good, and the page that it names as its canonical; the first by text, if there are several.
        self.redirect: str | None = None
        self.canonical: str | None = None
        # Whether it was asked for, or is known by a sitemap alone; whether one lists it; its No-Vary-Search, empty
        # where responses do not agree.
        self.fetched = self.listed = False
        self.varies: str | None = None

    @property
    def path(self) -> str:
        return path_of(self.head)

    def replace(self, key: Key) -> None:
        """Gives the page another key."""
        self.at = key
        self.head, self.pairs = key
        self.names: tuple[str, ...] = tuple([pair.partition("=")[0].lower() for pair in self.pairs])


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
    """Pages by the key that they have now, those of all hosts of a domain, and how many have each head."""

    __slots__ = ("by_head", "by_key")

    def __init__(self) -> None:
        # Dictionaries as ordered sets: a page leaves one as fast as it comes.
        self.by_key: dict[Key, dict[Page, None]] = {}
        self.by_head: Counter[str] = Counter()

    def add(self, page: Page) -> None:
        """A page under its key."""
        found = self.by_key.get(page.at)
        if found is None:
            self.by_key[page.at] = {page: None}
        else:
            found[page] = None
        self.by_head[page.head] += 1

    def remove(self, page: Page) -> None:
        """Takes the page from its key."""
        found = self.by_key[page.at]
        del found[page]
        if not found:
            del self.by_key[page.at]
        self.by_head[page.head] -= 1
        if not self.by_head[page.head]:
            del self.by_head[page.head]


class Host:
    """The pages of a host, by parameter; `keys` has them by key, together with those of the other hosts of its
    domain."""

    def __init__(
        self, name: str, domain: str, pages: Iterable[Page], keys: Keys | None = None, said: Iterable[str] = ()
    ) -> None:
        self.name, self.domain = name, domain
        # The Clean-param directives of its robots.txt.
        self.said = frozenset(said)
        # In an order of their own, so that the order of arrival decides nothing.
        self.pages = sorted([page for page in pages if not is_signed(page.url)], key=_KEY)
        # Set when first asked for, by `trials.folded`.
        self.folded: dict[Page, str] | None = None
        self.settle()
        for page in self.pages:
            if len(page.sights) > 1:
                page.sights.sort(key=lambda sight: (sight.time or 0.0, str(sight.fingerprint)))
        # Whether a sitemap lists any of them, and how many were fetched.
        self.lists = any(page.listed for page in self.pages)
        self.fetched = sum([page.fetched for page in self.pages])
        self.keys = Keys() if keys is None else keys
        self.by_name: dict[str, list[Page]] = defaultdict(list)
        for page in self.pages:
            self.keys.add(page)
            for one in page.names:
                own = self.by_name[one]
                if not own or own[-1] is not page:
                    own.append(page)

    def values(self) -> dict[str, set[str]]:
        """The pairs of each name."""
        found: dict[str, set[str]] = defaultdict(set)
        for page in self.pages:
            for name, pair in zip(page.names, page.pairs, strict=True):
                found[name].add(pair)
        return found

    def settle(self) -> None:
        """Says of every page at which place its path stands now."""
        paths = {head: path_of(head) for head in {page.head for page in self.pages}}
        found = places(list(set(paths.values())))
        by_head = {head: found[path] for head, path in paths.items()}
        for page in self.pages:
            page.place = by_head[page.head]
        self.folded = None

    def rekey(self, changes: Iterable[tuple[Page, Key]]) -> None:
        """Gives pages the keys that a rule leaves them."""
        gone: set[str] = set()
        for page, key in changes:
            self.keys.remove(page)
            names = page.names
            page.replace(key)
            if len(names) != len(page.names):
                gone.update(set(names).difference(page.names))
            self.keys.add(page)
        for name in gone:
            self.by_name[name] = [page for page in self.by_name[name] if name in page.names]


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
    if seen.url != page.url:
        page.url = min(page.url, seen.url, key=lambda url: (len(url), url))
    page.listed |= seen.listed
    page.fetched |= seen.fetched
    if seen.no_vary_search is not None:
        page.varies = seen.no_vary_search if page.varies in (None, seen.no_vary_search) else ""
    if seen.redirect is not None or (seen.status is not None and 300 <= seen.status < 400):
        if seen.status in PERMANENT and redirect is not None and redirect != page.key:
            page.redirect = min(page.redirect or redirect, redirect)
        return
    if canonical is not None:
        page.canonical = min(page.canonical or canonical, canonical)
    usable = seen.status is None or 200 <= seen.status < 300
    if usable and seen.fingerprint is not None and not seen.truncated:
        language = seen.language.partition("-")[0].lower() if seen.language else None
        page.sights.append(Sight(seen.fingerprint, seen.time, (seen.status, language)))
