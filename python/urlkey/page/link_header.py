"""`Link` headers, read by the algorithm of RFC 8288, appendix B. URLs stand here as the header spells them; must not
know which relations matter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["HeaderLink", "links"]

_SPACE = " \t\r\n"
_SKIPPED = re.compile(r"[ \t\r\n,]*")
_NAME = re.compile(r"[^ \t\r\n=;,]*")
_TOKEN = re.compile(r"[^;,]*")
# A quoted string, its end missing at the end of the field; neither part can match in two ways.
_QUOTED = re.compile(r'"((?:[^"\\]++|\\.)*+)(?:"|\\?\Z)', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class HeaderLink:
    """A link: its target, the relation types in lower case, the anchor if there is one, and all parameters in order,
    names in lower case."""

    target: str
    rels: tuple[str, ...]
    anchor: str | None
    parameters: tuple[tuple[str, str], ...]

    def get(self, name: str) -> str | None:
        """The first value of a parameter."""
        return next((value for found, value in self.parameters if found == name), None)


def links(field: str) -> tuple[list[HeaderLink], str | None]:
    """The links of one header field, and the text that could not be read, if any. What comes before it is kept, as is
    done by the RFC's parser, which gives up where a target is not in angle brackets. Cost: linear.

    Source: https://www.rfc-editor.org/rfc/rfc8288#appendix-B.2

    >>> found, rest = links('</a,b>; rel="Canonical shortlink"; title="a, \\\\"b\\\\"", <x>; rel=next, y; rel=up')
    >>> [(link.target, link.rels) for link in found], rest
    ([('/a,b', ('canonical', 'shortlink')), ('x', ('next',))], 'y; rel=up')
    """
    found: list[HeaderLink] = []
    at = _skipped(field, 0)
    while at < len(field):
        end = field.find(">", at) if field[at] == "<" else -1
        if end < 0:
            return found, field[at:]
        target, at = field[at + 1 : end].strip(_SPACE), end + 1
        parameters = []
        for name, value, after in _parameters(field, at):
            at = after
            if name:
                parameters.append((name, value))
        found.append(_link(target, tuple(parameters)))
        # What stands between a link and the next comma belongs to neither.
        comma = field.find(",", at)
        at = len(field) if comma < 0 else _skipped(field, comma)
    return found, None


def _link(target: str, parameters: tuple[tuple[str, str], ...]) -> HeaderLink:
    first: dict[str, str] = {}
    for name, value in parameters:
        # A second rel and a second anchor are not heard.
        first.setdefault(name, value)
    return HeaderLink(target, tuple(first.get("rel", "").lower().split()), first.get("anchor"), parameters)


def _parameters(field: str, at: int) -> Iterator[tuple[str, str, int]]:
    """Name, value and end of each parameter behind a target."""
    while True:
        at = _spaces(field, at)
        if field[at : at + 1] != ";":
            return
        at = _spaces(field, at + 1)
        begun = _NAME.match(field, at)
        assert begun is not None
        name, at = begun[0].lower(), _spaces(field, begun.end())
        value = ""
        if field[at : at + 1] == "=":
            value, at = _value(field, _spaces(field, at + 1))
        yield name, value, at


def _value(field: str, at: int) -> tuple[str, int]:
    if (quoted := _QUOTED.match(field, at)) is not None:
        return _ESCAPED.sub(r"\1", quoted[1]), quoted.end()
    token = _TOKEN.match(field, at)
    assert token is not None
    return token[0].rstrip(_SPACE), token.end()


def _spaces(field: str, at: int) -> int:
    while at < len(field) and field[at] in _SPACE:
        at += 1
    return at


def _skipped(field: str, at: int) -> int:
    found = _SKIPPED.match(field, at)
    assert found is not None
    return found.end()
