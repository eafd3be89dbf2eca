"""Another policy over all that a store holds: first told, then done, in one transaction each."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from urlkey._native import Policy, SeenTable, StoreRows
from urlkey.store import aliases, fetches, seals
from urlkey.store.engine import Engine, Row
from urlkey.store.reading import text
from urlkey.store.records import Rekeyed, Sample

_PAGE = 100_000
_NEW = "new_"
_SHOWN = 5

__all__ = ["run"]


class _DryRun(Exception):
    """Ends a transaction that is not to last."""


def run(engine: Engine, old_id: str, policy: Policy, *, apply: bool, samples: int) -> Rekeyed:
    """What the policy makes of the store, and with `apply` the store made anew."""
    told: Rekeyed | None = None
    with suppress(_DryRun), engine.writing(alone=True):
        told = replace(_told(engine, policy, samples), applied=apply)
        if not apply:
            raise _DryRun
        _make(engine, policy)
    assert told is not None
    return told


def _told(engine: Engine, policy: Policy, samples: int) -> Rekeyed:
    """Counts and samples, by way of a table that leads from entries to new keys."""
    engine.execute("DROP TABLE IF EXISTS moves")
    engine.execute(
        f"CREATE TEMP TABLE moves (entry {engine.entry_type}, digest {engine.digest_type}, UNIQUE (entry, digest))"
    )
    lost = won = 0
    table = SeenTable(policy)
    for rows in _spelled(engine, ""):
        digests, bad = table.digests([text(row[2]) for row in rows], on_error="null")
        lost += len(bad)
        unkeyed = {row for row, _ in bad}
        moves = [(row[0], digests[at * 16 : at * 16 + 16]) for at, row in enumerate(rows) if at not in unkeyed]
        engine.many("INSERT INTO moves VALUES (?, ?) ON CONFLICT DO NOTHING", moves)
    ((before,),) = engine.rows("SELECT count(*) FROM entries")
    for rejected in _rejects(engine, ""):
        digests, bad = table.digests([text(row[0]) for row in rejected], on_error="null")
        unkeyed = {row for row, _ in bad}
        won += len(rejected) - len(bad)
        # Of no entry.
        new = [(None, digests[at * 16 : at * 16 + 16]) for at in range(len(rejected)) if at not in unkeyed]
        engine.many("INSERT INTO moves VALUES (?, ?) ON CONFLICT DO NOTHING", new)
    ((after,),) = engine.rows("SELECT count(DISTINCT digest) FROM moves")
    same = f"FROM moves m JOIN {engine.index()} d ON d.digest = m.digest AND d.entry = m.entry"
    ((kept,),) = engine.rows(f"SELECT count(*) {same}")
    merged = "SELECT digest FROM moves WHERE entry IS NOT NULL GROUP BY digest HAVING count(*) > 1"
    split = "SELECT entry FROM moves WHERE entry IS NOT NULL GROUP BY entry HAVING count(*) > 1"
    ((merges,),) = engine.rows(f"SELECT count(*) FROM ({merged}) x")
    ((splits,),) = engine.rows(f"SELECT count(*) FROM ({split}) x")
    of_merges = [_merge(engine, policy, row[0]) for row in engine.rows(f"{merged} ORDER BY digest LIMIT {samples}")]
    of_splits = [_split(engine, policy, row[0]) for row in engine.rows(f"{split} ORDER BY entry LIMIT {samples}")]
    engine.execute("DROP TABLE moves")
    return Rekeyed(
        policy.id, False, before, after, after - kept, merges, splits, lost, won, tuple(of_merges), tuple(of_splits)
    )


def _merge(engine: Engine, policy: Policy, digest: bytes) -> Sample:
    """The keys that become one, and that one."""
    query = "SELECT key, spelling, id FROM moves JOIN entries ON id = entry WHERE digest = ? ORDER BY id LIMIT ?"
    rows = engine.rows(query, (digest, _SHOWN))
    after = [key for key in _new_keys(engine, policy, rows[0][2]) if seals.digest(key.encode()) == digest]
    return Sample(tuple(row[0] for row in rows), tuple(after))


def _split(engine: Engine, policy: Policy, entry: object) -> Sample:
    """The key that becomes several, and those."""
    ((key,),) = engine.rows("SELECT key FROM entries WHERE id = ?", (entry,))
    return Sample((key,), tuple(_new_keys(engine, policy, entry)[:_SHOWN]))


def _new_keys(engine: Engine, policy: Policy, entry: object) -> list[str]:
    query = (
        "SELECT key, spelling FROM entries WHERE id = ? UNION ALL SELECT '', spelling FROM spellings WHERE entry = ?"
    )
    rows = engine.rows(query, (entry, entry))
    key = next(row[0] for row in rows if row[0])
    spelled = [key if row[1] is None else text(row[1]) for row in rows]
    return sorted({new for new in policy.keys(spelled, on_error="null") if new is not None})


def _spelled(engine: Engine, prefix: str) -> Iterator[list[Row]]:
    """(entry, key, spelling as bytes, count, first, last) of every spelling, in pages."""
    after = engine.least
    while True:
        ids = engine.rows(f"SELECT id FROM {prefix}entries WHERE id > ? ORDER BY id LIMIT ?", (after, _PAGE))
        if not ids:
            return
        bounds = (ids[0][0], ids[-1][0])
        after = bounds[1]
        columns = "id, key, spelling, count, first, last, seal"
        lead = f"SELECT {columns} FROM {prefix}entries WHERE id BETWEEN ? AND ? ORDER BY id"
        rows, keys = [], {}
        for entry, key, spelling, *seen, seal in engine.rows(lead, bounds):
            data = key.encode() if spelling is None else spelling
            keys[entry] = key
            seals.check_sighted(engine.path, "entries", seal, seals.digest(key.encode()), seals.digest(data), *seen)
            rows.append((entry, key, data, *seen))
        yield rows
        # A key may have any number of other spellings.
        at = (bounds[0], bytes(16))
        others = (
            f"SELECT entry, digest, spelling, count, first, last FROM {prefix}spellings "
            "WHERE (entry, digest) > (?, ?) AND entry <= ? ORDER BY entry, digest LIMIT ?"
        )
        while found := engine.rows(others, (*at, bounds[1], _PAGE)):
            at = (found[-1][0], found[-1][1])
            yield [
                (entry, keys[entry], keys[entry].encode() if spelling is None else spelling, *seen)
                for entry, _, spelling, *seen in found
            ]


def _rejects(engine: Engine, prefix: str) -> Iterator[list[Row]]:
    """(text, count, first, last) of every reject, in pages."""
    after = b""
    query = f"SELECT digest, text, count, first, last FROM {prefix}rejects WHERE digest > ? ORDER BY digest LIMIT ?"
    while rows := engine.rows(query, (after, _PAGE)):
        after = rows[-1][0]
        yield [row[1:] for row in rows]


def _make(engine: Engine, policy: Policy) -> None:
    """Builds the new tables beside the old ones and puts them in their place."""
    engine.fresh_tables(_NEW)
    for rows in _spelled(engine, ""):
        engine.put(StoreRows.counted([tuple(row[2:]) for row in rows], policy), _NEW)
    for rejected in _rejects(engine, ""):
        engine.put(StoreRows.counted([tuple(row) for row in rejected], policy), _NEW)
    _fetches(engine, policy)
    engine.replace_tables(_NEW)
    aliases.remake(engine, policy)
    row = (policy.id, policy.name, policy.text, int(time.time()))
    engine.execute("INSERT INTO policies VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING", row)
    engine.execute("UPDATE store SET policy_id = ?", (policy.id,))


def _fetches(engine: Engine, policy: Policy) -> None:
    """Each fetch goes to the key of the URL that was fetched; of several the last stays."""
    after = engine.least
    query = f"SELECT {fetches.COLUMNS} FROM fetches WHERE entry > ? ORDER BY entry LIMIT ?"
    while rows := engine.rows(query, (after, _PAGE)):
        after = rows[-1][0]
        by_digest: dict[bytes, Row] = {}
        for _, *facts in sorted(rows, key=lambda row: row[2]):
            with suppress(ValueError):
                by_digest[policy.digest(text(facts[0]))] = tuple(facts)
        moved = engine.entries_of(sorted(by_digest), _NEW)
        fetches.keep(engine, [(entry, *by_digest[digest]) for digest, entry in moved], _NEW)
