"""Crawls the shop with plain Scrapy, then twice with the add-on and one store, and says what each fetched and found.

    python examples/scrapy/run.py

Needs `pip install 'urlkey[scrapy]'`. Everything stays on loopback."""

import argparse
import json
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import shop
from crawl import PLAIN_DEPTH, PLAIN_PAGES, TRAPS

import urlkey
from urlkey.compat.w3lib import canonicalize_url
from urlkey.store import Store

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Crawl:
    """What a crawl did, by what the shop was asked for and what the spider found."""

    name: str
    asked: Counter[str]
    found: set[int]
    stats: dict[str, Any]

    @property
    def fetches(self) -> int:
        """Requests that the shop answered, robots.txt aside."""
        return sum(count for target, count in self.asked.items() if target != "/robots.txt")

    @property
    def per_product(self) -> Counter[int]:
        """How often each product's page was fetched."""
        counts = Counter[int]()
        for target, count in self.asked.items():
            number = target.partition("?")[0].partition(";")[0].rpartition("/item-")[2]
            if number.isdigit():
                counts[int(number)] += count
        return counts

    def stat(self, name: str) -> int:
        """A number of Scrapy's statistics."""
        return int(self.stats.get(name, 0))


def crawl(server: shop.Server, folder: Path, name: str, *options: str) -> Crawl:
    """Runs crawl.py and reads what it wrote."""
    server.asked.clear()
    items, stats = folder / "items.jsonl", folder / "stats.json"
    items.unlink(missing_ok=True)
    command = [sys.executable, str(HERE / "crawl.py"), server.base, "--items", str(items), "--stats", str(stats)]
    print(f"crawling: {name}", file=sys.stderr, flush=True)
    subprocess.run([*command, *options], check=True)
    found = {json.loads(line)["product"] for line in items.read_text(encoding="utf-8").splitlines()}
    return Crawl(name, Counter(server.asked), found, json.loads(stats.read_text(encoding="utf-8")))


def crawls(server: shop.Server, folder: Path, options: argparse.Namespace) -> list[Crawl]:
    """All of them, in their order."""
    store = ("--store", str(folder / "store.db"))
    observed = ("--observations", options.observations) if options.observations else ()
    made = [
        crawl(server, folder, f"plain Scrapy, at most {PLAIN_PAGES:,} pages, {PLAIN_DEPTH} deep", "--plain"),
        crawl(server, folder, "with the add-on, first crawl", *store, *observed),
        crawl(server, folder, "with the add-on, second crawl", *store),
    ]
    if options.rules:
        # A store is of one policy: rules make another.
        made.append(crawl(server, folder, "with the add-on and rules, a store of its own", "--rules", options.rules))
    return made


def mechanisms(store: Path, first: Crawl, second: Crawl) -> list[tuple[str, int]]:
    """Step by step, how many requests are left of the links that the first crawl came upon."""
    with Store.open(store) as opened:
        links = [str(spelling.text) for entry in opened for spelling in entry.spellings if spelling.count]
    safe = urlkey.Policy("safe")
    no_session = safe.with_(drop_session=True)
    no_tracking = no_session.with_(drop_tracking=True)

    def different(policy: urlkey.Policy) -> int:
        return len(set(policy.keys(links)))

    return [
        ("links, as spelled", len(set(links))),
        ("as Scrapy compares them (`canonicalize_url`)", len({canonicalize_url(link) for link in links})),
        ("rung `drop_session` on top of `safe`", different(no_session)),
        ("and `drop_tracking`", different(no_tracking)),
        ("and the rest of `crawl`", different(urlkey.Policy("crawl"))),
        ("fetched by the first crawl", first.fetches),
        ("fetched by the second, which knows aliases", second.fetches),
    ]


FILTERED = {"key": "a key that had come", "alias": "an alias of a key that had come"}


def measured(made: list[Crawl], steps: list[tuple[str, int]], products: int) -> dict[str, Any]:
    """What was measured: of each crawl fetches, products found and lost, least and most fetches of a product."""
    tagged = {product for product in range(products) if shop.has_tag(product)}

    def bounds(crawl: Crawl, some: set[int]) -> list[int]:
        counts = [crawl.per_product[product] for product in some]
        return [min(counts), max(counts)]

    crawls = [
        {
            "name": one.name,
            "fetches": one.fetches,
            "found": len(one.found),
            "lost": products - len(one.found),
            "with_tag": bounds(one, tagged),
            "without": bounds(one, set(range(products)) - tagged),
            "filtered": {name: one.stat(f"urlkey/filtered/{name}") for name in FILTERED},
        }
        for one in made
    ]
    return {"products": products, "crawls": crawls, "left": dict(steps)}


def tables(told: dict[str, Any]) -> str:
    """What was measured, in Markdown."""

    def each(least: int, most: int) -> str:
        return f"{least}" if least == most else f"{least} to {most}"

    lines = [
        "| crawl | fetches | products found | lost | fetches of a product with a tag | without |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for one in told["crawls"]:
        row = (f"{one['fetches']:,}", one["found"], one["lost"], each(*one["with_tag"]), each(*one["without"]))
        lines.append(f"| {one['name']} | " + " | ".join(map(str, row)) + " |")
    lines += ["", "| of the links of the first crawl | left |", "|---|---:|"]
    lines += [f"| {step} | {left:,} |" for step, left in told["left"].items()]
    lines += ["", "| filtered as | first crawl | second crawl |", "|---|---:|---:|"]
    for name, words in FILTERED.items():
        counts = (one["filtered"][name] for one in told["crawls"][1:3])
        lines.append(f"| {words} | " + " | ".join(f"{count:,}" for count in counts) + " |")
    return "\n".join(lines)


def main() -> None:
    """Runs all of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--products", type=int, default=shop.PRODUCTS, help="default: %(default)s")
    parser.add_argument("--folder", type=Path, help="where the store is kept; default: a temporary folder")
    parser.add_argument("--observations", help="a file for what each response of the first crawl with the add-on shows")
    parser.add_argument("--json", type=Path, help="a file for what was measured, JSON")
    parser.add_argument("--rules", help="a rule file for one more crawl, such as one that was learned")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary, shop.Server(options.products) as server:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "store.db").unlink(missing_ok=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        made = crawls(server, folder, options)
        told = measured(made, mechanisms(folder / "store.db", made[1], made[2]), options.products)
        print(tables(told))
        if options.json:
            options.json.write_text(json.dumps(told, indent=1), encoding="utf-8")
        print(
            f"\nThe calendar has no end; {TRAPS} of its pages that look like a trap are let through.", file=sys.stderr
        )
        server.shutdown()


if __name__ == "__main__":
    main()
