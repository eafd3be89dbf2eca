"""Columns of keys and digests for SQLAlchemy models: `urlkey.sqlalchemy`.

>>> from sqlalchemy import Column, MetaData, Table, create_engine, select
>>> from urlkey.sqlalchemy import UrlDigest, UrlKey
>>> page = Table("page", MetaData(), Column("key", UrlKey, primary_key=True), Column("digest", UrlDigest))
>>> engine = create_engine("sqlite://")
>>> with engine.begin() as connection:
...     page.create(connection)
...     url = "HTTP://a.example:80/?utm_source=x"
...     _ = connection.execute(page.insert(), {"key": url, "digest": url})
...     connection.execute(select(page.c.key).where(page.c.key == "http://a.example")).scalar()
'http://a.example/'
"""

from typing import Any

from sqlalchemy import Dialect, LargeBinary, String
from sqlalchemy.sql.operators import (
    OperatorType,
    eq,
    in_op,
    is_,
    is_distinct_from,
    is_not,
    is_not_distinct_from,
    ne,
    not_in_op,
)
from sqlalchemy.types import TypeDecorator, TypeEngine

from urlkey import Policy

__all__ = ["UrlDigest", "UrlKey"]

# The other side of these is a URL too; that of LIKE, say, is a piece of text.
_EQUALITY = {eq, ne, in_op, not_in_op, is_, is_not, is_distinct_from, is_not_distinct_from}


class UrlKey(TypeDecorator[str]):
    """A column of keys, of type VARCHAR: a URL in any spelling goes in, its key comes out.

    `policy` is the policy of the keys, a name or a Policy; `length` that of the VARCHAR, where the database wants one.
    What a column is compared with by equality is taken as a URL too. Statements raise `sqlalchemy.exc.StatementError`,
    whose `orig` is the UrlKeyError, for what is no URL.

    >>> from sqlalchemy import Column
    >>> from urlkey.sqlalchemy import UrlKey
    >>> print(Column("url", UrlKey(length=2000, policy="fold")) == "http://www.a.example")
    url = :url_1
    """

    impl = String
    cache_ok = True

    def __init__(self, length: int | None = None, policy: str | Policy = "crawl") -> None:
        super().__init__(length)
        self.length = length
        self.policy = Policy(policy)

    def process_bind_param(self, value: str | bytes | None, dialect: Dialect) -> str | None:
        return None if value is None else self.policy.key(value)

    def coerce_compared_value(self, op: OperatorType | None, value: Any) -> TypeEngine[Any]:
        return self if op in _EQUALITY else String()


class UrlDigest(TypeDecorator[bytes]):
    """A column of digests, of type BLOB, BYTEA or BINARY: a URL in any spelling goes in, 16 bytes come out.

    `policy` is the policy of the keys, a name or a Policy. URLs are str: bytes are taken for digests, and must be 16.
    Errors are those of `UrlKey`.

    >>> from sqlalchemy import Column
    >>> from urlkey.sqlalchemy import UrlDigest
    >>> Column("digest", UrlDigest).type.policy.name
    'crawl'
    """

    impl = LargeBinary
    cache_ok = True

    def __init__(self, policy: str | Policy = "crawl") -> None:
        super().__init__(16)
        self.policy = Policy(policy)

    def process_bind_param(self, value: str | bytes | None, dialect: Dialect) -> bytes | None:
        if isinstance(value, bytes):
            if len(value) != 16:
                raise ValueError(f"a digest has 16 bytes, not {len(value)}; URLs are str here")
            return value
        return None if value is None else self.policy.digest(value)

    def coerce_compared_value(self, op: OperatorType | None, value: Any) -> TypeEngine[Any]:
        return self
