"""Rules of sites that are rebuilt in the course of the crawl: kept as they were, and with an update for each day.

    python bench/learning/moves.py --hosts 10 --record moves

Rules are made of the first third of each crawl, before anything is rebuilt, and asked about the URLs first seen after
three fifths of it. All links are fetched, as by a crawler that does not follow the rules yet; the figures are how many
of the merges are wrong then, and what became of the rules of rebuilt and of other sites."""

import argparse
import json
import sys
from datetime import UTC, date, datetime, timedelta

import world
from evaluate import RECORD, loaded, show
from measure import Outcome, outcome, true_pages

from urlkey.learn import learn, updated

LEARNED, ASKED, STEPS = 0.33, 0.6, 3
BEGUN = date(2026, 11, 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=6, help="of each archetype")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=float, default=1e-3)
    parser.add_argument("--record", metavar="NAME", help="write bench/record/DATE-learning-NAME.json")
    args = parser.parse_args()
    crawls = list(world.world(args.hosts, args.seed))
    rebuilt = {crawl.site.host for crawl in crawls if "later" in crawl.site.params.values()}
    model = learn(between(crawls, 0, LEARNED), budget=args.budget, date=str(BEGUN))
    rows = [{"when": "learned from a third", **asked("learned from a third", crawls, model)}]
    for step in range(STEPS):
        since, until = (LEARNED + (ASKED - LEARNED) * at / STEPS for at in (step, step + 1))
        done = updated(model, between(crawls, since, until), date=str(BEGUN + timedelta(days=step + 1)), flips=1.0)
        model, name = done.model, f"update {step + 1}"
        counts = {
            "suspended_of_rebuilt": sum(one.host in rebuilt for one in done.suspended),
            "suspended_of_others": sum(one.host not in rebuilt for one in done.suspended),
            **{what: len(getattr(done, what)) for what in ("kept", "added", "recovered", "outgrown")},
        }
        rows.append({"when": name, **counts, **asked(name, crawls, model, str(counts))})
    anew = learn(between(crawls, 0, ASKED), budget=args.budget)
    rows.append({"when": "learned anew", **asked("learned anew", crawls, anew)})
    if args.record:
        path = RECORD / f"{datetime.now(UTC):%Y-%m-%d}-learning-{args.record}.json"
        told = {"hosts": len(crawls), "rebuilt": len(rebuilt), "budget": args.budget, "seed": args.seed, "moves": rows}
        path.write_text(json.dumps(told, indent=1) + "\n")
    return 0


def between(crawls, since, until):
    """What is fetched in this part of the crawls, as a learner sees it."""
    low, high = since * world.LASTS, until * world.LASTS
    return [row.seen() for crawl in crawls for row in crawl.rows if low <= row.time < high]


def asked(name, crawls, model, more=""):
    """The figures of the URLs first seen after the updates."""
    total, policy = Outcome(), loaded(model)
    for crawl in crawls:
        before = {row.url for row in crawl.rows if row.time < ASKED * world.LASTS}
        urls = list(dict.fromkeys(row.url for row in crawl.rows if row.url not in before))
        total.add(outcome(true_pages(crawl.site, urls), policy.keys(urls)))
    return show(name, total, more)


if __name__ == "__main__":
    sys.exit(main())
