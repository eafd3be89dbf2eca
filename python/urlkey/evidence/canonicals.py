"""Canonical links, of header and head together. A canonical is a claim: it is weighed, or refused for what shows a
mistake. Must not know other relations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from urlkey.evidence.claims import Claim, Named, Statement, judged, one_of
from urlkey.evidence.records import Findings, Telling, refusal

__all__ = ["canonicals"]

# With one of these it names a version for some readers, and search engines do not hear it.
_QUALIFIERS = ("hreflang", "lang", "media", "type")
_SAID = {
    "canonical": '<link rel="canonical"> in the head',
    "canonical-header": 'rel="canonical" in a Link header',
    "canonical-agreed": 'rel="canonical" in a Link header and in the head',
}


def canonicals(statement: Statement, elsewhere: Mapping[str, str]) -> Findings:
    """What the canonical links of a response say. `elsewhere` are keys that other links of the page set apart from it,
    with the code of the refusal.

    Source: https://www.rfc-editor.org/rfc/rfc6596"""
    here, told = statement.here, Telling()
    targets: dict[str, list[Named]] = {}
    for kind, in_header in (("canonical-header", True), ("canonical", False)):
        claims = [claim for claim in statement.claims if "canonical" in claim.rels and claim.in_header is in_header]
        named, refused = judged(statement, kind, claims)
        told += refused
        targets[kind] = [one for one in named if not _is_qualified(one.claim)]
        for one in named:
            if _is_qualified(one.claim):
                told += refusal(kind, here.href, one.there.href, "qualified")
    told += _weighed(statement, targets["canonical-header"], targets["canonical"], elsewhere)
    return told.findings()


def _is_qualified(claim: Claim) -> bool:
    return any(claim.get(name) for name in _QUALIFIERS)


def _weighed(
    statement: Statement, header: Sequence[Named], head: Sequence[Named], elsewhere: Mapping[str, str]
) -> Findings:
    here = statement.here
    keys = [{named.there.key for named in names} for names in (header, head)]
    if all(len(found) == 1 for found in keys):
        if keys[0] != keys[1]:
            return refusal("canonical-header", here.href, header[0].there.href, "conflict") + refusal(
                "canonical", here.href, head[0].there.href, "conflict"
            )
        return _one(statement, "canonical-agreed", head, elsewhere)
    several = any(len(found) > 1 for found in keys)
    told = Telling()
    for kind, names in (("canonical-header", header), ("canonical", head)):
        if several and len({named.there.key for named in names}) == 1:
            # The other place names several: this one contradicts them.
            told += refusal(kind, here.href, names[0].there.href, "conflict")
        else:
            told += _one(statement, kind, names, elsewhere)
    return told.findings()


def _one(statement: Statement, kind: str, names: Sequence[Named], elsewhere: Mapping[str, str]) -> Findings:
    here = statement.here
    targets = [named.there for named in names]
    said = _SAID[kind]
    if targets and here.names_bare(targets[0]):
        kind, said = "canonical-bare", f"{said}, without the parameter that says which page it is"
    told = one_of(here, kind, targets, said)
    if told.evidence and (reason := elsewhere.get(targets[0].key)) and targets[0].key != here.key:
        return refusal(kind, here.href, targets[0].href, reason)
    return told
