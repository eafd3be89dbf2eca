"""How sure it is that two spellings are one page: three tiers over the core's
rungs, each a policy, and the words for what differs. Must not know crawls.

The policy given is what *usually same* means; *same by standard* is its rungs of
loss `none`, *site-dependent* adds those that hold on some sites only. Keys of a
wider tier are made from keys of the one before: groups only ever grow.
"""

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from urlkey import Policy, UrlKeyError

Tier = Literal["standard", "usual", "site"]
Verdict = Literal["standard", "usual", "site", "different"]

TIERS: tuple[Tier, ...] = ("standard", "usual", "site")
TITLES: dict[str, str] = {
    "standard": "same by standard",
    "usual": "usually same",
    "site": "site-dependent",
    "different": "different",
}

# The words of `urlkey.compare`, from the left of a URL to its right, and how a person says them.
REASONS: dict[str, str] = {
    "scheme": "http and https",
    "userinfo": "name or password in front of the host",
    "idn-form": "a host in Unicode and as xn--",
    "case-host": "case of the host",
    "ip-form": "spelling of an address",
    "root-dot": "a dot at the end of the host",
    "www": "www. or m. in front",
    "default-port": "a port that says nothing",
    "dot-segment": ". and .. in the path",
    "dup-slash": "repeated slashes",
    "index-file": "an index file",
    "trailing-slash": "a slash at the end",
    "case-path": "case of the path",
    "encoding": "what is percent-encoded",
    "hex-case": "case of percent-encoding",
    "session": "a session id",
    "tracking": "tracking parameters",
    "param-order": "order of parameters",
    "param-dup": "a parameter twice",
    "empty-query": "an empty query or parameter",
    "fragment": "the fragment",
    "site-rule": "a rule for this site",
}

# The tier of a difference that stands alone; slashes and encoding have steps in several.
_STANDARD = "idn-form case-host ip-form default-port dot-segment encoding hex-case"
_USUAL = "root-dot session tracking param-order param-dup empty-query fragment site-rule"
TIER_OF: dict[str, Tier] = dict.fromkeys(REASONS, "site")
TIER_OF.update(dict.fromkeys(_STANDARD.split(), "standard"))
TIER_OF.update(dict.fromkeys(_USUAL.split(), "usual"))

# What some sites answer alike. Left out: unescape_html (on real sites the page behind
# `&amp;` is another, mostly an error), fold_amp_host (AMP is a form of its own, and named
# as such by a link), and rungs that throw whole queries or ports away.
SITE_RUNGS = (
    "fix_scheme_port",
    "fold_scheme",
    "drop_www",
    "fold_mobile_host",
    "drop_userinfo",
    "collapse_slashes",
    "drop_index",
    "drop_trailing_slash",
    "lower_path",
    "sort_values",
    "drop_fragment",
)

REPAIRS = ("trim_wrapping", "refang", "assume_scheme")

__all__ = [
    "REASONS",
    "SITE_RUNGS",
    "TIERS",
    "TIER_OF",
    "TITLES",
    "Comparison",
    "Keys",
    "Tier",
    "Tiers",
    "Verdict",
    "compare",
    "in_order",
    "spelled",
    "tiers_of",
]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two spellings have to do with each other.

    `tier` is the surest tier in which they are one page, or `"different"`;
    `reasons` say how they differ, in the order of `REASONS`, and are empty where
    they are different pages; `part` is then the first part that differs.
    """

    tier: Verdict
    reasons: tuple[str, ...]
    part: str | None

    @property
    def title(self) -> str:
        """The tier in words."""
        return TITLES[self.tier]

    def __bool__(self) -> bool:
        return self.tier != "different"


@dataclass(frozen=True, slots=True)
class Keys:
    """One spelling's key in each tier; all None, with the error, where it has none."""

    standard: str | None
    usual: str | None
    site: str | None
    error: UrlKeyError | None = None

    def of(self, tier: Tier) -> str | None:
        """The key in this tier."""
        return self.standard if tier == "standard" else self.usual if tier == "usual" else self.site

    def meet(self, other: "Keys") -> Verdict:
        """The surest tier in which two have one key."""
        return next((tier for tier in TIERS if self.of(tier) == other.of(tier) is not None), "different")


