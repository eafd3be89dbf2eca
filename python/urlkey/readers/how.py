"""How a file is to be read: what a caller says beside its format. One record for all readers."""

from __future__ import annotations

from typing import NamedTuple

from urlkey.readers.limits import LIMITS, Limits

__all__ = ["How"]


class How(NamedTuple):
    """The options of `urlkey.readers.read`, as readers get them; `name` is the file's, for rows and messages."""

    name: str
    column: str | None = None
    host: str | None = None
    scheme: str = "https"
    base: str | bytes | None = None
    delimiter: str | None = None
    header: bool = True
    fields: bool = True
    limits: Limits = LIMITS
