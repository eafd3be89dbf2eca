"""A fingerprint of what a page is about: equal where two requests gave one page, whatever stands around it. Must not
know URLs."""

from __future__ import annotations

import hashlib
import unicodedata

from urlkey._native import decode
from urlkey.page import page_encoding
from urlkey.page.tame import tame

# What is around the content, or no text.
_AROUND = ["nav", "header", "footer", "aside", "form", "script", "style", "noscript", "template", "svg", "iframe"]
_KEPT = frozenset([*_AROUND, "body", "head", "html", "main", "article", "title", "textarea", "plaintext", "xmp"])

__all__ = ["content"]


def content(html: bytes, content_type: str | None = None) -> bytes | None:
    """16 bytes of the text of a page's `<main>`, or without one of its body, less navigation, header, footer, asides,
    forms and scripts; case and white space count for nothing. None for a page without text. Linear.

    >>> one, other = b"<nav>a b</nav><main>Oak  lamp</main>", b"<main><p>oak<p>Lamp</main><footer>c</footer>"
    >>> content(one) == content(other) != content(b"<main>Brass lamp</main>")
    True
    >>> content(b"<nav>Home</nav>")
    """
    from selectolax.lexbor import LexborHTMLParser

    encoding = page_encoding(html, content_type).name
    tree = LexborHTMLParser(tame(decode(html, encoding)[0], _KEPT))
    tree.strip_tags(_AROUND)
    node = tree.css_first("main") or tree.body
    text = "" if node is None else node.text(separator=" ")
    words = unicodedata.normalize("NFC", text).casefold().split()
    return hashlib.sha256(" ".join(words).encode()).digest()[:16] if words else None
