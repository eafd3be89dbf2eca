"""What redirects say: by status, hop by hop, or as a chain. Must not know pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from urlkey._native import Policy
from urlkey.evidence.headers import wire
from urlkey.evidence.records import Findings, Telling, evidence, refusal
from urlkey.evidence.targets import Here, Refused

__all__ = ["from_redirects", "of_response"]

Hop = Sequence[object]

_PERMANENT = (301, 308)
_TEMPORARY = (302, 307)
_REDIRECTS = (*_PERMANENT, *_TEMPORARY)
# Clients give up after some twenty.
_LONGEST = 20
_NAMES = {301: "Moved Permanently", 302: "Found", 307: "Temporary Redirect", 308: "Permanent Redirect"}


def from_redirects(chain: Iterable[Hop], *, policy: str | Policy = "crawl") -> Findings:
    """What a chain of redirects says: hops are (URL, status, Location), the last one may be the answer (Location None).

    Each hop that redirects gives one piece of evidence, or a refusal: one permanent hop does not make a temporary one
    permanent. Of a chain that comes back to a URL nothing is believed, nor of one that ends in an error or has more
    than 20 hops. Raises UrlKeyError where a hop's URL is none, TypeError for hops of another shape.

    Source: https://www.rfc-editor.org/rfc/rfc9110#section-15.4

    >>> found = from_redirects([("http://a.example/x", 301, "/y"), ("http://a.example/y", 302, "z")])
    >>> for piece in found.evidence:
    ...     print(piece.kind, piece.from_, piece.to)
    redirect-permanent http://a.example/x http://a.example/y
    redirect-temporary http://a.example/y http://a.example/z
    """
    policy = Policy(policy)
    hops = [_hop(hop) for hop in chain]
    telling, seen = Telling(), set[str]()
    reason = None
    for url, status, location in hops:
        here = Here.asked(url, policy)
        reason = reason or ("loop" if here.href in seen else None)
        seen.add(here.href)
        telling += of_response(here, status, [] if location is None else [location])
    found = telling.findings()
    reason = reason or _ends_badly(hops, found, seen, policy)
    if reason is None:
        return found
    return Findings((), found.refusals) + _all_refused(found, reason)


def of_response(here: Here, status: int, locations: Sequence[str | bytes]) -> Findings:
    """What one response of the class 3xx says."""
    kind = "redirect-permanent" if status in _PERMANENT else "redirect-temporary"
    location = locations[0] if locations else None
    if status not in _REDIRECTS:
        reason = {300: "multiple-choices", 303: "see-other"}.get(status)
        if reason is None:
            return refusal("redirect", here.href, None, "not-a-redirect", str(status)) if location else Findings()
        return refusal("redirect", here.href, _readable(here, location), reason)
    if location is None:
        return refusal(kind, here.href, None, "no-target")
    try:
        there = here.resolved(wire(location), claimed=False)
        for other in locations[1:]:
            if here.resolved(wire(other), claimed=False).href != there.href:
                raise Refused("several-targets", there.href)
        return _weighed(here, there, status, kind)
    except Refused as refused:
        return refusal(kind, here.href, refused.to, refused.reason, refused.detail)


def _weighed(here: Here, there: Here, status: int, kind: str) -> Findings:
    if here.href == there.href or here.href == there.href.partition("#")[0]:
        raise Refused("loop", there.href)
    if here.is_walled_by(there):
        raise Refused("interstitial", there.href)
    if status in _PERMANENT and not here.is_variant(there):
        if there.is_home() and not here.is_home():
            kind = "redirect-permanent-home"
        elif not here.is_same_site(there):
            kind = "redirect-permanent-away"
    return evidence(kind, here.href, there.href, f"{status} {_NAMES[status]}")


def _hop(hop: Hop) -> tuple[str | bytes, int, str | bytes | None]:
    if not isinstance(hop, Sequence) or isinstance(hop, str | bytes) or len(hop) != 3:
        raise TypeError(f"a hop is (URL, status, Location or None), not {hop!r:.100}")
    url, status, location = hop
    if not isinstance(url, str | bytes) or not isinstance(status, int):
        raise TypeError(f"a hop is (URL, status, Location or None), not {hop!r:.100}")
    if location is not None and not isinstance(location, str | bytes):
        raise TypeError(f"Location is str, bytes or None, not {type(location).__name__}")
    return url, status, location


def _ends_badly(
    hops: Sequence[tuple[str | bytes, int, object]], found: Findings, seen: set[str], policy: Policy
) -> str | None:
    """Why nothing of the chain is believed."""
    if len(hops) > _LONGEST:
        return "too-long"
    if hops and hops[-1][1] >= 400:
        return "dead-end"
    last = Here.asked(hops[-1][0], policy).href if hops else ""
    if any(piece.from_ == last and piece.to.partition("#")[0] in seen for piece in found.evidence):
        return "loop"
    return "loop" if any(refused.reason == "loop" for refused in found.refusals) else None


def _all_refused(found: Findings, reason: str) -> Findings:
    told = Telling()
    for piece in found.evidence:
        told += refusal(piece.kind, piece.from_, piece.to, reason)
    return told.findings()


def _readable(here: Here, location: str | bytes | None) -> str | None:
    if location is None:
        return None
    try:
        return here.resolved(wire(location), claimed=False).href
    except Refused as refused:
        return refused.to
