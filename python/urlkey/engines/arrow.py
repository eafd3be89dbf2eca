"""Keys and other facts of Arrow columns, without any Arrow library: `urlkey.arrow`.

Whatever has the Arrow PyCapsule interface goes in: columns and tables of PyArrow, Polars, pandas, DuckDB, nanoarrow.
What comes out has it too. Must not know any of these libraries.

Source: https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html

>>> import polars as pl, urlkey.arrow
>>> urls = pl.Series(["http://a.example/?b&a", "nonsense", None])
>>> pl.Series(urlkey.arrow.keys(urls)).to_list()
['http://a.example/?a&b', None, None]
"""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, TypeAlias, TypedDict

from urlkey import Base, Policy, Url
from urlkey._native import Array, ChunkedArray, arrow_table
from urlkey._native import arrow_column as column
from urlkey._native import arrow_keys as keys

__all__ = [
    "Array",
    "ArrowArray",
    "ArrowStream",
    "ChunkedArray",
    "Columns",
    "Fact",
    "KeyOptions",
    "Options",
    "column",
    "keys",
    "named",
    "table",
]

Fact: TypeAlias = Literal["key", "href", "digest", "error", "loss", "flags", "host", "hostname", "registrable_domain"]

Columns: TypeAlias = Mapping[str, Fact] | Sequence[Fact]


class Options(TypedDict, total=False):
    """The arguments that all functions and methods for columns share, as `keys` explains them."""

    base: str | bytes | Base | Url | None
    policy: str | Policy
    encoding: str
    threads: int | None


class KeyOptions(Options, total=False):
    """Those of the functions and methods that make keys alone."""

    on_error: Literal["null", "raise"]


class ArrowArray(Protocol):
    """An object that gives an Arrow array."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...


class ArrowStream(Protocol):
    """An object that gives a stream of Arrow arrays."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


def table(
    data: ArrowArray | ArrowStream,
    column: str | None = None,
    *,
    columns: Columns = ("key",),
    base: str | bytes | Base | Url | None = None,
    policy: str | Policy = "crawl",
    encoding: str = "utf-8",
    threads: int | None = None,
) -> Array | ChunkedArray:
    """Facts of a column of URLs as a record batch, beside the columns that came in.

    `data` is a column, as `keys` takes it, or a record batch, a table or a stream of record batches; `column` names
    the one of its columns that holds the URLs, 'url' where it is None. The columns of a batch come first in what is
    returned, as they are, of whatever type. `columns` says what else is wanted, as names of facts, or as a mapping
    from names of columns to names of facts:

    - 'key', 'href': text; 'digest': 16 bytes; as of `urlkey.key`, `urlkey.href`, `urlkey.digest`
    - 'error': the code of the UrlKeyError of a row that is no URL; all else is null in that row
    - 'loss', 'flags': text, and a list of texts; as of `urlkey.identify`, and as slow
    - 'host', 'hostname', 'registrable_domain': text; as of `urlkey.parse`

    The other arguments are those of `keys`. Returns an Array of type struct, or for a stream a ChunkedArray with the
    same chunks. Raises TypeError for what is no Arrow array, ValueError for a column that is not there, is there
    already, or cannot be made.

    >>> import polars as pl, urlkey.arrow
    >>> crawl = pl.DataFrame({"url": ["http://a.example/?b&a", "nonsense"], "status": [200, 404]})
    >>> pl.DataFrame(urlkey.arrow.table(crawl, columns={"page": "key", "error": "error"})).rows()
    [('http://a.example/?b&a', 200, 'http://a.example/?a&b', None),
     ('nonsense', 404, None, 'missing-scheme-non-relative-URL')]
    """
    pairs = list(named(columns).items())
    return arrow_table(data, column, pairs, base, policy, encoding, threads)


def named(columns: Columns) -> dict[str, Fact]:
    """Facts by the names of their columns: their own names, where no others are given."""
    if isinstance(columns, str):
        raise TypeError("columns must be several names or a mapping, not str")
    if isinstance(columns, Mapping):
        return dict(columns)
    names = list(columns)
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"columns names {', '.join(sorted(twice))} twice")
    return {name: name for name in names}
