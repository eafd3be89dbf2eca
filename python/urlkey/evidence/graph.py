"""The alias graph in memory: evidence comes and goes, groups follow. Must not know where evidence comes from, nor how
groups are settled."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from urlkey._native import Policy
from urlkey.evidence.records import Evidence, Findings, Refusal
from urlkey.evidence.settling import ALIAS, Settled, links_keys, settle

__all__ = ["Graph", "GraphEdge"]


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A piece of evidence in a graph: its number, the keys of its ends, whether it was taken back."""

    id: int
    evidence: Evidence
    from_key: str
    to_key: str
    retracted: bool


class _Component:
    """Keys that pieces may join, and what was made of them, once somebody asked."""

    __slots__ = ("keys", "settled", "torn")

    def __init__(self, key: str) -> None:
        self.keys = {key}
        self.settled: Settled | None = None
        #: Whether a piece that may have held it together is gone.
        self.torn = False


class Graph:
    """Which keys are one page, by evidence. Every piece is kept, also those taken back. The groups depend on the pieces
    alone, not on the order in which they came: see `settle`. An answer settles the component of the key that was asked
    for, and no other, and only if it changed: so add many, then ask.

    >>> graph = Graph()
    >>> canonical = Evidence("canonical", "http://a.example/x?sort=up", "http://a.example/x", 3.0, "")
    >>> (edge,) = graph.add([canonical])
    >>> graph.resolve("http://a.example/x?sort=up")
    'http://a.example/x'
    >>> graph.retract(edge)
    >>> graph.resolve("http://a.example/x?sort=up")
    'http://a.example/x?sort=up'
    """

    def __init__(self, *, policy: str | Policy = "crawl") -> None:
        self._policy = Policy(policy)
        self._edges: list[GraphEdge] = []
        self._at: dict[str, list[int]] = defaultdict(list)
        self._answers: dict[str, tuple[int, Hashable]] = {}
        self._components: dict[str, _Component] = {}

    def add(self, evidence: Findings | Iterable[Evidence]) -> list[int]:
        """Adds pieces; returns a number for each. Raises UrlKeyError, and adds none, where a URL has no key."""
        pieces = list(evidence.evidence if isinstance(evidence, Findings) else evidence)
        from_keys = self._policy.keys([piece.from_ for piece in pieces])
        to_keys = self._policy.keys([piece.to for piece in pieces])
        first = len(self._edges)
        for piece, from_key, to_key in zip(pieces, from_keys, to_keys, strict=True):
            number = len(self._edges)
            self._edges.append(GraphEdge(number, piece, from_key, to_key, retracted=False))
            for key in {from_key, to_key}:
                self._at[key].append(number)
            self._joined(from_key, to_key, links_keys(piece.kind, piece.weight))
        return list(range(first, len(self._edges)))

    def alias(self, url: str, target: str, *, reason: str = "") -> int:
        """Says by hand that `url` is the page of `target`: stronger than any evidence. Returns a number."""
        return self.add([Evidence(ALIAS, url, target, 0.0, reason)])[0]

    def retract(self, edge: int) -> None:
        """Takes a piece back: it stays, marked, and counts no more. Its component alone is settled anew. Raises
        KeyError for an unknown number."""
        if not 0 <= edge < len(self._edges):
            raise KeyError(f"no edge {edge}")
        old = self._edges[edge]
        self._edges[edge] = GraphEdge(edge, old.evidence, old.from_key, old.to_key, retracted=True)
        for key in {old.from_key, old.to_key}:
            component = self._component(key)
            component.settled = None
            component.torn = component.torn or links_keys(old.evidence.kind, old.evidence.weight)

    def observe(self, url: str | bytes, content: Hashable = None, *, status: int = 200) -> None:
        """Notes what a URL answered; the last answer counts. `content` is a fingerprint of the caller's choice, best of
        the main content: pages of different content are joined by no canonical link alone. To a `status` of 400 and
        above no evidence leads."""
        key = self._policy.key(url)
        if (status, content) != self._answers.get(key):
            self._answers[key] = (status, content)
            self._component(key).settled = None

    def resolve(self, url: str | bytes) -> str:
        """The key that leads the group of the URL's key: its own where no evidence says otherwise."""
        key = self._policy.key(url)
        return self._settled(key).leaders.get(key, key)

    def group(self, url: str | bytes) -> list[str]:
        """The keys of the URL's group, in order."""
        leader = self.resolve(url)
        leaders = self._settled(leader).leaders
        return sorted(key for key, found in leaders.items() if found == leader) or [leader]

    def refusals(self, url: str | bytes) -> list[Refusal]:
        """What was not believed in the component of the URL's key, with the reason."""
        return list(self._settled(self._policy.key(url)).refusals)

    def edges(self, url: str | bytes | None = None) -> list[GraphEdge]:
        """The pieces that name the URL's key, or all; those taken back too."""
        numbers = range(len(self._edges)) if url is None else self._at.get(self._policy.key(url), [])
        return [self._edges[number] for number in numbers]

    # --- inside

    def _component(self, key: str) -> _Component:
        found = self._components.get(key)
        if found is None:
            found = self._components[key] = _Component(key)
        return found

    def _joined(self, a: str, b: str, may_join: bool) -> None:
        """Notes that a piece came: its components are to be settled anew, as one if it may join them."""
        one, other = self._component(a), self._component(b)
        one.settled = other.settled = None
        if one is other or not may_join:
            return
        if len(one.keys) < len(other.keys):
            one, other = other, one
        one.keys |= other.keys
        one.torn = one.torn or other.torn
        for key in other.keys:
            self._components[key] = one

    def _settled(self, key: str) -> Settled:
        if key not in self._components:
            return Settled({}, ())
        component = self._component(key)
        if component.torn:
            self._tear(component)
            component = self._components[key]
        if component.settled is None:
            component.settled = settle(self._pieces(component.keys), *self._answers_of(component.keys))
        return component.settled

    def _tear(self, component: _Component) -> None:
        """Takes a component apart, and joins what still holds together."""
        for key in component.keys:
            self._components[key] = _Component(key)
        for key in component.keys:
            for number in self._at[key]:
                edge = self._edges[number]
                if not edge.retracted and links_keys(edge.evidence.kind, edge.evidence.weight):
                    self._joined(edge.from_key, edge.to_key, True)

    def _pieces(self, keys: set[str]) -> list[tuple[str, str, str, float]]:
        """The pieces whose ends are both among the keys."""
        numbers = {number for key in keys for number in self._at[key]}
        edges = [self._edges[number] for number in numbers]
        return [
            (edge.evidence.kind, edge.from_key, edge.to_key, edge.evidence.weight)
            for edge in edges
            if not edge.retracted and edge.from_key in keys and edge.to_key in keys
        ]

    def _answers_of(self, keys: set[str]) -> tuple[dict[str, Hashable], set[str]]:
        """The contents of those keys that answered one, and those that answered an error."""
        known = self._answers.keys() & keys
        answers = {key: self._answers[key] for key in known}
        contents = {key: content for key, (status, content) in answers.items() if content is not None and status < 300}
        return contents, {key for key, (status, _) in answers.items() if status >= 400}
