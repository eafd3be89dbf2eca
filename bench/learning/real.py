"""The learner on real records with digests: what it finds, and what the rest of the records says of it.

    python bench/learning/real.py ../shared/corpora/truth

Pages are split in two by a hash of path and host: rules are made of one half and asked about the other, where every
merge of two URLs whose contents are known is judged by these. Contents under more than three paths judge nothing."""

import argparse
import gzip
import json
import sys
from collections import Counter, defaultdict
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from urllib.parse import urlsplit

from evaluate import RECORD, loaded, with_budget

from urlkey import Policy
from urlkey.learn import Observation, learn, upper

# Characters of visible text below which a page is not told by it.
SHORT = 300
WALL = 3


def seconds(text):
    """Seconds of a CDX time stamp, which may be cut short."""
    if text is None:
        return None
    whole = text + "00000101000000"[len(text) :]
    return datetime.strptime(whole[:14], "%Y%m%d%H%M%S").replace(tzinfo=UTC).timestamp()


def observations(folder):
    """The records as observations: the hash of the main text where there is one, else the payload's."""
    for path in sorted(folder.glob("[!_]*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                content = row.get("main") or row.get("text") or row.get("digest") or row.get("fingerprint")
                thin = row.get("n") is not None and row["n"] < SHORT
                when = seconds(row.get("time"))
                where = (row.get("redirect"), row.get("canonical"))
                yield Observation(row["url"], None if thin else content, when, row.get("status"), *where)


def half(row):
    return half_of(row.url)


def half_of(url):
    parts = urlsplit(url)
    return blake2b(f"{parts.hostname}{parts.path.rstrip('/')}".encode(), digest_size=1).digest()[0] % 2


def judged(rows, keys):
    """Merges by rules among these rows: how many, how many could be judged, which are wrong."""
    crawl = Policy("crawl")
    contents, paths, groups = defaultdict(set), defaultdict(set), defaultdict(dict)
    for row, key in zip(rows, keys, strict=True):
        base = crawl.keys([row.url], on_error="null")[0]
        if key is None or base is None:
            continue
        groups[key].setdefault(base, row)
        if row.fingerprint is not None and row.status in (None, 200):
            contents[base].add(row.fingerprint)
            paths[row.fingerprint].add(urlsplit(base).path)
    counts, wrong = Counter(), []
    for bases in groups.values():
        first, *others = sorted(bases)
        for other in others:
            counts["merges"] += 1
            a, b = ({one for one in contents[base] if len(paths[one]) <= WALL} for base in (first, other))
            if a and b:
                counts["judged"] += 1
                if not a & b:
                    wrong.append((first, other))
    return counts, wrong


# Labels of pairs that are one page, by what was seen of them. Temporary redirects and what is near are neither.
SAME = ("same-bytes", "same-text", "same-main", "redirect:301", "redirect:308", "canonical")


def labelled(folder):
    """Pairs of URLs whose label says that they are one page (True) or two; shared walls are neither."""
    with gzip.open(folder / "_pairs.jsonl.gz", "rt", encoding="utf-8") as lines:
        for pair in map(json.loads, lines):
            told = True if pair["label"] in SAME else False if pair["label"] == "diff" else None
            if told is not None and not pair.get("soft"):
                yield pair["a"], pair["b"], told, "+".join(pair["kinds"]) or "none"


def by_kind(folder, policies):
    """Kind of difference -> pairs that are one page, and how many of them get one key by the profile `crawl` and by
    what was learned from the other half; the same of pairs that are two pages, where a key in common is wrong."""
    pairs = list(labelled(folder))
    crawl = Policy("crawl")
    columns = {"crawl": [crawl, crawl], **policies}
    found = defaultdict(lambda: defaultdict(Counter))
    for name, sides in columns.items():
        ends = [[a for a, *_ in pairs], [b for _, b, *_ in pairs]]
        keys = [[policy.keys(urls, on_error="null") for urls in ends] for policy in sides]
        for place, (a, _, same, kind) in enumerate(pairs):
            own, other = (column[place] for column in keys[1 - half_of(a)])
            counts = found["one page" if same else "two pages"][kind]
            counts["pairs"] += name == "crawl"
            counts[name] += own is not None and own == other
    return {label: dict(sorted(kinds.items(), key=lambda one: -one[1]["pairs"])) for label, kinds in found.items()}


def show_kinds(found):
    for label, kinds in found.items():
        names = list(next(iter(kinds.values())))
        print(f"{label}: {', '.join(names)}")
        total = sum(kinds.values(), Counter())
        for kind, counts in [*list(kinds.items())[:14], ("all", total)]:
            print(f"  {kind:36}" + "".join(f"{counts[name]:9,}" for name in names))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--record", metavar="NAME", help="write bench/record/DATE-learning-NAME.json")
    args = parser.parse_args()
    rows = list(observations(args.folder))
    found, policies = [], {}
    models = [learn([row for row in rows if half(row) == side], budget=1e-4) for side in (0, 1)]
    for budget in (1e-4, 1e-3, 1e-2, 1e-1):
        total, wrong, kinds, rules = Counter(), [], Counter(), 0
        for side in (0, 1):
            made = with_budget(replace(models[side]), budget)
            ruled = loaded(made)
            policies.setdefault(f"learned {budget:g}", []).append(ruled)
            asked = [row for row in rows if half(row) != side]
            counts, bad = judged(
                asked, policies[f"learned {budget:g}"][side].keys([row.url for row in asked], on_error="null")
            )
            total, wrong, rules = total + counts, wrong + bad, rules + len(made.rules)
            for rule in made.rules:
                kinds[f"{rule.rewrite.kind} {'+'.join(rule.rewrite.names)}"] += rule.merges
        bound = upper(len(wrong), total["judged"])
        print(
            f"budget {budget:g}: {rules} rules; {total['merges']:,} merges in the other half, "
            f"{total['judged']:,} judged, "
            f"{len(wrong)} wrong, at most {bound:.2g}"
        )
        found.append({"budget": budget, "rules": rules, **total, "wrong": wrong, "upper": bound, "kinds": kinds})
    kinds = by_kind(args.folder, policies)
    show_kinds(kinds)
    if args.record:
        path = RECORD / f"{datetime.now(UTC):%Y-%m-%d}-learning-{args.record}.json"
        path.write_text(json.dumps({"rows": len(rows), "budgets": found, "kinds": kinds}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
