"""From a file to its rows: which format it has, which reader, what is closed when. Must not know how any is written."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Generator, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, BinaryIO

from urlkey.readers.errors import ReadError
from urlkey.readers.formats import FORMATS, promised, sniff
from urlkey.readers.how import How
from urlkey.readers.limits import LIMITS, Limits

if TYPE_CHECKING:
    from urlkey.readers.blocks import Blocks
    from urlkey.readers.rows import Row

Reader = Callable[["Blocks", How], Iterator["Row"]]

__all__ = ["Rows", "decide", "read"]


class Rows:
    """The rows of a file, as an iterator; closes the file at the end, or as a context manager.

    `format` is the name of the format, `sniffed` whether content alone said so; `position` the bytes read so far,
    `size` those of the file, None if unknown.
    """

    def __init__(self, blocks: Blocks, form: str, sniffed: bool, how: How) -> None:
        self.format = form
        self.sniffed = sniffed
        self.size = blocks.size
        self._blocks = blocks
        self._how = how
        self._rows = self._read()

    @property
    def position(self) -> int:
        return self._blocks.position

    def __iter__(self) -> Iterator[Row]:
        return self._rows

    def __next__(self) -> Row:
        return next(self._rows)

    def __enter__(self) -> Rows:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file, if it was opened here."""
        self._rows.close()
        self._blocks.__exit__()

    def _read(self) -> Generator[Row, None, None]:
        name = self._how.name
        try:
            yield from _reader(self.format)(self._blocks, self._how)
            if self._blocks.failure is not None:
                raise self._blocks.failure
        except ReadError as error:
            raise error.of(name) from None
        finally:
            self._blocks.__exit__()


def read(
    source: str | os.PathLike[str] | BinaryIO | Blocks,
    format: str | None = None,
    *,
    column: str | int | None = None,
    host: str | None = None,
    scheme: str = "https",
    base: str | bytes | None = None,
    delimiter: str | None = None,
    header: bool = True,
    fields: bool = True,
    limits: Limits = LIMITS,
) -> Rows:
    """The rows of a file, one for each record: an iterator of `Row`.

    `source` is a path, `-` for standard input, or a file opened in binary; gzip, Zstandard and a zip archive of one
    file are undone. `format` is a name of `FORMATS`; without it the file's extension says, else its first bytes (see
    `Rows.sniffed`). `column` says where the URLs are: a name or a number from 1 in tables, a key or a dotted path in
    JSON and Parquet. `host` and `scheme` complete the paths of an access log; `host` may hold a scheme. `base` is what
    relative links of pages and feeds are resolved against. `delimiter` and `header` are of csv and tsv. `fields=False`
    leaves `Row.fields` empty, which is faster.

    Raises OSError for a file that cannot be opened; ReadError for one that is not what it is said to be; and, after the
    rows that were good, ReadError where it is broken and LimitError where it asks for more than `limits` let through.
    Memory is bounded by a block and a record, but for HTML (a page) and what docs/files.md says of Parquet.

    >>> import io
    >>> for row in read(io.BytesIO(b"<urlset><url><loc>http://a.example/</loc><lastmod>2026</lastmod></url></urlset>")):
    ...     row.url, row.number, row.fields["lastmod"]
    ('http://a.example/', 1, '2026')
    """
    from urlkey.readers.blocks import Blocks

    if format is not None and format not in FORMATS:
        raise LookupError(f"no format {format!r}; there are: {', '.join(FORMATS)}")
    blocks = source if isinstance(source, Blocks) else Blocks(source, limits)
    try:
        form, sniffed = (format, False) if format is not None else decide(blocks)
        how = How(
            name="standard input" if blocks.path == "-" else blocks.path,
            column=None if column is None else str(column),
            host=host,
            scheme=scheme,
            base=base,
            delimiter=delimiter,
            header=header,
            fields=fields,
            limits=limits,
        )
        return Rows(blocks, form, sniffed, how)
    except BaseException:
        blocks.__exit__()
        raise


def decide(blocks: Blocks) -> tuple[str, bool]:
    """The format of a file that nobody named, and whether its content said so."""
    if (form := promised(blocks.path)) is not None:
        return form, False
    return sniff(_as_utf8(blocks.peek()[: 1 << 16]), blocks.path), True


def _as_utf8(head: bytes) -> bytes:
    """The first bytes without UTF-16, whose last character may be cut."""
    if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return head.decode("utf-16", "ignore").encode("utf-8", "surrogatepass")
    return head


def _reader(form: str) -> Reader:
    module, _, name = FORMATS[form].reader.partition(":")
    reader: Reader = getattr(import_module(f"urlkey.readers.{module}"), name)
    return reader
