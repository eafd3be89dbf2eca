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
    record: _Record | None = None
    try:
        for event in xml.elements(blocks, how.limits, _TOLD):
            if isinstance(event, xml.Begin):
                if event.depth == 1 and event.name not in _ROOTS:
                    raise ReadError(f"no sitemap: its root is {event.name!r}, neither urlset nor sitemapindex")
                if record is not None:
                    record.begin(event)
                elif event.name in _KINDS:
                    number += 1
                    record = _Record(event)
            elif record is not None:
                if event.depth == record.depth:
                    yield from record.rows(number, how)
                    record = None
                else:
                    record.end(event)
    except ReadError as error:
        if record is not None and error.code != "unreadable":
            yield Row(None, number, how.name, problem="cut-off", text=next(iter(record.locs), "").encode())
        raise


class _Record:
    """One `url` or `sitemap` as it is read: what its own children say, not those of extensions. `locs` are its
    addresses in their order, with whether other elements stand inside."""

    __slots__ = ("_space", "_told", "depth", "locs")

    def __init__(self, event: xml.Begin) -> None:
        self.depth = event.depth
        self.locs: dict[str, bool] = {}
        self._space = event.space
        self._told: dict[str, Any] = {"kind": _KINDS[event.name]}

    def begin(self, event: xml.Begin) -> None:
        if event.name == "link" and event.attributes.get("rel") == "alternate":
            pair = (event.attributes.get("hreflang", ""), event.attributes.get("href", ""))
            self._told.setdefault("alternates", []).append(pair)

    def end(self, event: xml.End) -> None:
        if event.depth != self.depth + 1 or (event.space != self._space and event.space):
            return
        text = event.text.strip()
        if event.name == "loc" and (text or event.mixed):
            self.locs[text] = self.locs.get(text, False) or event.mixed
        elif event.name in _TOLD:
            self._told.setdefault(event.name, text)

    def rows(self, number: int, how: How) -> Iterator[Row]:
        """The record, and each further `loc` as what it is: none, by the protocol, and which of them is meant nobody
        can say."""
        fields = self._told if how.fields else {}
        problem = None if self.locs else "missing-url"
        for text, mixed in self.locs.items() or [("", False)]:
            if mixed or problem:
                yield Row(None, number, how.name, fields, "markup" if mixed else problem, text.encode())
            else:
                yield Row(text, number, how.name, fields)
            problem, fields = "two-urls", {}
