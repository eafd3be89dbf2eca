"""What a count of work over doubling sizes says: how much dearer the last bytes are than the first ones."""

from collections.abc import Sequence
from itertools import pairwise

# A sort makes them dearer by the logarithm, and tables and buffers grow in steps; a square makes them dearer by eight.
MOST = 2.0
# Instructions a byte below which nothing is said: copying costs less than one.
FLOOR = 4.0


def dearer(sizes: Sequence[int], work: Sequence[int]) -> float:
    """The work of a byte in the last doubling, by the most that one took up to three doublings before.

    1 where work is linear, 1.3 for n log n, 2.8 for n to 1.5, 8 for its square; 0 where the last bytes cost next to
    nothing.
    """
    points = pairwise(zip(sizes, work, strict=True))
    costs = [(more - less) / (size - smaller) for (smaller, less), (size, more) in points]
    return costs[-1] / max(FLOOR, *costs[:-3]) if costs[-1] > FLOOR else 0.0
