"""Connected components of pairs, on one machine and as steps that a cluster repeats. Must not know what a pair means.

A cluster has no union-find. It has rounds of two steps, each a grouping by key, after which every node of a component
is joined with the smallest one: Kiveris, Lattanzi, Mirrokni, Rastogi, Vassilvitskii, "Connected Components in
MapReduce and Beyond", SoCC 2014."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Protocol, TypeVar

__all__ = ["Forest", "components", "large_star", "small_star", "stars"]


class _Ordered(Protocol):
    def __lt__(self, other: Any, /) -> bool: ...
    def __hash__(self) -> int: ...


N = TypeVar("N", bound=_Ordered)
Pair = tuple[N, N]


class Forest(dict[N, N]):
    """Union-find: each node's parent. Roots say nothing; the sets do."""

    def root(self, node: N) -> N:
        """The root of a node's set; a new node is a set of its own."""
        root = self.setdefault(node, node)
        while (parent := self[root]) != root:
            root = parent
        # The path is halved for the next time.
        while self[node] != root:
            self[node], node = root, self[node]
        return root


def components(pairs: Iterable[Pair[N]]) -> dict[N, N]:
    """Every node of the pairs, and the smallest node of its component. A pair may name a node twice. Cost: linear, but
    for the inverse of Ackermann's function; memory for the nodes, none for the pairs.

    >>> components([("b", "c"), ("d", "d"), ("c", "a")])
    {'b': 'a', 'c': 'a', 'd': 'd', 'a': 'a'}
    """
    forest, sizes, least = Forest[N](), dict[N, int](), dict[N, N]()
    for one, other in pairs:
        a, b = forest.root(one), forest.root(other)
        if a == b:
            continue
        if sizes.get(a, 1) < sizes.get(b, 1):
            a, b = b, a
        smaller = min(least.pop(a, a), least.pop(b, b))
        forest[b] = a
        sizes[a] = sizes.get(a, 1) + sizes.pop(b, 1)
        least[a] = smaller
    return {node: least.get(root := forest.root(node), root) for node in forest}


def large_star(pairs: Iterable[Pair[N]]) -> Iterator[Pair[N]]:
    """One step: every node joins its larger neighbours with the smallest of its neighbours and itself. Pairs may come
    in any order, each in one direction; so do those that it gives, each once."""
    found = set[Pair[N]]()
    for node, near in _neighbours(pairs).items():
        least = min(near | {node})
        found |= {(other, least) for other in near if node < other}
    yield from found


def small_star(pairs: Iterable[Pair[N]]) -> Iterator[Pair[N]]:
    """The other step: every node joins itself and its smaller neighbours with the smallest of these."""
    found = set[Pair[N]]()
    smaller: dict[N, set[N]] = defaultdict(set)
    for one, other in pairs:
        if other < one:
            smaller[one].add(other)
        elif one < other:
            smaller[other].add(one)
    for node, near in smaller.items():
        least = min(near)
        found |= {(other, least) for other in near | {node} if least < other}
    yield from found


def stars(pairs: Iterable[Pair[N]]) -> dict[N, N]:
    """What `components` gives, by rounds of the two steps until nothing changes: the slow way, which shows what a
    cluster has to do. A node that stands only in a pair with itself is its own component."""
    given = list(pairs)
    now = {(max(pair), min(pair)) for pair in given if pair[0] != pair[1]}
    while True:
        after = set(small_star(large_star(now)))
        if after == now:
            break
        now = after
    found = {node: node for pair in given for node in pair}
    found.update(now)
    return found


def _neighbours(pairs: Iterable[Pair[N]]) -> dict[N, set[N]]:
    near: dict[N, set[N]] = defaultdict(set)
    for one, other in pairs:
        if one != other:
            near[one].add(other)
            near[other].add(one)
    return near
