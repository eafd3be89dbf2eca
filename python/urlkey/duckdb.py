"""Keys in DuckDB's SQL: the public name of `urlkey.engines.duckdb`."""

from urlkey.engines.duckdb import FUNCTIONS, register

__all__ = ["FUNCTIONS", "register"]
