"""A column of Parquet or Arrow IPC (Feather 2), by pyarrow (extra `arrow`), a batch of rows at a time. Must not
know how such a file is written.

What strangers made is checked before it is looked at: pyarrow itself trusts the offsets of a file.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import Any

from urlkey.readers.blocks import Blocks
from urlkey.readers.delimited import USUAL_COLUMNS
from urlkey.readers.errors import LimitError, ReadError
from urlkey.readers.how import How
from urlkey.readers.rows import Row, text

_ROWS = 16_384

__all__ = ["batches", "column_of", "feather", "parquet", "urls_of"]


def parquet(blocks: Blocks, how: How) -> Iterator[Row]:
    """The URLs of a column, in order; `fields` are the other columns."""
    yield from _rows(blocks, how, "parquet")


def feather(blocks: Blocks, how: How) -> Iterator[Row]:
    """The same of Arrow IPC."""
    yield from _rows(blocks, how, "feather")


def _rows(blocks: Blocks, how: How, form: str) -> Iterator[Row]:
    number = 0
    for batch in batches(blocks, how, form, everything=how.fields):
        path = column_of(batch.schema, how.column)
        others = [name for name in batch.schema.names if name != path[0]] if how.fields else []
        told = batch.select(others).to_pylist() if others else None
        for index, url in enumerate(urls_of(batch, path)):
            number += 1
            fields = told[index] if told is not None else {}
            if not url:
                yield Row(None, number, how.name, fields, "null" if url is None else "missing-url")
            else:
                yield Row(text(url), number, how.name, fields)


def batches(blocks: Blocks, how: How, form: str, *, everything: bool, plain: bool = False) -> Iterator[Any]:
    """The record batches of a file, with the URL's column alone or `everything`, each of them checked. Texts of Parquet
    come as dictionaries, unless `plain`.

    Raises ReadError without pyarrow, for a file that is none, for a column that is not there or no text, and after the
    good batches where the file is broken.
    """
    try:
        import pyarrow
    except ImportError:
        raise ReadError("Parquet and Arrow files need pyarrow: pip install 'urlkey[arrow]'") from None
    if not blocks.head():
        raise ReadError("empty: no table", code="broken", at=0)
    number = size = 0
    try:
        source = _file(blocks, how)
        length = source.seek(0, 2)
        source.seek(0)
        opened = _parquet(source, length, how, everything, plain) if form == "parquet" else _arrow(source)
        for batch in opened:
            size += batch.nbytes
            _hold(size, length, how)
            path = column_of(batch.schema, how.column)
            names = batch.schema.names if everything else [path[0]]
            batch = batch.select(names)
            batch.validate(full=True)
            number += batch.num_rows
            yield batch
    except (pyarrow.ArrowException, OSError, ValueError, OverflowError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        what = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ReadError(f"{form} broken after row {number}: {what}", code="broken", at=number) from None


def _file(blocks: Blocks, how: How) -> Any:
    """The file, to seek in; of a pipe, a copy on the disk."""
    raw = blocks.raw()
    if (file := raw.file) is not None:
        return file
    copy = tempfile.TemporaryFile()  # noqa: SIM115, gone with its last reader
    size = 0
    while block := raw.read():
        size += len(block)
        if size > how.limits.document:
            raise LimitError(
                f"a pipe of more than {how.limits.document:,} bytes: give a file", code="too-large", at=size
            )
        copy.write(block)
    copy.seek(0)
    return copy


def _hold(size: int, length: int, how: How) -> None:
    """Raises LimitError where the rows are more than the file can reasonably hold."""
    limits = how.limits
    if limits.ratio is not None and size > max(limits.dense_after, limits.ratio * length):
        raise LimitError(f"more than {limits.ratio} bytes unpacked from each: refused", code="too-dense", at=size)
    if limits.unpacked is not None and size > limits.unpacked:
        raise LimitError(f"more than {limits.unpacked:,} bytes unpacked", code="too-large", at=size)


def _parquet(source: Any, length: int, how: How, everything: bool, plain: bool) -> Iterator[Any]:
    from pyarrow import parquet as pq
    from pyarrow import types

    limits = how.limits
    file = pq.ParquetFile(source)
    # As it lies in the file, where a text that many rows share is there once: unfolded, it could fill any memory.
    folded = [field.name for field in file.schema_arrow if _is_text(field.type) or types.is_dictionary(field.type)]
    if folded and not plain:
        source.seek(0)
        file = pq.ParquetFile(source, read_dictionary=folded)
    path = column_of(file.schema_arrow, how.column)
    for group in range(file.metadata.num_row_groups):
        # Not of its columns: what is wrong with them would end the process inside of pyarrow.
        size = file.metadata.row_group(group).total_byte_size
        if limits.ratio is not None and size > max(limits.dense_after, limits.ratio * length):
            raise LimitError(f"row group {group + 1} says it unpacks to too much: refused", code="too-dense", at=group)
        yield from file.iter_batches(
            _ROWS, row_groups=[group], columns=None if everything else [path[0]], use_threads=False
        )


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_binary(kind))


def _arrow(source: Any) -> Iterator[Any]:
    from pyarrow import ipc

    head = source.read(8)
    source.seek(0)
    if head.startswith(b"FEA1"):
        raise ReadError("Feather 1, which nobody writes any more: write it anew with pyarrow.feather")
    # The file format is the stream behind 8 bytes, and an index at its end that a file which is cut off lacks.
    source.seek(8 if head.startswith(b"ARROW1") else 0)
    for batch in ipc.open_stream(source):
        # A slice is looked at with the bytes of the whole; a batch of its own is not copied.
        batch.validate(full=True)
        for start in range(0, batch.num_rows, _ROWS):
            yield batch.slice(start, _ROWS) if batch.num_rows > _ROWS else batch


def column_of(schema: Any, column: str | None) -> list[str]:
    """The name of the URL's column, and the fields inside of it."""
    names: list[str] = schema.names
    listed = ", ".join(map(repr, names[:50]))
    if column is None:
        lowered = [name.strip().lower() for name in names]
        usual = [name for name in USUAL_COLUMNS if name in lowered]
        if not usual and len(names) != 1:
            raise ReadError(f"which column holds the URLs? give --column; there are: {listed}")
        return [names[lowered.index(usual[0])] if usual else names[0]]
    if column in names:
        return [column]
    if column.isdecimal() and 1 <= int(column) <= len(names):
        return [names[int(column) - 1]]
    first, *inner = column.split(".")
    if first in names and inner:
        return [first, *inner]
    raise ReadError(f"no column {column!r}; there are: {listed}")


