"""What can be wrong with a crawl: one row a kind, with what to do about it and
what other tools call it. Data alone; must not know how anything is found."""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")

__all__ = ["KINDS", "REMEDIES", "SEVERITIES", "Finding", "Kind", "Severity", "gravity"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about one URL: `kind` is one of `KINDS`, `target` the URL that it
    leads to, if any, `detail` a few words more."""

    kind: str
    url: str
    target: str | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Kind:
    """`title` for a heading, `todo` as a sentence, `term` what other tools call it."""

    title: str
    severity: Severity
    todo: str
    term: str = ""


KINDS: dict[str, Kind] = {
    "canonical-loop": Kind(
        "Canonicals in a loop",
        "error",
        "Let one page of the loop name itself, the others name it.",
        "Screaming Frog: Canonical Chain, loop",
    ),
    "canonical-multiple": Kind(
        "Several canonicals",
        "error",
        "Leave one canonical on the page; search engines ignore them all.",
        "Screaming Frog: Multiple Conflicting",
    ),
    "canonical-invalid": Kind(
        "Canonical is no URL",
        "error",
        "Write an absolute http(s) URL.",
        "Screaming Frog: Invalid Attribute in Annotation; Lighthouse: invalid",
    ),
    "canonical-to-error": Kind(
        "Canonical to an error",
        "error",
        "Point it at a page that answers 200.",
        "Screaming Frog: Non-Indexable Canonical",
    ),
    "canonical-to-redirect": Kind(
        "Canonical to a redirect",
        "error",
        "Point it at the end of the redirect.",
        "Screaming Frog: Non-Indexable Canonical",
    ),
    "canonical-to-noindex": Kind(
        "Canonical to a page kept from the index",
        "error",
        "Point it at an indexable page, or let that page be indexed.",
        "Screaming Frog: Non-Indexable Canonical",
    ),
    "canonical-pagination": Kind(
        "A page of a series names another as canonical",
        "error",
        "Let every page of a series be its own canonical: else what only it lists drops out.",
        "",
    ),
    "canonical-alternate": Kind(
        "A language version names another as canonical",
        "error",
        "Let every language be its own canonical; hreflang joins them.",
        "Lighthouse: other hreflang location",
    ),
    "canonical-root": Kind(
        "Canonical to the home page",
        "error",
        "Name the page itself; a home page is no canonical for others.",
        "Lighthouse: points at the root",
    ),
    "canonical-disagree": Kind(
        "Duplicates that name different canonicals",
        "error",
        "Let all of them name the representative.",
        "Lumar: conflicting canonicals; Search Console: Duplicate, Google chose different canonical than user",
    ),
    "canonical-chain": Kind(
        "Canonical chain", "warning", "Name the last page of the chain at once.", "Screaming Frog: Canonical Chain"
    ),
    "canonical-missing": Kind(
        "Duplicate without a canonical",
        "warning",
        "Name the representative.",
        "Screaming Frog: Missing; Search Console: Duplicate without user-selected canonical",
    ),
    "canonical-insecure": Kind("Canonical from https to http", "warning", "Name the https page.", ""),
    "canonical-cross-host": Kind(
        "Canonical to another host",
        "warning",
        "Right for syndicated pages; else name a page of this host.",
        "Lighthouse: other domain",
    ),
    "canonical-relative": Kind(
        "Relative canonical",
        "warning",
        "Write it absolute: a relative one follows the host that serves it.",
        "Screaming Frog: Canonical Is Relative",
    ),
    "canonical-fragment": Kind(
        "Canonical with a fragment", "warning", "Leave the fragment away.", "Screaming Frog: Contains Fragment URL"
    ),
    "canonical-uncrawled": Kind(
        "Canonical that was not crawled", "note", "Crawl it, or link to it.", "Screaming Frog: Unlinked"
    ),
    "canonical-other-group": Kind(
        "Canonical to a page that no rule for spellings joins",
        "note",
        "Right for variants; a site rule for their parameter would join them before they are crawled.",
        "Screaming Frog: Canonicalised; Search Console: Alternate page with proper canonical tag",
    ),
    "redirect-loop": Kind(
        "Redirect loop", "error", "Break it: no page is at its end.", "Screaming Frog: Redirect Loop"
    ),
    "redirect-broken": Kind(
        "Redirect to an error", "error", "Redirect to a page that answers 200.", "Screaming Frog: Broken Redirect"
    ),
    "redirect-no-target": Kind("Redirect without a target", "error", "Send a Location.", ""),
    "redirect-chain": Kind(
        "Redirect chain", "warning", "Redirect to its end at once.", "Screaming Frog: Redirect Chain"
    ),
    "redirect-temporary": Kind(
        "Temporary redirect between spellings of a page",
        "warning",
        "Use 301 or 308: this choice is for good.",
        "Screaming Frog: 302 redirect",
    ),
    "redirect-to-duplicate": Kind(
        "Redirect to a duplicate", "warning", "Redirect to the representative of its group.", ""
    ),
    "content-differs": Kind(
        "Spellings of one page with different content",
        "note",
        "Look before joining them: the page may be generated anew each time, or be another.",
        "",
    ),
    "same-content": Kind(
        "The same content under keys that no rule joins",
        "note",
        "Choose one and let the others name it as canonical, or redirect to it.",
        "Screaming Frog: Exact Duplicates",
    ),
}

# What to do about duplicates that differ so, most often all at once on the server.
REMEDIES: dict[str, str] = {
    "scheme": "Redirect http to https with 301 on the whole site, and send HSTS.",
    "www": "Choose one host and redirect the other to it with 301.",
    "userinfo": "Take names and passwords out of links.",
    "case-host": "Write the host in lower case in links.",
    "idn-form": "Write the host one way in links, canonicals and sitemaps.",
    "default-port": "Take the port out of links.",
    "root-dot": "Redirect the host with a dot at its end to the one without.",
    "dot-segment": "Resolve relative links before they are written.",
    "dup-slash": "Redirect repeated slashes to one, and repair the template that joins paths.",
    "index-file": "Link to the folder, and redirect the index file to it with 301.",
    "trailing-slash": "Choose one form and redirect the other to it with 301.",
    "case-path": "Link in one case, and redirect the other to it with 301.",
    "encoding": "Encode links one way: UTF-8, percent-encoded where the standard asks for it.",
    "hex-case": "Write percent-encoding in upper case.",
    "session": "Keep sessions in cookies; no link needs them.",
    "tracking": "Take tracking parameters out of internal links; let tagged URLs name the clean one as canonical.",
    "param-order": "Write parameters in one order in links and forms.",
    "param-dup": "Write each parameter once.",
    "empty-query": "Leave empty queries and parameters away.",
    "fragment": "Nothing: a fragment is not sent. Crawl without fragments.",
    "site-rule": "As the rule says: take what it drops out of links.",
}

_PLACE = {kind: place for place, kind in enumerate(KINDS)}


def gravity(kind: str) -> tuple[int, int]:
    """Errors before warnings before notes, then as `KINDS` has them."""
    return SEVERITIES.index(KINDS[kind].severity), _PLACE[kind]
