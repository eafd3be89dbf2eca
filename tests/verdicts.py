"""What a foreign suite says of urlkey, row by row: it agrees, it disagrees for a reason that `disagreements/` gives,
or it does not apply. Nothing is passed over in silence: a listed row that agrees fails, so does a row that
disagrees and is not listed, and rows that do not apply are counted by reason. Knows lists, and how a row gives its
input; not what is tested."""

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import suites
import urlkey

LISTS = Path(__file__).parent / "disagreements"
CAP = 0.02

Row = dict[str, Any]


class NotApplicable(Exception):
    """The row asks for what urlkey does not do; the text says what."""


def given(row: Row) -> str | bytes:
    """The input as upstream gave it: bytes where they are not UTF-8."""
    latin1 = row.get("input_encoding") == "latin1-bytes"
    return row["input"].encode("latin-1") if latin1 else row["input"]


def result(call: Callable[[], Any]) -> Any:
    """What a call gives, None where it raises UrlKeyError."""
    try:
        return call()
    except urlkey.UrlKeyError:
        return None


def differ(ours: Any, theirs: Any) -> tuple[Any, Any] | None:
    """A verdict of two values."""
    return None if ours == theirs else (ours, theirs)


def differing(suite: str) -> dict[str, Row]:
    """The disagreements of a suite by id: `{id, ours, theirs, why}`."""
    path = LISTS / f"{suite}.jsonl"
    return {row["id"]: row for row in suites.rows(path)} if path.exists() else {}


def not_applicable(suite: str) -> list[Row]:
    """What the list says does not apply: `{suite, reason, count}`, with `ids` where no field of the row tells it."""
    return [row for row in suites.rows(LISTS / "not_applicable.jsonl") if row["suite"] == suite]


def hold(suite: str, rows: Iterable[Row], judge: Callable[[Row], tuple[Any, Any] | None]) -> None:
    """Fails unless `judge` finds of each row what the lists say. `judge` gives None where the row agrees, the pair
    (ours, theirs) where it does not, and raises NotApplicable."""
    listed = differing(suite)
    excluded = {id: entry["reason"] for entry in not_applicable(suite) for id in entry.get("ids", ())}
    reasons: Counter[str] = Counter()
    troubles, seen, applicable = [], set(), 0
    for row in rows:
        seen.add(row["id"])
        try:
            verdict = judge(row)
        except NotApplicable as reason:
            reasons[str(reason)] += 1
            continue
        if row["id"] in excluded:
            reasons[excluded[row["id"]]] += 1
            if verdict is None:
                troubles.append(f"{row['id']}: listed as not applicable, but it agrees")
            continue
        applicable += 1
        troubles += trouble(row, verdict, listed.get(row["id"]))
    troubles += [f"{id}: gives no clause or row that decides" for id, entry in listed.items() if not entry["why"]]
    troubles += [f"{id}: listed, but no such row" for id in (listed.keys() | excluded.keys()) - seen]
    counts = {entry["reason"]: entry["count"] for entry in not_applicable(suite)}
    wrong = {reason: n for reason, n in reasons.items() if n != counts.get(reason)}
    troubles += [f"{n} rows do not apply, not {counts.get(reason, 0)}: {reason}" for reason, n in wrong.items()]
    troubles += [f"no row, not {counts[reason]}: {reason}" for reason in counts.keys() - reasons.keys()]
    assert not troubles, f"{suite}: {len(troubles)} of {len(seen)} rows:\n" + "\n".join(troubles)
    assert seen, f"{suite}: no rows"
    assert len(listed) <= CAP * applicable, f"{suite}: {len(listed)} disagreements of {applicable} rows that apply"


def trouble(row: Row, verdict: tuple[Any, Any] | None, listed: Row | None) -> list[str]:
    """What is wrong with one row that applies: at most one line."""
    if verdict is None:
        return [f"{row['id']}: listed as a disagreement, but it agrees"] if listed else []
    ours, theirs = verdict
    if listed is None:
        return [f"{row['id']}: {row.get('input', row.get('source'))!r:.300} gives {ours!r:.300}, not {theirs!r:.300}"]
    if (listed["ours"], listed["theirs"]) != (ours, theirs):
        return [f"{row['id']}: the list says {listed['ours']!r}, not {listed['theirs']!r}; found {ours!r}, {theirs!r}"]
    return []
