"""The table that counts pages in the core, against a slow reading of the same rules in plain Python."""

import random
from collections import defaultdict
from itertools import groupby, pairwise

import pytest

from urlkey._native import PageTable
from urlkey.learn.pages import Host, Keys, Page, Sight, joined, parted
from urlkey.learn.trials import APART, Rewrite, changed, tallies

DAY = 86_400
REWRITES = [
    *(Rewrite("drop", names) for names in (("x",), ("y",), ("x", "y"), ("y", "z", "x"), ("w",))),
    *(Rewrite("valueless", names) for names in (("x",), ("z", "y"))),
    *(Rewrite("default", ("x",), value) for value in ("0", "1")),
]


def some_pages(rng):
    """Pages of a host: few heads, names and contents, so that everything meets; times that tie, or are far apart."""
    found = {}
    for _ in range(rng.randrange(2, 60)):
        pairs = [f"{rng.choice('xyzX')}{rng.choice(['', '=', '=0', '=1', '=2'])}" for _ in range(rng.randrange(4))]
        key = joined((f"http://a.example/{rng.choice('pq')}{rng.choice(['', '', '#f'])}", tuple(pairs)))
        page = found.setdefault(key, Page(key, key))
        page.fetched, page.listed = rng.random() < 0.9, rng.random() < rng.choice([0, 0, 0.1])
        for _ in range(rng.choice([0, 1, 1, 1, 2, 5])):
            time = rng.choice([None, 0, 1.0, 2, 3, 5 * DAY, 9 * DAY, 30.5 * DAY])
            kind = 200 if rng.random() < 0.9 else None, rng.choice([None, None, None, "en", "de", "fr"])
            page.sights.append(Sight(rng.choice(["a", "b", "c", 2**90]), time, kind))
    return list(found.values())


def left(rewrite, key):
    """What a rewrite leaves of a key."""
    head, pairs = key
    kept = []
    for pair in pairs:
        bare, _, value = pair.partition("=")
        if bare.lower() not in rewrite.names or (rewrite.kind == "default" and value != rewrite.value):
            kept.append(pair)
        elif rewrite.kind == "valueless":
            kept.append(bare)
    return head, tuple(kept)


def naive(pages, at, rewrite, walls):
    """(trials, failures, groups, bare, merges, blind, listed, pages) of all groups together, and their samples."""
    order = [page for name in rewrite.names for page in pages if name in names(at[page])]
    moved = {page: left(rewrite, at[page]) for page in dict.fromkeys(order) if left(rewrite, at[page]) != at[page]}
    lists = any(page.listed for page in pages)
    sums, shown = [0] * 7, []
    for key in dict.fromkeys(moved.values()):
        classes = defaultdict(list)
        for page in moved:
            if moved[page] == key:
                classes[at[page]].append(page)
        for page in pages:
            if at[page] == key:
                classes[key].append(page)
        if len(classes) > 1:
            trials, failures, samples = compared(list(classes.values()), walls)
            merging = [own for own in classes.values() if not lists or any(page.fetched for page in own)]
            listed = [own[0] for own in classes.values() if any(page.listed for page in own)]
            if len(listed) > 1:
                trials, failures = max(trials, 1), max(failures, 1)
                samples = [*samples, (listed[0], listed[1], False)]
            merges, tried = max(len(merging), 1) - 1, trials > 0
            bare = tried and classes.get(key) in merging
            counts = trials, failures, tried, bare, merges, 0 if tried else merges, len(listed) > 1
            sums = [total + count for total, count in zip(sums, counts, strict=True)]
            shown += samples
    few = [sample for same in (True, False) for sample in [one for one in shown if one[2] is same][:3]]
    return [*sums, sum(page.fetched for page in moved)], {(a.url, b.url, same) for a, b, same in few}


def names(key):
    return [pair.partition("=")[0].lower() for pair in key[1]]


