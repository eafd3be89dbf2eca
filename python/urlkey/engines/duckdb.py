"""Keys in DuckDB's SQL: `urlkey.duckdb`. Needs PyArrow too, as DuckDB's Arrow functions do.

>>> import duckdb, urlkey.duckdb
>>> con = duckdb.connect()
>>> urlkey.duckdb.register(con)
['urlkey_key', 'urlkey_digest', 'urlkey_error', 'urlkey_host', 'urlkey_registrable_domain']
>>> con.sql("SELECT urlkey_key('HTTP://a.example?b&a'), urlkey_error('nonsense')").fetchall()
[('http://a.example/?a&b', 'missing-scheme-non-relative-URL')]
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import duckdb
import pyarrow as pa

from urlkey import Policy
from urlkey.engines import arrow
from urlkey.engines.arrow import Fact

__all__ = ["FUNCTIONS", "register"]

FUNCTIONS: tuple[Fact, ...] = ("key", "digest", "error", "host", "registrable_domain")
"""The facts that `register` makes functions of, as `urlkey.arrow.table` explains them."""


def register(con: duckdb.DuckDBPyConnection, *, policy: str | Policy = "crawl", prefix: str = "urlkey_") -> list[str]:
    """The names of the SQL functions that the connection has from now on, one for each of `FUNCTIONS`.

    Each takes a VARCHAR and gives a VARCHAR, `digest` a BLOB: NULL for NULL and for what is no URL. The policy is
    fixed with the function; for another one register again, under another prefix. A function of such a name that was
    registered before is replaced. DuckDB calls them with some 2,000 rows at a time, on the threads of the query.

    >>> import duckdb, urlkey.duckdb
    >>> con = duckdb.connect()
    >>> names = urlkey.duckdb.register(con, policy="fold", prefix="fold_")
    >>> con.sql("SELECT fold_key('http://www.a.example/')").fetchall()
    [('https://a.example/',)]
    """
    policy = Policy(policy)
    names = [prefix + fact for fact in FUNCTIONS]
    create: Any = con.create_function  # older versions type it by enums alone
    for name, fact in zip(names, FUNCTIONS, strict=True):
        with suppress(duckdb.InvalidInputException):  # there was none
            con.remove_function(name)
        returns = "BLOB" if fact == "digest" else "VARCHAR"
        create(name, _function(fact, policy), ["VARCHAR"], returns, type="arrow", null_handling="special")
    return names


def _function(fact: Fact, policy: Policy) -> Callable[[Any], Any]:
    if fact == "key":
        return lambda urls: pa.chunked_array(arrow.keys(urls, policy=policy, threads=1))
    return lambda urls: pa.chunked_array(arrow.column(urls, fact, policy=policy, threads=1))
