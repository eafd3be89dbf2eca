"""Where a store is, and whose keys it holds: the engine for a place, the policy that it was made with."""

from __future__ import annotations

import time

from urlkey._native import Policy
from urlkey.store.engine import Engine
from urlkey.store.errors import StoreError

__all__ = ["engine_at", "policy_of"]


def engine_at(place: str) -> Engine:
    """The engine of a path or of a `postgresql://` URL, opened. Raises ValueError for anything else."""
    if place.startswith(("postgresql://", "postgres://")):
        from urlkey.store.postgres import PostgresEngine

        return PostgresEngine(place)
    if place in ("", ":memory:") or "://" in place:
        raise ValueError(f"a store is a file or a postgresql:// URL, not {place!r}")
    from urlkey.store.sqlite_engine import SQLiteEngine

    return SQLiteEngine(place)


def policy_of(engine: Engine, policy: Policy) -> tuple[str, str]:
    """Id and text of the store's policy, written down if the store is new."""
    query = "SELECT policy_id, text FROM store JOIN policies ON id = policy_id"
    found = engine.rows(query)
    if not found:
        with engine.writing():
            row = (policy.id, policy.name, policy.text, int(time.time()))
            engine.execute("INSERT INTO policies VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING", row)
            engine.execute("INSERT INTO store VALUES (1, ?) ON CONFLICT (one) DO NOTHING", (policy.id,))
        found = engine.rows(query)
    if not found:
        raise StoreError("corrupt", engine.path, "its policy is not there")
    return found[0][0], found[0][1]
