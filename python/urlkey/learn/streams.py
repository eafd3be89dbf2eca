"""Observations, domain by domain: the only part that sees more than one. What fits is held; more than that is sorted
out to files by the hash of the domain, read back one after the other, so that memory follows the largest of these.
"""

from __future__ import annotations

import gc
import marshal
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from hashlib import blake2b
from itertools import chain, groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any, BinaryIO

from urlkey._native import Policy, UrlKeyError, parse
from urlkey.learn.observations import Observation
from urlkey.learn.pages import Host, Keys, Page, follow, name_of, noted, parted

# Rows held in memory; above them, files. Rows whose keys are made in one call.
HELD, BATCH = 500_000, 10_000
FILES = 256
# Objects made between two searches for cycles, and searches among the young before all are looked at.
_YOUNG, _OLD = 100_000, 1_000
# Rows sorted out to files at a time, and the bytes in which the length of what goes to one of them stands.
_SORTED, _LENGTH = 50_000, 8
# Pages of one host; of more a sample is learned from.
LARGEST = 200_000

__all__ = ["BATCH", "FILES", "HELD", "LARGEST", "Source"]


class Source:
    """Rows by domain, and what became of them: `rows` read, `refused` without a key or not of the web."""

    def __init__(self, policy: Policy, *, held: int = HELD, largest: int = LARGEST) -> None:
        self.policy, self.held, self.largest = policy, held, largest
        self.rows = self.refused = self.sampled = 0
        self._domains: dict[str, str] = {}

    def domains(self, observations: Iterable[Observation]) -> Iterator[list[Host]]:
        """The hosts of every domain, one domain after the other."""
        keyed = self._keyed(iter(observations))
        first = list(islice(keyed, self.held))
        more = list(islice(keyed, 1))
        if not more:
            with _seldom_collected():
                yield from self._made(first)
            return
        with tempfile.TemporaryDirectory(prefix="urlkey-learn-") as folder:
            paths = _spilled(chain(first, more, keyed), Path(folder), self._domain)
            del first, more
            with _seldom_collected():
                for path in paths:
                    yield from self._made(_read(path))

    def _keyed(self, rows: Iterator[Observation]) -> Iterator[tuple[str, str, Observation]]:
        """(host, key, row) of every row that has a key and is of the web."""
        while batch := list(islice(rows, BATCH)):
            self.rows += len(batch)
            keys = self.policy.keys([row.url for row in batch], on_error="null")
            host, front = None, "/"
            for key, row in zip(keys, batch, strict=True):
                # Rows of one host mostly stand together.
                if key is not None and not key.startswith(front):
                    host = _host(key)
                    front = f"{key[: key.find('/', 8)]}/" if host is not None else "/"
                if host is None or key is None:
                    self.refused += 1
                else:
                    yield host, key, row

    def domains_of(self, urls: list[str]) -> list[str | None]:
        """The domain that each URL is learned with, None for one without a key."""
        hosts = [None if key is None else _host(key) for key in self.policy.keys(urls, on_error="null")]
        return [None if host is None else self._domain(host) for host in hosts]

    def _domain(self, host: str) -> str:
        found = self._domains.get(host)
        if found is None:
            try:
                found = parse(f"http://{host}/").registrable_domain or host
            except UrlKeyError:
                found = host
            self._domains[host] = found
        return found

    def _made(self, rows: Iterable[tuple[str, str, Observation]]) -> Iterator[list[Host]]:
        """Domains of rows; a host of too many pages is a sample of them."""
        pages: dict[str, _Pages] = {}
        for host, key, row in rows:
            own = pages.get(host)
            if own is None:
                own = pages[host] = _Pages(self.largest)
            if row.clean_param is not None:
                own.said.add(row.clean_param)
                continue
            page = own.page(key, row.url)
            if page is not None:
                canonical = key if row.canonical == row.url else self._key(row.canonical)
                noted(page, row, None if row.redirect is None else self._key(row.redirect), canonical)
        self.sampled += sum(own.unit is not None for own in pages.values())
        for domain, names in groupby(sorted((self._domain(name), name) for name in pages), key=itemgetter(0)):
            mine = {name: pages.pop(name) for _, name in names}
            follow([page for own in mine.values() for page in own.by_key.values()])
            keys = Keys()
            yield [Host(name, domain, own.by_key.values(), keys, own.said) for name, own in mine.items()]

    def _key(self, url: str | None) -> str | None:
        if url is None:
            return None
        try:
            return self.policy.key(url)
        except UrlKeyError:
            return None


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """While it lasts, the search for cycles of objects looks at all of them hardly ever: there are hundreds of
    thousands of pages, and no cycles among them. The young are looked at all the same, those of other threads too."""
    before = gc.get_threshold()
    if before[0]:
        gc.set_threshold(max(before[0], _YOUNG), before[1], max(before[2], _OLD))
    try:
        yield
    finally:
        gc.set_threshold(*before)


