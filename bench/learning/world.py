"""Crawls of simulated hosts: for each host its links in the order of time, each fetched once, a few of them again.
The same seed gives the same world, host by host, in whatever order and number they are asked for."""

import random
from dataclasses import dataclass

import after
import after_ways
import boards
import found
import held_back
import shops
import traps
import ways
from sites import Fetch, Site, mark

DAY = 86_400
# Seconds that a crawl takes, and the share of links that are fetched a second time.
LASTS = 6 * DAY
AGAIN = 0.03


def _archetypes(module):
    classes = vars(module).values()
    return [
        one for one in classes if isinstance(one, type) and issubclass(one, Site) and one.__module__ == module.__name__
    ]


ARCHETYPES = [*_archetypes(shops), *_archetypes(boards), *_archetypes(traps), *_archetypes(found)]
HELD_BACK = _archetypes(held_back)
AFTER = _archetypes(after)
# What stands in paths and hosts; reported apart, so that figures of parameters stay what they are.
WAYS = _archetypes(ways)
AFTER_WAYS = _archetypes(after_ways)


@dataclass(frozen=True, slots=True)
class Crawl:
    """A host and what was fetched from it, by time."""

    site: Site
    rows: list[Fetch]


def host_of(archetype, number):
    return f"www.{archetype.__name__.lower()}-{number}.example"


def crawl(archetype, number, seed=0, links=None):
    """The crawl of the host with this number; `links`: how many are drawn, by default 200 to 3,000."""
    host = host_of(archetype, number)
    rng = random.Random(mark(seed, host))
    site = archetype(host, mark(seed, host, "site"))
    count = links or min(int(200 + rng.expovariate(1 / 600)), 3000)
    rows, seen = [], set()
    for turn in range(count):
        when = turn / count
        url = site.url(rng, when)
        if url not in seen or rng.random() < AGAIN:
            seen.add(url)
            rows.append(site.fetch(url, when, rng, int(when * LASTS)))
    return Crawl(site, rows)


def world(hosts, seed=0, archetypes=None, links=None, first=0):
    """Crawls of `hosts` hosts of each archetype, one host after the other."""
    for archetype in archetypes if archetypes is not None else ARCHETYPES:
        for number in range(first, first + hosts):
            yield crawl(archetype, number, seed, links)
