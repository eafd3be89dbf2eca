"""The report of a deduplication: what each rung merged, with examples. For eyes:
secrets are out and terminal controls are shown. Must not know how it was counted."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from urlkey.cli.messages import Paint, colours, shown
from urlkey.cli.output import Output

if TYPE_CHECKING:
    from urlkey._native import Policy

# As the core gives them: see `_native.Dedupe.report`.
_Row = dict[str, Any]

__all__ = ["write"]


def write(rows: list[_Row], totals: dict[str, int], policy: Policy, args: argparse.Namespace) -> None:
    """Writes the report where the options say."""
    path = args.report_file
    if path is None:
        stream = sys.stderr if args.output == "-" else sys.stdout
        stream.write(_text(rows, totals, policy, args.show_secrets, Paint(colours(stream))))
        return
    with Output(path) as output:
        if path.endswith(".json"):
            text = _json(rows, totals, policy, args.show_secrets)
        else:
            paint = Paint(path == "-" and colours(sys.stdout))
            text = _text(rows, totals, policy, args.show_secrets, paint)
        output.write(text.encode("utf-8", "backslashreplace"))


def _json(rows: list[_Row], totals: dict[str, int], policy: Policy, secrets: bool) -> str:
    def whole(text: bytes) -> str:
        return shown(text, secrets=secrets, longest=sys.maxsize)

    for row in rows:
        row["samples"] = [
            {
                "spellings": [whole(text) for text in sample["spellings"]],
                "before": [whole(text) for text in sample["before"]],
                "after": whole(sample["after"]),
            }
            for sample in row["samples"]
        ]
    written, *steps = rows
    report = {"policy": policy.short_id, **totals, "repeated": written["merged"], "steps": steps}
    return json.dumps(report, indent=1) + "\n"


def _text(rows: list[_Row], totals: dict[str, int], policy: Policy, secrets: bool, paint: Paint) -> str:
    written, *steps = rows
    lines = [
        paint.bold(f"{totals['lines']:,} lines, {totals['kept']:,} keys under {policy.short_id}"),
        f"{totals['merged']:,} merged, {totals['rejected']:,} without a key",
        "",
        paint.dim(f"{'step':<22}{'loss':<8}{'rewrote':>12}{'merged':>12}{'distinct':>12}"),
        f"{'as written':<42}{written['merged']:>12,}{written['distinct']:>12,}",
    ]
    for row in steps:
        lines.append(
            f"{row['name']:<22}{row['loss']:<8}{row['rewrote']:>12,}{row['merged']:>12,}{row['distinct']:>12,}"
        )
    for row in steps:
        if row["samples"]:
            lines += ["", f"{paint.bold(row['name'])} merged {row['merged']:,}, such as"]
        for sample in row["samples"]:
            lines += _sample(sample, secrets, paint)
    return "\n".join(lines) + "\n"


def _sample(sample: dict[str, Any], secrets: bool, paint: Paint) -> list[str]:
    first, second = (shown(text, secrets=secrets) for text in sample["before"])
    after = shown(sample["after"], secrets=secrets)
    lines = [f"  {paint.dim('=')} {first}", f"  {paint.dim('=')} {second}"]
    if after not in (first, second):
        lines.append(f"  {paint.good('>')} {after}")
    return lines
