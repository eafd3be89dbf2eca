"""Delimited text, csv and tsv: rows as they stand in the file, byte for byte,
and the URL in one column of each. Quoted cells may hold line ends."""

import csv
from collections.abc import Iterable, Iterator

from urlkey.readers import ReadError, Row
from urlkey.readers.lines import BOM, lines

# What a table of URLs calls its URL column, tried in this order.
USUAL_COLUMNS = ("url", "address", "link", "href", "uri", "loc", "page")
# Above it a quote was never closed; the rest of the file must not be one row.
_CELL_LIMIT = 1 << 24

# Number of the first line, bytes, cells or what is wrong.
_Split = tuple[int, bytes, list[str] | csv.Error]

__all__ = ["USUAL_COLUMNS", "Delimited"]


class Delimited:
    """Iterates over `(line, row, url, problem)`: number of the row's first line,
    its bytes, the URL's bytes or None, and why there is none.

    `column` is a name, a number from 1, or None for the usual names. `header` is
    the header row's bytes, or None: the first row is data if `headless`, or if
    `column` is a number and the cell there holds `://`.
    """

    def __init__(
        self,
        blocks: Iterable[bytes],
        *,
        name: str,
        column: str | None = None,
        delimiter: str = ",",
        headless: bool = False,
    ) -> None:
        self._source = _Recorded(lines(blocks))
        self._name = name
        csv.field_size_limit(_CELL_LIMIT)
        self._rows = self._read(csv.reader(self._source, delimiter=delimiter))
        self._first = next(self._rows, None)
        self.header, self._column = self._columns(column, headless)
        if self.header is not None:
            self._first = None

    @property
    def lines(self) -> int:
        """Lines read so far."""
        return self._source.number

    def __iter__(self) -> Iterator[Row]:
        if self._first is not None:
            yield self._row(*self._first)
        for row in self._rows:
            yield self._row(*row)

    def _read(self, reader: Iterator[list[str]]) -> Iterator[_Split]:
        while True:
            number = self._source.number + 1
            cells: list[str] | csv.Error
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                cells = error
            yield number, self._source.take(), cells

    def _row(self, number: int, row: bytes, cells: list[str] | csv.Error) -> Row:
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
            raise ReadError(f"{self._name}: line 1 is no row: {cells}")
        if headless:
            return None, self._without_names(number, len(cells)) - 1
        index = self._find(column, cells)
        if number is not None and index < len(cells) and "://" in cells[index]:
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
    """Lines as text for the csv module, remembered as bytes since the last `take`."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = iter(lines)
        self._taken: list[bytes] = []
        self.number = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self._taken.append(line)
        self.number += 1
        if self.number == 1:
            line = line.removeprefix(BOM)
        return line.decode("utf-8", "surrogateescape")

    def take(self) -> bytes:
        taken = self._taken
        self._taken = []
        return taken[0] if len(taken) == 1 else b"".join(taken)
