"""A model made new by later observations: counts fade, rules that fail are suspended, and a release that would turn
too much upside down is refused. Knows two models; must not know pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from urlkey.learn.findings import Finding
from urlkey.learn.model import Model, selected
from urlkey.learn.paths import Place, covers
from urlkey.learn.trials import Rewrite

# Days after which a trial counts half; share of rules that may be of what was content before.
HALF_LIFE = 90.0
FLIPS = 0.01
# Fewer trials than this are none any more.
_LEFT = 5
# With fewer trials in its life a rule is suspended by one failure.
_LIFETIME = 30_000

__all__ = ["FLIPS", "HALF_LIFE", "Update", "UpdateRefused", "updated"]


class UpdateRefused(ValueError):
    """A release that would make rules of too much that was content before."""


@dataclass(frozen=True)
class Update:
    """The new model, and what became of the rules: by what they do, each (host, path, rewrite)."""

    model: Model
    added: tuple[Finding, ...]
    kept: tuple[Finding, ...]
    suspended: tuple[Finding, ...]
    """They failed since, or their parameter was refused since."""
    expired: tuple[Finding, ...]
    """Not seen for so long that nothing is left of their trials."""
    flipped: tuple[Finding, ...]
    """Rules now, and content before."""


def updated(old: Model, new: Model, *, flips: float = FLIPS) -> Update:
    """The old model as later observations change it; `new` is what was learned from these alone, under the same policy.

    Trials of the old one count half for every `HALF_LIFE` days between the dates of the two. Raises UpdateRefused if
    more than the share `flips` of the rules were refused for their content before; ValueError for another policy.
    """
    if old.policy != new.policy:
        raise ValueError(f"the models are of two policies: {old.policy[:8]} and {new.policy[:8]}")
    fade = 0.5 ** (max(_days(old.date, new.date), 0.0) / HALF_LIFE)
    later = {_of(one): one for one in new.findings}
    findings: list[Finding] = []
    suspended, expired = [], []
    for one in old.findings:
        same = later.pop(_of(one), None)
        joined = _joined(one, same, fade)
        if one.refused in (None, "risk") and _fails(one, joined, same, new.findings):
            joined.refused = "suspended"
            suspended += [joined] if one.refused is None else []
        elif joined.refused is None and joined.trials < _LEFT:
            joined.refused = "expired"
            expired.append(joined)
        findings.append(joined)
    findings += [replace(one) for one in later.values()]
    findings.sort(key=Finding.sort_key)
    prior = selected(findings, old.budget)
    model = replace(
        new, findings=tuple(findings), budget=old.budget, rates=prior.whole, rows=old.rows + new.rows, date=new.date
    )
    before = {_of(one) for one in old.rules}
    flipped = tuple(one for one in model.rules if _of(one) not in before and _refused(one, old.findings))
    if len(flipped) > flips * max(len(model.rules), 1):
        first = flipped[0]
        raise UpdateRefused(
            f"{len(flipped)} of {len(model.rules)} rules were content before; the first: {first.host}{first.path} "
            f"{first.rewrite.kind} {', '.join(first.rewrite.names)}; allowed: a share of {flips:g}"
        )
    return Update(
        model,
        tuple(one for one in model.rules if _of(one) not in before),
        tuple(one for one in model.rules if _of(one) in before),
        tuple(suspended),
        tuple(expired),
        flipped,
    )


def _of(one: Finding) -> tuple[str, Place, Rewrite]:
    return one.host, one.place, one.rewrite


def _joined(one: Finding, later: Finding | None, fade: float) -> Finding:
    """The finding with faded counts, and those of the later one."""
    counts = {name: int(getattr(one, name) * fade) for name in ("trials", "groups", "merges", "pages")}
    # Failures do not fade faster than the trials that they are among.
    failures = min(-int(-one.failures * fade // 1), counts["trials"])
    if later is not None:
        for name in counts:
            counts[name] += getattr(later, name)
        failures += later.failures
    joined = replace(one, failures=failures)
    for name, count in counts.items():
        setattr(joined, name, count)
    if later is not None:
        joined.samples, joined.last = later.samples or one.samples, later.last or one.last
        # What was suspended stays so; who wants it back learns anew.
        if one.refused != "suspended" and (
            one.refused not in (None, "risk") or later.refused not in (None, "risk", "few")
        ):
            joined.refused = later.refused
    return joined


def _fails(one: Finding, joined: Finding, same: Finding | None, later: Iterable[Finding]) -> bool:
    """Whether later observations speak against a rule: a failure of its own, or content found where it acts."""
    if same is not None and same.failures and joined.trials < _LIFETIME:
        return True
    if same is not None and same.refused in (None, "risk"):
        return False
    return _refused(one, later)


def _refused(one: Finding, others: Iterable[Finding]) -> bool:
    """Whether the same rewrite was refused for its content where this one acts."""
    return any(
        other.refused == "content" and other.host == one.host and other.rewrite == one.rewrite and _meet(other, one)
        for other in others
    )


def _meet(a: Finding, b: Finding) -> bool:
    return covers(a.place, b.place) or covers(b.place, a.place)


def _days(before: str | None, after: str | None) -> float:
    if before is None or after is None:
        return 0.0
    return float((date.fromisoformat(after) - date.fromisoformat(before)).days)
