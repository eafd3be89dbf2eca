"""Learners to compare with: what is published, as it is described, and what one would write in an afternoon. All see
the same crawl; those that may ask a server say so by `asks`. Each gives keys for any URL of the hosts it saw."""

import random
from collections import defaultdict
from dataclasses import replace
from urllib.parse import urlsplit

from world import LASTS

from urlkey import Policy
from urlkey.compat.w3lib import canonicalize_url
from urlkey.learn import upper

CRAWL = Policy("crawl")


def parted(key):
    """What stands before the query, and the parameters."""
    front, _, query = key.partition("?")
    return front, tuple(query.split("&")) if query else ()


def name_of(pair):
    return pair.partition("=")[0]


class Learner:
    """One that drops names per host; `decide` says which, from the rows of one host."""

    asks = False

    def __init__(self):
        self.dropped = {}

    def fit(self, crawls):
        for crawl in crawls:
            rows = [(*parted(CRAWL.key(row.url)), row) for row in crawl.rows]
            self.dropped[crawl.site.host] = self.decide(crawl, rows)
        return self

    def decide(self, crawl, rows):
        return set()

    def keys(self, urls):
        return [self.key(key) for key in CRAWL.keys(urls)]

    def key(self, key):
        front, pairs = parted(key)
        dropped = self.dropped.get(urlsplit(key).hostname, ())
        left = [pair for pair in pairs if name_of(pair) not in dropped]
        return f"{front}?{'&'.join(left)}" if left else front


class Static(Learner):
    """The profile `crawl`: a list of parameters that are known everywhere."""


class W3lib(Learner):
    """w3lib.url.canonicalize_url: sorts, and drops nothing but the fragment."""

    def keys(self, urls):
        return [canonicalize_url(url) for url in urls]


class DropAll(Learner):
    """No query at all."""

    def key(self, key):
        return key.partition("?")[0]


def by_name(rows):
    """Name -> (front, rest) -> own value or None -> fingerprints, as they were seen."""
    found = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    whole = defaultdict(list)
    for front, pairs, row in rows:
        whole[front, pairs].append(row.fingerprint)
    for (front, pairs), prints in whole.items():
        for name in {name_of(pair) for pair in pairs}:
            rest = tuple(pair for pair in pairs if name_of(pair) != name)
            own = tuple(pair for pair in pairs if name_of(pair) == name)
            found[name][front, rest][own] += prints
            if (front, rest) in whole:
                found[name][front, rest][None] = whole[front, rest]
    return found


def trials(groups, most=None):
    """Pairs of values of one name, all else equal, against the first: how many, and how many of them differ."""
    count = differ = 0
    for values in groups.values():
        first, *others = values.values()
        for other in others[:most]:
            count += 1
            differ += first[0] != other[0]
    return count, differ


class Threshold(Learner):
    """At least five pairs that differ in the parameter alone, and fewer than a tenth with other content."""

    def decide(self, crawl, rows):
        counts = {name: trials(groups) for name, groups in by_name(rows).items()}
        return {name for name, (count, differ) in counts.items() if self.holds(count, differ)}

    def holds(self, count, differ):
        return count >= 5 and differ < 0.1 * count


class Strict(Threshold):
    """As the threshold, without a single exception."""

    def holds(self, count, differ):
        return count >= 5 and not differ


class Early(Threshold):
    """As the threshold, learned once, from the first third of the crawl, and never again."""

    def fit(self, crawls):
        return super().fit(replace(crawl, rows=[row for row in crawl.rows if row.time < LASTS / 3]) for crawl in crawls)


class Bound(Threshold):
    """Clopper-Pearson: 95 % sure that less than a twentieth differs. Without any guard."""

    limit = 0.05

    def holds(self, count, differ):
        return count > 0 and upper(differ, count) <= self.limit


class TightBound(Bound):
    """The same at one in a hundred."""

    limit = 0.01


class FirstPair(Threshold):
    """One pair of equal content is enough, as long as most are."""

    def holds(self, count, differ):
        return count > differ * 2


class Single(Strict):
    """Bounds each parameter by itself on pairs that differ in nothing else, thirty of them."""

    def holds(self, count, differ):
        return count >= 30 and not differ


