"""Text for eyes: secrets out, terminal controls made visible, length bounded.
Everything that a person reads on a terminal goes through here; data do not."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from urlkey._native import UrlKeyError

_LONGEST = 300

__all__ = ["Paint", "colours", "complain", "shown", "visible", "warn"]


def visible(text: str) -> str:
    """The text with everything escaped that would move, colour or hide text.

    >>> visible("a\\x1b[31m\\u202eb\\n")
    'a\\\\x1b[31m\\\\u202eb\\\\n'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c.isprintable() else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    # A byte that was no UTF-8 came in as a lone surrogate: show the byte.
    if "\udc80" <= character <= "\udcff":
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape").decode("ascii")


def shown(url: str | bytes, *, secrets: bool = False, longest: int = _LONGEST) -> str:
    """A URL, str or bytes, for a terminal or a report."""
    from urlkey._native import redact

    text = url if isinstance(url, str) else url.decode("utf-8", "surrogateescape")
    if not text.isascii():
        text = "".join(_escaped(c) if "\ud800" <= c <= "\udfff" else c for c in text)
    text = visible(text if secrets else redact(text))
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def warn(message: str) -> None:
    """Writes `urlkey: message` to standard error, if that takes it."""
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(f"urlkey: {message}\n")


def complain(error: UrlKeyError, url: str | bytes, *, place: str = "", secrets: bool = False) -> None:
    """Says that a URL has no key, and why: `error` is a UrlKeyError."""
    warn(f"{place}{error.code}: {error}: {shown(url, secrets=secrets)}")


def colours(stream: TextIO) -> bool:
    """Whether to write colours to a stream: NO_COLOR, FORCE_COLOR, TERM, in this order."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return os.environ.get("TERM") != "dumb" and stream.isatty()


class Paint:
    """Wraps text in colours, or leaves it as it is.

    >>> Paint(False).bold("key"), Paint(True).bold("key")
    ('key', '\\x1b[1mkey\\x1b[0m')
    """

    def __init__(self, on: bool) -> None:
        self._on = on

    def _wrap(self, code: int, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._on else text

    def bold(self, text: str) -> str:
        return self._wrap(1, text)

    def dim(self, text: str) -> str:
        return self._wrap(2, text)

    def good(self, text: str) -> str:
        return self._wrap(32, text)

    def bad(self, text: str) -> str:
        return self._wrap(31, text)
