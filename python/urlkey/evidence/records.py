"""What evidence looks like: pieces, refusals, rules that a site suggests. Must not know where they come from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import quote, quote_plus

from urlkey.evidence.weights import weight_of
from urlkey.importers.rulefile import name_item, quoted

__all__ = [
    "REFUSALS",
    "Evidence",
    "Findings",
    "Refusal",
    "SiteRule",
    "Telling",
    "evidence",
    "names_in_rules",
    "refusal",
]

# Why something that looks like evidence is none. The codes are stable.
REFUSALS: dict[str, str] = {
    # of the response
    "see-other": "303 names another resource, not this one",
    "multiple-choices": "300 offers several resources",
    "not-a-redirect": "this status has no target",
    "error-status": "an error page speaks of no page",
    "not-the-page": "a response of this status does not hold the page",
    "no-target": "a redirect without Location",
    "several-targets": "several Location headers that differ",
    "loop": "it leads back to where it came from",
    "too-long": "more redirects than clients follow",
    "dead-end": "the redirects end in an error",
    "interstitial": "a login, a consent or an error in the page's place: it is named so, or carries the URL",
    # of the URL
    "empty": "the URL is empty",
    "invalid": "the URL cannot be parsed",
    "no-host": "the URL has a scheme and no host",
    "not-http": "the URL is neither http nor https",
    "placeholder": "a template was not filled in",
    "relative-mistake": "a host or a path that was meant to be absolute was resolved as relative",
    # of the link
    "bad-syntax": "it cannot be read",
    "other-context": "the link is about another resource (anchor)",
    "not-in-head": "the tag stands outside the head of the page",
    "qualified": "a canonical link with hreflang, lang, media or type names a version, not the page",
    "several": "several that differ: none is believed",
    "conflict": "header and page differ: neither is believed",
    # of the pair
    "home-page": "another page names the home page",
    "cross-site": "it leads to another site",
    "pagination": "a page of a list names another page of it",
    "other-language": "it names a version in another language",
    "no-language": "the language is missing or is none",
    # of a set
    "not-listed-here": "a sitemap or feed of another site",
    "shared-guid": "one GUID for many entries",
    "not-a-url": "the identifier is not a URL",
    "too-many": "more than the format allows",
    # of the graph
    "gone": "the target answered an error",
    "cannot-link": "evidence keeps the two apart",
    "content-differs": "the two answered different content",
    "shared-target": "pages of different content name it",
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """A reason to believe that two URLs are one page, or (weight below 0) that they are two. `from_` and `to` are
    hrefs; where the pages are one, `to` is the one to keep. `weight` is log-odds, see `kinds()`."""

    kind: str
    from_: str
    to: str
    weight: float
    reason: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """What looked like evidence and is not believed. `to` is the href, or the text where it is no URL, or None where
    there is none. `reason` is a code of `REFUSALS`, `text` says it in words."""

    kind: str
    from_: str
    to: str | None
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class SiteRule:
    """A site rule that the site itself suggests. A candidate: a person reviews it before a policy takes it."""

    host: str
    path: str | None = None
    #: A regular expression that the href has to match, where a path prefix cannot say it.
    url: str | None = None
    drop: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    on: tuple[str, ...] = ()
    note: str = ""

    def toml(self) -> str:
        """The rule as it stands in a rule file, below `schema = 1`."""
        rows = [("host", self.host), ("path", self.path), ("url", self.url)]
        lines = [f"{name} = {quoted(value)}" for name, value in rows if value is not None]
        lists = [("drop", self.drop), ("keep", self.keep), ("on", self.on)]
        lines += [f"{name} = [{', '.join(map(quoted, values))}]" for name, values in lists if values]
        if self.drop or self.keep:
            lines.append("case = true")
        lines += ['source = "imported"', f"note = {quoted(self.note)}"]
        return "\n".join(["[[site]]", *lines, ""])


@dataclass(frozen=True, slots=True)
class Findings:
    """What a response or a file says: evidence, what was not believed, rules it suggests. Findings add up."""

    evidence: tuple[Evidence, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    rules: tuple[SiteRule, ...] = field(default=())

    def __add__(self, other: Findings) -> Findings:
        return Findings(self.evidence + other.evidence, self.refusals + other.refusals, self.rules + other.rules)


class Telling:
    """Findings while they are being found: adding costs what is added."""

    def __init__(self) -> None:
        self._evidence: list[Evidence] = []
        self._refusals: list[Refusal] = []
        self._rules: list[SiteRule] = []

    def __iadd__(self, found: Findings) -> Telling:
        self._evidence += found.evidence
        self._refusals += found.refusals
        self._rules += found.rules
        return self

    def findings(self) -> Findings:
        """What was found, each piece once."""
        return Findings(_once(self._evidence), _once(self._refusals), _once(self._rules))


_T = TypeVar("_T")


def _once(pieces: list[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys(pieces))


def names_in_rules(names: Iterable[str]) -> tuple[str, ...]:
    """Names of parameters, decoded, as a site rule has to list them: in each way that a URL can spell them.

    >>> names_in_rules(["utm", "a b[]"])
    ('utm', 'a%20b%5B%5D', 'a+b%5B%5D')
    """
    items = list[str]()
    for name in names:
        items += [quote(name, safe=""), quote_plus(name)]
        if name.isascii() and name.isprintable() and not set(name) & set(" %+"):
            items.append(name_item(name))
    return tuple(dict.fromkeys(items))


def evidence(kind: str, from_: str, to: str, reason: str) -> Findings:
    """One piece of evidence, with the weight of its kind."""
    return Findings((Evidence(kind, from_, to, weight_of(kind), reason),))


def refusal(kind: str, from_: str, to: str | None, reason: str, detail: str | None = None) -> Findings:
    """One refusal, in the words of its code."""
    text = REFUSALS[reason]
    return Findings((), (Refusal(kind, from_, to, reason, f"{text}: {detail}" if detail else text),))
