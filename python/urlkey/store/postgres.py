"""A store in PostgreSQL, through psycopg 3 (extra `postgres`). Must not know what a key is.

Of a batch, the keys that are there are found by their digests; the others come by binary COPY, and what was seen
again by two statements over arrays. Each of them goes by the order of digests, so that two writers wait for each
other and never in a circle.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from urlkey._native import StoreRows, digest_array
from urlkey.store.engine import ADD, Row
from urlkey.store.errors import StoreError
from urlkey.store.tables import KEYED_POSTGRES, MIGRATIONS_POSTGRES, TABLES_POSTGRES

try:
    import psycopg
    from psycopg import errors
    from psycopg.abc import Buffer
    from psycopg.adapt import Dumper, Loader
    from psycopg.pq import Format

    from urlkey.store.postgres_lookup import BY_INDEX, Lookup, known_query, parts
except ImportError:
    raise ImportError("PostgreSQL needs psycopg: pip install 'urlkey[postgres]'") from None

# Advisory locks: while tables are made, and of writers, shared, which a change of policy has to itself.
_TABLES, _WRITERS = 0x75726B74, 0x75726B75

__all__ = ["PostgresEngine"]


@contextmanager
def faults(path: str) -> Iterator[None]:
    """Errors of PostgreSQL become StoreError."""
    try:
        yield
    except psycopg.Error as error:
        code = _code(error)
        if code is None:
            raise
        # A message may have lines of context; the first says it.
        raise StoreError(code, path, str(error).partition("\n")[0]) from error


def _code(error: psycopg.Error) -> str | None:
    state = error.sqlstate or ""
    failed = isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    if isinstance(error, errors.DiskFull):
        return "full"
    if isinstance(error, errors.LockNotAvailable | errors.DeadlockDetected | errors.SerializationFailure):
        return "busy"
    if isinstance(error, errors.DataCorrupted | errors.IndexCorrupted | errors.UndefinedTable | errors.UndefinedColumn):
        return "corrupt"
    if isinstance(error, errors.ReadOnlySqlTransaction | errors.InsufficientPrivilege):
        return "read-only"
    if isinstance(error, errors.IoError):
        return "io"
    if state[:2] in ("08", "57") or (failed and not state):
        return "lost"
    return None


class _Bytes(Dumper):
    """Bytes as they are: whether they are a bytea, a uuid or an array, the server sees by where they stand."""

    format = Format.BINARY

    def dump(self, obj: bytes) -> bytes:
        return obj


class _Digest(Loader):
    """The 16 bytes of a uuid."""

    format = Format.BINARY

    def load(self, data: Buffer) -> bytes:
        return bytes(data)


class PostgresEngine:
    """See `urlkey.store.engine.Engine`. A lost connection is made anew by the next transaction."""

    digest_type = entry_type = "UUID"
    least: object = bytes(16)

    def __init__(self, url: str, *, set_up: bool = True) -> None:
        self._url, self.path = url, _shown(url)
        self._in_transaction = self._written = False
        self._lookup = Lookup(self._connect)
        with faults(self.path):
            self._db = self._connect()
            if set_up:
                self._set_up()

    def _connect(self) -> psycopg.Connection[Any]:
        db = psycopg.connect(self._url, autocommit=True)
        db.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
        db.adapters.register_dumper(bytes, _Bytes)
        db.adapters.register_loader("uuid", _Digest)
        db.execute("SET client_min_messages = warning")
        # What is acknowledged is on the disk, whatever others do with this server.
        durable = "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = "
        db.execute(f"{durable}'off'".encode())
        return db

    def _set_up(self) -> None:
        with self._db.transaction():
            self._db.execute("SELECT pg_advisory_xact_lock(%s)", (_TABLES,))
            self._db.execute("CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY, time BIGINT NOT NULL)")
            ((version,),) = self._db.execute("SELECT coalesce(max(version), 0) FROM migrations").fetchall()
            if version > len(MIGRATIONS_POSTGRES):
                detail = f"version {version}, this release knows {len(MIGRATIONS_POSTGRES)}"
                raise StoreError("newer", self.path, detail)
            for number, statements in enumerate(MIGRATIONS_POSTGRES[version:], version + 1):
                for statement in statements:
                    self._db.execute(statement.encode())
                self._db.execute("INSERT INTO migrations VALUES (%s, %s)", (number, int(time.time())))

    def close(self) -> None:
        self._lookup.close()
        self._db.close()

    def _alive(self) -> psycopg.Connection[Any]:
        if self._db.closed and not self._in_transaction:
            self._db = self._connect()
        return self._db

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        with faults(self.path):
            return self._alive().execute(_statement(sql), parameters, binary=True).fetchall()

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> int:
        with faults(self.path):
            return self._alive().execute(_statement(sql), parameters).rowcount

    def many(self, sql: str, rows: Sequence[Row]) -> None:
        if rows:
            with faults(self.path), self._alive().cursor() as cursor:
                cursor.executemany(_statement(sql), rows)

    @contextmanager
    def writing(self, *, alone: bool = False) -> Iterator[None]:
        lock = "pg_advisory_xact_lock" if alone else "pg_advisory_xact_lock_shared"
        with faults(self.path), self._alive().transaction():
            self._in_transaction, self._written = True, False
            try:
                self._db.execute(f"SELECT {lock}(%s)".encode(), (_WRITERS,))
                yield
            finally:
                self._in_transaction = False

    @contextmanager
    def snapshot(self) -> Iterator[PostgresEngine]:
        other = PostgresEngine(self._url, set_up=False)
        try:
            with faults(self.path):
                other._db.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield other
        finally:
            other.close()

    def put(self, rows: StoreRows, prefix: str = "") -> list[Any]:
        with faults(self.path):
            known = b""
            if len(rows):
                self._db.execute(BY_INDEX.encode())
                known = self._add(rows, prefix)
                self._sight(rows, known, prefix)
            self._written = True
            self._reject(rows, prefix)
            return rows.fresh(known)

    def _add(self, rows: StoreRows, prefix: str) -> bytes:
        """Adds the keys that are not there; of each key a byte, 1 if it was there.

        A large batch goes in parts by the order of digests: which keys of the next part are there, the server finds
        out on another connection meanwhile. That one does not see what this transaction has written.
        """
        given = parts(rows.digests)
        if len(given) == 1 or self._written:
            return b"".join(self._copy(rows, first, part, prefix, None) for first, part in given)
        with self._lookup.ahead(prefix, [part for _, part in given]) as answers:
            both = zip(given, answers, strict=True)
            return b"".join(self._copy(rows, first, part, prefix, told) for (first, part), told in both)

    def _copy(self, rows: StoreRows, first: int, digests: bytes, prefix: str, told: bytes | None) -> bytes:
        """Adds the keys of a part that are not there; `told` are those that are, as far as that is known."""
        stop = first + len(digests) // 16
        copy_in = f"COPY {prefix}entries (id, count, first, last, seal, key, spelling) FROM STDIN (FORMAT BINARY)"
        while True:
            if told is None:
                told = self._told(known_query(prefix), (digest_array(digests, as_uuid=True),))
            known = rows.known(told, first, stop)
            if 0 not in known:
                return known
            try:
                # Cheaper than ON CONFLICT by half.
                with self._db.transaction(), self._db.cursor() as cursor, cursor.copy(copy_in.encode()) as copy:
                    for block in rows.copy_blocks(first, known):
                        copy.write(block)
            except errors.UniqueViolation:
                told = None  # another writer has been faster: its keys are there now
                continue
            return known

    def _sight(self, rows: StoreRows, known: bytes, prefix: str) -> None:
        """Adds spellings to keys that are there: to the one that an entry holds, or beside it."""
        arrays = rows.sighted_arrays(known, b"")
        if arrays is None:
            return
        entry, _, spelling, count, first, last, _ = arrays
        done = self._told(
            f"WITH done AS (UPDATE {prefix}entries a SET {ADD} FROM "
            "unnest(%s::uuid[], %s::bytea[], %s::bigint[], %s::bigint[], %s::bigint[]) "
            "WITH ORDINALITY AS b (entry, spelling, count, first, last, place) "
            "WHERE a.id = b.entry AND a.spelling IS NOT DISTINCT FROM b.spelling RETURNING place) "
            "SELECT string_agg(int8send(place), '') FROM done",
            (entry, spelling, count, first, last),
        )
        left = rows.sighted_arrays(known, done)
        if left is None:
            return
        update = ADD.replace("b.", "excluded.")
        self._db.execute(
            f"INSERT INTO {prefix}spellings AS a (entry, digest, spelling, count, first, last, seal) SELECT * FROM "
            "unnest(%s::uuid[], %s::uuid[], %s::bytea[], %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[]) "
            f"AS b (entry, digest) ORDER BY entry, digest ON CONFLICT (entry, digest) DO UPDATE SET {update}".encode(),
            left,
        )

    def _told(self, query: str, parameters: Sequence[bytes]) -> bytes:
        """The bytes that a query gives, or none."""
        ((told,),) = self._db.execute(query.encode(), parameters, binary=True).fetchall()
        return told or b""

    def _reject(self, rows: StoreRows, prefix: str) -> None:
        """Adds the rows without a key. The same text may come twice, which one statement could not take."""
        insert = f"INSERT INTO {prefix}rejects AS a VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (digest) DO UPDATE SET "
        self.many(insert + ADD.replace("b.", "excluded."), sorted(rows.rejects))

    def index(self, prefix: str = "") -> str:
        return f"(SELECT id AS digest, id AS entry FROM {prefix}entries)"

    def entries_of(self, digests: Sequence[bytes], prefix: str = "") -> Iterator[tuple[bytes, Any]]:
        asked = digest_array(b"".join(digests), as_uuid=True)
        for (digest,) in self.rows(f"SELECT id FROM {prefix}entries WHERE id = ANY(?::uuid[])", (asked,)):
            yield digest, digest

    def found(self, table: str, columns: str, digests: Sequence[bytes]) -> Iterator[Row]:
        asked = digest_array(b"".join(digests), as_uuid=False)
        yield from self.rows(f"SELECT digest, {columns} FROM {table} WHERE digest = ANY(?::bytea[])", (asked,))

    def fresh_tables(self, prefix: str) -> None:
        for statement in KEYED_POSTGRES.values():
            self.execute(statement.format(prefix))

    def replace_tables(self, prefix: str) -> None:
        for table in KEYED_POSTGRES:
            self.execute(f"DROP TABLE {table}")
            self.execute(f"ALTER TABLE {prefix}{table} RENAME TO {table}")
            # An index keeps the name that it was made with.
            self.execute(f"ALTER INDEX {prefix}{table}_pkey RENAME TO {table}_pkey")

    def size(self) -> int:
        query = (
            "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c "
            "WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname = ANY(?)"
        )
        size: int = self.rows(query, ([*TABLES_POSTGRES],))[0][0]
        return size

    def version(self) -> int:
        version: int = self.rows("SELECT max(version) FROM migrations")[0][0]
        return version

    def verify(self) -> None:
        """Pages are the server's to check: see its data checksums."""


def _statement(sql: str) -> bytes:
    return sql.replace("?", "%s").encode()


def _shown(url: str) -> str:
    """The URL as messages show it: without user, password and options."""
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    return f"postgresql://{parts.hostname or ''}{port}{parts.path}"
