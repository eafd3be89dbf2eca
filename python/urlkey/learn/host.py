"""What one host teaches: candidates, tried one after the other on the pages as the rules accepted before leave them,
so that no two of them rest on each other. Knows one host; must not know others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from urlkey._native import PageChanges
from urlkey.learn.bounds import upper
from urlkey.learn.declared import declared
from urlkey.learn.findings import Finding
from urlkey.learn.observations import Fingerprint
from urlkey.learn.pages import Host, Page, name_of
from urlkey.learn.paths import Place, covers
from urlkey.learn.trials import OF_HOSTS, ORDERS, SPELLINGS, Rewrite, Tally, changed, tallies
from urlkey.learn.walls import stripped

_ROUNDS = 60
_TOKEN, _FEW = 8, 8
# Keys at least with the page without the parameter.
_BARE = 3
_DECLARED, _SURE = 5, 0.8
# Pages fetched again before noise is spoken of, and the share of them that differ from themselves.
_AGAIN, _NOISE = 10, 0.05

__all__ = ["Guards", "learn_domain"]


@dataclass(frozen=True)
class Guards:
    """What evidence must have. The evaluation switches them off one by one; nothing else should."""

    trials: int = 5
    pages: int = 5
    """Pages with a trial, which all that may change nothing would leave apart."""
    failures: float = 0.02
    """Of the trials, at most; what is accepted finally the budget decides."""
    diversity: float = 0.5
    """Contents per such page, at least."""
    walls: bool = True
    split: bool = True
    blind: float = 0.8
    """Of the merges, at most."""
    bare: float = 0.1
    """Of the keys with a trial, with the page without the parameter among the compared; asked of parameters with many
    values that do not look like tokens."""
    joint: bool = True
    """Each rule is tried on what those before it leave."""

    def refusal(self, tally: Tally, *, many: bool = False, spread: int = 1) -> str | None:
        """Why this is not enough; None if it is. `many`: the values are many and no tokens; `spread`: under how many
        pages a content usually stands here."""
        if tally.failures > self.failures * tally.trials:
            return "content" if tally.failures - tally.listed > self.failures * tally.trials else "listed"
        if self.split and tally.split:
            return "split"
        if tally.trials < self.trials or (pages := tally.skeletons) < self.pages:
            return "few"
        if len(tally.contents) * spread < self.diversity * pages:
            return "alike"
        if many and tally.bare < max(self.bare * tally.groups, self.bare and _BARE):
            return "constant"
        return "blind" if tally.blind > self.blind * tally.merges else None


Scopes = list[tuple[Place, Tally]]


def learn_domain(hosts: list[Host], guards: Guards | None = None) -> list[Finding]:
    """What rewrites change no content on the hosts of a domain, and what was tried and refused: paths first, since
    what follows stands at the places that are left, then parameters, then how addresses are spelled, within a host and
    across them.

    Linear in the pages times the number of rules accepted.
    """
    learning = [_Learning(host, guards or Guards()) for host in hosts]
    for one in learning:
        one.paths()
        one.parameters()
    for one in learning:
        one.spellings()
    return [finding for one in learning for finding in one.findings()]


class _Learning:
    def __init__(self, host: Host, guards: Guards) -> None:
        self.host, self.guards = host, guards
        self.spread, found, cuts, tried, values = stripped(host)
        self.walls: frozenset[Fingerprint] = found if guards.walls else frozenset()
        # What trials with walls and all told, as long as there are none and no page has another key.
        self.before = {} if self.walls else tried
        self.found: list[Finding] = []
        self.tried: dict[Rewrite, tuple[Scopes, Tally]] = {}
        self.cuts = [Rewrite("path", (one.expression,)) for one in cuts]
        canonical: dict[str, list[Page]] = defaultdict(list)
        for page in host.pages:
            if page.canonical is not None:
                for name in set(page.names):
                    canonical[name].append(page)
        self.facts = {name: (_values(pairs), canonical.get(name, [])) for name, pairs in values.items()}
        self.facts |= {one.expression: (one.values, []) for one in cuts}
        self.declared = declared(host)

    def paths(self) -> None:
        """Rules that cut something out of paths."""
        self._accept_all(self.cuts)
        if self.found:
            self.host.settle()

    def parameters(self) -> None:
        """Rules that drop parameters, their values, or one value."""
        names = [name for name, pages in self.host.names().items() if pages >= self.guards.trials]
        drops = [Rewrite("drop", (name,)) for name in names if name]
        self._accept_all(drops)
        together = self._unique(drops)
        while together is not None and self._accept(together):
            self._accept_all(drops)
            together = self._unique(drops)
        rest = [rewrite.names[0] for rewrite in drops if self.host.having(rewrite.names[0])]
        self._accept_all([Rewrite("valueless", (name,)) for name in rest])
        self._accept_all([Rewrite("default", (name,), value) for name in rest for value in self._defaults(name)])

    def spellings(self) -> None:
        """Rules that switch rungs on. http://www.a to https://a takes two at once, and may be seen so only."""
        self._accept_all([Rewrite("on", (rung,)) for rung in ORDERS])
        self._accept_all([Rewrite("on", (rung,)) for rung in SPELLINGS])
        self._accept_all([Rewrite("on", pair) for pair in combinations(OF_HOSTS, 2)])

    def findings(self) -> list[Finding]:
        """Everything that was found, refusals last."""
        noisy = _noisy(self.host)
        for rewrite, (_, total) in self.tried.items():
            if total.trials and rewrite.kind in ("drop", "path", "on") and len(rewrite.names) == 1:
                refused = self._refusal(rewrite, total) or "few"
                self._note((), rewrite, total, "noise" if noisy and refused == "content" else refused)
        return self.found

    def _refusal(self, rewrite: Rewrite, total: Tally) -> str | None:
        many = rewrite.kind in ("drop", "path") and self._many(rewrite)
        return self.guards.refusal(total, many=many, spread=self.spread)

    def _many(self, rewrite: Rewrite) -> bool:
        """Whether the values are many, and look like numbers or words."""
        return rewrite.kind != "on" and all(
            self.facts[name][0] in ("number", "text") and name not in self.declared for name in rewrite.names
        )

    def _accept_all(self, rewrites: list[Rewrite]) -> None:
        """Accepts the best, tries those again that meet it on a page, until none is left."""
        stale = set(rewrites)
        for _ in range(_ROUNDS):
            for rewrite in stale:
                self._try(rewrite)
            ready = [rewrite for rewrite in rewrites if self.tried[rewrite][0]]
            if not ready:
                return
            best = min(ready, key=self._order)
            changes = changed(self.host, best)
            beside = {*self.host.table.names_on(changes), *SPELLINGS, *ORDERS}
            self._take(best, changes)
            together = self.guards.joint
            beside.update(name for one in self.cuts for name in one.names)
            stale = {best} | {one for one in rewrites if together and not beside.isdisjoint(one.names)}

    def _accept(self, rewrite: Rewrite) -> bool:
        self._try(rewrite)
        if not self.tried[rewrite][0]:
            return False
        self._take(rewrite, changed(self.host, rewrite))
        return True

    def _order(self, rewrite: Rewrite) -> tuple[float, Rewrite]:
        """The one that is surest first."""
        return min(upper(tally.failures, tally.trials) for _, tally in self.tried[rewrite][0]), rewrite

    def _try(self, rewrite: Rewrite) -> None:
        cells = self.before.pop(rewrite, None) or tallies(self.host, rewrite, self.walls)
        total = Tally()
        for tally in cells.values():
            total.join(tally)
        many = rewrite.kind != "default" and self._many(rewrite)
        if many and rewrite.kind == "valueless":
            # Whether the page without it is another one, the trial of dropping it has told.
            many = False
            if self.tried[Rewrite("drop", rewrite.names)][1].bare < _BARE:
                self.tried[rewrite] = [], Tally()
                return
        self.tried[rewrite] = self._scopes((), cells, many), total

    def _take(self, rewrite: Rewrite, changes: PageChanges) -> None:
        self.before.clear()
        host = self.host
        for place, tally in self.tried[rewrite][0]:
            self._note(place, rewrite, tally, None)
            stand = host.table.places(changes.pages)
            covered = {one for one in set(stand) if covers(place, host.places[one])}
            host.rekey(changes.only({page for page, one in zip(changes.pages, stand, strict=True) if one in covered}))
        self.tried[rewrite] = [], Tally()

    def _scopes(self, place: Place, cells: dict[Place, Tally], many: bool) -> Scopes:
        """The widest places below this one where the rewrite holds throughout: a place itself, or several of its
        parts, none of which objects."""
        inside = {other: tally for other, tally in cells.items() if covers(place, other)}
        total = Tally()
        for tally in inside.values():
            total.join(tally)
        if total.trials < self.guards.trials:
            return []
        parts = {other[: len(place) + 1] for other, tally in inside.items() if tally.trials >= self.guards.trials}
        wide = place in inside or len(parts) > (1 if place else 2)
        objects = any(tally.split or tally.failures > self.guards.failures * tally.trials for tally in inside.values())
        if wide and not objects and self.guards.refusal(total, many=many, spread=self.spread) is None:
            return [(place, total)]
        found: Scopes = []
        depth = len(place)
        # Its own parts: what `{slug}` covers besides under a name of its own is asked for under that.
        below = {other[: depth + 1] for other in inside if len(other) > depth and other[:depth] == place}
        for part in sorted(below, key=_widest):
            if not any(covers(taken, part) for taken, _ in found):
                found += self._scopes(part, cells, many)
        return found

    def _unique(self, drops: list[Rewrite]) -> Rewrite | None:
        """The names whose values hardly come back, so that no two pages differ in one of them alone, together."""
        names = [
            rewrite.names[0]
            for rewrite in drops
            if self.tried[rewrite][1].trials < self.guards.trials
            and (pages := self.host.having(rewrite.names[0]))
            and self.host.table.different(self.host.number, rewrite.names[0]) >= _SURE * pages
        ]
        return Rewrite("drop", tuple(sorted(names))) if len(names) > 1 else None

    def _defaults(self, name: str) -> list[str]:
        """The values that stand most often where the page without the parameter was seen too."""
        beside = Counter(self.host.table.beside(self.host.number, name))
        return [value for value, count in beside.most_common(_FEW) if count >= self.guards.trials and value]

    def _note(self, place: Place, rewrite: Rewrite, tally: Tally, refused: str | None) -> None:
        finding = Finding.of(self.host.name, self.host.domain, place, rewrite, tally)
        if rewrite.kind != "on":
            finding.values, pages = self.facts[rewrite.names[0]]
            finding.declared = "site" if self.declared.issuperset(rewrite.names) else _declared(pages, rewrite)
        finding.refused = refused
        self.found.append(finding)


