"""`No-Vary-Search`: which parts of a query do not change the response. Must not know who asks.

Source: https://datatracker.ietf.org/doc/draft-ietf-httpbis-no-vary-search/"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from urlkey._native import UrlKeyError, parse
from urlkey.evidence.headers import Response
from urlkey.evidence.records import Findings, SiteRule, evidence, names_in_rules, refusal
from urlkey.evidence.structured import BadField, Token, dictionary
from urlkey.evidence.targets import Here
from urlkey.importers.rulefile import literal

__all__ = ["SearchVariance", "of_response", "search_variance"]


@dataclass(frozen=True, slots=True)
class SearchVariance:
    """What of a query changes the response. Either `drops` are the names that do not, or (`drops_all`) none but `keeps`
    does; `key_order` is whether the order of names does."""

    drops: frozenset[str] = frozenset()
    drops_all: bool = False
    keeps: frozenset[str] = frozenset()
    key_order: bool = True

    def is_default(self) -> bool:
        """Whether everything changes the response, as without the header."""
        return self == SearchVariance()

    def matters(self, name: str) -> bool:
        """Whether a parameter of this name, decoded, changes the response."""
        return name in self.keeps if self.drops_all else name not in self.drops

    def reduced(self, url: str | bytes) -> str:
        """The href of a URL without the parameters that do not matter, in the order of names where that does not. What
        stays keeps its spelling. Raises UrlKeyError.

        >>> search_variance(['key-order, params=("utm")']).reduced("http://a.example/?b=1&utm=x&a=%7e")
        'http://a.example/?a=%7e&b=1'
        """
        parsed = parse(url)
        fields = [field for field in (parsed.query or "").split("&") if field]
        kept = [field for field in fields if self.matters(_name(field))]
        if not self.key_order:
            kept.sort(key=lambda field: _name(field).encode("utf-16-be", "surrogatepass"))
        return parsed.replace(query="&".join(kept) or None, fragment=None).href

    def equivalent(self, a: str | bytes, b: str | bytes) -> bool:
        """Whether a cache may answer a request for one with the response to the other: "equivalent modulo search
        variance". Raises UrlKeyError.

        >>> variance = search_variance(['params=("utm")'])
        >>> variance.equivalent("http://a.example/?x=%61&utm=1", "http://a.example/?x=a")
        True
        """
        one, other = parse(a), parse(b)
        parts = [(u.scheme, u.username, u.password, u.host, u.port, u.path) for u in (one, other)]
        if parts[0] != parts[1]:
            return False
        if self.is_default():
            return one.query == other.query
        return self._pairs(one.query) == self._pairs(other.query)

    def _pairs(self, query: str | None) -> list[tuple[str, str]]:
        fields = (field.partition("=") for field in (query or "").split("&") if field)
        pairs = [(_decoded(name), _decoded(value)) for name, _, value in fields]
        pairs = [pair for pair in pairs if self.matters(pair[0])]
        return pairs if self.key_order else sorted(pairs, key=lambda pair: pair[0].encode("utf-16-be"))


def search_variance(lines: Sequence[str]) -> SearchVariance:
    """What the lines of the header say. Strict, as the draft asks: whatever is not understood, everything matters.

    >>> search_variance(['params, except=("id")'])
    SearchVariance(drops=frozenset(), drops_all=True, keeps=frozenset({'id'}), key_order=True)
    >>> search_variance(['except=("id")']).is_default()
    True
    """
    try:
        return _variance(lines)
    except BadField:
        return SearchVariance()


def _variance(lines: Sequence[str]) -> SearchVariance:
    """The same; raises BadField with what was not understood."""
    value = dictionary(lines)
    order, params, excepted = value.get("key-order", False), value.get("params", False), value.get("except")
    if not isinstance(order, bool):
        raise BadField("key-order is no boolean")
    if not isinstance(params, bool | tuple):
        raise BadField("params is neither a boolean nor a list")
    if excepted is not None and params is not True:
        raise BadField("except stands without params")
    if excepted is not None and not isinstance(excepted, tuple):
        raise BadField("except is no list")
    drops = _names(params) if isinstance(params, tuple) else frozenset[str]()
    keeps = _names(excepted) if isinstance(excepted, tuple) else frozenset[str]()
    return SearchVariance(drops, params is True, keeps, not order)


def _names(items: tuple[object, ...]) -> frozenset[str]:
    if not all(isinstance(item, str) for item in items):
        kind = "a token" if any(isinstance(item, Token) for item in items) else "another item"
        raise BadField(f"{kind} where a string is asked for")
    return frozenset(_decoded(str(item)) for item in items)


def of_response(here: Here, response: Response) -> Findings:
    """The URL without what does not matter, as evidence, and the site rule that says so."""
    lines = response.all("no-vary-search")
    if not lines:
        return Findings()
    try:
        variance = _variance(lines)
        if variance.is_default():
            return Findings()
        reduced = variance.reduced(here.href)
    except (BadField, UrlKeyError) as error:
        return refusal("no-vary-search", here.href, None, "bad-syntax", str(error))
    told = Findings((), (), _rules(here, variance))
    if here.policy.key(reduced) == here.key:
        return told
    said = f"No-Vary-Search: {', '.join(lines)}"
    return told + evidence("no-vary-search", here.href, reduced, said[:200])


def _rules(here: Here, variance: SearchVariance) -> tuple[SiteRule, ...]:
    """What the header says, for all URLs of its path."""
    drop = ("*",) if variance.drops_all else names_in_rules(sorted(variance.drops))
    keep = names_in_rules(sorted(variance.keeps))
    on = () if variance.key_order else ("sort_query",)
    path = f"(?-i:^[a-z]+://[^/]*{literal(here.url.path)}(?:[?#]|$))"
    return (SiteRule(here.url.hostname or "", None, path, drop, keep, on, "No-Vary-Search"),)


def _name(field: str) -> str:
    return _decoded(field.partition("=")[0])


def _decoded(text: str) -> str:
    """Form decoding: plus is a space, escapes are bytes of UTF-8, what is not is U+FFFD."""
    return unquote_to_bytes(text.replace("+", " ")).decode("utf-8", "replace")
