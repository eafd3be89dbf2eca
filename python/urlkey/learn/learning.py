"""From observations to a model. Puts the parts together; must not know files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from urlkey._native import Policy
from urlkey.learn.findings import Finding
from urlkey.learn.host import Guards, learn_domain
from urlkey.learn.model import BUDGET, Model, selected
from urlkey.learn.observations import Observation, observations
from urlkey.learn.pages import Host
from urlkey.learn.platforms import name_scripts
from urlkey.learn.streams import HELD, LARGEST, Source

__all__ = ["findings_of", "learn"]


def findings_of(domain: list[Host], guards: Guards | None = None) -> list[Finding]:
    """What the hosts of a domain teach, by themselves; changes their pages."""
    pages = {host.name: host.fetched for host in domain}
    found = learn_domain(domain, guards)
    for one in found:
        one.of_host = pages[one.host]
    name_scripts(domain, found)
    return found


def learn(
    rows: Iterable[Observation | Mapping[str, Any] | tuple[Any, ...]],
    *,
    policy: str | Policy = "crawl",
    budget: float = BUDGET,
    guards: Guards | None = None,
    date: str | None = None,
    held: int = HELD,
    largest: int = LARGEST,
    see: Callable[[list[Host]], None] | None = None,
) -> Model:
    """The rules that these observations tell, on top of `policy`, and what was tried and refused.

    `budget` is the rate of wrong merges among all merges by the rules that is not to be exceeded, as estimated.
    Rows come in any order and give the same model in any. Up to `held` of them are kept in memory, more go through a
    temporary folder; of a host with more than `largest` pages a sample is taken. `see` is called with the hosts of each
    domain before anything is learned of them. Raises ObservationError for a row
    that is none, ValueError for a budget outside (0, 1). A URL without a key is counted and passed over.

    >>> rows = [(f"http://a.example/p/{n}{tail}", n) for n in range(300) for tail in ("", "?color=red", "?color=blue")]
    >>> model = learn(rows, budget=0.001)
    >>> [(rule.path, rule.rewrite.kind, rule.rewrite.names, rule.trials, rule.failures) for rule in model.rules]
    [('/p/{int}', 'drop', ('color',), 600, 0)]
    """
    if not 0 < budget < 1:
        raise ValueError(f"a budget of {budget}; allowed: between 0 and 1")
    made = Policy(policy) if isinstance(policy, str) else policy
    source = Source(made, held=held, largest=largest)
    found: list[Finding] = []
    hosts = pages = 0
    for domain in source.domains(observations(rows)):
        hosts, pages = hosts + len(domain), pages + sum(host.fetched for host in domain)
        if see is not None:
            see(domain)
        found += findings_of(domain, guards)
    found.sort(key=Finding.sort_key)
    prior = selected(found, budget)
    return Model(
        tuple(found), budget, made.id, source.rows, source.refused, hosts, pages, source.sampled, date, prior.whole
    )
