"""Calls every function with every shape of its kind in every size, and marks where a call begins and ends: run under
callgrind, which writes a count of instructions at each mark.

The mark is `os.getppid`, whose function in the C library callgrind is told to watch; it costs next to nothing. A first
call in the smallest size fills what is filled once.
"""

import gc
import os
import sys
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from complexity.functions import FUNCTIONS, Counted
from complexity.shapes import KINDS, SIZES, URLS


def quadratic(text: str) -> int:
    """What the count must tell from a linear function."""
    return sum(text.count(char) for char in text[::16])


PROOF = Counted("quadratic, on purpose", quadratic)


def rows() -> list[tuple[Counted, str]]:
    """The proof that a square is seen, and every function with every shape of its kind."""
    proof = [(PROOF, shape) for shape in list(URLS)[:2]]
    return proof + [(counted, shape) for counted in FUNCTIONS for shape in KINDS[counted.kind]]


def call(counted: Counted, text: str) -> None:
    """The function, for better or worse: an error is an answer."""
    with suppress(ValueError, RecursionError):
        counted.call(text)


def main() -> None:
    """Arguments: which part of how many."""
    part, parts = map(int, sys.argv[1:])
    gc.disable()
    for counted, shape in rows()[part::parts]:
        texts = [KINDS[counted.kind][shape](size) for size in SIZES]
        call(counted, texts[0])
        os.getppid()
        for text in texts:
            call(counted, text)
            os.getppid()


if __name__ == "__main__":
    main()
