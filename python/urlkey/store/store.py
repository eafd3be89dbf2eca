"""The store: keys, every spelling of each, what fetches gave, evidence, and which key stands for which."""

from __future__ import annotations

import os
import time as clock
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, overload

from urlkey._native import Policy, StoreRows, UrlChunk, UrlKeyError
from urlkey.store import aliases, columns, fetches, reading, seals
from urlkey.store.base import OpenStore
from urlkey.store.errors import mismatch
from urlkey.store.opening import engine_at, policy_of
from urlkey.store.records import Edge, Entry, Fetch, Reject, Rekeyed, Spelling, Stats

if TYPE_CHECKING:
    from urlkey._native import Array, ChunkedArray
    from urlkey.engines.arrow import ArrowArray, ArrowStream

_CHUNK = 200_000
_PENDING = 50_000
_BATCH = 10_000

__all__ = ["Store"]

Text = str | bytes


class Store(OpenStore):
    """What is remembered under keys; opened by `Store.open`, closed by `close` or at the end of a `with`.

    What a call was given is on the disk when it returns; only what `add` was given waits for `flush`, `close` or
    the next other call. Raises StoreError where the store cannot be used, UrlKeyError
    ('policy-mismatch') where another policy made its keys.
    """

    @classmethod
    def open(cls, place: str | os.PathLike[str], *, policy: str | Policy | None = None) -> Store:
        """The store at `place`: the path of a SQLite file, or a `postgresql://` URL (extra `postgres`); made if
        it is not there.

        `policy` is a name or a Policy; default `crawl`, or the store's. A store of another policy is refused;
        one whose policy this release reads differently opens, but takes and gives keys only after `rekey`.
        """
        name = os.fspath(place)
        engine = engine_at(name)
        try:
            wanted = None if policy is None else Policy(policy)
            policy_id, text = policy_of(engine, wanted or Policy("crawl"))
            if wanted is not None and wanted.id != policy_id:
                raise mismatch(engine.path, policy_id[:8], wanted.short_id)
            return cls(engine, policy_id, wanted or Policy.from_text(text))
        except BaseException:
            engine.close()
            raise

    # --- what comes in

    def add(self, url: Text, *, time: float | None = None) -> bool:
        """True if the URL's key was not there before. Notes the spelling, seen at `time`: seconds since 1970, by
        default now. Raises UrlKeyError for what is no URL, and notes that too.
        """
        with self._lock:
            self._check_policy()
            text, at = _bytes(url), _seconds(time)
            if len(self._pending) >= _PENDING:
                self.flush()
            self._pending.append((text, 1, at, at))
            digest = self._policy.digest(url)
            if digest in self._new or self._entry_of(digest) is not None:
                return False
            self._new.add(digest)
            return True

    @overload
    def add_many(self, urls: Iterable[Text], *, time: float | None = None) -> list[bool | None]: ...
    @overload
    def add_many(
        self, urls: Iterable[Text], *, time: float | None = None, on_error: Literal["null"]
    ) -> list[bool | None]: ...
    @overload
    def add_many(
        self, urls: Iterable[Text], *, time: float | None = None, on_error: Literal["error"]
    ) -> list[bool | UrlKeyError]: ...
    @overload
    def add_many(
        self, urls: ArrowArray | ArrowStream, *, time: float | None = None, on_error: Literal["null"] = "null"
    ) -> Array | ChunkedArray: ...
    def add_many(self, urls: Any, *, time: float | None = None, on_error: Literal["null", "error"] = "null") -> Any:
        """What `add` says of each URL, in their order. A row that is no URL is None, or with `on_error="error"` its
        UrlKeyError; the store keeps it among the `rejects`. Written in transactions of 200,000 rows, each whole
        or not at all.

        `urls` is an iterable, which gives a list, or a column: any object with the Arrow PyCapsule interface, as
        `urlkey.arrow.keys` takes it. That gives a column of bool, an Array, or for a stream a ChunkedArray with
        the same chunks; nulls are passed over and stay null, and there is no room for `"error"`.
        """
        at = _seconds(time)
        if columns.is_column(urls):
            if on_error != "null":
                raise ValueError(f"on_error of a column must be 'null', not {on_error!r}")
            self.flush()
            return columns.told(urls, _CHUNK, lambda chunk: self._put_new(chunk, at))
        if isinstance(urls, str | bytes):
            raise TypeError(f"urls must be an iterable of URLs, not {type(urls).__name__}")
        self.flush()
        told, left = list[Any](), iter(urls)
        while chunk := list(islice(left, _CHUNK)):
            fresh: list[Any] = self._put_new(chunk, at)
            if on_error == "error" and None in fresh:
                errors = self._policy.keys(chunk, on_error="error")
                fresh = [error if new is None else new for new, error in zip(fresh, errors, strict=True)]
            told += fresh
        return told

    def _put_new(self, urls: list[Text] | UrlChunk, at: int) -> list[Any]:
        with self._lock:
            return self._put(StoreRows(urls, self._policy, at))

    def fetched(
        self,
        url: Text,
        status: int,
        *,
        time: float | None = None,
        etag: str | None = None,
        last_modified: str | None = None,
        content: bytes | None = None,
    ) -> None:
        """Notes what a fetch gave: the last of a key is kept. `content` is a fingerprint of the caller's choice.
        The spelling is noted too, without counting it as seen.
        """
        with self._lock, self._writing():
            digest, text, at = self._policy.digest(url), _bytes(url), _seconds(time)
            # A spelling that was requested but never came as a link counts 0.
            self._engine.put(StoreRows.counted([(text, 0, at, at)], self._policy))
            facts = fetches.sealed(text, at, status, etag, last_modified, content)
            fetches.keep(self._engine, [(self._entry_of(digest), *facts)])

    # --- what comes out

    def get(self, url: Text) -> Entry | None:
        """The entry of the URL's key, or None. Raises UrlKeyError for what is no URL."""
        digest = self._policy.digest(url)
        with self._reading() as engine:
            entry = self._entry_of(digest)
            return None if entry is None else reading.entries(engine, [entry])[0]

    def __contains__(self, url: Text) -> bool:
        digest = self._policy.digest(url)
        with self._reading():
            return self._entry_of(digest) is not None

    def fetch(self, url: Text) -> Fetch | None:
        """The last fetch of the URL's key, or None: what `get` says of it, without the spellings."""
        digest = self._policy.digest(url)
        with self._reading() as engine:
            entry = self._entry_of(digest)
            return None if entry is None else reading.fetch(engine, entry)

    def spellings(self, url: Text) -> tuple[Spelling, ...]:
        """Every spelling of the URL's key, the first first; none where the key is not there."""
        entry = self.get(url)
        return () if entry is None else entry.spellings

    def __len__(self) -> int:
        with self._reading() as engine:
            count: int = engine.rows("SELECT count(*) FROM entries")[0][0]
            return count

    def batches(self, size: int = _BATCH) -> Iterator[list[Entry]]:
        """All entries, in lists of at most `size`, in the order their batches came: of one moment, whatever is
        written meanwhile. Memory does not grow with the store."""
        self.flush()
        with self._engine.snapshot() as engine:
            yield from reading.batches(engine, size)

    def __iter__(self) -> Iterator[Entry]:
        for batch in self.batches():
            yield from batch

    def rejects(self) -> Iterator[Reject]:
        """All texts that have no key, with the reason."""
        self.flush()
        with self._engine.snapshot() as engine:
            yield from reading.rejects(engine)

    def stats(self) -> Stats:
        """Counts of what is there. Linear in the store."""
        with self._reading() as engine:
            return reading.stats(engine, self._policy_id)

    # --- evidence and aliases

    def add_edges(self, edges: Iterable[Sequence[Any]]) -> list[int]:
        """Keeps evidence: tuples (kind, from URL, to URL, weight, reason, time, source). Returns their ids. Edges
        of the kind `alias` join the two keys."""
        with self._lock, self._writing() as engine:
            return aliases.add(engine, self._policy, list(edges))

    def alias(
        self,
        url: Text,
        target: Text,
        *,
        weight: float = 1.0,
        reason: str = "",
        source: str = "",
        time: float | None = None,
    ) -> int:
        """Says that the key of `url` is the page of `target`; returns the id for `undo`."""
        return self.add_edges([("alias", url, target, weight, reason, _seconds(time), source)])[0]

    def undo(self, edge: int | Iterable[int], *, time: float | None = None) -> None:
        """Takes an edge, or several, back: they are kept, marked, and join nothing any more. Raises KeyError for an
        unknown id."""
        with self._lock, self._writing() as engine:
            ids = [edge] if isinstance(edge, int) else list(edge)
            aliases.undo(engine, self._policy, ids, _seconds(time))

    def resolve(self, url: Text) -> str:
        """The key that stands for the URL's key: its own where no alias says otherwise.

        Of the keys that aliases join, the first in this order stands for all: those that aliases lead to and
        none leads away from; the greatest sum of weights that lead to it; the shortest; the smallest as text.
        So the order in which aliases came says nothing.
        """
        key = self._policy.key(url)
        with self._reading() as engine:
            return aliases.leader(engine, seals.digest(key.encode())) or key

    def edges(self, url: Text | None = None, *, kind: str | None = None) -> list[Edge]:
        """The evidence that names the URL's key at either end, or all; undone edges too."""
        digest = None if url is None else self._policy.digest(url)
        with self._reading() as engine:
            return aliases.edges(engine, self._policy, digest, kind)

    def edge(self, edge: int) -> Edge:
        """The evidence of this id. Raises KeyError for an unknown one."""
        with self._reading() as engine:
            return aliases.edge(engine, self._policy, edge)

    # --- the store as a whole

    def rekey(self, policy: str | Policy, *, apply: bool = False, samples: int = 10) -> Rekeyed:
        """What another policy makes of the keys; with `apply`, makes it so.

        Every key is made anew from its spellings, and of the texts that had none. Without `apply` nothing is
        changed. With it, the new store takes the old one's place in one transaction: whatever interrupts it,
        the old one is there, whole. Memory does not grow with the store; the disk holds both for a while, and
        other writers wait.
        """
        from urlkey.store import rekey

        wanted = Policy(policy)
        with self._lock:
            if self._policy.id == self._policy_id:
                self.flush()
            told = rekey.run(self._engine, self._policy_id, wanted, apply=apply, samples=samples)
            if apply:
                self._policy, self._policy_id = wanted, wanted.id
            return told

    def export(self, path: str | os.PathLike[str], format: Literal["jsonl", "parquet"] | None = None) -> int:
        """Writes all entries to a file, whole or not at all: JSON lines, or Parquet (extra `arrow`), by the name if
        `format` does not say. Returns how many."""
        from urlkey.store import export

        return export.write(self, path, format)

    def verify(self) -> None:
        """Reads all of the store; raises StoreError ('corrupt') if it is not what was written. Reading entries
        notices damage in what it reads; this finds damage in indexes too."""
        self.flush()
        with self._engine.snapshot() as engine:
            engine.verify()
            reading.verify(engine, self._policy)

    def size(self) -> int:
        """Bytes on the disk."""
        return self._engine.size()


def _bytes(url: Text) -> bytes:
    return url if isinstance(url, bytes) else url.encode("utf-8", "surrogatepass")


def _seconds(time: float | None) -> int:
    return int(clock.time() if time is None else time)
