"""What a person reads on a terminal: warnings and colours. URLs go through
`urlkey.display` first; data do not."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

from urlkey.display import shown, visible

if TYPE_CHECKING:
    from urlkey._native import UrlKeyError

# Longer texts are not shown: nobody reads them, and only in a whole URL it is known what must not be seen.
_LONGEST = 1 << 16

__all__ = ["Paint", "colours", "complain", "shown", "visible", "warn"]


def warn(message: str) -> None:
    """Writes `urlkey: message` to standard error, if that takes it."""
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(f"urlkey: {message}\n")


def complain(error: UrlKeyError, url: str | bytes, *, place: str = "", secrets: bool = False) -> None:
    """Says that a URL has no key, and why: `error` is a UrlKeyError."""
    text = shown(url, secrets=secrets) if len(url) < _LONGEST else f"{len(url):,} bytes"
    warn(f"{place}{error.code}: {error}: {text}")


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
