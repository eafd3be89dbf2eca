"""Counts instructions with valgrind's callgrind: a measure that a busy machine does not move."""

import os
import re
import shutil
import subprocess


def available():
    """True if valgrind is installed."""
    return shutil.which("valgrind") is not None


def count(argv):
    """Instructions that a command executes, or None if it fails."""
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *map(str, argv)]
    # Hash seeds change how dictionaries probe: fixed, so that two runs differ only in their work.
    env = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(tool, capture_output=True, text=True, env=env)
    found = re.search(r"Collected : (\d+)", done.stderr)
    return int(found[1]) if found and done.returncode == 0 else None


def per_url(command, few, many):
    """Instructions per URL: `command` and a number run over so many URLs, and start-up cancels out."""
    low, high = count([*command, few]), count([*command, many])
    return None if low is None or high is None else round((high - low) / (many - few))
