"""Keys of pandas Series: importing `urlkey.pandas` gives them the accessor `urlkey`. Needs PyArrow too.

>>> import pandas as pd, urlkey.pandas
>>> pd.Series(["http://a.example/?b&a", "nonsense"]).urlkey.key().fillna("none").tolist()
['http://a.example/?a&b', 'none']
"""

from typing import Any, Unpack

import pandas as pd
import pyarrow as pa

from urlkey.engines import arrow
from urlkey.engines.arrow import Columns, Fact, KeyOptions, Options

__all__ = ["UrlKeyAccessor"]


@pd.api.extensions.register_series_accessor("urlkey")
class UrlKeyAccessor:
    """`series.urlkey`: keys and other facts of a Series of URLs, as a Series of the same name and index.

    The keyword arguments are those of `urlkey.arrow.keys`; rows are missing where there is no URL. Texts have the
    dtype of the Series where that is one of texts, and else the default one.

    >>> import pandas as pd, urlkey.pandas
    >>> urls = pd.Series(["http://www.shop.co.uk/a?", "nonsense"], name="url")
    >>> urls.urlkey.table(["key", "error"]).iloc[1].tolist()
    [nan, 'missing-scheme-non-relative-URL']
    """

    def __init__(self, series: "pd.Series[Any]") -> None:
        self._series = series

    def key(self, **options: Unpack[KeyOptions]) -> "pd.Series[Any]":
        """The keys."""
        return self._back(arrow.keys(self._column(), **options))

    def column(self, name: Fact, **options: Unpack[Options]) -> "pd.Series[Any]":
        """A fact by its name, as `urlkey.arrow.table` lists them: text, bytes for 'digest', lists for 'flags'."""
        return self._back(arrow.column(self._column(), name, **options))

    def table(self, columns: Columns = ("key",), **options: Unpack[Options]) -> pd.DataFrame:
        """Several facts, with the names and facts of `urlkey.arrow.table`, as a DataFrame of the same index."""
        made = pa.table(arrow.table(self._column(), columns=columns, **options))
        return pd.DataFrame({name: self._back(made.column(name)) for name in made.column_names})

    def _column(self) -> "pa.ChunkedArray[Any]":
        # Series before pandas 3 have no Arrow stream of their own; from_pandas takes NaN for a null.
        made = pa.array(self._series, from_pandas=True)
        return made if isinstance(made, pa.ChunkedArray) else pa.chunked_array([made])

    def _back(self, column: arrow.ArrowStream) -> "pd.Series[Any]":
        made = pa.chunked_array(column)
        return pd.Series(self._array(made), index=self._series.index, name=self._series.name)

    def _array(self, column: "pa.ChunkedArray[Any]") -> Any:
        dtype = self._series.dtype
        if isinstance(dtype, pd.ArrowDtype):
            return pd.ArrowDtype(column.type).__from_arrow__(column)
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
            # What pandas takes texts for that come without a dtype: object before pandas 3.
            dtype = dtype if isinstance(dtype, pd.StringDtype) else pd.Series([""]).dtype
            if isinstance(dtype, pd.StringDtype):
                return dtype.__from_arrow__(column)
        return pd.Series(column.to_pylist(), dtype=object).array
