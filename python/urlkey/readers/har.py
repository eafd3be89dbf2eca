"""Recordings of a browser's network tab: HAR, a JSON document whose entries are read one at a time, since bodies may
make it large.

Source: http://www.softwareishard.com/blog/har-12-spec/
"""

import codecs
import json
from collections.abc import Iterator
from typing import Any

from urlkey.readers.blocks import Blocks
from urlkey.readers.errors import LimitError, ReadError
from urlkey.readers.how import How
from urlkey.readers.rows import Row
from urlkey.readers.unicode import as_utf8

_SPACE = " \t\r\n"
# An error so near to the end may be one of missing text.
_NEAR = 16

__all__ = ["rows"]


def rows(blocks: Blocks, how: How) -> Iterator[Row]:
    """The URL of each request."""
    text = _Text(blocks, how.limits.document)
    number = 0
    for _ in text.members({"log"}):
        for _ in text.members({"entries"}):
            for entry in text.items():
                number += 1
                yield _row(entry, number, how)


def _row(entry: Any, number: int, how: How) -> Row:
    request, response = _part(entry, "request"), _part(entry, "response")
    url = request.get("url")
    fields = {}
    if how.fields:
        told = {
            "method": request.get("method"),
            "status": response.get("status"),
            "mime": _part(response, "content").get("mimeType"),
            "redirect": response.get("redirectURL"),
            "started": entry.get("startedDateTime") if isinstance(entry, dict) else None,
        }
        fields = {name: value for name, value in told.items() if value not in (None, "")}
    if not isinstance(url, str) or not url:
        return Row(None, number, how.name, fields, "not-text" if url else "missing-url")
    try:
        url.encode()
    except UnicodeEncodeError:
        data = url.encode("utf-8", "surrogatepass")
        return Row(None, number, how.name, fields, "surrogate", data)
    return Row(url, number, how.name, fields)


def _part(value: Any, name: str) -> dict[str, Any]:
    part = value.get(name) if isinstance(value, dict) else None
    return part if isinstance(part, dict) else {}


class _Text:
    """JSON that is read from its beginning, a value at a time."""

    def __init__(self, blocks: Blocks, limit: int) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._blocks = as_utf8(blocks)
        self._limit = limit
        self._json = json.JSONDecoder()
        self._text = ""
        self._at = 0
        self._before = 0
        self._ended = False

    def members(self, wanted: set[str]) -> Iterator[str]:
        """The wanted names of the object that comes next; the caller reads the value of each before the next."""
        self._take("{")
        if self._peek() == "}":
            self._take("}")
            return
        while True:
            name = self._value()
            self._take(":")
            if name in wanted and self._peek() in "{[":
                yield name
            else:
                self._value()
            if self._take(",}") == "}":
                return

    def items(self) -> Iterator[Any]:
        """The values of the array that comes next."""
        self._take("[")
        if self._peek() == "]":
            self._take("]")
            return
        while True:
            yield self._value()
            if self._take(",]") == "]":
                return

    def _peek(self) -> str:
        """The next character that is no space."""
        while True:
            while self._at < len(self._text):
                if self._text[self._at] not in _SPACE:
                    return self._text[self._at]
                self._at += 1
            if not self._more(1):
                return ""

    def _take(self, expected: str) -> str:
        found = self._peek()
        if not found or found not in expected:
            raise self._broken(f"no {' or '.join(expected)}")
        self._at += 1
        return found

    def _value(self) -> Any:
        """The next value. Reads twice as much each time that it is not whole, so that the time is linear."""
        self._peek()
        while True:
            try:
                value, at = self._json.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                cut = "Unterminated" in error.msg or error.pos >= len(self._text) - _NEAR
                if not cut or not self._more(len(self._text) - self._at):
                    raise self._broken(error.msg, error.pos) from None
            except RecursionError:
                raise LimitError(
                    f"JSON nested too deep at character {self._before + self._at}",
                    code="too-deep",
                    at=self._before + self._at,
                ) from None
            except ValueError as error:
                raise self._broken(str(error)) from None
            else:
                if at == len(self._text) and self._more(1):
                    continue  # a number may go on
                self._at = at
                return value

    def _more(self, size: int) -> bool:
        """Reads at least so many characters; drops what was read before. False at the end of the file."""
        if self._ended:
            return False
        self._before += self._at
        parts, self._at = [self._text[self._at :]], 0
        wanted = len(parts[0]) + max(size, 1)
        if wanted > self._limit:
            raise LimitError(
                f"a record of more than {self._limit:,} bytes at character {self._before}",
                code="too-large",
                at=self._before,
            )
        have = len(parts[0])
        while have < wanted:
            block = next(self._blocks, None)
            parts.append(self._decoder.decode(block or b"", block is None))
            have += len(parts[-1])
            if block is None:
                self._ended = True
                break
        self._text = "".join(parts)
        return len(self._text) > len(parts[0])

    def _broken(self, what: str, at: int | None = None) -> ReadError:
        place = self._before + (self._at if at is None else at)
        if self._ended and self._at >= len(self._text.rstrip()) - _NEAR:
            what = f"it ends in the middle ({what})"
        return ReadError(f"JSON broken at character {place}: {what}", code="broken", at=place)
