"""Reads a crawl export: CSV as Screaming Frog, Sitebulb and Lumar write it (byte
order marks, UTF-16, semicolons, a title above the header), or one JSON object a
line with the same facts; or a file of any other format, with what its records
tell of a page. Must not know what becomes of the pages."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from urlkey.readers import ReadError, Row
from urlkey.readers import read as rows_of
from urlkey.readers.blocks import Blocks
from urlkey.readers.delimited import Delimited, cells_of, delimiter_of, head_of, said_delimiter, without_line
from urlkey.readers.jsonl import JsonLines
from urlkey.readers.lines import BOM
from urlkey.readers.reading import decide
from urlkey.readers.unicode import as_utf8
from urlkey.systems.seo.pages import FACTS, Columns, Page, page_of

__all__ = ["Export", "Reject", "read"]

_EVERY = 2048
_TABLES = ("csv", "tsv", "crawl", "jsonl")
# The facts that records of other formats tell, and what they are called there.
_TOLD = {
    "status": ("status", "statuscode"),
    "type": ("mime", "mimetype"),
    "hash": ("digest",),
    "redirect": ("redirect",),
    "hreflang": ("alternates",),
}
# Records of an archive that are about a URL, and no answer to a request for it.
_NO_ANSWER = ("request", "metadata")


@dataclass(frozen=True, slots=True)
class Reject:
    """A row that tells of no URL: line, code, and its text."""

    line: int
    code: str
    text: str


@dataclass(slots=True)
class Export:
    """What was read. `known` are the facts that the export has columns for; `format` is what it was read as, `sniffed`
    whether its content alone said so; `broken` says where a file stops making sense."""

    pages: list[Page] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    known: frozenset[str] = frozenset()
    format: str = ""
    sniffed: bool = False
    broken: str | None = None


def read(
    path: str,
    *,
    form: str | None = None,
    columns: Mapping[str, str] | None = None,
    delimiter: str | None = None,
    host: str | None = None,
    scheme: str = "https",
    progress: Callable[[int, int], None] | None = None,
    size: Callable[[int | None], None] | None = None,
) -> Export:
    """Reads a crawl export, compressed or not.

    `form` is a name of `urlkey.readers.FORMATS` and else told by name or content;
    `host` and `scheme` are those of an access log; `columns` maps facts (`url`,
    `status`, `canonical`, ...: `pages.FACTS`) to the names of columns that are not
    found by themselves; `progress` is called with bytes and rows read. Raises `ReadError` for a file that is no export.
    """
    with Blocks(path) as blocks:
        if size is not None:
            size(blocks.size)
        export = Export()
        found, sniffed = (form, False) if form else decide(blocks)
        if found in _TABLES or (found == "txt" and not form):
            rows = _export(blocks, found, export, path, columns, delimiter)
        else:
            export.format, export.sniffed = found, sniffed
            rows = _records(rows_of(blocks, found, host=host, scheme=scheme), export)
        for number, row in enumerate(rows, 1):
            if isinstance(row, Page):
                export.pages.append(row)
            else:
                export.rejects.append(row)
            if progress is not None and number % _EVERY == 0:
                progress(blocks.position, number)
        export.broken = export.broken or blocks.broken
    return export


def _export(
    blocks: Blocks,
    form: str,
    export: Export,
    path: str,
    given: Mapping[str, str] | None,
    delimiter: str | None,
) -> Iterator[Page | Reject]:
    """The rows of a table or of JSON lines; of a file that neither says it is, the first byte tells."""
    head, rest = head_of(as_utf8(blocks))
    if form == "txt":
        form = "jsonl" if head.lstrip(BOM + b" ").startswith(b"{") else "csv"
    export.format = form
    if form == "jsonl":
        return _json(rest, export, given)
    return _table(rest, head, export, path, given, delimiter, form)


def _records(rows: Iterator[Row], export: Export) -> Iterator[Page | Reject]:
    """What the records of any format tell; a broken file ends them, and `broken` says so."""
    known: set[str] = set()
    begun = False
    try:
        for row in rows:
            begun = True
            if row.fields.get("type") in _NO_ANSWER:
                continue
            if row.url is None:
                text = row.text.decode("utf-8", "surrogateescape")
                yield Reject(row.number, row.problem or "missing-url", text)
                continue
            told = {
                fact: row.fields[name]
                for fact, names in _TOLD.items()
                for name in names
                if row.fields.get(name) != "" and name in row.fields
            }
            url = row.url if isinstance(row.url, str) else row.url.decode("utf-8", "surrogateescape")
            page = page_of({**told, "url": url})
            known |= _told(page)
            export.known = frozenset(known)
            yield page
    except ReadError as error:
        if error.code == "unreadable" and not begun:
            raise
        export.broken = error.what


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
    # A line that says what stands between cells is above the header too.
    delimiter = delimiter or said_delimiter(first)
    if second and not _is_header(first, delimiter) and _is_header(second, delimiter):
        # Older exports have a line with the name of the tab above the header.
        blocks, first, above = without_line(blocks), second, 1
    delimiter = delimiter or ("\t" if form == "tsv" else delimiter_of(first))
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
    return not Columns(cells_of(line, delimiter or delimiter_of(line))).missing
