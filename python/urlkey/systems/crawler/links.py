"""The links of a page, each with the URL to request and the key to compare."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import urlkey
from urlkey.page import Anchor, Page

__all__ = ["Link", "links"]

Headers = Mapping[str, str] | Iterable[tuple[str, str]]

# Directives of X-Robots-Tag that have a colon; before another one stands the name of a robot.
_WITH_VALUE = frozenset(["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"])


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a page. Where `reason` is None, `url` is what to request and `key` what to compare. Else `key` is None
    and `reason` says why: `not-http` (`url` is the URL: mailto:, javascript:, data: ...) or the code of the error
    (`url` is None)."""

    #: As the page spells it.
    raw: str
    #: Resolved: the href.
    url: str | None
    key: str | None
    #: `a`, `area`, `iframe`, `frame`; `meta` for a refresh.
    element: str
    #: Of the link, white space collapsed; the alternative text of an area.
    text: str
    #: The tokens of `rel`, in lower case and sorted: `nofollow`, `ugc`, `sponsored` ...
    rel: tuple[str, ...]
    #: The link has `rel=nofollow`, or the page or its headers ask robots to follow none.
    nofollow: bool
    reason: str | None


def links(
    html: bytes | str,
    url: str | bytes | urlkey.Base,
    *,
    encoding: str | None = None,
    headers: Headers = (),
    policy: str | urlkey.Policy = "crawl",
) -> list[Link]:
    """Every link of a page, in its order, none left out and none joined with another.

    Takes the page (bytes, or a str), its URL after redirects, its encoding if the caller knows it, the headers of the
    response (a mapping or pairs; Content-Type and X-Robots-Tag are read), and the policy of the keys. URLs are resolved
    against the first `<base href>`, itself resolved against the page's URL, and queries written in the encoding of the
    page, both as browsers do; a base that is no URL, or `data:` or `javascript:`, does not count. Needs the extra
    `page`.

    Raises UrlKeyError if `url` is no URL that links can be resolved against, LookupError for an unknown `encoding`,
    ImportError without selectolax. Cost: linear in the bytes of the page.

    Source: https://html.spec.whatwg.org/multipage/semantics.html#the-base-element

    >>> html = '<meta charset=windows-1252><base href=/shop/><a href="?q=é" rel="UGC nofollow">é</a>'
    >>> html += '<a href="http://x:y">x</a>'
    >>> for link in links(html.encode("latin1"), "http://a.example/index.html"):
    ...     print(link.url, link.key, link.text, link.rel, link.nofollow, link.reason)
    http://a.example/shop/?q=%E9 http://a.example/shop/?q=%E9 é ('nofollow', 'ugc') True None
    None None x () False port-invalid
    """
    given = [(name.lower(), value) for name, value in (headers.items() if isinstance(headers, Mapping) else headers)]
    content_type = next((value for name, value in given if name == "content-type"), None)
    page = Page(html, content_type, encoding)
    label = page.encoding.name
    base = _base(url, page.base, label)
    policy = policy if isinstance(policy, urlkey.Policy) else urlkey.Policy(policy)
    asked = page.robots.union(*(_robots(value) for name, value in given if name == "x-robots-tag"))
    none = not asked.isdisjoint(("nofollow", "none"))
    return [_link(anchor, base, policy, label, none) for anchor in page.anchors]


def _base(url: str | bytes | urlkey.Base, href: str | None, encoding: str) -> urlkey.Base:
    """What links are resolved against: "set the frozen base URL"."""
    page = url if isinstance(url, urlkey.Base) else urlkey.Base(url)
    if href is None:
        return page
    try:
        frozen = urlkey.parse(href, page, encoding=encoding)
    except urlkey.UrlKeyError:
        return page
    return page if frozen.scheme in ("data", "javascript") else urlkey.Base(frozen)


def _robots(value: str) -> Iterator[str]:
    """What an X-Robots-Tag says to every robot."""
    for word in value.split(","):
        name, colon, _ = word.strip().lower().partition(":")
        if colon and name.strip() not in _WITH_VALUE:
            return
        yield name.strip()


def _link(anchor: Anchor, base: urlkey.Base, policy: urlkey.Policy, encoding: str, none: bool) -> Link:
    url = key = reason = None
    try:
        url = policy.href(anchor.href, base, encoding=encoding)
        if url.startswith(("http:", "https:")):
            key = policy.key(anchor.href, base, encoding=encoding)
        else:
            reason = "not-http"
    except urlkey.UrlKeyError as error:
        url, reason = None, error.code
    return Link(
        raw=anchor.href,
        url=url,
        key=key,
        element=anchor.element,
        text=anchor.text,
        rel=tuple(sorted(anchor.rel)),
        nofollow=none or "nofollow" in anchor.rel,
        reason=reason,
    )
