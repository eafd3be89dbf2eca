"""Numbers that stored rows carry, so that a row whose bytes have changed is told and not believed.

SQLite notices damage to its own structure, not to what rows hold. Rows of entries, spellings and rejects have
the seal of the core, which SQL keeps up; the rare others a CRC-32 of what they hold.
"""

from __future__ import annotations

import zlib
from hashlib import sha256

from urlkey._native import seal
from urlkey.store.errors import StoreError

__all__ = ["check", "check_sighted", "crc", "digest"]


def digest(data: bytes) -> bytes:
    """The first half of SHA-256."""
    return sha256(data).digest()[:16]


def crc(*values: object) -> int:
    """The seal of a row that is written once."""
    return zlib.crc32(repr(values).encode())


def check(path: str, table: str, found: int, *values: object) -> None:
    """Raises StoreError ('corrupt') if the row has another seal."""
    if found != crc(*values):
        raise StoreError("corrupt", path, f"a row of the table {table}")


def check_sighted(path: str, table: str, found: int, key: bytes, spelling: bytes, *seen: int) -> None:
    """The same for a row with count, first and last: `key` and `spelling` are digests."""
    if found != seal(key, spelling, *seen):
        raise StoreError("corrupt", path, f"a row of the table {table}")
