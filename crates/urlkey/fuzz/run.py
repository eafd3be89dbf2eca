"""Builds the fuzz targets with a stable compiler, seeds their corpora and runs them, and those of the Python package.

`make fuzz` is this with 30 seconds a target. Needs cargo and a C++ compiler (libFuzzer comes as source in its crate);
for the targets in tests/fuzz a Python that has urlkey's extra `fuzz`. Writes below the fuzz workspace's `target`
folder: corpora are kept there, and so are inputs that fail, in `artifacts`. Exit status 1 if a target failed.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import seeds

HERE = Path(__file__).resolve().parent
PYTHON_TARGET = seeds.PROJECT / "tests/fuzz/target.py"
WORK = Path(os.environ.get("CARGO_TARGET_DIR", HERE / "target"))


def targets():
    """The names of the compiled targets, in the order of Cargo.toml."""
    return re.findall(r'^name = "(\w+)"\npath = "targets/', (HERE / "Cargo.toml").read_text("utf-8"), re.MULTILINE)


def commands(names):
    """Makes the targets ready to run; how each is called."""
    compiled = [name for name in names if name not in seeds.PYTHON]
    if len(compiled) < len(names) and find_spec("atheris") is None:
        sys.exit("fuzz: the targets of the Python package need urlkey's extra fuzz: make fuzz installs it")
    folder = build(compiled) if compiled else None
    return {name: [sys.executable, PYTHON_TARGET, name] if name in seeds.PYTHON else [folder / name] for name in names}


def build(names):
    """Compiles the targets; their binaries' folder."""
    if shutil.which("c++") is None:
        sys.exit("fuzz: libFuzzer is built from source: a C++ compiler (c++) is needed, package g++ or clang")
    bins = [word for name in names for word in ("--bin", name)]
    environ = {**os.environ, "RUSTC_WRAPPER": str(HERE / "rustc"), "CARGO_TARGET_DIR": str(WORK)}
    subprocess.run(["cargo", "build", "--locked", "--release", *bins], cwd=HERE, env=environ, check=True)
    return WORK / "release"


def waited(process):
    """The exit status of a process, and the seconds of processor time that it took."""
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, used.ru_utime + used.ru_stime


def run(command, name, seconds):
    """Runs one target; what libFuzzer said at the end, and whether it failed."""
    corpus, artifacts = WORK / "corpus" / name, WORK / "artifacts" / name
    artifacts.mkdir(parents=True, exist_ok=True)
    seeds.fill(name, corpus)
    options = [f"-max_total_time={seconds}", "-timeout=60", "-rss_limit_mb=2048", f"-max_len={seeds.LONGEST}"]
    options += [f"-dict={HERE / 'url.dict'}", f"-artifact_prefix={artifacts}/", "-print_final_stats=1", "-verbosity=1"]
    log = artifacts / "log.txt"
    begun = time.monotonic()
    with log.open("wb") as out:
        status, processor = waited(subprocess.Popen([*command, corpus, *options], stdout=out, stderr=out))
    said = log.read_text("utf-8", "replace")
    cover = re.findall(r"cov: (\d+) ft: (\d+) corp: (\d+)", said) or [("0", "0", "0")]
    executed = re.findall(r"stat::number_of_executed_units: (\d+)", said) or re.findall(r"^#(\d+)", said, re.MULTILINE)
    return {
        "target": name,
        "seconds": round(time.monotonic() - begun),
        "processor_seconds": round(processor),
        "executions": int(executed[-1]) if executed else 0,
        "edges": int(cover[-1][0]),
        "features": int(cover[-1][1]),
        "corpus": int(cover[-1][2]),
        "failed": status != 0,
        "log": str(log),
    }


def main():
    """Command line: seconds a target, which targets, and how many at a time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", help="all, unless named")
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--jobs", type=int, default=1, help="targets at a time")
    parser.add_argument("--record", type=Path, help="a file to which a JSON line a target is added")
    given = parser.parse_args()
    names = given.targets or [*targets(), *seeds.PYTHON]
    called = commands(names)
    failed = False
    with ThreadPoolExecutor(given.jobs) as pool:
        for row in pool.map(lambda name: run(called[name], name, given.seconds), names):
            failed |= row["failed"]
            said = "FAILED, see " + row["log"] if row["failed"] else "held"
            counts = f"{row['executions']:>12,} inputs {row['edges']:>6} edges {row['seconds']:>5} s"
            print(f"{row['target']:14} {counts}  {said}", flush=True)
            if given.record:
                with given.record.open("a", encoding="utf-8") as out:
                    out.write(json.dumps(row) + "\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
