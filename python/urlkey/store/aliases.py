"""Evidence as edges between keys, and the aliases that follow from those of the kind `alias`: connected
components, each with a leader. Must not know what evidence means."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from urlkey._native import Policy
from urlkey.store import seals
from urlkey.store.engine import Engine
from urlkey.store.errors import StoreError
from urlkey.store.reading import text
from urlkey.store.records import Edge

KIND = "alias"
_COLUMNS = "id, kind, from_digest, to_digest, from_url, to_url, weight, reason, source, time, undone, seal"
_INSERT = (
    "INSERT INTO edges (kind, from_digest, to_digest, from_url, to_url, weight, reason, source, time, undone, seal) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id"
)
_PAGE = 1_000

__all__ = ["add", "edge", "edges", "leader", "remake", "undo", "verify"]


def add(engine: Engine, policy: Policy, given: Iterable[Sequence[Any]]) -> list[int]:
    """Writes edges (kind, from, to, weight, reason, time, source); returns their ids."""
    ids, touched = [], set()
    for kind, source_url, target_url, weight, reason, time, source in given:
        ends = policy.digest(source_url), policy.digest(target_url)
        urls = _bytes(source_url), _bytes(target_url)
        row = (str(kind), *ends, *urls, float(weight), str(reason), str(source), int(time), None)
        ids.append(engine.rows(_INSERT, (*row, seals.crc(*row)))[0][0])
        if kind == KIND:
            touched |= set(ends)
    _settle(engine, policy, touched)
    return ids


def undo(engine: Engine, policy: Policy, ids: Iterable[int], time: int) -> None:
    """Marks edges as taken back, and takes apart what they held together."""
    touched = set[bytes]()
    for edge in dict.fromkeys(ids):
        found = engine.rows(f"SELECT {_COLUMNS} FROM edges WHERE id = ?", (edge,))
        if not found:
            raise KeyError(f"no edge {edge}")
        _, *row, undone, _ = found[0]
        if undone is not None:
            continue
        engine.execute("UPDATE edges SET undone = ?, seal = ? WHERE id = ?", (time, seals.crc(*row, time), edge))
        if row[0] == KIND:
            touched |= {row[1], row[2]}
    _settle(engine, policy, touched)


def leader(engine: Engine, digest: bytes) -> str | None:
    """The key that stands for the key of this digest, if it is another."""
    for found, key, seal in engine.rows("SELECT leader, key, seal FROM aliases WHERE digest = ?", (digest,)):
        seals.check(engine.path, "aliases", seal, digest, found, key)
        return str(key)
    return None


def edges(engine: Engine, policy: Policy, digest: bytes | None, kind: str | None) -> list[Edge]:
    """Edges at a digest, or all, of a kind, or of all; by id."""
    conditions, parameters = [], list[object]()
    if digest is not None:
        conditions.append("(from_digest = ? OR to_digest = ?)")
        parameters += [digest, digest]
    if kind is not None:
        conditions.append("kind = ?")
        parameters.append(kind)
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return _edges(engine, policy, engine.rows(f"SELECT {_COLUMNS} FROM edges{where} ORDER BY id", parameters))


def edge(engine: Engine, policy: Policy, number: int) -> Edge:
    """The edge of this id. Raises KeyError."""
    found = _edges(engine, policy, engine.rows(f"SELECT {_COLUMNS} FROM edges WHERE id = ?", (number,)))
    if not found:
        raise KeyError(f"no edge {number}")
    return found[0]


def _edges(engine: Engine, policy: Policy, rows: Sequence[tuple[Any, ...]]) -> list[Edge]:
    made = []
    for number, *row, seal in rows:
        seals.check(engine.path, "edges", seal, *row)
        kind, _, _, from_url, to_url, weight, reason, source, time, undone = row
        ends = [text(from_url), text(to_url)]
        keys = policy.keys(ends)
        made.append(Edge(number, kind, keys[0], keys[1], weight, reason, time, source, ends[0], ends[1], undone))
    return made


def _settle(engine: Engine, policy: Policy, touched: set[bytes]) -> None:
    """Makes the aliases anew of every component that one of these keys is or was in."""
    asked = set(touched)
    for _, led in engine.found("aliases", "leader", sorted(touched)):
        asked.add(led)
    for led in sorted(asked):
        asked |= {row[0] for row in engine.rows("SELECT digest FROM aliases WHERE leader = ?", (led,))}
    while asked:
        members, joins = _component(engine, asked.pop())
        asked -= members
        _write(engine, policy, members, joins)


_Joins = dict[tuple[bytes, bytes], tuple[float, bytes, bytes]]


def _component(engine: Engine, start: bytes) -> tuple[set[bytes], _Joins]:
    """All keys that alias edges join to this one; and the edges by their ends: sum of weights, URLs."""
    members, front, joins = {start}, [start], _Joins()
    query = (
        "SELECT from_digest, to_digest, from_url, to_url, weight FROM edges "
        "WHERE {0} = ? AND kind = 'alias' AND undone IS NULL ORDER BY id"
    )
    sums: dict[tuple[bytes, bytes], list[float]] = defaultdict(list)
    while front:
        digest = front.pop()
        for end in ("from_digest", "to_digest"):
            for source, target, source_url, target_url, weight in engine.rows(query.format(end), (digest,)):
                if end == "from_digest" or source == target:
                    sums[source, target].append(weight)
                    joins[source, target] = (0.0, source_url, target_url)
                for other in {source, target} - members:
                    members.add(other)
                    front.append(other)
    # Sorted, so that the sum is the same whatever the order of arrival.
    return members, {ends: (sum(sorted(sums[ends])), *row[1:]) for ends, row in joins.items()}


def _write(engine: Engine, policy: Policy, members: set[bytes], joins: _Joins) -> None:
    """Replaces the aliases of a component."""
    for digest in sorted(members):
        engine.execute("DELETE FROM aliases WHERE digest = ?", (digest,))
    chosen = _chosen(policy, members, joins)
    if chosen is None:
        return
    digest, key = chosen
    rows = [(member, digest, key, seals.crc(member, digest, key)) for member in sorted(members - {digest})]
    engine.many("INSERT INTO aliases VALUES (?, ?, ?, ?)", rows)


def _chosen(policy: Policy, members: set[bytes], joins: _Joins) -> tuple[bytes, str] | None:
    """The leader's digest and key; None for a key that is alone."""
    if len(members) < 2:
        return None
    keys: dict[bytes, str] = {}
    led_to: dict[bytes, list[float]] = defaultdict(list)
    leads_away = set()
    for (source, target), (weight, source_url, target_url) in joins.items():
        keys[source], keys[target] = policy.keys([text(source_url), text(target_url)])
        if source != target:
            led_to[target].append(weight)
            leads_away.add(source)
    order = {
        digest: (digest in leads_away, -sum(sorted(led_to[digest])), len(keys[digest]), keys[digest])
        for digest in members
    }
    best = min(members, key=lambda digest: order[digest])
    return best, keys[best]


