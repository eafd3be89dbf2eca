"""Rows of a store as records, each held to its seal. Must not write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from urlkey._native import Policy
from urlkey.store import fetches as fetched
from urlkey.store import seals
from urlkey.store.engine import Engine, Row
from urlkey.store.errors import StoreError
from urlkey.store.records import Entry, Fetch, Reject, Spelling, Stats

_PAGE = 1_000
_ENTRY = "SELECT id, key, spelling, count, first, last, seal FROM entries"
_SPELLING = "SELECT entry, digest, spelling, count, first, last, seal FROM spellings"
_FETCH = f"SELECT {fetched.COLUMNS} FROM fetches"

__all__ = ["batches", "entries", "fetch", "rejects", "stats", "text", "verify"]


def text(data: bytes) -> str | bytes:
    """A spelling as it is given back: str where it is UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def batches(engine: Engine, size: int) -> Iterator[list[Entry]]:
    """All entries, by id: the order in which they came in SQLite, that of digests in PostgreSQL."""
    after, batch = engine.least, list[Entry]()
    while ids := _page(engine, after):
        after = ids[-1]
        batch += entries(engine, ids)
        while len(batch) >= size:
            yield batch[:size]
            batch = batch[size:]
    if batch:
        yield batch


def _page(engine: Engine, after: Any) -> list[Any]:
    """The next ids."""
    query = "SELECT id FROM entries WHERE id > ? ORDER BY id LIMIT ?"
    return [row[0] for row in engine.rows(query, (after, _PAGE))]


def entries(engine: Engine, ids: Sequence[Any]) -> list[Entry]:
    """The entries of ascending ids that lie together."""
    bounds = (ids[0], ids[-1])
    rows = engine.rows(f"{_ENTRY} WHERE id BETWEEN ? AND ? ORDER BY id", bounds)
    if [row[0] for row in rows] != list(ids):
        raise StoreError("corrupt", engine.path, "entries are missing")
    digests = [seals.digest(row[1].encode()) for row in rows]
    others: dict[Any, list[Spelling]] = {}
    of_id = dict(zip(ids, zip(digests, rows, strict=True), strict=True))
    for row in engine.rows(f"{_SPELLING} WHERE entry BETWEEN ? AND ? ORDER BY entry, first, digest", bounds):
        if row[0] not in of_id:
            raise StoreError("corrupt", engine.path, "a spelling of no entry")
        others.setdefault(row[0], []).append(_other(engine.path, row, of_id[row[0]][0], of_id[row[0]][1][1]))
    fetches = {row[0]: _fetch(engine.path, row) for row in engine.rows(f"{_FETCH} WHERE entry BETWEEN ? AND ?", bounds)}
    leaders: dict[bytes, str] = {}
    for digest, leader, key, seal in engine.found("aliases", "leader, key, seal", digests):
        seals.check(engine.path, "aliases", seal, digest, leader, key)
        leaders[digest] = key
    return [
        Entry(
            row[1],
            digest,
            (_lead(engine.path, row, digest), *others.get(row[0], ())),
            fetches.get(row[0]),
            leaders.get(digest) or str(row[1]),
        )
        for digest, row in zip(digests, rows, strict=True)
    ]


def _lead(path: str, row: Row, digest: bytes) -> Spelling:
    """The spelling that an entry holds."""
    _, key, spelling, count, first, last, seal = row
    data = key.encode() if spelling is None else spelling
    seals.check_sighted(path, "entries", seal, digest, seals.digest(data), count, first, last)
    return Spelling(text(data), count, first, last)


def _other(path: str, row: Row, digest: bytes, key: str) -> Spelling:
    _, own, spelling, count, first, last, seal = row
    data = key.encode() if spelling is None else spelling
    if seals.digest(data) != own:
        raise StoreError("corrupt", path, "a row of the table spellings")
    seals.check_sighted(path, "spellings", seal, digest, own, count, first, last)
    return Spelling(text(data), count, first, last)


def _fetch(path: str, row: Row) -> Fetch:
    _, url, *facts, seal = row
    seals.check(path, "fetches", seal, url, *facts)
    return Fetch(text(url), *facts)


def fetch(engine: Engine, entry: Any) -> Fetch | None:
    """The last fetch of an entry."""
    rows = engine.rows(f"{_FETCH} WHERE entry = ?", (entry,))
    return _fetch(engine.path, rows[0]) if rows else None


def rejects(engine: Engine) -> Iterator[Reject]:
    """All rejects, by digest."""
    after = b""
    query = (
        "SELECT digest, text, code, at, count, first, last, seal FROM rejects WHERE digest > ? ORDER BY digest LIMIT ?"
    )
    while rows := engine.rows(query, (after, _PAGE)):
        for digest, data, code, at, count, first, last, seal in rows:
            if seals.digest(data) != digest:
                raise StoreError("corrupt", engine.path, "a row of the table rejects")
            why = seals.digest(f"{code} {at}".encode())
            seals.check_sighted(engine.path, "rejects", seal, digest, why, count, first, last)
            yield Reject(text(data), code, at, count, first, last)
        after = rows[-1][0]


def stats(engine: Engine, policy_id: str) -> Stats:
    """Counts of all tables."""

    def one(query: str) -> int:
        return int(engine.rows(query)[0][0])

    keys = one("SELECT count(*) FROM entries")
    ((name,),) = engine.rows("SELECT name FROM policies WHERE id = ?", (policy_id,))
    return Stats(
        keys,
        keys + one("SELECT count(*) FROM spellings"),
        one("SELECT coalesce(sum(count), 0) FROM entries")
        + one("SELECT coalesce(sum(count), 0) FROM spellings")
        + one("SELECT coalesce(sum(count), 0) FROM rejects"),
        one("SELECT count(*) FROM rejects"),
        one("SELECT count(*) FROM fetches"),
        one("SELECT count(*) FROM edges"),
        one("SELECT count(*) FROM aliases"),
        policy_id,
        name,
        engine.version(),
    )


def verify(engine: Engine, policy: Policy) -> None:
    """Raises StoreError ('corrupt') where tables do not agree with each other or with their seals."""
    from urlkey.store import aliases

    after: Any = engine.least
    count = spellings = fetches = 0
    while ids := _page(engine, after):
        after = ids[-1]
        batch = entries(engine, ids)
        count += len(batch)
        spellings += sum(len(entry.spellings) - 1 for entry in batch)
        fetches += sum(entry.fetch is not None for entry in batch)
        held = dict(engine.entries_of([entry.digest for entry in batch]))
        if [held.get(entry.digest) for entry in batch] != ids:
            raise StoreError("corrupt", engine.path, "an entry is not found by its digest")
        if not _agrees(engine, policy, batch):
            raise StoreError("corrupt", engine.path, "a spelling has another key")
    for _ in rejects(engine):
        pass
    for table, wanted in ((engine.index(), count), ("spellings", spellings), ("fetches", fetches)):
        if engine.rows(f"SELECT count(*) FROM {table} counted")[0][0] != wanted:
            raise StoreError("corrupt", engine.path, f"the table {table} has rows of no entry")
    aliases.verify(engine, policy)


def _agrees(engine: Engine, policy: Policy, batch: Sequence[Entry]) -> bool:
    """Whether the spellings have the keys that they are kept under; not asked of a store that waits for `rekey`."""
    ((stored,),) = engine.rows("SELECT policy_id FROM store")
    if stored != policy.id:
        return True
    pairs = [(entry.key, spelling.text) for entry in batch for spelling in entry.spellings]
    return [key for key, _ in pairs] == policy.keys([spelling for _, spelling in pairs], on_error="null")
