"""Groups: the pages that a rewrite gives one key, in the classes that they were before, and whether their contents
agree. Knows pages; must not know which rewrite it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from operator import itemgetter

from urlkey.learn.observations import Fingerprint
from urlkey.learn.pages import Host, Key, Page, Sight
from urlkey.learn.paths import Place

# Of one group; contents farther apart than this many seconds are not compared.
TRIALS_A_GROUP = 3
APART = 7 * 86_400
# Pairs of pages that are kept of one group.
SAMPLES = 3
# Sights of a key by which a page that was rewritten is told.
_MANY = 5

__all__ = ["APART", "SAMPLES", "TRIALS_A_GROUP", "Group", "groups"]

# A sight with its time, the place of its page among others of this time, the number of its class, and the page.
_Seen = tuple[float, bytes, int, Sight, Page]
_ORDER = itemgetter(0, 1)


@dataclass(slots=True)
class Group:
    """One key that a rewrite makes of several."""

    key: Key
    place: Place
    leader: Page
    classes: int
    bare: bool = False
    """One of the classes is without the parameter."""
    trials: int = 0
    failures: int = 0
    fingerprint: Fingerprint | None = None
    """Of most sights."""
    majority: float = 1.0
    listed: bool = False
    """A sitemap lists two of the classes."""
    samples: list[tuple[Page, Page, bool]] = field(default_factory=list)
    """As `Sample`, with pages for URLs."""


def groups(host: Host, changes: Iterable[tuple[Page, Key]], walls: Collection[Fingerprint]) -> Iterator[Group]:
    """Every group that has more than one class."""
    made: dict[Key, list[Page]] = defaultdict(list)
    for page, key in changes:
        made[key].append(page)
    by_key, nobody = host.keys.by_key, dict[Page, None]()
    for key, pages in made.items():
        already = by_key.get(key, nobody)
        if (count := len(pages) + len(already)) == 1:
            continue
        if count == 2 and not host.lists:
            # Most groups are of two pages.
            a, b = (*pages, *already)
            if a.at == b.at:
                continue
            pair = _pair(key, a, b, bool(already), walls)
            if pair is not None:
                yield pair
                continue
        classes: dict[Key, list[Page]] = {}
        for page in pages:
            same = classes.get(page.at)
            if same is None:
                classes[page.at] = [page]
            else:
                same.append(page)
        if already:
            classes[key] = list(already)
        if len(classes) > 1:
            group = _group(key, classes, key in classes, walls)
            if host.lists:
                _declared(group, classes)
            yield group


def _pair(key: Key, a: Page, b: Page, bare: bool, walls: Collection[Fingerprint]) -> Group | None:
    """As `_group` says of two pages that were seen once; None where it is for `_group` to say."""
    if len(a.sights) != 1 or len(b.sights) != 1:
        return None
    (one, time, kind), (other, later, beside) = a.sights[0], b.sights[0]
    if kind != beside or one in walls or other in walls:
        return None
    group = Group(key, a.place, a, 2, bare)
    same = one == other
    group.fingerprint = one if same else max(one, other, key=str)
    group.majority = 1.0 if same else 0.5
    if abs((time or 0.0) - (later or 0.0)) <= APART:
        group.trials, group.failures = 1, int(not same)
        first = (time or 0.0, a.mixed) <= (later or 0.0, b.mixed)
        group.samples.append((a, b, same) if first else (b, a, same))
    return group


def _group(key: Key, classes: dict[Key, list[Page]], bare: bool, walls: Collection[Fingerprint]) -> Group:
    members = list(classes.values())
    group = Group(key, members[0][0].place, members[0][0], len(members), bare)
    kinds: dict[Hashable, list[_Seen]] = {}
    counts: dict[Fingerprint, int] = {}
    for number, pages in enumerate(members):
        own = set()
        for page in pages:
            for sight in page.sights:
                fingerprint, time, kind = sight
                if fingerprint not in walls:
                    own.add(fingerprint)
                    seen = (time or 0.0, page.mixed, number, sight, page)
                    if kind in kinds:
                        kinds[kind].append(seen)
                    else:
                        kinds[kind] = [seen]
        for fingerprint in own:
            counts[fingerprint] = counts.get(fingerprint, 0) + 1
    for sights in kinds.values():
        if len(sights) > 1:
            _compare(group, sights)
    if len(kinds) > 1:
        _spoken(group, kinds)
    group.failures = min(group.failures, TRIALS_A_GROUP)
    group.trials = min(max(group.trials, group.failures), TRIALS_A_GROUP)
    if len(counts) == 1:
        (group.fingerprint,) = counts
    elif counts:
        most = max(counts.values())
        group.fingerprint = max([one for one, count in counts.items() if count == most], key=str)
        group.majority = most / sum(counts.values())
    return group


def _spoken(group: Group, kinds: dict[Hashable, list[_Seen]]) -> None:
    """Two classes that were never seen in one language are two pages, though their contents are not compared: a trial
    that failed. A class that was seen in several speaks as its reader does, and says nothing."""
    languages: dict[int, set[str]] = defaultdict(set)
    for sights in kinds.values():
        for _, _, number, sight, _ in sights:
            if (language := sight.kind[1]) is not None:
                languages[number].add(language)
    first: dict[str, tuple[Sight, Page]] = {}
    for sights in kinds.values():
        for _, _, number, sight, page in sights:
            if languages.get(number) == {sight.kind[1]}:
                first.setdefault(str(sight.kind[1]), (sight, page))
    if len({sight.fingerprint for sight, _ in first.values()}) > 1:
        (_, a), (_, b), *_ = (first[language] for language in sorted(first))
        group.trials, group.failures = group.trials + 1, group.failures + 1
        group.samples.append((a, b, False))


def _declared(group: Group, classes: dict[Key, list[Page]]) -> None:
    """A sitemap that lists two of the classes says that they are two pages: a trial that failed. With what only a
    sitemap knows nothing is merged."""
    fetched = {key for key, pages in classes.items() if any(page.fetched for page in pages)}
    group.classes, group.bare = max(len(fetched), 1), group.bare and group.key in fetched
    listed = [pages[0] for pages in classes.values() if any(page.listed for page in pages)]
    if len(listed) > 1:
        group.listed = True
        group.trials, group.failures = max(group.trials, 1), max(group.failures, 1)
        group.samples.append((listed[0], listed[1], False))


def _compare(group: Group, sights: list[_Seen]) -> None:
    """Neighbours in time across classes: trials, and the failures among them."""
    sights.sort(key=_ORDER)
    excused: bool | None = None
    for (time, _, number, sight, page), (later, _, other, after, beside) in pairwise(sights):
        if number == other or later - time > APART:
            continue
        same = sight.fingerprint == after.fingerprint
        if not same:
            if excused is None:
                excused = len(sights) >= _MANY and _rewritten(sights)
            if excused:
                continue
            group.failures += 1
        group.trials += 1
        if len(group.samples) < SAMPLES or (not same and group.failures <= SAMPLES):
            group.samples.append((page, beside, same))


def _rewritten(sights: list[_Seen]) -> bool:
    """Whether time explains what differs: the page was rewritten. Each content stands in one stretch of time, and
    at least two classes of it were seen there; contents that belong to classes would not keep to stretches."""
    if any(sight.time is None for _, _, _, sight, _ in sights):
        return False
    stretches = [
        (fingerprint, {number for _, _, number, _, _ in stretch})
        for fingerprint, stretch in groupby(sights, key=lambda one: one[3].fingerprint)
    ]
    contents = set(map(itemgetter(0), stretches))
    return len(contents) == len(stretches) and all(len(classes) > 1 for _, classes in stretches)
