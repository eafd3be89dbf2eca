"""Delimited text, csv and tsv: rows as they stand in the file, byte for byte,
and the URL in one column of each. Quoted cells may hold line ends; a quote that
is not closed spoils its own line and no other."""

import csv
import re
from collections.abc import Iterable, Iterator

from urlkey.readers.errors import ReadError
from urlkey.readers.lines import BOM, lines
from urlkey.readers.rows import Line

# What a table of URLs calls its URL column, tried in this order.
USUAL_COLUMNS = ("url", "address", "link", "href", "uri", "loc", "page")
# What may stand between cells, where nobody says which.
DELIMITERS = ",;\t|"
# The first line of a file that a spreadsheet is to read: neither a header nor data.
_SAYING = re.compile(r"(?:sep=([^\w\"\r\n\0])|\"sep=([^\w\"\r\n\0])\")\r?\n?", re.I)
# Above it a quote was never closed; the rest of the file must not be one row.
_ROW_LIMIT = 1 << 24

# Number of the first line, bytes, cells or what is wrong.
_Split = tuple[int, bytes, list[str] | csv.Error]

__all__ = ["USUAL_COLUMNS", "Delimited", "cells_of", "delimiter_of", "head_of", "said_delimiter", "without_line"]


class Delimited:
    """Iterates over `(line, row, url, problem)`: number of the row's first line,
    its bytes, the URL's bytes or None, and why there is none.

    `column` is a name, a number from 1, or None for the usual names. `header` is
    the header row's bytes, or None: the first row is data if `headless`, or if
    that is the only column, or `column` a number, and the cell there holds `://`.
    `delimiter` is what the caller says that stands between cells; where it is None, the file's line `sep=;` says it,
    else it is `usual`. That line is no row: `said` holds its bytes.
    """

    def __init__(
        self,
        blocks: Iterable[bytes],
        *,
        name: str,
        column: str | None = None,
        delimiter: str | None = None,
        usual: str = ",",
        headless: bool = False,
    ) -> None:
        self._source = _Recorded(lines(blocks, limit=_ROW_LIMIT))
        self._name = name
        csv.field_size_limit(_ROW_LIMIT)
        self.said, saying = self._source.saying()
        self._delimiter = delimiter or saying or usual
        self._rows = self._read(csv.reader(self._source, delimiter=self._delimiter, strict=True))
        self._first = next(self._rows, None)
        self.header, self._column = self._columns(column, headless)
        self._names: list[str] = []
        if self.header is not None and self._first is not None:
            self._names = self._first[2] if isinstance(self._first[2], list) else []
            self._first = None

    @property
    def lines(self) -> int:
        """Lines read so far."""
        return self._source.number

    def __iter__(self) -> Iterator[Line]:
        for row in self._all():
            yield self._row(*row)

    @property
    def names(self) -> list[str]:
        """The cells of the header; empty without one."""
        return self._names

    def cells(self) -> Iterator[tuple[int, bytes, list[str] | None]]:
        """Number of the first line, bytes and all cells of each row; None where it cannot be split."""
        for number, row, cells in self._all():
            yield number, row, None if isinstance(cells, csv.Error) else cells

    def both(self) -> Iterator[tuple[tuple[int, bytes, list[str] | None], bytes | str]]:
        """What `cells` gives, and with it the URL's bytes, or why there are none."""
        for number, row, cells in self._all():
            _, _, url, problem = self._row(number, row, cells)
            yield (number, row, None if isinstance(cells, csv.Error) else cells), problem or url or b""

    def _all(self) -> Iterator[_Split]:
        if self._first is not None:
            yield self._first
        yield from self._rows

    def _read(self, reader: Iterator[list[str]]) -> Iterator[_Split]:
        while True:
            number = self._source.number + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error:
                yield from self._broken(number)
                continue
            yield number, b"".join(self._source.take()), cells

    def _broken(self, number: int) -> Iterator[_Split]:
        """Lines that are no row together, each for itself: a quote was not closed, or closed by
        the one that opens a cell further down. That last line may begin a row of several lines."""
        taken = self._source.take()
        if len(taken) > 1 and not self._source.ended:
            self._source.give_back(taken.pop())
        for offset, line in enumerate(taken):
            yield number + offset, line, self._alone(line)

    def _alone(self, line: bytes) -> list[str] | csv.Error:
        """The cells of one line, quotes inside of them let pass as long as none stays open."""
        reader = csv.reader([_text(line), ""], delimiter=self._delimiter)
        try:
            cells = next(reader)
        except csv.Error as error:
            return error
        return cells if reader.line_num == 1 else csv.Error("a quote is not closed")

    def _row(self, number: int, row: bytes, cells: list[str] | csv.Error) -> Line:
        if isinstance(cells, csv.Error):
            return number, row, None, "bad-row"
        if self._column >= len(cells):
            return number, row, None, "missing-column"
        return number, row, cells[self._column].encode("utf-8", "surrogateescape"), None

    def _columns(self, column: str | None, headless: bool) -> tuple[bytes | None, int]:
        """The header row's bytes or None, and the index of the column."""
        number = int(column) if column is not None and column.isdecimal() else None
        if number == 0:
            raise ReadError("columns are numbered from 1")
        if self._first is None:
            return None, (number or 1) - 1
        _, row, cells = self._first
        if isinstance(cells, csv.Error):
            why = "its lines end with CR alone, not LF or CRLF" if b"\r" in row.rstrip() else cells
            raise ReadError(f"{self._name}: line {self._first[0]} is no row: {why}")
        if headless:
            return None, self._without_names(number, len(cells)) - 1
        index = self._find(column, cells)
        by_place = number is not None or (column is None and len(cells) == 1)
        if by_place and index < len(cells) and "://" in cells[index]:
            return None, index
        return row, index

    def _without_names(self, number: int | None, width: int) -> int:
        if number is None and width > 1:
            raise ReadError(f"{self._name}: without a header, --column must be a number from 1 to {width}")
        return number or 1

    def _find(self, column: str | None, cells: list[str]) -> int:
        names = [cell.strip().lower() for cell in cells]
        if column is None:
            usual = [names.index(name) for name in USUAL_COLUMNS if name in names]
            if usual or len(cells) == 1:
                return usual[0] if usual else 0
        elif column.isdecimal():
            if int(column) <= len(cells):
                return int(column) - 1
        elif column in cells:
            return cells.index(column)
        elif column.strip().lower() in names:
            return names.index(column.strip().lower())
        asked = "which column holds the URLs? give --column" if column is None else f"no column {column!r}"
        raise ReadError(f"{self._name}: {asked}; there are: {', '.join(map(repr, cells))}")


