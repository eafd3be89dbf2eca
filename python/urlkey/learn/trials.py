"""Trials of a rewrite on the pages of one host: which pages would get one key, and whether their content agrees.
Knows pages; must not decide what is enough.

A *group* is what a rewrite gives one key; its *classes* are the keys that it merges. Sights of neighbouring time are
compared across classes: a popular page with a thousand sessions is one group and gives three trials at most, but
every class that disagrees is counted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any, NamedTuple

from urlkey._native import Policy
from urlkey.learn.cuts import cut
from urlkey.learn.observations import Fingerprint
from urlkey.learn.pages import Host, Key, Page, Sight, joined, parted
from urlkey.learn.paths import Place

# Of one group; contents farther apart than this many seconds are not compared.
TRIALS_A_GROUP = 3
APART = 7 * 86_400
# A group of so many classes is asked for its majority.
GIANT = 10
_SAMPLES = 3
# Sights of a key by which a page that was rewritten is told.
_MANY = 5
# The rungs that a site can teach: other ways to spell the address of a page.
SPELLINGS = (
    *("fold_scheme", "drop_www", "fold_mobile_host", "fold_amp_host", "drop_trailing_slash", "drop_index"),
    *("collapse_slashes", "lower_path"),
)
# Those that change the scheme or host; two of them may be seen together only.
OF_HOSTS = ("fold_scheme", "drop_www", "fold_mobile_host", "fold_amp_host")
# Those that change the order of parameters, where the policy does not.
ORDERS = ("sort_query", "sort_values")

__all__ = [
    "APART",
    "GIANT",
    "OF_HOSTS",
    "ORDERS",
    "SPELLINGS",
    "TRIALS_A_GROUP",
    "Group",
    "Rewrite",
    "Sample",
    "Tally",
    "changed",
    "climbed",
    "folded",
    "tallies",
]


# A sight with its time, the place of its page among others of this time, the number of its class, and the page.
_Seen = tuple[float, bytes, int, Sight, Page]
_ORDER = itemgetter(0, 1)


class Rewrite(NamedTuple):
    """What a rule would do: `kind` is drop, valueless, default, of parameters; path, of expressions that are cut out
    of it; or on, of rungs. `value` is the default's."""

    kind: str
    names: tuple[str, ...]
    value: str = ""

    def left(self, page: Page) -> tuple[str, ...]:
        """The parameters that it leaves a page."""
        named = zip(page.pairs, page.names, strict=True)
        if self.kind == "drop":
            return tuple([pair for pair, name in named if name not in self.names])
        if self.kind == "default":
            return tuple([pair for pair, name in named if name not in self.names or _value(pair) != self.value])
        return tuple([pair.partition("=")[0] if name in self.names else pair for pair, name in named])


