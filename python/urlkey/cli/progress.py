"""Progress on a terminal, with rate and time left: a bar of rich where it is installed,
else one line that is written over. Must not know what is being done."""

import sys
import time
from math import ceil
from typing import Protocol

from urlkey.cli.messages import colours

_PAUSE = 0.2

__all__ = ["Progress", "progress"]


class Progress(Protocol):
    """Shows how far a command is: bytes read, lines read."""

    def __call__(self, position: int, lines: int) -> None: ...
    def close(self) -> None: ...


def progress(total: int | None, *, quiet: bool = False, unit: str = "lines") -> Progress:
    """What to call from time to time, and to close.

    `total` is the number of bytes to come, or None; `unit` what is counted besides. Silent
    unless standard error is a terminal that can go back to the beginning of a line.
    """
    if quiet or sys.stderr is None or not sys.stderr.isatty() or not colours(sys.stderr):
        return _Silent()
    try:
        return _Rich(_Pace(total, unit))
    except ImportError:
        return _Plain(_Pace(total, unit))


class _Pace:
    """How far it is, how fast it goes, and how long it will take at this rate."""

    def __init__(self, total: int | None, unit: str) -> None:
        self.total = total
        self._unit = unit
        self._begin = time.monotonic()
        self._next = self._begin + _PAUSE

    def due(self) -> bool:
        """Whether it is time to show something again."""
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + _PAUSE
        return True

    def says(self, position: int, count: int) -> str:
        """`1,200,000 lines  400,000/s  0:07 left`."""
        seconds = time.monotonic() - self._begin
        text = f"{count:,} {self._unit}"
        if self._unit == "lines" and seconds > 0:
            text += f"  {count / seconds:,.0f}/s"
        if self.total and 0 < position < self.total:
            text += f"  {_clock(seconds * (self.total - position) / position)} left"
        return text


def _clock(seconds: float) -> str:
    """Hours where there are any, minutes and seconds.

    >>> _clock(7.2), _clock(3725)
    ('0:08', '1:02:05')
    """
    minutes, rest = divmod(ceil(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class _Silent:
    def __call__(self, position: int, lines: int) -> None:
        pass

    def close(self) -> None:
        pass


class _Plain:
    def __init__(self, pace: _Pace) -> None:
        self._pace = pace
        self._width = 0

    def __call__(self, position: int, lines: int) -> None:
        if self._pace.due():
            total = self._pace.total
            share = f"{min(position / total, 1):4.0%}  " if total else ""
            self._write(share + self._pace.says(position, lines))

    def _write(self, text: str) -> None:
        sys.stderr.write(f"\r{text.ljust(self._width)}")
        sys.stderr.flush()
        self._width = len(text)

    def close(self) -> None:
        if self._width:
            self._write("")
            sys.stderr.write("\r")


class _Rich:
    def __init__(self, pace: _Pace) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as Bar

        self._pace = pace
        share = TextColumn("{task.percentage:>3.0f} %")
        says = TextColumn("{task.fields[says]}")
        self._bar = Bar(BarColumn(), share, says, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task("", total=pace.total, says="")
        self._bar.start()

    def __call__(self, position: int, lines: int) -> None:
        if self._pace.due():
            self._bar.update(self._task, completed=position, says=self._pace.says(position, lines))

    def close(self) -> None:
        self._bar.stop()
