"""`Clean-param` of robots.txt: which parameters a site says do not change its pages. Must not know how the file was
fetched.

Source: https://yandex.com/support/webmaster/en/robot-workings/clean-param"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from urlkey._native import Policy
from urlkey.evidence.records import Findings, SiteRule, Telling, evidence, names_in_rules, refusal
from urlkey.evidence.targets import Here
from urlkey.importers.rulefile import literal

__all__ = ["Directive", "directive", "directives", "from_robots"]

# Yandex reads 500 KB of a file and 500 characters of a rule.
_LARGEST_FILE = 512_000
_LONGEST = 500
_DIRECTIVE = re.compile(r"[ \t]*clean-param[ \t]*:[ \t]*([^#\r\n]*)", re.IGNORECASE)
_PREFIX = re.compile(r"[A-Za-z0-9./*_-]*\Z")
_NAME = re.compile(r"[^&=#\s]+\Z")


@dataclass(frozen=True, slots=True)
class Directive:
    """One directive: parameters that do not matter, where path and query match the prefix."""

    names: tuple[str, ...]
    prefix: str

    def covers(self, path: str) -> bool:
        """Whether path and query of a URL match the prefix. Each piece between stars is looked for once: linear."""
        first, *pieces = self.prefix.split("*")
        if not path.startswith(first):
            return False
        at = len(first)
        for piece in pieces:
            found = path.find(piece, at)
            if found < 0:
                return False
            at = found + len(piece)
        return True

    def expression(self) -> str:
        """The same for a site rule, whose expressions are linear."""
        return ".*".join(map(literal, re.sub(r"\*+", "*", self.prefix).split("*"))).removesuffix(".*")


def from_robots(
    url: str | bytes, body: bytes | str, *, pages: Iterable[str | bytes] = (), policy: str | Policy = "crawl"
) -> Findings:
    """What the Clean-param directives of a robots.txt say: a site rule each, and for each of `pages` (URLs of the same
    host) the URL without the parameters that do not matter, as evidence. `url` is that of robots.txt.

    Read as Yandex does: names with case, up to 500 characters a rule and 500 KB a file, a path prefix of
    `A-Za-z0-9.-/*_` in which `*` is any text, all pages without one; directives count wherever they stand. Raises
    UrlKeyError for URLs that are none, ValueError for those that are not http or https. Cost: linear in the file;
    each page is matched with each directive.

    >>> robots = "User-agent: Yandex" + chr(10) + "Clean-param: ref&sid /shop/"
    >>> found = from_robots("http://a.example/robots.txt", robots, pages=["http://a.example/shop/x?sid=1&id=2"])
    >>> found.evidence[0].to
    'http://a.example/shop/x?id=2'
    >>> print(found.rules[0].toml())
    [[site]]
    host = "a.example"
    url = "(?-i:^[a-z]+://[^/]*/shop/)"
    drop = ["ref", "sid"]
    case = true
    source = "imported"
    note = "Clean-param: ref&sid /shop/"
    <BLANKLINE>
    """
    here, told, found = Here.asked(url, policy), Telling(), list[Directive]()
    for value in directives(body):
        try:
            found.append(directive(value))
        except ValueError as error:
            told += refusal("clean-param", here.href, None, "bad-syntax", f"{error}: {value[:100]}")
    for one in dict.fromkeys(found):
        told += Findings((), (), (_rule(here, one),))
    for page in pages:
        told += _applied(here, Here.asked(page, here.policy), found)
    return told.findings()


def directives(body: bytes | str) -> Iterator[str]:
    """The texts of the directives of a robots.txt, without their name."""
    text = body[:_LARGEST_FILE] if isinstance(body, str) else body[:_LARGEST_FILE].decode("utf-8", "replace")
    for line in re.split(r"[\r\n]+", text.removeprefix("\ufeff")):
        if (found := _DIRECTIVE.match(line)) is not None:
            yield found[1].strip()


def directive(value: str) -> Directive:
    """The directive that a text is. Raises ValueError for one that is none."""
    if len(value) > _LONGEST:
        raise ValueError(f"a rule has at most {_LONGEST} characters")
    parts = value.split()
    if len(parts) not in (1, 2):
        raise ValueError("not parameters and at most one path")
    names = [name for name in parts[0].split("&") if name]
    prefix = parts[1] if len(parts) == 2 else ""
    if not names or not all(_NAME.match(name) for name in names):
        raise ValueError("names are separated by & and have no =")
    if not _PREFIX.match(prefix):
        raise ValueError("a path holds only A-Za-z0-9.-/*_")
    return Directive(
        tuple(dict.fromkeys(names)), prefix if prefix.startswith(("/", "*")) or not prefix else f"/{prefix}"
    )


def _rule(here: Here, directive: Directive) -> SiteRule:
    tail = directive.expression()
    url = f"(?-i:^[a-z]+://[^/]*{tail})" if tail not in ("", "/") else None
    note = f"Clean-param: {'&'.join(directive.names)} {directive.prefix}".rstrip()
    return SiteRule(here.url.hostname or "", None, url, names_in_rules(map(unquote, directive.names)), note=note)


def _applied(here: Here, page: Here, directives: list[Directive]) -> Findings:
    if page.url.host != here.url.host or not page.url.query:
        return Findings()
    path = f"{page.url.path}?{page.url.query}"
    names = set[str]().union(*(map(unquote, directive.names) for directive in directives if directive.covers(path)))
    kept = [field for field in page.url.query.split("&") if unquote(field.partition("=")[0]) not in names]
    reduced = page.url.replace(query="&".join(kept) or None, fragment=None).href
    if page.policy.key(reduced) == page.key:
        return Findings()
    return evidence("clean-param", page.href, reduced, "Clean-param in robots.txt")