class Sample(NamedTuple):
    """Two URLs that the rewrite merges, and whether their content was the same."""

    a: str
    b: str
    same: bool


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
    leaders: list[Page] = field(default_factory=list)
    """One page of each group with a trial."""
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
            self.leaders.append(group.leader)
            if group.fingerprint is not None:
                self.fingerprints.add(group.fingerprint)
        if len(self.samples) < 2 * _SAMPLES:
            self._show([Sample(a.url, b.url, same) for a, b, same in group.samples])

    @property
    def skeletons(self) -> int:
        """How many pages the groups with a trial are, all gone that may change nothing."""
        return len({page.skeleton for page in self.leaders})

    def join(self, other: Tally) -> None:
        """Adds another one."""
        for name in ("trials", "failures", "groups", "bare", "merges", "blind", "listed", "pages"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.split |= other.split
        self.fingerprints |= other.fingerprints
        self.leaders += other.leaders
        self._show(other.samples)

    def _show(self, samples: Iterable[Sample]) -> None:
        if len(self.samples) == 2 * _SAMPLES:
            return
        for sample in samples:
            if sum([one.same is sample.same for one in self.samples]) < _SAMPLES:
                self.samples.append(sample)


def tallies(host: Host, rewrite: Rewrite, walls: Collection[Fingerprint] = ()) -> dict[Place, Tally]:
    """What the groups of a rewrite say, by the place of their path. Linear in the pages that have the names, but for
    the order of sights."""
    if rewrite.kind in ("on", "path") and rewrite.names[0] not in ORDERS:
        heads = _heads(host, rewrite)
        met = _met(host, heads)
        if not met:
            return {}
        everything = _with_heads(host, rewrite, heads)
        changes = [(page, key) for page, key in everything if key[0] in met]
    else:
        everything = changes = changed(host, rewrite)
    counts = Counter([page.place for page, _ in everything])
    if host.fetched == len(host.pages):
        found = {place: Tally(pages=count) for place, count in counts.items()}
    else:
        fetched = Counter([page.place for page, _ in everything if page.fetched])
        found = {place: Tally(pages=fetched[place]) for place in counts}
    for group in _groups(host, changes, walls):
        found[group.place].add(group)
    return found


def changed(host: Host, rewrite: Rewrite) -> list[tuple[Page, Key]]:
    """The pages that a rewrite changes, each once, and the keys that it gives them."""
    if rewrite.kind in ("on", "path"):
        if rewrite.names[0] in ORDERS:
            return _sorted(host, rewrite.names)
        return _with_heads(host, rewrite, _heads(host, rewrite))
    if len(rewrite.names) == 1:
        return _of_one(rewrite, host.by_name.get(rewrite.names[0], ()))
    pages = dict.fromkeys([page for name in rewrite.names for page in host.by_name.get(name, ())])
    both = [(page, (page.head, rewrite.left(page))) for page in pages]
    return both if rewrite.kind == "drop" else [(page, key) for page, key in both if key[1] != page.pairs]


def _heads(host: Host, rewrite: Rewrite) -> dict[str, str]:
    """The heads that a rewrite of heads changes, and what it makes of them."""
    if rewrite.kind == "path":
        heads = list(dict.fromkeys([page.head for page in host.pages]))
        new = cut(rewrite.names[0], heads)
    else:
        heads = list(dict.fromkeys([page.head for page in folded(host)]))
        new = climbed(rewrite.names, heads)
    return {old: left for old, left in zip(heads, new, strict=True) if left != old}


def _with_heads(host: Host, rewrite: Rewrite, heads: dict[str, str]) -> list[tuple[Page, Key]]:
    if not heads:
        return []
    pages = host.pages if rewrite.kind == "path" else folded(host)
    return [(page, (heads[page.head], page.pairs)) for page in pages if page.head in heads]


def _met(host: Host, heads: dict[str, str]) -> set[str]:
    """Of heads that change, what those become that may meet another one: the new head is there, or is made of
    several."""
    made = Counter(heads.values())
    return {head for head, count in made.items() if count > 1 or head in host.keys.by_head}


def _sorted(host: Host, rungs: tuple[str, ...]) -> list[tuple[Page, Key]]:
    """The pages whose parameters these rungs put in another order; only those are asked that may be."""
    pages = [page for page in host.pages if len(page.pairs) > 1 and _may_be_sorted(page, rungs)]
    before = [joined(page.at) for page in pages]
    after = climbed(rungs, before)
    return [(page, parted(new)) for page, old, new in zip(pages, before, after, strict=True) if new != old]


def _may_be_sorted(page: Page, rungs: tuple[str, ...]) -> bool:
    names = [pair.partition("=")[0] for pair in page.pairs]
    return len(set(names)) < len(names) or ("sort_query" in rungs and sorted(names) != names)


def _of_one(rewrite: Rewrite, pages: Iterable[Page]) -> list[tuple[Page, Key]]:
    """As `Rewrite.left` says for one name; most of what the learner does comes through here."""
    kind, (name,), value = rewrite
    found = []
    for page in pages:
        names, pairs = page.names, page.pairs
        if names.count(name) != 1:
            left = rewrite.left(page)
            if kind == "drop" or left != pairs:
                found.append((page, (page.head, left)))
            continue
        at = names.index(name)
        if kind == "valueless":
            bare, mark, _ = pairs[at].partition("=")
            if mark:
                found.append((page, (page.head, (*pairs[:at], bare, *pairs[at + 1 :]))))
        elif kind == "drop" or _value(pairs[at]) == value:
            found.append((page, (page.head, pairs[:at] + pairs[at + 1 :])))
    return found


def folded(host: Host) -> dict[Page, str]:
    """The pages whose head `SPELLINGS` write in another way, all of them together, and that way. What they leave alone
    none of them touches, then or later; parameters are none of their business."""
    if host.folded is None:
        heads = list(dict.fromkeys([page.head for page in host.pages]))
        new = dict(zip(heads, climbed(SPELLINGS, heads), strict=True))
        host.folded = {page: new[page.head] for page in host.pages if new[page.head] != page.head}
    return host.folded


def climbed(rungs: tuple[str, ...], keys: list[str]) -> list[str]:
    """The keys with these rungs on top; what has none stays."""
    found = _with_rungs(rungs).keys(keys, on_error="null")
    return [key if new is None else new for key, new in zip(keys, found, strict=True)]


@cache
def _with_rungs(rungs: tuple[str, ...]) -> Policy:
    """Keys are of some policy already: on top of them nothing acts but these."""
    changes: Mapping[str, Any] = dict.fromkeys(rungs, True)
    return Policy("whatwg").with_(**changes)


def _groups(host: Host, changes: Iterable[tuple[Page, Key]], walls: Collection[Fingerprint]) -> Iterator[Group]:
    """Every group that has more than one class."""
    made: dict[Key, list[Page]] = defaultdict(list)
    for page, key in changes:
        made[key].append(page)
    for key, pages in made.items():
        already = host.keys.by_key.get(key)
        if len(pages) == 1:
            if not already:
                continue
            members = [*pages, *already]
        else:
            members = pages
        if len(members) == 2 and not (already and members is pages) and not host.lists:
            # Most groups are of two pages seen once.
            a, b = members
            if len(a.sights) == 1 == len(b.sights):
                if a.at != b.at and (pair := _pair(key, a, b, bool(already), walls)) is not None:
                    yield pair
                    continue
                if a.at == b.at:
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
        if len(group.samples) < _SAMPLES or (not same and group.failures <= _SAMPLES):
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


def _value(pair: str) -> str:
    return pair.partition("=")[2]
