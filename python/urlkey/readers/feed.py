"""Feeds: RSS 0.9 to 2.0, RDF and Atom. A row for each entry: where it leads, and what it is known by.

Sources: https://www.rssboard.org/rss-specification https://www.rfc-editor.org/rfc/rfc4287
https://web.resource.org/rss/1.0/spec
"""

from collections.abc import Iterator, Mapping
from typing import Any

from urlkey.readers import xml
from urlkey.readers.blocks import Blocks
from urlkey.readers.errors import ReadError
from urlkey.readers.how import How
from urlkey.readers.joining import based, resolved
from urlkey.readers.rows import Row

_ROOTS = ("rss", "RDF", "feed", "channel")
_ENTRIES = ("item", "entry")
_DATES = ("pubDate", "published", "updated", "date", "issued", "modified")
_TOLD = frozenset(["link", "guid", "id", "title", "origLink", *_DATES])
_ATOM = ("http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#")

__all__ = ["rows"]


def rows(blocks: Blocks, how: How) -> Iterator[Row]:
    """The link of each entry, or its permanent GUID. `id` is the GUID or Atom's id, as it is spelled."""
    number = 0
    entry: _Entry | None = None
    bases: list[str | bytes | None] = [how.base]
    try:
        for event in xml.elements(blocks, how.limits, _TOLD):
            if isinstance(event, xml.Begin):
                if event.depth == 1 and event.name not in _ROOTS:
                    raise ReadError(f"no feed: its root is {event.name!r}, none of {', '.join(_ROOTS)}")
                bases.append(based(bases[-1], event.attributes.get("xml:base")))
                if event.name in _ENTRIES and entry is None:
                    number += 1
                    entry = _Entry(event, bases[-1])
                elif entry is not None:
                    entry.begin(event, bases[-1])
                continue
            if entry is not None:
                if event.depth == entry.depth:
                    yield entry.row(number, how)
                    entry = None
                else:
                    entry.end(event)
            bases.pop()
    except ReadError as error:
        if entry is not None and error.code != "unreadable":
            yield Row(None, number, how.name, problem="cut-off", text=(entry.link or entry.id).encode())
        raise


class _Entry:
    """One entry as it is read: what its own children say, not what stands deeper."""

    def __init__(self, event: xml.Begin, base: str | bytes | None) -> None:
        self.depth = event.depth
        self._space = event.space
        self._base = base
        self.link = ""
        self.id = next((value for name, value in event.attributes.items() if name.endswith(":about")), "")
        self._permalink: bool | None = None
        # The link as RSS says it, and whether there is one that other elements stand in.
        self._text = ""
        self._mixed = False
        self._told: dict[str, Any] = {}
        self._attributes: Mapping[str, str] = {}

    def begin(self, event: xml.Begin, base: str | bytes | None) -> None:
        if event.depth != self.depth + 1:
            return
        self._attributes = event.attributes
        if event.name == "link" and "href" in event.attributes:
            self._atom_link(event.attributes, base)
        elif event.name == "enclosure" and event.attributes.get("url"):
            self._told.setdefault("enclosures", []).append(event.attributes["url"].strip())
        elif event.name == "guid":
            self._permalink = event.attributes.get("isPermaLink", "true").strip().lower() != "false"

    def _atom_link(self, attributes: Mapping[str, str], base: str | bytes | None) -> None:
        rel, href = attributes.get("rel", "alternate").strip(), attributes["href"].strip()
        if rel == "alternate" and not self.link:
            self.link, self._base = href, base
        elif rel == "enclosure":
            self._told.setdefault("enclosures", []).append(href)
        else:
            self._told.setdefault("links", []).append((rel, href))

    def end(self, event: xml.End) -> None:
        text = event.text.strip()
        if event.depth != self.depth + 1 or not (text or event.mixed):
            return
        own = event.space in (self._space, "")
        if event.name == "link" and own and "href" not in self._attributes and event.space not in _ATOM:
            # RSS says it with text; it outranks the link of Atom in an RSS feed.
            if not self._text:
                self.link = self._text = text
                self._mixed = event.mixed
            elif text != self._text:
                self._told.setdefault("links", []).append(("alternate", text))
        elif event.name in ("guid", "id") and own:
            # Without what other elements hold, it would be that of another entry.
            self.id = "" if event.mixed else text
        elif event.name == "title" and own:
            self._told.setdefault("title", text)
        elif event.name == "origLink":
            self._told["original"] = text
        elif event.name in _DATES:
            self._told.setdefault("date", text)

    def row(self, number: int, how: How) -> Row:
        link = self.link
        if not link and self._permalink and "://" in self.id:
            link = self.id
        fields: dict[str, Any] = {}
        if how.fields:
            fields = {"id": self.id, **self._told}
            if self._permalink is not None:
                fields["permalink"] = self._permalink
        if self._mixed:
            return Row(None, number, how.name, fields, "markup", self._text.encode())
        if not link:
            return Row(None, number, how.name, fields, "missing-url", self.id.encode())
        url = resolved(self._base, link)
        return Row(url, number, how.name, fields, None if url else "bad-base", b"" if url else link.encode())
