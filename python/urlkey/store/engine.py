"""What a store asks of its engine. Statements are SQL that both engines know, with `?` for parameters; what they
write differently is a method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from urlkey._native import StoreRows, seal_factors

__all__ = ["ADD", "Engine", "Row"]

Row = tuple[Any, ...]

_COUNT, _FIRST, _LAST = seal_factors()

# Joins the sightings of a row `b` to those of a row `a`, seal included; LEAST and GREATEST are the engine's.
ADD = (
    f"seal = a.seal + b.count * {_COUNT} + (LEAST(a.first, b.first) - a.first) * {_FIRST} "
    f"+ (GREATEST(a.last, b.last) - a.last) * {_LAST}, "
    "count = a.count + b.count, first = LEAST(a.first, b.first), last = GREATEST(a.last, b.last)"
)


class Engine(Protocol):
    """A database with the tables of `urlkey.store.tables`."""

    path: str
    digest_type: str
    """The name of the type of digests, in tables beside those of the store."""
    entry_type: str
    """That of what entries are known by."""
    least: object
    """Below all of these."""

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        """All rows of a query, inside or outside a transaction."""

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> int:
        """Runs a statement; returns how many rows it changed."""

    def many(self, sql: str, rows: Sequence[Row]) -> None:
        """Runs a statement for each row."""

    def writing(self, *, alone: bool = False) -> AbstractContextManager[None]:
        """A transaction: all of it is on the disk at its end, or nothing; `alone` if no other may be open beside."""

    def snapshot(self) -> AbstractContextManager[Engine]:
        """Another connection that sees one moment, whatever is written meanwhile."""

    def put(self, rows: StoreRows, prefix: str = "") -> list[Any]:
        """Writes a batch inside a transaction; for each of its rows whether its key is new, None if it has none."""

    def index(self, prefix: str = "") -> str:
        """What stands behind FROM to lead from `digest` to `entry`, before the name that it is given there."""

    def found(self, table: str, columns: str, digests: Sequence[bytes]) -> Iterator[Row]:
        """Rows of a table whose `digest` is one of these: digest, columns."""

    def entries_of(self, digests: Sequence[bytes], prefix: str = "") -> Iterator[tuple[bytes, Any]]:
        """Those of the digests that are keys, each with its entry."""

    def fresh_tables(self, prefix: str) -> None:
        """Makes the tables that hold keys, empty, under other names."""

    def replace_tables(self, prefix: str) -> None:
        """Puts these in the place of the old ones; nothing keeps the other names."""

    def size(self) -> int:
        """Bytes on the disk."""

    def version(self) -> int:
        """The version of the tables."""

    def verify(self) -> None:
        """The engine's own check; raises StoreError ('corrupt')."""

    def close(self) -> None: ...
