"""Part `calls`: what one call from Python costs a URL, every engine in this one process."""

import gc
import random
import sys
from importlib import metadata
from statistics import median
from time import perf_counter_ns, process_time_ns, thread_time_ns

import answers
import callgrind
import corpora
import stats

# The call stands in the loop's source: a lambda would add its own call to engines that need two.
LOOP = """
{setup}
def run(urls):
    refused = 0
    for u in urls:
        try:
            {call}
        except Exception:
            refused += 1
    return refused
"""
BATCH = """
{setup}
def run(urls):
    return {batch}.count(None)
"""


def compiled(engine):
    """The function that runs an engine over a list of URLs and returns how many it refused."""
    space = {}
    source = BATCH if "batch" in engine else LOOP
    exec(source.format(**engine), space)
    return space["run"]


def load(name, config, say):
    """{name: (engine, run)} of the part's engines that can be had, and the names of those that cannot."""
    engines, missing = {}, []
    for engine in config[name]["engine"]:
        try:
            engines[engine["name"]] = engine, compiled(engine)
        except ImportError as error:
            missing.append(engine["name"])
            say(f"{name}: {engine['name']} is missing: {error}")
    return engines, missing


def slices(rows, rounds, size):
    """Fresh rows for every round, wrapping at the end of the corpus."""
    for start in range(0, rounds * size, size):
        yield [rows[i % len(rows)] for i in range(start, start + size)]


def timed(run, rows, clock):
    """Nanoseconds a URL, and how many were refused. The strs are new, so nothing of them is cached."""
    urls = [row.decode() for row in rows]
    gc.collect()
    gc.disable()
    begin = clock()
    refused = run(urls)
    spent = clock() - begin
    gc.enable()
    return spent / len(urls), refused


def interleave(engines, rows, part, rng):
    """Times and refusals by engine: each round runs all engines over one slice, in random order."""
    times = {name: [] for name in engines}
    refused = dict.fromkeys(engines, 0)
    for _, run in engines.values():
        run([row.decode() for row in rows[:200]])
    for piece in slices(rows, part["rounds"], part["slice"]):
        for name in rng.sample(list(engines), len(engines)):
            engine, run = engines[name]
            # A batch may have threads of its own: their time counts too.
            clock = process_time_ns if "batch" in engine else thread_time_ns
            spent, bad = timed(run, piece, clock)
            times[name].append(spent)
            refused[name] += bad
    return times, refused


def two_threads(engine, rows, part, rng):
    """How much faster a batch on two threads is than on one, by the clock on the wall."""
    ways = [compiled(engine), compiled({**engine, "batch": engine["threaded"]})]
    ratios = []
    for piece in slices(rows, part["rounds"], part["slice"] * 8):
        spent = [0.0, 0.0]
        for i in rng.sample([0, 1], 2):
            spent[i], _ = timed(ways[i], piece, perf_counter_ns)
        ratios.append(spent[0] / spent[1])
    return round(median(ratios), 3)


def instructions(name, engines, corpus, part):
    """{engine: instructions per URL} of the engines that ask for it."""
    few, many = part["instructions"]
    wanted = [each for each, (engine, _) in engines.items() if engine.get("instructions")]
    command = [sys.executable, corpora.HERE / "once.py", name, corpus["name"], many]
    return {each: callgrind.per_url([*command, each], few, many) for each in wanted}


def measured(name, check, config, quick, rng, say):
    """The record of a part of such calls: {corpus: {engine: figures}}, with missing engines and problems. `check`
    gives (facts, problems) of a corpus."""
    part = corpora.scaled(config[name], quick)
    engines, missing = load(name, config, say)
    record = {"unit": "ns per URL, CPU time of the thread", "missing": missing, "problems": []}
    packages = {engine["package"] for engine, _ in engines.values() if "package" in engine}
    record["versions"] = {package: metadata.version(package) for package in sorted(packages)}
    for corpus in corpora.present(config):
        say(f"{name}: {corpus['name']}")
        rows = corpora.lines(corpus["path"])
        rng_rows = random.Random(rng.random())
        times, refused = interleave(engines, rows, part, rng_rows)
        figures = stats.summarize(times, lambda engine: engine.startswith("urlkey"))
        for engine, row in figures.items():
            row["refused"] = round(refused[engine] / (part["rounds"] * part["slice"]), 5)
        if "urlkey.keys" in engines:
            figures["two_threads"] = two_threads(engines["urlkey.keys"][0], rows, part, rng_rows)
        if "urlkey.key" in engines:
            figures["answers"], problems = check(config, corpus, rows)
            record["problems"] += problems
        if callgrind.available() and not quick:
            for engine, count in instructions(name, engines, corpus, part).items():
                figures[engine]["instructions"] = count
        record[corpus["name"]] = figures
    return record


def measure(config, quick, rng, say):
    """The part's record."""
    return measured("calls", answers.check, config, quick, rng, say)


def report(record):
    """Markdown lines: one table a corpus."""
    out = []
    for corpus, figures in stats.by_corpus(record):
        out += stats.speeds(corpus, figures, "urlkey.key")
        if "two_threads" in figures:
            out += [f"`urlkey.keys` on two threads: {figures['two_threads']}x of one (wall clock).", ""]
        if "answers" in figures:
            out += [*answers.report(figures["answers"]), ""]
    return out
