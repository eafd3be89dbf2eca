"""Observations out of files: JSON lines, Parquet, Arrow, a store, archives and their indexes. Knows formats; must not
know what is learned."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Any

from urlkey.learn.archives import Known, from_cdx, from_warc
from urlkey.learn.observations import COLUMNS, Fingerprint, Observation, ObservationError, observation
from urlkey.readers import ReadError
from urlkey.readers.blocks import Blocks
from urlkey.readers.formats import promised
from urlkey.readers.lines import lines, without_bom
from urlkey.readers.reading import decide
from urlkey.store import Store, StoreError

FORMATS = ("jsonl", "parquet", "arrow", "store", "warc", "cdx")
_STORES = (".db", ".sqlite", ".sqlite3")
# What readers call a format, and what it is called here.
_NAMES = {"parquet": "parquet", "feather": "arrow", "warc": "warc", "cdx": "cdx", "jsonl": "jsonl"}
_BATCH = 65_536

__all__ = ["FORMATS", "Rows", "from_arrow", "from_store", "read"]


class Rows:
    """Iterates over the observations of files. `bad` counts the rows that are none, `first` says what is wrong with
    the first of them."""

    def __init__(self, paths: Iterable[str], form: str | None = None) -> None:
        self._paths, self._form = list(paths), form
        self.bad = 0
        self.first: str | None = None
        # Payloads of archives, whose revisits may be in a later file.
        self._known: Known[Fingerprint | None] = Known()

    def __iter__(self) -> Iterator[Observation]:
        for path in self._paths:
            form = self._form or _form(path)
            for where, row in self._rows(form, path):
                if isinstance(row, Observation):
                    yield row
                    continue
                try:
                    if not isinstance(row, dict):
                        raise ObservationError(f"{where}: {row!r:.60} is no object with the columns of an observation")
                    yield observation(row, where=where)
                except ObservationError as fault:
                    self._note(str(fault))

    def _rows(self, form: str, path: str) -> Iterator[tuple[str, Any]]:
        if form == "warc":
            return ((path, row) for row in from_warc(path, self._known))
        if form == "cdx":
            lines = from_cdx(path, lambda number: self._note(f"{path}:{number}: no line of an index"))
            return ((path, row) for row in lines)
        return _READERS[form](path)

    def _note(self, fault: str) -> None:
        self.bad += 1
        self.first = self.first or fault


def read(*paths: str, form: str | None = None) -> Rows:
    """The observations of files; the format is told by the name, else by the first bytes, unless `form` says it. JSON
    lines, archives and indexes may be packed with gzip or Zstandard. `-` is standard input, and JSON lines unless
    `form` says otherwise. Raises ReadError, OSError."""
    return Rows(paths, form)


def from_arrow(table: Any) -> Iterator[Observation]:
    """The observations of a PyArrow table, record batch or reader. Raises ObservationError, ReadError."""
    for where, row in _of_batches(table.to_batches() if hasattr(table, "to_batches") else table, "row"):
        yield observation(row, where=where)


def from_store(store: Store) -> Iterator[Observation]:
    """The last fetch of every key of a store that has one; its `content` is the fingerprint."""
    for entry in store:
        if entry.fetch is not None and isinstance(entry.fetch.url, str):
            content = entry.fetch.content.hex() if entry.fetch.content else None
            yield Observation(entry.fetch.url, content, entry.fetch.time, entry.fetch.status)


def _form(path: str) -> str:
    if PurePath(path.lower()).suffix in _STORES:
        return "store"
    found = promised(path)
    if found is None and path != "-":
        with Blocks(path) as blocks:
            found, _ = decide(blocks)
    return _NAMES.get(found or "", "jsonl")


def _json_lines(path: str) -> Iterator[tuple[str, Any]]:
    with Blocks(path) as blocks:
        for number, line in enumerate(lines(without_bom(blocks)), 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                row = line
            yield f"{path}:{number}", row
    if blocks.broken:
        raise ReadError(f"{path}: {blocks.broken}")


def _parquet(path: str) -> Iterator[tuple[str, Any]]:
    from pyarrow import ArrowInvalid, parquet

    try:
        file = parquet.ParquetFile(path)
        names = [name for name in COLUMNS if name in file.schema_arrow.names]
        yield from _of_batches(file.iter_batches(_BATCH, columns=names), path)
    except ArrowInvalid as fault:
        raise ReadError(f"{path}: {fault}") from None


def _arrow(path: str) -> Iterator[tuple[str, Any]]:
    from pyarrow import ArrowInvalid, ipc, memory_map

    with memory_map(path) as file:
        try:
            try:
                table = ipc.open_file(file)
                batches: Iterable[Any] = (table.get_batch(number) for number in range(table.num_record_batches))
            except ArrowInvalid:
                file.seek(0)
                batches = ipc.open_stream(file)
            yield from _of_batches(batches, path)
        except ArrowInvalid as fault:
            raise ReadError(f"{path}: neither an Arrow file nor an Arrow stream: {fault}") from None


def _of_batches(batches: Iterable[Any], name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    number = 0
    for batch in batches:
        names = [column for column in COLUMNS if column in batch.schema.names]
        if "url" not in names:
            raise ReadError(f"{name}: no column url; columns: {', '.join(COLUMNS)}")
        columns = [batch.column(batch.schema.get_field_index(column)).to_pylist() for column in names]
        for values in zip(*columns, strict=True):
            number += 1
            yield f"{name}: row {number}", dict(zip(names, values, strict=True))


def _store(path: str) -> Iterator[tuple[str, Observation]]:
    try:
        with Store.open(path) as store:
            for row in from_store(store):
                yield path, row
    except StoreError as fault:
        raise ReadError(f"{path}: {fault}") from None


_READERS = {"jsonl": _json_lines, "parquet": _parquet, "arrow": _arrow, "store": _store}
