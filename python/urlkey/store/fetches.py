"""What the last fetch of each key gave. Must not know how a key is made of a URL."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from urlkey.store import seals
from urlkey.store.engine import Engine, Row

COLUMNS = "entry, url, time, status, etag, modified, content, seal"
_REPLACED = ("url", "time", "status", "etag", "modified", "content", "seal")

__all__ = ["COLUMNS", "keep", "sealed"]


def sealed(*facts: Any) -> Row:
    """The columns of a fetch behind its entry: URL, time, status, etag, modified, content, seal."""
    return (*facts, seals.crc(*facts))


def keep(engine: Engine, fetches: Iterable[Row], prefix: str = "") -> None:
    """Writes fetches (entry and what `sealed` gives); of an entry the last one stays."""
    engine.many(
        f"INSERT INTO {prefix}fetches ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (entry) DO UPDATE SET "
        f"{', '.join(f'{name} = excluded.{name}' for name in _REPLACED)} "
        f"WHERE {prefix}fetches.time <= excluded.time",
        list(fetches),
    )
