"""Redirects, told apart from duplicates: the ones that do their work, and what is
wrong with the others. Must not know canonicals."""

from collections.abc import Iterator
from dataclasses import dataclass

from urlkey.systems.seo.findings import Finding
from urlkey.systems.seo.rows import FETCHED_PAGES, Index, Row, location

# Clients give up after some twenty hops.
_LONGEST = 21
_TEMPORARY = (302, 303, 307)

# What a redirect comes to.
OUTCOMES: dict[str, str] = {
    "resolved": "end at the representative of their group: these duplicates are dealt with",
    "to-duplicate": "end at a duplicate of their group",
    "moved": "lead to another page",
    "leaves": "lead to what was not crawled",
    "broken": "end at an error",
    "loop": "never end",
    "no-target": "name no target",
}

__all__ = ["OUTCOMES", "Redirect", "follow", "problems"]


@dataclass(frozen=True, slots=True)
class Redirect:
    """Where a redirect leads: `hops` are what is sent after it, the last one its end."""

    url: str
    outcome: str
    hops: tuple[str, ...]

    @property
    def end(self) -> str | None:
        """What is sent last."""
        return self.hops[-1] if self.hops else None


def follow(row: Row, index: Index) -> Redirect:
    """Follows a redirect through the crawl."""
    hops: list[str] = []
    now: Row | None = row
    while now is not None and now.place == "redirect":
        link = location(now)
        if link is None:
            return Redirect(row.url, "broken" if hops else "no-target", tuple(hops))
        if link == row.sent or link in hops or len(hops) == _LONGEST:
            return Redirect(row.url, "loop", (*hops, link))
        hops.append(link)
        now = index.behind(link)
    return Redirect(row.url, _outcome(row, now), tuple(hops))


def _outcome(row: Row, end: Row | None) -> str:
    if end is None:
        return "leaves"
    if end.place in ("error", "not-crawled"):
        return "broken" if end.place == "error" else "leaves"
    if end.place not in FETCHED_PAGES or end.key != row.key:
        return "moved"
    return "resolved" if end.place in ("unique", "representative") else "to-duplicate"


def problems(row: Row, redirect: Redirect) -> Iterator[Finding]:
    """What is wrong with one redirect."""
    end = redirect.end
    if redirect.outcome in ("loop", "broken", "no-target"):
        there = redirect.hops[0] if redirect.outcome == "loop" else end
        yield Finding(f"redirect-{redirect.outcome}", row.url, there, " > ".join(redirect.hops))
    if redirect.outcome == "to-duplicate":
        yield Finding("redirect-to-duplicate", row.url, end)
    if len(redirect.hops) > 1 and redirect.outcome != "loop":
        yield Finding("redirect-chain", row.url, end, " > ".join(redirect.hops))
    # A browser's own step to https is no redirect of the site.
    hsts = "hsts" in (row.page.redirect_type or "").lower()
    if row.page.status in _TEMPORARY and not hsts and redirect.outcome in ("resolved", "to-duplicate"):
        yield Finding("redirect-temporary", row.url, end, str(row.page.status))
