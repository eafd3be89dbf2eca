"""The duplicates report of a crawl: every row has one place, pages are grouped by
their keys, and what the crawl says of canonicals, redirects and content is laid
beside. Must not know how it is shown. The order of the rows changes nothing."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from urlkey import Policy
from urlkey.systems.seo.apart import split, tell_roles
from urlkey.systems.seo.canonicals import canonicals, declared, disagreements
from urlkey.systems.seo.export import Reject
from urlkey.systems.seo.findings import Finding, gravity
from urlkey.systems.seo.pages import Page, page_of
from urlkey.systems.seo.parameters import Parameter, rank
from urlkey.systems.seo.redirects import Redirect, follow, problems
from urlkey.systems.seo.rows import FETCHED_PAGES, Index, Row, request_of, resolve, rows_of
from urlkey.systems.seo.tiers import TIERS, Tier, Tiers, in_order, tiers_of
from urlkey.systems.seo.totals import Totals, totals_of

__all__ = ["PageGroup", "Report", "report"]


@dataclass(frozen=True, slots=True)
class PageGroup:
    """The rows of one page, its representative first. `evidence`: `"confirmed"`
    where all content hashes are equal, `"contradicted"` where one differs,
    `"unknown"` where fewer than two are known."""

    key: str
    rows: tuple[Row, ...]
    reasons: tuple[str, ...]
    tier: Tier
    evidence: str

    @property
    def representative(self) -> Row:
        """The row that stands for the page."""
        return self.rows[0]

    @property
    def duplicates(self) -> tuple[Row, ...]:
        """The other spellings, repeats of one left out."""
        return tuple(row for row in self.rows if row.place == "duplicate")


@dataclass(frozen=True, slots=True)
class Report:
    """All that is known: `rows` by URL, `groups` of more than one spelling, the largest first,
    `findings` the gravest first, `parameters` the worst first. `known` are the facts that the export has."""

    tier: Tier
    policy: str
    known: frozenset[str]
    rows: list[Row]
    rejects: list[Reject]
    groups: list[PageGroup]
    findings: list[Finding]
    parameters: list[Parameter]
    redirects: list[Redirect]
    totals: Totals


def report(
    pages: Iterable[Page | Mapping[str, Any]],
    *,
    tier: Tier = "site",
    policy: str | Policy = "seo",
    rejects: Iterable[Reject] = (),
    known: frozenset[str] | None = None,
) -> Report:
    """The duplicates report of a crawl, from `Page`s or mappings that `pages.page_of` takes.

    `tier` says how far pages are joined, `policy` what *usually same* means;
    `rejects` and `known` come from `export.read`. Linear in the bytes of the rows.

    >>> found = report([
    ...     {"url": "https://shop.example/tea", "status": 200},
    ...     {"url": "http://shop.example/tea", "status": 301, "redirect": "https://shop.example/tea"},
    ...     {"url": "https://shop.example/tea?utm_source=mail", "status": 200},
    ... ])
    >>> [(row.url, row.place) for row in found.rows]
    [('http://shop.example/tea', 'redirect'), ('https://shop.example/tea', 'representative'), \
('https://shop.example/tea?utm_source=mail', 'duplicate')]
    >>> found.totals.by_reason, found.totals.redirects["resolved"], round(found.totals.share, 2)
    ({'tracking': 1}, 1, 0.5)
    """
    if tier not in TIERS:
        raise ValueError(f"no tier {tier!r}; there are: {', '.join(TIERS)}")
    tiers = tiers_of(policy)
    given = [page if isinstance(page, Page) else page_of(page) for page in pages]
    refused = sorted(rejects, key=lambda one: (one.line, one.text))
    known = _known(given) if known is None else known
    rows = rows_of(given, tiers, tier)
    index = Index(rows)
    fetched = [row for row in rows if row.place in FETCHED_PAGES]
    for row in fetched:
        resolve(row)
    tell_roles(fetched)
    moved = [row for row in rows if row.place == "redirect"]
    groups = _groups(fetched, _Votes(fetched, moved, index), tiers)
    redirects = [follow(row, index) for row in moved]
    findings = _findings(fetched, groups, index, "canonical" in known)
    findings += [found for row, one in zip(moved, redirects, strict=True) for found in problems(row, one)]
    findings.sort(key=_gravity)
    _note(rows, findings)
    once = [row for row in fetched if row.place != "repeat"]
    joined = [group for group in groups if group.duplicates]
    return Report(
        tier=tier,
        policy=tiers.policy.short_id,
        known=known,
        rows=rows,
        rejects=refused,
        groups=sorted(joined, key=lambda one: (-len(one.duplicates), one.key, one.representative.url)),
        findings=findings,
        parameters=rank(once),
        redirects=redirects,
        totals=totals_of(rows, len(refused), len(groups), redirects, findings),
    )


def _known(pages: list[Page]) -> frozenset[str]:
    facts = {"canonicals": "canonical"}
    names = Page.__dataclass_fields__
    return frozenset(facts.get(n, n) for n in names if any(getattr(page, n) not in (None, ()) for page in pages))


class _Votes:
    """How many other URLs name a request as their canonical, and how many redirect to it."""

    def __init__(self, fetched: list[Row], moved: list[Row], index: Index) -> None:
        named = (one for row in fetched if (one := declared(row)) is not None and one != row.request)
        self.canonicals = Counter(named)
        ends = (follow(row, index).end for row in moved)
        self.redirects = Counter(request_of(end) for end in ends if end is not None)


def _groups(fetched: list[Row], votes: _Votes, tiers: Tiers) -> list[PageGroup]:
    by_key: dict[str, list[Row]] = defaultdict(list)
    for row in fetched:
        by_key[row.key].append(row)
    found: list[PageGroup] = []
    for key, rows in by_key.items():
        for members in split(rows):
            found.append(_group(key, members, len(found), votes, tiers))
    return found


def _group(key: str, rows: list[Row], number: int, votes: _Votes, tiers: Tiers) -> PageGroup:
    first = min(rows, key=lambda row: _rank(row, votes))
    seen = {first.url}
    hashes = {row.page.hash for row in rows if row.page.hash}
    for row in rows:
        row.group, row.representative = number, first.url
        if row is first:
            continue
        if row.url in seen:
            row.place = "repeat"
            continue
        seen.add(row.url)
        met = row.keys.meet(first.keys)
        row.place, row.tier = "duplicate", "site" if met == "different" else met
        row.reasons = tiers.reasons(first.url, row.url)
        row.consolidated = declared(row) == first.request != row.request
        if row.page.hash and first.page.hash:
            row.content = "same" if row.page.hash == first.page.hash else "differs"
    if len(seen) > 1:
        first.place = "representative"
    rest = sorted((row for row in rows if row is not first), key=lambda row: (TIERS.index(row.tier or "site"), row.url))
    told = sum(1 for row in rows if row.page.hash)
    return PageGroup(
        key=key,
        rows=(first, *rest),
        reasons=in_order(reason for row in rows for reason in row.reasons),
        tier=max((row.tier for row in rows if row.tier), key=TIERS.index, default="standard"),
        evidence="unknown" if told < 2 else "confirmed" if len(hashes) == 1 else "contradicted",
    )


def _rank(row: Row, votes: _Votes) -> tuple[bool, bool, int, bool, bool, bool, int, int, str]:
    """Indexable, then its own canonical, then named by most canonicals, then with nothing
    that the policy drops (redirects carry trackers along), then spelled as it is requested,
    then https, then the end of most redirects, then the shortest, then the first by text."""
    return (
        not row.indexable,
        declared(row) != row.request,
        -votes.canonicals[row.request],
        row.keys.usual != row.keys.standard,
        row.url != row.request,
        not row.request.startswith("https:"),
        -votes.redirects[row.request],
        len(row.url),
        row.url,
    )


def _findings(fetched: list[Row], groups: list[PageGroup], index: Index, told: bool) -> list[Finding]:
    found: list[Finding] = []
    large = {number for number, group in enumerate(groups) if group.duplicates}
    for row in fetched:
        if row.place != "repeat":
            found += canonicals(row, index, in_group=row.group in large, told=told)
    for group in groups:
        if group.duplicates:
            found += disagreements([row for row in group.rows if row.place != "repeat"])
            found += _contents(group)
    return found + _same_content(groups)


def _contents(group: PageGroup) -> list[Finding]:
    first = group.representative.url
    return [Finding("content-differs", row.url, first) for row in group.duplicates if row.content == "differs"]


def _same_content(groups: list[PageGroup]) -> list[Finding]:
    """Pages of several groups with one content hash: no rule for spellings joins them."""
    by_hash: dict[str, list[Row]] = defaultdict(list)
    for group in groups:
        row = group.representative
        if row.page.hash and row.role != "pagination":
            by_hash[row.page.hash].append(row)
    found = []
    for rows in by_hash.values():
        first, *rest = sorted(rows, key=lambda row: (len(row.url), row.url))
        found += [Finding("same-content", row.url, first.url) for row in rest if first.request not in row.alternates]
    return found


def _gravity(finding: Finding) -> tuple[tuple[int, int], str, str, str]:
    return gravity(finding.kind), finding.url, finding.target or "", finding.detail


def _note(rows: list[Row], findings: list[Finding]) -> None:
    by_url: dict[str, list[str]] = defaultdict(list)
    for finding in findings:
        if finding.kind not in by_url[finding.url]:
            by_url[finding.url].append(finding.kind)
    for row in rows:
        if row.place != "repeat":
            row.findings = by_url.get(row.url, [])
