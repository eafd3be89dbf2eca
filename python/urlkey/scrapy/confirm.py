"""Which aliases have been seen to be right. Keys that a canonical link joins are skipped by a crawl only once both have
answered the same content; keys that a redirect or a person joins need no such proof. Must not know requests.

A page whose canonical link is wrong would be lost if it were skipped before anybody has looked.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable

from urlkey.evidence import keeping, kinds
from urlkey.store import Edge, Fetch, Store

#: Contents are compared where they were fetched within so many seconds: pages change.
TOGETHER = 6 * 3600

# What more keys than these answer is no page of theirs, but a wall before them: a login, a consent, an apology.
_MOST = 50
_CONTENT = "content"

__all__ = ["TOGETHER", "compare", "confirmed"]


def compare(store: Store, keys: Iterable[str], *, source: str) -> None:
    """Looks at the groups of these keys, and keeps as evidence of the kind `content` who answered the same as another
    of the group; takes it back where they have come to differ."""
    for leader in {store.resolve(key) for key in keys}:
        aliases = [edge for edge in store.edges(leader, kind="alias") if edge.undone is None and edge.to_key == leader]
        group = {leader, *(edge.from_key for edge in aliases)}
        if len(group) > 1:
            _compare(store, leader, group, source)


def _compare(store: Store, leader: str, group: set[str], source: str) -> None:
    contents = _fresh({key: fetch for key in group if (fetch := store.fetch(key)) is not None})
    same: dict[bytes, list[str]] = defaultdict(list)
    for key, content in contents.items():
        same[content].append(key)
    wanted = set()
    for keys in same.values():
        if len(keys) <= _MOST:
            other = leader if leader in keys else min(keys)
            wanted |= {(key, other) for key in keys if key != other}
    edges = {edge.id: edge for key in contents for edge in store.edges(key, kind=_CONTENT) if edge.undone is None}
    known = {(edge.from_key, edge.to_key): edge.id for edge in edges.values()}
    pairs = [(number, contents.get(a), contents.get(b)) for (a, b), number in known.items()]
    store.undo(number for number, one, other in pairs if one and other and one != other)
    rest = (kinds()[_CONTENT].weight, "the same content", int(time.time()), source)
    store.add_edges((_CONTENT, *ends, *rest) for ends in sorted(wanted - known.keys()))


def _fresh(fetches: dict[str, Fetch]) -> dict[str, bytes]:
    """The contents that were fetched together with the last of them."""
    good = {key: fetch for key, fetch in fetches.items() if 200 <= fetch.status < 300}
    last = max((fetch.time for fetch in good.values()), default=0)
    return {
        key: fetch.content for key, fetch in good.items() if fetch.content is not None and last - fetch.time <= TOGETHER
    }


def confirmed(store: Store, key: str) -> tuple[str, ...]:
    """The keys, in order, that are one page with this one beyond doubt, itself among them; none if it is alone. A crawl
    needs to request one of them."""
    leader, found, front = store.resolve(key), {key}, [key]
    while front:
        for edge in store.edges(front.pop()):
            if edge.undone is None and _confirms(edge):
                near = {edge.from_key, edge.to_key} - found
                new = {other for other in near if store.resolve(other) == leader}
                found |= new
                front += new
    return tuple(sorted(found)) if len(found) > 1 else ()


def _confirms(edge: Edge) -> bool:
    if edge.kind == "alias":
        return edge.source != keeping.SOURCE
    return edge.kind in (_CONTENT, "refresh-instant") or edge.kind.startswith("redirect-permanent")
