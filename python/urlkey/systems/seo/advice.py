"""What to do next, and the headline, in sentences: for every view of a report.
Must not know how a view looks."""

from dataclasses import dataclass

from urlkey.systems.seo.findings import KINDS, REMEDIES
from urlkey.systems.seo.report import Report
from urlkey.systems.seo.tiers import REASONS

_MOST = 6
# So many differences and no equal pair: the pages are made anew each time.
_FEW = 5
# Places of rows that are no pages, counted in words.
_OTHERS = {
    "error": ("URL that answered with an error", "URLs that answered with an error"),
    "resource": ("file that is no HTML", "files that are no HTML"),
    "not-crawled": ("URL not crawled", "URLs not crawled"),
    "repeat": ("row that repeats a spelling", "rows that repeat a spelling"),
    "no-key": ("row without a URL", "rows without a URL"),
}

__all__ = ["Advice", "advice", "apart", "evidence", "headline", "number", "percent"]


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to do: what it is about, how many URLs it concerns, and a sentence."""

    about: str
    urls: int
    todo: str


def headline(report: Report) -> str:
    """The one sentence that a person should remember."""
    totals = report.totals
    if not totals.pages:
        return "No HTML page in this export answered 200."
    if not totals.duplicates:
        return f"All {number(totals.pages, 'page')} of this crawl have one spelling each."
    if not totals.wasted:
        return f"{number(totals.duplicates, 'page')} may repeat another; their content differs, so look first."
    return (
        f"{totals.wasted:,} of {totals.pages:,} page fetches ({percent(totals.share)}) "
        f"went to URLs that repeat another page."
    )


def evidence(report: Report) -> str | None:
    """What content hashes say of the duplicates; None where the export has none for them."""
    totals = report.totals
    if not (totals.confirmed or totals.contradicted):
        return None
    if not totals.confirmed and totals.contradicted >= _FEW and "same-content" not in totals.findings:
        return "no two pages of this export have one content hash, so hashes say little about them"
    return f"content hashes confirm {totals.confirmed:,} of them and contradict {totals.contradicted:,}"


def advice(report: Report) -> list[Advice]:
    """What to do next: errors of canonicals and redirects, duplicates by reason, parameters; the most URLs first."""
    totals = report.totals
    errors = [kind for kind in totals.findings if KINDS[kind].severity == "error"]
    found = [Advice(KINDS[kind].title, totals.findings[kind], KINDS[kind].todo) for kind in errors]
    for reason, urls in totals.by_reason.items():
        if reason in REMEDIES:
            found.append(Advice(f"Duplicates by {REASONS[reason]}", urls, REMEDIES[reason]))
    for one in report.parameters:
        if one.verdict == "drop":
            todo = "Drop it with a site rule, or let these pages name the one without it as canonical."
            found.append(Advice(f'Parameter "{one.name}"', one.merges, todo))
    return sorted(found, key=lambda one: -one.urls)[:_MOST]


def apart(report: Report) -> list[str]:
    """What is not reported as duplicates, a sentence each."""
    totals = report.totals
    lines = []
    moved = sum(totals.redirects.values())
    if moved:
        resolved = totals.redirects["resolved"]
        lines.append(f"{number(moved, 'redirect')}, {resolved:,} of them to the page they are a spelling of.")
    if totals.roles["pagination"]:
        lines.append(f"{number(totals.roles['pagination'], 'page')} further on in a series (pagination).")
    if totals.roles["alternate"]:
        lines.append(f"{number(totals.roles['alternate'], 'page')} with versions in other languages (hreflang).")
    return lines + [
        f"{number(totals.places[place], *words)}." for place, words in _OTHERS.items() if totals.places[place]
    ]


def number(count: int, one: str, many: str | None = None) -> str:
    """A count with its noun.

    >>> number(1, "page"), number(1200, "page")
    ('1 page', '1,200 pages')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def percent(share: float) -> str:
    """A share for eyes; never 0 % of something, or 100 % of less than all."""
    if 0 < share < 0.005:
        return "under 1 %"
    if 0.995 <= share < 1:
        return "over 99 %"
    return f"{share:.0%}".replace("%", " %")
