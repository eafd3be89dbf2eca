"""A body as the rows of a file, what is wrong with it as a refusal. Must not know what rows mean."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

from urlkey.evidence.records import Telling, refusal
from urlkey.readers import PROBLEMS, LimitError, Limits, ReadError, Row, read

__all__ = ["rows_of"]

# What sitemaps.org allows a file to unpack to.
_LIMITS = Limits(unpacked=52_428_800)
# What is refused however small it is.
_REFUSED = ("doctype", "entity")
# Records that say a URL, but not which one.
_DISTURBED = ("two-urls", "markup")
# What a str says of its encoding is no longer true.
_DECLARED = re.compile(r"(<\?xml[^>]{0,200}?)\s+encoding\s*=\s*(?:\"[^\">]*\"|'[^'>]*')")


def rows_of(kind: str, url: str, body: bytes | str, format: str, told: Telling) -> Iterator[Row]:
    """The rows of a sitemap or feed, as far as they are good; then a refusal of this kind, where the file is not."""
    if isinstance(body, str):
        body = _DECLARED.sub(r"\1", body.removeprefix("\ufeff"), count=1).encode("utf-8", "surrogatepass")
    try:
        rows = read(io.BytesIO(body), format, base=url, limits=_LIMITS)
        for row in rows:
            # A record that is no URL has none to speak of; a URL that cannot be resolved is told by who resolves it.
            if row.url is not None or row.problem == "bad-base":
                yield row
            elif row.problem in _DISTURBED:
                told += refusal(
                    kind, url, row.text.decode("utf-8", "replace")[:200], "bad-syntax", PROBLEMS[row.problem]
                )
    except ReadError as error:
        too_much = isinstance(error, LimitError) and error.code not in _REFUSED
        told += refusal(kind, url, None, "too-many" if too_much else "bad-syntax", error.what)
