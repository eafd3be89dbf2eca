"""Dictionaries of structured fields, as far as headers about URLs need them. Must not know any header.

Source: https://www.rfc-editor.org/rfc/rfc9651#section-4.2"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["BadField", "Other", "Token", "dictionary"]

_KEY = re.compile(r"[a-z*][a-z0-9_.*-]*")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_STRING = re.compile(r'"((?:[ !#-\[\]-~]|\\["\\])*+)"')
_TOKEN = re.compile(r"[A-Za-z*][A-Za-z0-9!#$%&'*+.^_`|~:/-]*")
_BYTES = re.compile(r":[A-Za-z0-9+/=]*:")
_DISPLAY = re.compile(r'%"(?:[ !#$&-~]|%[0-9a-f]{2})*+"')
_BARE_SPACE = " "
_SPACE = " \t"


class BadField(ValueError):
    """A field that is not a dictionary."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token: a word without quotes."""

    text: str


@dataclass(frozen=True, slots=True)
class Other:
    """A number, a byte sequence, a date or a display string, as written."""

    text: str


Item = str | bool | Token | Other
Value = Item | tuple[Item, ...]


def dictionary(lines: Sequence[str]) -> dict[str, Value]:
    """The dictionary that the lines of a header make together; its parameters are checked and left out. An inner list
    is a tuple. Raises BadField: one mistake makes the whole field unusable. Cost: linear.

    >>> dictionary(['key-order, params=("a" "b")', "x=?0;y=1"])
    {'key-order': True, 'params': ('a', 'b'), 'x': False}
    """
    text = ", ".join(lines).strip(_BARE_SPACE)
    found: dict[str, Value] = {}
    reader = _Reader(text)
    while reader.at < len(text):
        key = reader.take(_KEY, "a key")
        # A key that stands twice has its last value, in the last place.
        found.pop(key, None)
        if reader.skip("="):
            found[key] = reader.member()
        else:
            reader.parameters()
            found[key] = True
        reader.spaces(_SPACE)
        if reader.at == len(text):
            break
        if not reader.skip(","):
            raise BadField(f"no comma at {reader.at}")
        reader.spaces(_SPACE)
        if reader.at == len(text):
            raise BadField("a comma at the end")
    return found


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def member(self) -> Value:
        if not self.skip("("):
            item = self.item()
            self.parameters()
            return item
        items = list[Item]()
        while True:
            self.spaces(_BARE_SPACE)
            if self.skip(")"):
                self.parameters()
                return tuple(items)
            items.append(self.item())
            self.parameters()
            if self.text[self.at : self.at + 1] not in (" ", ")"):
                raise BadField(f"an inner list does not go on so at {self.at}")

    def item(self) -> Item:
        first = self.text[self.at : self.at + 1]
        if first == '"':
            return re.sub(r"\\(.)", r"\1", self.take(_STRING, "a string")[1:-1])
        if first == "?":
            if self.text[self.at + 1 : self.at + 2] not in ("0", "1"):
                raise BadField(f"no boolean at {self.at}")
            self.at += 2
            return self.text[self.at - 1] == "1"
        if first == ":":
            return Other(self.take(_BYTES, "a byte sequence"))
        if first == "%":
            return Other(self.take(_DISPLAY, "a display string"))
        if first == "@":
            self.at += 1
            return Other("@" + self.number(decimal=False))
        if first.isdigit() or first == "-":
            return Other(self.number())
        return Token(self.take(_TOKEN, "an item"))

    def number(self, *, decimal: bool = True) -> str:
        number = self.take(_NUMBER, "a number")
        whole, point, part = number.lstrip("-").partition(".")
        if len(whole) > (12 if point else 15) or len(part) > 3 or (point and not decimal):
            raise BadField(f"the number {number[:20]} is out of range")
        return number

    def parameters(self) -> None:
        while self.skip(";"):
            self.spaces(_BARE_SPACE)
            self.take(_KEY, "a parameter")
            if self.skip("="):
                self.item()

    def take(self, pattern: re.Pattern[str], what: str) -> str:
        found = pattern.match(self.text, self.at)
        if found is None:
            raise BadField(f"{what} is missing at {self.at}")
        self.at = found.end()
        return found[0]

    def skip(self, char: str) -> bool:
        if not self.text.startswith(char, self.at):
            return False
        self.at += 1
        return True

    def spaces(self, which: str) -> None:
        while self.at < len(self.text) and self.text[self.at] in which:
            self.at += 1
