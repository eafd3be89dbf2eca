"""The rule file under construction: rows with what they say, merged by what they cover, and what could not be
said. Writes TOML; must not know any list."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field

from urlkey._native import expression_fault, host_fault

__all__ = ["Made", "Problem", "Redirect", "Row", "RuleFile", "is_expression", "literal", "name_item", "quoted"]

_PLAIN_NAME = re.compile(r"[^&=#*\x00-\x20\x7f-\uffff/][^&=#*\x00-\x20\x7f-\uffff]*\Z")
_META = re.compile(r"([\\.+*?()|\[\]{}^$#&~-])")


@dataclass(frozen=True)
class Problem:
    """Something in the list that a rule file cannot say."""

    where: str
    what: str
    why: str


@dataclass(frozen=True)
class Made:
    """A rule file, and what is not in it."""

    format: str
    text: str
    rows: int
    names: int
    problems: tuple[Problem, ...]

    def reasons(self) -> Counter[str]:
        """How often each reason was met."""
        return Counter(problem.why for problem in self.problems)


@dataclass(frozen=True)
class Row:
    """What a row covers."""

    host: str = "*"
    url: str | None = None
    excepted: tuple[str, ...] = ()
    fragment: bool = False
    case: bool = False


@dataclass(frozen=True)
class Redirect:
    """A row that leads to the URL inside another one."""

    host: str
    url: str | None
    excepted: tuple[str, ...]
    take: tuple[tuple[str, str], ...]
    where: str
    match: str | None = None
    """The expression among `take`."""


@dataclass
class RuleFile:
    """Rows by what they cover, each with lists of names and the places in the list that they come from."""

    format: str
    name: str
    date: str | None
    redirections: bool = False
    keep_lines: bool = True
    rows: dict[Row, dict[str, dict[str, list[str]]]] = field(default_factory=dict)
    redirects: list[Redirect] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def problem(self, where: str, what: str, why: str) -> None:
        """Notes what cannot be said."""
        self.problems.append(Problem(where, what, why))

    def say(self, row: Row, key: str, item: str, where: str) -> None:
        """Adds one item to the list `key` of a row; an expression or a name that rules cannot hold is a problem."""
        fault = self.fault(row) or self.item_fault(key, item)
        if fault:
            self.problem(where, item, fault)
            return
        self.rows.setdefault(row, {}).setdefault(key, {}).setdefault(item, []).append(where)

    def redirect(self, redirect: Redirect) -> None:
        """Adds a redirect, if its host and expressions can be read."""
        fault = self.fault(Row(redirect.host, redirect.url, redirect.excepted))
        fault = fault or (expression_fault(redirect.match) if redirect.match is not None else None)
        if fault:
            self.problem(redirect.where, redirect.match or redirect.url or redirect.host, fault)
        else:
            self.redirects.append(redirect)

    @staticmethod
    def fault(row: Row) -> str | None:
        """Why a row cannot be read."""
        expressions = [row.url] if row.url is not None else []
        expressions += [text[1:-1] for text in row.excepted if is_expression(text)]
        hosts = [row.host, *(text for text in row.excepted if not is_expression(text))]
        faults = [*map(host_fault, hosts), *map(expression_fault, expressions)]
        return next((fault for fault in faults if fault), None)

    @staticmethod
    def item_fault(key: str, item: str) -> str | None:
        """Why an item of a list cannot be read."""
        if key in ("drop_pairs", "keep_pairs", "raw"):
            return expression_fault(item)
        return expression_fault(item[1:-1]) if is_expression(item) else None

    def made(self) -> Made:
        """The file as text."""
        blocks = [self._head()]
        names = 0
        for row, lists in self.rows.items():
            names += sum(len(items) for items in lists.values())
            blocks.append(self._row(row, lists))
        blocks += map(self._redirect, self.redirects)
        text = "\n".join(blocks)
        return Made(self.format, text, len(self.rows) + len(self.redirects), names, tuple(self.problems))

    def _head(self) -> str:
        lines = [f"# {_comment(self.name)}: made by `urlkey rules import {self.format}`"]
        lines += [f"# not in here, {count} times: {_comment(why)}" for why, count in self.made_reasons().most_common()]
        return "\n".join([*lines, "schema = 1", ""])

    def made_reasons(self) -> Counter[str]:
        """How often each reason was met so far."""
        return Counter(problem.why for problem in self.problems)

    def _row(self, row: Row, lists: dict[str, dict[str, list[str]]]) -> str:
        lines = ["[[site]]", f"host = {quoted(row.host)}"]
        if row.url is not None:
            lines.append(f"url = {quoted(row.url)}")
        if row.excepted:
            lines.append(f"except = {_list(dict.fromkeys(row.excepted))}")
        # A name that the same row keeps would be refused; the keep is heard anyway.
        kept = lists.get("keep", {})
        for key, items in lists.items():
            said = {item: places for item, places in items.items() if key == "keep" or item not in kept}
            if said:
                lines.append(f"{key} = {self._items(said)}")
        lines += [f"{key} = true" for key, on in (("case", row.case), ("fragment", row.fragment)) if on]
        return "\n".join([*lines, *self._origin(), ""])

    def _items(self, items: dict[str, list[str]]) -> str:
        if not self.keep_lines:
            return _list(items)
        rows = [f"  {quoted(item)},  # {_comment('; '.join(dict.fromkeys(places)))}" for item, places in items.items()]
        return "\n".join(["[", *rows, "]"])

    def _redirect(self, redirect: Redirect) -> str:
        lines = ["[[redirect]]", f"host = {quoted(redirect.host)}"]
        if redirect.url is not None:
            lines.append(f"url = {quoted(redirect.url)}")
        if redirect.excepted:
            lines.append(f"except = {_list(dict.fromkeys(redirect.excepted))}")
        lines += [f"{key} = {value}" for key, value in redirect.take]
        return "\n".join([*lines, *self._origin(redirect.where), ""])

    def _origin(self, where: str = "") -> list[str]:
        lines = ['source = "imported"']
        if self.date:
            lines.append(f"date = {self.date}")
        note = f"{self.name}, {where}" if where else self.name
        return [*lines, f"note = {quoted(note)}"]


def is_expression(text: str) -> bool:
    """Whether an item of `except`, `drop` or `keep` is read as a regular expression."""
    return len(text) > 2 and text.startswith("/") and text.endswith("/")


def literal(text: str) -> str:
    """An expression that matches this text and no other.

    >>> literal("a.b[0]")
    'a\\\\.b\\\\[0\\\\]'
    """
    return _META.sub(r"\\\1", text)


def name_item(name: str) -> str:
    """A parameter's name as rules write it: itself, or an expression if it holds what names may not.

    >>> name_item("utm_source"), name_item("a*")
    ('utm_source', '/a\\\\*/')
    """
    return name if _PLAIN_NAME.match(name) else f"/{literal(name)}/"


def quoted(text: str) -> str:
    """A TOML string: a literal one where that spares escapes of escapes."""
    if "\\" in text and "'" not in text and text.isprintable():
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _list(items: object) -> str:
    return "[" + ", ".join(map(quoted, items)) + "]"  # type: ignore[call-overload]


def _comment(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)[:200]
