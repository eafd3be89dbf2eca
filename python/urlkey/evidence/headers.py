"""Headers of a response, as HTTP clients hand them over. Must not know what a header means."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

__all__ = ["HeaderValue", "Headers", "Response", "wire"]

HeaderValue = str | bytes | Iterable[str | bytes]


class _Items(Protocol):
    """A mapping, or what clients have in its place: `http.client` has a message, others allow names several times."""

    def items(self) -> Iterable[tuple[Any, Any]]: ...


#: Something with `items()` (values may be lists), or pairs; str or bytes, which are read as latin-1, as HTTP does.
Headers = _Items | Iterable[tuple[str | bytes, HeaderValue]]


class Response:
    """The headers of a response by name, in lower case."""

    def __init__(self, headers: Headers) -> None:
        self._values: dict[str, list[str]] = {}
        pairs: Iterable[tuple[Any, Any]] = headers.items() if hasattr(headers, "items") else headers
        for name, value in pairs:
            found = self._values.setdefault(_text(name).strip().lower(), [])
            given = [value] if isinstance(value, str | bytes) else value
            found += [_text(one).strip(" \t\r\n") for one in given]

    def all(self, name: str) -> list[str]:
        """The values of every field of this name, in order."""
        return self._values.get(name, [])

    def first(self, name: str) -> str | None:
        """The value of the first field of this name."""
        values = self.all(name)
        return values[0] if values else None


def wire(text: str | bytes) -> str | bytes:
    """A URL of a header as the bytes that came: UTF-8 or not, they are escaped as they are."""
    if isinstance(text, str) and not text.isascii():
        try:
            return text.encode("latin-1")
        except UnicodeEncodeError:
            return text
    return text


def _text(value: str | bytes) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value