def compared(classes, walls):
    """Trials and failures of one group, at most three, and pairs of pages."""
    trials, failures, samples = 0, 0, []
    seen = [(number, page, one) for number, own in enumerate(classes) for page in own for one in page.sights]
    kinds = defaultdict(list)
    for number, page, sight in seen:
        if sight.fingerprint not in walls:
            kinds[sight.kind].append((sight.time or 0, page.mixed, number, page, sight))
    for sights in kinds.values():
        sights.sort(key=lambda one: one[:2])
        for (before, _, number, page, sight), (after, _, other, beside, later) in pairwise(sights):
            same = sight.fingerprint == later.fingerprint
            if number == other or after - before > APART or (not same and rewritten(sights)):
                continue
            trials, failures = trials + 1, failures + (not same)
            if len(samples) < 3 or (not same and failures <= 3):
                samples.append((page, beside, same))
    speaks = defaultdict(set)
    for (_, language), sights in kinds.items():
        for _, _, number, _, _ in sights:
            speaks[number] |= {language} - {None}
    first = {}
    for (_, language), sights in kinds.items():
        for _, _, number, page, sight in sights:
            if speaks[number] == {language}:
                first.setdefault(language, (page, sight.fingerprint))
    if len({content for _, content in first.values()}) > 1:
        (a, _), (b, _) = (first[language] for language in sorted(first)[:2])
        trials, failures, samples = trials + 1, failures + 1, [*samples, (a, b, False)]
    failures = min(failures, 3)
    return min(max(trials, failures), 3), failures, samples


def rewritten(sights):
    """Whether each content stands in one stretch of time, in which several classes were seen."""
    stretches = [list(own) for _, own in groupby(sights, key=lambda one: one[4].fingerprint)]
    return (
        len(sights) >= 5
        and all(one[4].time is not None for one in sights)
        and len({own[0][4].fingerprint for own in stretches}) == len(stretches)
        and all(len({number for _, _, number, _, _ in own}) > 1 for own in stretches)
    )


def told(host, rewrite, walls):
    """What the core says, in the words of `naive`."""
    found = tallies(host, rewrite, walls)
    if not found:
        return [0] * 8, set()
    (one,) = found.values()
    counts = one.trials, one.failures, one.groups, one.bare, one.merges, one.blind, one.listed, one.pages
    return list(counts), set(map(tuple, one.samples))


@pytest.mark.parametrize("seed", range(300))
def test_what_the_core_counts_is_what_plain_python_counts(seed):
    rng = random.Random(seed)
    host = Host("a.example", "a.example", some_pages(rng))
    # All at one place: what each place says apart the tests of whole models tell.
    host.table.settle(host.number, [0] * len(host.heads()))
    at = {page: parted(page.key) for page in host.pages}
    walls = frozenset(rng.sample(["a", "b", "c", 2**90, "nowhere"], rng.choice([0, 0, 1])))
    for rewrite in REWRITES:
        assert told(host, rewrite, walls) == naive(host.pages, at, rewrite, walls)
    rule = rng.choice(REWRITES)
    acts = changed(host, rule)
    some = {page for page in acts.pages if rng.random() < 0.7}
    host.rekey(acts.only(some))
    for page in host.pages:
        at[page] = left(rule, at[page]) if page.number in some else at[page]
        assert ((page.head, page.pairs), page.names) == (at[page], tuple(names(at[page])))
    for name, pages in host.names().items():
        assert pages == host.having(name) == sum(name in names(key) for key in at.values())
    for rewrite in REWRITES:
        assert told(host, rewrite, walls)[0] == naive(host.pages, at, rewrite, walls)[0]


def test_hosts_of_a_domain_meet_in_one_table():
    keys = Keys()
    hosts = [
        Host(name, "a.example", [Page(f"http://{name}/{n}", f"http://{name}/{n}") for n in range(3)], keys)
        for name in ("a.example", "www.a.example")
    ]
    for page in keys.pages:
        page.fetched = True
    found = tallies(hosts[1], Rewrite("on", ("drop_www",)))
    assert {place: (one.merges, one.blind, one.trials) for place, one in found.items()} == {
        (str(n),): (1, 1, 0) for n in range(3)
    }
    assert tallies(hosts[0], Rewrite("on", ("drop_www",))) == {}


def test_what_is_not_of_a_table_is_refused():
    table, other = PageTable(), PageTable()
    changes = table.changed(5, "drop", ("x",), "")
    assert (len(changes), changes.pages, table.heads(5), table.count(5, "x")) == (0, [], [], 0)
    with pytest.raises(ValueError, match="changes of another table"):
        other.rekey(changes)
    with pytest.raises(ValueError, match="no page 7"):
        table.head(7)
    with pytest.raises(ValueError, match="kind lower; allowed: drop, valueless, default"):
        table.changed(0, "lower", ("x",), "")
