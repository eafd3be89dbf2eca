"""Which digests are in PostgreSQL, asked on a connection of its own while another writes. Must not know what for.

An answer may be behind: it has what was committed when the question ran, and none if the question failed. Whoever
asks must be able to do without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import psycopg

from urlkey._native import digest_array

_PART = 16_384
_WIDTH = 16
# Plans that are right however large a table is, and whatever the server thinks it is: by the index of the digests.
_OFF = ("enable_hashjoin", "enable_mergejoin", "enable_seqscan", "enable_bitmapscan", "jit")
BY_INDEX = "; ".join(f"SET LOCAL {name} = off" for name in _OFF)
# The writer waits for answers: where something waits for the writer's locks, a question must not wait behind it.
_SESSION = "; ".join([*(f"SET {name} = off" for name in _OFF), "SET lock_timeout = 200"])

__all__ = ["BY_INDEX", "Lookup", "known_query", "parts"]


def known_query(prefix: str) -> str:
    """Which of an array of digests are there. By a subquery: a planner that sees the array looks at each item."""
    return f"SELECT string_agg(uuid_send(id), '') FROM {prefix}entries WHERE id = ANY((SELECT %s::uuid[])::uuid[])"


def parts(digests: bytes) -> list[tuple[int, bytes]]:
    """Digests, end to end, in parts: the place of the first, and the part. One part if there are few."""
    step = _PART * _WIDTH
    if len(digests) < 2 * step:
        return [(0, digests)]
    return [(at // _WIDTH, digests[at : at + step]) for at in range(0, len(digests), step)]


class Lookup:
    """A second connection, opened when it is first needed."""

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]]) -> None:
        self._connect = connect
        self._db: psycopg.Connection[Any] | None = None

    @contextmanager
    def ahead(self, prefix: str, asked: Sequence[bytes]) -> Iterator[Iterator[bytes | None]]:
        """The digests of each part that are there, in turn, or None: the next is asked for while one is used."""
        query = known_query(prefix).encode()
        with ThreadPoolExecutor(1) as pool:
            answers = [pool.submit(self._known, query, part) for part in asked]
            try:
                yield (answer.result() for answer in answers)
            finally:
                pool.shutdown(cancel_futures=True)

    def _known(self, query: bytes, digests: bytes) -> bytes | None:
        try:
            if self._db is None or self._db.closed:
                self._db = self._connect()
                self._db.execute(_SESSION.encode())
            array = digest_array(digests, as_uuid=True)
            ((told,),) = self._db.execute(query, (array,), binary=True).fetchall()
        except psycopg.Error:
            return None
        return told or b""

    def close(self) -> None:
        if self._db is not None:
            self._db.close()
