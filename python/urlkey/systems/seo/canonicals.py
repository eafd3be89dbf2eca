"""What pages say about their canonical, judged against the crawl: a canonical is
evidence, not an order. Must not know redirects of redirects."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from urlkey.systems.seo.findings import Finding
from urlkey.systems.seo.rows import FETCHED_PAGES, Index, Row, target

_LONGEST = 32

__all__ = ["canonicals", "declared", "disagreements"]


def declared(row: Row) -> str | None:
    """The one canonical of a page; None where it has none, or several that differ."""
    return row.canonicals[0] if len(row.canonicals) == 1 else None


def canonicals(row: Row, index: Index, *, in_group: bool, told: bool) -> Iterator[Finding]:
    """What is wrong with the canonical of one page; `told`: whether the export has them at all."""
    if not row.page.canonicals:
        if told and in_group and row.indexable:
            yield Finding("canonical-missing", row.url, None if row.representative == row.url else row.representative)
        return
    yield from _as_written(row)
    if len(row.canonicals) > 1:
        yield Finding("canonical-multiple", row.url, None, " ".join(row.canonicals))
    one = declared(row)
    if one is not None and one != row.request:
        yield from _led_elsewhere(row, one, index)


def _as_written(row: Row) -> Iterator[Finding]:
    for link in row.page.canonicals:
        link = link.strip()
        if target(row, link) is None:
            yield Finding("canonical-invalid", row.url, None, link)
            continue
        if not link.lower().startswith(("http:", "https:")):
            yield Finding("canonical-relative", row.url, link)
        if "#" in link:
            yield Finding("canonical-fragment", row.url, link)


def _led_elsewhere(row: Row, one: str, index: Index) -> Iterator[Finding]:
    there = index.get(one)
    if row.request.startswith("https:") and one.startswith("http:"):
        yield Finding("canonical-insecure", row.url, one)
    own_group = there is not None and there.place in FETCHED_PAGES and there.group == row.group
    if not own_group:
        yield from _out_of_group(row, one, there)
    if there is None:
        yield Finding("canonical-uncrawled", row.url, one)
    elif there.place == "redirect":
        yield Finding("canonical-to-redirect", row.url, one, _status(there))
    elif there.place in ("error", "not-crawled"):
        yield Finding("canonical-to-error", row.url, one, _status(there))
    elif there.place in FETCHED_PAGES:
        if not there.indexable:
            yield Finding("canonical-to-noindex", row.url, one, there.page.indexability or "")
        yield from _chain(row, there, index)


def _out_of_group(row: Row, one: str, there: Row | None) -> Iterator[Finding]:
    """A canonical that leads out of its group is a conflict, or says what no rule can know."""
    parts, own = urlsplit(one), urlsplit(row.request)
    if parts.netloc != own.netloc:
        yield Finding("canonical-cross-host", row.url, one)
    if parts.path == "/" and not parts.query and (own.path != "/" or own.query):
        yield Finding("canonical-root", row.url, one)
    elif row.role == "pagination":
        yield Finding("canonical-pagination", row.url, one)
    elif there is not None and there.request in row.alternates:
        yield Finding("canonical-alternate", row.url, one)
    elif there is not None and _stands(there) and parts.netloc == own.netloc:
        yield Finding("canonical-other-group", row.url, one)


def _stands(there: Row) -> bool:
    """Whether a page can stand for others: that a canonical names it is then no fault."""
    return there.place in FETCHED_PAGES and there.indexable and declared(there) in (None, there.request)


def _chain(row: Row, there: Row, index: Index) -> Iterator[Finding]:
    """Follows canonicals from the second on; bounded, so that long chains cost no more than many."""
    seen = [row.request, there.request]
    after = index.get(declared(there))
    while after is not None and after.place in FETCHED_PAGES and len(seen) < _LONGEST:
        if after.request == seen[-1]:
            break
        if after.request in seen:
            yield Finding("canonical-loop", row.url, there.url, " > ".join([*seen, after.request]))
            return
        seen.append(after.request)
        after = index.get(declared(after))
    if len(seen) > 2:
        yield Finding("canonical-chain", row.url, seen[-1], " > ".join(seen))


def disagreements(members: list[Row]) -> Iterator[Finding]:
    """One finding for a group whose members name different canonicals."""
    named = sorted({one for row in members if (one := declared(row)) is not None})
    if len(named) > 1:
        first = members[0]
        yield Finding("canonical-disagree", first.url, None, " ".join(named))


def _status(row: Row) -> str:
    return "" if row.page.status is None else str(row.page.status)
