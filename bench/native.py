"""Part `core`: the Rust core beside its peers, without Python; builds and runs the crate in bench/core."""

import hashlib
import json
import os
import subprocess
from pathlib import Path

import callgrind
import corpora
import stats


def build(say):
    """(program, missing): the benchmark program; without urlkey or the toy where they cannot be had."""
    target = os.environ.get("CARGO_TARGET_DIR") or str(corpora.ROOT / "target")
    cargo = ["cargo", "build", "--release", "--quiet", "--target-dir", target]
    cargo += ["--manifest-path", str(corpora.HERE / "core" / "Cargo.toml")]
    say("core: building (the first time compiles ada's C++)")
    done = subprocess.run([*cargo, "--features", "urlkey"], capture_output=True, text=True)
    if done.returncode:
        error = done.stderr[max(0, done.stderr.find("\nerror")) :].strip()
        say("core: urlkey is missing, it does not build:\n" + "\n".join(error.splitlines()[:8]))
        done = subprocess.run(cargo, capture_output=True, text=True)
    if done.returncode:
        return None, "\n".join(done.stderr.splitlines()[-8:])
    return Path(target, "release", "urlkey-bench-core"), None


def ask(program, *arguments):
    """What the program prints, read as JSON."""
    done = subprocess.run([program, *map(str, arguments)], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def keys_digest(program, path):
    """SHA-256 of the core's keys, as bench/answers.py makes it of Python's."""
    out = subprocess.run([program, "print", "urlkey", path], stdout=subprocess.PIPE, check=True).stdout
    return hashlib.sha256(out.removesuffix(b"\n")).hexdigest()


def one_corpus(program, path, part, seed):
    """Figures by engine over one corpus."""
    result = ask(program, "measure", path, part["rounds"], part["slice"], seed)
    figures = stats.summarize(result["ns"], lambda name: name.startswith("urlkey"))
    for name, count in result["refused"].items():
        figures[name]["refused"] = round(count / (part["rounds"] * part["slice"]), 5)
    return figures


def measure(config, quick, rng, say):
    """The part's record: {corpus: {engine: figures}}."""
    part = corpora.scaled(config["core"], quick)
    record = {"unit": "ns per URL, CPU time of the thread", "missing": [], "problems": []}
    try:
        program, error = build(say)
    except FileNotFoundError:
        program, error = None, "cargo is not installed"
    if error:
        say(f"core: not run: {error}")
        record["missing"] = part["engines"]
        return record
    known = ask(program, "engines")
    record["missing"] = [name for name in part["engines"] if name not in known["engines"]]
    record["versions"] = known["versions"]
    for name in record["missing"]:
        say(f"core: {name} is missing")
    for corpus in corpora.present(config):
        say(f"core: {corpus['name']}")
        path = corpora.plain(corpus)
        figures = record[corpus["name"]] = one_corpus(program, path, part, rng.getrandbits(32))
        if "urlkey" in figures:
            figures["keys_sha256"] = keys_digest(program, path)
        if callgrind.available() and not quick:
            few, many = part["instructions"]
            for name in known["engines"]:
                command = [program, "--once", path, many, name]
                figures[name]["instructions"] = callgrind.per_url(command, few, many)
    return record


def report(record):
    """Markdown lines: one table a corpus."""
    tables = [stats.speeds(corpus, figures, "urlkey") for corpus, figures in stats.by_corpus(record)]
    return [line for table in tables for line in table]
