"""Fingerprints of pages: a hash of the main text, and a SimHash that tells how far two texts are apart. Knows HTML and
text (extra `page`: selectolax); must not know URLs.

Equal fingerprints are equal main texts, letter for letter but for case and white space. The SimHash is for looking at
noise within a host and for nothing else: pages of one site are near each other whatever they are about.
"""

from __future__ import annotations

import re
import unicodedata
from hashlib import blake2b
from typing import Any

# Fewer words do not tell pages of a site apart.
WORDS = 50
_SHINGLE, _BITS = 3, 64
# What is not the page: furniture that is the same on all of them, and what no reader sees.
_FURNITURE = ("script", "style", "noscript", "template", "svg", "iframe", "nav", "header", "footer", "aside")
_MAIN = ("main", "[role=main]", "article")
_WORD = re.compile(r"\w+")

__all__ = ["WORDS", "distance", "fingerprint", "fingerprint_of_text", "main_text", "simhash"]


def fingerprint(html: str | bytes) -> str | None:
    """128 bits of the main text as 32 hexadecimal digits; None where it has fewer than `WORDS` words, so that galleries
    and walls do not pass for equal pages. Needs `pip install 'urlkey[page]'`.

    >>> words = " ".join(f"word{n}" for n in range(60))
    >>> page = f"<body><nav>Home</nav><main><h1>Title</h1><p>{words}</p></main></body>"
    >>> fingerprint(page) == fingerprint(page.replace("Home", "Start").upper()), fingerprint("<p>Log in</p>")
    (True, None)
    """
    return fingerprint_of_text(main_text(html))


def fingerprint_of_text(text: str) -> str | None:
    """The same of a text that somebody else took out of a page."""
    settled = _settled(text)
    if len(_WORD.findall(settled)) < WORDS:
        return None
    return blake2b(settled.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def main_text(html: str | bytes) -> str:
    """The text of the title and of the main part of a page: `main`, the only `article`, else the body, without
    navigation, headers, footers and what is not shown."""
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(html)
    title = tree.css_first("title")
    head = title.text() if title is not None else ""
    tree.strip_tags(list(_FURNITURE))
    return f"{head}\n{_text(_part(tree))}"


def simhash(text: str) -> int:
    """64 bits that are close for close texts: the majority of the hashes of its runs of three words.

    Source: M. Charikar, Similarity estimation techniques from rounding algorithms, STOC 2002.
    """
    words = _WORD.findall(_settled(text))
    sums = [0] * _BITS
    for start in range(max(len(words) - _SHINGLE + 1, 1)):
        shingle = " ".join(words[start : start + _SHINGLE])
        bits = int.from_bytes(blake2b(shingle.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
        for place in range(_BITS):
            sums[place] += 1 if bits >> place & 1 else -1
    return sum(1 << place for place, total in enumerate(sums) if total > 0)


def distance(a: int, b: int) -> int:
    """In how many bits two SimHashes differ."""
    return (a ^ b).bit_count()


def _settled(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _part(tree: Any) -> Any:
    for selector in _MAIN:
        found = tree.css(selector)
        # Several articles are a list, of which none is the page; an empty one is filled by a script.
        if len(found) == 1 and len(_WORD.findall(_text(found[0]))) >= WORDS:
            return found[0]
    return tree.body


def _text(node: Any) -> str:
    return node.text(separator=" ") if node is not None else ""
