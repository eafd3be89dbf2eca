"""Progress on a terminal: how far, how fast, how long still; and nothing of it where there is no terminal."""

import os
import select
import subprocess
import sys
import time

import pytest

from command import clean_environment
from urlkey.cli import progress


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes when it is told to."""
    now = [1_000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_rate_and_time_left_are_those_of_what_is_done(clock):
    pace = progress._Pace(1_000, "lines")
    clock[0] += 10
    assert pace.says(250, 5_000) == "5,000 lines  500/s  0:30 left"
    assert pace.says(1_000, 20_000) == "20,000 lines  2,000/s"


def test_without_a_size_there_is_no_time_left(clock):
    pace = progress._Pace(None, "lines")
    assert pace.says(0, 0) == "0 lines"
    clock[0] += 2
    assert pace.says(250, 5_000) == "5,000 lines  2,500/s"


def test_parts_have_no_rate(clock):
    pace = progress._Pace(64, "of 64 parts")
    clock[0] += 30
    assert pace.says(16, 16) == "16 of 64 parts  1:30 left"


def test_it_is_not_shown_at_every_step(clock):
    pace = progress._Pace(10, "lines")
    shown = []
    for step in range(100):
        clock[0] += 0.01
        shown += [step] if pace.due() else []
    assert 1 < len(shown) <= 5


@pytest.mark.parametrize("rich", [True, False])
def test_a_terminal_shows_lines_and_rate(rich, tmp_path):
    pty = pytest.importorskip("pty")
    if not rich:
        (tmp_path / "rich.py").write_text("raise ImportError\n")
    master, slave = pty.openpty()
    run = subprocess.Popen(
        [sys.executable, "-c", "from urlkey.cli import main; raise SystemExit(main())", "dedupe"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=slave,
        cwd=tmp_path,
        env=clean_environment(TERM="xterm", COLUMNS="120"),
    )
    os.close(slave)
    assert run.stdin is not None
    told = b""
    for number in range(200):  # as long as it takes to start, and then a moment
        run.stdin.write(b"http://a.example/%d\n" % number)
        run.stdin.flush()
        if select.select([master], [], [], 0.3)[0]:
            told += os.read(master, 4096)
        if b"/s" in told:
            break
    run.stdin.close()
    try:
        while os.read(master, 4096):
            pass
    except OSError:  # Linux: the other end is closed
        pass
    os.close(master)
    assert run.wait(timeout=60) == 0
    assert b" lines" in told
    assert b"/s" in told
