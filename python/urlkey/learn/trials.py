"""Trials of a rewrite on the pages of one host: which pages would get one key, and whether their content agrees.
Knows pages; must not decide what is enough.

A *group* is what a rewrite gives one key; its *classes* are the keys that it merges. Sights of neighbouring time are
compared across classes: a popular page with a thousand sessions is one group and gives three trials at most, but
every class that disagrees is counted.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any, NamedTuple

from urlkey._native import Policy
from urlkey.learn.observations import Fingerprint
from urlkey.learn.pages import Host, Key, Page, Sight, joined, parted
from urlkey.learn.paths import Place

# Of one group; contents farther apart than this many seconds are not compared.
TRIALS_A_GROUP = 3
APART = 7 * 86_400
# A group of so many classes is asked for its majority.
GIANT = 10
_SAMPLES = 3
# The rungs that a site can teach: other ways to spell the address of a page.
SPELLINGS = (
    *("fold_scheme", "drop_www", "fold_mobile_host", "drop_trailing_slash", "drop_index"),
    *("collapse_slashes", "lower_path"),
)

__all__ = [
    "APART",
    "GIANT",
    "SPELLINGS",
    "TRIALS_A_GROUP",
    "Group",
    "Rewrite",
    "Sample",
    "Tally",
    "changed",
    "climbed",
    "tallies",
]


class Rewrite(NamedTuple):
    """What a rule would do: `kind` is drop, valueless, default, of parameters; or on, of rungs. `value` is the
    default's."""

    kind: str
    names: tuple[str, ...]
    value: str = ""

    def left(self, page: Page) -> tuple[str, ...]:
        """The parameters that it leaves a page."""
        named = zip(page.pairs, page.names, strict=True)
        if self.kind == "drop":
            if len(self.names) == 1:
                (own,) = self.names
                return tuple([pair for pair, name in named if name != own])
            return tuple([pair for pair, name in named if name not in self.names])
        if self.kind == "default":
            return tuple([pair for pair, name in named if name not in self.names or _value(pair) != self.value])
        return tuple([pair.partition("=")[0] if name in self.names else pair for pair, name in named])


class Sample(NamedTuple):
    """Two URLs that the rewrite merges, and whether their content was the same."""

    a: str
    b: str
    same: bool


@dataclass
class Group:
    """One key that a rewrite makes of several."""

    key: Key
    place: Place
    skeleton: Key
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
    samples: list[Sample] = field(default_factory=list)


