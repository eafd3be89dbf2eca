"""What a page says about other pages: links, `<base>`, canonical links, robots. URLs stand here as the page spells
them; must not know what becomes of them."""

import re
from dataclasses import dataclass
from typing import Any

from urlkey._native import decode
from urlkey.page.encoding import PageEncoding, page_encoding
from urlkey.page.tame import tame

__all__ = ["Anchor", "Page"]

# The attribute that leads on.
_LEADING = {"a": "href", "area": "href", "iframe": "src", "frame": "src"}
_READ = "a,area,base,frame,iframe,link,meta"

# What stays of a page that has to be made harmless for the parser.
_KEPT = frozenset(
    [
        *_READ.split(","),
        *("body", "frameset", "head", "html", "noembed", "noframes", "noscript", "plaintext", "script", "style", "svg"),
        *("template", "textarea", "title", "xmp"),
    ]
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACES = re.compile(r"[\t\n\x0c\r ]+")
_REFRESH = re.compile(
    r"[\t\n\x0c\r ]*[0-9.]+[\t\n\x0c\r ]*[;, \t\n\x0c\r][;, \t\n\x0c\r]*(?:url[\t\n\x0c\r ]*=[\t\n\x0c\r ]*)?", re.I
)


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
        self.encoding: PageEncoding = _encoding(html, content_type, encoding)
        if isinstance(html, bytes):
            html = decode(html, self.encoding.name)[0]
        #: The `href` of the first `<base>` that has one.
        self.base: str | None = None
        #: Every link, in the order of the page.
        self.anchors: list[Anchor] = []
        #: The `href` of each `<link rel=canonical>`.
        self.canonicals: list[str] = []
        #: What `<meta name=robots>` says, in lower case: `nofollow`, `noindex`, `none` ...
        self.robots: frozenset[str] = frozenset()
        for node in _parsed(html).css(_READ):
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
        elif (attributes.get("http-equiv") or "").lower() == "refresh" and (href := _refresh(content)):
            self.anchors.append(Anchor("meta", href, frozenset(), ""))


def _encoding(html: bytes | str, content_type: str | None, encoding: str | None) -> PageEncoding:
    """The encoding of the bytes, or of those that a str was once decoded of, as far as it says so itself."""
    if isinstance(html, bytes):
        return page_encoding(html, content_type, encoding)
    return page_encoding(html[:1024].encode("utf-8", "replace"), content_type, encoding)


def _refresh(content: str) -> str:
    """The URL of a refresh, empty where it is the page's own.

    Source: https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps"""
    found = _REFRESH.match(content)
    if found is None:
        return ""
    rest = content[found.end() :]
    if rest[:1] in ('"', "'"):
        return rest[1:].partition(rest[0])[0]
    return rest


def _parsed(html: str) -> Any:
    try:
        from selectolax.lexbor import LexborHTMLParser
    except ImportError as error:
        raise ImportError("reading pages needs selectolax: pip install 'urlkey[page]'") from error
    # The parser would pass over lone surrogates; browsers show U+FFFD.
    return LexborHTMLParser(tame(html if html.isascii() else _SURROGATE.sub("\ufffd", html), _KEPT))
