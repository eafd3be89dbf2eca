"""A set of digests in a SQLite file. Must not know how a key is made.

New digests of a call go into one row of `recent`, end to end: a commit writes them once, in order, however
large the set. They are kept in memory too, and when a million are there they go into the tree `seen`, sorted.
So the tree is changed in few large rounds, which is what makes it fast, and memory is bounded.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from threading import RLock
from typing import Any, Literal

from urlkey._native import Policy, SeenTable, UrlChunk, fresh_rows, sum_digests, without
from urlkey.store.errors import StoreError, check_policy
from urlkey.store.front import Front
from urlkey.store.sqlite import EACH_DIGEST, connect, faults, writing

APPLICATION = 0x75726B73  # "urks"
MERGE_DIGESTS = 1_000_000
MERGE_ROWS = 50_000
_PENDING = 100_000
_WIDTH = 16

MIGRATIONS = (
    (
        "CREATE TABLE seen (digest BLOB PRIMARY KEY) WITHOUT ROWID, STRICT",
        # `total` is the sum of the digests modulo 2^128: what tells a row that lost a bit.
        "CREATE TABLE recent (id INTEGER PRIMARY KEY AUTOINCREMENT, digests BLOB NOT NULL, total BLOB NOT NULL) STRICT",
        "CREATE TABLE state (one INTEGER PRIMARY KEY CHECK (one = 1), name BLOB NOT NULL, policy_id TEXT NOT NULL, "
        "policy TEXT NOT NULL, generation INTEGER NOT NULL, count INTEGER NOT NULL, total BLOB NOT NULL) STRICT",
    ),
)

__all__ = ["DiskSet"]

_OnError = Literal["raise", "null", "error"]


class DiskSet:
    """Digests in a file; see `urlkey.store.Seen`."""

    def __init__(self, path: str | os.PathLike[str], policy: str | Policy | None, bloom: float | None) -> None:
        self.path = os.fspath(path)
        self._lock = RLock()
        self._db = connect(path, APPLICATION, MIGRATIONS)
        try:
            with faults(self.path):
                self._name, self.policy = self._begin(policy)
            self._front = None if bloom is None else Front(self.path, bloom, self.policy, self._name)
            self._recent = SeenTable(self.policy)
            self._generation, self._last, self._rows, self._merged = -1, 0, 0, 0
            self._version: tuple[int] | None = None
            self._pending: dict[bytes, None] = {}
            with self._reading():
                pass
        except BaseException:
            self._db.close()
            raise

    def _begin(self, given: str | Policy | None) -> tuple[bytes, Policy]:
        """The file's name for itself and its policy, written down if the file is new."""
        query = "SELECT name, policy_id, policy FROM state"
        row = self._db.execute(query).fetchone()
        if row is None:
            policy = Policy("crawl" if given is None else given)
            values = (secrets.token_bytes(_WIDTH), policy.id, policy.text, sum_digests(b""))
            with writing(self._db):
                self._db.execute("INSERT OR IGNORE INTO state VALUES (1, ?, ?, ?, 0, 0, ?)", values)
                row = self._db.execute(query).fetchone()
        return row[0], check_policy(self.path, row[1], row[2], given)

    def close(self) -> None:
        with self._lock:
            try:
                self.flush()
            finally:
                self._db.close()

    @property
    def memory(self) -> int:
        return self._recent.memory + (0 if self._front is None else self._front.memory)

    def __len__(self) -> int:
        with self._lock, self._reading():
            return self._merged + len(self._recent) + len(self._pending)

    def __contains__(self, url: str | bytes) -> bool:
        return self.holds(self.policy.digest(url))

    def holds(self, digest: bytes) -> bool:
        with self._lock:
            return digest in self._pending or self._held(digest)

    def add(self, url: str | bytes) -> bool:
        return self.add_digest(self.policy.digest(url))

    def add_digest(self, digest: bytes) -> bool:
        with self._lock:
            if digest in self._pending or self._held(digest):
                return False
            if len(self._pending) >= _PENDING:
                self.flush()
            self._pending[digest] = None
            return True

    def add_many(self, urls: Iterable[str | bytes] | UrlChunk, on_error: _OnError) -> list[Any]:
        digests, bad = self._recent.digests(urls, on_error=on_error)
        good, start = [], 0
        for row, _ in bad:
            good.append(digests[start * _WIDTH : row * _WIDTH])
            start = row + 1
        good.append(digests[start * _WIDTH :])
        return fresh_rows(digests, self._insert(b"".join(good)), bad)

    def add_digests(self, digests: bytes) -> bytes:
        return bytes(map(bool, fresh_rows(digests, self._insert(digests), [])))

    def flush(self) -> None:
        if self._pending:
            self._insert(b"")

    def _held(self, digest: bytes) -> bool:
        with faults(self.path):
            # Changes with every commit of another connection.
            version = self._db.execute("PRAGMA data_version").fetchone()
            if version != self._version:
                with self._reading():
                    pass
                self._version = version
            return not self._recent.unseen(digest) or not self._absent(digest)

    def _insert(self, digests: bytes) -> bytes:
        """Writes down what is new, with what `add` was told; returns the new ones of `digests`, ascending."""
        with self._lock:
            if len(self._recent) >= MERGE_DIGESTS or self._rows >= MERGE_ROWS:
                self._merge()
            pending = b"".join(self._pending)
            with faults(self.path):
                with writing(self._db):
                    self._sync()
                    new = self._absent(self._recent.unseen(pending + digests))
                    if new:
                        insert = "INSERT INTO recent (digests, total) VALUES (?, ?)"
                        row = self._db.execute(insert, (new, sum_digests(new))).lastrowid
                if new:
                    self._take(row or 0, new)
            asked = dict.fromkeys(self._pending)
            self._pending.clear()
            if not asked:
                return new
            # Those that `add` has called new already are not new to this call.
            return b"".join(digest for digest in _split(new) if digest not in asked)

    def _take(self, row: int, digests: bytes) -> None:
        self._recent.insert(digests)
        self._last = row
        self._rows += 1

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """One view of the file, in which memory is brought up to date."""
        with faults(self.path):
            self._db.execute("BEGIN")
            try:
                self._sync()
                yield
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    def _sync(self) -> None:
        """Takes what others have written since."""
        generation, merged = self._db.execute("SELECT generation, count FROM state").fetchone()
        if generation != self._generation:
            self._recent = SeenTable(self.policy)
            self._last, self._rows = 0, 0
            if self._front is not None:
                self._front.open(self._db, generation, merged)
            self._generation = generation
        self._merged = merged
        query = "SELECT id, digests, total FROM recent WHERE id > ? ORDER BY id"
        for row, digests, total in self._db.execute(query, (self._last,)):
            if len(digests) % _WIDTH or sum_digests(digests) != total:
                raise StoreError("corrupt", self.path, f"row {row} of the table recent")
            self._take(row, digests)

    def _absent(self, digests: bytes) -> bytes:
        """Those of the digests, ascending, that the tree does not hold."""
        asked = digests if self._front is None else self._front.may_hold(digests)
        if not asked:
            return digests
        query = EACH_DIGEST + "SELECT digest FROM place CROSS JOIN seen WHERE digest = substr(?1, at + 1, 16)"
        held = b"".join(row[0] for row in self._db.execute(query, (asked,)))
        return without(digests, held) if held else digests

    def _merge(self) -> None:
        """Moves what is recent into the tree."""
        with faults(self.path), writing(self._db):
            self._sync()
            digests = self._recent.sorted()
            count = len(digests) // _WIDTH
            if not count:
                return
            insert = EACH_DIGEST + "INSERT INTO seen SELECT substr(?1, at + 1, 16) FROM place"
            self._db.execute(insert, (digests,))
            self._db.execute("DELETE FROM recent")
            (total,) = self._db.execute("SELECT total FROM state").fetchone()
            update = "UPDATE state SET generation = generation + 1, count = count + ?, total = ?"
            self._db.execute(update, (count, sum_digests(digests, total)))
        generation, self._generation = self._generation + 1, -1  # memory is read anew if what follows fails
        self._merged += count
        if self._front is not None:
            with faults(self.path):
                self._front.grow(self._db, digests, generation, self._merged)
        self._recent = SeenTable(self.policy)
        self._last, self._rows, self._generation = 0, 0, generation

    @contextmanager
    def snapshot(self) -> Iterator[tuple[int, Iterator[bytes]]]:
        """How many digests there are, and all of them in blocks: of one moment, whatever is written meanwhile."""
        self.flush()
        # A connection of its own, so that this one may go on writing.
        with faults(self.path):
            db = connect(self.path, APPLICATION, MIGRATIONS)
            try:
                db.execute("BEGIN")
                query = "SELECT count + (SELECT coalesce(sum(length(digests)), 0) FROM recent) / 16 FROM state"
                (count,) = db.execute(query).fetchone()
                yield count, chain(_blocks(db, "SELECT digests FROM recent"), _blocks(db, "SELECT digest FROM seen"))
            finally:
                db.close()

    def verify(self) -> None:
        """Raises StoreError ('corrupt') where the file is not what was written."""
        self.flush()
        with self._lock, self._reading():
            problems = [row[0] for row in self._db.execute("PRAGMA integrity_check(5)")]
            if problems != ["ok"]:
                raise StoreError("corrupt", self.path, "; ".join(problems))
            count, total = 0, sum_digests(b"")
            for block in _blocks(self._db, "SELECT digest FROM seen"):
                count += len(block) // _WIDTH
                total = sum_digests(block, total)
            if (count, total) != self._db.execute("SELECT count, total FROM state").fetchone():
                raise StoreError("corrupt", self.path, "the tree does not hold what was merged into it")


def _split(digests: bytes) -> Iterator[bytes]:
    return (digests[at : at + _WIDTH] for at in range(0, len(digests), _WIDTH))


def _blocks(db: sqlite3.Connection, query: str) -> Iterator[bytes]:
    rows = db.execute(query)
    while block := b"".join(row[0] for row in rows.fetchmany(10_000)):
        yield block
