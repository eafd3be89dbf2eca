"""Which keys are one page, by all that is known: pieces of evidence in, groups with a leader out. The result depends on
the pieces alone, not on their order. Must not know where they are kept.

1. Of the pieces about two keys, the strongest of each signal counts; their weights add up. What both answered counts
   too, if it is known, and so does a sitemap that lists both. Two that name one target and answered the same are one.
2. Keys that somebody joined by hand (kind `alias`) are joined.
3. Pairs that reach `joins()` are taken in the order of their weight, then of their keys; each joins its two groups,
   unless two keys of these are kept apart, or the groups answered different content, which the weight does not know.
   So a chain of good reasons does not join what one reason keeps apart, and of two that exclude each other the better
   one wins.
4. Each group has a leader: see `_rank`."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Set
from dataclasses import dataclass
from typing import NamedTuple

from urlkey.evidence.components import Forest
from urlkey.evidence.records import REFUSALS, Refusal
from urlkey.evidence.weights import joins, parts, signal_of, weight_of

__all__ = ["ALIAS", "Piece", "Settled", "links_keys", "settle"]

ALIAS = "alias"
_SITEMAP = "sitemap"
_CONTENT = "content"
# What pages of more contents name, that are not the target's, is no page of theirs: of one, while the target's content
# is not known; of five, for those whose own content is not known.
_CONTENTS_BEFORE, _CONTENTS = 1, 5
_CLAIMS = frozenset(["canonical", "og-url"])
# What leads away for good, and what leads to a better name of the same.
_MOVES = frozenset(["redirect-permanent", "redirect-permanent-away", "redirect-permanent-home", "refresh-instant"])
_NAMES = frozenset(["canonical", "amphtml", "alternate-media", "guid", "no-vary-search", "clean-param"])


class Piece(NamedTuple):
    """A piece of evidence between keys."""

    kind: str
    from_key: str
    to_key: str
    weight: float


@dataclass(frozen=True, slots=True)
class Settled:
    """`leaders`: every key that a piece names, and the key that leads its group. `refusals`: what was not believed."""

    leaders: dict[str, str]
    refusals: tuple[Refusal, ...]

    def groups(self) -> dict[str, list[str]]:
        """The keys of each group, in order, by its leader."""
        found: dict[str, list[str]] = defaultdict(list)
        for key in sorted(self.leaders):
            found[self.leaders[key]].append(key)
        return dict(found)


def links_keys(kind: str, weight: float) -> bool:
    """Whether a piece may help to join its keys: what connects the pieces that have to be settled together."""
    return weight > 0 or kind == ALIAS


def settle(
    pieces: Iterable[tuple[str, str, str, float]],
    contents: Mapping[str, Hashable] | None = None,
    gone: Set[str] = frozenset(),
) -> Settled:
    """The groups of the keys that pieces (kind, from key, to key, weight) name. `contents` are fingerprints of what
    keys answered, as far as they are known: equal ones are equal content. `gone` are keys that answered an error last:
    no evidence leads to them.

    Settling the pieces of all keys, or those of each component (`components` over the pairs that `links_keys`) apart,
    gives the same. Cost: n log n.

    >>> pieces = [("canonical", "http://a.example/x?s=1", "http://a.example/x", 3.0)]
    >>> settle(pieces).leaders["http://a.example/x?s=1"]
    'http://a.example/x'
    >>> settle([*pieces, ("hreflang", "http://a.example/x", "http://a.example/x?s=1", -10.0)]).refusals[0].reason
    'cannot-link'
    """
    known = contents or {}
    rows = sorted({Piece(*piece) for piece in pieces})
    believed, refused = _believed(rows, known, gone)
    believed += _alike(rows, known)
    nodes = {key for piece in rows for key in (piece.from_key, piece.to_key)}
    listed = {piece.to_key for piece in rows if piece.kind == _SITEMAP}
    groups = _Groups(nodes, known)
    pairs = _pairs(believed)
    scores = {pair: _score(found, pair, listed, known) for pair, found in pairs.items()}
    for (a, b), found in pairs.items():
        if any(piece.kind == ALIAS for piece in found):
            groups.join(a, b)
    for (a, b), score in scores.items():
        if score == -math.inf:
            groups.keep_apart(a, b)
    enough = joins()
    for (a, b), score in sorted(scores.items(), key=lambda item: (-item[1], item[0])):
        if score != -math.inf and score < enough:
            refused += _too_weak(pairs[a, b], known)
        elif score == -math.inf or not groups.may_join(a, b):
            refused += [_refusal(piece, "cannot-link") for piece in pairs[a, b] if piece.weight > 0]
        elif not (a in known and b in known) and groups.differ(a, b):
            refused += [_refusal(piece, "content-differs") for piece in pairs[a, b] if piece.weight > 0]
        else:
            groups.join(a, b)
    return Settled(_leaders(groups.members(), believed, listed, gone), tuple(refused))


def _believed(rows: list[Piece], contents: Mapping[str, Hashable], gone: Set[str]) -> tuple[list[Piece], list[Refusal]]:
    """The pieces without those that lead to an error, and claims for a target that pages of many contents name."""
    sources: dict[str, set[Hashable]] = defaultdict(set)
    for piece in rows:
        if _is_claim(piece) and piece.from_key in contents:
            sources[piece.to_key].add(contents[piece.from_key])
    shared = set[str]()
    for target, found in sources.items():
        others = found - {contents[target]} if target in contents else found
        if len(others) > (_CONTENTS if target in contents else _CONTENTS_BEFORE):
            shared.add(target)
    believed, refused = list[Piece](), list[Refusal]()
    for piece in rows:
        leads = piece.weight > 0 and piece.from_key != piece.to_key and piece.kind != ALIAS
        alike = piece.from_key in contents and contents[piece.from_key] == contents.get(piece.to_key)
        if piece.to_key in shared and _is_claim(piece) and not alike:
            refused.append(_refusal(piece, "shared-target"))
        elif leads and piece.to_key in gone:
            refused.append(_refusal(piece, "gone"))
        else:
            believed.append(piece)
    return believed, refused


def _alike(rows: list[Piece], contents: Mapping[str, Hashable]) -> list[Piece]:
    """That pages which name one target and answered the same are one, whatever the target is: one piece for each but
    the first of its kind."""
    first: dict[tuple[str, Hashable], str] = {}
    found = dict[Piece, None]()
    for piece in rows:
        if _is_claim(piece) and (content := contents.get(piece.from_key)) is not None:
            other = first.setdefault((piece.to_key, content), piece.from_key)
            if other != piece.from_key:
                found[Piece(_CONTENT, piece.from_key, other, weight_of(_CONTENT))] = None
    return list(found)


def _is_claim(piece: Piece) -> bool:
    return piece.weight > 0 and piece.from_key != piece.to_key and signal_of(piece.kind) in _CLAIMS


def _pairs(pieces: Iterable[Piece]) -> dict[tuple[str, str], list[Piece]]:
    found: dict[tuple[str, str], list[Piece]] = defaultdict(list)
    for piece in pieces:
        if piece.from_key != piece.to_key:
            found[min(piece.from_key, piece.to_key), max(piece.from_key, piece.to_key)].append(piece)
    return found


def _score(pieces: Iterable[Piece], pair: tuple[str, str], listed: set[str], contents: Mapping[str, Hashable]) -> float:
    """The sum over the signals about two keys; minus infinity where one keeps them apart."""
    strongest: dict[str, float] = {}
    for piece in pieces:
        if piece.kind == ALIAS:
            continue
        if piece.weight <= parts():
            return -math.inf
        signal = signal_of(piece.kind)
        # Of two that are as strong, the one against.
        strongest[signal] = max(strongest.get(signal, 0.0), piece.weight, key=lambda weight: (abs(weight), -weight))
    if pair[0] in contents and pair[1] in contents:
        same = contents[pair[0]] == contents[pair[1]]
        strongest[_CONTENT] = weight_of(_CONTENT if same else "content-differs")
    if pair[0] in listed and pair[1] in listed:
        strongest[_SITEMAP] = weight_of("sitemap-both")
    return math.fsum(strongest.values())


def _too_weak(pieces: Iterable[Piece], contents: Mapping[str, Hashable]) -> list[Refusal]:
    """What is said of a pair that is not joined: only that its contents differ, where they do."""
    return [
        _refusal(piece, "content-differs")
        for piece in pieces
        if piece.weight >= joins()
        and piece.from_key in contents
        and piece.to_key in contents
        and contents[piece.from_key] != contents[piece.to_key]
    ]


def _refusal(piece: Piece, reason: str) -> Refusal:
    return Refusal(piece.kind, piece.from_key, piece.to_key, reason, REFUSALS[reason])


class _Groups:
    """Union-find with pairs that are kept apart: each root knows the roots it must not meet, and what its group
    answered."""

    def __init__(self, nodes: Iterable[str], contents: Mapping[str, Hashable]) -> None:
        self._forest = Forest[str]((node, node) for node in nodes)
        self._sizes: dict[str, int] = {}
        self._apart: dict[str, set[str]] = defaultdict(set)
        self._contents: dict[str, set[Hashable]] = {node: {contents[node]} for node in self._forest if node in contents}

    def keep_apart(self, a: str, b: str) -> None:
        """Keeps two groups apart; what was joined by hand stays so."""
        a, b = self._forest.root(a), self._forest.root(b)
        if a != b:
            self._apart[a].add(b)
            self._apart[b].add(a)

    def may_join(self, a: str, b: str) -> bool:
        """Whether nothing keeps two groups apart."""
        return self._forest.root(b) not in self._apart.get(self._forest.root(a), ())

    def differ(self, a: str, b: str) -> bool:
        """Whether two groups answered, and nothing that is the same."""
        a, b = self._forest.root(a), self._forest.root(b)
        one, other = self._contents.get(a), self._contents.get(b)
        return a != b and one is not None and other is not None and one.isdisjoint(other)

    def join(self, a: str, b: str) -> None:
        """Joins two groups. The one with less to rewrite goes into the other: n log n over all joins."""
        a, b = self._forest.root(a), self._forest.root(b)
        if a == b:
            return
        if self._weight(a) < self._weight(b):
            a, b = b, a
        self._forest[b] = a
        self._sizes[a] = self._sizes.get(a, 1) + self._sizes.pop(b, 1)
        if (contents := self._contents.pop(b, None)) is not None:
            self._contents.setdefault(a, set()).update(contents)
        for other in self._apart.pop(b, ()):
            self._apart[other].discard(b)
            self._apart[other].add(a)
            self._apart[a].add(other)

    def _weight(self, root: str) -> int:
        return self._sizes.get(root, 1) + len(self._apart.get(root, ())) + len(self._contents.get(root, ()))

    def members(self) -> dict[str, str]:
        """Every node and its root."""
        return {node: self._forest.root(node) for node in self._forest}


def _leaders(roots: Mapping[str, str], pieces: Iterable[Piece], listed: set[str], gone: Set[str]) -> dict[str, str]:
    """Every key and the leader of its group."""
    away: dict[str, set[int]] = defaultdict(set)
    heard: dict[tuple[str, str, str], float] = {}
    for piece in pieces:
        if piece.from_key == piece.to_key or roots[piece.from_key] != roots[piece.to_key]:
            continue
        if (place := _leads_away(piece)) is not None:
            away[piece.from_key].add(place)
        link = (piece.to_key, piece.from_key, signal_of(piece.kind))
        heard[link] = max(heard.get(link, 0.0), piece.weight)
    towards: dict[str, list[float]] = defaultdict(list)
    for (to, _, _), weight in heard.items():
        towards[to].append(weight)
    best: dict[str, tuple[object, ...]] = {}
    for key, root in roots.items():
        rank = _rank(key, away[key], math.fsum(towards[key]), is_gone=key in gone, is_listed=key in listed)
        if root not in best or rank < best[root]:
            best[root] = rank
    return {key: str(best[root][-1]) for key, root in roots.items()}


def _leads_away(piece: Piece) -> int | None:
    """In which place of a rank a piece that leads away counts."""
    if piece.kind == ALIAS:
        return 0
    if piece.kind in _MOVES:
        return 1
    return 2 if signal_of(piece.kind) in _NAMES and piece.weight > 0 else None


def _rank(key: str, away: set[int], weight: float, *, is_gone: bool, is_listed: bool) -> tuple[object, ...]:
    """Who leads: the one that no alias by hand leads away from; that answered no error; that no permanent redirect
    leads away from; no canonical link or other better name; https; listed in a sitemap; the most weight towards it;
    the shortest; the smallest."""
    by_hand, moved, named = (place in away for place in range(3))
    return (by_hand, is_gone, moved, named, not key.startswith("https:"), not is_listed, -weight, len(key), key)
