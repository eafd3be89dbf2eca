"""JSON, one value a line: lines as they stand in the file, byte for byte, and
the URL under one key of each."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from urlkey.readers.limits import LIMITS
from urlkey.readers.lines import lines, without_bom
from urlkey.readers.rows import Line

USUAL_KEYS = ("url", "link", "href", "uri", "loc")

__all__ = ["USUAL_KEYS", "JsonLines"]


class JsonLines:
    """Iterates over `(line, row, url, problem)`: number of the line, its bytes,
    the URL's bytes or None, and why there is none.

    `column` is a key, or a dotted path (`request.url`, `urls.0`); a key that is
    spelled with the dots goes first. None means the usual keys, or a line that
    is a JSON string.
    """

    header: bytes | None = None

    def __init__(self, blocks: Iterable[bytes], *, column: str | None = None) -> None:
        self._lines = lines(without_bom(blocks), limit=LIMITS.line)
        self._column = column
        self.lines = 0

    def __iter__(self) -> Iterator[Line]:
        for row in self._lines:
            self.lines += 1
            url, problem = self._url(row) if len(row) <= LIMITS.line else (None, "long-line")
            yield self.lines, row, url, problem

    def _url(self, row: bytes) -> tuple[bytes | None, str | None]:
        text, errors = _decoded(row)
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return None, "bad-json"
        value = _usual(value) if self._column is None else _find(value, self._column)
        if value is _MISSING:
            return None, "missing-column"
        if not isinstance(value, str):
            return None, "not-text"
        try:
            return value.encode("utf-8", errors), None
        except UnicodeEncodeError:
            return None, "surrogate"


_MISSING = object()


def _decoded(row: bytes) -> tuple[str, str]:
    """The text, and how to get its bytes back: those that are not UTF-8 go on as
    themselves, while an escaped lone surrogate (`\\udc80`) stands for no byte."""
    try:
        return row.decode("utf-8"), "strict"
    except UnicodeDecodeError:
        return row.decode("utf-8", "surrogateescape"), "surrogateescape"


def _usual(value: Any) -> Any:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return next((value[key] for key in USUAL_KEYS if key in value), _MISSING)
    return _MISSING


def _find(value: Any, path: str) -> Any:
    if isinstance(value, dict) and path in value:
        return value[path]
    for step in path.split("."):
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return _MISSING
    return value
