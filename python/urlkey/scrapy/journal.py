"""Requests that are not done, in a file that survives its process. Must not know what a request is: it keeps bytes.

A commit holds up to a kill of the process, not of the machine: with `synchronous = NORMAL` it does not wait for
the disk, and after a power cut the last commits may be missing, each whole.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from urlkey.store.sqlite import connect, faults, writing

APPLICATION = 0x75726B6A  # "urkj"
MIGRATIONS = (
    (
        # `marks` is what the filter remembers of the request. `data` is null when it is done: then its marks wait to
        # be in the seen-set.
        "CREATE TABLE requests (id INTEGER PRIMARY KEY, marks BLOB NOT NULL, data BLOB) STRICT",
        "CREATE TABLE starts (fingerprint BLOB PRIMARY KEY) WITHOUT ROWID, STRICT",
    ),
)
_PAGE = 500

__all__ = ["Journal"]


class Journal:
    """The file. What `put`, `done` and `start` are told waits for `commit`; a commit is there whole or not at all.
    Raises StoreError where the file cannot be used."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._db = connect(path, APPLICATION, MIGRATIONS)
        with faults(self.path):
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._last: int = self._db.execute("SELECT coalesce(max(id), 0) FROM requests").fetchone()[0]
        self._new: dict[int, tuple[bytes, bytes]] = {}
        self._done: list[int] = []
        self._starts: list[bytes] = []

    def put(self, number: int, marks: bytes, data: bytes) -> None:
        """Keeps a request, with what the filter remembers of it."""
        self._new[number] = (marks, data)

    def number(self) -> int:
        """A number that no request has had."""
        self._last += 1
        return self._last

    def done(self, number: int) -> None:
        """Says that a request is done with."""
        self._done.append(number)

    def start(self, fingerprint: bytes) -> None:
        """Keeps the fingerprint of a request that the crawl began with."""
        self._starts.append(fingerprint)

    @property
    def waiting(self) -> int:
        """How much waits for `commit`."""
        return len(self._new) + len(self._done) + len(self._starts)

    def commit(self) -> None:
        """Writes what waits."""
        if not self.waiting:
            return
        with faults(self.path), writing(self._db):
            rows = [(number, *row) for number, row in self._new.items()]
            self._db.executemany("INSERT OR REPLACE INTO requests VALUES (?, ?, ?)", rows)
            update = "UPDATE requests SET data = NULL WHERE id = ?"
            self._db.executemany(update, [(number,) for number in self._done])
            self._db.executemany("INSERT OR IGNORE INTO starts VALUES (?)", [(mark,) for mark in self._starts])
        self._new, self._done, self._starts = {}, [], []

    def forget_done(self) -> None:
        """Drops the requests that are done: their marks are in the seen-set, on the disk."""
        with faults(self.path), writing(self._db):
            self._db.execute("DELETE FROM requests WHERE data IS NULL")

    def forget_starts(self) -> None:
        """Drops what the crawl began with: it has ended."""
        with faults(self.path), writing(self._db):
            self._db.execute("DELETE FROM starts")

    def pending(self) -> Iterator[tuple[int, bytes]]:
        """Number and bytes of each request that is not done, in the order they came."""
        after, query = 0, "SELECT id, data FROM requests WHERE id > ? AND data IS NOT NULL ORDER BY id LIMIT ?"
        while rows := self._rows(query, after, _PAGE):
            after = rows[-1][0]
            yield from rows

    def marks(self) -> Iterator[bytes]:
        """Those of each request, done or not."""
        after, query = 0, "SELECT id, marks FROM requests WHERE id > ? AND marks != x'' ORDER BY id LIMIT ?"
        while rows := self._rows(query, after, _PAGE):
            after = rows[-1][0]
            yield from (row[1] for row in rows)

    def starts(self) -> set[bytes]:
        """The fingerprints of what the crawl began with."""
        return {row[0] for row in self._rows("SELECT fingerprint FROM starts")}

    def _rows(self, query: str, *values: object) -> list[Any]:
        with faults(self.path):
            return self._db.execute(query, values).fetchall()

    def close(self) -> None:
        """Commits, and closes the file."""
        self.commit()
        self._db.close()
