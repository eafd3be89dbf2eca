"""Keys in Polars: the public name of `urlkey.engines.polars`."""

from urlkey.engines.polars import UrlKeyExpr, UrlKeySeries

__all__ = ["UrlKeyExpr", "UrlKeySeries"]
