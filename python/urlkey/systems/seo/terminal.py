"""A report as text for a terminal of any width. Must not know how it was made."""

from urlkey.display import shown
from urlkey.systems.seo.advice import advice, apart, evidence, headline, number, percent
from urlkey.systems.seo.differences import marked
from urlkey.systems.seo.findings import KINDS
from urlkey.systems.seo.report import PageGroup, Report
from urlkey.systems.seo.tiers import TITLES

_GROUPS = 12
_MEMBERS = 6
_SAMPLES = 3
_PARAMETERS = 12
_WIDEST_BAR = 32

__all__ = ["as_text"]


def as_text(report: Report, *, width: int = 80, colour: bool = False, secrets: bool = False) -> str:
    """The report as lines of at most `width` columns (but for sentences of URLs that do not fit 40)."""
    return _Text(report, max(width, 40), colour, secrets).whole()


class _Text:
    def __init__(self, report: Report, width: int, colour: bool, secrets: bool) -> None:
        self._report, self._width, self._colour, self._secrets = report, width, colour, secrets

    def whole(self) -> str:
        report, totals = self._report, self._report.totals
        lines = [self._bold(headline(report)), ""]
        lines += [
            self._fact("rows", f"{totals.rows:,}"),
            self._fact("pages", f"{totals.pages:,} HTML pages that answered 200, {totals.groups:,} different ones"),
            self._fact("duplicates", self._duplicates()),
            self._fact("policy", f"{report.policy}, joined as far as: {TITLES[report.tier]}"),
        ]
        lines += self._bars("Crawl budget", [(TITLES[t], n) for t, n in totals.wasted_by_tier.items()], totals.pages)
        lines += self._bars("Why", [(reason, n) for reason, n in totals.by_reason.items()], None)
        lines += self._parameters() + self._groups() + self._findings()
        lines += self._list("Not duplicates", apart(report))
        lines += self._next()
        return "\n".join(lines).rstrip() + "\n"

    def _duplicates(self) -> str:
        totals = self._report.totals
        told = [f"{totals.duplicates:,}"]
        hashes = evidence(self._report)
        if hashes is not None:
            told.append(hashes)
        if totals.consolidated:
            told.append(f"{totals.consolidated:,} name the representative as canonical")
        return "; ".join(told)

    def _fact(self, name: str, value: str) -> str:
        return f"{self._dim(f'{name:<12}')}{value}"

    def _title(self, text: str) -> list[str]:
        return ["", self._bold(text)]

    def _bars(self, title: str, rows: list[tuple[str, int]], whole: int | None) -> list[str]:
        rows = [row for row in rows if row[1]]
        if not rows:
            return []
        label = max(len(name) for name, _ in rows)
        most = max(count for _, count in rows)
        room = max(min(_WIDEST_BAR, self._width - label - 20), 4)
        lines = self._title(title)
        for name, count in rows:
            share = f"  {percent(count / whole):>9}" if whole else ""
            bar = "█" * max(1, round(room * count / most))
            lines.append(f"  {name:<{label}}  {count:>7,}{share}  {bar}")
        return lines

    def _parameters(self) -> list[str]:
        found = self._report.parameters[:_PARAMETERS]
        if not found:
            return []
        label = min(max(len(shown(one.name)) for one in found), 24)
        lines = self._title("Parameters: pages that would be one without each")
        for one in found:
            name = self._cut(shown(one.name), label)
            lines.append(self._cut(f"  {name:<{label}}  {one.merges:>7,}  {one.title}"))
        return lines + self._more(len(self._report.parameters) - len(found))

    def _groups(self) -> list[str]:
        groups = self._report.groups
        lines = self._title("Groups: the representative, then its duplicates and how they differ") if groups else []
        for group in groups[:_GROUPS]:
            lines += self._group(group)
        return lines + self._more(len(groups) - _GROUPS)

    def _group(self, group: PageGroup) -> list[str]:
        evidence = "" if group.evidence == "unknown" else f", content {group.evidence}"
        first = group.representative.url
        lines = [
            "",
            f"  {self._bold(self._url(first, 2))}",
            self._dim(f"  {number(len(group.duplicates), 'duplicate')}, {TITLES[group.tier]}{evidence}"),
        ]
        for row in group.duplicates[:_MEMBERS]:
            differs = ", content differs" if row.content == "differs" else ""
            lines.append(f"    {self._marked(row.url, first)}")
            lines.append(self._dim(f"      {', '.join(row.reasons)}{differs}"))
        return lines + self._more(len(group.duplicates) - _MEMBERS, "    ")

    def _findings(self) -> list[str]:
        report = self._report
        lines = self._title("Canonicals, redirects, content") if report.findings else []
        for kind, count in report.totals.findings.items():
            known = KINDS[kind]
            lines += ["", f"  {self._severity(known.severity)} {known.title}: {count:,}", f"    {known.todo}"]
            for one in [one for one in report.findings if one.kind == kind][:_SAMPLES]:
                lines.append(f"    {self._dim(self._url(one.url, 4))}")
                if one.target:
                    lines.append(f"      {self._dim('> ' + self._url(one.target, 8))}")
            lines += self._more(count - _SAMPLES, "    ")
        return lines

    def _next(self) -> list[str]:
        found = advice(self._report)
        lines = self._title("What to do next") if found else []
        for place, one in enumerate(found, 1):
            lines += [f"  {place}. {shown(one.about)} ({one.urls:,})", f"     {one.todo}"]
        return lines

    def _list(self, title: str, lines: list[str]) -> list[str]:
        return [*self._title(title), *(f"  {line}" for line in lines)] if lines else []

    def _more(self, rest: int, indent: str = "  ") -> list[str]:
        return [self._dim(f"{indent}... and {rest:,} more: --format csv has them all")] if rest > 0 else []

    def _url(self, url: str, indent: int) -> str:
        return self._cut(shown(url, secrets=self._secrets), self._width - indent)

    def _marked(self, url: str, other: str) -> str:
        """A URL with its difference in colour; where it is too long, what both have gives way."""
        own, theirs = shown(url, secrets=self._secrets), shown(other, secrets=self._secrets)
        pieces = marked(own, theirs)
        over = len(own) - (self._width - 4)
        if over > 0 and pieces and not pieces[0][1]:
            text = pieces[0][0]
            cut = min(over + 1, max(len(text) - 8, 0))
            pieces[0] = (f"…{text[cut:]}" if cut else text, False)
        shorter = self._cut("".join(text for text, _ in pieces), self._width - 4)
        if not self._colour:
            return shorter
        painted, room = [], len(shorter.removesuffix("…"))
        for text, differs in pieces:
            painted.append(self._paint(33, text[:room]) if differs and room else text[:room])
            room -= len(text[:room])
        return "".join(painted) + ("…" if shorter.endswith("…") else "")

    def _cut(self, text: str, room: int | None = None) -> str:
        room = self._width if room is None else room
        return text if len(text) <= room else f"{text[: room - 1]}…"

    def _severity(self, severity: str) -> str:
        return self._paint({"error": 31, "warning": 33, "note": 2}[severity], f"{severity:<7}")

    def _bold(self, text: str) -> str:
        return self._paint(1, text)

    def _dim(self, text: str) -> str:
        return self._paint(2, text)

    def _paint(self, code: int, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._colour else text
