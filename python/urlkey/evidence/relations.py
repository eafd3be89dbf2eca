"""The other things a page says about URLs of itself: AMP and mobile versions, neighbours in a list, og:url, refresh.
Must not know canonical links."""

from __future__ import annotations

from collections.abc import Iterator

from urlkey.evidence import languages
from urlkey.evidence.claims import Claim, Statement, judged, one_of
from urlkey.evidence.headers import wire
from urlkey.evidence.records import Findings, Telling, evidence, refusal
from urlkey.evidence.targets import Here, Refused
from urlkey.page import Refresh, refresh

__all__ = ["hreflang", "og_url", "pairs", "refreshes", "sequence"]


def hreflang(statement: Statement) -> tuple[Findings, dict[str, Here]]:
    """Versions in other languages, and those that are not this page, by key."""
    claims = [claim for claim in statement.claims if "alternate" in claim.rels and claim.get("hreflang") is not None]
    named, refused = judged(statement, "hreflang", claims)
    listed = [(code, one.there) for one in named for code in one.claim.all("hreflang")]
    found, apart = languages.versions(statement.here, listed, _own_language(statement))
    return refused + found, apart


def _own_language(statement: Statement) -> str | None:
    said = statement.head.language if statement.head is not None else None
    if said is None:
        # The header may name several; then it says nothing of this page's.
        said = ",".join(statement.response.all("content-language"))
    return languages.language(said)


def sequence(statement: Statement) -> tuple[Findings, dict[str, Here]]:
    """Neighbours in a list (rel=prev, rel=next), which are pages of their own; and these by key."""
    claims = [claim for claim in statement.claims if claim.rels & {"prev", "previous", "next"}]
    named, refused = judged(statement, "sequence", claims)
    here, told, apart = statement.here, Telling(), dict[str, Here]()
    told += refused
    for one in named:
        if one.there.key != here.key and one.there.key not in apart:
            apart[one.there.key] = one.there
            said = " ".join(sorted(one.claim.rels & {"prev", "previous", "next"}))
            told += evidence("sequence", here.href, one.there.href, f"rel={said}")
    return told.findings(), apart


def pairs(statement: Statement) -> Findings:
    """The AMP version and the one for other devices: each leads to this page, if it says so too."""
    told = Telling()
    for kind, said, is_it in (("amphtml", "rel=amphtml", _is_amp), ("alternate-media", "rel=alternate", _is_media)):
        named, refused = judged(statement, kind, [claim for claim in statement.claims if is_it(claim)])
        told += refused
        for there in {one.there.key: one.there for one in named}.values():
            if there.key == statement.here.key:
                continue
            try:
                there.check(statement.here)
                told += evidence(kind, there.href, statement.here.href, said)
            except Refused as no:
                told += refusal(kind, there.href, statement.here.href, no.reason, no.detail)
    return told.findings()


def _is_amp(claim: Claim) -> bool:
    return "amphtml" in claim.rels


def _is_media(claim: Claim) -> bool:
    """A version for another device; style sheets, feeds and languages are `alternate` too."""
    other = "stylesheet" in claim.rels or claim.get("hreflang") is not None
    is_page = (claim.get("type") or "text/html").strip().lower() in ("text/html", "application/xhtml+xml")
    return "alternate" in claim.rels and bool(claim.get("media")) and is_page and not other


def og_url(statement: Statement) -> Findings:
    """What og:url says."""
    head, here = statement.head, statement.here
    if head is None:
        return Findings()
    told, targets = Telling(), list[Here]()
    for meta in head.misplaced_metas:
        if meta.name == "og:url":
            told += refusal("og-url", here.href, meta.content, "not-in-head")
    for meta in head.metas:
        if meta.name == "og:url":
            try:
                targets.append(here.resolved(meta.content, statement.base, statement.encoding))
            except Refused as no:
                told += refusal("og-url", here.href, no.to, no.reason, no.detail)
    told += one_of(here, "og-url", targets, '<meta property="og:url">')
    return told.findings()


def refreshes(statement: Statement) -> Findings:
    """What a refresh says: the header's, else the first of the head."""
    here, told = statement.here, Telling()
    for meta in statement.head.misplaced_metas if statement.head is not None else ():
        if meta.name == "refresh" and (found := refresh(meta.content)):
            told += refusal(_kind(found), here.href, found.url, "not-in-head")
    for content, is_header in _refreshes(statement):
        if (found := refresh(content)) is not None:
            told += _refreshed(statement, found, is_header=is_header)
            break
    return told.findings()


def _refreshed(statement: Statement, found: Refresh, *, is_header: bool) -> Findings:
    here, kind = statement.here, _kind(found)
    try:
        if is_header:
            there = here.resolved(wire(found.url), claimed=False)
        else:
            there = here.resolved(found.url, statement.base, statement.encoding, claimed=False)
        if there.href.partition("#")[0] == here.href.partition("#")[0]:
            # A page that reloads itself.
            return Findings()
        here.check(there)
    except Refused as no:
        return refusal(kind, here.href, no.to, no.reason, no.detail)
    return evidence(kind, here.href, there.href, f"refresh after {found.seconds} s")


def _refreshes(statement: Statement) -> Iterator[tuple[str, bool]]:
    for value in statement.response.all("refresh"):
        yield value, True
    for meta in statement.head.metas if statement.head is not None else ():
        if meta.name == "refresh":
            yield meta.content, False


def _kind(found: Refresh) -> str:
    return "refresh-delayed" if found.seconds else "refresh-instant"