class Miqps(Learner):
    """After Pinterest's MIQPS (April 2026): URLs by their set of names; for each name of the most frequent sets up to
    N URLs with distinct values are rendered with and without it; in that set it is neutral where less than T of them
    mismatch."""

    asks = True
    sets, samples, least, share = 20, 10, 3, 0.1

    def decide(self, crawl, rows):
        by_set = defaultdict(list)
        for front, pairs, row in rows:
            by_set[frozenset(map(name_of, pairs))].append((front, pairs, row))
        often = sorted(by_set, key=lambda names: (-len(by_set[names]), sorted(names)))[: self.sets]
        rng = random.Random(0)
        return {
            names: {name for name in sorted(names) if self.neutral(crawl, by_set[names], name, rng)} for names in often
        }

    def neutral(self, crawl, rows, name, rng):
        distinct = {
            tuple(pair for pair in pairs if name_of(pair) == name): (front, pairs, row) for front, pairs, row in rows
        }
        asked = differ = 0
        for front, pairs, row in list(distinct.values())[: self.samples]:
            left = [pair for pair in pairs if name_of(pair) != name]
            without = f"{front}?{'&'.join(left)}" if left else front
            when = row.time / LASTS
            a, b = (crawl.site.fetch(url, when, rng, row.time).fingerprint for url in (row.url, without))
            asked, differ = asked + 1, differ + (a != b)
        return asked >= self.least and differ < self.share * asked

    def key(self, key):
        front, pairs = parted(key)
        dropped = self.dropped.get(urlsplit(key).hostname, {}).get(frozenset(map(name_of, pairs)), ())
        left = [pair for pair in pairs if name_of(pair) not in dropped]
        return f"{front}?{'&'.join(left)}" if left else front


class Canonical(Learner):
    """Believes canonical tags: what nine of ten of them leave out goes."""

    def decide(self, crawl, rows):
        there, gone = defaultdict(int), defaultdict(int)
        for _, pairs, row in rows:
            if row.canonical is not None:
                left = set(map(name_of, parted(row.canonical)[1]))
                for name in set(map(name_of, pairs)):
                    there[name] += 1
                    gone[name] += name not in left
        return {name for name, count in there.items() if count >= 5 and gone[name] >= 0.9 * count}


class LooksRandom(Learner):
    """Drops what looks like a session: long values of letters and digits that hardly come back."""

    def decide(self, crawl, rows):
        values = defaultdict(list)
        for _, pairs, _ in rows:
            for pair in pairs:
                name, _, value = pair.partition("=")
                values[name].append(value)
        return {
            name
            for name, found in values.items()
            if len(set(found)) > 0.9 * len(found) and sum(len(value) >= 8 for value in found) > 0.9 * len(found)
        }


class Content(Learner):
    """Fetches everything and believes the fingerprint."""

    asks = True

    def fit(self, crawls):
        self.prints = {row.url: row.fingerprint for crawl in crawls for row in crawl.rows}
        return self

    def keys(self, urls):
        keys = CRAWL.keys(urls)
        return [f"{urlsplit(key).hostname} {self.prints.get(url) or key}" for url, key in zip(urls, keys, strict=True)]


class DropPrefixes(Learner):
    """Cuts the first segment of a path off, or all that look like it, where that once gave a page of equal content."""

    def decide(self, crawl, rows):
        seen = defaultdict(dict)
        for front, pairs, row in rows:
            seen[front, pairs][""] = row.fingerprint
            first, rest = first_of(front)
            seen[rest, pairs][first] = row.fingerprint
        return {
            looks(first)
            for forms in seen.values()
            for first in forms
            if first and list(forms.values()).count(forms[first]) > 1
        }

    def key(self, key):
        front, mark, query = key.partition("?")
        first, rest = first_of(front)
        return rest + mark + query if looks(first) in self.dropped.get(urlsplit(key).hostname, ()) else key


class DropFirst(Learner):
    """Cuts the first of several segments off every path."""

    def key(self, key):
        front, mark, query = key.partition("?")
        return first_of(front)[1] + mark + query


def first_of(front):
    """The first segment, and the URL without it; nothing where there is one alone."""
    scheme, _, host, first, *rest = [*front.split("/"), ""]
    return (first, "/".join([scheme, "", host, *rest[:-1]])) if len(rest) > 1 else ("", front)


def looks(segment):
    return "a token" if len(segment) >= 8 and any(map(str.isdigit, segment)) else segment


class SortedValues(Learner):
    """All parameters sorted, those of one name too."""

    def key(self, key):
        front, pairs = parted(key)
        return f"{front}?{'&'.join(sorted(pairs))}"


LEARNERS = {
    "static list": Static,
    "w3lib": W3lib,
    "drop all": DropAll,
    "miqps": Miqps,
    "threshold": Threshold,
    "strict": Strict,
    "early": Early,
    "bound": Bound,
    "tight bound": TightBound,
    "single": Single,
    "first pair": FirstPair,
    "canonical": Canonical,
    "looks random": LooksRandom,
    "content": Content,
    "drop prefixes": DropPrefixes,
    "drop first": DropFirst,
    "sorted values": SortedValues,
}
