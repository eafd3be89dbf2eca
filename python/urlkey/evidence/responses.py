"""A response as evidence: status, headers and page together."""

from __future__ import annotations

from urlkey._native import Policy
from urlkey.evidence import no_vary_search, redirects, relations
from urlkey.evidence.canonicals import canonicals
from urlkey.evidence.claims import Statement
from urlkey.evidence.headers import Headers, Response
from urlkey.evidence.records import Findings, Telling, refusal
from urlkey.evidence.targets import Here
from urlkey.page import Head

__all__ = ["from_response"]

# Responses that are the page itself. 204 and 205 hold nothing, 206 a part; 201 and 202 answer what was sent.
_PAGES = (200, 203)
_HTML = ("text/html", "application/xhtml+xml")


def from_response(
    url: str | bytes,
    status: int,
    headers: Headers = (),
    body: bytes | str | None = None,
    *,
    policy: str | Policy = "crawl",
) -> Findings:
    """What the response to a request for `url` says about other URLs. Nothing is fetched, nothing obeyed.

    `headers` are a mapping or pairs, str or bytes; `body` is the page, if there is one: it is read if its Content-Type
    is HTML's, or missing (extra `page`). A redirect speaks by its status and Location alone, a page (200, 203) by its
    headers and its head; of what any other response says nothing is believed. Keys, which tell whether two URLs
    differ, are the policy's.

    Raises UrlKeyError if `url` is no URL, ValueError if it is neither http nor https, ImportError for a page without
    selectolax. Cost: linear in headers and body.

    >>> html = '<link rel="canonical" href="/x"><link rel="alternate" hreflang="de" href="/de/x">'
    >>> found = from_response("http://a.example/x?sort=up", 200, {"Content-Type": "text/html"}, html)
    >>> for piece in found.evidence:
    ...     print(piece.kind, piece.to, piece.weight)
    hreflang http://a.example/de/x -10.0
    canonical http://a.example/x 3.0
    >>> found = from_response("http://a.example/x", 404, {"Link": '</y>; rel="canonical"'})
    >>> found.evidence, [refusal.reason for refusal in found.refusals]
    ((), ['error-status'])
    """
    here = Here.asked(url, policy)
    response = Response(headers)
    if 300 <= status < 400:
        return redirects.of_response(here, status, response.all("location"))
    if status < 200:
        return Findings()
    told = _page(Statement(here, response, _head(response, body)))
    if status in _PAGES:
        return told
    return _refused(told, "error-status" if status >= 400 else "not-the-page", str(status))


def _head(response: Response, body: bytes | str | None) -> Head | None:
    content_type = response.first("content-type")
    media = (content_type or _HTML[0]).partition(";")[0].strip().lower()
    return Head(body, content_type) if body and media in _HTML else None


def _page(statement: Statement) -> Findings:
    versions, in_other_languages = relations.hreflang(statement)
    neighbours, in_list = relations.sequence(statement)
    elsewhere = {**dict.fromkeys(in_list, "pagination"), **dict.fromkeys(in_other_languages, "other-language")}
    told = statement.told
    told += versions
    told += neighbours
    told += canonicals(statement, elsewhere)
    told += relations.pairs(statement)
    told += relations.og_url(statement)
    told += relations.refreshes(statement)
    told += no_vary_search.of_response(statement.here, statement.response)
    return told.findings()


def _refused(found: Findings, reason: str, detail: str) -> Findings:
    """The same, none of it believed."""
    told = Telling()
    told += Findings((), found.refusals)
    for piece in found.evidence:
        told += refusal(piece.kind, piece.from_, piece.to, reason, detail)
    return told.findings()
