"""Lines in the order of their bytes (`LC_ALL=C sort`), however many there are: sorted runs in temporary
files, merged. Must not know what the lines mean."""

import heapq
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

MEMORY = 256 << 20
# What a line costs beside its bytes: the object's head and its place in the list.
_OVERHEAD = 48
# Files open at one time; more runs are merged in rounds.
_OPEN = 64

__all__ = ["MEMORY", "sort_lines"]


def sort_lines(lines: Iterable[bytes], *, memory: int = MEMORY, directory: str | None = None) -> Iterator[bytes]:
    """The lines, without their ends, in the order of their bytes; equal ones all stay.

    Holds about `memory` bytes of them at a time; the rest lies in a folder made in `directory` (default the system's
    for temporary files), which is removed when the iterator is exhausted, closed, or left by an exception.
    Cost: n log n.

    >>> list(sort_lines([b"com,a)/b", b"com,a)/", b"com,a,b)/"], memory=1))
    [b'com,a)/', b'com,a)/b', b'com,a,b)/']
    """
    with tempfile.TemporaryDirectory(prefix="urlkey-", dir=directory) as folder:
        runs: list[Path] = []
        held: list[bytes] = []
        size = 0
        for line in lines:
            held.append(line)
            size += len(line) + _OVERHEAD
            if size >= memory:
                runs.append(_write(Path(folder), len(runs), sorted(held)))
                held, size = [], 0
        held.sort()
        if not runs:
            yield from held
            return
        made = len(runs)
        while len(runs) > _OPEN:
            runs, taken = runs[_OPEN:], runs[:_OPEN]
            runs.append(_write(Path(folder), made, _merged(taken, [])))
            made += 1
            for path in taken:
                path.unlink()
        yield from _merged(runs, held)


def _write(folder: Path, number: int, lines: Iterable[bytes]) -> Path:
    path = folder / f"{number}"
    with path.open("wb") as file:
        file.writelines(line + b"\n" for line in lines)
    return path


def _merged(runs: list[Path], held: list[bytes]) -> Iterator[bytes]:
    # Ends are taken off before lines are compared: a byte below the line feed may stand in one.
    return heapq.merge(*map(_read, runs), held)


def _read(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        for line in file:
            yield line.removesuffix(b"\n")
