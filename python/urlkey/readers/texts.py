"""Text as rows: one URL a line, tables, crawl exports, JSON lines. Knows how the fields beside a URL are named."""

import json
from collections.abc import Iterator
from typing import Any

from urlkey.readers.blocks import Blocks
from urlkey.readers.delimited import (
    USUAL_COLUMNS,
    Delimited,
    cells_of,
    delimiter_of,
    head_of,
    said_delimiter,
    without_line,
)
from urlkey.readers.errors import ReadError
from urlkey.readers.how import How
from urlkey.readers.jsonl import JsonLines
from urlkey.readers.lines import numbered
from urlkey.readers.rows import Row, text
from urlkey.readers.unicode import as_utf8

__all__ = ["crawl", "csv", "jsonl", "tsv", "txt"]


def txt(blocks: Blocks, how: How) -> Iterator[Row]:
    """One URL a line; empty lines are none."""
    for number, line, problem in numbered(blocks, how.limits.line):
        if problem is not None:
            yield Row(None, number, how.name, problem=problem, text=line)
        elif line:
            yield Row(text(line), number, how.name)


def jsonl(blocks: Blocks, how: How) -> Iterator[Row]:
    """The usual keys of each object, or the one that `column` names; or lines that are JSON strings."""
    for number, row, url, problem in JsonLines(as_utf8(blocks), column=how.column):
        line = row.rstrip(b"\r\n")
        if not line.strip():
            continue
        if not url or problem is not None:
            yield Row(None, number, how.name, problem=problem or "missing-url", text=line)
        else:
            yield Row(text(url), number, how.name, _object(line) if how.fields else {})


def _object(line: bytes) -> dict[str, Any]:
    value = json.loads(line.decode("utf-8", "surrogateescape"))
    return value if isinstance(value, dict) else {}


def csv(blocks: Blocks, how: How) -> Iterator[Row]:
    """A column of a table; without `delimiter`, what its line `sep=` says, or its first row has most of."""
    head, rest = head_of(as_utf8(blocks))
    yield from _table(rest, how, delimiter_of(head.partition(b"\n")[0]))


def tsv(blocks: Blocks, how: How) -> Iterator[Row]:
    """A column of a table with tabs between."""
    yield from _table(as_utf8(blocks), how, "\t")


def crawl(blocks: Blocks, how: How) -> Iterator[Row]:
    """The addresses of a crawl export, which may have a title above its header."""
    head, rest = head_of(as_utf8(blocks))
    if not head:
        return
    lines = head.split(b"\n", 2)[:2]
    said = said_delimiter(lines[0])
    for above, line in enumerate(lines):
        delimiter = how.delimiter or said or delimiter_of(line)
        names = {cell.strip().lower() for cell in cells_of(line, delimiter)}
        if (how.column or "").lower() in names or names.intersection(USUAL_COLUMNS):
            for row in _table(without_line(rest) if above else rest, how, delimiter):
                yield row._replace(number=row.number + above)
            return
    raise ReadError("no crawl export: none of the first two lines names a column of addresses; see --column")


def _table(blocks: Iterator[bytes], how: How, usual: str) -> Iterator[Row]:
    table = Delimited(
        blocks, name=how.name, column=how.column, delimiter=how.delimiter, usual=usual, headless=not how.header
    )
    names = table.names
    for (number, row, cells), url in table.both():
        if cells is not None and not any(cells):
            continue
        if isinstance(url, bytes) and url:
            fields = dict(zip(names, cells or (), strict=False)) if how.fields else {}
            yield Row(text(url), number, how.name, fields)
        else:
            yield Row(
                None, number, how.name, problem=url if isinstance(url, str) else "missing-url", text=row.rstrip(b"\r\n")
            )
