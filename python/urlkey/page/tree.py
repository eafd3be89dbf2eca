"""A page from bytes to a tree, as browsers read it. Must not know what is read in it."""

import re
from typing import Any

from urlkey._native import decode
from urlkey.page.encoding import PageEncoding, page_encoding
from urlkey.page.tame import tame, without_noscript

__all__ = ["READ", "parsed"]

#: The elements that somebody reads.
READ = "a,area,base,frame,iframe,link,meta"

# What stays of a page that has to be made harmless for the parser.
_KEPT = frozenset(
    [
        *READ.split(","),
        *("body", "frameset", "head", "html", "noembed", "noframes", "noscript", "plaintext", "script", "style", "svg"),
        *("template", "textarea", "title", "xmp"),
    ]
)
_SURROGATE = re.compile("[\ud800-\udfff]")


def parsed(
    html: bytes | str, content_type: str | None, encoding: str | None, *, scripting: bool = False
) -> tuple[PageEncoding, Any]:
    """The encoding of the page and its tree, `scripting` as browsers that run scripts read its head. For a str, the
    encoding is the one that its bytes once had, as far as it says so itself. Raises ImportError without selectolax."""
    found = _encoding(html, content_type, encoding)
    # A byte order mark that was decoded by the caller is text to the parser, and ends the head.
    text = decode(html, found.name)[0] if isinstance(html, bytes) else html.removeprefix("\ufeff")
    return found, _tree(without_noscript(text) if scripting else text)


def _encoding(html: bytes | str, content_type: str | None, encoding: str | None) -> PageEncoding:
    if isinstance(html, bytes):
        return page_encoding(html, content_type, encoding)
    return page_encoding(html[:1024].encode("utf-8", "replace"), content_type, encoding)


def _tree(html: str) -> Any:
    try:
        from selectolax.lexbor import LexborHTMLParser
    except ImportError as error:
        raise ImportError("reading pages needs selectolax: pip install 'urlkey[page]'") from error
    # The parser would pass over lone surrogates; browsers show U+FFFD.
    return LexborHTMLParser(tame(html if html.isascii() else _SURROGATE.sub("\ufffd", html), _KEPT))