class Tiers:
    """The three tiers of one policy: a name, or a `Policy`; the default is `seo`."""

    def __init__(self, policy: str | Policy = "seo") -> None:
        self.policy = policy if isinstance(policy, Policy) else Policy(policy)
        safe = Policy("safe")
        # Limits and repairs come before any rung: the first tier has them. What is behind it may be
        # a byte longer (https for http), and must not fail there.
        limits: dict[str, int] = tomllib.loads(self.policy.text).get("limits", {})
        repairs = {rung: True for rung in REPAIRS if rung in self.policy.rungs}
        self.standard = safe.with_(**repairs, **limits)
        self.usual = self.policy.with_(input_bytes=1 << 30, **dict.fromkeys(safe.rungs, True))
        # Where fold drops them all, keeping routes means nothing.
        self.site = self.usual.with_(drop_anchor=False, **dict.fromkeys(SITE_RUNGS, True))

    def keys(self, urls: Iterable[str]) -> list[Keys]:
        """The keys of each spelling, in order."""
        found: list[Keys | None] = []
        standard: list[str] = []
        for key in self.standard.keys([spelled(url) for url in urls], on_error="error"):
            if isinstance(key, UrlKeyError):
                found.append(Keys(None, None, None, key))
            else:
                found.append(None)
                standard.append(key)
        wider = zip(standard, *self._wider(standard), strict=True)
        return [Keys(*next(wider)) if keys is None else keys for keys in found]

    def _wider(self, standard: Sequence[str]) -> tuple[list[str], list[str]]:
        usual = self.usual.keys(standard)
        return usual, self.site.keys(usual)

    def compare(self, a: str, b: str) -> Comparison:
        """The tier in which two spellings meet, and how they differ; raises `UrlKeyError`."""
        keys = self.keys([a, b])
        for one in keys:
            if one.error is not None:
                raise one.error
        tier = keys[0].meet(keys[1])
        told = self.site.compare(spelled(a), spelled(b))
        if tier == "different":
            return Comparison(tier, (), told.part)
        return Comparison(tier, in_order(told.reasons), None)

    def reasons(self, a: str, b: str) -> tuple[str, ...]:
        """How two spellings of one page differ."""
        return in_order(self.site.compare(spelled(a), spelled(b)).reasons)


@lru_cache
def _named(policy: str) -> Tiers:
    return Tiers(policy)


def tiers_of(policy: str | Policy) -> Tiers:
    """The tiers of a policy; those of a name are made once."""
    return _named(policy) if isinstance(policy, str) else Tiers(policy)


def compare(a: str, b: str, *, policy: str | Policy = "seo") -> Comparison:
    """How sure it is that two spellings are one page, and how they differ.

    Raises `UrlKeyError` for the first that is no URL. For many pairs under a
    `Policy` of your own, keep its `Tiers` and ask that. Words and tiers: docs/seo.md.

    >>> found = compare("http://www.shop.example/Tea/", "https://shop.example/tea?utm_source=x")
    >>> found.tier, found.reasons
    ('site', ('scheme', 'www', 'trailing-slash', 'case-path', 'tracking'))
    >>> compare("http://Shop.example:80/", "http://shop.example/").title
    'same by standard'
    """
    return tiers_of(policy).compare(a, b)


def in_order(reasons: Iterable[str]) -> tuple[str, ...]:
    """Each reason once, in the order of `REASONS`; unknown ones last."""
    found = set(reasons)
    known = tuple(reason for reason in REASONS if reason in found)
    return known + tuple(sorted(found.difference(known)))


def spelled(url: str) -> str | bytes:
    """A spelling as the core takes it: bytes where what was read is not UTF-8."""
    if url.isascii():
        return url
    try:
        return url.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return url
