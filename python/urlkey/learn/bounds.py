"""Upper bounds for the rate of a rare failure. Knows counts; must not know what failed.

Source: C. J. Clopper and E. S. Pearson, The use of confidence or fiducial limits, Biometrika 26 (1934).
"""

import math

CONFIDENCE = 0.95
_STEPS = 80

__all__ = ["CONFIDENCE", "upper", "zero_failures"]


def upper(failures: int, trials: int, confidence: float = CONFIDENCE) -> float:
    """The Clopper-Pearson upper bound of a rate: with this confidence it is no larger, whatever it is.

    One-sided. 1.0 where nothing was tried. Raises ValueError for counts that cannot be.

    >>> round(upper(0, 299), 4), round(upper(1, 47_437) * 1e4, 3)
    (0.01, 1.0)
    """
    if not 0 <= failures <= trials:
        raise ValueError(f"{failures} failures in {trials} trials; allowed: 0 to the number of trials")
    if failures == trials:
        return 1.0
    if failures == 0:
        return -math.expm1(math.log1p(-confidence) / trials)
    low, high = failures / trials, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _at_most(failures, trials, middle) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


def zero_failures(rate: float, confidence: float = CONFIDENCE) -> int:
    """How many trials without a failure it takes to bound the rate so. Raises ValueError for a rate outside (0, 1).

    >>> zero_failures(1e-4)
    29956
    """
    if not 0 < rate < 1:
        raise ValueError(f"a rate of {rate}; allowed: between 0 and 1")
    return math.ceil(math.log1p(-confidence) / math.log1p(-rate))


def _at_most(failures: int, trials: int, rate: float) -> float:
    """The chance of so many failures or fewer. `rate` is no less than failures / trials, so that terms
    fall from the last to the first: the sum ends where they no longer count."""
    if rate >= 1:
        return 0.0
    ways = math.lgamma(trials + 1) - math.lgamma(failures + 1) - math.lgamma(trials - failures + 1)
    first = ways + failures * math.log(rate) + (trials - failures) * math.log1p(-rate)
    odds = (1 - rate) / rate
    term = total = 1.0
    for count in range(failures, 0, -1):
        term *= count / (trials - count + 1) * odds
        total += term
        if term < total * 1e-17:
            break
    return math.exp(first) * total
