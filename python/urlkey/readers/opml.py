"""Subscriptions: OPML outlines, of which each may name a feed, its site, or a link.

Source: http://opml.org/spec2.opml
"""

from collections.abc import Iterator

from urlkey.readers import xml
from urlkey.readers.blocks import Blocks
from urlkey.readers.errors import ReadError
from urlkey.readers.how import How
from urlkey.readers.rows import Row

_KINDS = {"xmlurl": "feed", "htmlurl": "site", "url": "link"}

__all__ = ["rows"]


def rows(blocks: Blocks, how: How) -> Iterator[Row]:
    """A row for each URL: `kind` is `feed`, `site` or `link`."""
    number = 0
    folders: list[str] = []
    for event in xml.elements(blocks, how.limits, frozenset()):
        if event.depth == 1 and isinstance(event, xml.Begin) and event.name != "opml":
            raise ReadError(f"no OPML: its root is {event.name!r}")
        if event.name != "outline":
            continue
        if isinstance(event, xml.End):
            folders.pop()
            continue
        # Names in the wild are `xmlUrl`, `xmlurl`, `xmlURL`.
        told = {name.lower(): value.strip() for name, value in event.attributes.items()}
        title = told.get("title") or told.get("text", "")
        for name, kind in _KINDS.items():
            if name not in told:
                continue
            number += 1
            fields = {"kind": kind, "title": title, "folder": "/".join(folders)} if how.fields else {}
            url = told[name]
            yield Row(url, number, how.name, fields) if url else Row(None, number, how.name, fields, "missing-url")
        folders.append(title)
