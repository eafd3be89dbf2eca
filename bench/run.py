"""Runs the benchmark of bench.toml and writes a dated record. Knows of the parts only their names."""

import argparse
import os
import random
import sys
from datetime import date

import answers
import calls
import classes
import columns
import corpora
import crawl
import dedupe
import forms
import growth
import native
import patterns
import record as records
import scale
import start
import store

PARTS = {
    "calls": calls,
    "forms": forms,
    "patterns": patterns,
    "columns": columns,
    "core": native,
    "classes": classes,
    "dedupe": dedupe,
    "scale": scale,
    "start": start,
    "growth": growth,
    "store": store,
    "crawl": crawl,
}


def say(text):
    print(text, file=sys.stderr, flush=True)


def parsed():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all if none is named")
    parser.add_argument("--quick", action="store_true", help="a few rounds, to see that it runs")
    parser.add_argument("--name", help="of the record; a quick run without one writes none")
    parser.add_argument("--note", help="a sentence that the record opens with")
    parser.add_argument("--seed", type=int, default=random.getrandbits(32), help="of the random order")
    options = parser.parse_args()
    unknown = set(options.parts) - set(PARTS)
    if unknown:
        parser.error(f"unknown part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    return options


def main():
    """0; 1 if an answer was wrong. A limit that is not met is shown only: the machine may be busy."""
    options = parsed()
    config = corpora.settings()
    rng = random.Random(options.seed)
    names = options.parts or list(PARTS)
    record = {"date": date.today().isoformat(), "quick": options.quick, "seed": options.seed}
    record |= {"machine": records.machine(), "profile": config["profile"], "note": options.note}
    for name in names:
        record[name] = PARTS[name].measure(config, options.quick, rng, say)
    if "core" in names:
        record["core"]["problems"] += answers.across(record)
    record["load_after"] = round(os.getloadavg()[0], 2)
    gates = records.judge(config["gate"], record)
    text = records.markdown(record, gates, PARTS)
    print(text)
    name = options.name or ("" if options.quick else "bench")
    if name:
        say(f"wrote {records.write(record, text, name).relative_to(corpora.ROOT)}")
    return int(any(record[name]["problems"] for name in names))


if __name__ == "__main__":
    sys.exit(main())
