"""Work grows at most linearly: every public function, over eight doublings of shapes that make work, in instructions
that callgrind counts. Seconds say nothing on a busy machine; instructions are the same every time."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from complexity import growth, worker
from complexity.functions import FUNCTIONS
from complexity.shapes import KINDS, SIZES

pytestmark = pytest.mark.service

PARTS = max(1, min(4, os.cpu_count() or 1))
# Where callgrind is told to write a count: the function in the C library behind `os.getppid`.
MARK = "getppid"

Work = dict[tuple[str, str], list[int]]


def counted(out: Path) -> list[int]:
    """The counts in the order in which they were written."""
    files = sorted(out.glob("count.*"), key=lambda path: int(path.suffix[1:]))
    totals = (re.search(r"^totals: (\d+)", path.read_text(), re.MULTILINE) for path in files)
    return [int(total[1]) for total in totals if total]


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Work:
    """By function and shape: instructions by size."""
    valgrind = shutil.which("valgrind")
    assert valgrind, "valgrind is needed (package valgrind)"
    folders = [tmp_path_factory.mktemp(f"part{part}") for part in range(PARTS)]
    # Hashes that are the same every time; long copies by moves, as short ones: one instruction that repeats itself for
    # each byte would be counted so often.
    tunables = ":".join(f"glibc.cpu.x86_rep_{kind}_threshold={1 << 30}" for kind in ("movsb", "stosb"))
    environ = {**os.environ, "PYTHONHASHSEED": "0", "GLIBC_TUNABLES": tunables}
    options = ["-q", "--tool=callgrind", f"--dump-before={MARK}", "--dump-line=no"]
    started = []
    for part, folder in enumerate(folders):
        called = [sys.executable, worker.__file__, str(part), str(PARTS)]
        command = [valgrind, *options, f"--callgrind-out-file={folder}/count", *called]
        started.append(subprocess.Popen(command, env=environ))
    assert [process.wait() for process in started] == [0] * PARTS
    found: Work = {}
    for part, folder in enumerate(folders):
        counts, rows = counted(folder), worker.rows()[part::PARTS]
        # One before each row, for what is filled once.
        assert len(counts) == len(rows) * (len(SIZES) + 1)
        for number, (function, shape) in enumerate(rows):
            first = number * (len(SIZES) + 1) + 1
            found[function.name, shape] = counts[first : first + len(SIZES)]
    return found


def test_a_quadratic_function_is_told_from_a_linear_one(work: Work) -> None:
    proofs = [counts for (name, _), counts in work.items() if name == worker.PROOF.name]
    assert proofs
    assert all(growth.dearer(SIZES, counts) > 3 * growth.MOST for counts in proofs), proofs


@pytest.mark.parametrize("name", [function.name for function in FUNCTIONS])
def test_work_grows_at_most_linearly(work: Work, name: str) -> None:
    of_function = {shape: counts for (function, shape), counts in work.items() if function == name}
    assert len(of_function) >= 12
    dearer = {shape: growth.dearer(SIZES, counts) for shape, counts in of_function.items()}
    worst = {shape: (found, of_function[shape]) for shape, found in dearer.items() if found > growth.MOST}
    assert worst == {}


def test_every_kind_of_input_makes_work(work: Work) -> None:
    """A function that refused all would cost the same for every size."""
    for kind in KINDS:
        names = {function.name for function in FUNCTIONS if function.kind == kind}
        grown = {name for (name, _), counts in work.items() if name in names and counts[-1] > 8 * counts[0]}
        assert len(grown) >= len(names) / 4, (kind, sorted(names - grown))
