"""Part `columns`: what a column of URLs costs, beside lists and loops over the same URLs: time, all in one process, and
memory, each in a process of its own: `columns.py CORPUS ENGINE ROWS`."""

import gc
import json
import random
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter_ns, process_time_ns

import calls
import corpora
import stats

# A column is given as an Arrow array, `column`; lists and loops get `urls`, a list of str. Both are new each time.
RUN = """
{setup}
def run(urls, column):
    {call}
"""


def compiled(engine, call):
    """The function that runs an engine over a list of URLs and the column that holds the same."""
    space = {}
    exec(RUN.format(setup=engine.get("setup", ""), call=call), space)
    return space["run"]


def load(config, say):
    """{name: (engine, run)} of the engines that can be had, and the names of those that cannot."""
    engines, missing = {}, []
    for engine in config["columns"]["engine"]:
        try:
            engines[engine["name"]] = engine, compiled(engine, engine["call"])
        except ImportError as error:
            missing.append(engine["name"])
            say(f"columns: {engine['name']} is missing: {error}")
    return engines, missing


def timed(run, rows, clock):
    """Nanoseconds a URL; str and column are new, so nothing of them is cached."""
    import pyarrow

    urls = [row.decode() for row in rows]
    column = pyarrow.array(urls)
    gc.collect()
    gc.disable()
    begin = clock()
    run(urls, column)
    spent = clock() - begin
    gc.enable()
    return spent / len(urls)


def interleave(engines, rows, part, rng):
    """Times by engine: each round runs all engines over one slice, in random order; slow ones over its beginning."""
    times = {name: [] for name in engines}
    for piece in calls.slices(rows, part["rounds"], part["slice"]):
        for name in rng.sample(list(engines), len(engines)):
            engine, run = engines[name]
            times[name].append(timed(run, piece[: engine.get("slice", len(piece))], process_time_ns))
    return times


def two_threads(engine, rows, part, rng):
    """How much faster a column is on two threads than on one, by the clock on the wall."""
    ways = [compiled(engine, engine["call"]), compiled(engine, engine["threaded"])]
    ratios = []
    for piece in calls.slices(rows, part["rounds"], part["slice"] * 4):
        spent = [0.0, 0.0]
        for i in rng.sample([0, 1], 2):
            spent[i] = timed(ways[i], piece, perf_counter_ns)
        ratios.append(spent[0] / spent[1])
    return round(median(ratios), 3)


def resident(figure):
    """Bytes of this process: VmRSS now, VmHWM at most. Linux alone."""
    text = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(text.partition(f"{figure}:")[2].split()[0]) * 1024


def needed(corpus, engine, count):
    """Bytes a URL that a run needs at most, above what is there before it: list, column, libraries."""
    import pyarrow

    run = compiled(engine, engine["call"])
    urls = [row.decode() for row in corpora.lines(corpus["path"], count)]
    column = pyarrow.array(urls)
    run(urls[:10], column[:10])
    gc.collect()
    # Linux forgets the peak so far.
    Path("/proc/self/clear_refs").write_text("5")
    before = resident("VmRSS")
    run(urls, column)
    return round((resident("VmHWM") - before) / len(urls))


def memory(corpus, engines, count):
    """{engine: bytes a URL}, each from a fresh process; nothing where the system does not tell."""
    if not Path("/proc/self/clear_refs").exists():
        return {}
    out = {}
    for name in engines:
        command = [sys.executable, __file__, corpus["name"], name, str(count)]
        out[name] = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return out


def check(corpus, rows):
    """Problems with the answers: a column must hold what a list does."""
    import pyarrow

    import urlkey
    import urlkey.arrow

    urls = [row.decode() for row in rows]
    expected = urlkey.keys(urls, on_error="null")
    for threads in (1, 2):
        if pyarrow.array(urlkey.arrow.keys(pyarrow.array(urls), threads=threads)).to_pylist() != expected:
            return [f"{corpus['name']}: urlkey.arrow.keys on {threads} threads differs from keys(list)"]
    return []


def measure(config, quick, rng, say):
    """The part's record: {corpus: {engine: figures}}, with missing engines and problems."""
    part = corpora.scaled(config["columns"], quick)
    record = {"unit": "ns per URL, CPU time of the process", "missing": [], "problems": []}
    try:
        import pyarrow
    except ImportError as error:
        say(f"columns: {error}")
        return record | {"missing": ["pyarrow"]}
    engines, record["missing"] = load(config, say)
    record["versions"] = {"pyarrow": pyarrow.__version__}
    for corpus in corpora.present(config):
        say(f"columns: {corpus['name']}")
        rows = corpora.lines(corpus["path"])
        rng_rows = random.Random(rng.random())
        figures = stats.summarize(interleave(engines, rows, part, rng_rows), lambda name: name.startswith("urlkey"))
        for name, (engine, _) in engines.items():
            if "threaded" in engine:
                figures[name]["two_threads"] = two_threads(engine, rows, part, rng_rows)
        for name, size in memory(corpus, engines, part["memory"]).items():
            figures[name]["bytes"] = size
        record["problems"] += check(corpus, rows)
        record[corpus["name"]] = figures
    return record


def report(record):
    """Markdown lines: one table a corpus."""
    out = []
    for corpus, figures in stats.by_corpus(record):
        base = figures["urlkey.arrow.keys"]
        rows = []
        for name, row in sorted(figures.items(), key=lambda item: item[1]["median"]):
            ratio = base["faster_than"].get(name)
            threads = row.get("two_threads", "")
            times = (f"{row['median']:,.0f}", f"{row['min']:,.0f}", f"{ratio:.2f}" if ratio else "")
            rows.append((name, *times, threads, f"{row['bytes']:,}" if "bytes" in row else ""))
        head = [f"{corpus}, ns per URL", "median", "min", "x urlkey.arrow.keys", "two threads", "bytes per URL"]
        out += [*stats.table(head, rows), ""]
    return out


def one(corpus, engine, count):
    """What `needed` says, on standard output."""
    config = corpora.settings()
    found = next(row for row in corpora.present(config) if row["name"] == corpus)
    print(json.dumps(needed(found, next(e for e in config["columns"]["engine"] if e["name"] == engine), int(count))))


if __name__ == "__main__":
    one(*sys.argv[1:])
