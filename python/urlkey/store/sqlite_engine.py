"""A store in a SQLite file. Must not know what a key is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any

from urlkey._native import StoreRows
from urlkey.store.engine import ADD, Row
from urlkey.store.errors import StoreError
from urlkey.store.sqlite import EACH_DIGEST, connect, faults, writing
from urlkey.store.tables import KEYED_SQLITE, MIGRATIONS_SQLITE

APPLICATION = 0x75726B74  # "urkt"
# Rows of a statement: to start one and bring it back costs a third of what a row does.
_TOGETHER = 50
_ADD = ADD.replace("LEAST(", "min(").replace("GREATEST(", "max(")

__all__ = ["SQLiteEngine"]


class SQLiteEngine:
    """See `urlkey.store.engine.Engine`."""

    digest_type, entry_type = "BLOB", "BIGINT"
    least: object = 0

    def __init__(self, path: str) -> None:
        self.path = path
        self._db = connect(path, APPLICATION, MIGRATIONS_SQLITE)
        self._noted: list[tuple[int, int]] = []
        with faults(path):
            self._db.create_function("note", 2, self._note)

    def _note(self, place: int, entry: int) -> bool:
        """What statements say of rows that they pass over."""
        self._noted.append((place, entry))
        return False

    def close(self) -> None:
        self._db.close()

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        with faults(self.path):
            return self._db.execute(sql, parameters).fetchall()

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> int:
        with faults(self.path):
            return self._db.execute(sql, parameters).rowcount

    def many(self, sql: str, rows: Sequence[Row]) -> None:
        with faults(self.path):
            self._db.executemany(sql, rows)

    @contextmanager
    def writing(self, *, alone: bool = False) -> Iterator[None]:
        with faults(self.path), writing(self._db):
            yield

    @contextmanager
    def snapshot(self) -> Iterator[SQLiteEngine]:
        other = SQLiteEngine(self.path)
        try:
            other.execute("BEGIN")
            yield other
        finally:
            other.close()

    def put(self, rows: StoreRows, prefix: str = "") -> list[Any]:
        with faults(self.path):
            known: list[tuple[int, int]] = []
            if len(rows):
                (next_id,) = self._db.execute(f"SELECT coalesce(max(id), 0) + 1 FROM {prefix}entries").fetchone()
                known = self._number(rows.digests, next_id, prefix)
                self._insert(f"{prefix}entries", 7, rows.entries(known, next_id))
                self._sight(rows.more(known, next_id), prefix)
            if rejects := rows.rejects:
                update = _ADD.replace("a.", f"{prefix}rejects.").replace("b.", "excluded.")
                self._insert(f"{prefix}rejects", 8, rejects, f"ON CONFLICT (digest) DO UPDATE SET {update}")
        marks = bytearray(len(rows))
        for place, _ in known:
            marks[place] = 1
        return rows.fresh(bytes(marks))

    def _number(self, digests: bytes, next_id: int, prefix: str) -> list[tuple[int, int]]:
        """Gives each digest that is not there a number, its place from `next_id` on; returns (place, entry) of the
        others. One way down the tree for each: what is there already is told by a function, and not changed.
        """
        self._noted.clear()
        insert = f"INSERT INTO {prefix}digests SELECT substr(?1, at + 1, 16), ?2 + at / 16 FROM place WHERE true "
        told = "ON CONFLICT (digest) DO UPDATE SET entry = entry WHERE note(excluded.entry - ?2, entry)"
        self._db.execute(f"{EACH_DIGEST}{insert}{told}", (digests, next_id))
        return self._noted.copy()

    def _sight(self, more: Sequence[Row], prefix: str) -> None:
        """Adds spellings to entries that are there: to the one that an entry holds, or beside it."""
        self._noted.clear()
        seen = _ADD.replace("a.", f"{prefix}entries.")
        for name, place in (("b.count", "?2"), ("b.first", "?3"), ("b.last", "?4")):
            seen = seen.replace(name, place)
        self._db.executemany(
            f"UPDATE {prefix}entries SET {seen} WHERE id = ?1 AND "
            "CASE WHEN spelling IS ?5 THEN true ELSE note(?6, id) END",
            [(row[0], row[3], row[4], row[5], row[2], at) for at, row in enumerate(more)],
        )
        update = _ADD.replace("a.", f"{prefix}spellings.").replace("b.", "excluded.")
        self._insert(
            f"{prefix}spellings (entry, digest, spelling, count, first, last, seal)",
            7,
            [more[at] for at, _ in self._noted],
            f"ON CONFLICT (entry, digest) DO UPDATE SET {update}",
        )

    def _insert(self, into: str, width: int, rows: Iterable[Row], then: str = "") -> None:
        """Inserts rows of so many columns, many with one statement."""
        left, rest = iter(rows), list[Row]()

        def together() -> Iterator[list[object]]:
            while len(group := list(islice(left, _TOGETHER))) == _TOGETHER:
                yield list(chain.from_iterable(group))
            rest.extend(group)

        row = f"({', '.join('?' * width)})"
        self._db.executemany(f"INSERT INTO {into} VALUES {', '.join([row] * _TOGETHER)} {then}", together())
        self._db.executemany(f"INSERT INTO {into} VALUES {row} {then}", rest)

    def index(self, prefix: str = "") -> str:
        return f"{prefix}digests"

    def entries_of(self, digests: Sequence[bytes], prefix: str = "") -> Iterator[tuple[bytes, Any]]:
        yield from self.found(f"{prefix}digests", "entry", digests)

    def found(self, table: str, columns: str, digests: Sequence[bytes]) -> Iterator[Row]:
        if not digests:
            return
        query = f"SELECT digest, {columns} FROM place CROSS JOIN {table} WHERE digest = substr(?1, at + 1, 16)"
        with faults(self.path):
            yield from self._db.execute(EACH_DIGEST + query, (b"".join(digests),)).fetchall()

    def fresh_tables(self, prefix: str) -> None:
        with faults(self.path):
            for statement in KEYED_SQLITE.values():
                self._db.execute(statement.format(prefix))

    def replace_tables(self, prefix: str) -> None:
        for table in KEYED_SQLITE:
            self.execute(f"DROP TABLE {table}")
            self.execute(f"ALTER TABLE {prefix}{table} RENAME TO {table}")

    def size(self) -> int:
        files = (Path(self.path + end) for end in ("", "-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def version(self) -> int:
        version: int = self.rows("PRAGMA user_version")[0][0]
        return version

    def verify(self) -> None:
        problems = [row[0] for row in self.rows("PRAGMA integrity_check(5)")]
        if problems != ["ok"]:
            raise StoreError("corrupt", self.path, "; ".join(problems))
