"""Feeds: entries that are one by their GUID or Atom id. Must not know how they were fetched.

Sources: https://www.rssboard.org/rss-specification#ltguidgtSubelementOfLtitemgt
https://www.rfc-editor.org/rfc/rfc4287#section-4.2.6"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from urlkey._native import Policy
from urlkey.evidence.files import rows_of
from urlkey.evidence.records import Findings, Telling, evidence, refusal
from urlkey.evidence.targets import Here, Refused

__all__ = ["from_feeds"]


def from_feeds(feeds: Iterable[tuple[str | bytes, bytes | str]], *, policy: str | Policy = "crawl") -> Findings:
    """What feeds say, given as (URL, body): the feeds of a site, or one feed at several times.

    A link leads to the permanent link of its own entry; links of entries that share an identifier lead to one of them.
    An identifier counts within one site: anybody can copy it. One that stands at different links in the same file is
    broken, and refused. Raises UrlKeyError or ValueError if a feed's URL is no http URL. Cost: linear.
    """
    told, policy = Telling(), Policy(policy)
    groups: dict[tuple[str, str], dict[str, Here]] = defaultdict(dict)
    for url, body in feeds:
        here = Here.asked(url, policy)
        for (identifier, site), pages in _identified(here, body, told).items():
            if len(pages) > 1:
                for page in pages.values():
                    told += refusal("guid", page.href, None, "shared-guid", identifier[:100])
            else:
                groups[identifier, site].update(pages)
    for (identifier, _), pages in groups.items():
        told += _joined(identifier, list(pages.values()))
    return told.findings()


def _identified(here: Here, body: bytes | str, told: Telling) -> dict[tuple[str, str], dict[str, Here]]:
    """The pages of one file by identifier and site, each key once."""
    pages: dict[tuple[str, str], dict[str, Here]] = defaultdict(dict)
    for row in rows_of("guid", here.href, body, "feed", told):
        identifier = row.fields.get("id")
        if not identifier:
            continue
        try:
            link = here.resolved(row.url if row.url is not None else row.text)
        except Refused as no:
            told += refusal("guid", here.href, no.to, no.reason, no.detail)
            continue
        pages[identifier, link.site].setdefault(link.key, link)
        if row.fields.get("permalink"):
            told += _permanent(here, link, identifier)
    return pages


def _permanent(here: Here, link: Here, identifier: str) -> Findings:
    """That a link leads to the permanent link of its entry."""
    if not identifier.lower().startswith(("http:", "https:")):
        return refusal("guid", link.href, identifier[:200], "not-a-url")
    try:
        there = here.resolved(identifier)
        if there.key == link.key:
            return Findings()
        link.check(there)
    except Refused as no:
        return refusal("guid", link.href, no.to, no.reason, no.detail)
    return evidence("guid", link.href, there.href, "guid isPermaLink")


def _joined(identifier: str, pages: list[Here]) -> Findings:
    """That entries with one identifier are one: all lead to the shortest."""
    told = Telling()
    pages.sort(key=lambda page: (len(page.key), page.key))
    for page in pages[1:]:
        try:
            page.check(pages[0])
            told += evidence("guid", page.href, pages[0].href, f"one identifier: {identifier[:100]}")
        except Refused as no:
            told += refusal("guid", page.href, no.to, no.reason, no.detail)
    return told.findings()
