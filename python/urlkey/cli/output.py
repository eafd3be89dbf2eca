"""Where data go: standard output, or a file that appears when it is whole. Must
not know what is written."""

import contextlib
import os
import re
import shutil
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:  # Windows: what a killed command leaves stays
    fcntl = None  # type: ignore[assignment]

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
    file alone. Of one that was killed, what it has left is removed by the next.
    Anything else (a pipe, /dev/stdout) is written as it comes.
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
            _remove_orphans(self._target)
            try:
                self._file = self._beside.open("xb")
            except OSError as error:
                error.filename = path
                raise
            _lock(self._file)
        self._path = path
        self.write: Callable[[bytes], int] = self._file.write

    @property
    def file(self) -> Any:
        """The binary file, for libraries that write to one; closed here, not there."""
        return self._file

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


def _lock(file: Any) -> bool:
    """Whether nobody else holds the file; a lock ends with the process, however that ends."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _remove_orphans(target: Path) -> None:
    """Removes what commands that were killed have left beside the target."""
    name = re.compile(re.escape(target.name) + r"\.[0-9]+\.part")
    with contextlib.suppress(OSError):
        for path in [path for path in target.parent.iterdir() if name.fullmatch(path.name)]:
            with contextlib.suppress(OSError), path.open("rb") as file:
                if _lock(file):
                    path.unlink()


def _special(path: str) -> bool:
    """Whether the path leads to something else than a regular file."""
    try:
        return not stat.S_ISREG(Path(path).stat().st_mode)
    except FileNotFoundError:
        return False
