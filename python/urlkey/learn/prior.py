"""What all rules together say about one: empirical Bayes. The rate at which a rule merges different pages is drawn
from a distribution that the counts of all candidates tell; a rule with few trials borrows from it, a rule with many
stands on its own. Knows counts and classes; must not know what a rule is.

The distribution is discrete on a logarithmic grid and found by expectation maximization, in logarithms. It does not
start from nothing: `BEFORE` counts as so many candidates that somebody else saw, so that ten candidates of one host
cannot persuade it that nothing ever fails.
"""

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

_DECADES, _PER_DECADE = 7, 6
GRID: tuple[float, ...] = (*(10.0 ** (step / _PER_DECADE - _DECADES) for step in range(_DECADES * _PER_DECADE)), 0.9999)
# (rates from, to, share): two humps with a floor between. What matters is the floor beside the first hump, since rates
# above a tenth show in a few trials. Of 73 parameters of real sites with ten comparisons or more, 14 never changed a
# page and 2 changed less than a tenth of them; the floor is taken for larger than that.
BEFORE = ((1e-7, 1e-6, 0.50), (1e-6, 1e-2, 0.08), (1e-2, 1e-1, 0.10), (1e-1, GRID[-1], 0.32))
# How many candidates that is worth for the whole, the whole for each class, and a class for each name within it.
_WORTH, _WORTH_OF_WHOLE, _WORTH_OF_CLASS = 30.0, 5.0, 5.0
# A name is a class of its own from so many candidates on.
_NAMED = 5
_ROUNDS = 40

__all__ = ["BEFORE", "GRID", "Counts", "Prior", "fitted"]

# (trials, failures)
Counts = tuple[int, int]


@dataclass(frozen=True)
class Prior:
    """Shares of the grid's rates: of all candidates, of each class of them, and of each name within its class."""

    whole: tuple[float, ...]
    classes: dict[Hashable, tuple[float, ...]]
    names: dict[Hashable, tuple[float, ...]]

    def mean(self, trials: int, failures: int, kind: Hashable = None, name: Hashable = None) -> float:
        """The expected rate of a rule with these counts.

        >>> prior = fitted([])
        >>> prior.mean(30, 0) > prior.mean(300, 0) > prior.mean(3000, 0)
        True
        """
        shares = self.names.get((kind, name)) or self.classes.get(kind) or self.whole
        weights = _posterior(shares, trials, failures)
        return sum(weight * rate for weight, rate in zip(weights, GRID, strict=True))


def before() -> tuple[float, ...]:
    """The distribution that `BEFORE` says."""
    shares = [0.0] * len(GRID)
    for low, high, share in BEFORE:
        inside = [place for place, rate in enumerate(GRID) if low * 0.9999 <= rate < high * 0.9999 or rate == high]
        for place in inside:
            shares[place] += share / len(inside)
    total = sum(shares)
    return tuple(share / total for share in shares)


def fitted(candidates: Iterable[tuple[Counts, Hashable, Hashable]]) -> Prior:
    """The prior that these candidates tell: (trials, failures), class and name of each."""
    everything = [one for one in candidates if one[0][0]]
    whole = _maximized([counts for counts, _, _ in everything], before(), _WORTH)
    by_kind: dict[Hashable, list[Counts]] = defaultdict(list)
    by_name: dict[tuple[Hashable, Hashable], list[Counts]] = defaultdict(list)
    for counts, kind, name in everything:
        by_kind[kind].append(counts)
        by_name[kind, name].append(counts)
    classes = {kind: _maximized(counts, whole, _WORTH_OF_WHOLE) for kind, counts in by_kind.items()}
    names: dict[Hashable, tuple[float, ...]] = {
        (kind, name): _maximized(counts, classes[kind], _WORTH_OF_CLASS)
        for (kind, name), counts in by_name.items()
        if len(counts) >= _NAMED
    }
    return Prior(whole, dict(classes), names)


def _maximized(counts: list[Counts], start: tuple[float, ...], worth: float) -> tuple[float, ...]:
    """Shares at the maximum, where `start` counts as `worth` candidates more."""
    many: dict[Counts, int] = defaultdict(int)
    for trials, failures in counts:
        many[_rounded(trials), min(failures, _rounded(failures))] += 1
    rows = [(times, _likelihoods(trials, failures)) for (trials, failures), times in many.items()]
    base = [worth * share for share in start]
    shares = start
    for _ in range(_ROUNDS if rows else 0):
        sums = base[:]
        for times, row in rows:
            weights = [share * likely for share, likely in zip(shares, row, strict=True)]
            scale = times / (sum(weights) or 1.0)
            sums = [total + scale * weight for total, weight in zip(sums, weights, strict=True)]
        total = sum(sums)
        shares = tuple(value / total for value in sums)
    return shares


def _rounded(count: int) -> int:
    """The count to two digits, downwards: what is close has one row in the fit."""
    unit = int(10 ** max(len(str(count)) - 2, 0))
    return count // unit * unit


def _likelihoods(trials: int, failures: int) -> list[float]:
    """How likely these counts are at each rate, up to a factor."""
    logs = [failures * hit + (trials - failures) * miss for hit, miss in _LOG]
    most = max(logs)
    return [math.exp(value - most) for value in logs]


_LOG = [(math.log(rate), math.log1p(-rate)) for rate in GRID]


def _posterior(shares: tuple[float, ...], trials: int, failures: int) -> list[float]:
    # In logarithms to the end: where the likely rates have next to no share, products vanish before their sum.
    logs = [
        math.log(share) + failures * hit + (trials - failures) * miss if share > 0 else -math.inf
        for share, (hit, miss) in zip(shares, _LOG, strict=True)
    ]
    most = max(logs)
    weights = [math.exp(value - most) for value in logs]
    total = sum(weights)
    return [weight / total for weight in weights]
