"""Open questions about one URL, settled by asking its server: which of its parameters change nothing here. The smallest
set of variants is asked: all parameters at once first, halves of them where that is another page. Knows URLs and
answers; fetches nothing by itself: a caller's function does, and decides about names, addresses, redirects and pace.

Nothing is asked that the gateway's check refuses, that robots.txt disallows, that carries a signature, or that reads as
if it did something. What one page answers is no rule: `Probe.observations` goes to `learn` with all others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Literal, NamedTuple
from urllib.robotparser import RobotFileParser

from urlkey._native import Policy, is_signed
from urlkey.learn.fingerprint import fingerprint
from urlkey.learn.observations import Observation
from urlkey.learn.pages import Key, joined, name_of, parted
from urlkey.systems.crawler import robots_url
from urlkey.systems.gateway import Rules

BUDGET = 12
AGENT = "urlkey"
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

Verdict = Literal["none", "content", "unknown"]

__all__ = ["AGENT", "BUDGET", "Fetched", "Probe", "Verdict", "acts", "probe"]


class Fetched(NamedTuple):
    """What a server answered, without any redirect followed."""

    status: int
    body: bytes | str = b""
    redirect: str | None = None


Fetch = Callable[[str], Fetched]


@dataclass
class Probe:
    """What was found of a URL: name to `none` (it changes nothing on this page), `content` or `unknown`; every fetch,
    and why something was not asked."""

    url: str
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    observations: list[Observation] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    """(URL, why)"""
    reason: str | None = None
    """Why there is no verdict."""


@cache
def _words() -> frozenset[str]:
    text = files("urlkey.learn").joinpath("acts.txt").read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def acts(url: str) -> str | None:
    """The word by which a URL reads as if asking for it did something; None if there is none.

    >>> acts("https://a.example/user/logOut?x=1"), acts("https://a.example/?action=delete"), acts("https://a.example/post-1")
    ('logout', 'delete', 'post')
    """
    start = url.find("/", url.find("//") + 2)
    text = url[start:] if start >= 0 else ""
    words = [word.lower() for word in _WORD.findall(text)]
    # `logOut` and `log-out` are `logout`.
    pairs = [a + b for a, b in pairwise(words)]
    return next((word for word in [*pairs, *words] if word in _words()), None)


def probe(
    url: str,
    fetch: Fetch,
    *,
    policy: str | Policy = "crawl",
    budget: int = BUDGET,
    agent: str = AGENT,
    rules: Rules | None = None,
) -> Probe:
    """Asks the server of a URL which of its parameters change nothing, with at most `budget` calls of `fetch`,
    robots.txt included. `rules` are those of the gateway that every target must meet; by default its strict ones.

    Four fetches settle a page whose parameters all change nothing: robots.txt, the page twice (a page that differs from
    itself gives no verdict), the page without them. Errors of `fetch` are the caller's and come through.
    """
    made = Policy(policy) if isinstance(policy, str) else policy
    return _Probing(made.key(url), fetch, budget, agent, rules or Rules()).run()


class _Probing:
    def __init__(self, key: str, fetch: Fetch, budget: int, agent: str, rules: Rules) -> None:
        self._fetch, self._left, self._agent, self._rules = fetch, budget, agent, rules
        self._robots: RobotFileParser | None = None
        self._key: Key = parted(key)
        self.found = Probe(key)

    def run(self) -> Probe:
        names = list(dict.fromkeys(map(name_of, self._key[1])))
        self.found.verdicts = dict.fromkeys(names, "unknown")
        if is_signed(self.found.url):
            self.found.reason = "the URL is signed: without any of its parameters it is another request"
        elif not names:
            self.found.reason = "the URL has no parameters"
        elif self._ask_robots():
            page, again = self._content(self.found.url), self._content(self.found.url)
            if not page or again is None:
                self.found.reason = self.found.reason or "the page could not be asked for, or has too little text"
            elif page != again:
                self.found.reason = "the page differs from itself"
            else:
                self._settle(names, page)
        return self.found

    def _settle(self, names: Sequence[str], page: str) -> None:
        """Names that can go together, by halves; what goes does not come back, so that no two rest on each other."""
        gone: list[str] = []
        pending = [list(names)]
        while pending:
            some = pending.pop(0)
            content = self._content(self._without([*gone, *some]))
            if content is None:
                continue
            if content == page:
                gone += some
                self.found.verdicts.update(dict.fromkeys(some, "none"))
            elif len(some) == 1:
                self.found.verdicts[some[0]] = "content"
            else:
                pending += [some[: len(some) // 2], some[len(some) // 2 :]]
        # A wall answers anything so: a page that cannot be there must look otherwise.
        if gone and self._content(self._elsewhere()) in (page, None):
            self.found.verdicts.update(dict.fromkeys(gone, "unknown"))
            self.found.reason = "a page that cannot be there has the same content, or could not be asked for"

    def _without(self, names: Sequence[str]) -> str:
        head, pairs = self._key
        return joined((head, tuple(pair for pair in pairs if name_of(pair) not in names)))

    def _elsewhere(self) -> str:
        """A page that cannot be there: what names the page, spoilt."""
        head, pairs = self._key
        kept = [pair for pair in pairs if self.found.verdicts[name_of(pair)] == "content"]
        if kept:
            return joined((head, tuple(f"{pair.partition('=')[0]}=urlkey-0-none" for pair in kept)))
        return f"{head.rstrip('/')}-urlkey-0-none"

    def _ask_robots(self) -> bool:
        """Reads robots.txt as RFC 9309 (section 2.3.1) has it: none is leave, an error of the server is not."""
        address = robots_url(self.found.url)
        answer = self._get(address) if address is not None else None
        if answer is None:
            self.found.reason = "robots.txt could not be asked for"
            return False
        self._robots = RobotFileParser()
        if 400 <= answer.status < 500:
            self._robots.parse([])
        elif answer.status == 200:
            body = answer.body if isinstance(answer.body, str) else answer.body.decode("utf-8", "replace")
            self._robots.parse(body.splitlines())
        else:
            self.found.reason = f"robots.txt answers {answer.status}"
            return False
        return True

    def _content(self, url: str) -> str | None:
        """The fingerprint of a page, empty where the answer has none, None where it was not asked for."""
        if (word := acts(url)) is not None:
            self.found.refused.append((url, f"reads as if it did something: {word}"))
            return None
        if self._robots is not None and not self._robots.can_fetch(self._agent, url):
            self.found.refused.append((url, "robots.txt disallows it"))
            return None
        answer = self._get(url)
        if answer is None:
            return None
        content = fingerprint(answer.body) if answer.status == 200 else None
        self.found.observations.append(Observation(url, content, status=answer.status, redirect=answer.redirect))
        return content or ""

    def _get(self, url: str) -> Fetched | None:
        verdict = self._rules.check(url)
        if not verdict.accepted or verdict.href is None:
            self.found.refused.append((url, ", ".join(reason.code for reason in verdict.reasons)))
            return None
        if self._left <= 0:
            self.found.refused.append((url, "the budget is spent"))
            return None
        self._left -= 1
        return self._fetch(verdict.href)
