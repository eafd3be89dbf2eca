"""The rows of a crawl side by side with their keys, and what each is: a page, a
redirect, an error ... Every row has exactly one place. Must not know groups."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from urlkey import Policy, UrlKeyError
from urlkey.systems.seo.pages import Page
from urlkey.systems.seo.tiers import Keys, Tier, Tiers, spelled

# Where a row can end, and what that means. The first four are HTML pages that answered 200.
PLACES: dict[str, str] = {
    "unique": "pages with one spelling",
    "representative": "pages that stand for a group of duplicates",
    "duplicate": "duplicates of a representative",
    "repeat": "rows that repeat a spelling",
    "redirect": "redirects",
    "error": "errors (4xx, 5xx)",
    "not-crawled": "not crawled (blocked, timed out)",
    "resource": "files that are no HTML",
    "no-key": "rows without a URL",
}
FETCHED_PAGES = ("unique", "representative", "duplicate", "repeat")

# Two URLs of this key are one request. Which are too long, the policy of the report says.
_REQUEST = Policy("safe").with_(drop_fragment=True, input_bytes=1 << 30)
# As it is sent, byte for byte: a server may redirect %c3 to %C3.
_SENT = Policy("whatwg").with_(drop_fragment=True, input_bytes=1 << 30)

__all__ = ["FETCHED_PAGES", "PLACES", "Index", "Row", "location", "request_of", "resolve", "rows_of", "target"]


@dataclass(slots=True, eq=False)
class Row:
    """One row of the export. `request` is its URL as it is asked for, `sent` the same
    byte for byte; `key` its key in the tier of the report; `place` is one of `PLACES`. What follows is filled in
    where it is a page: the number of its `group` and that group's `representative`,
    the `tier` in which they are one page, the `reasons` for which they differ,
    `content` (`"same"` or `"differs"` where both have a hash), whether its
    canonical names the representative (`consolidated`), its `role`
    (`"pagination"`, `"alternate"`), and what it leads to, as requests: its
    `canonicals`, the other pages of its `series`, its `alternates` by hreflang."""

    page: Page
    keys: Keys
    place: str
    request: str = ""
    sent: str = ""
    key: str = ""
    group: int = -1
    representative: str | None = None
    tier: Tier | None = None
    reasons: tuple[str, ...] = ()
    content: str | None = None
    consolidated: bool = False
    role: str | None = None
    canonicals: tuple[str, ...] = ()
    series: frozenset[str] = frozenset()
    alternates: frozenset[str] = frozenset()
    findings: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        """The spelling, as it came."""
        return self.page.url

    @property
    def indexable(self) -> bool:
        """Whether the export does not say otherwise; a page that is only canonicalised may still stand for others."""
        told = (self.page.indexability or "").lower()
        return "noindex" not in told and "blocked" not in told and told not in ("false", "no", "non-indexable")


class Index:
    """Rows by request, and by what is sent. Where several rows ask for one thing, the
    first in the order of `rows_of` that is a page tells what is there."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows: dict[str, Row] = {}
        self._sent: dict[str, Row] = {}
        for row in rows:
            if row.request:
                _keep(self._rows, row.request, row)
                _keep(self._sent, row.sent, row)

    def get(self, request: str | None) -> Row | None:
        """The row that asks for this."""
        return None if request is None else self._rows.get(request)

    def behind(self, sent: str) -> Row | None:
        """The row that sends just this, or else one that asks for the same and is answered."""
        found = self._sent.get(sent) or self._rows.get(request_of(sent))
        return None if found is None or (found.place == "redirect" and found.sent != sent) else found


def _keep(rows: dict[str, Row], name: str, row: Row) -> None:
    there = rows.get(name)
    if there is None or (row.place in FETCHED_PAGES and there.place not in FETCHED_PAGES):
        rows[name] = row


def rows_of(pages: Iterable[Page], tiers: Tiers, tier: Tier) -> list[Row]:
    """A row for each page, in an order that does not depend on theirs."""
    ordered = sorted(pages, key=_order)
    found = tiers.keys(page.url for page in ordered)
    requests = _REQUEST.keys([keys.standard or "" for keys in found], on_error="null")
    sent = _SENT.keys([spelled(page.url) for page in ordered], on_error="null")
    rows = []
    for page, keys, request, bytes_ in zip(ordered, found, requests, sent, strict=True):
        key = keys.of(tier)
        place = "no-key" if key is None or not _is_web(keys.standard) else _place(page)
        rows.append(Row(page, keys, place, request or "", bytes_ or request or "", key or ""))
    return rows


def target(row: Row, link: str, policy: Policy = _REQUEST) -> str | None:
    """What a link on a row's page asks for; None where it is no http(s) URL."""
    try:
        found = policy.key(spelled(link.strip()), row.request)
    except UrlKeyError:
        return None
    return found if _is_web(found) else None


def location(row: Row) -> str | None:
    """What a redirect makes a client send; None where it is no http(s) URL, or not told."""
    return None if row.page.redirect is None else target(row, row.page.redirect, _SENT)


def request_of(sent: str) -> str:
    """What is asked for by what is sent."""
    return _REQUEST.key(sent)


def resolve(row: Row) -> None:
    """Fills in where the links in the head of a page lead: each canonical once, the order
    kept, invalid ones left out; other pages that rel next, rel prev and hreflang name."""

    def others(links: Iterable[str | None]) -> frozenset[str]:
        found = (target(row, link) for link in links if link is not None)
        return frozenset(one for one in found if one is not None and one != row.request)

    page = row.page
    row.canonicals = tuple(dict.fromkeys(one for link in page.canonicals if (one := target(row, link)) is not None))
    row.series = others((page.next, page.prev))
    row.alternates = others(url for _, url in page.hreflang)


def _is_web(key: str | None) -> bool:
    return key is not None and key.startswith(("http://", "https://"))


def _place(page: Page) -> str:
    status = 200 if page.status is None else page.status
    if status < 200:
        return "not-crawled"
    if 300 <= status < 400 and status != 304:
        return "redirect"
    if status >= 400:
        return "error"
    if page.redirect is not None and _is_moved(page):
        return "redirect"
    return "unique" if _is_html(page.type) else "resource"


def _is_moved(page: Page) -> bool:
    """A page that answers 200 and sends on: by meta refresh or script, or a crawler that followed."""
    return page.redirect_type is not None or "redirected" in (page.indexability or "").lower()


def _is_html(kind: str | None) -> bool:
    return kind is None or "html" in kind.lower()


def _order(page: Page) -> tuple[str, ...]:
    told = (page.redirect, page.hash, page.type, page.title, page.h1, page.indexability, page.next, page.prev)
    status = "" if page.status is None else f"{page.status:03}"
    alternates = (f"{language} {url}" for language, url in page.hreflang)
    return page.url, status, *(text or "" for text in told), "\n".join(page.canonicals), "\n".join(alternates)
