"""Writes what was measured: a JSON record and a table for people. Names the machine, never its owner."""

import json
import os
import platform
import subprocess
from datetime import date
from pathlib import Path

import corpora
import stats


def version(*command):
    """The first line a program says of its version, or None."""
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return done.stdout.splitlines()[0] if done.stdout else None


def machine():
    """What a reader must know of the machine to read the figures."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        model = platform.processor() or platform.machine()
    return {
        "cpu": model,
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "rustc": version("rustc", "--version"),
        "cxx": version("c++", "--version"),
        "sort": version("sort", "--version"),
        "load": round(os.getloadavg()[0], 2),
    }


def judge(gates, record):
    """[(figure, value, limit, aim, met)]; value and met are None where it was not measured, for every
    gate whose part was run."""
    out = []
    for gate in gates:
        path = gate["figure"]
        if path[0] not in record:
            continue
        value = stats.lookup(record, path)
        least = "at_least" in gate
        limit = gate["at_least"] if least else gate["at_most"]
        met = None if value is None else value >= limit if least else value <= limit
        sign = ">=" if least else "<="
        out.append((" / ".join(path), value, f"{sign} {limit}", f"{sign} {gate['aim']}", met))
    return out


def markdown(record, gates, parts):
    """The record as text: limits first, then each part."""
    who = record["machine"]
    out = [f"# Benchmark of {record['date']}", ""]
    out += [f"{who['cores']} cores, {who['cpu']}, {who['system']}; Python {who['python']}, {who['rustc']}."]
    out += [
        f"Load before {who['load']}, after {record['load_after']}.{' A quick run.' * record['quick']}",
        "",
    ]
    if record.get("note"):
        out += [record["note"], ""]
    if gates:
        verdict = {True: "yes", False: "**no**", None: ""}
        rows = [(name, "not measured" if v is None else v, *rest, verdict[met]) for name, v, *rest, met in gates]
        out += [*stats.table(["figure", "measured", "must", "aim", "met"], rows), ""]
    for name, module in parts.items():
        if name in record:
            out += [f"## {name}", "", *module.report(record[name])]
            if record[name].get("missing"):
                out += [f"Missing: {', '.join(record[name]['missing'])}.", ""]
            out += [line for problem in record[name]["problems"] for line in (f"**Problem**: {problem}", "")]
            versions = record[name].get("versions")
            if versions:
                out += ["Versions: " + ", ".join(f"{k} {v}" for k, v in versions.items()) + ".", ""]
    return "\n".join(out).rstrip() + "\n"


def write(record, text, name):
    """The path of the JSON record; the table lies beside it."""
    path = corpora.HERE / "record" / f"{date.today().isoformat()}-{name}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    path.with_suffix(".md").write_text(text, encoding="utf-8")
    return path
