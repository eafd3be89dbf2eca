"""What a refresh says, of a `<meta http-equiv=refresh>` or of the header of that name."""

import re
from typing import NamedTuple

__all__ = ["Refresh", "refresh"]

_REFRESH = re.compile(
    r"[\t\n\x0c\r ]*([0-9.]+)[\t\n\x0c\r ]*[;, \t\n\x0c\r][;, \t\n\x0c\r]*(?:url[\t\n\x0c\r ]*=[\t\n\x0c\r ]*)?", re.I
)


class Refresh(NamedTuple):
    """The URL that a page goes to, as spelled, and after how many seconds."""

    url: str
    seconds: int


def refresh(content: str) -> Refresh | None:
    """What the content of a refresh says; None where it says nothing, or names the page's own URL by naming none.

    Source: https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps

    >>> refresh("0; URL='/next'x"), refresh("5")
    (Refresh(url='/next', seconds=0), None)
    """
    found = _REFRESH.match(content)
    if found is None:
        return None
    rest = content[found.end() :]
    if rest[:1] in ('"', "'"):
        rest = rest[1:].partition(rest[0])[0]
    # Digits up to the first dot; `.5` is 0 seconds. More digits than these are a long time, however many.
    return Refresh(rest, int(found[1].partition(".")[0][:9] or 0)) if rest else None
