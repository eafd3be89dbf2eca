"""What rules do to URLs whose pages are known: merges, and how many of them are wrong."""

import random
from collections import defaultdict
from dataclasses import dataclass, field


@dataclass
class Outcome:
    """Counts over hosts. A key with n URLs of c true pages makes n - 1 merges, c - 1 of them wrong."""

    urls: int = 0
    pages: int = 0
    merges: int = 0
    wrong: int = 0
    by_host: list = field(default_factory=list)

    @property
    def removable(self):
        return self.urls - self.pages

    @property
    def removed(self):
        """Share of the removable duplicates that is removed, by merges that are right."""
        return (self.merges - self.wrong) / self.removable if self.removable else 0.0

    @property
    def rate(self):
        return self.wrong / self.merges if self.merges else 0.0

    def add(self, other):
        self.urls += other.urls
        self.pages += other.pages
        self.merges += other.merges
        self.wrong += other.wrong
        self.by_host.append((other.merges, other.wrong))

    def bootstrap(self, rounds=200, seed=0):
        """The 95 % bound of the rate of wrong merges over hosts drawn with replacement."""
        rng, count = random.Random(seed), len(self.by_host)
        rates = []
        for _ in range(rounds):
            drawn = rng.choices(self.by_host, k=count)
            merges = sum(merges for merges, _ in drawn)
            rates.append(sum(wrong for _, wrong in drawn) / merges if merges else 0.0)
        return sorted(rates)[int(0.95 * rounds)]


def outcome(pages, keys):
    """The outcome of one host: the true page of each distinct URL, and its key."""
    groups = defaultdict(set)
    for page, key in zip(pages, keys, strict=True):
        groups[key].add(page)
    wrong = sum(len(found) - 1 for found in groups.values())
    return Outcome(len(keys), len(set(pages)), len(keys) - len(groups), wrong)


def true_pages(site, urls):
    """The true pages of URLs, as they are at the end of the crawl."""
    return [site.true_page(url, 1.0) for url in urls]


def measured(crawls, keys_of, since=0):
    """The outcome of all hosts: `keys_of` gives the keys of URLs; those first fetched at `since` or later count."""
    total = Outcome()
    for crawl in crawls:
        urls = list(dict.fromkeys(row.url for row in crawl.rows if row.time >= since))
        total.add(outcome(true_pages(crawl.site, urls), keys_of(urls)))
    return total
