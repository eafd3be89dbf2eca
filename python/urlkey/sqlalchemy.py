"""Keys in SQLAlchemy models: the public name of `urlkey.engines.sqlalchemy`."""

from urlkey.engines.sqlalchemy import UrlDigest, UrlKey

__all__ = ["UrlDigest", "UrlKey"]
