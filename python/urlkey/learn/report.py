"""A model for eyes: as text, and as one page of HTML that needs nothing else and works without its script. Every text
is escaped here; only http(s) URLs become links, and none whose secrets are out. Knows findings; decides nothing."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from html import escape
from importlib.resources import files
from string import Template

from urlkey.display import shown
from urlkey.learn.audit import Audit
from urlkey.learn.findings import REFUSALS, Finding
from urlkey.learn.model import Model
from urlkey.learn.rulefile import percent

# More than these nobody reads in a browser; the model has them all.
_HOSTS, _BARS, _REFUSED = 300, 10, 200
_LONGEST = 300
_KINDS = {
    "drop": "parameter dropped",
    "valueless": "value dropped",
    "default": "default value dropped",
    "path": "cut out of the path",
    "on": "other spelling",
}

__all__ = ["as_html", "as_text", "what"]


def what(rule: Finding) -> str:
    """What a rule does, in a few words."""
    names = ", ".join(rule.rewrite.names)
    if rule.rewrite.kind == "on":
        return names
    value = f"={rule.rewrite.value}" if rule.rewrite.kind == "default" else ""
    return f"{rule.rewrite.kind} {names}{value}"


def as_text(model: Model, *, audit: Audit | None = None, secrets: bool = False) -> str:
    """The report for a terminal: every rule in a line below its host, then what is not a rule by reason."""
    lines = [_headline(model) + ".", _lede(model, audit), ""]
    for host, rules in _by_host(model.rules).items():
        lines.append(f"{shown(host, secrets=secrets)}: {_removed(rules)}")
        for rule in rules:
            lines.append(
                f"  {rule.path}  {shown(what(rule), secrets=secrets)}: {rule.trials:,} trials, "
                f"{rule.failures:,} differed, at most {percent(rule.upper)}, expected {percent(rule.risk)}; "
                f"{rule.merges:,} merged"
            )
    refused = Counter(one.refused for one in model.findings if one.refused)
    lines += ["", "not rules:"] if refused else []
    lines += [f"  {count:,}  {REFUSALS[str(why)]}" for why, count in refused.most_common()]
    return "\n".join(lines) + "\n"


def as_html(model: Model, *, title: str = "", audit: Audit | None = None, secrets: bool = False) -> str:
    """The report as an HTML document; `title` is what was read."""
    page = _Page(model, secrets)
    folder = files("urlkey.learn")
    return Template(folder.joinpath("page.html").read_text(encoding="utf-8")).substitute(
        style=folder.joinpath("page.css").read_text(encoding="utf-8"),
        title=escape(shown(title) or model.short_id),
        headline=escape(_headline(model)),
        lede=escape(_lede(model, audit)),
        facts=_facts(model, audit),
        charts=page.charts(),
        hosts=page.hosts(),
        refused=page.refused(),
        method=_METHOD,
    )


_METHOD = """<p>A trial is a pair of addresses that a rule would join, fetched close in time, whose contents were
compared; a key gives three at most. <b>At most</b> is the Clopper-Pearson bound (95 %) of a rule's own trials.
<b>Expected</b> is what all candidates together make likely of it. Both are estimates of what the rules do elsewhere on
their site; only an audit, of pairs fetched afresh, certifies a rate, and it is named so above where there was one.</p>
<p><b>Pages</b> are keys with a trial. A rule acts on its host and on paths that begin with its path;
<code>{int}</code> and its like stand for segments of a shape. Edit the rule file where you know better: your own rules
outrank learned ones.</p>"""


_HEADS = '<th scope="col">Path</th><th scope="col">What goes</th>' + "".join(
    f'<th scope="col" class="number">{name}</th>'
    for name in ("Pages", "Trials", "Differed", "At most", "Expected", "Merged")
)


class _Page:
    """The parts of the page, each a piece of HTML."""

    def __init__(self, model: Model, secrets: bool) -> None:
        self._model, self._secrets = model, secrets

    def charts(self) -> str:
        rules = self._model.rules
        if not rules:
            return "<p>There are no rules.</p>"
        by_host: Counter[str] = Counter()
        by_kind: Counter[str] = Counter()
        for rule in rules:
            by_host[rule.host] += rule.merges
            by_kind[_KINDS[rule.rewrite.kind]] += rule.merges
        refused = Counter(REFUSALS[one.refused] for one in self._model.findings if one.refused)
        return (
            self._figure("Keys merged, by host", "the ten with most", by_host)
            + self._figure("Keys merged, by what is done", "", by_kind)
            + self._figure("Rules, by expected rate of wrong merges", "estimated", _decades(rules), ordered=True)
            + self._figure("Candidates refused", "", refused)
        )

    def _figure(self, title: str, caption: str, counts: Mapping[str, int], *, ordered: bool = False) -> str:
        if not counts:
            return ""
        most = max(counts.values()) or 1
        rows = "".join(
            f'<tr><th scope="row">{escape(self._eye(name))}</th><td class="bar"><svg aria-hidden="true"><rect '
            f'width="{max(100 * count / most, 0.8):.2f}%" height="100%" rx="2"/></svg></td>'
            f'<td class="number">{count:,}</td></tr>'
            for name, count in (counts.items() if ordered else Counter(counts).most_common(_BARS))
        )
        small = f"<small>{escape(caption)}</small>" if caption else ""
        return f"<figure><figcaption>{escape(title)}{small}</figcaption><table><tbody>{rows}</tbody></table></figure>"

    def hosts(self) -> str:
        by_host = _by_host(self._model.rules)
        body = "".join(self._host(host, rules) for host, rules in list(by_host.items())[:_HOSTS])
        more = len(by_host) - _HOSTS
        return body + (f"<p>{more:,} more hosts are in the model.</p>" if more > 0 else "")

    def _host(self, host: str, rules: list[Finding]) -> str:
        rows = "".join(map(self._rule, rules))
        return (
            f'<details><summary><span class="url">{escape(self._eye(host))}</span>'
            f"<b>{_many(len(rules), 'rule')}, {_removed(rules)}</b></summary>"
            f'<div class="scroll"><table><thead><tr>{_HEADS}</tr></thead><tbody>{rows}</tbody></table></div></details>'
        )

    def _rule(self, rule: Finding) -> str:
        numbers = [
            f"{rule.groups:,}",
            f"{rule.trials:,}",
            f"{rule.failures:,}",
            percent(rule.upper),
            percent(rule.risk),
            f"{rule.merges:,}",
        ]
        cells = "".join(f'<td class="number">{number}</td>' for number in numbers)
        pairs = "".join(
            f'<tr><td class="pair" colspan="8">{"same" if sample.same else "<b class=risk>differed</b>"}: '
            f"{self._link(sample.a)} and {self._link(sample.b)}</td></tr>"
            for sample in sorted(rule.samples, key=lambda sample: sample.same)
        )
        if rule.declared == "site":
            pairs += '<tr><td class="pair" colspan="8">the site declares it (No-Vary-Search or Clean-param)</td></tr>'
        path, does = escape(rule.path), escape(self._eye(what(rule)))
        row = f'<th scope="row"><code>{path}</code></th><td><code>{does}</code></td>'
        return f"<tr>{row}{cells}</tr>{pairs}"

    def refused(self) -> str:
        found = sorted((one for one in self._model.findings if one.refused), key=lambda one: -one.merges)
        if not found:
            return "<p>Nothing was refused.</p>"
        rows = "".join(
            f'<tr><th scope="row"><code>{escape(self._eye(one.host + one.path))}</code></th>'
            f"<td><code>{escape(self._eye(what(one)))}</code></td>"
            f'<td class="number">{one.trials:,}</td><td class="number">{one.failures:,}</td>'
            f"<td>{escape(REFUSALS[str(one.refused)])}</td></tr>"
            for one in found[:_REFUSED]
        )
        more = len(found) - _REFUSED
        return (
            '<div class="scroll"><table><thead><tr><th scope="col">Where</th><th scope="col">What would go</th>'
            '<th scope="col" class="number">Trials</th><th scope="col" class="number">Differed</th>'
            f'<th scope="col">Why not</th></tr></thead><tbody>{rows}</tbody></table></div>'
            + (f"<p>{more:,} more are in the model.</p>" if more > 0 else "")
        )

    def _eye(self, text: str) -> str:
        return shown(text, secrets=self._secrets, longest=_LONGEST)

    def _link(self, url: str) -> str:
        """A link where the whole URL is shown and is one of the web; else its text."""
        text = self._eye(url)
        if text != url or not url.lower().startswith(("http://", "https://")):
            return escape(text)
        return f'<a href="{escape(url)}" rel="noreferrer noopener">{escape(text)}</a>'


def _removed(rules: list[Finding]) -> str:
    """How many keys of a host fall together."""
    merged, keys = sum(rule.merges for rule in rules), max(rule.of_host for rule in rules)
    share = f" of {keys:,} keys ({100 * merged / keys:.0f} %)" if keys >= merged else ""
    return f"{merged:,}{share} merged"


def _decades(rules: Iterable[Finding]) -> dict[str, int]:
    """Rules by the power of ten that their expected rate is below, the surest first."""
    counts = Counter(math.floor(math.log10(max(rule.risk, 1e-9))) + 1 for rule in rules)
    return {f"below {percent(10.0**power)}": counts[power] for power in sorted(counts)}


def _by_host(rules: Iterable[Finding]) -> dict[str, list[Finding]]:
    """Hosts that merge most first."""
    found: dict[str, list[Finding]] = defaultdict(list)
    for rule in rules:
        found[rule.host].append(rule)
    return dict(sorted(found.items(), key=lambda item: (-sum(rule.merges for rule in item[1]), item[0])))


def _headline(model: Model) -> str:
    merged = sum(rule.merges for rule in model.rules)
    hosts = len({rule.host for rule in model.rules})
    if not model.rules:
        return "Nothing was learned"
    return f"{_many(len(model.rules), 'rule')} for {_many(hosts, 'host')} merge {merged:,} of {model.pages:,} keys"


def _lede(model: Model, audit: Audit | None) -> str:
    certified = (
        f"Certified by an audit of {audit.judged:,} pairs: at most {percent(audit.upper)} (95 %)."
        if audit is not None
        else "Not certified: no audit was made."
    )
    return (
        f"From {model.rows:,} observations of {_many(model.hosts, 'host')}. Wrong merges expected among all merges by "
        f"the rules: {percent(model.estimate)} (estimated; the budget is {percent(model.budget)}). {certified}"
    )


def _facts(model: Model, audit: Audit | None) -> str:
    merged = sum(rule.merges for rule in model.rules)
    facts = [
        (f"{merged:,}", "keys that another stands for now"),
        (percent(model.estimate), "of the merges wrong, estimated"),
        (percent(audit.upper) if audit else "none", "certified bound (95 %)"),
        (f"{sum(bool(one.refused) for one in model.findings):,}", "candidates refused"),
    ]
    return '<ul class="facts">' + "".join(f"<li><b>{escape(a)}</b>{escape(b)}</li>" for a, b in facts) + "</ul>"


def _many(count: int, of: str) -> str:
    return f"{count:,} {of}" if count == 1 else f"{count:,} {of}s"
