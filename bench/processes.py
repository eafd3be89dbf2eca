"""Runs a command and measures it as a whole: wall clock, CPU time, peak memory.

Also a program, `processes.py tree|one OUTPUT ARGV...`, because a child's peak memory is never reported below that of
the process that started it: measuring from a small one keeps the figure honest.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread
from time import perf_counter

# Seconds between two looks at a tree of processes.
PAUSE = 0.2


def run(argv, output=os.devnull, env=None, tree=False):
    """{status, wall, cpu (seconds), peak (MiB)} of a command whose stdout goes to the file `output`.

    With `tree`, of all the processes that it starts, too: see `Tree`."""
    with Path(output).open("wb") as out:
        begin = perf_counter()
        child = subprocess.Popen(argv, stdout=out, env={**os.environ, **(env or {})})
        with Tree(child.pid, tree) as seen:
            _, status, usage = os.wait4(child.pid, 0)
        wall = perf_counter() - begin
    child.returncode = os.waitstatus_to_exitcode(status)
    cpu = max(usage.ru_utime + usage.ru_stime, seen.cpu)
    return {"status": child.returncode, "wall": wall, "cpu": cpu, "peak": max(usage.ru_maxrss / 1024, seen.peak)}


class Tree(Thread):
    """Looks now and then at all that descends from a process, such as a JVM and its workers, which nobody waits for:
    their memory at one moment, shared pages counted once for each, and their processor time as far as it was seen.
    Linux alone."""

    def __init__(self, root, wanted):
        super().__init__(daemon=True)
        self._wanted = wanted and Path("/proc/self/stat").exists()
        self.root, self.peak, self.cpu, self._over = root, 0.0, 0.0, Event()
        self._spent = {}

    def __enter__(self):
        if self._wanted:
            self.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        if self.is_alive():
            self.join()

    def run(self):
        while not self._over.wait(PAUSE):
            rows = dict(filter(None, map(stat, Path("/proc").glob("[0-9]*/stat"))))
            found, size = {self.root}, 0
            while len(found) != size:
                size = len(found)
                found |= {pid for pid, row in rows.items() if row["parent"] in found}
            if len(found) > 1:
                tree = [rows[pid] for pid in found if pid in rows]
                self.peak = max(self.peak, sum(row["memory"] for row in tree))
                self._spent |= {pid: rows[pid]["cpu"] for pid in found if pid in rows}
                self.cpu = sum(self._spent.values())


def stat(path):
    """(process id, its parent, memory in MiB, processor time in seconds) of a row of /proc; None if it has gone."""
    try:
        fields = path.read_text().rpartition(")")[2].split()
    except OSError:
        return None
    cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    memory = int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return int(path.parent.name), {"parent": int(fields[1]), "memory": memory, "cpu": cpu}


def run_apart(argv, output, env=None, tree=False):
    """As `run`, started from a small process of its own."""
    helper = [sys.executable, "-S", "-I", __file__, "tree" if tree else "one", str(output), *map(str, argv)]
    env = {**os.environ, **(env or {})}
    done = subprocess.run(helper, stdout=subprocess.PIPE, env=env, check=True)
    return json.loads(done.stdout)


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[3:], sys.argv[2], tree=sys.argv[1] == "tree")))
