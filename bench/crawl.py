"""Part `crawl`: what the example crawl fetches, finds and loses, and which mechanism saved what. Counts, not times;
the example makes them."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import corpora

NAMES = ("plain Scrapy", "first crawl", "second crawl")


def measure(config, quick, rng, say):
    """The part's record, by crawl; what is left of the first crawl's links, step by step."""
    products = corpora.scaled(config["crawl"], quick)["products"]
    record = {"unit": "counts", "products": products, "missing": [], "problems": []}
    with tempfile.TemporaryDirectory(prefix="urlkey-crawl-") as folder:
        out = Path(folder) / "told.json"
        command = [sys.executable, corpora.ROOT / "examples" / "scrapy" / "run.py", f"--products={products}"]
        done = subprocess.run([*command, "--json", out], capture_output=True, text=True)
        if done.returncode:
            say(f"crawl is missing: {done.stderr.strip().splitlines()[-1]}")
            return {**record, "missing": ["the example crawl"]}
        told = json.loads(out.read_text(encoding="utf-8"))
    for name, one in zip(NAMES, told["crawls"], strict=True):
        most = max(one["with_tag"][1], one["without"][1])
        record[name] = one | {"fetches of a product": most, "fetches of a product with a tag": one["with_tag"][1]}
    return record | {"left": told["left"], "text": done.stdout}


def report(record):
    """Markdown lines."""
    if "text" not in record:
        return []
    return [f"The shop has {record['products']} products.", "", *record["text"].splitlines(), ""]
