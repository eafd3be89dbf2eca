"""`urlkey dedupe --memory`: the same output, groups and rejects as without, whatever happens to the temporary file."""

import errno
import gzip
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from command import started, urlkey
from test_dedupe import messy
from urlkey._native import Dedupe
from urlkey.cli.app import Failure
from urlkey.cli.scratch import Scratch
from urlkey.cli.sizes import size_of

# Less than the interpreter takes: what is left for keys is as little as there can be.
TINY = ("--memory", "1M", "-q")


class Memory:
    """A temporary file that is none."""

    def __init__(self) -> None:
        self.held = bytearray()

    def write(self, at: int, data: bytes) -> None:
        self.held.extend(bytes(max(0, at - len(self.held))))
        self.held[at : at + len(data)] = data

    def read(self, at: int, size: int) -> bytes:
        return bytes(self.held[at : at + size])


def many(count: int, seed: int = 1) -> list[bytes]:
    """Lines of many keys, a third of them of few, and some that have none."""
    pick = random.Random(seed)
    lines = messy(count // 10, seed)
    while len(lines) < count:
        key = pick.randrange(7) if pick.random() < 0.3 else pick.randrange(count)
        lines.append(f"{pick.choice(['http', 'https', 'HTTP'])}://a.example{pick.choice(['', ':80'])}/{key}".encode())
    pick.shuffle(lines)
    return lines


def told(lines: list[bytes], **options: object) -> tuple[object, ...]:
    """Output, counts, groups, rejects, report of the core."""
    core = Dedupe("fold", rejects=-1, **options)
    text = b"\n".join(lines) + b"\n"
    out = b"".join(core.feed(text[at : at + 7_919]) for at in range(0, len(text), 7_919)) + core.end_file()
    while core.settle() is not None:
        pass
    while more := core.drain(1_000):
        out += more
    groups = core.groups(0, len(lines))
    while (piece := core.next_spellings()) is not None:
        key, count, spellings = piece
        if key is not None:
            groups.append((key, []))
        groups[-1][1].extend(spellings)
        assert len(groups[-1][1]) <= count
    return out, core.totals, groups, core.take_rejects(), core.report()


@pytest.mark.parametrize("keep", ["first", "shortest", "https"])
@pytest.mark.parametrize("groups", [False, True])
@pytest.mark.parametrize("report", [False, True])
def test_memory_changes_no_answer(keep, groups, report):
    lines = many(20_000)
    files: list[Memory] = []

    def opened() -> Memory:
        files.append(Memory())
        return files[-1]

    expected = told(lines, keep=keep, groups=groups, report=report)
    assert sum(row["merged"] > 0 and len(row["samples"]) == 3 for row in expected[-1]) == (10 if report else 0)
    for memory in (1, 300_000, 1 << 30):
        assert told(lines, keep=keep, groups=groups, report=report, memory=memory, files=opened) == expected
    assert len(files[0].held) > 300_000


@settings(max_examples=30, deadline=None)
@given(st.lists(st.binary(max_size=30) | st.sampled_from(messy(50)), max_size=200), st.sampled_from([0, 5_000, 90_000]))
def test_any_lines_give_the_same_in_any_memory(lines, memory):
    asked = {"groups": True, "keep": "shortest", "report": True}
    assert told(lines, **asked, memory=memory, files=Memory) == told(lines, **asked)


@pytest.mark.parametrize("options", [(), ("--keep", "https"), ("--keep", "shortest")])
@pytest.mark.parametrize("suffix", ["tsv", "jsonl"])
def test_the_command_writes_the_same_bytes(tmp_path, options, suffix):
    lines = many(9_000)
    for number in range(3):
        (tmp_path / f"{number}.txt").write_bytes(b"\r\n".join(lines[number * 3_000 :][:3_000]))
    (tmp_path / "1.txt").write_bytes(gzip.compress((tmp_path / "1.txt").read_bytes()))
    files = ["0.txt", "1.txt", "2.txt", "0.txt"]
    written = []
    for memory in ((), TINY, (*TINY, "--temporary", tmp_path)):
        names = [f"{kind}{len(memory)}.{suffix}" for kind in ("g", "r")]
        names.append(f"report{len(memory)}.{'json' if suffix == 'jsonl' else 'txt'}")
        tables = ["--groups", names[0], "--rejects", names[1], f"--report={names[2]}"]
        run = urlkey("dedupe", *files, *options, *memory, "-o", "out", *tables, "-q", "--format", "txt", cwd=tmp_path)
        assert (run.returncode, run.stderr) == (0, b"")
        written.append([(tmp_path / name).read_bytes() for name in ("out", *names)])
    assert written[0] == written[1] == written[2]
    assert min(map(len, written[0])) > 1_000


def test_standard_input_and_output_are_the_same_too():
    text = b"\n".join(many(40_000))
    assert urlkey("dedupe", *TINY, stdin=text).stdout == urlkey("dedupe", "-q", stdin=text).stdout


def test_rows_of_a_table_stay_whole(tmp_path):
    rows = [b'%d,"%s","two\nlines"' % (number, line) for number, line in enumerate(many(20_000)) if b'"' not in line]
    (tmp_path / "a.csv").write_bytes(b"id,url,note\n" + b"\n".join(rows))
    expected = urlkey("dedupe", "a.csv", "-q", "--keep", "https", cwd=tmp_path)
    assert urlkey("dedupe", "a.csv", *TINY, "--keep", "https", cwd=tmp_path).stdout == expected.stdout
    assert expected.stdout.startswith(b"id,url,note\n")


def test_lines_that_are_all_equal_need_no_file(tmp_path):
    text = b"http://a.example/\n" * 200_000
    assert urlkey("dedupe", *TINY, stdin=text).stdout == b"http://a.example/\n"
    lines = Dedupe("crawl", memory=1, files=Memory)
    lines.feed(text)
    assert lines.totals == {"lines": 200_000, "kept": 1, "merged": 199_999, "rejected": 0}


def test_one_huge_line_is_rejected_whole(tmp_path):
    long = b"http://a.example/" + b"x" * 20_000_000
    text = b"\n".join([*many(20_000), long, *many(20_000, seed=2)])
    run = urlkey("dedupe", *TINY, "--rejects", "r", stdin=text, cwd=tmp_path)
    assert run.stdout == urlkey("dedupe", "-q", stdin=text).stdout
    assert b"\ttoo-long\t" + long + b"\n" in (tmp_path / "r").read_bytes()


def test_lines_wait_until_they_are_kept_or_merged():
    text = b"\n".join(many(20_000)) + b"\n"
    core = Dedupe("crawl", memory=1, files=Memory)
    core.feed(text)
    before = core.totals
    assert before["kept"] + before["merged"] + before["rejected"] < before["lines"] == 20_000
    core.drain(1)
    after = core.totals
    assert after["kept"] + after["merged"] + after["rejected"] == after["lines"] == 20_000


# --- the temporary file


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_nothing_is_left_of_an_interrupted_run(tmp_path, how):
    """A kill may leave the half of the output, and the next start takes that away."""
    temp, text = tmp_path / "temp", b"\n".join(many(100_000)) + b"\n"
    temp.mkdir()
    (tmp_path / "out").write_bytes(b"precious\n")
    run = started("dedupe", *TINY, "--temporary", temp, "-o", tmp_path / "out")
    assert run.stdin is not None
    run.stdin.write(text)
    run.stdin.flush()
    wait_for(lambda: spilled(run.pid, temp))
    run.send_signal(how)
    run.communicate(timeout=60)
    assert run.returncode != 0
    assert left_in(temp) == []
    assert (tmp_path / "out").read_bytes() == b"precious\n"
    if how != signal.SIGKILL:
        assert left_in(tmp_path) == ["out", "temp"]
    expected = urlkey("dedupe", "-q", stdin=text).stdout
    urlkey("dedupe", *TINY, "--temporary", temp, "-o", tmp_path / "out", stdin=text)
    assert (tmp_path / "out").read_bytes() == expected
    assert left_in(tmp_path) == ["out", "temp"]
    assert left_in(temp) == []


def spilled(pid: int, folder: Path) -> bool:
    """Whether the process has written to a file without a name in the folder."""
    for link in Path(f"/proc/{pid}/fd").iterdir():
        try:
            if str(link.readlink()).startswith(f"{folder}/") and link.stat().st_size:
                return True
        except FileNotFoundError:
            continue
    return False


def wait_for(fact) -> None:
    if not Path("/proc/self/fd").exists():
        pytest.skip("no /proc here, which tells when the file is written")
    for _ in range(1_000):
        if fact():
            return
        time.sleep(0.05)
    raise AssertionError("it never came true")


def test_two_runs_with_one_output_do_not_take_each_others_file(tmp_path):
    first = started("dedupe", "-o", tmp_path / "out")
    assert first.stdin is not None
    first.stdin.write(b"http://a.example\n")
    first.stdin.flush()
    wait_for(lambda: list(tmp_path.glob("out.*.part")))
    urlkey("dedupe", "-o", tmp_path / "out", stdin=b"http://b.example/\n")
    first.communicate(b"http://a.example/\n", timeout=60)
    assert first.returncode == 0
    assert (tmp_path / "out").read_bytes() == b"http://a.example\n"
    assert left_in(tmp_path) == ["out"]


def test_a_full_disk_is_told_and_leaves_the_output_alone(tmp_path):
    full = tmp_path / "full"
    full.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", full], capture_output=True)
    if mounted.returncode:
        pytest.skip("needs the right to mount a file system")
    try:
        (tmp_path / "out").write_bytes(b"precious\n")
        text = b"\n".join(many(100_000))
        run = urlkey("dedupe", *TINY, "--temporary", full, "-o", tmp_path / "out", stdin=text)
    finally:
        subprocess.run(["umount", full], check=True)
    assert run.returncode == 2
    assert run.stderr == f"urlkey: {full}: temporary file: {os.strerror(errno.ENOSPC)}\n".encode()
    assert left_in(tmp_path) == ["full", "out"]
    assert (tmp_path / "out").read_bytes() == b"precious\n"


def test_a_folder_that_is_not_there_is_told_before_anything_is_read(tmp_path):
    run = urlkey("dedupe", *TINY, "--temporary", tmp_path / "none", stdin=b"http://a.example/\n")
    assert (run.returncode, run.stdout) == (2, b"")
    assert str(tmp_path / "none").encode() in run.stderr


def test_what_a_file_raises_is_raised():
    class Broken(Memory):
        def write(self, at: int, data: bytes) -> None:
            raise OSError(errno.EIO, "broken")

    class Short(Memory):
        def read(self, at: int, size: int) -> bytes:
            return super().read(at, size - 1)

    text = b"\n".join(many(20_000)) + b"\n"
    core = Dedupe("crawl", memory=1, files=Broken)
    with pytest.raises(OSError, match="broken") as error:
        core.feed(text)
    assert error.value.errno == errno.EIO
    core = Dedupe("crawl", memory=1, files=Short)
    core.feed(text)
    with pytest.raises(EOFError):
        core.drain(1)


def test_the_temporary_file_reads_what_was_written(tmp_path):
    file = Scratch(str(tmp_path))
    file.write(0, b"abc")
    file.write(3, b"defg")
    file.write(1, b"B")
    assert (file.read(0, 7), file.read(5, 10)) == (b"aBcdefg", b"fg")
    assert left_in(tmp_path) == []


# --- the options


def test_an_amount_of_memory_is_a_number_with_a_unit():
    sizes = {"1G": 1 << 30, "512m": 1 << 29, "1.5GiB": 3 << 29, "2 kB": 2048, "70000": 70_000, "1t": 1 << 40}
    assert {text: size_of(text) for text in sizes} == sizes
    for text in ("", "G", "-1G", "0", "1X", "1GG", "٣G", "1e3", "9" * 30):
        with pytest.raises(Failure):
            size_of(text)


def test_options_that_do_not_go_together_are_refused(tmp_path):
    for options, reason in (
        (("--memory", "lots"), b"'lots' is no amount of memory"),
        (("--temporary", "."), b"without --memory"),
    ):
        run = urlkey("dedupe", *options, stdin=b"http://a.example/\n")
        assert (run.returncode, run.stdout) == (2, b"")
        assert reason in run.stderr


def test_less_than_the_command_takes_is_told():
    run = urlkey("dedupe", "--memory", "1M", stdin=b"http://a.example/\n")
    assert (run.returncode, run.stdout) == (0, b"http://a.example/\n")
    assert b"about 48M will be used" in run.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory of a process, in kilobytes, is Linux's")
@pytest.mark.parametrize("report", [(), ("--report",)])
def test_the_memory_is_kept(tmp_path, report):
    """Twice as many keys as there is room for: 64 MiB hold half a million, and fewer texts on all steps."""
    with (tmp_path / "urls.txt").open("wb") as file:
        for start in range(0, 900_000, 100_000):
            file.write(b"".join(b"http://a.example/%d\n" % (key * 7919) for key in range(start, start + 100_000)))
    arguments = ["dedupe", "-p", "whatwg", "-q", "--memory", "64M", *report, "urls.txt", "-o", "out"]
    # The peak of a child, as its parent gets it, is never below the parent's own.
    program = f"from urlkey.cli.app import run; assert run({arguments}) == 0; print(open('/proc/self/status').read())"
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    peak = re.search(r"VmHWM:\s*(\d+) kB", run.stdout)
    assert peak is not None
    assert int(peak[1]) <= 64 << 10
    assert bool(report) == ("900,000 lines, 900,000 keys" in run.stdout)
    assert (tmp_path / "out").read_bytes() == (tmp_path / "urls.txt").read_bytes()
