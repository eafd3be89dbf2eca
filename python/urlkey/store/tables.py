"""The tables of a store, and the steps from version to version, for both engines. A step that was released is
never changed: a new one is added. Must not know what is done with the tables.

An entry holds the spelling that came first (null if it is the key), `spellings` the others, under the entry and
the digest of the spelling. `seal` is what tells a row that lost a bit; see `urlkey.store.seals`.

In SQLite entries have numbers in the order they came, and `digests` leads from a digest to a number: the large
rows are written once, and only the small ones at random places. PostgreSQL has a heap and an index anyway: there
the digest is the entry's id.
"""

from __future__ import annotations

_SIGHTINGS = "count BIGINT NOT NULL, first BIGINT NOT NULL, last BIGINT NOT NULL, seal BIGINT NOT NULL"

# Tables that hold keys. What `{0}` stands before is made twice: a change of policy builds the new tables beside
# the old ones.
KEYED_SQLITE = {
    "digests": "CREATE TABLE {0}digests (digest BLOB PRIMARY KEY, entry INTEGER NOT NULL) WITHOUT ROWID, STRICT",
    "entries": "CREATE TABLE {0}entries (id INTEGER PRIMARY KEY, key TEXT NOT NULL, spelling BLOB, "
    "count INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, seal INTEGER NOT NULL) STRICT",
    "spellings": "CREATE TABLE {0}spellings (entry INTEGER NOT NULL, digest BLOB NOT NULL, spelling BLOB, "
    "count INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, seal INTEGER NOT NULL, "
    "PRIMARY KEY (entry, digest)) WITHOUT ROWID, STRICT",
    "rejects": "CREATE TABLE {0}rejects (digest BLOB PRIMARY KEY, text BLOB NOT NULL, code TEXT NOT NULL, "
    "at INTEGER NOT NULL, count INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, "
    "seal INTEGER NOT NULL) WITHOUT ROWID, STRICT",
    "fetches": "CREATE TABLE {0}fetches (entry INTEGER PRIMARY KEY, url BLOB NOT NULL, time INTEGER NOT NULL, "
    "status INTEGER NOT NULL, etag TEXT, modified TEXT, content BLOB, seal INTEGER NOT NULL) STRICT",
}
# Pages keep room for a few sightings more, so that these change no index.
KEYED_POSTGRES = {
    "entries": f"CREATE TABLE {{0}}entries (id UUID PRIMARY KEY, {_SIGHTINGS}, key TEXT NOT NULL, spelling BYTEA) "
    "WITH (fillfactor = 90)",
    "spellings": f"CREATE TABLE {{0}}spellings (entry UUID NOT NULL, digest UUID NOT NULL, {_SIGHTINGS}, "
    "spelling BYTEA, PRIMARY KEY (entry, digest)) WITH (fillfactor = 90)",
    "rejects": "CREATE TABLE {0}rejects (digest BYTEA PRIMARY KEY, text BYTEA NOT NULL, code TEXT NOT NULL, "
    f"at BIGINT NOT NULL, {_SIGHTINGS})",
    "fetches": "CREATE TABLE {0}fetches (entry UUID PRIMARY KEY, url BYTEA NOT NULL, time BIGINT NOT NULL, "
    "status BIGINT NOT NULL, etag TEXT, modified TEXT, content BYTEA, seal BIGINT NOT NULL)",
}

_OTHERS_SQLITE = (
    "CREATE TABLE store (one INTEGER PRIMARY KEY CHECK (one = 1), policy_id TEXT NOT NULL) STRICT",
    "CREATE TABLE policies (id TEXT PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL, since INTEGER NOT NULL) "
    "STRICT",
    "CREATE TABLE edges (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, from_digest BLOB NOT NULL, "
    "to_digest BLOB NOT NULL, from_url BLOB NOT NULL, to_url BLOB NOT NULL, weight REAL NOT NULL, "
    "reason TEXT NOT NULL, source TEXT NOT NULL, time INTEGER NOT NULL, undone INTEGER, seal INTEGER NOT NULL) STRICT",
    "CREATE INDEX edges_from ON edges (from_digest)",
    "CREATE INDEX edges_to ON edges (to_digest)",
    "CREATE TABLE aliases (digest BLOB PRIMARY KEY, leader BLOB NOT NULL, key TEXT NOT NULL, seal INTEGER NOT NULL) "
    "WITHOUT ROWID, STRICT",
    "CREATE INDEX aliases_leader ON aliases (leader)",
)


def _postgres(statement: str) -> str:
    """The same statement for PostgreSQL."""
    for ours, theirs in (
        (" WITHOUT ROWID", ""),
        (", STRICT", ""),
        (" STRICT", ""),
        ("INTEGER PRIMARY KEY AUTOINCREMENT", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
        ("INTEGER", "BIGINT"),
        ("BLOB", "BYTEA"),
        ("REAL", "DOUBLE PRECISION"),
    ):
        statement = statement.replace(ours, theirs)
    return statement


MIGRATIONS_SQLITE = (tuple(statement.format("") for statement in KEYED_SQLITE.values()) + _OTHERS_SQLITE,)
MIGRATIONS_POSTGRES = (
    tuple(statement.format("") for statement in KEYED_POSTGRES.values()) + tuple(map(_postgres, _OTHERS_SQLITE)),
)
# All of a store in PostgreSQL.
TABLES_POSTGRES = (*KEYED_POSTGRES, "store", "policies", "edges", "aliases", "migrations")

__all__ = ["KEYED_POSTGRES", "KEYED_SQLITE", "MIGRATIONS_POSTGRES", "MIGRATIONS_SQLITE", "TABLES_POSTGRES"]
