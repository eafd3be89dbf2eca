"""What certifies a model: pairs of URLs that its rules merge, drawn by chance, fetched afresh by somebody, and the
bound that their contents give. Knows merges and results; must not fetch.

The sample is drawn from all merges that the rules make among the observations, each as likely as any other. So the
bound holds for the rate among these merges whatever depends on what within a host: the only chance is that of the draw.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from urlkey._native import Policy
from urlkey.learn.bounds import upper, zero_failures
from urlkey.learn.model import Model
from urlkey.learn.observations import Observation
from urlkey.learn.pages import Page
from urlkey.learn.rulefile import rule_file
from urlkey.learn.sentinel import SHARE, is_sentinel
from urlkey.learn.streams import Source

# A content under more pairs than this is a wall, and says nothing of any of them.
_WALL = 3

__all__ = ["Audit", "AuditError", "Pair", "audited", "merges", "pairs", "policy_of", "sentinels"]


class AuditError(ValueError):
    """Results that are not those of this model's sample."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two URLs that have one key by the rules, and two by the policy alone."""

    model: str
    key: str
    a: str
    b: str


@dataclass(frozen=True)
class Audit:
    """What a sample said. `upper` is the certified bound: the rate of wrong merges among the merges that the sample
    was drawn from is no larger, with 95 % confidence, if what could not be judged is as the rest. `worst` takes all of
    that for wrong."""

    model: str
    asked: int
    same: int
    wrong: int
    noisy: int
    """One of the two differs from itself when fetched again."""
    walled: int
    """The content stands under many pairs: a login form, an error."""
    unknown: int
    """Not fetched, or without a fingerprint."""
    failures: tuple[tuple[str, str], ...]
    """The pairs that are wrong."""

    @property
    def judged(self) -> int:
        """Pairs with a verdict."""
        return self.same + self.wrong

    @property
    def upper(self) -> float:
        """The 95 % Clopper-Pearson bound of what was judged."""
        return upper(self.wrong, self.judged)

    @property
    def worst(self) -> float:
        """The same with everything that was not judged taken for wrong."""
        return upper(self.asked - self.same, self.asked)

    def holds(self, budget: float) -> bool:
        """Whether the bound is within the budget."""
        return self.upper <= budget


def policy_of(model: Model, policy: str | Policy = "crawl") -> tuple[Policy, Policy]:
    """The policy that the model was learned on top of, and the same with its rules. Raises AuditError where it is
    another one."""
    base = Policy(policy) if isinstance(policy, str) else policy
    if base.id != model.policy:
        raise AuditError(f"the model was learned under the policy id {model.policy[:8]}, not {base.id[:8]}")
    return base, Policy.from_text(base.text + "\n" + rule_file(model).partition("schema = 1")[2])


def merges(model: Model, rows: Iterable[Observation], policy: str | Policy = "crawl") -> Iterator[Pair]:
    """Every merge of the rules among these observations: each key of the policy against one that stands for all that
    get the same key."""
    base, ruled = policy_of(model, policy)
    for domain in Source(base).domains(rows):
        found: dict[str, list[Page]] = defaultdict(list)
        pages = [page for host in domain for page in host.pages if page.fetched]
        for page, key in zip(pages, ruled.keys([page.url for page in pages]), strict=True):
            found[key].append(page)
        for key, own in found.items():
            first, *others = sorted(own, key=lambda page: page.mixed)
            for other in others:
                yield Pair(model.id, key, first.url, other.url)


def pairs(
    model: Model, rows: Iterable[Observation], *, policy: str | Policy = "crawl", size: int | None = None, seed: int = 0
) -> list[Pair]:
    """A sample of the merges, each as likely as any other; `size` pairs, by default as many as it takes to certify the
    budget if none fails. The same in any order of the rows."""
    size = zero_failures(model.budget) if size is None else size
    drawn = heapq.nsmallest(size, merges(model, rows, policy), key=lambda pair: _drawn(pair, seed))
    return sorted(drawn, key=lambda pair: (pair.key, pair.a, pair.b))


def sentinels(
    model: Model,
    rows: Iterable[Observation],
    *,
    policy: str | Policy = "crawl",
    share: float = SHARE,
    seed: object = "",
) -> list[Pair]:
    """The merges whose second URL is to be fetched all the same, so that later observations can speak against a rule;
    fetch both of a pair within days, and give `updated` the observations."""
    return [pair for pair in merges(model, rows, policy) if is_sentinel(pair.b, share=share, seed=seed)]


def audited(model: Model, results: Iterable[Mapping[str, Any]]) -> Audit:
    """What the results of a sample certify. Each is a pair as `pairs` gave it, with `fingerprint_a`, `fingerprint_b`,
    fetched within minutes of each other; where these differ, `again_a` and `again_b` of a second fetch tell noise.

    Raises AuditError for a result of another model, or one that comes twice.
    """
    rows = list(results)
    seen: set[tuple[object, object]] = set()
    under: Counter[object] = Counter()
    for number, row in enumerate(rows, 1):
        if row.get("model") != model.id:
            raise AuditError(f"result {number} is of the model {str(row.get('model'))[:8]!r}, not {model.id[:8]!r}")
        pair = (row.get("a"), row.get("b"))
        if pair in seen or None in pair:
            raise AuditError(f"result {number}: no pair a, b, or one that was there before")
        seen.add(pair)
        under.update({row.get("fingerprint_a"), row.get("fingerprint_b")} - {None})
    verdicts = [_verdict(row, under) for row in rows]
    counts = Counter(verdicts)
    wrong = tuple(
        (str(row["a"]), str(row["b"])) for row, verdict in zip(rows, verdicts, strict=True) if verdict == "wrong"
    )
    told = {name: counts[name] for name in ("same", "wrong", "noisy", "walled", "unknown")}
    return Audit(model.id, len(rows), **told, failures=wrong)


def _verdict(row: Mapping[str, Any], under: Counter[object]) -> str:
    a, b = row.get("fingerprint_a"), row.get("fingerprint_b")
    if a is None or b is None:
        return "unknown"
    if under[a] > _WALL or under[b] > _WALL:
        return "walled"
    if a == b:
        return "same"
    again = (row.get("again_a", a), row.get("again_b", b))
    return "wrong" if again == (a, b) else "noisy"


def _drawn(pair: Pair, seed: int) -> bytes:
    text = f"{seed}\n{pair.a}\n{pair.b}".encode("utf-8", "surrogatepass")
    return blake2b(text, digest_size=16).digest()