@dataclass
class Tally:
    """The sum of groups at one place."""

    trials: int = 0
    failures: int = 0
    groups: int = 0
    """With a trial."""
    bare: int = 0
    """Of these, with a class without the parameter."""
    merges: int = 0
    blind: int = 0
    """Merges in groups without a trial."""
    listed: int = 0
    """Groups of which a sitemap lists two classes."""
    split: bool = False
    """A giant group has no majority, or nothing to tell it by."""
    fingerprints: set[Fingerprint] = field(default_factory=set)
    skeletons: set[Key] = field(default_factory=set)
    """Of the groups with a trial."""
    pages: int = 0
    samples: list[Sample] = field(default_factory=list)

    def add(self, group: Group) -> None:
        """Counts a group."""
        self.trials += group.trials
        self.failures += group.failures
        self.groups += bool(group.trials)
        self.bare += bool(group.trials and group.bare)
        self.merges += group.classes - 1
        self.blind += 0 if group.trials else group.classes - 1
        self.listed += group.listed
        self.split |= group.classes >= GIANT and (group.majority < 0.5 or not group.trials)
        if group.trials:
            self.skeletons.add(group.skeleton)
            if group.fingerprint is not None:
                self.fingerprints.add(group.fingerprint)
        self._show(group.samples)

    def join(self, other: Tally) -> None:
        """Adds another one."""
        for name in ("trials", "failures", "groups", "bare", "merges", "blind", "listed", "pages"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.split |= other.split
        self.fingerprints |= other.fingerprints
        self.skeletons |= other.skeletons
        self._show(other.samples)

    def _show(self, samples: Iterable[Sample]) -> None:
        for sample in samples:
            if sum(one.same is sample.same for one in self.samples) < _SAMPLES:
                self.samples.append(sample)


def tallies(host: Host, rewrite: Rewrite, walls: Collection[Fingerprint] = ()) -> dict[Place, Tally]:
    """What the groups of a rewrite say, by the place of their path. Linear in the pages that have the names, but for
    the order of sights."""
    found: dict[Place, Tally] = {}
    changes = changed(host, rewrite)
    for page, _ in changes:
        tally = found.get(page.place)
        if tally is None:
            tally = found[page.place] = Tally()
        tally.pages += page.fetched
    for group in _groups(host, changes, walls):
        found[group.place].add(group)
    return found


def changed(host: Host, rewrite: Rewrite) -> list[tuple[Page, Key]]:
    """The pages that a rewrite changes, each once, and the keys that it gives them."""
    if rewrite.kind == "on":
        before = [joined(page.now()) for page in host.pages]
        after = climbed(rewrite.names, before)
        return [(page, parted(new)) for page, old, new in zip(host.pages, before, after, strict=True) if new != old]
    if len(rewrite.names) == 1:
        pages: Iterable[Page] = host.by_name.get(rewrite.names[0], ())
    else:
        pages = dict.fromkeys(page for name in rewrite.names for page in host.by_name.get(name, ()))
    both = [(page, (page.head, rewrite.left(page))) for page in pages]
    return both if rewrite.kind == "drop" else [(page, key) for page, key in both if key[1] != page.pairs]


def climbed(rungs: tuple[str, ...], keys: list[str]) -> list[str]:
    """The keys with these rungs on top; what has none stays."""
    found = _with_rungs(rungs).keys(keys, on_error="null")
    return [key if new is None else new for key, new in zip(keys, found, strict=True)]


@cache
def _with_rungs(rungs: tuple[str, ...]) -> Policy:
    """Keys are of some policy already: on top of them nothing acts but these."""
    changes: Mapping[str, Any] = dict.fromkeys(rungs, True)
    return Policy("safe").with_(**changes)


def _groups(host: Host, changes: Iterable[tuple[Page, Key]], walls: Collection[Fingerprint]) -> Iterator[Group]:
    """Every group that has more than one class."""
    made: dict[Key, list[Page]] = {}
    for page, key in changes:
        if key in made:
            made[key].append(page)
        else:
            made[key] = [page]
    for key, pages in made.items():
        already = host.by_key.get(key)
        if len(pages) == 1 and not already:
            continue
        classes: dict[Key, list[Page]] = {}
        for page in pages:
            classes.setdefault(page.now(), []).append(page)
        if already:
            classes[key] = list(already)
        if len(classes) > 1:
            group = _group(key, classes, key in classes, walls)
            if host.lists:
                _declared(group, classes)
            yield group


def _group(key: Key, classes: dict[Key, list[Page]], bare: bool, walls: Collection[Fingerprint]) -> Group:
    members = list(classes.values())
    group = Group(key, members[0][0].place, members[0][0].skeleton, len(members), bare)
    kinds: dict[Hashable, list[tuple[Sight, int, Page]]] = {}
    counts: dict[Fingerprint, int] = {}
    for number, pages in enumerate(members):
        own = [(sight, page) for page in pages for sight in page.sights if sight.fingerprint not in walls]
        for fingerprint in {sight.fingerprint for sight, _ in own}:
            counts[fingerprint] = counts.get(fingerprint, 0) + 1
        for sight, page in own:
            kinds.setdefault(sight.kind, []).append((sight, number, page))
    for sights in kinds.values():
        _compare(group, sights)
    group.failures = min(group.failures, TRIALS_A_GROUP)
    group.trials = min(max(group.trials, group.failures), TRIALS_A_GROUP)
    if counts:
        group.fingerprint = max(counts, key=lambda one: (counts[one], str(one)))
        group.majority = counts[group.fingerprint] / sum(counts.values())
    return group


def _declared(group: Group, classes: dict[Key, list[Page]]) -> None:
    """A sitemap that lists two of the classes says that they are two pages: a trial that failed. With what only a
    sitemap knows nothing is merged."""
    fetched = {key for key, pages in classes.items() if any(page.fetched for page in pages)}
    group.classes, group.bare = max(len(fetched), 1), group.bare and group.key in fetched
    listed = [pages[0].url for pages in classes.values() if any(page.listed for page in pages)]
    if len(listed) > 1:
        group.listed = True
        group.trials, group.failures = max(group.trials, 1), max(group.failures, 1)
        group.samples.append(Sample(listed[0], listed[1], False))


def _compare(group: Group, sights: list[tuple[Sight, int, Page]]) -> None:
    """Neighbours in time across classes: trials, and the failures among them."""
    sights.sort(key=lambda one: (one[0].time or 0.0, one[2].mixed))
    excused = _rewritten(sights)
    for (before, class_a, page_a), (after, class_b, page_b) in pairwise(sights):
        if class_a == class_b or (after.time or 0.0) - (before.time or 0.0) > APART:
            continue
        same = before.fingerprint == after.fingerprint
        if not same and excused:
            continue
        group.trials += 1
        group.failures += not same
        if len(group.samples) < _SAMPLES or (not same and group.failures <= _SAMPLES):
            group.samples.append(Sample(page_a.url, page_b.url, same))


def _rewritten(sights: list[tuple[Sight, int, Page]]) -> bool:
    """Whether time explains what differs: the page was rewritten. Each content stands in one stretch of time, and
    at least two classes of it were seen there; contents that belong to classes would not keep to stretches."""
    if len(sights) < 5 or any(sight.time is None for sight, _, _ in sights):
        return False
    stretches = [
        (fingerprint, {number for _, number, _ in stretch})
        for fingerprint, stretch in groupby(sights, key=lambda one: one[0].fingerprint)
    ]
    contents = set(map(itemgetter(0), stretches))
    return len(contents) == len(stretches) and all(len(classes) > 1 for _, classes in stretches)


def _value(pair: str) -> str:
    return pair.partition("=")[2]
