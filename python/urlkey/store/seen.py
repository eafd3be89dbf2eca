"""The seen-set: which keys have come before. Exact; in memory, or in a file that survives its process."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, overload

from urlkey._native import Policy, SeenTable, UrlChunk, UrlKeyError
from urlkey.store import columns, saved
from urlkey.store.errors import StoreError, check_policy

if TYPE_CHECKING:
    from urlkey._native import Array, ChunkedArray
    from urlkey.engines.arrow import ArrowArray, ArrowStream
    from urlkey.store.disk import DiskSet

_KIND, _VERSION = b"seen", 1
_DIGESTS = 1 << 16
_ROWS = 200_000
_WIDTH = 16

__all__ = ["Seen"]


class Seen:
    """Which keys have been seen: `add` says whether a URL's key is new.

    Without a path the set is in memory, 21 to 34 bytes a key; `save` and `load` keep it. With a path it is in
    a SQLite file, which may be larger than memory, and which several processes may share. It holds digests
    (16 bytes of SHA-256 of the key), so it is exact but for the chance of 1.5e-21 that any two of 10^9 keys
    share one.

    `policy` is a name or a Policy; default `crawl`, or that of the file. `bloom` (with a path) is the
    false-positive rate, from 1e-6 to 0.5, of a filter in memory that spares lookups of keys that are new: 1.3
    bytes a key at 0.01, for a set that doubles. It never has the last word.

    Raises UrlKeyError ('policy-mismatch') for a file whose keys another policy made, StoreError for one that
    cannot be used.

    >>> seen = Seen()
    >>> seen.add("http://example.com/?b=1&a=2"), seen.add("http://EXAMPLE.com/?a=2&b=1")
    (True, False)
    >>> seen.add_many(["http://example.com/x", "http://example.com:x/", "http://example.com/x#top"])
    [True, None, False]
    >>> "http://example.com/x?utm_source=y" in seen, len(seen)
    (True, 2)
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        policy: str | Policy | None = None,
        bloom: float | None = None,
    ) -> None:
        self._set: SeenTable | DiskSet
        if path is None:
            if bloom is not None:
                raise ValueError("bloom is for a set with a path")
            self._set = SeenTable("crawl" if policy is None else policy)
        else:
            from urlkey.store.disk import DiskSet

            self._set = DiskSet(path, policy, bloom)

    @property
    def policy(self) -> Policy:
        """The policy that makes the keys."""
        return self._set.policy

    @property
    def memory(self) -> int:
        """Bytes of memory that tables of digests and filters occupy; SQLite's cache, up to 256 MiB, is not in it."""
        return self._set.memory

    def add(self, url: str | bytes) -> bool:
        """True if the URL's key was not there before. Raises UrlKeyError for what is no URL.

        In a set with a path, what `add` took is acknowledged by the next `flush`, `add_many` or `close`.
        """
        return self._set.add(url)

    @overload
    def add_many(self, urls: Iterable[str | bytes]) -> list[bool | None]: ...
    @overload
    def add_many(self, urls: Iterable[str | bytes], *, on_error: Literal["raise"]) -> list[bool]: ...
    @overload
    def add_many(self, urls: Iterable[str | bytes], *, on_error: Literal["null"]) -> list[bool | None]: ...
    @overload
    def add_many(self, urls: Iterable[str | bytes], *, on_error: Literal["error"]) -> list[bool | UrlKeyError]: ...
    @overload
    def add_many(
        self, urls: ArrowArray | ArrowStream, *, on_error: Literal["raise", "null"] = "null"
    ) -> Array | ChunkedArray: ...
    def add_many(self, urls: Any, *, on_error: Literal["raise", "null", "error"] = "null") -> Any:
        """What `add` says of each URL, in their order; the second of two spellings is not new.

        A row that is no URL is None, or with `on_error="error"` its UrlKeyError; with `"raise"` the first of
        them is raised and nothing is added. When the call returns, a set with a path has it on the disk.

        `urls` is an iterable, which gives a list, or a column: any object with the Arrow PyCapsule interface, as
        `urlkey.arrow.keys` takes it. That gives a column of bool, an Array, or for a stream a ChunkedArray with
        the same chunks; nulls stay null, and there is no room for `"error"`. A stream is read as it comes, in
        batches of 200,000 rows.
        """
        if columns.is_column(urls):
            return self._add_column(urls, on_error)
        return self._add_batch(urls, on_error)

    def _add_batch(self, urls: Iterable[str | bytes] | UrlChunk, on_error: Literal["raise", "null", "error"]) -> Any:
        if isinstance(self._set, SeenTable):
            return self._set.add_many(urls, on_error=on_error)
        return self._set.add_many(urls, on_error)

    def _add_column(self, urls: ArrowArray | ArrowStream, on_error: str) -> Array | ChunkedArray:
        if on_error not in ("raise", "null"):
            raise ValueError(f"on_error of a column must be 'raise' or 'null', not {on_error!r}")
        check = SeenTable(self.policy).digests if on_error == "raise" else None
        return columns.told(
            urls,
            _ROWS,
            lambda chunk: self._add_batch(chunk, "null"),
            first=check and (lambda chunk: check(chunk, on_error="raise")),
        )

    def add_digest(self, digest: bytes) -> bool:
        """What `add` says, and when it is acknowledged, for a digest that is there already: of a key, or 16 bytes
        that stand for something else, as of a request with a body. Raises ValueError for another length."""
        if len(digest) != _WIDTH:
            raise ValueError(f"a digest has {_WIDTH} bytes, not {len(digest)}")
        if isinstance(self._set, SeenTable):
            return bool(self._set.insert(digest)[0])
        return self._set.add_digest(digest)

    def holds(self, digest: bytes) -> bool:
        """Whether a digest is there: `in` for what is no URL."""
        if len(digest) != _WIDTH:
            return False
        if isinstance(self._set, SeenTable):
            return not self._set.unseen(digest)
        return self._set.holds(digest)

    def add_digests(self, digests: bytes) -> bytes:
        """The same for digests that are there already, 16 bytes each, end to end: a byte for each, 1 if it is new.

        They must have been made under this set's policy.
        """
        if isinstance(self._set, SeenTable):
            return self._set.insert(digests)
        return self._set.add_digests(digests)

    def __contains__(self, url: str | bytes) -> bool:
        return url in self._set

    def __len__(self) -> int:
        return len(self._set)

    def digests(self) -> Iterator[bytes]:
        """All digests, 16 bytes each, in blocks of many, in no order that means anything.

        A set in memory must not be added to meanwhile.
        """
        with self._snapshot() as (_, blocks):
            yield from blocks

    @contextmanager
    def _snapshot(self) -> Iterator[tuple[int, Iterator[bytes]]]:
        if isinstance(self._set, SeenTable):
            yield len(self._set), _walk(self._set)
        else:
            with self._set.snapshot() as both:
                yield both

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the set to a file, whole or not at all, with the policy and a checksum; `load` reads it."""
        with self._snapshot() as (count, blocks):
            header = {
                "policy_id": self.policy.id,
                "policy": self.policy.text,
                "count": count,
                "bytes": count * _WIDTH,
            }
            saved.write(path, _KIND, _VERSION, header, blocks)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, policy: str | Policy | None = None) -> Seen:
        """The set, in memory, that `save` wrote.

        Raises UrlKeyError ('policy-mismatch') if its keys are not of `policy`, or not of what its policy is in
        this release; StoreError if the file is damaged, of a later release, or of another kind.
        """
        with saved.Reader(path, _KIND, _VERSION) as reader:
            header = reader.header
            name = reader.path
            try:
                policy_id, text, count = str(header["policy_id"]), str(header["policy"]), int(header["count"])
            except (KeyError, TypeError, ValueError):
                raise StoreError("corrupt", name, "the header cannot be read") from None
            if header["bytes"] != count * _WIDTH:
                raise StoreError("corrupt", name, "the file is not as long as its header says")
            try:
                seen = cls(policy=check_policy(name, policy_id, text, policy))
            except UrlKeyError as error:
                if error.code == "bad-policy":
                    raise StoreError("corrupt", name, "its policy cannot be read") from None
                raise
            for block in reader.blocks():
                seen.add_digests(block)
            if len(seen) != count:
                raise StoreError("corrupt", name, "digests are there twice")
            return seen

    def flush(self) -> None:
        """Returns when all that was added is on the disk; of a set in memory, at once."""
        if not isinstance(self._set, SeenTable):
            self._set.flush()

    def verify(self) -> None:
        """Reads a set with a path through; raises StoreError ('corrupt') if it is not what was written."""
        if not isinstance(self._set, SeenTable):
            self._set.verify()

    def close(self) -> None:
        """Flushes, and closes the file."""
        if not isinstance(self._set, SeenTable):
            self._set.close()

    def __enter__(self) -> Seen:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _walk(table: SeenTable) -> Iterator[bytes]:
    place: tuple[int, int] | None = (0, 0)
    while place is not None:
        block, place = table.walk(place, _DIGESTS)
        yield block
