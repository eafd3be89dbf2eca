"""Where a spelling differs from another, for marking it. For eyes alone: what is
the same page is decided by keys. Linear in the bytes of both."""

import re
from collections import Counter

_PARTS = re.compile(r"(?:([^:/?#]+:)(//)?)?([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)

Pieces = list[tuple[str, bool]]

__all__ = ["Pieces", "marked"]


def marked(url: str, other: str) -> Pieces:
    """The text of a URL in pieces, each with whether it differs from the other.

    >>> marked("http://a.example/x?b=1&utm_source=y", "https://a.example/x?b=1")
    [('http:', True), ('//a.example/x?b=1', False), ('&utm_source=y', True)]
    """
    one, two = _parts(url), _parts(other)
    pieces: Pieces = [(one[0], one[0] != two[0]), (one[1], False)]
    pieces += _trimmed(one[2], two[2]) + _trimmed(one[3], two[3]) + _fields(one[4], two[4])
    pieces.append((one[5], one[5] != two[5]))
    return _joined(pieces)


def _parts(url: str) -> list[str]:
    match = _PARTS.fullmatch(url)
    return [part or "" for part in match.groups()] if match else ["", "", "", url, "", ""]


def _trimmed(one: str, two: str) -> Pieces:
    """What stands between the beginning and the end that both have."""
    if one == two:
        return [(one, False)]
    room = min(len(one), len(two))
    front = next((i for i in range(room) if one[i] != two[i]), room)
    back = next((i for i in range(room - front) if one[-1 - i] != two[-1 - i]), room - front)
    end = len(one) - back
    return [(one[:front], False), (one[front:end], True), (one[end:], False)]


def _fields(one: str, two: str) -> Pieces:
    """The fields that the other lacks; where it lacks none, those at another place."""
    if one == two or not one:
        return [(one, False)]
    own, theirs = one[1:].split("&"), two[1:].split("&") if two else []
    common = Counter(own) & Counter(theirs)
    moved = common.total() == len(own)
    pieces: Pieces = []
    for number, field in enumerate(own):
        if moved:
            differs = number >= len(theirs) or theirs[number] != field
        else:
            differs = not common[field]
            common[field] -= not differs
        pieces.append((("&" if number else "?") + field, differs))
    return pieces


def _joined(pieces: Pieces) -> Pieces:
    found: Pieces = []
    for text, differs in pieces:
        if text and found and found[-1][1] == differs:
            found[-1] = (found[-1][0] + text, differs)
        elif text:
            found.append((text, differs))
    return found