def urls_of(batch: Any, path: list[str]) -> list[bytes | None]:
    """The bytes of each URL. Raises ReadError where the column holds no text."""
    import pyarrow
    from pyarrow import compute

    column = batch.column(path[0])
    for name in path[1:]:
        if not pyarrow.types.is_struct(column.type) or column.type.get_field_index(name) < 0:
            raise ReadError(f"no field {name!r} in {path[0]!r}, which is {column.type}")
        column = compute.struct_field(column, name)
    kinds = pyarrow.types
    if kinds.is_dictionary(column.type):
        # Never unfolded: a long text that many rows share stays one.
        texts = _texts(column.dictionary, path)
        return [None if index is None else texts[index] for index in column.indices.to_pylist()]
    return _texts(column, path)


def _texts(column: Any, path: list[str]) -> list[bytes | None]:
    import pyarrow

    kinds = pyarrow.types
    if kinds.is_null(column.type):
        return [None] * len(column)
    if not (kinds.is_string(column.type) or kinds.is_large_string(column.type) or kinds.is_string_view(column.type)):
        binary = kinds.is_binary(column.type) or kinds.is_large_binary(column.type) or kinds.is_binary_view(column.type)
        if not binary:
            raise ReadError(f"the column {'.'.join(path)!r} holds no text, but {column.type}")
        found: list[bytes | None] = column.to_pylist()
        return found
    wide = pyarrow.large_binary() if kinds.is_large_string(column.type) else pyarrow.binary()
    return list(column.cast(wide).to_pylist())
