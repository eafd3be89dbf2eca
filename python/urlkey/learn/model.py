"""What was learned: the rules that fit into a budget of wrong merges, the candidates that do not, and the id that
stands for them. Knows findings; must not know pages.

Rules are taken in the order of their expected rate of wrong merges until the sum over all, weighted by how much each
merges, reaches half of the budget; the other half is left to the audit.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any

from urlkey.learn.findings import Finding
from urlkey.learn.prior import Prior, fitted
from urlkey.learn.trials import Rewrite, Sample

BUDGET = 1e-4
# What a site's own word is worth, in trials that did not fail: as many as it takes to be sure (95 %) that less than a
# tenth would.
WORD = 29
_FORMAT = 1

__all__ = ["BUDGET", "Model", "ModelError", "finding_of", "selected"]


class ModelError(ValueError):
    """A file that is no model of the learner."""


@dataclass(frozen=True)
class Model:
    """What `learn` returns. `findings` holds rules (`refused` is None) and refusals, in the order of hosts."""

    findings: tuple[Finding, ...]
    budget: float
    policy: str
    """The policy id that keys were made under."""
    rows: int = 0
    refused_rows: int = 0
    hosts: int = 0
    pages: int = 0
    sampled: int = 0
    """Hosts of which a sample was learned from."""
    date: str | None = None
    rates: tuple[float, ...] = field(default=(), repr=False)
    """The fitted distribution over `prior.GRID`."""

    @property
    def rules(self) -> tuple[Finding, ...]:
        """The findings that are rules."""
        return tuple(one for one in self.findings if one.refused is None)

    @property
    def estimate(self) -> float:
        """The expected rate of wrong merges of all rules together. An estimate: see `urlkey.learn.audit`."""
        merges = sum(one.merges for one in self.rules)
        return sum(one.merges * one.risk for one in self.rules) / merges if merges else 0.0

    @property
    def id(self) -> str:
        """64 hexadecimal digits: what the rules do, and under which policy. No counts, no dates."""
        rules = sorted([one.host, one.path, *map(str, one.rewrite)] for one in self.rules)
        return sha256(json.dumps([self.policy, rules]).encode()).hexdigest()

    @property
    def short_id(self) -> str:
        """For eyes."""
        return f"learned:{self.id[:8]}"

    def as_json(self) -> str:
        """The whole model; `from_json` reads it."""
        head = {name: getattr(self, name) for name in _HEAD}
        body = [asdict(one) for one in self.findings]
        return json.dumps({"format": _FORMAT, "id": self.id, **head, "findings": body}, ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, text: str) -> Model:
        """The model that `as_json` wrote. Raises ModelError."""
        try:
            data = json.loads(text)
            if data["format"] != _FORMAT:
                raise ModelError(f"a model of format {data['format']}; allowed: {_FORMAT}")
            head = {name: data[name] for name in _HEAD}
            model = cls(tuple(map(finding_of, data["findings"])), **{**head, "rates": tuple(head["rates"])})
        except (KeyError, TypeError, ValueError, RecursionError) as fault:
            if isinstance(fault, ModelError):
                raise
            raise ModelError(f"not a model of `urlkey learn`: {fault!r:.100}") from None
        if model.id != data["id"]:
            raise ModelError(f"the rules do not have the id that the model says: {data['id']!r:.80}")
        return model


_HEAD = ("budget", "policy", "rows", "refused_rows", "hosts", "pages", "sampled", "date", "rates")


def finding_of(data: dict[str, Any]) -> Finding:
    """The finding that `dataclasses.asdict` made a dictionary of."""
    kind, names, value = data["rewrite"]
    changed = {
        "place": tuple(data["place"]),
        "rewrite": Rewrite(str(kind), tuple(names), str(value)),
        "samples": [Sample(str(a), str(b), bool(same)) for a, b, same in data["samples"]],
    }
    return Finding(**{**data, **changed})


def selected(findings: Iterable[Finding], budget: float) -> Prior:
    """Sets the risk of every finding, and refuses the rules that the budget has no room for; returns the prior."""
    everything = list(findings)
    prior = fitted(((one.trials, one.failures), one.kind, one.rewrite.names) for one in everything)
    for one in everything:
        word = WORD if one.declared == "site" else 0
        one.risk = prior.mean(one.trials + word, one.failures, one.kind, one.rewrite.names)
    rules = [one for one in everything if one.refused in (None, "risk")]
    spent = merges = 0.0
    for one in sorted(rules, key=lambda one: (one.risk, one.sort_key())):
        spent, merges = spent + one.risk * one.merges, merges + one.merges
        one.refused = None if spent <= budget / 2 * merges else "risk"
        if one.refused:
            spent, merges = spent - one.risk * one.merges, merges - one.merges
    return prior
