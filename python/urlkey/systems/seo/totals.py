"""The numbers of a report: what every view shows first. Must not know how groups
or findings come about."""

from collections import Counter
from dataclasses import dataclass

from urlkey.systems.seo.findings import KINDS, Finding, gravity
from urlkey.systems.seo.redirects import OUTCOMES, Redirect
from urlkey.systems.seo.rows import FETCHED_PAGES, PLACES, Row
from urlkey.systems.seo.tiers import TIERS

__all__ = ["Totals", "totals_of"]


@dataclass(frozen=True, slots=True)
class Totals:
    """The numbers. `pages` are HTML pages that answered 200, each spelling once;
    `wasted` the duplicates among them, but for site-dependent ones whose content
    differs (`contradicted`); `consolidated` duplicates whose canonical names the
    representative."""

    rows: int
    pages: int
    groups: int
    duplicates: int
    wasted: int
    contradicted: int
    confirmed: int
    consolidated: int
    places: dict[str, int]
    by_tier: dict[str, int]
    wasted_by_tier: dict[str, int]
    by_reason: dict[str, int]
    roles: dict[str, int]
    redirects: dict[str, int]
    findings: dict[str, int]

    @property
    def share(self) -> float:
        """The part of the crawl budget for pages that went to duplicates, 0 to 1."""
        return self.wasted / self.pages if self.pages else 0.0


def totals_of(
    rows: list[Row],
    rejects: int,
    groups: int,
    redirects: list[Redirect],
    findings: list[Finding],
) -> Totals:
    """The numbers of a report."""
    places = Counter(row.place for row in rows)
    places["no-key"] += rejects
    duplicates = [row for row in rows if row.place == "duplicate"]
    wasted = [row for row in duplicates if not (row.tier == "site" and row.content == "differs")]
    reasons = Counter(reason for row in duplicates for reason in row.reasons)
    outcomes = Counter(one.outcome for one in redirects)
    roles = Counter(row.role for row in rows if row.role is not None and row.place != "repeat")
    kinds = Counter(finding.kind for finding in findings)
    return Totals(
        rows=len(rows) + rejects,
        pages=sum(places[place] for place in FETCHED_PAGES) - places["repeat"],
        groups=groups,
        duplicates=len(duplicates),
        wasted=len(wasted),
        contradicted=sum(row.content == "differs" for row in duplicates),
        confirmed=sum(row.content == "same" for row in duplicates),
        consolidated=sum(row.consolidated for row in duplicates),
        places={place: places[place] for place in PLACES},
        by_tier=_by_tier(duplicates),
        wasted_by_tier=_by_tier(wasted),
        by_reason=dict(sorted(reasons.items(), key=lambda item: (-item[1], item[0]))),
        roles={role: roles[role] for role in ("pagination", "alternate")},
        redirects={outcome: outcomes[outcome] for outcome in OUTCOMES},
        findings={kind: kinds[kind] for kind in sorted(KINDS, key=gravity) if kinds[kind]},
    )


def _by_tier(rows: list[Row]) -> dict[str, int]:
    counts = Counter(row.tier for row in rows)
    return {tier: counts[tier] for tier in TIERS}
