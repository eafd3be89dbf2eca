"""What might be cut out of the paths of a host: sessions that stand in a path, `/en` or `/amp` in front of it, `/amp`
behind it. Only what stands on several pages is a candidate; whether it may go the trials say. Knows paths; must not
know contents.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import lru_cache

from urlkey._native import Policy
from urlkey.importers.rulefile import literal, quoted
from urlkey.learn.pages import Host

# Pages that have it, at least, and candidates of one host that are looked at, those of most pages.
_LEAST, _MOST = 5, 12
# A segment that names its session (`sid-1a2b3c4d`, `(S(1a2b3c4d))`), and one that is a session and nothing else.
_NAMED = re.compile(r"(\([A-Za-z]\(|[A-Za-z_]{1,16}[-_=.~:])([0-9A-Za-z]{6,})(\)\))?\Z")
_BARE = re.compile(r"()([0-9A-Za-z]{16,})()\Z")
_TOKENS = 0.8
# Values of a parameter of the path up to which they are few.
_FEW = 8

__all__ = ["Cut", "candidates", "cut"]


@dataclass(frozen=True)
class Cut:
    """An expression as rules write it under `drop_path`, and what it takes: `few`, `number`, `token` or `text`."""

    expression: str
    values: str


@dataclass
class _Seen:
    """How often something stands in paths."""

    pages: int = 0
    values: set[str] = field(default_factory=set)


def candidates(host: Host) -> list[Cut]:
    """What stands in the paths of several pages and may be cut out. Linear in the pages."""
    parameters: dict[str, _Seen] = defaultdict(_Seen)
    sessions: dict[tuple[str, str, bool], _Seen] = defaultdict(_Seen)
    constant: Counter[tuple[bool, str]] = Counter()
    for head in host.heads():
        start = head.find("/", head.find("//") + 2)
        path = head[start:].partition("#")[0]
        front = head[:start]
        if ";" in path:
            _note_parameters(path, parameters)
        parts = path[1:].split("/")
        for place, part in enumerate(parts):
            found = _NAMED.match(part) or _BARE.match(part) if len(part) >= _FEW else None
            if found and (found[1][:1] == "(") == bool(found[3]):
                _note(sessions[found[1], found[3] or "", place == len(parts) - 1], found[2])
        for end, text, left in _ends(path):
            if host.table.has_head(front + left):
                constant[end, text] += 1
    cuts = [(seen.pages, Cut(f";{literal(name)}=[^/;]*", _shape(seen.values))) for name, seen in parameters.items()]
    for (before, after, last), seen in sessions.items():
        if len(seen.values) >= _LEAST and _shape(seen.values) == "token":
            cuts.append((seen.pages, Cut(_session(before, after, last, seen.values), "token")))
    for (end, text), count in constant.items():
        cuts.append((count, Cut(f"{'' if end else '^'}{literal(text)}{'$' if end else ''}", "few")))
    ordered = sorted(cuts, key=lambda one: (-one[0], one[1].expression))
    return [one for pages, one in ordered[:_MOST] if pages >= _LEAST]


def _ends(path: str) -> list[tuple[bool, str, str]]:
    """The first and the last segment of a path, and the last extension: whether it stands at the end, its text, and the
    path that is left without it."""
    found = []
    first = path.find("/", 1)
    if first > 1:
        found.append((False, path[: first + 1], path[first:]))
    slash = path.endswith("/")
    before = path.rfind("/", 0, len(path) - slash)
    if 0 < before < len(path) - 1:
        found.append((True, path[before:], path[: before + slash]))
    dot = path.rfind(".")
    if dot > before + 1 and not slash:
        found.append((True, path[dot:], path[:dot]))
    return found


def _note_parameters(path: str, parameters: dict[str, _Seen]) -> None:
    for segment in path.split("/"):
        for pair in segment.split(";")[1:]:
            name, mark, value = pair.partition("=")
            if mark and name:
                _note(parameters[name.lower()], value)


def _note(seen: _Seen, value: str) -> None:
    seen.pages += 1
    seen.values.add(value)


def _session(before: str, after: str, last: bool, values: set[str]) -> str:
    """The segment with its token, of the length that all have or of the shortest upwards."""
    lengths = set(map(len, values))
    times = f"{min(lengths)}" if len(lengths) == 1 else f"{min(lengths)},"
    return f"/{literal(before)}[0-9a-z]{{{times}}}{literal(after)}{'$' if last else '/'}"


def _shape(values: set[str]) -> str:
    if len(values) <= _FEW:
        return "few" if len(values) < _LEAST else _opaque(values) or "few"
    if all(value.isdigit() for value in values):
        return "number"
    return _opaque(values) or "text"


def _opaque(values: set[str]) -> str | None:
    """`token` where most values have letters and digits in one."""
    opaque = sum(not value.isdigit() and not value.isalpha() and value.isalnum() for value in values)
    return "token" if opaque >= _TOKENS * len(values) else None


def cut(expression: str, heads: list[str]) -> list[str]:
    """The heads without it, as the core cuts it out of them."""
    found = _cutting(expression).keys(heads, on_error="null")
    return [head if new is None else new for head, new in zip(heads, found, strict=True)]


@lru_cache(maxsize=1024)
def _cutting(expression: str) -> Policy:
    """Keys are of some policy already: on top of them nothing acts but this rule."""
    head = 'schema = 1\nname = "cut"\nversion = 1\nextends = "whatwg"\n'
    return Policy.from_text(f'{head}[[site]]\nhost = "*"\ndrop_path = [{quoted(expression)}]\n')
