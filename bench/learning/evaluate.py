"""Learners on simulated hosts, trained on the first part of each crawl and asked about the URLs after it.

    python bench/learning/evaluate.py --hosts 60 --ablate --record

The same worlds for all. What is measured: how many of the removable duplicates go, and how many of the merges are
wrong, with the 95 % bound (Clopper-Pearson over merges, and over hosts drawn anew). For every learner that has a
threshold the whole curve, so that all can be held to one bound."""

import argparse
import json
import sys
import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from time import process_time

import naive
import world
from measure import Outcome, measured, outcome, true_pages

from urlkey import Policy
from urlkey.learn import (
    Guards,
    everywhere,
    everywhere_file,
    learn,
    platforms,
    platforms_file,
    rule_file,
    upper,
)
from urlkey.learn.model import selected

RECORD = Path(__file__).parents[1] / "record"
TRAINED = 0.6
BUDGETS = (1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 1e-1)
HELD_TO = 1e-4
ABLATED = {
    "walls": {"walls": False},
    "diversity": {"diversity": 0.0},
    "giant groups": {"split": False},
    "seen absent": {"bare": 0.0},
    "compared": {"blind": 1.0},
    "one after the other": {"joint": False},
    "support": {"trials": 1, "pages": 1},
    "failures": {"failures": 0.1},
    "all of them": {
        **{"walls": False, "diversity": 0.0, "split": False, "bare": 0.0, "blind": 1.0, "joint": False},
        **{"trials": 1, "pages": 1, "failures": 0.1},
    },
}


class Thresholds(naive.Threshold):
    """A threshold learner with its threshold as a knob."""

    def __init__(self, share):
        super().__init__()
        self.share = share

    def holds(self, count, differ):
        return count >= 5 and differ <= self.share * count


class Bounds(naive.Threshold):
    """Clopper-Pearson without guards, with its limit as a knob."""

    def __init__(self, limit):
        super().__init__()
        self.limit = limit

    def holds(self, count, differ):
        return count > 0 and upper(differ, count) <= self.limit


class Shares(naive.Miqps):
    """MIQPS with its threshold and number of samples as knobs."""

    def __init__(self, share, samples):
        super().__init__()
        self.share, self.samples, self.least = share, samples, min(samples, 3)


def baselines():
    """Name -> learner; those with knobs at several settings."""
    found = {name: naive.LEARNERS[name]() for name in ("static list", "w3lib", "drop all", "first pair", "canonical")}
    found |= {f"threshold {share:g}": Thresholds(share) for share in (0.1, 0.02, 0.0)}
    found |= {f"bound {limit:g}": Bounds(limit) for limit in (0.2, 0.05, 0.01, 0.003)}
    found |= {
        f"miqps N={n} T={share:g}": Shares(share, n) for n, share in ((10, 0.1), (10, 0.01), (50, 0.02), (50, 0.01))
    }
    return found


class Split:
    """Crawls as a learner sees them, and what is kept of each to ask about: the URLs first seen after the split."""

    def __init__(self, hosts, seed, archetypes, links, learners):
        self.crawls = world.world(hosts, seed, archetypes, links)
        self.asked, self.learners, self.rows = [], learners, []

    def __iter__(self):
        cut = TRAINED * world.LASTS
        for crawl in self.crawls:
            before = [row for row in crawl.rows if row.time < cut]
            seen = {row.url for row in before}
            after = list(dict.fromkeys(row.url for row in crawl.rows if row.time >= cut and row.url not in seen))
            self.asked.append((type(crawl.site).__name__, after, true_pages(crawl.site, after)))
            for learner in self.learners.values():
                learner.fit([replace(crawl, rows=before)])
            yield from (row.seen() for row in before)

    def outcome(self, keys_of):
        """The outcome of all hosts, and of those of each archetype."""
        total, by_archetype = Outcome(), {}
        for name, urls, pages in self.asked:
            one = outcome(pages, keys_of(urls))
            total.add(one)
            by_archetype.setdefault(name, Outcome()).add(one)
        return total, by_archetype

    def coverage(self, model):
        """Of the URLs that are asked about, the share whose key a rule changes, and the share of hosts with a rule."""
        static, ruled = Policy("crawl"), loaded(model)
        urls = [url for _, asked, _ in self.asked for url in asked]
        touched = sum(a != b for a, b in zip(static.keys(urls), ruled.keys(urls), strict=True))
        hosts = len({rule.host for rule in model.rules})
        return {"coverage": touched / max(len(urls), 1), "covered_hosts": hosts / max(len(self.asked), 1)}


def figures(found):
    """What is reported of an outcome."""
    return {
        **{name: getattr(found, name) for name in ("urls", "pages", "merges", "wrong", "removable", "removed", "rate")},
        "upper": upper(found.wrong, found.merges),
        "upper_by_hosts": found.bootstrap(),
    }


def with_budget(model, budget):
    """The model with another budget."""
    findings = [replace(one) for one in model.findings]
    selected(findings, budget)
    return replace(model, findings=tuple(findings), budget=budget)


def loaded(model):
    """The policy of a model, through its rule file."""
    return policy_with(rule_file(model))


