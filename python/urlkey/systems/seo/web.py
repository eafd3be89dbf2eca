"""A report as one page of HTML that needs nothing else: no request leaves it, and
it works without its script. Must not know how the report was made. Every text is
escaped here; only http(s) URLs become links, and none whose secrets are out."""

from collections.abc import Iterable
from html import escape
from importlib.resources import files
from string import Template

from urlkey.display import shown
from urlkey.systems.seo.advice import advice, apart, evidence, headline, number, percent
from urlkey.systems.seo.differences import Pieces, marked
from urlkey.systems.seo.findings import KINDS, Finding
from urlkey.systems.seo.parameters import Parameter
from urlkey.systems.seo.redirects import OUTCOMES
from urlkey.systems.seo.report import PageGroup, Report
from urlkey.systems.seo.rows import PLACES, Row
from urlkey.systems.seo.tiers import REASONS, TIER_OF, TIERS, TITLES

# More than these nobody reads in a browser; CSV has them all.
_GROUPS = 400
_MEMBERS = 40
_FINDINGS = 100
_PARAMETERS = 60
_BARS = 10
_LONGEST = 2000

_EVIDENCE = {"confirmed": "same content", "contradicted": "content differs", "unknown": ""}

__all__ = ["as_html"]


def as_html(report: Report, *, title: str = "", secrets: bool = False) -> str:
    """The report as an HTML document; `title` is what was read."""
    page = _Page(report, secrets)
    folder = files("urlkey.systems.seo")
    template, style, script = (
        folder.joinpath(f"page.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js")
    )
    return Template(template).substitute(
        style=style,
        script=script,
        title=escape(shown(title) or "crawl"),
        headline=escape(headline(report)),
        lede=page.lede(),
        budget=page.budget(),
        todo=page.todo(),
        charts=page.charts(),
        groups=page.groups(),
        findings=page.findings(),
        parameters=page.parameters(),
        apart=page.apart(),
        method=page.method(),
    )


