"""The output of `dedupe` in the format of its input, where that is Parquet or Arrow IPC: the rows that are kept, with
all their columns. Must not know which rows those are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePath
from typing import Any

from urlkey.cli.app import Failure
from urlkey.cli.output import Output
from urlkey.readers import FORMATS
from urlkey.readers.blocks import Blocks
from urlkey.readers.how import How

COLUMNAR = ("parquet", "feather")
# So many rows make a row group of Parquet, or a batch of Arrow.
_GROUP = 1 << 17

# Index of the row over all files, and its URL; None where that is null.
Numbered = tuple[int, bytes | None]

__all__ = ["COLUMNAR", "Columnar", "row_of", "same_format", "url_in"]


def same_format(form: str, output: str) -> bool:
    """Whether the output is to be of this format: its name says so."""
    return form in COLUMNAR and PurePath(output.lower()).suffix in FORMATS[form].extensions


def row_of(index: int, url: bytes) -> bytes:
    """A row as the core holds it: it comes back where the row is kept."""
    return b"%d\t%s\n" % (index, url.replace(b"\n", b"").replace(b"\r", b""))


def url_in(row: bytes) -> bytes:
    """What a person is shown of such a row.

    >>> url_in(row_of(7, b"http://a.example/"))
    b'http://a.example/\\n'
    """
    return row.partition(b"\t")[2]


def _indices(rows: bytes) -> list[int]:
    return [int(row.partition(b"\t")[0]) for row in rows.splitlines()]


class Columnar:
    """Writes kept rows. In order, as they are told while their batch is at hand; or, where a later spelling may stand
    for a group, at the end, from a second look at the files, the kept rows in memory."""

    def __init__(self, form: str, column: str | None, output: Output) -> None:
        self._form = form
        self._column = column
        self._output = output
        self._writer: Any = None
        self._schema: Any = None
        self._waiting: list[Any] = []
        self._rows = 0
        self._before = 0
        self._batch: Any = None
        self._start = 0
        self._order: list[int] = []

    def read(self, blocks: Blocks) -> Iterator[list[Numbered]]:
        """The URLs of each batch. What is told to `keep` before the next batch is written of this one."""
        from urlkey.readers.tables import column_of, urls_of

        for batch in self._batches(blocks):
            self._check(batch.schema, blocks.path)
            self._batch, self._start = batch, self._before
            self._before += batch.num_rows
            yield list(enumerate(urls_of(batch, column_of(batch.schema, self._column)), self._start))
        self._batch = None

    def _batches(self, blocks: Blocks) -> Iterator[Any]:
        from urlkey.readers.tables import batches

        how = How(name=blocks.path, column=self._column)
        return batches(blocks, how, self._form, everything=True, plain=True)

    def _check(self, schema: Any, path: str) -> None:
        if self._schema is None:
            self._schema = schema
        elif not schema.equals(self._schema):
            raise Failure(f"{path}: the columns are others than those of the first file")

    def keep(self, rows: bytes) -> None:
        """Rows that the core gave back; those of another batch than the last wait for `finish`."""
        indices = _indices(rows)
        if self._batch is not None and not self._order and min(indices) >= self._start:
            self._write(self._batch.take([index - self._start for index in indices]))
        else:
            self._order += indices

    def finish(self, reopened: Iterable[Callable[[], Blocks]]) -> None:
        """Writes what waits, and the end of the file."""
        import pyarrow

        if self._schema is None:
            self._schema = pyarrow.schema([])
        if self._order:
            self._write_ordered(reopened)
        self._flush()
        self._open().close()

    def _write_ordered(self, reopened: Iterable[Callable[[], Blocks]]) -> None:
        import pyarrow

        wanted = sorted(self._order)
        found, before, at = [], 0, 0
        for opened in reopened:
            with opened() as blocks:
                for batch in self._batches(blocks):
                    end = before + batch.num_rows
                    mine = []
                    while at < len(wanted) and wanted[at] < end:
                        mine.append(wanted[at] - before)
                        at += 1
                    found.append(batch.take(pyarrow.array(mine, pyarrow.int64())))
                    before = end
        place = {index: row for row, index in enumerate(wanted)}
        table = pyarrow.Table.from_batches(found, self._schema)
        for start in range(0, len(self._order), _GROUP):
            chosen = [place[index] for index in self._order[start : start + _GROUP]]
            for batch in table.take(chosen).combine_chunks().to_batches():
                self._write(batch)

    def _write(self, batch: Any) -> None:
        if batch.num_rows:
            self._waiting.append(batch)
            self._rows += batch.num_rows
            if self._rows >= _GROUP:
                self._flush()

    def _flush(self) -> None:
        import pyarrow

        if self._waiting:
            table = pyarrow.Table.from_batches(self._waiting, self._schema).combine_chunks()
            try:
                self._open().write_table(table)
            except pyarrow.ArrowException as error:
                # Arrow's file format has one dictionary a column, its stream may have had several.
                raise Failure(f"the rows cannot be written as {self._form}: {error}") from None
            self._waiting, self._rows = [], 0

    def _open(self) -> Any:
        if self._writer is None:
            if self._form == "parquet":
                from pyarrow import parquet

                self._writer = parquet.ParquetWriter(self._output.file, self._schema)
            else:
                from pyarrow import ipc

                self._writer = ipc.new_file(self._output.file, self._schema)
        return self._writer
