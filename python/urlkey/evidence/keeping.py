"""Evidence in a store: pieces are kept as edges, and what follows from them as aliases, so that `Store.resolve` says
who leads. Must not know how a store keeps edges, nor how groups are settled."""

from __future__ import annotations

import time as clock
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping

from urlkey._native import parse
from urlkey.evidence.records import Evidence, Findings, Refusal
from urlkey.evidence.settling import ALIAS, links_keys, settle
from urlkey.store import Edge, Store

__all__ = ["SOURCE", "Recorder", "retract", "settle_store"]

#: The source of the aliases that follow from evidence. Aliases of other sources are somebody's word.
SOURCE = "urlkey.evidence"

# What a response says of its own URL, and where that URL stands in the edge.
_OF_RESPONSES_TO = frozenset(["amphtml", "alternate-media"])
_OF_RESPONSES_FROM = frozenset(
    [
        *("redirect-permanent", "redirect-permanent-away", "redirect-permanent-home", "redirect-temporary"),
        *("refresh-instant", "refresh-delayed", "canonical", "canonical-header", "canonical-agreed"),
        *("canonical-bare", "og-url"),
        *("hreflang", "sequence", "no-vary-search"),
    ]
)


# Kind, from key, to key.
_Ends = tuple[str, str, str]


class Recorder:
    """Records findings in a store, and keeps its aliases to what all evidence says together. Findings wait for `flush`,
    the end of the `with`, or the next `batch` of them: settling costs as much as the components that it touches, so
    many at once are cheap and one at a time is not.

    >>> import tempfile
    >>> from urlkey.evidence import from_response
    >>> store = Store.open(tempfile.mkdtemp() + "/store.db")
    >>> url = "http://a.example/x?sort=up"
    >>> with Recorder(store) as recorder:
    ...     recorder.add(from_response(url, 200, {"Link": '</x>; rel="canonical"'}), url=url)
    >>> store.resolve(url)
    'http://a.example/x'
    >>> store.close()
    """

    def __init__(self, store: Store, *, batch: int = 1_000, source: str = "", time: float | None = None) -> None:
        self._store, self._batch, self._source, self._time = store, batch, source, time
        self._waiting: list[tuple[dict[_Ends, Evidence], str | None]] = []

    def add(self, findings: Findings, *, url: str | bytes | None = None) -> None:
        """Takes findings. With `url`, they are all that the response of this URL says now: what an earlier response of
        its key said, and this one does not, is taken back. Raises UrlKeyError where a URL has no key under the store's
        policy; then none of these findings waits."""
        pieces, policy = findings.evidence, self._store.policy
        from_keys = policy.keys([piece.from_ for piece in pieces])
        to_keys = policy.keys([piece.to for piece in pieces])
        rows = zip(pieces, from_keys, to_keys, strict=True)
        now = {(piece.kind, from_key, to_key): piece for piece, from_key, to_key in rows}
        # A response is of the URL without its fragment.
        own = None if url is None else policy.key(parse(url).replace(fragment=None).href)
        self._waiting.append((now, own))
        if len(self._waiting) >= self._batch:
            self.flush()

    def flush(self) -> tuple[Refusal, ...]:
        """Writes what waits, in one transaction, and settles what it touches; returns what was not believed in these
        components. Raises what the store raises; then nothing was written, and all of it still waits."""
        if not self._waiting:
            return ()
        with self._store.changing():
            changes = _Changes(self._store)
            for now, own in self._waiting:
                changes.take(now, own)
            changes.write(self._source, self._time)
            refusals = settle_store(self._store, changes.touched, time=self._time)
        self._waiting = []
        return refusals

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: object) -> None:
        self.flush()


def retract(store: Store, edge: int, *, time: float | None = None) -> tuple[Refusal, ...]:
    """Takes a piece of evidence back and settles its component anew. Raises KeyError for an unknown id."""
    with store.changing():
        found = store.edge(edge)
        store.undo(edge, time=time)
        return settle_store(store, {found.from_key, found.to_key}, time=time)


