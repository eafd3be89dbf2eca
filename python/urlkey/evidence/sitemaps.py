"""Sitemaps: which URLs a site lists as its pages, and in which languages. Must not know how they were fetched.

Source: https://www.sitemaps.org/protocol.html"""

from __future__ import annotations

from urlkey._native import Policy, UrlKeyError, parse
from urlkey.evidence.files import rows_of
from urlkey.evidence.languages import versions
from urlkey.evidence.records import Findings, Telling, evidence, refusal
from urlkey.evidence.targets import Here, Refused

__all__ = ["from_sitemap"]


def from_sitemap(url: str | bytes, body: bytes | str, *, policy: str | Policy = "crawl") -> Findings:
    """What a sitemap says: XML or one URL a line, compressed or not. Membership is evidence of the kind `sitemap` from
    a URL to itself: of several that are one page, a listed one leads, and two listed ones are likely two. `hreflang`
    of an entry keeps versions apart. A URL of another site is not the sitemap's to list. An index of sitemaps lists no
    page.

    Raises UrlKeyError or ValueError if `url` is no http URL. A damaged file gives what stands before the damage, and a
    refusal. Cost: linear in the unpacked file, which may have 50 MiB.

    >>> found = from_sitemap("http://a.example/sitemap.txt", "http://a.example/x\\nhttp://b.example/")
    >>> [piece.to for piece in found.evidence], [refusal.reason for refusal in found.refusals]
    (['http://a.example/x'], ['not-listed-here'])
    """
    here, told = Here.asked(url, policy), Telling()
    for row in rows_of("sitemap", here.href, body, "sitemap", told):
        if row.fields.get("kind", "page") != "page":
            continue
        there = _resolved(here, "sitemap", row.url if row.url is not None else row.text, told)
        if there is None:
            continue
        if not here.is_same_site(there):
            told += refusal("sitemap", here.href, there.href, "not-listed-here")
            continue
        told += evidence("sitemap", there.href, there.href, "listed in a sitemap")
        listed = [(code, _resolved(here, "hreflang", href, told)) for code, href in row.fields.get("alternates", ())]
        told += versions(there, [(code, page) for code, page in listed if page is not None], None)[0]
    return told.findings()


def _resolved(here: Here, kind: str, raw: str | bytes, told: Telling) -> Here | None:
    """What an entry names: a whole URL, as the protocol asks."""
    try:
        parse(raw)
        return here.resolved(raw)
    except Refused as no:
        told += refusal(kind, here.href, no.to, no.reason, no.detail)
    except UrlKeyError as error:
        text = raw if isinstance(raw, str) else raw.decode("utf-8", "replace")
        told += refusal(kind, here.href, text[:200], "invalid", error.code)
    return None
