"""Rules for a platform, told by many of its sites: what changes nothing on one script, as `viewtopic.php` of a forum,
on the hosts of several registrable domains, and is content on none. They are written to a file of their own, which no
policy loads until a person says so. Knows findings, and the scripts of pages.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from urlkey.importers.rulefile import literal, name_item, quoted
from urlkey.learn.bounds import upper
from urlkey.learn.everywhere import AGAINST, DOMAINS, TRIALS
from urlkey.learn.findings import Finding
from urlkey.learn.model import Model
from urlkey.learn.pages import Host, name_of, parted
from urlkey.learn.paths import covers, segments
from urlkey.learn.trials import Rewrite

_SCRIPT = re.compile(
    r"/([\w.-]+\.(?:php[3-8]?|phtml|aspx?|ashx|jspx?|cgi|pl|cfm|do|action))\Z", re.ASCII | re.IGNORECASE
)
# Scripts that every platform has.
_ANYBODY = ("index", "default", "home", "main")
_KINDS = ("drop", "valueless", "default")
_SHOWN = 5

__all__ = ["Platform", "name_scripts", "platforms", "platforms_file"]


@dataclass
class Platform:
    """What may go on a script, wherever it stands."""

    script: str
    rewrite: Rewrite
    domains: set[str] = field(default_factory=set)
    against: set[str] = field(default_factory=set)
    trials: int = 0
    failures: int = 0

    @property
    def upper(self) -> float:
        """The Clopper-Pearson bound of all trials. Of the hosts that were seen: others may be otherwise."""
        return upper(self.failures, self.trials)


def script_of(path: str) -> str | None:
    """The script that a path names, in lower case; None without one, and for those that every platform has.

    >>> script_of("/forum/viewTopic.php"), script_of("/index.php"), script_of("/p/1.html")
    ('viewtopic.php', None, None)
    """
    found = _SCRIPT.search(path)
    name = found[1].lower() if found else None
    return None if name is None or name.partition(".")[0] in _ANYBODY else name


def name_scripts(hosts: Iterable[Host], findings: Iterable[Finding]) -> None:
    """Gives every finding the scripts that its parameters were seen on, with the number of pages of each. Linear in the
    pages."""
    by_host = {host.name: _scripts(host) for host in hosts}
    for one in findings:
        if one.rewrite.kind in _KINDS and (own := by_host.get(one.host)):
            counts: Counter[str] = Counter()
            for name in one.rewrite.names:
                for (script, path), count in own.get(name, {}).items():
                    if covers(one.place, segments(path)):
                        counts[script] += count
            one.scripts = dict(sorted(counts.items()))


def _scripts(host: Host) -> dict[str, Counter[tuple[str, str]]]:
    """Name -> script and path -> pages."""
    found: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for page in host.pages:
        # The address of a script has a dot behind its last slash.
        if "?" not in page.key or page.key.find(".", page.key.find("/", 8)) < 0:
            continue
        head, pairs = parted(page.key)
        start = head.find("/", head.find("//") + 2)
        path = head[start:].partition("#")[0] if start >= 0 else "/"
        if pairs and (script := script_of(path)) is not None:
            for name in set(map(name_of, pairs)):
                found[name][script, path] += 1
    return found


def platforms(model: Model, *, domains: int = DOMAINS, trials: int = TRIALS) -> list[Platform]:
    """The rules that at least so many registrable domains agree on, with so many trials, and none objects to. Trials of
    a rule that covers several scripts count for each by its share of the pages."""
    found: dict[tuple[str, Rewrite], Platform] = {}
    for one in model.findings:
        for script in one.scripts:
            voice = found.setdefault((script, one.rewrite), Platform(script, one.rewrite))
            _heard(voice, one)
    enough = [one for one in found.values() if len(one.domains) >= domains and one.trials >= trials]
    return sorted((one for one in enough if not one.against), key=lambda one: (one.script, one.rewrite))


def _heard(voice: Platform, one: Finding) -> None:
    if one.refused in (None, "risk"):
        voice.domains.add(one.domain)
        voice.trials += one.trials * one.scripts[voice.script] // max(sum(one.scripts.values()), one.pages)
        voice.failures += one.failures
    elif one.refused in AGAINST:
        voice.against.add(one.domain)


def platforms_file(model: Model, rules: Iterable[Platform]) -> str:
    """The rule file of such rules, one for each script."""
    by_script: dict[str, list[Platform]] = defaultdict(list)
    for rule in rules:
        by_script[rule.script].append(rule)
    lines = [
        f"# {model.short_id}: what may go on scripts that several domains run. Nothing loads this file by itself: that",
        "# the sites that were crawled are alike does not say so of others.",
        "schema = 1",
    ]
    for script, own in sorted(by_script.items()):
        lines += ["", "[[site]]", f"url = {quoted(_url(script))}", *_rows(own)]
        weakest = max(own, key=lambda one: one.upper)
        bound = f"trials = {weakest.trials}, failures = {weakest.failures}, upper = {weakest.upper:.6f}"
        lines += ['source = "learned"', *([f"date = {model.date}"] if model.date else [])]
        lines += [f"support = {{ {bound} }}", f"note = {quoted(f'{model.short_id} {script}')}"]
    return "\n".join(lines) + "\n"


def _url(script: str) -> str:
    return rf"^https?://[^/?#]*/(?:[^?#]*/)?{literal(script)}(?:[?#]|$)"


def _rows(rules: list[Platform]) -> Iterator[str]:
    listed: set[str] = set()
    for kind in ("drop", "valueless"):
        own = [one for one in rules if one.rewrite.kind == kind and not listed.issuperset(one.rewrite.names)]
        if own:
            yield f"{kind} = ["
            # Names that go together are listed behind those that go alone, which some of them may do besides.
            for one in sorted(own, key=lambda one: (len(one.rewrite.names), one.rewrite)):
                if new := [name for name in one.rewrite.names if name not in listed]:
                    yield f"  # {_why(one)}"
                    yield from (f"  {quoted(name_item(name))}," for name in new)
                    listed.update(new)
            yield "]"
    defaults: dict[str, Platform] = {}
    for one in sorted((one for one in rules if one.rewrite.kind == "default"), key=lambda one: -one.trials):
        if one.rewrite.names[0] not in listed:
            defaults.setdefault(one.rewrite.names[0], one)
    yield from (f"# {name} = {one.rewrite.value}: {_why(one)}" for name, one in defaults.items())
    if defaults:
        table = ", ".join(f"{quoted(name)} = {quoted(one.rewrite.value)}" for name, one in defaults.items())
        yield f"default = {{ {table} }}"


def _why(one: Platform) -> str:
    some = ", ".join(sorted(one.domains)[:_SHOWN])
    return f"{len(one.domains):,} domains, {one.trials:,} trials, {one.failures:,} differed: {some}"
