"""Rules for any host, told by many: names that change nothing on the hosts of several registrable domains, and are
content on none. They are written to a file of their own, which no policy loads until a person says so. Knows findings.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from urlkey.importers.rulefile import name_item, quoted
from urlkey.learn.bounds import upper
from urlkey.learn.findings import Finding
from urlkey.learn.model import Model

# Registrable domains that agree, at least: subdomains of one owner are one voice. And trials of all of them.
DOMAINS, TRIALS = 5, 299
# Refusals that are a voice against.
AGAINST = ("content", "listed", "split", "suspended")
_SHOWN = 5

__all__ = ["AGAINST", "DOMAINS", "TRIALS", "Everywhere", "everywhere", "everywhere_file"]


@dataclass
class Everywhere:
    """A name that may go on any host."""

    name: str
    domains: set[str] = field(default_factory=set)
    against: set[str] = field(default_factory=set)
    trials: int = 0
    failures: int = 0

    @property
    def upper(self) -> float:
        """The Clopper-Pearson bound of all trials. Of the hosts that were seen: others may be otherwise."""
        return upper(self.failures, self.trials)


def everywhere(model: Model, *, domains: int = DOMAINS, trials: int = TRIALS) -> list[Everywhere]:
    """The names that at least so many registrable domains agree on, with so many trials, and none objects to."""
    found: dict[str, Everywhere] = {}
    for one in model.findings:
        if one.rewrite.kind == "drop":
            for name in one.rewrite.names:
                _voice(found.setdefault(name, Everywhere(name)), one)
    enough = [one for one in found.values() if len(one.domains) >= domains and one.trials >= trials]
    return sorted((one for one in enough if not one.against), key=lambda one: one.name)


def everywhere_file(model: Model, rules: Iterable[Everywhere]) -> str:
    """The rule file of such names, one rule for any host."""
    rules = list(rules)
    lines = [
        f"# {model.short_id}: names that may go on any host, as several domains agree. Nothing loads this file by",
        "# itself: that a name changes nothing on the hosts that were crawled does not say so of others.",
        "schema = 1",
    ]
    if rules:
        lines += ["", "[[site]]", 'host = "*"', "drop = ["]
        for one in rules:
            some = ", ".join(sorted(one.domains)[:_SHOWN])
            lines.append(f"  # {len(one.domains):,} domains, {one.trials:,} trials, {one.failures:,} differed: {some}")
            lines.append(f"  {quoted(name_item(one.name))},")
        weakest = max(rules, key=lambda one: one.upper)
        bound = f"trials = {weakest.trials}, failures = {weakest.failures}, upper = {weakest.upper:.6f}"
        lines += ["]", 'source = "learned"', *([f"date = {model.date}"] if model.date else [])]
        lines += [f"support = {{ {bound} }}", f"note = {quoted(model.short_id)}"]
    return "\n".join(lines) + "\n"


def _voice(rule: Everywhere, one: Finding) -> None:
    if one.refused in (None, "risk"):
        rule.domains.add(one.domain)
        rule.trials += one.trials
        rule.failures += one.failures
    elif one.refused in AGAINST:
        rule.against.add(one.domain)