class _Page:
    """The parts of the page, each a piece of HTML."""

    def __init__(self, report: Report, secrets: bool) -> None:
        self._report, self._secrets = report, secrets

    def lede(self) -> str:
        totals = self._report.totals
        counts = f"{totals.groups:,} different, {totals.duplicates:,} repeated"
        parts = [f"{number(totals.pages, 'HTML page')} answered 200: {counts}"]
        told = evidence(self._report)
        if told is not None:
            parts.append(told)
        if totals.consolidated:
            parts.append(f"{totals.consolidated:,} already name the page they repeat as canonical")
        return escape("; ".join(parts) + ".")

    def budget(self) -> str:
        """One bar: what the fetches of pages went to."""
        totals = self._report.totals
        if not totals.pages:
            return ""
        shares = [("distinct", "different pages", totals.pages - totals.duplicates)]
        shares.append(("doubt", "perhaps repeated, their content differs", totals.duplicates - totals.wasted))
        shares += [(tier, f"repeated, {TITLES[tier]}", totals.wasted_by_tier[tier]) for tier in TIERS]
        shares = [share for share in shares if share[2]]
        words = ", ".join(f"{what}: {count:,} ({percent(count / totals.pages)})" for _, what, count in shares)
        bars, start = [], 0.0
        for kind, _, count in shares:
            width = 100 * count / totals.pages
            bars.append(f'<rect class="fill-{kind}" x="{start:.3f}%" width="{width:.3f}%" height="100%"/>')
            start += width
        legend = "".join(
            f'<li><span class="dot {kind}"></span><b>{count:,}</b> {escape(what)} '
            f"<i>{percent(count / totals.pages)}</i></li>"
            for kind, what, count in shares
        )
        return (
            f'<svg class="budget" role="img" aria-label="{escape("Fetches of pages: " + words)}">{"".join(bars)}</svg>'
            f'<ul class="legend">{legend}</ul>'
        )

    def todo(self) -> str:
        rows = "".join(
            f'<li><span class="count">{one.urls:,}</span>'
            f"<div><b>{escape(shown(one.about))}</b> {escape(one.todo)}</div></li>"
            for one in advice(self._report)
        )
        return f'<ol class="todo">{rows}</ol>' if rows else "<p>Nothing: no URL repeats another page.</p>"

    def charts(self) -> str:
        reasons = self._report.totals.by_reason
        rows = [
            _bar(
                f'<button type="button" data-reason="{reason}" title="show these groups">{escape(reason)}</button>',
                count,
                max(reasons.values()),
                TIER_OF.get(reason, "usual"),
            )
            for reason, count in list(reasons.items())[:_BARS]
        ]
        rest = len(reasons) - _BARS
        note = f"{rest} more reasons, each rarer; all in the list of groups." if rest > 0 else ""
        made = [_figure("Why URLs repeat", "duplicates that differ so; one may differ in several ways", rows, note)]
        worst = [one for one in self._report.parameters if one.verdict in ("dropped", "drop", "look")][:_BARS]
        bars = [
            _bar(
                f"<code>{escape(self._eye(one.name, 40))}</code>",
                one.merges,
                max(other.merges for other in worst),
                "usual" if one.verdict == "dropped" else "site",
            )
            for one in worst
        ]
        made.append(_figure("Which parameters make them", "pages that would be one without each", bars, ""))
        return "".join(made)

    def groups(self) -> str:
        found = self._report.groups
        if not found:
            return "<p>No page has more than one spelling.</p>"
        reasons = sorted(self._report.totals.by_reason)
        options = "".join(f'<option value="{r}">{escape(REASONS.get(r, r))}</option>' for r in reasons)
        tiers = "".join(f'<option value="{tier}">{escape(TITLES[tier])}</option>' for tier in TIERS)
        body = "".join(self._group(group) for group in found[:_GROUPS])
        more = _more(len(found) - _GROUPS, "group")
        return (
            '<form class="filters" id="filters" role="search" aria-label="filter the groups">'
            '<label class="wide">Find<input type="search" id="find" placeholder="part of a URL" autocomplete="off">'
            "</label>"
            f'<label>How sure<select id="tier"><option value="">all</option>{tiers}</select></label>'
            f'<label>Reason<select id="reason"><option value="">all</option>{options}</select></label>'
            '<label>Content<select id="content"><option value="">all</option><option value="confirmed">same</option>'
            '<option value="contradicted">differs</option></select></label>'
            '<label>Order<select id="order"><option value="size">most duplicates</option>'
            '<option value="url">address</option></select></label>'
            f'</form><p class="shown" role="status" id="shown">{number(min(len(found), _GROUPS), "group")}</p>'
            f'<div id="groups">{body}</div>{more}'
        )

    def _group(self, group: PageGroup) -> str:
        first = self._eye(group.representative.url)
        own = group.duplicates[:_MEMBERS]
        evidence = _EVIDENCE[group.evidence]
        mark = f'<span class="evidence {group.evidence}">{evidence}</span>' if evidence else ""
        rows = "".join(self._member(row, first) for row in own)
        return (
            f'<details class="group" data-size="{len(group.duplicates)}" data-tier="{group.tier}" '
            f'data-reasons="{escape(" ".join(group.reasons))}" data-content="{group.evidence}">'
            f'<summary><span class="url">{escape(first)}</span><span class="facts">'
            f'<span class="tier {group.tier}">{TITLES[group.tier]}</span>{mark}'
            f"<b>{number(len(group.duplicates), 'duplicate')}</b></span></summary>"
            f'<div class="scroll"><table><caption>Spellings of {self._link(group.representative.url)}</caption>'
            '<thead><tr><th scope="col">Address, its difference marked</th><th scope="col">Differs in</th>'
            '<th scope="col">Content</th><th scope="col">Canonical</th></tr></thead>'
            f"<tbody>{rows}</tbody></table></div>{_more(len(group.duplicates) - _MEMBERS, 'duplicate')}</details>"
        )

    def _member(self, row: Row, first: str) -> str:
        own = self._eye(row.url)
        pieces = _html(marked(own, first))
        chips = "".join(
            f'<span class="chip" title="{escape(REASONS.get(r, r))}">{escape(r)}</span>' for r in row.reasons
        )
        content = {"same": "same", "differs": '<b class="warning">differs</b>'}.get(row.content or "", "not known")
        tier = f'<span class="dot {row.tier}" title="{TITLES[row.tier]}"></span>' if row.tier else ""
        return (
            f'<tr><th scope="row" class="url">{tier}{self._link(row.url, pieces)}</th><td>{chips}</td>'
            f"<td>{content}</td><td>{self._canonical(row)}</td></tr>"
        )

    def _canonical(self, row: Row) -> str:
        if row.consolidated:
            return "the representative"
        if not row.canonicals:
            return "none" if "canonical" in self._report.known else "not known"
        if len(row.canonicals) > 1:
            return f"{len(row.canonicals)} that differ"
        return (
            "itself"
            if row.canonicals[0] == row.request
            else f'<span class="url">{escape(self._eye(row.canonicals[0]))}</span>'
        )

    def findings(self) -> str:
        report = self._report
        by_kind: dict[str, list[Finding]] = {kind: [] for kind in report.totals.findings}
        for finding in report.findings:
            by_kind[finding.kind].append(finding)
        return "".join(self._kind(kind, found) for kind, found in by_kind.items()) or "<p>No conflict found.</p>"

    def _kind(self, kind: str, found: list[Finding]) -> str:
        known = KINDS[kind]
        rows = "".join(self._finding(one) for one in found[:_FINDINGS])
        term = f'<p class="term">{escape(known.term)}</p>' if known.term else ""
        return (
            f'<details class="kind"><summary><span class="{known.severity} severity">{known.severity}</span>'
            f"<span>{escape(known.title)}</span><b>{len(found):,}</b></summary>"
            f"<p>{escape(known.todo)}</p>{term}"
            '<div class="scroll"><table><thead><tr><th scope="col">Address</th><th scope="col">Leads to</th></tr>'
            "</thead>"
            f"<tbody>{rows}</tbody></table></div>{_more(len(found) - _FINDINGS, 'address', 'addresses')}</details>"
        )

    def _finding(self, one: Finding) -> str:
        leads = self._link(one.target) if one.target else ""
        chain = one.detail if one.detail not in ("", one.target) else ""
        words = f"<small>{escape(self._eye(chain, 600))}</small>" if chain else ""
        return f'<tr><th scope="row" class="url">{self._link(one.url)}</th><td class="url">{leads}{words}</td></tr>'

    def parameters(self) -> str:
        found = self._report.parameters
        if not found:
            return "<p>No parameter alone keeps two pages apart.</p>"
        heads = (
            ("Parameter", "text", "none"),
            ("Pages with it", "number", "none"),
            ("One without it", "number", "descending"),
            ("Same content", "number", "none"),
            ("Other content", "number", "none"),
            ("What to do", "text", "none"),
        )
        head = "".join(
            f'<th scope="col" aria-sort="{sort}" class="{kind}">'
            f'<button type="button" data-sort="{kind}">{name}</button></th>'
            for name, kind, sort in heads
        )
        ranked = sorted(found, key=lambda one: -one.merges)[:_PARAMETERS]
        rows = "".join(self._parameter(one) for one in ranked)
        return (
            f'<div class="scroll"><table class="sortable" id="parameters"><thead><tr>{head}</tr></thead>'
            f"<tbody>{rows}</tbody></table></div>{_more(len(found) - _PARAMETERS, 'parameter')}"
        )

    def _parameter(self, one: Parameter) -> str:
        numbers = "".join(
            f'<td class="number" data-value="{n}">{n:,}</td>' for n in (one.urls, one.merges, one.same, one.differs)
        )
        verdict = f'<td><span class="verdict {one.verdict}">{escape(one.title)}</span></td>'
        return f'<tr><th scope="row"><code>{escape(self._eye(one.name, 60))}</code></th>{numbers}{verdict}</tr>'

    def apart(self) -> str:
        totals = self._report.totals
        lines = "".join(f"<li>{escape(line)}</li>" for line in apart(self._report))
        rows = "".join(
            f'<tr><th scope="row">{escape(OUTCOMES[outcome])}</th><td class="number">{count:,}</td></tr>'
            for outcome, count in totals.redirects.items()
            if count
        )
        table = f"<table><caption>Redirects</caption><tbody>{rows}</tbody></table>" if rows else ""
        return (f"<ul>{lines}</ul>" if lines else "<p>Nothing else was in the export.</p>") + table

    def method(self) -> str:
        totals = self._report.totals
        reasons = "".join(f"<dt>{escape(r)}</dt><dd>{escape(REASONS.get(r, r))}</dd>" for r in totals.by_reason)
        places = "".join(
            f'<tr><th scope="row">{escape(PLACES[place])}</th><td class="number">{count:,}</td></tr>'
            for place, count in totals.places.items()
            if count
        )
        return (
            f"<p>Policy <code>{escape(self._report.policy)}</code>, joined as far as: {TITLES[self._report.tier]}. "
            "A page is an HTML document that answered 200. Site-dependent duplicates whose content differs are listed, "
            "but not counted as wasted.</p>"
            f"<table><caption>Every row of the export has one place: {totals.rows:,}</caption>"
            f"<tbody>{places}</tbody></table>"
            f"<dl>{reasons}</dl>"
        )

    def _eye(self, text: str, longest: int = _LONGEST) -> str:
        return shown(text, secrets=self._secrets, longest=longest)

    def _link(self, url: str, inside: str | None = None) -> str:
        """A link where the whole URL is shown and is one of the web; else its text."""
        text = self._eye(url)
        inside = escape(text) if inside is None else inside
        if text != url or not url.lower().startswith(("http://", "https://")):
            return inside
        return f'<a href="{escape(url)}" rel="noreferrer noopener">{inside}</a>'


def _html(pieces: Pieces) -> str:
    return "".join(f"<mark>{escape(text)}</mark>" if differs else escape(text) for text, differs in pieces)


def _bar(label: str, count: int, most: int, kind: str) -> str:
    return (
        f'<tr><th scope="row">{label}</th><td class="bar"><svg aria-hidden="true"><rect class="fill-{kind}" '
        f'width="{max(100 * count / most, 0.8):.2f}%" height="100%" rx="2"/></svg></td>'
        f'<td class="number">{count:,}</td></tr>'
    )


def _figure(title: str, caption: str, rows: Iterable[str], note: str) -> str:
    body = "".join(rows)
    table = f'<table class="bars"><tbody>{body}</tbody></table>' if body else "<p>None.</p>"
    small = f'<p class="note">{escape(note)}</p>' if note else ""
    return f"<figure><figcaption><h3>{escape(title)}</h3><p>{escape(caption)}</p></figcaption>{table}{small}</figure>"


def _more(rest: int, one: str, many: str | None = None) -> str:
    return (
        f'<p class="note">And {number(rest, one, many)} more, all in the CSV form of this report.</p>'
        if rest > 0
        else ""
    )
