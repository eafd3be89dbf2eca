"""SQLite files: how they are opened, brought up to date, written to, and what their errors mean. Must not know
what tables are for.

A commit is on the disk when it returns (write-ahead log, `synchronous = FULL`); one that was not reached is
undone by whoever opens the file next.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from urlkey.store.errors import StoreError

CACHE_MIB = 256
WAIT_SECONDS = 60
# Pages of the log before they go to their places: few large rounds instead of many small ones.
_CHECKPOINT_PAGES = 16_000
_OLDEST = (3, 37, 0)

_CODES = {
    sqlite3.SQLITE_BUSY: "busy",
    sqlite3.SQLITE_LOCKED: "busy",
    sqlite3.SQLITE_CORRUPT: "corrupt",
    sqlite3.SQLITE_NOTADB: "corrupt",
    sqlite3.SQLITE_FORMAT: "corrupt",
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_IOERR: "io",
    sqlite3.SQLITE_CANTOPEN: "io",
    sqlite3.SQLITE_PROTOCOL: "busy",
    sqlite3.SQLITE_READONLY: "read-only",
    sqlite3.SQLITE_PERM: "read-only",
    sqlite3.SQLITE_AUTH: "read-only",
}

# Numbers 0, 16, 32 ... below the length of the first parameter: digests end to end, taken apart by SQL. A recursion
# costs more for each row than a loop does, so it only makes the steps of a block and the starts of blocks.
EACH_DIGEST = (
    "WITH RECURSIVE step(i) AS MATERIALIZED "
    "(SELECT 0 UNION ALL SELECT i + 16 FROM step WHERE i + 16 < min(length(?1), 16384)), "
    "block(b) AS (SELECT 0 UNION ALL SELECT b + 16384 FROM block WHERE b + 16384 < length(?1)), "
    "place(at) AS (SELECT b + i FROM block CROSS JOIN step WHERE b + i < length(?1)) "
)

__all__ = ["CACHE_MIB", "EACH_DIGEST", "connect", "faults", "writing"]


@contextmanager
def faults(path: str) -> Iterator[None]:
    """Errors of SQLite become StoreError."""
    try:
        yield
    except sqlite3.Error as error:
        code = _CODES.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
        if code is None and isinstance(error, sqlite3.OperationalError | sqlite3.IntegrityError):
            # A table that is not there, a row that breaks a rule: no statement of ours does that to a whole file.
            code = "corrupt"
        if code is None:
            raise
        raise StoreError(code, path, str(error)) from error
    except OverflowError as error:
        raise StoreError("corrupt", path, str(error)) from error


def connect(path: str | os.PathLike[str], application: int, migrations: Sequence[Sequence[str]]) -> sqlite3.Connection:
    """An open file of this application, made if it is not there, with all migrations done.

    Raises StoreError: `not-a-store` for a database of somebody else, `newer` for one with more migrations.
    """
    name, wait = os.fspath(path), WAIT_SECONDS
    if sqlite3.sqlite_version_info < _OLDEST:
        raise RuntimeError(f"SQLite {sqlite3.sqlite_version} is too old; stores need 3.37")
    with faults(name):
        db = sqlite3.connect(name, timeout=wait, isolation_level=None, check_same_thread=False)
        try:
            _set_up(db, name, application, migrations, wait)
        except BaseException:
            db.close()
            raise
    return db


def _set_up(
    db: sqlite3.Connection, path: str, application: int, migrations: Sequence[Sequence[str]], wait: float
) -> None:
    # Of one moment: somebody else may be making the tables.
    db.execute("BEGIN")
    found, version = _value(db, "application_id"), _value(db, "user_version")
    empty = not db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    db.execute("COMMIT")
    if found != application and not (empty and found == 0):
        raise StoreError("not-a-store", path)
    _write_ahead(db, wait)
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA temp_store = FILE")
    db.execute(f"PRAGMA cache_size = {-CACHE_MIB * 1024}")
    db.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
    db.execute("PRAGMA cell_size_check = ON")
    db.execute("PRAGMA trusted_schema = OFF")
    if version < len(migrations) or empty:
        with writing(db):
            version = _value(db, "user_version")  # somebody else may have been faster
            for number, statements in enumerate(migrations[version:], version + 1):
                for statement in statements:
                    db.execute(statement)
                db.execute(f"PRAGMA user_version = {number}")
            db.execute(f"PRAGMA application_id = {application}")
    if version > len(migrations):
        raise StoreError("newer", path, f"version {version}, this release knows {len(migrations)}")


def _value(db: sqlite3.Connection, pragma: str) -> int:
    value: int = db.execute(f"PRAGMA {pragma}").fetchone()[0]
    return value


def _write_ahead(db: sqlite3.Connection, wait: float) -> None:
    """Switches to the write-ahead log; SQLite does not wait by itself while others do the same."""
    end = time.monotonic() + wait
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            if not busy or time.monotonic() > end:
                raise
            time.sleep(0.01)


@contextmanager
def writing(db: sqlite3.Connection) -> Iterator[None]:
    """A transaction that no other writer is inside of: all of it, or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        # SQLite has undone it by itself where the disk is full.
        with suppress(sqlite3.Error):
            if db.in_transaction:
                db.execute("ROLLBACK")
        raise
