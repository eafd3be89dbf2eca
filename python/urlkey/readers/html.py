"""The links of a page, as rows. What a page says, `urlkey.page` reads; must not know robots or canonical links.

Needs the extra `page`. A page is held whole.
"""

from collections.abc import Iterator

from urlkey.readers.blocks import Blocks
from urlkey.readers.errors import LimitError, ReadError
from urlkey.readers.how import How
from urlkey.readers.joining import based, resolved
from urlkey.readers.rows import Row

__all__ = ["rows"]


def rows(blocks: Blocks, how: How) -> Iterator[Row]:
    """The target of each link, against the page's `<base>` and `base`; `href` is the link as it is spelled. Without
    either base, relative links are given as they are."""
    try:
        from urlkey.page import Page
    except ImportError as error:  # pragma: no cover
        raise ReadError(str(error)) from None
    try:
        page = Page(_whole(blocks, how.limits.page))
    except ImportError as error:
        raise ReadError(f"HTML needs selectolax: pip install 'urlkey[page]' ({error})") from None
    base = based(how.base, page.base)
    for number, anchor in enumerate(page.anchors, 1):
        href = anchor.href.strip("\t\n\f\r ")
        fields = {"element": anchor.element, "href": anchor.href, "rel": sorted(anchor.rel), "title": anchor.text}
        url = resolved(base, href)
        if not url:
            why = "missing-url" if url == "" else "bad-base"
            yield Row(None, number, how.name, fields if how.fields else {}, why, href.encode())
        else:
            yield Row(url, number, how.name, fields if how.fields else {})


def _whole(blocks: Blocks, limit: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    for block in blocks:
        parts.append(block)
        size += len(block)
        if size > limit:
            raise LimitError(f"a page of more than {limit:,} bytes: refused", code="too-large", at=limit)
    return b"".join(parts)
