"""Parts `dedupe` and, with other engines and lines, `scale`: a file of many lines, one process an engine, in turn."""

import hashlib
import subprocess
import sys
from itertools import islice
from statistics import median

import corpora
import processes
import programs
import stats


def big_file(part, say):
    """The input: made once by the corpus tool, kept in the scratch folder."""
    path = corpora.scratch() / f"big-{part['lines']}.txt"
    if not path.exists():
        say(f"dedupe: making {part['lines']:,} lines")
        tool = corpora.ROOT / part["generator"]
        half = path.with_suffix(".part")
        subprocess.run([sys.executable, tool, "big", str(part["lines"]), half], check=True)
        half.rename(path)
    return path


def expected(path, profile):
    """(lines, digest) of the right output: the first spelling of every key, in the order of the input."""
    import urlkey

    policy = urlkey.Policy.load(profile)
    seen, digest, count = set(), hashlib.sha256(), 0
    with path.open(encoding="utf-8", newline="\n") as file:
        while chunk := [line.rstrip("\n") for line in islice(file, 100_000)]:
            for line, key in zip(chunk, policy.keys(chunk, on_error="null"), strict=True):
                mark = key and urlkey.digest(key)
                if mark and mark not in seen:
                    seen.add(mark)
                    digest.update(line.encode() + b"\n")
                    count += 1
    return count, digest.hexdigest()


def checked(outputs, engines, right):
    """Problems with what the engines wrote: with our keys line by line, the others by count, each kind for itself."""
    counts = {}
    problems = []
    for engine in engines:
        path = outputs[engine["name"]]
        with path.open("rb") as file:
            counts[engine["name"]] = sum(1 for _ in file)
        if engine["answer"] == "keys":
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            if (counts[engine["name"]], digest) != right:
                problems.append(f"{engine['name']} wrote other lines than the {right[0]:,} right ones")
    for answer in {engine["answer"] for engine in engines} - {"keys"}:
        if len({counts[engine["name"]] for engine in engines if engine["answer"] == answer}) > 1:
            problems.append(f"engines differ in how many lines are distinct ({answer}): {counts}")
    return counts, problems


def one_round(engines, source, outputs, rng, name):
    """{engine: {wall, cpu, peak}} of each engine once, in random order."""
    out = {}
    for engine in rng.sample(engines, len(engines)):
        target = outputs[engine["name"]]
        argv = programs.argv(engine, input=source, output=target)
        # Who writes the file itself leaves nothing on stdout.
        direct = "{output}" in engine["argv"]
        stdout = corpora.scratch() / "stdout" if direct else target
        out[engine["name"]] = result = processes.run_apart(argv, stdout, engine.get("env"), engine.get("tree", False))
        if result["status"]:
            raise SystemExit(f"{name}: {engine['name']} ended with status {result['status']}")
    return out


def measure(config, quick, rng, say, name="dedupe"):
    """The part's record: figures by engine, memory, checks."""
    part = corpora.scaled(config[name], quick)
    if not (corpora.ROOT / part["generator"]).exists():
        say(f"{name}: not run, the corpus tool is not there")
        return {"missing": ["the corpus tool"], "problems": []}
    engines, missing = programs.installed(part["engine"], name, say)
    source = big_file(part, say)
    outputs = {e["name"]: corpora.scratch() / f"{name}-{i}.txt" for i, e in enumerate(engines)}
    say(f"{name}: {part['lines']:,} lines, {part['rounds']} rounds")
    rounds = [one_round(engines, source, outputs, rng, name) for _ in range(part["rounds"])]
    times = {name: [r[name]["wall"] for r in rounds] for name in outputs}
    record = stats.summarize(times, lambda engine: engine.startswith("urlkey"))
    for engine, row in record.items():
        row["cpu"] = round(median(r[engine]["cpu"] for r in rounds), 3)
        row["peak"] = round(max(r[engine]["peak"] for r in rounds), 1)
    ours = [e for e in engines if e["answer"] == "keys"]
    right = expected(source, config["profile"]) if ours else None
    counts, problems = checked(outputs, engines, right)
    for engine, count in counts.items():
        record[engine]["lines_out"] = count
    if ours and name == "dedupe":
        memory(record, ours[0], right[0])
    unit = "seconds, MiB"
    return {**record, "unit": unit, "lines": part["lines"], "missing": missing, "problems": problems}


def memory(record, engine, distinct):
    """Adds what a key costs, above what the same command needs for a file of one line."""
    small = corpora.scratch() / "one-line.txt"
    small.write_text("https://example.com/\n")
    argv = programs.argv(engine, input=small, output=corpora.scratch() / "stdout")
    base = processes.run_apart(argv, corpora.scratch() / "stdout")["peak"]
    peak = record[engine["name"]]["peak"]
    record["bytes_per_key"] = round((peak - base) * 2**20 / distinct, 1)
    sort = next((row["peak"] for name, row in record.items() if name.startswith("sort")), None)
    if sort:
        record["memory_of_sort"] = round(peak / sort, 3)


def report(record):
    """Markdown lines."""
    rows = []
    base = record.get("urlkey dedupe", {}).get("median")
    for name, row in stats.by_corpus(record):
        times = [f"{row[column]:.2f}" for column in ("median", "min", "cpu")]
        ratio = f"{row['median'] / base:.2f}" if base else ""
        rows.append((name, *times, ratio, f"{row['peak']:.0f}", f"{row['lines_out']:,}"))
    head = [f"{record.get('lines', 0):,} lines", "wall s", "min", "CPU s", "x urlkey dedupe", "peak MiB", "lines out"]
    out = [*stats.table(head, rows), ""]
    if "bytes_per_key" in record:
        out += [f"Bytes per distinct key: {record['bytes_per_key']}.", ""]
    return out
