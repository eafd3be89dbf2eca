"""robots.txt: the sitemaps it names. What robots may fetch is not read here.

Source: https://www.rfc-editor.org/rfc/rfc9309.html#name-other-records
"""

import re
from collections.abc import Iterator

from urlkey.readers.blocks import Blocks
from urlkey.readers.how import How
from urlkey.readers.lines import numbered
from urlkey.readers.rows import Row, text

_SITEMAP = re.compile(rb"[ \t]*+sitemap[ \t]*+:[ \t]*+([^\s#]*)", re.I)

__all__ = ["rows"]


def rows(blocks: Blocks, how: How) -> Iterator[Row]:
    """The URL of each line `Sitemap:`."""
    for number, line, problem in numbered(blocks, how.limits.line):
        found = _SITEMAP.match(line)
        if found is None:
            continue
        fields = {"kind": "sitemap"} if how.fields else {}
        url = found[1] if problem is None else b""
        if url:
            yield Row(text(url), number, how.name, fields)
        else:
            yield Row(None, number, how.name, problem=problem or "missing-url", text=line)
