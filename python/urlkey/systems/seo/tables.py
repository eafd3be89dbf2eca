"""A report as data: CSV, one line a row of the crawl, and JSON. Must not know how
it was made. URLs are redacted like all reports unless asked."""

import csv
import io
import json
import sys
from dataclasses import asdict
from typing import Any

from urlkey.display import shown
from urlkey.systems.seo.findings import KINDS
from urlkey.systems.seo.report import PageGroup, Report
from urlkey.systems.seo.rows import Row

COLUMNS = (
    "Address",
    "Status Code",
    "Place",
    "Representative",
    "Tier",
    "Reasons",
    "Content",
    "Canonical",
    "Role",
    "Key",
    "Findings",
)
# A spreadsheet takes a cell that begins so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")

__all__ = ["COLUMNS", "as_csv", "as_json"]


def as_csv(report: Report, *, secrets: bool = False) -> str:
    """One line for each row of the crawl, by URL, rejects last; safe to open in a spreadsheet:
    a cell that a formula could begin with gets an apostrophe in front."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in report.rows:
        writer.writerow(_safe(cell) for cell in _cells(row, secrets))
    for reject in report.rejects:
        text = _whole(reject.text, secrets)
        writer.writerow(_safe(cell) for cell in (text, "", "no-key", *[""] * 7, reject.code))
    return out.getvalue()


def _cells(row: Row, secrets: bool) -> tuple[str, ...]:
    canonical = row.canonicals[0] if len(row.canonicals) == 1 else " ".join(row.canonicals)
    error = row.keys.error
    return (
        _whole(row.url, secrets),
        "" if row.page.status is None else str(row.page.status),
        row.place,
        _whole(row.representative or "", secrets),
        row.tier or "",
        " ".join(row.reasons),
        row.content or "",
        _whole(canonical, secrets),
        row.role or "",
        _whole(row.key, secrets),
        " ".join(row.findings) if error is None else str(error.code),
    )


def _safe(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def as_json(report: Report, *, secrets: bool = False) -> str:
    """The whole report; its members are described in docs/seo.md. `schema` rises when one changes its meaning."""

    def whole(text: str | None) -> str | None:
        return None if text is None else _whole(text, secrets)

    totals = asdict(report.totals) | {"share": round(report.totals.share, 4)}
    document: dict[str, Any] = {
        "schema": 1,
        "policy": report.policy,
        "tier": report.tier,
        "totals": totals,
        "groups": [_group(group, secrets) for group in report.groups],
        "parameters": [asdict(one) | {"name": whole(one.name)} for one in report.parameters],
        "findings": [
            {
                "kind": one.kind,
                "severity": KINDS[one.kind].severity,
                "title": KINDS[one.kind].title,
                "url": whole(one.url),
                "target": whole(one.target),
                "detail": whole(one.detail),
            }
            for one in report.findings
        ],
        "redirects": [
            {"url": whole(one.url), "outcome": one.outcome, "hops": [whole(hop) for hop in one.hops]}
            for one in report.redirects
        ],
        "rows": [_row(row, secrets) for row in report.rows],
        "rejects": [{"line": one.line, "code": one.code, "text": whole(one.text)} for one in report.rejects],
    }
    return json.dumps(document, indent=1) + "\n"


def _group(group: PageGroup, secrets: bool) -> dict[str, Any]:
    return {
        "key": _whole(group.key, secrets),
        "representative": _whole(group.representative.url, secrets),
        "tier": group.tier,
        "reasons": list(group.reasons),
        "evidence": group.evidence,
        "duplicates": [_row(row, secrets) for row in group.duplicates],
    }


def _row(row: Row, secrets: bool) -> dict[str, Any]:
    return {
        "url": _whole(row.url, secrets),
        "place": row.place,
        "status": row.page.status,
        "representative": None if row.representative is None else _whole(row.representative, secrets),
        "tier": row.tier,
        "reasons": list(row.reasons),
        "content": row.content,
        "consolidated": row.consolidated,
        "role": row.role,
        "canonicals": [_whole(one, secrets) for one in row.canonicals],
        "findings": list(row.findings),
        "error": None if row.keys.error is None else row.keys.error.code,
    }


def _whole(text: str, secrets: bool) -> str:
    return shown(text, secrets=secrets, longest=sys.maxsize)
