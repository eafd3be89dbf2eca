"""Trials of a rewrite on the pages of one host: which pages would get one key, and whether their content agrees.
Knows pages; must not decide what is enough.

A *group* is what a rewrite gives one key; its *classes* are the keys that it merges. Sights of neighbouring time are
compared across classes: a popular page with a thousand sessions is one group and gives three trials at most, but
every class that disagrees is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from urlkey._native import Policy
from urlkey.learn.cuts import cut
from urlkey.learn.groups import APART, SAMPLES, TRIALS_A_GROUP, Group, groups
from urlkey.learn.observations import Fingerprint
from urlkey.learn.pages import Host, Key, Page, joined, parted
from urlkey.learn.paths import Place

# A group of so many classes is asked for its majority.
GIANT = 10
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
        if len(self.samples) < 2 * SAMPLES:
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
        if len(self.samples) == 2 * SAMPLES:
            return
        for sample in samples:
            if sum([one.same is sample.same for one in self.samples]) < SAMPLES:
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
    for group in groups(host, changes, walls):
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


def _value(pair: str) -> str:
    return pair.partition("=")[2]
