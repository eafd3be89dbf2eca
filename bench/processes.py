"""Runs a command and measures it as a whole: wall clock, CPU time, peak memory.

Also a program, `processes.py OUTPUT ARGV...`, because a child's peak memory is never reported below that of
the process that started it: measuring from a small one keeps the figure honest.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from time import perf_counter


def run(argv, output=os.devnull, env=None):
    """{status, wall, cpu (seconds), peak (MiB)} of a command whose stdout goes to the file `output`."""
    with Path(output).open("wb") as out:
        begin = perf_counter()
        child = subprocess.Popen(argv, stdout=out, env={**os.environ, **(env or {})})
        _, status, usage = os.wait4(child.pid, 0)
        wall = perf_counter() - begin
    child.returncode = os.waitstatus_to_exitcode(status)
    cpu = usage.ru_utime + usage.ru_stime
    return {"status": child.returncode, "wall": wall, "cpu": cpu, "peak": usage.ru_maxrss / 1024}


def run_apart(argv, output, env=None):
    """As `run`, started from a small process of its own."""
    helper = [sys.executable, "-S", "-I", __file__, str(output), *map(str, argv)]
    env = {**os.environ, **(env or {})}
    done = subprocess.run(helper, stdout=subprocess.PIPE, env=env, check=True)
    return json.loads(done.stdout)


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[2:], sys.argv[1])))
