"""How the time and memory of `learn` grow with the number of observations.

    python bench/learning/scale.py --rows 10_000_000 --record

The stream is a simulated world over and over, each time under other hosts, so that it is never held: what is measured
is the learner. Keys of the same URLs are made beside it; the ratio of the two is the budget."""

import argparse
import json
import resource
import sys
from collections import deque
from datetime import UTC, datetime
from functools import cache
from itertools import count, islice
from pathlib import Path
from time import process_time

import world

from urlkey import Policy
from urlkey.learn import learn

RECORD = Path(__file__).parents[1] / "record"


def stream(rows, hosts, seed):
    """So many rows, as a learner sees them."""
    return islice((renamed(row, turn) for turn in count() for row in block(hosts, seed)), rows)


@cache
def block(hosts, seed):
    """The rows that are repeated; made once, so that no measure has them in it."""
    return [row.seen() for crawl in world.world(hosts, seed) for row in crawl.rows]


def renamed(row, turn):
    """The row under another host of the same kind."""
    url, fingerprint, time, status, redirect, canonical, *rest = row
    urls = [one and one.replace(".example", f"-{turn}.example", 1) for one in (url, redirect, canonical)]
    return (urls[0], fingerprint, time, status, *urls[1:], *rest)


def keys_alone(rows, hosts, seed):
    """CPU seconds of nothing but the keys."""
    took, policy = 0.0, Policy("crawl")
    for urls in batches(rows, hosts, seed):
        began = process_time()
        policy.keys(urls, on_error="null")
        took += process_time() - began
    return took


def stream_alone(rows, hosts, seed):
    """CPU seconds of making the rows."""
    began = process_time()
    deque(stream(rows, hosts, seed), maxlen=0)
    return process_time() - began


def measured(rows, hosts, seed):
    """CPU microseconds of keys and of learning, without those of making the stream, for each row; and the largest
    memory. The keys are made before and after, the stream likewise."""
    block(hosts, seed)
    before = keys_alone(rows, hosts, seed), stream_alone(rows, hosts, seed)
    observed = stream(rows, hosts, seed)
    began = process_time()
    model = learn(observed)
    took = process_time() - began
    after = keys_alone(rows, hosts, seed), stream_alone(rows, hosts, seed)
    key, made = ((one + other) / 2 / rows for one, other in zip(before, after, strict=True))
    took = took / rows - made
    return {
        "rows": rows, "hosts": model.hosts, "pages": model.pages, "rules": len(model.rules), "model": model.short_id,
        "microseconds_a_key": 1e6 * key, "microseconds_a_row": 1e6 * took, "microseconds_of_stream": 1e6 * made,
        "keys": took / key,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }  # fmt: skip


def batches(rows, hosts, seed, size=10_000):
    urls = (row[0] for row in stream(rows, hosts, seed))
    while batch := list(islice(urls, size)):
        yield batch


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, action="append", help="how many observations; may be given again")
    parser.add_argument("--hosts", type=int, default=4, help="of each archetype, in the world that is repeated")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", action="store_true", help="write bench/record/DATE-learning-scale.json")
    args = parser.parse_args()
    found = []
    for rows in args.rows or [100_000, 1_000_000]:
        found.append(measured(rows, args.hosts, args.seed))
        print(json.dumps(found[-1]), flush=True)
    if args.record:
        path = RECORD / f"{datetime.now(UTC):%Y-%m-%d}-learning-scale.json"
        path.write_text(json.dumps(found, indent=1) + "\n")
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
