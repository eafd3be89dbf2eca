"""A model made new by later observations: counts fade, rules that fail are suspended and come back when they hold
again, and a release that would turn too much upside down is refused. Knows findings; must not know pages."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date as day
from typing import Any

from urlkey._native import Policy
from urlkey.learn.drift import ALARM, Identity, Seen, Watch, fails, gathered, in_favour
from urlkey.learn.findings import Finding
from urlkey.learn.learning import learn
from urlkey.learn.model import Model, selected
from urlkey.learn.observations import Observation
from urlkey.learn.paths import covers

# Days after which a trial counts half; share of rules that may be of what was content before.
HALF_LIFE = 90.0
FLIPS = 0.01
# Fewer trials than this are none any more.
_LEFT = 5

__all__ = ["FLIPS", "HALF_LIFE", "Update", "UpdateRefused", "updated"]


class UpdateRefused(ValueError):
    """A release that would make rules of too much that was content before."""


@dataclass(frozen=True)
class Update:
    """The new model, and what became of the rules."""

    model: Model
    added: tuple[Finding, ...]
    kept: tuple[Finding, ...]
    suspended: tuple[Finding, ...]
    """Later observations speak against them."""
    recovered: tuple[Finding, ...]
    """Suspended before, and shown to hold again."""
    outgrown: tuple[Finding, ...]
    """The budget has no room for them any more."""
    expired: tuple[Finding, ...]
    """Not seen for so long that nothing is left of their trials."""
    flipped: tuple[Finding, ...]
    """Rules now, and content before."""


def updated(
    old: Model,
    rows: Iterable[Observation | Mapping[str, Any] | tuple[Any, ...]],
    *,
    policy: str | Policy = "crawl",
    date: str | None = None,
    flips: float = FLIPS,
    **more: Any,
) -> Update:
    """The old model as later observations change it. `date` is theirs; `more` goes to `learn`.

    Trials of the old model count half for every `HALF_LIFE` days between the dates of the two. Each rule is tried on
    what it merges of the later observations, together with all others; it is suspended where these speak against a rate
    of wrong merges within the budget, by a test whose false alarms are at most one in 1,000 updates of a rule
    (`urlkey.learn.drift`). A suspended rule starts from nothing, and is a rule again when its trials since speak as
    strongly against a rate of 2 %. Raises UpdateRefused if more than the share `flips` of the rules were refused for
    their content before; ValueError for another policy.
    """
    made = Policy(policy) if isinstance(policy, str) else policy
    if old.policy != made.id:
        raise ValueError(f"the models are of two policies: {old.policy[:8]} and {made.id[:8]}")
    watch = Watch(old, made)
    new = learn(rows, policy=made, budget=old.budget, date=date, see=watch.see, **more)
    fade = 0.5 ** (max(_days(old.date, new.date), 0.0) / HALF_LIFE)
    later = {one.identity: one for one in new.findings}
    findings = [_renewed(one, later.pop(one.identity, None), watch.counts, fade, old.budget) for one in old.findings]
    suspended = [one for one in findings if one.refused == "suspended"]
    # A rule that is suspended does not come back as another place of its own.
    findings += [replace(one) for one in later.values() if one.refused or not any(_meet(one, no) for no in suspended)]
    findings.sort(key=Finding.sort_key)
    prior = selected(findings, old.budget)
    _supersede(findings)
    model = replace(
        new, findings=tuple(findings), budget=old.budget, rates=prior.whole, rows=old.rows + new.rows, date=new.date
    )
    before = {one.identity: one.refused for one in old.findings}
    flipped = tuple(
        one
        for one in model.rules
        if before.get(one.identity, "") not in (None, "suspended") and _was_content(one, old.findings)
    )
    if len(flipped) > flips * max(len(model.rules), 1):
        first = flipped[0]
        raise UpdateRefused(
            f"{len(flipped)} of {len(model.rules)} rules were content before; the first: {first.host}{first.path} "
            f"{first.rewrite.kind} {', '.join(first.rewrite.names)}; allowed: a share of {flips:g}"
        )
    return Update(
        model,
        added=tuple(one for one in model.rules if before.get(one.identity, "") not in (None, "suspended")),
        kept=tuple(one for one in model.rules if before.get(one.identity, "") is None),
        recovered=tuple(one for one in model.rules if before.get(one.identity, "") == "suspended"),
        suspended=_became("suspended", findings, before),
        outgrown=_became("risk", findings, before),
        expired=_became("expired", findings, before),
        flipped=flipped,
    )


def _became(what: str, findings: list[Finding], before: Mapping[Identity, str | None]) -> tuple[Finding, ...]:
    """The rules of before that are this now."""
    return tuple(one for one in findings if one.refused == what and before.get(one.identity, "") is None)


def _renewed(
    one: Finding, same: Finding | None, counts: Mapping[Identity, Seen], fade: float, budget: float
) -> Finding:
    """A finding of the old model after the later observations; `same` is what these alone say of it."""
    seen = counts.get(one.identity, Seen())
    if one.refused == "suspended":
        return _recovering(one, seen, budget)
    if one.refused is not None:
        return _joined(one, same, fade)
    if fails(one, seen, budget):
        told = replace(one, trials=seen.trials, failures=seen.failures, samples=seen.samples)
        return replace(told, refused="suspended", alarm=0.0)
    found = _faded(one, fade)
    found.trials += seen.trials
    found.failures += seen.failures
    found.merges += seen.merges
    found.alarm, found.samples = gathered(one, seen, budget), seen.samples or one.samples
    if found.trials < _LEFT:
        found.refused = "expired"
    return found


def _recovering(one: Finding, seen: Seen, budget: float) -> Finding:
    """A suspended rule: what speaks for it since, from nothing where something speaks against it."""
    proof = one.alarm + in_favour(seen.trials, seen.failures, budget)
    if proof <= 0:
        return (
            replace(one, alarm=0.0)
            if not seen.trials
            else replace(one, alarm=0.0, trials=seen.trials, failures=seen.failures, samples=seen.samples)
        )
    trials, failures = (one.trials, one.failures) if one.alarm > 0 else (0, 0)
    found = replace(one, alarm=proof, trials=trials + seen.trials, failures=failures + seen.failures)
    if proof >= math.log(ALARM):
        found.refused, found.alarm, found.samples = None, 0.0, seen.samples or one.samples
    return found


def _supersede(findings: list[Finding]) -> None:
    """Where a name goes, nothing more is said of its values."""
    gone = {
        (one.host, one.place, name)
        for one in findings
        if one.refused is None and one.rewrite.kind == "drop"
        for name in one.rewrite.names
    }
    for one in findings:
        same = one.refused is None and one.rewrite.kind in ("valueless", "default")
        if same and any((one.host, one.place, name) in gone for name in one.rewrite.names):
            one.refused = "wider"


def _joined(one: Finding, later: Finding | None, fade: float) -> Finding:
    """A candidate that is no rule, with faded counts, and those of the later one, whose verdict counts."""
    found = _faded(one, fade)
    if later is not None:
        for name in _COUNTS:
            setattr(found, name, getattr(found, name) + getattr(later, name))
        found.failures += later.failures
        found.samples, found.last = later.samples or one.samples, later.last or one.last
        found.refused = later.refused
    elif one.refused == "risk":
        # It was not tried beside the rules that are new.
        found.refused = "alone"
    return found


_COUNTS = ("trials", "groups", "merges", "pages")


def _faded(one: Finding, fade: float) -> Finding:
    found = replace(one)
    for name in _COUNTS:
        setattr(found, name, int(getattr(one, name) * fade))
    # Failures do not fade faster than the trials that they are among.
    found.failures = min(-int(-one.failures * fade // 1), found.trials)
    return found


def _was_content(one: Finding, others: Iterable[Finding]) -> bool:
    """Whether the same rewrite was refused for its content where this one acts."""
    return any(other.refused == "content" and _meet(one, other) for other in others)


def _meet(one: Finding, other: Finding) -> bool:
    """Whether two findings are of one rewrite, at places of which one covers the other."""
    same = one.host == other.host and one.rewrite == other.rewrite
    return same and (covers(other.place, one.place) or covers(one.place, other.place))


def _days(before: str | None, after: str | None) -> float:
    if before is None or after is None:
        return 0.0
    return float((day.fromisoformat(after) - day.fromisoformat(before)).days)