class _Recorded:
    """Lines as text for the csv module, remembered as bytes since the last `take`.

    `number` is that of the last line, `ended` whether there was one more to be had.
    """

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = iter(lines)
        self._taken: list[bytes] = []
        self._size = 0
        self._back: list[bytes] = []
        self.number = 0
        self.ended = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._back.pop() if self._back else next(self._lines, None)
        if line is None:
            self.ended = True
            raise StopIteration
        self._taken.append(line)
        self._size += len(line)
        self.number += 1
        if self._size > _ROW_LIMIT:
            raise csv.Error("a quote is not closed" if len(self._taken) > 1 else "the line is too long")
        return _text(line.removeprefix(BOM) if self.number == 1 else line)

    def saying(self) -> tuple[bytes, str | None]:
        """The first line, if it says what stands between cells, and what that is. It is then no line of a row."""
        line = next(self._lines, None)
        if line is None:
            return b"", None
        delimiter = said_delimiter(line)
        if delimiter is None:
            self._back.append(line)
            return b"", None
        self.number = 1
        return line, delimiter

    def take(self) -> list[bytes]:
        """The lines since the last call."""
        taken = self._taken
        self._taken, self._size = [], 0
        return taken

    def give_back(self, line: bytes) -> None:
        """Puts the last line taken before the next."""
        self._back.append(line)
        self.number -= 1


def _text(line: bytes) -> str:
    return line.decode("utf-8", "surrogateescape")


def cells_of(line: bytes, delimiter: str) -> list[str]:
    """The cells of one line; empty where it cannot be split."""
    try:
        return next(csv.reader([_text(line.removeprefix(BOM)).rstrip("\r\n")], delimiter=delimiter), [])
    except csv.Error:
        return []


def said_delimiter(line: bytes) -> str | None:
    """What stands between cells, if a line says it as spreadsheets have it say, `sep=;`; None for any other.

    >>> said_delimiter(b"sep=;"), said_delimiter(b'"SEP=|"'), said_delimiter(b"sep=url")
    (';', '|', None)
    """
    found = _SAYING.fullmatch(_text(line.removeprefix(BOM)))
    return found[1] or found[2] if found else None


def delimiter_of(line: bytes) -> str:
    """The one that a line says, or that splits a header into most cells.

    >>> delimiter_of(b"Address;Status Code;Title, long")
    ';'
    """
    return said_delimiter(line) or max(DELIMITERS, key=lambda one: (len(cells_of(line, one)), -DELIMITERS.index(one)))


def head_of(blocks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """The first two lines, and all blocks."""
    taken: list[bytes] = []
    for block in blocks:
        taken.append(block)
        if sum(one.count(b"\n") for one in taken) >= 2 or sum(map(len, taken)) > _ROW_LIMIT:
            break

    def whole() -> Iterator[bytes]:
        yield from taken
        yield from blocks

    return b"".join(taken), whole()


def without_line(blocks: Iterable[bytes]) -> Iterator[bytes]:
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
