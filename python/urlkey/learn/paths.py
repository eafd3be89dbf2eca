"""Places on a host: prefixes of paths as site rules write them, with `{int}` and its like where many siblings have
one shape. Knows segments; must not know parameters.

A place covers what a rule with this path covers: all paths that begin with its segments (docs/policies.md).
"""

import re
from collections import defaultdict

# As the core matches them (policy/paths.rs); the first that fits is taken, `{slug}` last.
SHAPES = {
    "{uuid}": re.compile(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\Z"),
    "{date}": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z|[0-9]{8}\Z"),
    "{int}": re.compile(r"[0-9]+\Z"),
    "{hex}": re.compile(r"[0-9A-Fa-f]+\Z"),
    "{slug}": re.compile(r"[0-9A-Za-z_-]+\Z"),
}
# A segment stays a name up to so many siblings of its shape: words are names until they are many, numbers are not; or
# with this share of the pages.
_WORDS, _MARKED, _NUMBERS, _SHARE = 30, 10, 4, 0.05
_DEEPEST = 6
# A word of these letters alone is more likely a word.
_SURELY_HEX = re.compile(r"(?=.*[0-9])[0-9A-Fa-f]{8,}\Z")

Place = tuple[str, ...]

__all__ = ["SHAPES", "Place", "covers", "places", "segments", "text"]


def segments(path: str) -> Place:
    """The segments of a path.

    >>> segments("/a/b.html"), segments("/")
    (('a', 'b.html'), ())
    """
    return tuple(path[1:].split("/")) if len(path) > 1 else ()


def text(place: Place) -> str:
    """A place as rules write it."""
    return "/" + "/".join(place)


def covers(place: Place, other: Place) -> bool:
    """Whether a rule for this place covers all of the other one, as far as its segments tell.

    >>> covers(("a", "{slug}"), ("a", "{int}", "x")), covers(("a", "{int}"), ("a",))
    (True, False)
    """
    return len(place) <= len(other) and all(map(_holds, place, other))


def _holds(wanted: str, found: str) -> bool:
    shape = SHAPES.get(wanted)
    if shape is None:
        return wanted == found
    if found in SHAPES:
        wider = {"{slug}": SHAPES.keys(), "{hex}": ("{hex}", "{int}")}.get(wanted, (wanted,))
        return found in wider
    return bool(shape.match(found))


def places(paths: list[str]) -> dict[str, Place]:
    """The place of each path: its segments, those of which there are many as their shape. A path whose next segment
    is one of many without a shape ends before it."""
    found: dict[str, Place] = {}
    pending: list[tuple[Place, list[tuple[str, Place]]]] = [((), [(path, segments(path)) for path in paths])]
    while pending:
        place, members = pending.pop()
        depth = len(place)
        below: dict[str, list[tuple[str, Place]]] = defaultdict(list)
        for path, parts in members:
            if len(parts) <= depth or depth == _DEEPEST:
                found[path] = place
            else:
                below[parts[depth]].append((path, parts))
        for name, children in _gathered(below).items():
            if name is None:
                found.update((path, place) for path, _ in children)
            else:
                pending.append(((*place, name), children))
    return found


def _gathered(below: dict[str, list[tuple[str, Place]]]) -> dict[str | None, list[tuple[str, Place]]]:
    """Children under the names that they go by; under None those without one."""
    if len(below) <= _NUMBERS:
        return {name or None: children for name, children in below.items()}
    count = sum(map(len, below.values()))
    out: dict[str | None, list[tuple[str, Place]]] = defaultdict(list)
    shaped: dict[tuple[str, bool], list[str]] = defaultdict(list)
    for name in below:
        shaped[_shape(name), any(map(str.isdigit, name))].append(name)
    for (shape, marked), names in shaped.items():
        words = shape in ("{slug}", "")
        few = len(names) <= ((_MARKED if marked else _WORDS) if words else _NUMBERS)
        for name in names:
            often = words and len(below[name]) > max(_SHARE * count, 3)
            out[name or None if few or often else shape or None] += below[name]
    return out


def _shape(name: str) -> str:
    """The narrowest shape of a segment, empty where it has none."""
    for shape, pattern in SHAPES.items():
        if pattern.match(name) and (shape != "{hex}" or _SURELY_HEX.match(name)):
            return shape
    return ""