def settle_store(store: Store, keys: Iterable[str] | None = None, *, time: float | None = None) -> tuple[Refusal, ...]:
    """Makes the aliases of a store what its evidence says: in the components of these keys, or in all, as after `rekey`
    or with other weights. What was fetched counts by its status and `content`. Returns what was not believed. Cost: as
    large as the components are."""
    with store.changing():
        if keys is None:
            keys = {key for edge in store.edges() if edge.undone is None for key in (edge.from_key, edge.to_key)}
        members, edges = _reached(store, keys)
        settled = settle(
            [(edge.kind, edge.from_key, edge.to_key, edge.weight) for edge in edges if not _is_ours(edge)],
            *_answers(store, members),
        )
        wanted = {(key, leader) for key, leader in settled.leaders.items() if key != leader}
        there = {(edge.from_key, edge.to_key): edge.id for edge in edges if _is_ours(edge)}
        at = _seconds(time)
        store.undo([number for ends, number in there.items() if ends not in wanted], time=at)
        # More than an alias by hand weighs, so that the store's order of leaders agrees with ours.
        store.add_edges(
            (ALIAS, key, leader, 1_000.0, "evidence", at, SOURCE) for key, leader in sorted(wanted - there.keys())
        )
        return settled.refusals


class _Changes:
    """What findings change in the evidence of a store. Each key's edges are read once."""

    def __init__(self, store: Store) -> None:
        self.touched: set[str] = set()
        self._store = store
        self._read: set[str] = set()
        #: Live edges: weight, and the id of those that are in the store.
        self._live: dict[_Ends, tuple[float, int | None]] = {}
        self._at: dict[str, set[_Ends]] = defaultdict(set)
        self._new: dict[_Ends, Evidence] = {}
        self._undone: list[int] = []

    def take(self, now: Mapping[_Ends, Evidence], own: str | None) -> None:
        """Adds pieces, takes back what the response of the key `own` said before."""
        if own is not None:
            for ends in self._edges_at(own) - now.keys():
                if _stated_by(ends) == own:
                    self._drop(ends)
        for ends, piece in now.items():
            self._edges_at(ends[1])
            known = self._live.get(ends)
            if known is not None and known[0] != piece.weight:
                self._drop(ends)
            if known is None or known[0] != piece.weight:
                self._note(ends, piece.weight, None)
                self._new[ends] = piece
                self.touched |= {ends[1], ends[2]}

    def write(self, source: str, time: float | None) -> None:
        """Writes the changes."""
        at = _seconds(time)
        self._store.undo(self._undone, time=at)
        self._store.add_edges(
            (piece.kind, piece.from_, piece.to, piece.weight, piece.reason, at, source) for piece in self._new.values()
        )

    def _edges_at(self, key: str) -> set[_Ends]:
        if key not in self._read:
            self._read.add(key)
            for edge in self._store.edges(key):
                if edge.undone is None and edge.kind != ALIAS:
                    self._note((edge.kind, edge.from_key, edge.to_key), edge.weight, edge.id)
        return self._at[key]

    def _note(self, ends: _Ends, weight: float, number: int | None) -> None:
        self._live.setdefault(ends, (weight, number))
        for key in ends[1:]:
            self._at[key].add(ends)

    def _drop(self, ends: _Ends) -> None:
        _, number = self._live.pop(ends)
        for key in ends[1:]:
            self._at[key].discard(ends)
        self._new.pop(ends, None)
        if number is not None:
            self._undone.append(number)
        self.touched |= set(ends[1:])


def _stated_by(ends: _Ends) -> str | None:
    """The key whose response says such a piece, if a response does."""
    kind, from_key, to_key = ends
    if kind in _OF_RESPONSES_TO:
        return to_key
    return from_key if kind in _OF_RESPONSES_FROM else None


def _is_ours(edge: Edge) -> bool:
    return edge.kind == ALIAS and edge.source == SOURCE


def _reached(store: Store, keys: Iterable[str]) -> tuple[set[str], list[Edge]]:
    """The keys that live edges may join with these, and the live edges among them, each once."""
    members, front, found = set[str](), list(keys), dict[int, Edge]()
    while front:
        key = front.pop()
        if key in members:
            continue
        members.add(key)
        for edge in store.edges(key):
            if edge.undone is None:
                found[edge.id] = edge
                if links_keys(edge.kind, edge.weight):
                    front += [edge.from_key, edge.to_key]
    edges = [edge for edge in found.values() if edge.from_key in members and edge.to_key in members]
    return members, sorted(edges, key=lambda edge: edge.id)


def _answers(store: Store, keys: Iterable[str]) -> tuple[dict[str, Hashable], set[str]]:
    """What these keys answered last, where the store knows; and those that answered an error."""
    contents, gone = dict[str, Hashable](), set[str]()
    for key in keys:
        fetch = store.fetch(key)
        if fetch is not None and fetch.status >= 400:
            gone.add(key)
        elif fetch is not None and fetch.content is not None and fetch.status < 300:
            contents[key] = fetch.content
    return contents, gone


def _seconds(time: float | None) -> int:
    return int(clock.time() if time is None else time)
