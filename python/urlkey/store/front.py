"""A Bloom filter before the tree of a `DiskSet`: what it says is not there is not looked for. A file of its own
beside the set's, which is made anew where it is missing, damaged or behind. Never has the last word.
"""

from __future__ import annotations

import sqlite3

from urlkey._native import Bloom, Policy
from urlkey.store import saved
from urlkey.store.errors import StoreError

_KIND, _VERSION = b"blom", 1
_LEAST = 1_000_000
_BLOCKS = 1 << 14

__all__ = ["Front"]


class Front:
    """The filter of one set; `rate` is the share of absent digests that are looked for all the same, at most."""

    def __init__(self, path: str, rate: float, policy: Policy, name: bytes) -> None:
        self._path, self._rate = f"{path}-bloom", rate
        self._policy, self._name = policy, name
        self._bloom, self._capacity = Bloom(1, rate), 0

    @property
    def memory(self) -> int:
        return self._bloom.memory

    def may_hold(self, digests: bytes) -> bytes:
        """Those of the digests that the tree may hold."""
        return self._bloom.may_hold(digests)

    def open(self, db: sqlite3.Connection, generation: int, count: int) -> None:
        """Reads the filter of this generation, or makes it of the tree."""
        try:
            self._load(generation)
        except (OSError, StoreError, ValueError, KeyError, TypeError):
            self._build(db, count)
            self._save(generation)

    def grow(self, db: sqlite3.Connection, digests: bytes, generation: int, count: int) -> None:
        """Takes what went into the tree."""
        if count > self._capacity:
            self._build(db, count)
        else:
            self._bloom.insert(digests)
        self._save(generation)

    def _build(self, db: sqlite3.Connection, count: int) -> None:
        # Not taken before it is whole: a filter that lacks a digest would be believed.
        capacity = max(_LEAST, 2 * count)
        bloom = Bloom(capacity, self._rate)
        rows = db.execute("SELECT digest FROM seen")
        while block := b"".join(row[0] for row in rows.fetchmany(10_000)):
            bloom.insert(block)
        self._bloom, self._capacity = bloom, capacity

    def _load(self, generation: int) -> None:
        with saved.Reader(self._path, _KIND, _VERSION) as reader:
            header = reader.header
            if (header["set"], header["generation"]) != (self._name.hex(), generation):
                raise StoreError("not-a-store", self._path)
            if header["policy_id"] != self._policy.id or header["rate"] != self._rate:
                raise StoreError("not-a-store", self._path)
            blocks = b"".join(reader.blocks())
            bloom = Bloom.from_bytes(bytes.fromhex(header["seed"]), header["hashes"], blocks)
            self._bloom, self._capacity = bloom, header["capacity"]

    def _save(self, generation: int) -> None:
        header = {
            "set": self._name.hex(),
            "policy_id": self._policy.id,
            "generation": generation,
            "rate": self._rate,
            "capacity": self._capacity,
            "seed": self._bloom.seed.hex(),
            "hashes": self._bloom.hashes,
            "bytes": self._bloom.memory,
        }
        blocks = range(0, self._bloom.memory // 64, _BLOCKS)
        try:
            saved.write(self._path, _KIND, _VERSION, header, (self._bloom.blocks(at, _BLOCKS) for at in blocks))
        except OSError:
            return  # it will be made anew
