"""Pages that look like duplicates and are none: other pages of a series, other
languages. Told by the crawl (rel next, rel prev, hreflang) and by the names of
parameters. Must not know canonicals."""

import re
from collections.abc import Iterable

from urlkey.systems.seo.parameters import PAGE_NAMES, fields_of
from urlkey.systems.seo.rows import Row, target

_PAGE_PATH = re.compile(r"/(?:page|seite|pagina)[/-]([0-9]+)/?$", re.IGNORECASE)

__all__ = ["split", "tell_roles"]


def tell_roles(rows: Iterable[Row]) -> None:
    """Notes which pages are part of a series, and which have versions in other languages."""
    for row in rows:
        if row.page.prev is not None or (_page_number(row) or 1) > 1:
            row.role = "pagination"
        elif row.alternates:
            row.role = "alternate"


def _page_number(row: Row) -> int | None:
    """The number of a page in its series, as parameter or at the end of the path."""
    standard = row.keys.standard or ""
    for name, fields in fields_of(standard).items():
        value = fields[0].partition("=")[2]
        if name.lower() in PAGE_NAMES and value.isascii() and value.isdecimal() and len(value) < 10:
            return int(value)
    match = _PAGE_PATH.search(standard.partition("?")[0])
    return int(match[1]) if match and len(match[1]) < 10 else None


def split(rows: list[Row]) -> list[list[Row]]:
    """The pages of one key, taken apart where they are other pages of a series or
    other languages: in doubt they stay apart."""
    if len(rows) == 1:
        return [rows]
    requests = {row.request for row in rows}
    languages = _languages(rows, requests)
    linked = _linked(rows, requests)
    groups: dict[object, list[Row]] = {}
    for row in rows:
        number = _page_number(row)
        mark = (
            None if number in (None, 1) else number,
            languages.get(row.request),
            row.request if row.request in linked else None,
        )
        groups.setdefault(mark, []).append(row)
    return list(groups.values())


def _languages(rows: list[Row], requests: set[str]) -> dict[str, str]:
    """The language of each request, where pages of one key are told to be of several."""
    found: dict[str, set[str]] = {}
    for row in rows:
        if row.alternates.isdisjoint(requests):
            continue
        for language, url in row.page.hreflang:
            there = target(row, url)
            if there is not None and there in requests and language != "x-default":
                found.setdefault(there, set()).add(language)
    told = {request: " ".join(sorted(languages)) for request, languages in found.items()}
    return told if len(set(told.values())) > 1 else {}


def _linked(rows: list[Row], requests: set[str]) -> set[str]:
    """Requests that rel next or prev joins to another of the same key."""
    found: set[str] = set()
    for row in rows:
        if not row.series.isdisjoint(requests):
            found |= row.series & requests | {row.request}
    return found
