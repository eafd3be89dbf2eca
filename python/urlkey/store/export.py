"""A store as a file: JSON lines, or Parquet. Must not know engines."""

from __future__ import annotations

import base64
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from urlkey.store.records import Entry, Fetch

if TYPE_CHECKING:
    from urlkey.store.store import Store

__all__ = ["row", "write"]


def row(entry: Entry) -> dict[str, Any]:
    """An entry as JSON has it: digests and contents in hex, a spelling outside UTF-8 as `base64`."""
    return {
        "key": entry.key,
        "digest": entry.digest.hex(),
        "representative": entry.representative,
        "count": entry.count,
        "first": entry.first,
        "last": entry.last,
        "spellings": [
            {**_text("url", spelling.text), "count": spelling.count, "first": spelling.first, "last": spelling.last}
            for spelling in entry.spellings
        ],
        "fetch": None if entry.fetch is None else _fetch(entry.fetch),
    }


def _text(name: str, text: str | bytes) -> dict[str, str]:
    if isinstance(text, str):
        return {name: text}
    return {f"{name}_base64": base64.b64encode(text).decode()}


def _fetch(fetch: Fetch) -> dict[str, Any]:
    facts = {name: value for name, value in asdict(fetch).items() if name not in ("url", "content")}
    return {**_text("url", fetch.url), **facts, "content": None if fetch.content is None else fetch.content.hex()}


def write(store: Store, path: str | os.PathLike[str], form: str | None) -> int:
    """Writes all entries; returns how many."""
    target = Path(path)
    form = form or ("parquet" if target.suffix.lower() in (".parquet", ".pq") else "jsonl")
    if form not in ("jsonl", "parquet"):
        raise ValueError(f"format must be 'jsonl' or 'parquet', not {form!r}")
    beside = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        count = (_jsonl if form == "jsonl" else _parquet)(store, beside)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
    return count


def _jsonl(store: Store, path: Path) -> int:
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for entry in store:
            file.write(json.dumps(row(entry), ensure_ascii=False) + "\n")
            count += 1
    return count


def _parquet(store: Store, path: Path) -> int:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ImportError("Parquet needs pyarrow: pip install 'urlkey[arrow]'") from None
    spelling = pa.struct([("url", pa.binary()), ("count", pa.int64()), ("first", pa.int64()), ("last", pa.int64())])
    fetch = pa.struct(
        [
            ("url", pa.binary()),
            ("time", pa.int64()),
            ("status", pa.int64()),
            ("etag", pa.string()),
            ("last_modified", pa.string()),
            ("content", pa.binary()),
        ]
    )
    schema = pa.schema(
        [
            ("key", pa.string()),
            ("digest", pa.binary()),
            ("representative", pa.string()),
            ("spellings", pa.list_(spelling)),
            ("fetch", fetch),
        ],
        metadata={"urlkey.policy_id": store.policy_id},
    )
    count = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for batch in store.batches():
            writer.write_table(pa.Table.from_pylist([_cells(entry) for entry in batch], schema))
            count += len(batch)
    return count


def _cells(entry: Entry) -> dict[str, Any]:
    def data(text: str | bytes) -> bytes:
        return text if isinstance(text, bytes) else text.encode()

    return {
        "key": entry.key,
        "digest": entry.digest,
        "representative": entry.representative,
        "spellings": [{**asdict(spelling), "url": data(spelling.text)} for spelling in entry.spellings],
        "fetch": None if entry.fetch is None else {**asdict(entry.fetch), "url": data(entry.fetch.url)},
    }
