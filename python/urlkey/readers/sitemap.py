"""Sitemaps and sitemap indexes, XML or text. Must not fetch what an index names.

Source: https://www.sitemaps.org/protocol.html
"""

from collections.abc import Iterator
from typing import Any

from urlkey.readers import xml
from urlkey.readers.blocks import Blocks
from urlkey.readers.errors import ReadError
from urlkey.readers.how import How
from urlkey.readers.rows import Row
from urlkey.readers.texts import txt

_ROOTS = ("urlset", "sitemapindex")
_KINDS = {"url": "page", "sitemap": "sitemap"}
_TOLD = frozenset(["loc", "lastmod", "changefreq", "priority"])

__all__ = ["rows"]


def rows(blocks: Blocks, how: How) -> Iterator[Row]:
    """The `loc` of each `url` (`kind` is `page`) and of each `sitemap`; text has one URL a line."""
    if b"<" not in blocks.peek()[:1024].replace(b"\0", b""):
        yield from txt(blocks, how)
        return
    number = 0
    record: dict[str, Any] | None = None
    depth = 0
    try:
        for event in xml.elements(blocks, how.limits, _TOLD):
            if isinstance(event, xml.Begin):
                if event.depth == 1 and event.name not in _ROOTS:
                    raise ReadError(f"no sitemap: its root is {event.name!r}, neither urlset nor sitemapindex")
                if event.name in _KINDS and record is None:
                    number += 1
                    depth = event.depth
                    record = {"kind": _KINDS[event.name]}
                elif record is not None and event.name == "link" and event.attributes.get("rel") == "alternate":
                    pair = (event.attributes.get("hreflang", ""), event.attributes.get("href", ""))
                    record.setdefault("alternates", []).append(pair)
            elif record is not None:
                if event.depth == depth + 1 and event.name in _TOLD:
                    record.setdefault(event.name, event.text.strip())
                elif event.depth == depth:
                    yield _row(record, number, how)
                    record = None
    except ReadError as error:
        if record is not None and error.code != "unreadable":
            yield Row(None, number, how.name, problem="cut-off", text=str(record.get("loc", "")).encode())
        raise


def _row(record: dict[str, Any], number: int, how: How) -> Row:
    url = record.pop("loc", "")
    fields = record if how.fields else {}
    return Row(url, number, how.name, fields) if url else Row(None, number, how.name, fields, "missing-url")
