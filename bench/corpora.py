"""The settings of bench.toml and the URLs that are measured on. Knows nothing of engines."""

import gzip
import itertools
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def settings():
    """The tables of bench.toml."""
    return tomllib.loads((HERE / "bench.toml").read_text(encoding="utf-8"))


def scaled(table, quick):
    """A part's table, with its `quick` values laid over it if asked."""
    return {**table, **table["quick"]} if quick else table


def scratch():
    """A folder outside the project for what the benchmark makes and can make again."""
    folder = Path(tempfile.gettempdir()) / "urlkey-bench"
    folder.mkdir(exist_ok=True)
    return folder


def present(config):
    """The corpora that are there, in order; the fallback only if no other is."""
    found = [c for c in config["corpus"] if (ROOT / c["path"]).exists()]
    return [c for c in found if not c.get("fallback")] or found


def lines(path, count=None):
    """The lines of a text file, gzipped or not, as bytes; at most `count`."""
    path = ROOT / path
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        return [line.rstrip(b"\n") for line in itertools.islice(file, count)]


def plain(corpus):
    """A path to the corpus as plain text, for programs that read no gzip."""
    out = scratch() / f"{corpus['name']}.txt"
    out.write_bytes(b"".join(line + b"\n" for line in lines(corpus["path"])))
    return out
