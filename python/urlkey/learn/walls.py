"""Contents that say nothing of the page they came for: login forms, consent pages, soft 404s, empty lists. A content
is a wall if it stands under more than a few pages that differ in more than a parameter could explain away. Knows
pages and trials; must not know why the server sends it.
"""

from __future__ import annotations

from typing import NamedTuple

from urlkey.learn.cuts import Cut, candidates, cut
from urlkey.learn.observations import Fingerprint
from urlkey.learn.pages import Host
from urlkey.learn.paths import Place
from urlkey.learn.trials import SPELLINGS, Rewrite, Tally, climbed, folded_heads, tallies

# A content under more different pages than this is a wall.
UNDER = 3
# Contents by which the usual is told, and the most of it that is believed.
_CONTENTS, _SPREAD = 20, 10
# What may be without content, for all that single trials tell: few enough disagree, or it never repeats.
_MAY, _UNIQUE, _TRIED = 0.2, 0.8, 5

__all__ = ["UNDER", "Stripped", "stripped"]


Tried = dict[Rewrite, dict[Place, Tally]]


class Stripped(NamedTuple):
    """What was found of a host: under how many skeletons a content usually stands, the walls, what may be cut out of
    paths, and what was tried for all this, walls and all; and the pairs of each name."""

    usual: int
    walls: frozenset[Fingerprint]
    cuts: list[Cut]
    tried: Tried
    values: dict[str, list[str]]


def stripped(host: Host) -> Stripped:
    """Gives every page of a host its skeleton, and finds the walls."""
    tried: Tried = {}
    values = host.values()
    cuts = candidates(host)
    plausible = [one.expression for one in cuts if _may(host, "path", {one.expression}, tried)]
    _strip(host, *_plausible(host, tried, values), plausible)
    return Stripped(*_walls(host), cuts, tried, values)


def _plausible(host: Host, tried: Tried, values: dict[str, list[str]]) -> tuple[set[str], set[str]]:
    """The names that may turn out to change nothing, and those whose values may: seen with walls and all, at most a
    fifth of the trials fail in which they go. Names whose values never come back go together, and with every other
    one, since no trial can tell them alone."""
    having = host.names()
    names = [name for name, pages in having.items() if pages >= _TRIED]
    unique = {name for name in names if len(values[name]) >= _UNIQUE * having[name]}
    if not _may(host, "drop", unique, tried):
        unique = set()
    gone = unique | {name for name in names if name not in unique and _may(host, "drop", unique | {name}, tried)}
    return gone, {name for name in names if name not in gone and _may(host, "valueless", {name}, tried)}


def _may(host: Host, kind: str, names: set[str], tried: Tried) -> bool:
    rewrite = Rewrite(kind, tuple(sorted(names)))
    cells = tried[rewrite] = tallies(host, rewrite) if names else {}
    trials = sum([tally.trials for tally in cells.values()])
    return trials >= _TRIED and sum([tally.failures for tally in cells.values()]) <= _MAY * trials


def _strip(host: Host, gone: set[str], blank: set[str], cuts: list[str]) -> None:
    """Gives every page its skeleton: the key without what is plausible, the parameters `gone`, the values of `blank`,
    what is cut out of paths, every way to spell a path, and every order of parameters."""
    if not cuts:
        folded_heads(host)
    host.table.strip(host.number, list(gone), list(blank), _shortest(host, cuts) if cuts else None)


def _shortest(host: Host, cuts: list[str]) -> list[tuple[str, str]]:
    """Heads, and each with all of this cut out, spelled in one way."""
    old = new = host.heads()
    for expression in cuts:
        new = cut(expression, new)
    return list(zip(old, climbed(SPELLINGS, new), strict=True))


def _walls(host: Host) -> tuple[int, frozenset[Fingerprint]]:
    """Under how many skeletons a content of this host usually stands, and the walls: contents that stand under more
    than `UNDER`, and more than twice as many as is usual.

    More than one is usual where a product has an address in each of its categories. Told by the upper quartile of at
    least twenty contents, ten at most; walls are too few contents to move it.
    """
    under = host.table.under(host.number, 2 * _SPREAD)
    counts = sorted([count for _, count in under])
    usual = min(counts[len(counts) * 3 // 4], _SPREAD) if len(counts) >= _CONTENTS else 1
    most = max(UNDER, 2 * usual)
    return usual, frozenset([fingerprint for fingerprint, count in under if count > most])
