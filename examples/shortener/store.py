"""Short links in one SQLite file: a code for each key, found or made in one transaction. Any number
of processes and threads may share the file. Knows keys and codes; must not know URLs or HTTP."""

import secrets
import sqlite3
import string
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

ALPHABET = string.ascii_letters + string.digits
CODE_LENGTH = 7  # 62^7 codes: 3.5 trillion
WAIT_SECONDS = 30  # for other writers

SCHEMA = """
CREATE TABLE IF NOT EXISTS links (
    code TEXT PRIMARY KEY,
    href TEXT NOT NULL,      -- what to redirect to, as it came
    key TEXT UNIQUE,         -- what to look up; null where an older link has the same key under a newer policy
    policy TEXT NOT NULL,    -- what decided the key
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
)
"""


class Link(NamedTuple):
    code: str
    href: str
    created: str


class Store:
    """Links of one policy. `rekey` gives the key of an href: it is asked where the file was made
    under another policy."""

    def __init__(self, path: str, policy: str, rekey: Callable[[str], str]) -> None:
        self._path, self._policy = path, policy
        self._local = threading.local()
        with self._writing() as db:
            db.execute(SCHEMA)
            self._bring_up_to_date(db, rekey)

    def find_or_create(self, key: str, href: str) -> tuple[str, bool]:
        """The code of the key, and whether it is new. What has been returned is on the disk."""
        if code := self._code_of(self._db(), key):
            return code, False
        with self._writing() as db:
            if code := self._code_of(db, key):
                return code, False  # somebody else was faster
            code = self._unused_code(db)
            db.execute(
                "INSERT INTO links (code, href, key, policy) VALUES (?, ?, ?, ?)", (code, href, key, self._policy)
            )
            return code, True

    def href(self, code: str) -> str | None:
        """What a code redirects to."""
        row = self._db().execute("SELECT href FROM links WHERE code = ?", (code,)).fetchone()
        return row and row[0]

    def links(self, after: int, limit: int) -> tuple[list[Link], int | None]:
        """A page of links in order of creation, and where the next one begins."""
        query = "SELECT rowid, code, href, created FROM links WHERE rowid > ? ORDER BY rowid LIMIT ?"
        rows = self._db().execute(query, (after, limit + 1)).fetchall()
        page = rows[:limit]
        return [Link(*row[1:]) for row in page], page[-1][0] if len(rows) > limit else None

    def _code_of(self, db: sqlite3.Connection, key: str) -> str | None:
        row = db.execute("SELECT code FROM links WHERE key = ?", (key,)).fetchone()
        return row and row[0]

    def _unused_code(self, db: sqlite3.Connection) -> str:
        """A random code that no link has; longer ones where many are taken."""
        for tries in range(1000):
            code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH + tries // 10))
            if not db.execute("SELECT 1 FROM links WHERE code = ?", (code,)).fetchone():
                return code
        raise RuntimeError("no unused code was found")

    def _bring_up_to_date(self, db: sqlite3.Connection, rekey: Callable[[str], str]) -> None:
        """Keys of another policy are made anew, oldest first; a link whose key is taken keeps its code alone."""
        old = db.execute("SELECT code, href FROM links WHERE policy <> ? ORDER BY rowid", (self._policy,)).fetchall()
        if old:
            db.execute("UPDATE links SET key = NULL WHERE policy <> ?", (self._policy,))
        for code, href in old:
            key = rekey(href)
            key_if_free = None if self._code_of(db, key) else key
            db.execute("UPDATE links SET key = ?, policy = ? WHERE code = ?", (key_if_free, self._policy, code))

    def _db(self) -> sqlite3.Connection:
        """This thread's connection."""
        db: sqlite3.Connection | None = getattr(self._local, "db", None)
        if db is None:
            db = self._local.db = sqlite3.connect(self._path, timeout=WAIT_SECONDS, isolation_level=None)
            db.execute("PRAGMA synchronous = FULL")
        return db

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that no other writer is inside of."""
        db = self._db()
        db.execute("BEGIN IMMEDIATE")
        try:
            yield db
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")
