"""What was found of one rewrite at one place of one host. Knows counts; must not know how they were come by."""

from __future__ import annotations

from dataclasses import dataclass, field

from urlkey.learn.bounds import upper
from urlkey.learn.paths import Place
from urlkey.learn.paths import text as path_text
from urlkey.learn.trials import Rewrite, Sample, Tally

__all__ = ["REFUSALS", "Finding"]

# Why a rewrite is not a rule: the first that holds.
REFUSALS = {
    "few": "too few trials, or all of them on a few pages",
    "content": "content differs too often",
    "listed": "sitemaps list pages that it would merge as two",
    "split": "it would give one key to many pages, and most of them differ or were never compared",
    "alike": "the pages that are left have hardly more than one content: nothing tells them apart",
    "blind": "most of what it would merge was never compared",
    "constant": "its values are many, and the page without it was hardly seen: an empty list looks the same",
    "noise": "one URL fetched twice gives two contents here",
    "alone": "it was not seen again beside the rules that are newer",
    "wider": "a rule of its place lets the parameter go altogether",
    "suspended": "later observations speak against it",
    "expired": "it was not seen for so long that nothing is left of its trials",
    "risk": "the expected rate of wrong merges does not fit into the budget",
    "sample": "the policy does not merge the sample pairs of the rule",
}


@dataclass
class Finding:
    """One rewrite at one place: a rule, or a refusal with its reason."""

    host: str
    domain: str
    place: Place
    rewrite: Rewrite
    trials: int
    failures: int
    groups: int
    """Keys in which at least one trial was."""
    merges: int
    """URLs that fall together by it, among those seen."""
    pages: int
    """Keys that have the parameter."""
    values: str = ""
    """What its values look like: few, number, token, text."""
    declared: str = "silent"
    """What is declared of it: `site`, by No-Vary-Search or Clean-param; else what canonical tags say: agree, against,
    silent."""
    refused: str | None = None
    risk: float = 1.0
    """Expected rate of wrong merges, by all candidates together. An estimate, no certificate."""
    last: float | None = None
    """Time of the last observation of the host."""
    of_host: int = 0
    """Keys of its host that were fetched."""
    scripts: dict[str, int] = field(default_factory=dict)
    """Scripts, as `viewtopic.php`, that the parameters were seen on, and the pages of each."""
    alarm: float = 0.0
    """What updates have gathered against a rule, or for one that is suspended: the logarithm of an e-value."""
    samples: list[Sample] = field(default_factory=list)

    @classmethod
    def of(cls, host: str, domain: str, place: Place, rewrite: Rewrite, tally: Tally) -> Finding:
        """The finding that a tally tells."""
        counts = (tally.trials, tally.failures, tally.groups, tally.merges, tally.pages)
        return cls(host, domain, place, rewrite, *counts, samples=tally.samples)

    @property
    def identity(self) -> tuple[str, Place, Rewrite]:
        """What it does, and where."""
        return self.host, self.place, self.rewrite

    @property
    def path(self) -> str:
        """As rules write it."""
        return path_text(self.place)

    @property
    def upper(self) -> float:
        """The Clopper-Pearson bound of its own trials (95 %)."""
        return upper(self.failures, self.trials)

    @property
    def kind(self) -> tuple[str, str, str]:
        """The class that it borrows from: what it does, to which values, and what the site declares."""
        return self.rewrite.kind, self.values, self.declared

    def sort_key(self) -> tuple[object, ...]:
        return self.domain, self.host, self.place, self.rewrite