def policy_with(text):
    """The policy with a rule file."""
    with tempfile.NamedTemporaryFile("w", suffix=".toml", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        return Policy.load("crawl", rules=[file.name])


def show(name, found, more=""):
    row = figures(found)
    print(
        f"{name:24} removed {100 * row['removed']:5.1f} %  wrong {row['wrong']:6,} of {row['merges']:8,}"
        f"  at most {row['upper']:.1e} (hosts {row['upper_by_hosts']:.1e}) {more}",
        flush=True,
    )
    return {"name": name, **row}


def evaluate(args):
    asked = {args.held_back: world.HELD_BACK, args.after: world.AFTER}
    asked |= {args.ways: world.WAYS, args.after_ways: world.AFTER_WAYS}
    archetypes = asked.get(True, world.ARCHETYPES)
    learners = {} if args.ours else baselines()
    split = Split(args.hosts, args.seed, archetypes, args.links, learners)
    rows = list(split)
    began = process_time()
    model = learn(rows, budget=HELD_TO)
    took = process_time() - began
    print(f"{len(rows):,} observations of {model.hosts:,} hosts, {model.pages:,} keys; learned in {took:.0f} s of CPU")
    static, _ = split.outcome(Policy("crawl").keys)
    record = {"hosts": model.hosts, "observations": len(rows), "seconds": took, "seed": args.seed}
    record["static"] = show("static list", static)
    record["curve"], record["archetypes"] = [], {}
    for budget in BUDGETS:
        made = with_budget(model, budget)
        found, by_archetype = split.outcome(loaded(made).keys)
        row = show(f"learned, {budget:g}", found, f"{len(made.rules):,} rules, expected {made.estimate:.1e}")
        row |= {"rules": len(made.rules), "estimate": made.estimate, **split.coverage(made)}
        record["curve"].append({"budget": budget, **row})
        record["archetypes"][str(budget)] = {name: figures(one) for name, one in by_archetype.items()}
    record["baselines"] = [show(name, split.outcome(one.keys)[0]) for name, one in learners.items()]
    if args.ablate:
        record["ablation"] = []
        for name, changes in ABLATED.items():
            made = with_budget(learn(rows, guards=replace(Guards(), **changes)), args.budget)
            found, _ = split.outcome(loaded(made).keys)
            record["ablation"].append({"guard": name, **show(f"without: {name}", found, f"{len(made.rules):,} rules")})
    if args.early:
        record["early"] = early(split, rows, args.budget)
    if args.after:
        # The first eight columns are what was seen; what comes behind them is declared.
        made = with_budget(learn([row[:8] for row in rows]), HELD_TO)
        found, by_archetype = split.outcome(loaded(made).keys)
        record["undeclared"] = show("nothing declared", found, f"{len(made.rules):,} rules")
        record["archetypes"]["undeclared"] = {name: figures(one) for name, one in by_archetype.items()}
    if args.unseen:
        record["unseen"] = unseen(model, args, archetypes)
    return record


def unseen(model, args, archetypes):
    """Hosts that nothing was learned of: what the rules for any host and for platforms do there, if somebody loads
    them. No host is in both worlds; names are drawn from the same pools."""
    crawls = list(world.world(args.unseen, args.seed, archetypes, args.links, first=args.hosts))
    found = {"static list": Policy("crawl")}
    found["any host"] = policy_with(everywhere_file(model, everywhere(model)))
    found["platforms"] = policy_with(platforms_file(model, platforms(model)))
    print(
        f"on {len(crawls):,} hosts that were not seen: {', '.join(one.name for one in everywhere(model)) or 'no names'}"
    )
    return [show(name, measured(crawls, policy.keys)) for name, policy in found.items()]


def early(split, rows, budget):
    """How soon there is something: the same with the first tenths of what was trained on."""
    found = []
    for tenth in (1, 2, 3, 5, 7, 10):
        before = TRAINED * world.LASTS * tenth / 10
        made = with_budget(learn([row for row in rows if row[2] < before]), budget)
        got, _ = split.outcome(loaded(made).keys)
        hosts = {rule.host for rule in made.rules}
        row = {"tenth": tenth, "rules": len(made.rules), "hosts": len(hosts), "observations": made.rows}
        found.append({**row, **show(f"after {tenth}/10", got, f"{len(hosts):,} hosts with a rule")})
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=6, help="of each archetype")
    parser.add_argument("--links", type=int, help="of each host; by default 200 to 3,000")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=float, default=HELD_TO, help="of the ablation and of what comes early")
    parser.add_argument("--held-back", action="store_true", help="the archetypes that were not developed on")
    parser.add_argument("--after", action="store_true", help="the archetypes that were written afterwards")
    parser.add_argument("--ways", action="store_true", help="the archetypes of paths and hosts")
    parser.add_argument("--after-ways", action="store_true", help="those of paths that were written afterwards")
    parser.add_argument("--unseen", type=int, default=0, metavar="HOSTS", help="of each archetype, not learned from")
    parser.add_argument("--ours", action="store_true", help="no baselines")
    parser.add_argument("--ablate", action="store_true", help="each guard off")
    parser.add_argument("--early", action="store_true", help="with the first tenths of the crawls")
    parser.add_argument("--record", metavar="NAME", help="write bench/record/DATE-learning-NAME.json")
    args = parser.parse_args()
    record = evaluate(args)
    if args.record:
        path = RECORD / f"{datetime.now(UTC):%Y-%m-%d}-learning-{args.record}.json"
        path.write_text(json.dumps(record, indent=1) + "\n")
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
