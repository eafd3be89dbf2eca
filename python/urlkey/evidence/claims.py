"""Links that a page names in its headers and its head, alike: what they lead to, or why they are not believed. Must
not know what a relation means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from urlkey._native import Base
from urlkey.evidence.headers import Response, wire
from urlkey.evidence.records import Findings, Telling, evidence, refusal
from urlkey.evidence.targets import Here, Refused, base_of
from urlkey.page import Head, HeadLink
from urlkey.page.link_header import links

__all__ = ["Claim", "Named", "Statement", "judged", "one_of"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A link as it is written: relation types, URL, attributes or parameters, and where it stands."""

    rels: frozenset[str]
    raw: str
    attributes: Sequence[tuple[str, str]]
    #: None in the page.
    anchor: str | None = None
    in_header: bool = False
    misplaced: bool = False

    def get(self, name: str) -> str | None:
        """The first value of an attribute."""
        return next((value for found, value in self.attributes if found == name), None)

    def all(self, name: str) -> list[str]:
        """Every value of an attribute: Link headers may repeat some."""
        return [value for found, value in self.attributes if found == name]


@dataclass(frozen=True, slots=True)
class Named:
    """A claim with what it leads to."""

    claim: Claim
    there: Here


class Statement:
    """All that one response says: its links, and what their URLs are resolved against."""

    def __init__(self, here: Here, response: Response, head: Head | None) -> None:
        self.here, self.response, self.head = here, response, head
        self.encoding = "utf-8" if head is None else head.encoding.name
        self.base: Base = here.base if head is None else base_of(here, head.base, self.encoding)
        self.told = Telling()
        self.claims = [*self._of_headers(), *self._of_head()]

    def _of_headers(self) -> Iterator[Claim]:
        for field in self.response.all("link"):
            found, rest = links(field)
            if rest is not None:
                self.told += refusal("link", self.here.href, rest[:200], "bad-syntax")
            for link in found:
                yield Claim(frozenset(link.rels), link.target, link.parameters, link.anchor, in_header=True)

    def _of_head(self) -> Iterator[Claim]:
        if self.head is not None:
            yield from map(_claim, self.head.links)
            for link in self.head.misplaced_links:
                yield _claim(link, misplaced=True)

    def resolved(self, claim: Claim) -> Here:
        """What a claim leads to. Raises Refused for what shows a mistake."""
        if claim.misplaced:
            raise Refused("not-in-head", claim.raw)
        if not claim.in_header:
            return self.here.resolved(claim.raw, self.base, self.encoding)
        there = self.here.resolved(wire(claim.raw))
        if claim.anchor is not None and not self._is_here(claim.anchor):
            raise Refused("other-context", there.href)
        return there

    def _is_here(self, anchor: str) -> bool:
        """Whether an anchor, which may be empty, is the response's own URL."""
        try:
            return anchor == "" or self.here.resolved(wire(anchor), claimed=False).href == self.here.href
        except Refused:
            return False


def _claim(link: HeadLink, *, misplaced: bool = False) -> Claim:
    return Claim(link.rel, link.href, tuple(link.attributes.items()), misplaced=misplaced)


def judged(statement: Statement, kind: str, claims: Sequence[Claim]) -> tuple[list[Named], Findings]:
    """Those claims that lead somewhere, and refusals of the others."""
    named, told = list[Named](), Telling()
    for claim in claims:
        try:
            named.append(Named(claim, statement.resolved(claim)))
        except Refused as refused:
            told += refusal(kind, statement.here.href, refused.to, refused.reason, refused.detail)
    return named, told.findings()


def one_of(here: Here, kind: str, targets: Sequence[Here], said: str) -> Findings:
    """Evidence for the target that all name, or refusals where they differ or it is a known mistake."""
    if len({there.key for there in targets}) > 1:
        told = Telling()
        for href in dict.fromkeys(there.href for there in targets):
            told += refusal(kind, here.href, href, "several")
        return told.findings()
    if not targets:
        return Findings()
    try:
        here.check(targets[0])
    except Refused as refused:
        return refusal(kind, here.href, refused.to, refused.reason, refused.detail)
    return evidence(kind, here.href, targets[0].href, said)
