"""Spellings by page: one group a key, every spelling kept as it came. Must not
know crawls: see `report` for what a crawl adds."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from urlkey import Policy, UrlKeyError
from urlkey.systems.seo.tiers import TIERS, Keys, Tier, Tiers, in_order, tiers_of

__all__ = ["Group", "Groups", "Member", "group"]


@dataclass(frozen=True, slots=True)
class Member:
    """One spelling: how often it came, the surest tier in which it is the
    group's representative, and how it differs from it."""

    url: str
    count: int
    tier: Tier
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Spellings of one page: `members` in the order they came, `tier` the widest
    and `reasons` all of those of its members."""

    key: str
    representative: str
    members: tuple[Member, ...]
    reasons: tuple[str, ...]
    tier: Tier

    @property
    def count(self) -> int:
        """How many URLs were given, repeats included."""
        return sum(member.count for member in self.members)


class Groups(Sequence[Group]):
    """Groups in the order of their first URL; `errors` holds each URL without a
    key, as `(URL, UrlKeyError)`. Every URL is in a group or there."""

    def __init__(self, groups: list[Group], errors: list[tuple[str, UrlKeyError]]) -> None:
        self._groups = groups
        self.errors = errors

    def __len__(self) -> int:
        return len(self._groups)

    def __iter__(self) -> Iterator[Group]:
        return iter(self._groups)

    @overload
    def __getitem__(self, index: int) -> Group: ...
    @overload
    def __getitem__(self, index: slice) -> list[Group]: ...
    def __getitem__(self, index: int | slice) -> Group | list[Group]:
        return self._groups[index]

    @property
    def duplicates(self) -> list[Group]:
        """The groups of more than one spelling."""
        return [group for group in self._groups if len(group.members) > 1]

    def __repr__(self) -> str:
        return f"<{len(self)} groups, {len(self.duplicates)} of more than one spelling, {len(self.errors)} errors>"


def group(urls: Iterable[str], tier: Tier = "usual", *, policy: str | Policy = "seo") -> Groups:
    """The URLs by page, one group a key in this tier.

    The representative is https before http, then the shortest, then the first by
    text. Linear: a member is compared with its representative alone.

    >>> found = group(["http://shop.example/?b=1&a=2", "http://shop.example/?a=2&b=1", "http://shop.example/x", "//"])
    >>> [(one.key, len(one.members), one.reasons) for one in found]
    [('http://shop.example/?a=2&b=1', 2, ('param-order',)), ('http://shop.example/x', 1, ())]
    >>> [(url, error.code) for url, error in found.errors]
    [('//', 'missing-scheme-non-relative-URL')]
    """
    if tier not in TIERS:
        raise ValueError(f"no tier {tier!r}; there are: {', '.join(TIERS)}")
    tiers = tiers_of(policy)
    counts: dict[str, int] = {}
    given = list(urls)
    for url in given:
        counts[url] = counts.get(url, 0) + 1
    keys = dict(zip(counts, tiers.keys(counts), strict=True))
    by_key: dict[str, list[str]] = {}
    errors: dict[str, UrlKeyError] = {}
    for url, found in keys.items():
        key = found.of(tier)
        if key is not None:
            by_key.setdefault(key, []).append(url)
        elif found.error is not None:
            errors[url] = found.error
    groups = [_group(key, members, keys, counts, tiers) for key, members in by_key.items()]
    return Groups(groups, [(url, errors[url]) for url in given if url in errors])


def _group(key: str, urls: list[str], keys: dict[str, Keys], counts: dict[str, int], tiers: Tiers) -> Group:
    first = min(urls, key=_rank)
    members = []
    for url in urls:
        met = keys[url].meet(keys[first])
        reasons = () if url == first else tiers.reasons(first, url)
        members.append(Member(url, counts[url], "site" if met == "different" else met, reasons))
    tier = max((member.tier for member in members), key=TIERS.index)
    return Group(key, first, tuple(members), in_order(r for member in members for r in member.reasons), tier)


def _rank(url: str) -> tuple[bool, int, str]:
    return not url.lower().startswith("https:"), len(url), url
