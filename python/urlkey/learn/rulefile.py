"""The rules of a model as a rule file (docs/policies.md): what a person reads, edits and gives to a policy, with the
evidence beside every name. Knows findings and TOML; must not decide what is a rule."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Protocol

from urlkey.display import shown
from urlkey.importers.rulefile import literal, name_item, quoted
from urlkey.learn.findings import REFUSALS, Finding
from urlkey.learn.model import Model

_LONGEST = 120

__all__ = ["evidence", "percent", "rule_file"]


class Certificate(Protocol):
    """What an audit says."""

    @property
    def judged(self) -> int: ...
    @property
    def upper(self) -> float: ...


def rule_file(model: Model, *, audit: Certificate | None = None, secrets: bool = False) -> str:
    """The rule file of a model, to be loaded with `Policy.load("crawl", rules=[...])`; what `audit` certifies stands at
    its head.

    Passwords, tokens and the like in sample URLs are masked unless `secrets`.
    """
    rows: dict[tuple[str, str], list[Finding]] = defaultdict(list)
    for rule in model.rules:
        rows[rule.host, rule.path].append(rule)
    blocks = [_head(model, audit)]
    blocks += [_row(host, path, rules, model, secrets) for (host, path), rules in sorted(rows.items())]
    return "\n".join(blocks)


def evidence(rule: Finding) -> str:
    """Why something is a rule, in a line."""
    differed = "none differed" if not rule.failures else f"{rule.failures:,} differed"
    return (
        f"{rule.trials:,} trials on {rule.groups:,} pages, {differed}: "
        f"wrong in at most {percent(rule.upper)} (95 %), expected {percent(rule.risk)}; merged {rule.merges:,} URLs"
    )


def percent(rate: float) -> str:
    """A rate for eyes, with two digits that say something.

    >>> percent(0.00998), percent(2.57e-05)
    ('1 %', '0.0026 %')
    """
    return f"{float(f'{100 * rate:.2g}'):.10g} %" if rate >= 1e-9 else "0 %"


def _head(model: Model, audit: Certificate | None) -> str:
    hosts = len({rule.host for rule in model.rules})
    refused = Counter(one.refused for one in model.findings if one.refused)
    lines = [
        f"{model.short_id}: {_many(len(model.rules), 'rule')} for {_many(hosts, 'host')}, made by `urlkey learn`",
        f"from {model.rows:,} observations of {model.pages:,} keys on {_many(model.hosts, 'host')}; keys by policy id "
        f"{model.policy[:8]}",
        f"Expected share of wrong merges among all merges by these rules: {percent(model.estimate)}. This is an",
        f"estimate from the trials below; the budget was {percent(model.budget)}. Only an audit certifies a bound.",
    ]
    if audit is not None:
        lines.append(f"Certified by an audit of {audit.judged:,} pairs: at most {percent(audit.upper)} (95 %).")
    lines += [f"No rule, {count} times: {REFUSALS[str(why)]}" for why, count in refused.most_common()]
    return "\n".join([*(f"# {line}" for line in lines), "schema = 1", ""])


def _row(host: str, path: str, rules: list[Finding], model: Model, secrets: bool) -> str:
    lines = ["[[site]]", f"host = {quoted(host)}"]
    lines += [f"path = {quoted(path)}"] if path != "/" else []
    for kind in ("path", "drop", "valueless", "on"):
        own = [rule for rule in rules if rule.rewrite.kind == kind]
        if own:
            lines += [f"{'drop_path' if kind == 'path' else kind} = [", *_items(own, secrets), "]"]
    lines += _defaults([rule for rule in rules if rule.rewrite.kind == "default"], secrets)
    weakest = max(rules, key=lambda rule: rule.upper)
    lines += ['source = "learned"', *([f"date = {model.date}"] if model.date else [])]
    upper = f"{weakest.upper:.3g}"
    upper = upper if "." in upper or "e" in upper else f"{upper}.0"
    lines.append(f"support = {{ trials = {weakest.trials}, failures = {weakest.failures}, upper = {upper} }}")
    return "\n".join([*lines, f"note = {quoted(model.short_id)}", ""])


def _items(rules: Iterable[Finding], secrets: bool) -> list[str]:
    lines: list[str] = []
    listed: set[str] = set()
    for rule in rules:
        lines += [f"  # {line}" for line in _why(rule, secrets)]
        named = str if rule.rewrite.kind == "path" else name_item
        lines += [f"  {quoted(named(name))}," for name in rule.rewrite.names if name not in listed]
        listed.update(rule.rewrite.names)
    return lines


def _defaults(rules: list[Finding], secrets: bool) -> list[str]:
    """A table in one line, as TOML has it, with the evidence above; values beyond the first of a name are pairs."""
    lines: list[str] = []
    pairs: list[str] = []
    named: dict[str, str] = {}
    for rule in sorted(rules, key=lambda rule: -rule.merges):
        (name,), value = rule.rewrite.names, rule.rewrite.value
        why = _why(rule, secrets)
        if name in named:
            pairs += [f"  # {line}" for line in why]
            pairs.append(f"  {quoted(f'^{literal(name)}={literal(value)}$')},")
        else:
            named[name] = value
            lines += [f"# {name} = {value}: {line}" for line in why]
    if named:
        table = ", ".join(f"{quoted(name)} = {quoted(value)}" for name, value in named.items())
        lines.append(f"default = {{ {table} }}")
    return [*lines, *(["drop_pairs = [", *pairs, "]"] if pairs else [])]


def _why(rule: Finding, secrets: bool) -> list[str]:
    lines = [evidence(rule) + (", all of them together" if len(rule.rewrite.names) > 1 else "")]
    ordered = sorted(rule.samples, key=lambda sample: sample.same)[:2]
    for sample in ordered:
        a, b = (shown(url, secrets=secrets, longest=_LONGEST) for url in (sample.a, sample.b))
        lines.append(f"{'same' if sample.same else 'DIFFERED'}: {a} {b}")
    return lines


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
