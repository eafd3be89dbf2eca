"""Trials of a rewrite on the pages of one host: which pages would get one key, and whether their content agrees.
Knows pages; must not decide what is enough.

A *group* is what a rewrite gives one key; its *classes* are the keys that it merges. Sights of neighbouring time are
compared across classes: a popular page with a thousand sessions is one group and gives three trials at most, but
every class that disagrees is counted. The core does this (`crates/urlkey/src/learn`); here is what it is asked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from urlkey._native import PageChanges, Policy
from urlkey.learn.cuts import cut
from urlkey.learn.observations import Fingerprint
from urlkey.learn.pages import Host, Keys
from urlkey.learn.paths import Place

# Trials of one group, pairs of pages that are kept of it, and how many seconds apart contents are compared at most: as
# the core counts them.
TRIALS_A_GROUP, SAMPLES, APART = 3, 3, 7 * 86_400
# The core's tally of a place: (place, counts, split, contents, leaders, samples).
_Counts = tuple[int, int, int, int, int, int, int, int]
_Counted = tuple[int, _Counts, bool, set[int], list[int], list[tuple[int, int, bool]]]
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
    "OF_HOSTS",
    "ORDERS",
    "SPELLINGS",
    "TRIALS_A_GROUP",
    "Rewrite",
    "Sample",
    "Tally",
    "changed",
    "climbed",
    "folded_heads",
    "tallies",
]


class Rewrite(NamedTuple):
    """What a rule would do: `kind` is drop, valueless, default, of parameters; path, of expressions that are cut out
    of it; or on, of rungs. `value` is the default's."""

    kind: str
    names: tuple[str, ...]
    value: str = ""


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
    contents: set[int] = field(default_factory=set)
    """Of groups with a trial, by number."""
    leaders: list[int] = field(default_factory=list)
    """One page of each group with a trial, by number."""
    pages: int = 0
    pairs: list[tuple[int, int, bool]] = field(default_factory=list)
    """As `samples`, by number."""
    keys: Keys | None = field(default=None, repr=False)
    """Where the numbers are from."""

    @property
    def samples(self) -> list[Sample]:
        """Pairs of pages that were compared, the first of each kind."""
        pages = [] if self.keys is None else self.keys.pages
        return [Sample(pages[a].url, pages[b].url, same) for a, b, same in self.pairs]

    @property
    def skeletons(self) -> int:
        """How many pages the groups with a trial are, all gone that may change nothing."""
        return 0 if self.keys is None else self.keys.table.skeletons(self.leaders)

    def join(self, other: Tally) -> None:
        """Adds another one."""
        self.trials += other.trials
        self.failures += other.failures
        self.groups += other.groups
        self.bare += other.bare
        self.merges += other.merges
        self.blind += other.blind
        self.listed += other.listed
        self.pages += other.pages
        self.split |= other.split
        self.contents |= other.contents
        self.leaders += other.leaders
        self.keys = self.keys or other.keys
        for pair in other.pairs if len(self.pairs) < 2 * SAMPLES else ():
            if [same for _, _, same in self.pairs].count(pair[2]) < SAMPLES:
                self.pairs.append(pair)


def tallies(host: Host, rewrite: Rewrite, walls: Collection[Fingerprint] = ()) -> dict[Place, Tally]:
    """What the groups of a rewrite say, by the place of their path. Linear in the pages that have the names, but for
    the order of sights."""
    if _is_of_heads(rewrite):
        found = host.table.tallies_of_heads(host.number, _heads(host, rewrite), walls)
    else:
        found = host.table.tallies(host.number, changed(host, rewrite), walls)
    return {host.places[tally[0]]: _tally(host.keys, tally) for tally in found}


def _tally(keys: Keys, found: _Counted) -> Tally:
    _, (trials, failures, groups, bare, merges, blind, listed, pages), split, contents, leaders, pairs = found
    counts = trials, failures, groups, bare, merges, blind, listed
    return Tally(*counts, split, contents, leaders, pages, pairs, keys)


def changed(host: Host, rewrite: Rewrite) -> PageChanges:
    """The pages that a rewrite changes, each once, and the keys that it gives them."""
    kind, names, value = rewrite
    if _is_of_heads(rewrite):
        return host.table.with_heads(host.number, _heads(host, rewrite))
    if kind == "on":
        return host.table.with_keys(_sorted(host, names))
    return host.table.changed(host.number, kind, names, value)


def _is_of_heads(rewrite: Rewrite) -> bool:
    return rewrite.kind == "path" or (rewrite.kind == "on" and rewrite.names[0] not in ORDERS)


def _heads(host: Host, rewrite: Rewrite) -> list[tuple[str, str]]:
    """The heads that a rewrite of heads changes, and what it makes of them."""
    if rewrite.kind == "path":
        heads = host.heads()
        new = cut(rewrite.names[0], heads)
    else:
        heads = folded_heads(host)
        new = climbed(rewrite.names, heads)
    return [(old, left) for old, left in zip(heads, new, strict=True) if left != old]


def _sorted(host: Host, rungs: tuple[str, ...]) -> list[tuple[int, str]]:
    """The pages whose parameters these rungs put in another order, and their keys; only those are asked that may be."""
    pages = host.table.unsorted(host.number, "sort_query" in rungs)
    after = climbed(rungs, [key for _, key in pages])
    return [(page, new) for (page, old), new in zip(pages, after, strict=True) if new != old]


def folded_heads(host: Host) -> list[str]:
    """The heads that `SPELLINGS` write in another way, all of them together, as they are now. What they leave alone
    none of them touches, then or later; parameters are none of their business."""
    found = host.table.folded_heads(host.number)
    if found is None:
        host.table.fold(host.number, climbed(SPELLINGS, host.heads()))
        found = host.table.folded_heads(host.number) or []
    return found


def climbed(rungs: tuple[str, ...], keys: list[str]) -> list[str]:
    """The keys with these rungs on top; what has none stays."""
    found = _with_rungs(rungs).keys(keys, on_error="null")
    return [key if new is None else new for key, new in zip(keys, found, strict=True)]


@cache
def _with_rungs(rungs: tuple[str, ...]) -> Policy:
    """Keys are of some policy already: on top of them nothing acts but these."""
    changes: Mapping[str, Any] = dict.fromkeys(rungs, True)
    return Policy("whatwg").with_(**changes)
