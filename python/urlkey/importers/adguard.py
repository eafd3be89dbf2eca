"""AdGuard and uBlock Origin filter lists: the lines with `$removeparam` (or its old name `queryprune`), exceptions
with `@@` too. What depends on the page or program that asks cannot be said by a rule for a URL; where such a line
is an exception, it is taken without the condition: more is kept than need be.

Sources: https://adguard.com/kb/general/ad-filtering/create-own-filters/#removeparam-modifier,
https://github.com/gorhill/uBlock/wiki/Static-filter-syntax#removeparam
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice

from urlkey.importers.patterns import Where, filter_pattern, host_of
from urlkey.importers.regexes import Unsupported, from_js
from urlkey.importers.rulefile import Row, RuleFile, literal, name_item

__all__ = ["read"]

_NAMES = ("removeparam", "queryprune")
# An exception with one of these is for all that a page asks for, parameters too; one without is for blocking alone.
_WHOLE_PAGE = {"document", "doc", "urlblock"}
_DOCUMENTS = {"document", "doc", "subdocument", "frame", "all"}
_OTHER_TYPES = {
    "script", "image", "stylesheet", "css", "font", "media", "object", "ping", "beacon", "xmlhttprequest", "xhr",
    "websocket", "webrtc", "other", "popup", "popunder", "object-subrequest", "csp_report", "webtransport",
    "inline-script", "inline-font",
}  # fmt: skip
_PARTIES = {
    "third-party",
    "first-party",
    "3p",
    "1p",
    "strict3p",
    "strict1p",
    "strict-third-party",
    "strict-first-party",
}
_NOTHING = {
    "urlblock",
    "important",
    "noop",
    "elemhide",
    "generichide",
    "genericblock",
    "extension",
    "content",
    "jsinject",
}
_PARAMETERS = {
    "domain",
    "from",
    "to",
    "denyallow",
    "app",
    "method",
    "removeparam",
    "queryprune",
    "reason",
    "ctag",
    "client",
}
_KNOWN = _DOCUMENTS | _OTHER_TYPES | _PARTIES | _NOTHING | _PARAMETERS | {"match-case", "badfilter", "header", "cookie"}
# Options begin at a dollar sign; patterns and expressions hold others, but not many.
_MOST_DOLLARS = 32
_END_OF_EXPRESSION = re.compile(r"/[gimsuy]*(?:,|$)")
_COSMETIC = re.compile(r"#@?(?:\?|\$|\$\?|%)?#|\$@?\$")


class _NotSaid(Exception):
    """A line that a rule for a URL cannot say."""


@dataclass
class _Line:
    """A line, taken apart."""

    where: str
    text: str
    pattern: str
    exception: bool
    options: list[tuple[str, bool, str | None]] = field(default_factory=list)

    def has(self, name: str) -> bool:
        return any(option == name for option, _, _ in self.options)

    def key(self) -> tuple[object, ...]:
        """What `badfilter` tells lines by."""
        return self.exception, self.pattern, frozenset(o for o in self.options if o[0] != "badfilter")


def read(text: str, out: RuleFile) -> None:
    """Adds what the list says to `out`."""
    lines = [line for line in (_line(number, raw, out) for number, raw in enumerate(text.splitlines(), 1)) if line]
    disabled = {line.key() for line in lines if line.has("badfilter")}
    for line in lines:
        if line.has("badfilter"):
            continue
        if line.key() in disabled:
            out.problem(line.where, line.text, "switched off by a line with badfilter")
            continue
        try:
            _say(line, out)
        except (_NotSaid, Unsupported) as fault:
            out.problem(line.where, line.text, str(fault))


def _line(number: int, raw: str, out: RuleFile) -> _Line | None:
    text = raw.strip()
    where = f"line {number}"
    if not text or text.startswith(("!", "[")) or (text.startswith("#") and not text.startswith(("##", "#@#"))):
        if text.startswith("!#if"):
            out.problem(where, text, "a condition on the program: what stands under it is taken as if it held")
        elif text.startswith("!#include"):
            out.problem(where, text, "another file; import it by itself")
        return None
    exception = text.startswith("@@")
    body = text[2:] if exception else text
    for at in (found.start() for found in islice(re.finditer(r"\$", body), _MOST_DOLLARS)):
        options = _options(body[at + 1 :])
        if options is not None and _is_for_parameters(options, exception):
            return _Line(where, text, body[:at], exception, options)
    if any(name in text for name in _NAMES) and not _COSMETIC.search(text):
        out.problem(where, text, "a line that cannot be taken apart")
    else:
        out.problem(where, text, "another kind of rule than removeparam")
    return None


def _is_for_parameters(options: list[tuple[str, bool, str | None]], exception: bool) -> bool:
    names = {name for name, negated, _ in options if not negated}
    return any(name in names for name in _NAMES) or (exception and not names.isdisjoint(_WHOLE_PAGE))


def _options(text: str) -> list[tuple[str, bool, str | None]] | None:
    """Name, whether it is negated, and value of each option; None if this is no list of options."""
    options = []
    for part in _split(text):
        name, equals, value = part.partition("=")
        negated = name.startswith("~")
        name = name.strip().removeprefix("~").lower()
        if not re.fullmatch(r"[a-z0-9_-]+", name) or (name not in _KNOWN and set(name) != {"_"}):
            return None
        options.append((name, negated, value if equals else None))
    return options or None


def _split(text: str) -> list[str]:
    """Parted at commas that are not escaped, nor inside an expression between slashes."""
    parts, start, i = [], 0, 0
    expression = False
    while i < len(text):
        c = text[i]
        if c == "\\":
            i += 1
        elif c == "/" and (expression or text[i - 1 : i] == "=" or text[i - 2 : i] == "=~"):
            # The last slash is the one before a comma or the end, flags between.
            expression = not expression or not _END_OF_EXPRESSION.match(text, i)
        elif c == "," and not expression:
            parts.append(text[start:i])
            start = i + 1
        i += 1
    return [*parts, text[start:]]


def _say(line: _Line, out: RuleFile) -> None:
    wheres, excepted = _covered(line)
    value = next((value for name, _, value in line.options if name in _NAMES), None)
    for where in wheres:
        for key, item, case in _items(value, line.exception, where):
            out.say(Row(where.host, where.url, excepted, case=case), key, item, line.where)


def _items(value: str | None, exception: bool, where: Where) -> list[tuple[str, str, bool]]:
    """What the line says: the list of a row, an item, and whether its letters mean no others."""
    drop, keep = ("keep", "drop") if exception else ("drop", "keep")
    if not value:
        if not exception and where == Where("*"):
            raise _NotSaid("drops every parameter of every URL")
        return [(drop, "*", True)]
    negated = value.startswith("~")
    value = re.sub(r"\\([,$])", r"\1", value[1:] if negated else value)
    if not value.strip("|"):
        raise _NotSaid("names no parameter")
    if negated and exception:
        raise _NotSaid("an exception for all parameters but one")
    if negated and where == Where("*"):
        raise _NotSaid("drops all parameters but one of every URL")
    items = [_item(one, drop) for one in _alternatives(value)]
    if negated:
        kept = [(f"{keep}{key.removeprefix(drop)}", item, case) for key, item, case in items]
        return [("drop", "*", kept[0][2]), *kept]
    return items


def _item(value: str, key: str) -> tuple[str, str, bool]:
    found = re.fullmatch(r"/(.*)/([gimsuy]*)", value, re.DOTALL)
    if found:
        return f"{key}_pairs", from_js(found[1]), "i" not in found[2]
    if value.startswith("|"):
        # Old queryprune: the beginning of `name=value`.
        return f"{key}_pairs", f"^{literal(value[1:])}", True
    return key, name_item(value), True


def _alternatives(value: str) -> list[str]:
    """The names of an old list, `p1|/p2/i|p3`; a bar inside slashes belongs to the expression."""
    if value.startswith("|"):
        return [value]
    found = re.findall(r"/(?:\\.|[^\\/])+/[gimsuy]*(?=\||$)|[^|]+", value)
    return found if "|".join(found) == value else [value]


def _covered(line: _Line) -> tuple[list[Where], tuple[str, ...]]:
    """Which URLs the line covers, and what it spares."""
    _check(line)
    found = re.fullmatch(r"/(.+)/([a-z]*)", line.pattern)
    is_regex = found is not None and len(line.pattern) > 2
    case = line.has("match-case")
    where = _of_expression(found[1], case) if is_regex and found else filter_pattern(line.pattern, case)
    hosts: list[str] = []
    excepted: list[str] = []
    for name, negated, value in line.options:
        if name in ("domain", "from", "to", "denyallow"):
            inside, outside = _domains(line, value or "")
            if name == "denyallow":
                inside, outside = outside, inside
            excepted += inside if negated else outside
            if inside and not negated:
                hosts = _narrowed(line, where, hosts, inside, name == "to")
    if not hosts:
        return [where], tuple(excepted)
    return [Where(host, where.url) for host in hosts], tuple(excepted)


def _of_expression(expression: str, case: bool) -> Where:
    from urlkey.importers.patterns import hosts_of_expression

    found = hosts_of_expression(expression)
    hosts = found[0] if found else []
    text = from_js(expression)
    return Where(hosts[0] if len(hosts) == 1 else "*", f"(?-i:{text})" if case else text)


def _check(line: _Line) -> None:
    """Refuses what depends on more than the URL. Exceptions are taken without such conditions."""
    if line.exception:
        return
    types = {name: negated for name, negated, _ in line.options if name in _DOCUMENTS | _OTHER_TYPES}
    asked = {name for name, negated in types.items() if not negated}
    if (asked and not asked & _DOCUMENTS) or types.get("document", types.get("doc")) is True:
        raise _NotSaid("request type: rules are for URLs, whatever asks for them")
    for name, negated, value in line.options:
        if name in _PARTIES:
            raise _NotSaid(f"{name}: depends on the page that asks")
        if name in ("app", "client", "ctag", "header", "cookie"):
            raise _NotSaid(f"{name}: depends on the program that asks")
        if name == "method" and ("get" in (value or "").lower().split("|")) is negated:
            raise _NotSaid("method: depends on the request")


def _domains(line: _Line, value: str) -> tuple[list[str], list[str]]:
    """Hosts inside and outside."""
    inside: list[str] = []
    outside: list[str] = []
    for text in filter(None, re.split(r"[|,]", value) if not value.startswith("/") else [value]):
        host = host_of(text.removeprefix("~"))
        if host is None:
            if line.exception:
                continue
            raise _NotSaid("domain: neither a host nor a name before any suffix")
        host = host if host.startswith("*.") or host.endswith("<suffix>") else f"*.{host}"
        (outside if text.startswith("~") else inside).append(host)
    return inside, outside


def _narrowed(line: _Line, where: Where, hosts: list[str], inside: list[str], of_target: bool) -> list[str]:
    """The hosts that pattern and domains have in common. Where a page asks for itself, its host is the URL's."""
    if where.host == "*":
        return _of_both(line, hosts, inside, of_target) if hosts else inside
    if _below(where.host, inside):
        return [where.host]
    below = [host for host in inside if _below(host, [where.host])]
    if below:
        return below
    if line.exception:
        return [where.host]
    raise _NotSaid("to: no URL is on both hosts" if of_target else "domain: depends on the page that asks")


def _of_both(line: _Line, hosts: list[str], inside: list[str], of_target: bool) -> list[str]:
    """The hosts that page and target have in common: of an exception, all targets."""
    if line.exception:
        return inside if of_target else hosts
    both = [host for host in hosts if _below(host, inside)] + [host for host in inside if _below(host, hosts)]
    if not both:
        raise _NotSaid("domain: depends on the page that asks")
    return list(dict.fromkeys(both))


def _below(host: str, others: list[str]) -> bool:
    name = host.removeprefix("*.")
    for other in others:
        apex = other.removeprefix("*.")
        if host == other or name == apex or name.endswith(f".{apex}"):
            return True
        if apex.endswith(".<suffix>") and f".{name}.".find(f".{apex.removesuffix('<suffix>')}") >= 0:
            return True
    return False
