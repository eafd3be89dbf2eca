"""What a page says about other pages: links, `<base>`, canonical links, robots. URLs stand here as the page spells
them; must not know what becomes of them."""

import re
from dataclasses import dataclass
from typing import Any

from urlkey.page.encoding import PageEncoding
from urlkey.page.refresh import refresh
from urlkey.page.tree import READ, parsed

__all__ = ["Anchor", "Page"]

# The attribute that leads on.
_LEADING = {"a": "href", "area": "href", "iframe": "src", "frame": "src"}

_SPACES = re.compile(r"[\t\n\x0c\r ]+")


@dataclass(frozen=True, slots=True)
class Anchor:
    """A link as the page has it: element (`a`, `area`, `iframe`, `frame`, or `meta` for a refresh), the URL as spelled,
    the tokens of `rel` in lower case, and the text, white space collapsed."""

    element: str
    href: str
    rel: frozenset[str]
    text: str


class Page:
    """A parsed page. Takes bytes or a str; for bytes, the header Content-Type and the encoding, if the caller knows
    them. Broken HTML is read as browsers read it. Needs selectolax (`pip install 'urlkey[page]'`): ImportError without.
    Cost: linear in the bytes of the page.

    >>> html = b'<base href="/shop/"><a href="caf%e9?q=\\xe9" rel="Nofollow">Caf\\xe9</a>'
    >>> page = Page(html, "text/html; charset=latin1")
    >>> page.encoding
    PageEncoding(name='windows-1252', source='header')
    >>> page.base, page.anchors[0].href, page.anchors[0].text
    ('/shop/', 'caf%e9?q=é', 'Café')
    """

    def __init__(self, html: bytes | str, content_type: str | None = None, encoding: str | None = None) -> None:
        found, tree = parsed(html, content_type, encoding)
        self.encoding: PageEncoding = found
        #: The `href` of the first `<base>` that has one.
        self.base: str | None = None
        #: Every link, in the order of the page.
        self.anchors: list[Anchor] = []
        #: The `href` of each `<link rel=canonical>`.
        self.canonicals: list[str] = []
        #: What `<meta name=robots>` says, in lower case: `nofollow`, `noindex`, `none` ...
        self.robots: frozenset[str] = frozenset()
        for node in tree.css(READ):
            self._read(node)

    def _read(self, node: Any) -> None:
        element, attributes = node.tag, node.attributes
        rel = frozenset((attributes.get("rel") or "").lower().split())
        if element in _LEADING:
            href = attributes.get(_LEADING[element], attributes.get("xlink:href"))
            if href is not None or _LEADING[element] in attributes:
                text = node.text() if element == "a" else attributes.get("alt") or attributes.get("title") or ""
                self.anchors.append(Anchor(element, href or "", rel, _SPACES.sub(" ", text).strip()))
        elif element == "meta":
            self._read_meta(attributes)
        elif "href" in attributes:
            href = attributes["href"] or ""
            if element == "base":
                self.base = href if self.base is None else self.base
            elif "canonical" in rel:
                self.canonicals.append(href)

    def _read_meta(self, attributes: dict[str, str | None]) -> None:
        content = attributes.get("content") or ""
        if (attributes.get("name") or "").strip().lower() == "robots":
            self.robots |= {word.strip().lower() for word in content.split(",")} - {""}
        elif (attributes.get("http-equiv") or "").lower() == "refresh" and (found := refresh(content)):
            self.anchors.append(Anchor("meta", found.url, frozenset(), ""))
