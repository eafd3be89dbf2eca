"""Keys in Polars expressions and Series: importing `urlkey.polars` gives them the namespace `urlkey`.

>>> import polars as pl, urlkey.polars
>>> urls = pl.LazyFrame({"url": ["http://a.example/?b&a", "HTTP://a.example/?a&b", "nonsense"]})
>>> urls.group_by(pl.col("url").urlkey.key().alias("key")).len().sort("key", nulls_last=True).collect().rows()
[('http://a.example/?a&b', 2), (None, 1)]
"""

from collections.abc import Callable
from typing import Unpack

import polars as pl

from urlkey.engines import arrow
from urlkey.engines.arrow import Columns, Fact, KeyOptions, Options

__all__ = ["UrlKeyExpr", "UrlKeySeries"]


def _dtype(fact: Fact) -> pl.DataType:
    match fact:
        case "digest":
            return pl.Binary()
        case "flags":
            return pl.List(pl.String())
        case _:
            return pl.String()


class UrlKeySeries:
    """`series.urlkey`: keys and other facts of a Series of URLs, as a Series of the same name and length.

    The keyword arguments are those of `urlkey.arrow.keys`; rows are null where there is no URL.

    >>> import polars as pl, urlkey.polars
    >>> pl.Series("url", ["http://a.example?b&a", None]).urlkey.key().to_list()
    ['http://a.example/?a&b', None]
    """

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def key(self, **options: Unpack[KeyOptions]) -> pl.Series:
        """The keys: String."""
        return pl.Series(arrow.keys(self._series, **options)).alias(self._series.name)

    def column(self, name: Fact, **options: Unpack[Options]) -> pl.Series:
        """A fact by its name, as `urlkey.arrow.table` lists them: String, Binary for 'digest', List for 'flags'."""
        return pl.Series(arrow.column(self._series, name, **options)).alias(self._series.name)

    def table(self, columns: Columns = ("key",), **options: Unpack[Options]) -> pl.Series:
        """Several facts: Struct, with the names and facts of `urlkey.arrow.table`."""
        made = arrow.table(self._series, columns=columns, **options)
        return pl.DataFrame(made).to_struct(self._series.name)


class UrlKeyExpr:
    """`expression.urlkey`: keys and other facts of a column of URLs, row by row, eager, lazy and streaming.

    The keyword arguments are those of `urlkey.arrow.keys`; rows are null where there is no URL.

    >>> import polars as pl, urlkey.polars
    >>> frame = pl.DataFrame({"url": ["http://www.shop.co.uk/a?", "nonsense"]})
    >>> frame.select(pl.col("url").urlkey.table(["key", "registrable_domain"])).unnest("url").rows()
    [('http://www.shop.co.uk/a', 'shop.co.uk'), (None, None)]
    """

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def _map(self, dtype: pl.DataType, make: Callable[[UrlKeySeries], pl.Series]) -> pl.Expr:
        return self._expr.map_batches(lambda series: make(UrlKeySeries(series)), dtype, is_elementwise=True)

    def key(self, **options: Unpack[KeyOptions]) -> pl.Expr:
        """The keys: String."""
        return self._map(pl.String(), lambda series: series.key(**options))

    def column(self, name: Fact, **options: Unpack[Options]) -> pl.Expr:
        """A fact by its name, as `urlkey.arrow.table` lists them: String, Binary for 'digest', List for 'flags'."""
        return self._map(_dtype(name), lambda series: series.column(name, **options))

    def table(self, columns: Columns = ("key",), **options: Unpack[Options]) -> pl.Expr:
        """Several facts: Struct, with the names and facts of `urlkey.arrow.table`."""
        facts = arrow.named(columns)
        dtype = pl.Struct({name: _dtype(fact) for name, fact in facts.items()})
        return self._map(dtype, lambda series: series.table(facts, **options))


pl.api.register_series_namespace("urlkey")(UrlKeySeries)
pl.api.register_expr_namespace("urlkey")(UrlKeyExpr)
