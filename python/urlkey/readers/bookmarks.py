"""Bookmarks as browsers export them: the Netscape bookmark file. Knows its tags; broken ones are text, as in a browser,
and tags in comments and scripts are none.

Source: https://learn.microsoft.com/en-us/previous-versions/windows/internet-explorer/ie-developer/platform-apis/aa753582(v=vs.85)
"""

import codecs
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

from urlkey.readers.blocks import Blocks
from urlkey.readers.errors import LimitError, ReadError
from urlkey.readers.how import How
from urlkey.readers.rows import Row
from urlkey.readers.unicode import as_utf8

# No part of it can match a text in two ways, and none is tried again.
# A `<` outside of quotes begins the next tag: else each that is not closed would be read to the end of all.
_ATTRIBUTE = r"[^\s/<>=]++(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s<>\"']*+))?+"
_TAG = re.compile(
    r"<(?:(?P<hides>!--|(?:script|style)(?=[\s/>]))"
    rf"|(?P<end>/?)(?P<name>a|h3|dl)(?P<attributes>(?:[\s/]++{_ATTRIBUTE})*+[\s/]*+)>)",
    re.I,
)
# Where what no tag can stand in ends. Of `<!-->` the beginning is the end; of `<!--!>` it is none.
_UNTIL = {"!--": re.compile(r"-->|(?<!<!)--!>")} | {
    name: re.compile(rf"</{name}(?=[\s/>])", re.I) for name in ("script", "style")
}
# No end, nor what stands before it that counts, is longer.
_LONGEST = 16
_EACH = re.compile(r"([^\s/>=]++)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s>\"']*+)))?+")
_MARKUP = re.compile(r"<[^<>]*+>")
_END = re.compile(r"</?(?:a|h3|dt|dl)\b|\n", re.I)
_TITLE = 4096
_FIELDS = {"add_date": "added", "last_modified": "modified", "tags": "tags", "feedurl": "feed"}
# What waits for the rest of its tag; longer, it is none.
_PENDING = 1 << 20

__all__ = ["rows"]


def rows(blocks: Blocks, how: How) -> Iterator[Row]:
    """The `href` of each bookmark, with title, folder, dates (seconds since 1970) and tags."""
    reading = _Reading(how)
    rest = ""
    for piece in _decoded(blocks):
        text = rest + piece
        # A link is whole when the next tag of any kind has begun.
        whole = max(text.rfind("<DT"), text.rfind("<dt"), text.rfind("</DL"), text.rfind("</dl"))
        if whole < 0:
            whole = max(len(text) - _PENDING, 0)
            # Not in the middle of `<!--`.
            whole = max(text.rfind("<", max(whole - _LONGEST, 0), whole), 0) or whole
        yield from reading.read(text[:whole])
        rest = text[whole:]
    yield from reading.read(rest)
    reading.finish()


def _decoded(blocks: Blocks) -> Iterator[str]:
    # Browsers write UTF-8; a byte of another encoding stays as it is.
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    for block in as_utf8(blocks):
        yield decoder.decode(block)
    yield decoder.decode(b"", True)


class _Reading:
    def __init__(self, how: How) -> None:
        self._how = how
        self._number = 0
        self._folders: list[str] = []
        self._folder = ""
        # What hides tags, where it has not ended, and the end of the text before.
        self._hides = ""
        self._before = ""

    def read(self, text: str) -> Iterator[Row]:
        text, at = self._before + text, 0
        self._before = ""
        while True:
            if self._hides:
                end = _UNTIL[self._hides].search(text, at)
                if end is None:
                    self._before = text[max(at, len(text) - _LONGEST) :]
                    return
                self._hides, at = "", end.end()
            found = _TAG.search(text, at)
            if found is None:
                return
            at = found.end()
            if found["hides"]:
                self._hides = found["hides"].lower()
                # The dashes that begin a comment may end it.
                at = found.start() if self._hides == "!--" else at
            elif (row := self._tag(found, text)) is not None:
                yield row

    def _tag(self, found: re.Match[str], text: str) -> Row | None:
        name = found["name"].lower()
        if name == "dl":
            self._list(bool(found["end"]))
        elif name == "h3" and not found["end"]:
            self._folder = _text(text, found.end())
        elif not found["end"]:
            return self._link(_attributes(found["attributes"]), text, found.end())
        return None

    def finish(self) -> None:
        """Raises ReadError where the end of the file is hidden: all that stood there would be lost without a word."""
        if self._hides:
            raise ReadError(
                f"<{self._hides} behind record {self._number} is never closed: all behind it is none",
                code="broken",
                at=self._number,
            )

    def _list(self, ends: bool) -> None:
        if ends:
            if self._folders:
                self._folders.pop()
            return
        if len(self._folders) >= self._how.limits.depth:
            raise LimitError(
                f"folders inside each other deeper than {self._how.limits.depth}: refused",
                code="too-deep",
                at=self._number,
            )
        self._folders.append(self._folder)
        self._folder = ""

    def _link(self, attributes: dict[str, str], text: str, at: int) -> Row | None:
        if "href" not in attributes:
            return None
        self._number += 1
        url = attributes["href"].strip()
        fields: dict[str, Any] = {}
        if self._how.fields:
            fields = {"title": _text(text, at), "folder": "/".join(filter(None, self._folders))}
            fields |= {new: _value(attributes[old]) for old, new in _FIELDS.items() if attributes.get(old)}
        if not url:
            return Row(None, self._number, self._how.name, fields, "missing-url")
        return Row(_spelled(url), self._number, self._how.name, fields)


def _spelled(url: str) -> str | bytes:
    return url if url.isascii() else _bytes_or_text(url)


def _bytes_or_text(url: str) -> str | bytes:
    try:
        url.encode()
    except UnicodeEncodeError:
        return url.encode("utf-8", "surrogateescape")
    return url


def _value(text: str) -> int | str:
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 20 else text


def _attributes(text: str) -> dict[str, str]:
    told: dict[str, str] = {}
    for name, double, single, bare in _EACH.findall(text):
        told.setdefault(name.lower(), unescape(double or single or bare))
    return told


def _text(text: str, at: int) -> str:
    """The text up to the end of the element, or of the line."""
    end = _END.search(text, at, at + _TITLE)
    return " ".join(unescape(_MARKUP.sub("", text[at : end.start() if end else at + _TITLE])).split())
