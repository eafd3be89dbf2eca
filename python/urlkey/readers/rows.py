"""What a reader gives: one row for each record, with a URL or with the reason why there is none."""

from collections.abc import Mapping
from typing import Any, NamedTuple

# Number of the row's first line, its bytes, the URL's bytes or None, and why there is none.
Line = tuple[int, bytes, bytes | None, str | None]

# What a reader can find wrong with a row; whether its URL has a key is another question.
PROBLEMS = {
    "bad-row": "the row cannot be split into its parts, or a quote in it is not closed",
    "bad-json": "the line is no JSON",
    "missing-column": "the row has no such column",
    "missing-url": "the record has no URL",
    "two-urls": "the record has a second URL, where its format has one",
    "markup": "other elements stand inside of the URL",
    "not-text": "the column holds no text",
    "null": "the column is null here",
    "no-host": "the log has no host; --host says it",
    "not-a-page": "the request names no page: * or a host and port",
    "bad-base": "the reference cannot be resolved against its base",
    "surrogate": "a lone surrogate, which no UTF-8 text can hold",
    "long-line": "the line is longer than a line may be",
    "cut-off": "the file is broken here",
}

_NOTHING: Mapping[str, Any] = {}

__all__ = ["PROBLEMS", "Line", "Row", "text"]


class Row(NamedTuple):
    """One record of a file.

    `url` as it is spelled there: str where it is UTF-8, else bytes; None where there is none. `number` counts lines or
    records from 1, as its format does. `source` is the name of the file. `fields` is what else the record says.
    `problem` is a code of `PROBLEMS` where `url` is None, and `text` what stands there instead.
    """

    url: str | bytes | None
    number: int
    source: str
    fields: Mapping[str, Any] = _NOTHING
    problem: str | None = None
    text: bytes = b""

    @property
    def data(self) -> bytes:
        """The URL's bytes; empty without one."""
        return self.url.encode("utf-8", "surrogatepass") if isinstance(self.url, str) else self.url or b""


def text(data: bytes) -> str | bytes:
    """Bytes as text where they are UTF-8.

    >>> text(b"caf\\xc3\\xa9"), text(b"caf\\xe9")
    ('café', b'caf\\xe9')
    """
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data