class _Pages:
    """The pages of a host by key, at most `largest` of them. Above it pages are halved by a hash, as often as it takes,
    and those that would have gone do not come in: what is kept in the end does not depend on what came first."""

    def __init__(self, largest: int) -> None:
        self.by_key: dict[str, Page] = {}
        self.unit: _Unit | None = None
        self.said: set[str] = set()
        self._largest, self._below = largest, 2**64

    def page(self, key: str, url: str) -> Page | None:
        """The page of a key, None if it is not in the sample."""
        page = self.by_key.get(key)
        if page is not None:
            return page
        page = Page(key, url)
        if self.unit is not None and _hashed(self.unit(page)) >= self._below:
            return None
        self.by_key[key] = page
        if len(self.by_key) > self._largest:
            self._halve()
        return self.by_key.get(key)

    def _halve(self) -> None:
        if self.unit is None:
            self.unit = _unit(list(self.by_key.values()))
        # A single page with more variants than that is cut short all the same.
        while len(self.by_key) > self._largest and self._below:
            self._below //= 2
            self.by_key = {key: page for key, page in self.by_key.items() if _hashed(self.unit(page)) < self._below}


class _Unit:
    """What pages are sampled by: the path, and the value of some parameter."""

    def __init__(self, name: str | None) -> None:
        self.name = name

    def __call__(self, page: Page) -> str:
        head, pairs = parted(page.key)
        return " ".join([head, *[pair for pair in pairs if name_of(pair) == self.name]])


def _unit(pages: list[Page]) -> _Unit:
    if len({page.head for page in pages}) * 100 > len(pages):
        return _Unit(None)
    values: dict[str, set[str]] = {}
    often: dict[str, int] = {}
    for page in pages:
        for pair in page.pairs:
            name = name_of(pair)
            values.setdefault(name, set()).add(pair)
            often[name] = often.get(name, 0) + 1
    # The page's own number stands on nearly every link, and comes back; a session stands on many and does not.
    usual = [name for name in values if often[name] * 2 > len(pages) and len(values[name]) * 2 < often[name]]
    return _Unit(max(usual, key=lambda name: (len(values[name]), name), default=None))


def _hashed(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def _host(key: str) -> str | None:
    """The host of an http(s) key, without port and userinfo."""
    scheme, mark, rest = key.partition("://")
    if not mark or scheme not in ("http", "https"):
        return None
    authority = rest.partition("/")[0].rpartition("@")[2]
    if authority.startswith("["):
        return authority.partition("]")[0] + "]"
    return authority.partition(":")[0]


def _spilled(rows: Iterator[tuple[str, str, Observation]], folder: Path, domain_of: Callable[[str], str]) -> list[Path]:
    paths = [folder / f"{number:03}" for number in range(FILES)]
    file_of: dict[str, int] = {}
    with ExitStack() as stack:
        files: list[BinaryIO] = [stack.enter_context(path.open("wb")) for path in paths]
        while some := list(islice(rows, _SORTED)):
            sorted_out: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
            for host, key, row in some:
                number = file_of.get(host)
                if number is None:
                    number = file_of[host] = _hashed(domain_of(host)) % FILES
                sorted_out[number].append((host, key, tuple(row)))
            for number, own in sorted_out.items():
                block = _written(own)
                files[number].write(len(block).to_bytes(_LENGTH, "little"))
                files[number].write(block)
    return paths


def _written(rows: list[tuple[Any, ...]]) -> bytes:
    """Rows as bytes, the fast way; what is of a class derived from text or numbers is made plain first."""
    try:
        return marshal.dumps(rows)
    except ValueError:
        return marshal.dumps([(host, key, tuple(map(_plain, row))) for host, key, row in rows])


def _plain(value: Any) -> Any:
    for kind in (bool, int, float, str):
        if isinstance(value, kind):
            return value if type(value) is kind else kind(value)
    return value


def _read(path: Path) -> Iterator[tuple[str, str, Observation]]:
    with path.open("rb") as file:
        while length := file.read(_LENGTH):
            # Whole blocks: out of a file, marshal would read value by value.
            for host, key, row in marshal.loads(file.read(int.from_bytes(length, "little"))):
                yield host, key, Observation._make(row)
