"""Reads a crawl export: CSV as Screaming Frog, Sitebulb and Lumar write it (byte
order marks, UTF-16, semicolons, a title above the header), or one JSON object a
line with the same facts. Must not know what becomes of the pages."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from urlkey.readers import ReadError, format_of
from urlkey.readers.blocks import Blocks
from urlkey.readers.delimited import Delimited
from urlkey.readers.jsonl import JsonLines
from urlkey.readers.lines import BOM
from urlkey.readers.unicode import as_utf8
from urlkey.systems.seo.pages import FACTS, Columns, Page, page_of

__all__ = ["Export", "Reject", "read"]

_DELIMITERS = ",;\t|"
_EVERY = 2048


@dataclass(frozen=True, slots=True)
class Reject:
    """A row that tells of no URL: line, code, and its text."""

    line: int
    code: str
    text: str


@dataclass(slots=True)
class Export:
    """What was read. `known` are the facts that the export has columns for;
    `broken` says where a compressed file stops making sense."""

    pages: list[Page] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    known: frozenset[str] = frozenset()
    broken: str | None = None


def read(
    path: str,
    *,
    form: str | None = None,
    columns: Mapping[str, str] | None = None,
    delimiter: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    size: Callable[[int | None], None] | None = None,
) -> Export:
    """Reads a crawl export, compressed or not.

    `form` is `"csv"`, `"tsv"` or `"jsonl"` and else told by name or first byte;
    `columns` maps facts (`url`, `status`, `canonical`, ...: `pages.FACTS`) to
    the names of columns that are not found by themselves; `progress` is called
    with bytes and rows read. Raises `ReadError` for a file that is no export.
    """
    with Blocks(path) as blocks:
        if size is not None:
            size(blocks.size)
        head, rest = _head(as_utf8(blocks))
        told = format_of(path)
        form = form or (told if told != "txt" else "jsonl" if head.lstrip(BOM + b" ").startswith(b"{") else "csv")
        export = Export()
        rows = (
            _json(rest, export, columns)
            if form == "jsonl"
            else _table(rest, head, export, path, columns, delimiter, form)
        )
        for number, row in enumerate(rows, 1):
            if isinstance(row, Page):
                export.pages.append(row)
            else:
                export.rejects.append(row)
            if progress is not None and number % _EVERY == 0:
                progress(blocks.position, number)
        export.broken = blocks.broken
    return export


def _head(blocks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """The first two lines, and all blocks."""
    taken: list[bytes] = []
    for block in blocks:
        taken.append(block)
        if sum(one.count(b"\n") for one in taken) >= 2:
            break

    def whole() -> Iterator[bytes]:
        yield from taken
        yield from blocks

    return b"".join(taken), whole()


def _table(
    blocks: Iterator[bytes],
    head: bytes,
    export: Export,
    path: str,
    given: Mapping[str, str] | None,
    delimiter: str | None,
    form: str,
) -> Iterator[Page | Reject]:
    above = 0
    first, _, rest = head.partition(b"\n")
    second = rest.partition(b"\n")[0]
    if second and not _is_header(first, delimiter) and _is_header(second, delimiter):
        # Older exports have a line with the name of the tab above the header.
        blocks, first, above = _without_line(blocks), second, 1
    delimiter = delimiter or ("\t" if form == "tsv" else _delimiter(first))
    # Column 1 only so that the reader asks for no name: all cells are looked at.
    table = Delimited(blocks, name=path, column="1", delimiter=delimiter)
    if table.header is None:
        raise ReadError(f"{path}: no header; the first row must name the columns")
    columns = Columns(table.names, given)
    if columns.missing:
        names = ", ".join(map(repr, table.names))
        raise ReadError(f"{path}: which column holds the URLs? give --column url=NAME; there are: {names}")
    export.known = columns.known
    for number, row, cells in table.cells():
        page = columns.page(cells) if cells is not None else None
        if page is not None:
            yield page
        elif cells is None or any(cells):
            text = row.decode("utf-8", "surrogateescape").rstrip("\r\n")
            yield Reject(number + above, "bad-row" if cells is None else "missing-column", text)


def _json(blocks: Iterator[bytes], export: Export, given: Mapping[str, str] | None) -> Iterator[Page | Reject]:
    for fact in given or ():
        if fact not in FACTS:
            raise LookupError(f"no fact {fact!r}; there are: {', '.join(FACTS)}")
    known: set[str] = set()
    for number, row, _, problem in JsonLines(blocks):
        if not row.strip():
            continue
        text = row.decode("utf-8", "surrogateescape")
        facts: Any = None if problem == "bad-json" else json.loads(text)
        try:
            if not isinstance(facts, dict):
                raise LookupError
            page = page_of(_renamed(facts, given))
        except LookupError:
            yield Reject(number, "bad-json" if problem == "bad-json" else "missing-column", text.rstrip("\r\n"))
            continue
        known |= _told(page)
        export.known = frozenset(known)
        yield page


def _renamed(facts: dict[str, Any], given: Mapping[str, str] | None) -> dict[str, Any]:
    """The object with the keys that a person named under the names of their facts."""
    if not given:
        return facts
    rest = {name: value for name, value in facts.items() if name not in given.values()}
    return rest | {fact: facts.get(name) for fact, name in given.items()}


def _told(page: Page) -> set[str]:
    names = {"canonicals": "canonical"}
    fields = Page.__dataclass_fields__
    return {names.get(name, name) for name in fields if getattr(page, name) not in (None, ())}


def _is_header(line: bytes, delimiter: str | None) -> bool:
    return not Columns(_cells(line, delimiter or _delimiter(line))).missing


def _cells(line: bytes, delimiter: str) -> list[str]:
    text = line.removeprefix(BOM).decode("utf-8", "surrogateescape").rstrip("\r\n")
    try:
        return next(csv.reader([text], delimiter=delimiter), [])
    except csv.Error:
        return []


def _delimiter(line: bytes) -> str:
    """The one that splits the header into most cells."""
    return max(_DELIMITERS, key=lambda one: (len(_cells(line, one)), -_DELIMITERS.index(one)))


def _without_line(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The blocks, less their first line."""
    found = False
    for block in blocks:
        if found:
            yield block
            continue
        _, end, rest = block.partition(b"\n")
        found = bool(end)
        if rest:
            yield rest