def _widest(place: Place) -> tuple[bool, Place]:
    return "{" not in place[-1], place


def _values(pairs: Iterable[str]) -> str:
    """What the values of a parameter look like."""
    values = {pair.partition("=")[2] for pair in pairs}
    if len(values) <= _FEW:
        return "few"
    if all(value.isdigit() for value in values):
        return "number"
    opaque = sum(len(value) >= _TOKEN and any(map(str.isdigit, value)) and value.isalnum() for value in values)
    return "token" if opaque >= _SURE * len(values) else "text"


def _declared(pages: Iterable[Page], rewrite: Rewrite) -> str:
    """Whether canonical tags take the rewrite for granted, or name each page itself."""
    agree = own = total = 0
    for page in pages:
        if page.canonical is None:
            continue
        head, _, query = page.canonical.partition("#")[0].partition("?")
        if head != page.key.partition("#")[0].partition("?")[0]:
            continue
        named = {pair for pair in query.split("&") if name_of(pair) in rewrite.names}
        total += 1
        agree += not named
        own += page.canonical == page.key
    if total < _DECLARED:
        return "silent"
    return "agree" if agree >= _SURE * total else "against" if own >= _SURE * total else "silent"


def _noisy(host: Host) -> bool:
    """Whether one URL fetched twice often gives two contents."""
    again = [page for page in host.pages if len(page.sights) > 1]
    differ = sum(len({sight.fingerprint for sight in page.sights}) > 1 for page in again)
    return len(again) >= _AGAIN and differ > _NOISE * len(again)
