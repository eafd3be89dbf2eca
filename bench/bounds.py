"""Runs `urlkey dedupe` over a large file with several options, once each, and holds what it writes to be the same.

    python bench/bounds.py 50000000 --run= --run='--memory 1G' --run='--memory 1G --report' --name bounds

Each `--run` has the options of one. Outputs must have one SHA-256, and so must
reports; where `--memory` is given, the peak must be within it. The file is that of part `dedupe`, made once. Status 1
if not.
"""

import argparse
import hashlib
import os
import shlex
import sys
from datetime import date
from pathlib import Path

import corpora
import dedupe
import processes
import record as records
import stats

UNITS = {"K": 2**10, "M": 2**20, "G": 2**30}


def say(text):
    print(text, file=sys.stderr, flush=True)


def sha256(path):
    """The digest of a file, which is then gone."""
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    path.unlink()
    return found


def measured(source, options):
    """{wall, cpu, peak, lines_out's digest, the report's} of one run."""
    output, report = corpora.scratch() / "bounds.txt", corpora.scratch() / "bounds.json"
    command = [Path(sys.executable).parent / "urlkey", "dedupe", "--quiet", source, "-o", output]
    for option in shlex.split(options):
        command.append(f"--report={report}" if option == "--report" else option)
    row = processes.run_apart(command, corpora.scratch() / "stdout")
    if row.pop("status"):
        raise SystemExit(f"dedupe {options} failed")
    row = {name: round(figure, 1) for name, figure in row.items()}
    return row | {"output": sha256(output), "report": sha256(report) if "--report" in options else None}


def allowed(options):
    """MiB that a run may take; None where nothing is said."""
    words = shlex.split(options)
    if "--memory" not in words:
        return None
    size = words[words.index("--memory") + 1]
    return int(size[:-1]) * UNITS[size[-1]] / 2**20


def problems(runs):
    """What is not as it must be."""
    found = []
    for options, row in runs.items():
        if row["peak"] > (allowed(options) or row["peak"]):
            found.append(f"{options}: {row['peak']} MiB")
    for what in ("output", "report"):
        if len({row[what] for row in runs.values()} - {None}) > 1:
            found.append(f"not all runs have the same {what}")
    return found


def markdown(record):
    """The record as text."""
    who = record["machine"]
    out = [f"# `urlkey dedupe` within bounds, {record['date']}", ""]
    out += [f"{record['lines']:,} lines, {record['bytes']:,} bytes. {who['cores']} cores, {who['cpu']}."]
    out += [f"Load before {who['load']}, after {record['load_after']}. {record['note'] or ''}".rstrip(), ""]
    rows = []
    for options, row in record["runs"].items():
        figures = (f"{row['wall']:.0f}", f"{row['cpu']:.0f}", f"{row['peak']:,.0f}")
        rows.append((f"`{options or 'no bound'}`", *figures, row["output"][:16], (row["report"] or "")[:16]))
    head = ["options", "wall s", "CPU s", "peak MiB", "SHA-256 of the output", "of the report"]
    return "\n".join([*out, *stats.table(head, rows), "", *record["problems"]]).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lines", type=int)
    parser.add_argument("--run", dest="runs", action="append", required=True, metavar="OPTIONS")
    parser.add_argument("--name", help="of the record; without one none is written")
    parser.add_argument("--note", help="a sentence about the circumstances")
    given = parser.parse_args()
    source = dedupe.big_file({**corpora.settings()["dedupe"], "lines": given.lines}, say)
    record = {"date": date.today().isoformat(), "machine": records.machine(), "note": given.note}
    record |= {"lines": given.lines, "bytes": source.stat().st_size, "runs": {}}
    for options in given.runs:
        say(f"bounds: {options or 'no bound'}")
        record["runs"][options] = measured(source, options)
    record["load_after"] = round(os.getloadavg()[0], 2)
    record["problems"] = problems(record["runs"])
    print(markdown(record))
    if given.name:
        say(f"wrote {records.write(record, markdown(record), given.name).relative_to(corpora.ROOT)}")
    return int(bool(record["problems"]))


if __name__ == "__main__":
    sys.exit(main())
