"""Whether rules still hold: later observations of what they merge, and a sequential test of each rule. Knows rules and
pages; must not decide what becomes of a rule.

The test is a CUSUM of e-values. Each update gives a rule the likelihood of its counts under rates above what is
allowed, averaged over these, divided by that under the rate that is allowed: on average at most 1 while the rule is no
worse than that. The product, never below 1, passes `ALARM` no more often than once in so many updates of such a rule.

Sources: G. Lorden, Procedures for reacting to a change in distribution (1971); J. Shin, A. Ramdas, A. Rinaldo,
E-detectors (2022).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from urlkey._native import Policy
from urlkey.learn.audit import policy_of
from urlkey.learn.cuts import cut
from urlkey.learn.findings import Finding
from urlkey.learn.model import Model
from urlkey.learn.observations import Fingerprint
from urlkey.learn.pages import Host, Page, Sight, name_of, parted, path_of
from urlkey.learn.paths import Place, covers, segments
from urlkey.learn.trials import APART, ORDERS, TRIALS_A_GROUP, Rewrite, Sample, changed
from urlkey.learn.walls import stripped

# Updates between two false alarms of one rule, on average and at the least; what a rule has to prove to come back.
ALARM = 1000.0
# The rate that a rule must be shown to be below to come back; the highest that is looked for, and how far apart others
# are, from the one that is allowed upwards.
BACK = 0.02
_HIGHEST, _APART = 0.5, math.sqrt(10)
_PARAMETERS = ("drop", "valueless", "default")
_SAMPLES = 3

__all__ = ["ALARM", "Identity", "Seen", "Watch", "against", "fails", "gathered", "in_favour"]

Identity = tuple[str, Place, Rewrite]


def against(trials: int, failures: int, allowed: float) -> float:
    """The logarithm of the e-value of these counts against a rate of at most `allowed`.

    >>> against(300, 0, 1e-4) < 0 < against(300, 1, 1e-4) < math.log(ALARM) < against(300, 3, 1e-4)
    True
    """
    rates = [max(_HIGHEST, (1 + allowed) / 2)]
    while (rate := allowed * _APART ** len(rates)) < _HIGHEST:
        rates.append(rate)
    return _log_mean([_log_likelihood(trials, failures, rate) for rate in rates]) - _log_likelihood(
        trials, failures, allowed
    )


def gathered(rule: Finding, seen: Seen, budget: float) -> float:
    """The logarithm of what speaks against a rule after these observations, all before them included."""
    allowed = max(budget, rule.failures / rule.trials if rule.trials else 0.0)
    return max(rule.alarm + against(seen.trials, seen.failures, allowed), 0.0)


def fails(rule: Finding, seen: Seen, budget: float) -> bool:
    """Whether a rule is to be suspended."""
    return gathered(rule, seen, budget) >= math.log(ALARM)


def in_favour(trials: int, failures: int, allowed: float) -> float:
    """The logarithm of the e-value of these counts against a rate of `BACK` or more.

    >>> in_favour(341, 0, 1e-4) < math.log(ALARM) < in_favour(400, 0, 1e-4)
    True
    """
    good = min(allowed, BACK / 2)
    return _log_likelihood(trials, failures, good) - _log_likelihood(trials, failures, BACK)


def _log_likelihood(trials: int, failures: int, rate: float) -> float:
    return failures * math.log(rate) + (trials - failures) * math.log1p(-rate)


def _log_mean(values: list[float]) -> float:
    most = max(values)
    return most + math.log(sum(math.exp(value - most) for value in values) / len(values))


@dataclass
class Seen:
    """What later observations say of a rule: pairs that it merges, how many differ."""

    trials: int = 0
    failures: int = 0
    merges: int = 0
    samples: list[Sample] = field(default_factory=list)


class Watch:
    """Tries the rules of a model, and those that are suspended, on later observations as they act: all together. `see`
    takes the hosts of a domain as they come, `counts` says what was found of each rule.

    What is learned of these hosts afterwards is learned on top of the rules that stood the test: their pages have the
    keys that these leave them. So no new rule rests on what an old one takes away."""

    def __init__(self, model: Model, policy: str | Policy = "crawl") -> None:
        watched = [replace(one, refused=None) for one in model.findings if one.refused in (None, "suspended")]
        self._budget = model.budget
        self._live = {one.identity for one in model.rules}
        _, self._policy = policy_of(replace(model, findings=tuple(watched)), policy)
        self._rules: dict[str, list[Finding]] = defaultdict(list)
        for one in watched:
            self._rules[one.host].append(one)
        self.counts: dict[Identity, Seen] = defaultdict(Seen)

    def see(self, hosts: list[Host]) -> None:
        """Tries the rules of these hosts, then applies those that hold."""
        if not any(host.name in self._rules for host in hosts):
            return
        hidden: set[Fingerprint] = set()
        rules: dict[Page, list[Finding]] = {}
        groups: dict[str, list[Page]] = defaultdict(list)
        for host in hosts:
            hidden |= stripped(host).walls
            own = self._rules.get(host.name, ())
            keys = self._policy.keys([page.key for page in host.pages], on_error="null")
            for page, key in zip(host.pages, keys, strict=True):
                # Rules that cut paths leave a page at another place, where others act.
                places = {segments(path) for path in (page.path, path_of(parted(key or page.key)[0]))}
                rules[page] = [one for one in own if any(covers(one.place, place) for place in places)]
                if key is not None and page.sights:
                    groups[key].append(page)
        alone = [pair for pages in groups.values() if len(pages) > 1 for pair in _pairs(pages, rules, hidden)]
        self._count(alone)
        for pages in groups.values():
            for other in pages[1:]:
                for rule in _taken(pages[0], other, [*rules[pages[0]], *rules[other]]):
                    self.counts[rule].merges += 1
        for host in hosts:
            own = sorted(self._rules.get(host.name, ()), key=lambda one: one.rewrite.kind != "path")
            for one in own:
                if one.identity in self._live and not fails(one, self.counts[one.identity], self._budget):
                    acts = changed(host, one.rewrite)
                    pages = [host.keys.pages[number] for number in acts.pages]
                    host.rekey(acts.only({page.number for page in pages if covers(one.place, segments(page.path))}))
            if own and own[0].rewrite.kind == "path":
                host.settle()

    def _count(self, pairs: list[_Compared]) -> None:
        """Pairs that one rule merges tell of it; those that several merge tell of all of them, unless they differ and
        one of these is known to fail by itself."""
        for one in pairs:
            if len(one.rules) == 1:
                self._add(one.rules[0], one)
        for one in pairs:
            if len(one.rules) > 1:
                known = any(self.counts[rule].failures for rule in one.rules) and not one.sample.same
                for rule in () if known else one.rules:
                    self._add(rule, one)

    def _add(self, rule: Identity, one: _Compared) -> None:
        seen = self.counts[rule]
        seen.trials += 1
        seen.failures += not one.sample.same
        if sum(other.same is one.sample.same for other in seen.samples) < _SAMPLES:
            seen.samples.append(one.sample)


@dataclass(frozen=True)
class _Compared:
    """Two pages that rules merge, seen next to each other, and the rules that it takes."""

    rules: tuple[Identity, ...]
    sample: Sample


def _pairs(pages: list[Page], rules: dict[Page, list[Finding]], hidden: Collection[Fingerprint]) -> Iterator[_Compared]:
    """Neighbours in time among the pages of one key, at most three pairs for what it takes to merge them."""
    counts: dict[tuple[Identity, ...], int] = defaultdict(int)
    kinds: dict[object, list[tuple[Sight, Page]]] = defaultdict(list)
    for page in pages:
        for sight in page.sights:
            if sight.fingerprint not in hidden:
                kinds[sight.kind].append((sight, page))
    for sights in kinds.values():
        sights.sort(key=lambda one: (one[0].time or 0.0, one[1].mixed))
        for (before, a), (after, b) in pairwise(sights):
            if a is b or (after.time or 0.0) - (before.time or 0.0) > APART:
                continue
            told = _taken(a, b, [*rules[a], *rules[b]])
            if told and counts[told] < TRIALS_A_GROUP:
                counts[told] += 1
                yield _Compared(told, Sample(a.url, b.url, before.fingerprint == after.fingerprint))


def _taken(a: Page, b: Page, rules: list[Finding]) -> tuple[Identity, ...]:
    """The rules that it takes to give two pages one key."""
    return tuple(sorted({(one.host, one.place, one.rewrite) for one in rules if _takes_part(one.rewrite, a, b)}))


def _takes_part(rewrite: Rewrite, a: Page, b: Page) -> bool:
    """Of parameters those whose names differ, of their order where what both have differs in it, of cuts those that
    find something in one of them, of addresses all."""
    if rewrite.kind in _PARAMETERS:
        return not set(map(name_of, set(a.pairs) ^ set(b.pairs))).isdisjoint(rewrite.names)
    if rewrite.names[0] in ORDERS:
        both = set(a.pairs).intersection(b.pairs)
        return [pair for pair in a.pairs if pair in both] != [pair for pair in b.pairs if pair in both]
    if a.head == b.head:
        return False
    return rewrite.kind != "path" or cut(rewrite.names[0], [a.head, b.head]) != [a.head, b.head]
