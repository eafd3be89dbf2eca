"""Part `growth`: hostile URLs in growing sizes. Linear work grows tenfold with a tenfold input."""

from itertools import pairwise
from time import thread_time_ns

import corpora
import stats


def families(part):
    """{family: [(size, url)]} in growing sizes, as the .keys file beside the corpus names them."""
    path = corpora.ROOT / part["path"]
    keys = (path.parent / "adversarial.keys").read_text(encoding="utf-8").splitlines()
    out = {}
    for key, row in zip(keys, corpora.lines(part["path"]), strict=True):
        family, size = key.split("\t")
        out.setdefault(family, []).append((int(size), row.decode()))
    return out


def timed(key, url, repeats):
    """(best time in us, outcome): the outcome is `key` or the code of the error."""
    from urlkey import UrlKeyError

    best = None
    for _ in range(repeats):
        begin = thread_time_ns()
        try:
            key(url)
            outcome = "key"
        except UrlKeyError as error:
            outcome = error.code
        spent = (thread_time_ns() - begin) / 1000
        best = spent if best is None else min(best, spent)
    return best, outcome


def one_family(key, sizes, repeats):
    """Times, outcomes, and the worst growth between neighbouring sizes, scaled to tenfold."""
    points = [(size, *timed(key, url, repeats)) for size, url in sizes]
    growth = max(b[1] / a[1] * (10 * a[0] / b[0]) for a, b in pairwise(points))
    return {
        "us": {str(size): round(us, 2) for size, us, _ in points},
        "outcome": sorted({outcome for _, _, outcome in points}),
        "growth": round(growth, 2),
    }


def measure(config, quick, rng, say):
    """The part's record: {profile: {worst, slowest_us, families}}."""
    part = corpora.scaled(config["growth"], quick)
    record = {"unit": "us", "missing": [], "problems": []}
    try:
        from urlkey import Policy
    except ImportError:
        say("growth: urlkey is missing")
        record["missing"].append("urlkey")
        return record
    if not (corpora.ROOT / part["path"]).exists():
        say("growth: not run, the corpus is not there")
        record["missing"].append("the corpus")
        return record
    found = families(part)
    if len(found) != part["families"]:
        record["problems"].append(f"{len(found)} families, not {part['families']}")
    for profile in part["profiles"]:
        say(f"growth: {profile}, {len(found)} families")
        policy = Policy.load(profile).with_(input_bytes=part["input_bytes"])
        rows = {name: one_family(policy.key, sizes, part["repeats"]) for name, sizes in found.items()}
        if any("too-long" in row["outcome"] for row in rows.values()):
            record["problems"].append(f"{profile}: something was refused for its size")
        record[profile] = {
            "worst": max(row["growth"] for row in rows.values()),
            "slowest_us": max(max(row["us"].values()) for row in rows.values()),
            "families": rows,
        }
    return record


def report(record):
    """Markdown lines: the five worst families of each profile."""
    out = []
    for profile, figures in record.items():
        if not isinstance(figures, dict):
            continue
        worst = sorted(figures["families"].items(), key=lambda item: -item[1]["growth"])[:5]
        rows = [(name, row["growth"], " ".join(row["outcome"]), row["us"]) for name, row in worst]
        slowest = f"slowest {figures['slowest_us']:,.0f} us"
        out += [f"`{profile}`: worst t(10n)/t(n) {figures['worst']}, {slowest}.", ""]
        out += [*stats.table(["worst families", "t(10n)/t(n)", "outcome", "us by size"], rows), ""]
    return out
