"""Regular expressions of lists, which JavaScript and RE2 read, as rules read them: the few places where the
languages differ, and what no linear engine can do. Must not know lists."""

from __future__ import annotations

import re

__all__ = ["Unsupported", "first_group_alone", "from_js", "groups"]

_ESCAPES = set("dDwWsSbBnrtfv")
_QUANTIFIER = re.compile(r"\{\d+(,\d*)?\}")


class Unsupported(ValueError):
    """An expression that rules cannot hold; the text says why."""


def from_js(pattern: str) -> str:
    """The expression in the language of rules. Raises Unsupported.

    >>> from_js(r"^https?:\\/\\/a\\.example\\/[[]x")
    '^https?://a\\\\.example/[\\\\[]x'
    """
    out: list[str] = []
    i = 0
    inside = False  # of a class
    while i < len(pattern):
        c = pattern[i]
        if c == "\\":
            text, i = _escape(pattern, i)
            out.append(text)
            continue
        if inside:
            inside = c != "]"
            doubled = c in "&-~" and pattern[i + 1 : i + 2] == c
            out.append(f"\\{c}" if c == "[" or doubled else c)
        elif c == "[":
            inside = True
            if pattern.startswith(("[]", "[^]"), i):
                raise Unsupported("an expression with an empty class")
            out.append(c)
        elif c == "(" and pattern.startswith("(?", i):
            if not pattern.startswith(("(?:", "(?<", "(?P<"), i) or pattern.startswith(("(?<=", "(?<!"), i):
                raise Unsupported("an expression that looks around, which takes more than linear time")
            out.append(c)
        elif (c == "{" and not _QUANTIFIER.match(pattern, i)) or (c == "}" and not _closes(pattern, i)) or c == "]":
            out.append(f"\\{c}")
        else:
            out.append(c)
        i += 1
    return "".join(out)


def _closes(pattern: str, at: int) -> bool:
    start = pattern.rfind("{", 0, at)
    found = _QUANTIFIER.match(pattern, start) if start >= 0 else None
    return found is not None and found.end() == at + 1


def _escape(pattern: str, at: int) -> tuple[str, int]:
    """One escape as rules write it, and where it ends."""
    c = pattern[at + 1 : at + 2]
    if not c:
        raise Unsupported("an expression that ends in a backslash")
    if c in "123456789" or pattern.startswith(r"\k<", at):
        raise Unsupported("an expression that refers back, which takes more than linear time")
    if c in "xu":
        digits = 2 if c == "x" else 4
        code = pattern[at + 2 : at + 2 + digits]
        if re.fullmatch(f"[0-9a-fA-F]{{{digits}}}", code):
            return f"\\x{{{code}}}", at + 2 + digits
        return c, at + 2
    if c == "0":
        return r"\x00", at + 2
    if c in "cpP":
        raise Unsupported(f"an expression with \\{c}")
    if c in _ESCAPES or c in r"\.+*?()|[]{}^$-&~#":
        return f"\\{c}", at + 2
    # Any other escape is the character itself.
    return c, at + 2


def groups(expression: str) -> list[int]:
    """Where the groups begin that capture, of an expression as `from_js` gives it.

    >>> groups(r"(a)\\((?:b)[(](?<n>c)")
    [0, 13]
    """
    found = []
    inside = False
    i = 0
    while i < len(expression):
        c = expression[i]
        if c == "\\":
            i += 1
        elif inside:
            inside = c != "]"
        elif c == "[":
            inside = True
        elif c == "(" and (expression[i + 1 : i + 2] != "?" or expression.startswith(("(?<", "(?P<"), i)):
            found.append(i)
        i += 1
    return found


def first_group_alone(expression: str) -> str:
    """The expression with its first capture and no other.

    >>> first_group_alone("(a|b)=(c)")
    '(a|b)=(?:c)'
    """
    for at in reversed(groups(expression)[1:]):
        end = expression.index(">", at) if expression.startswith("(?", at) else at
        expression = f"{expression[:at]}(?:{expression[end + 1 :]}"
    return expression