def remake(engine: Engine, policy: Policy) -> None:
    """Gives every edge the digests that a policy makes of its URLs, and makes all aliases anew."""
    engine.execute("DELETE FROM aliases")
    after, query = 0, f"SELECT {_COLUMNS} FROM edges WHERE id > ? ORDER BY id LIMIT ?"
    while rows := engine.rows(query, (after, _PAGE)):
        after = rows[-1][0]
        changed = []
        for number, kind, _, _, from_url, to_url, *rest, _ in rows:
            row = (kind, policy.digest(text(from_url)), policy.digest(text(to_url)), from_url, to_url, *rest)
            changed.append((row[1], row[2], seals.crc(*row), number))
        engine.many("UPDATE edges SET from_digest = ?, to_digest = ?, seal = ? WHERE id = ?", changed)
    for digest in _joined(engine):
        if not engine.rows("SELECT 1 FROM aliases WHERE digest = ? OR leader = ?", (digest, digest)):
            _write(engine, policy, *_component(engine, digest))


def _joined(engine: Engine) -> Iterable[bytes]:
    """The digests that alias edges lead from, by edge."""
    after = 0
    query = "SELECT id, from_digest FROM edges WHERE id > ? AND kind = 'alias' AND undone IS NULL ORDER BY id LIMIT ?"
    while rows := engine.rows(query, (after, _PAGE)):
        after = rows[-1][0]
        yield from dict.fromkeys(row[1] for row in rows)


def verify(engine: Engine, policy: Policy) -> None:
    """Raises StoreError ('corrupt') where edges or aliases are not as they were written."""
    after, count = 0, 0
    while rows := engine.rows(f"SELECT {_COLUMNS} FROM edges WHERE id > ? ORDER BY id LIMIT ?", (after, _PAGE)):
        after = rows[-1][0]
        for _, *row, seal in rows:
            seals.check(engine.path, "edges", seal, *row)
    last = b""
    query = "SELECT digest, leader, key, seal FROM aliases WHERE digest > ? ORDER BY digest LIMIT ?"
    while rows := engine.rows(query, (last, _PAGE)):
        last = rows[-1][0]
        for digest, led, key, seal in rows:
            seals.check(engine.path, "aliases", seal, digest, led, key)
            if digest not in _component(engine, led)[0]:
                raise StoreError("corrupt", engine.path, "an alias that no edge says")
        count += len(rows)
    if count != engine.rows("SELECT count(*) FROM aliases")[0][0]:
        raise StoreError("corrupt", engine.path, "aliases are missing")


def _bytes(url: str | bytes) -> bytes:
    return url if isinstance(url, bytes) else url.encode("utf-8", "surrogatepass")
