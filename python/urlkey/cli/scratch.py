"""A temporary file for what memory has no room for: it has no name, so that nothing of it is left,
however the command ends. Must not know what is in it."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from functools import partial
from typing import Any, TypedDict

from urlkey.cli.app import Failure
from urlkey.cli.messages import warn
from urlkey.cli.sizes import size_of

# Of the memory that is allowed: the interpreter, its modules, and the blocks on their way.
BASE = 48 << 20
# What is used for keys at least.
LEAST = 1 << 18

__all__ = ["Bounds", "Scratch", "add_memory", "bounds_of"]


class Bounds(TypedDict, total=False):
    """What keeps the core within its memory, as keyword arguments."""

    memory: int
    files: Callable[[], Scratch]


def add_memory(group: argparse._ArgumentGroup) -> None:
    """--memory and --temporary."""
    group.add_argument("--memory", metavar="SIZE", help="at most so much, such as 1G; what has no room goes to a file")
    group.add_argument("--temporary", metavar="DIR", help="where that file is; default TMPDIR, else the system's")


def bounds_of(args: argparse.Namespace) -> Bounds:
    """What the options allow; nothing without --memory."""
    if args.memory is None:
        if args.temporary is not None:
            raise Failure("--temporary says nothing without --memory")
        return {}
    size = size_of(args.memory)
    if size < BASE + LEAST and not args.quiet:
        warn(f"--memory {args.memory} is less than the command itself takes: about {BASE >> 20}M will be used")
    return {"memory": max(size - BASE, LEAST), "files": partial(Scratch, args.temporary)}


class Scratch:
    """Opened in `folder`, or where the system keeps such files; errors name the folder."""

    def __init__(self, folder: str | None) -> None:
        self._folder = folder or tempfile.gettempdir()
        self._file: Any
        try:
            # O_TMPFILE where the system has it; else its name is gone before a byte is in it.
            self._file = tempfile.TemporaryFile(dir=self._folder, buffering=0)  # noqa: SIM115, for the whole run
        except OSError as error:
            raise self._named(error) from None

    def write(self, at: int, data: bytes) -> None:
        """Puts all of `data` at a place."""
        try:
            self._file.seek(at)
            rest = memoryview(data)
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            raise self._named(error) from None

    def read(self, at: int, size: int) -> bytes:
        """The bytes at a place; fewer only at the end of the file."""
        try:
            self._file.seek(at)
            found: bytes = self._file.read(size)
            while 0 < len(found) < size and (more := self._file.read(size - len(found))):
                found += more
        except OSError as error:
            raise self._named(error) from None
        return found

    def _named(self, error: OSError) -> OSError:
        return OSError(error.errno, f"temporary file: {error.strerror}", self._folder)
