"""Where data go: standard output, or a file that appears when it is whole. Must
not know what is written."""

import contextlib
import os
import shutil
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

_DESCRIPTORS = {"/dev/stdout": 1, "/dev/stderr": 2, "/dev/fd/1": 1, "/dev/fd/2": 2}

__all__ = ["Output", "identity"]


def identity(path: str) -> object:
    """What all paths of one regular file have in common, and no other file has."""
    try:
        status = Path(path).stat()
    except OSError:
        return Path(path).resolve()
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else path


class Output:
    """A binary file to write to; `-` is standard output.

    A regular file is written beside its place and put there at the end, so that
    a command may read the file it writes, and an interrupted one leaves the old
    file alone. Anything else (a pipe, /dev/stdout) is written as it comes.
    """

    def __init__(self, path: str) -> None:
        self._target: Path | None = None
        self._file: Any
        if path == "-":
            self._file = sys.stdout.buffer
            sys.stdout.flush()
        elif path in _DESCRIPTORS:
            # Opened by name, a file that the shell redirected it to would be cut to nothing.
            self._file = os.fdopen(os.dup(_DESCRIPTORS[path]), "wb")
        elif _special(path):
            self._file = Path(path).open("wb")  # noqa: SIM115, closed by __exit__
        else:
            self._target = Path(path).resolve()
            self._beside = self._target.with_name(f"{self._target.name}.{os.getpid()}.part")
            try:
                self._file = self._beside.open("xb")
            except OSError as error:
                error.filename = path
                raise
        self._path = path
        self.write: Callable[[bytes], int] = self._file.write

    def __enter__(self) -> "Output":
        return self

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        if self._path == "-":
            if failure is None:
                self._file.flush()
            return
        try:
            self._file.close()
            if failure is None and self._target is not None:
                with contextlib.suppress(FileNotFoundError):
                    shutil.copymode(self._target, self._beside)
                self._beside.replace(self._target)
        finally:
            if self._target is not None:
                self._beside.unlink(missing_ok=True)


def _special(path: str) -> bool:
    """Whether the path leads to something else than a regular file."""
    try:
        return not stat.S_ISREG(Path(path).stat().st_mode)
    except FileNotFoundError:
        return False
