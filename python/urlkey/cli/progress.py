"""Progress on a terminal: a bar of rich where it is installed, else one line that
is written over. Must not know what is being done."""

import sys
import time
from typing import Protocol

from urlkey.cli.messages import colours

_PAUSE = 0.2

__all__ = ["Progress", "progress"]


class Progress(Protocol):
    """Shows how far a command is: bytes read, lines read."""

    def __call__(self, position: int, lines: int) -> None: ...
    def close(self) -> None: ...


def progress(total: int | None, *, quiet: bool = False) -> Progress:
    """What to call from time to time, and to close.

    `total` is the number of bytes to come, or None. Silent unless standard error
    is a terminal that can go back to the beginning of a line.
    """
    if quiet or sys.stderr is None or not sys.stderr.isatty() or not colours(sys.stderr):
        return _Silent()
    try:
        return _Rich(total)
    except ImportError:
        return _Plain(total)


class _Silent:
    def __call__(self, position: int, lines: int) -> None:
        pass

    def close(self) -> None:
        pass


class _Plain:
    def __init__(self, total: int | None) -> None:
        self._total = total
        self._next = time.monotonic() + _PAUSE
        self._width = 0

    def __call__(self, position: int, lines: int) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _PAUSE
        share = f"{min(position / self._total, 1):4.0%}  " if self._total else ""
        self._write(f"{share}{lines:,} lines")

    def _write(self, text: str) -> None:
        sys.stderr.write(f"\r{text.ljust(self._width)}")
        sys.stderr.flush()
        self._width = len(text)

    def close(self) -> None:
        if self._width:
            self._write("")
            sys.stderr.write("\r")


class _Rich:
    def __init__(self, total: int | None) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        share = TextColumn("{task.percentage:>3.0f} %")
        count = TextColumn("{task.fields[lines]:,} lines")
        console = Console(stderr=True)
        self._bar = Bar(BarColumn(), share, count, TimeRemainingColumn(), console=console, transient=True)
        self._task = self._bar.add_task("", total=total, lines=0)
        self._next = time.monotonic() + _PAUSE
        self._bar.start()

    def __call__(self, position: int, lines: int) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _PAUSE
            self._bar.update(self._task, completed=position, lines=lines)

    def close(self) -> None:
        self._bar.stop()
