"""How much a file may ask for. Data that strangers made decide nothing here; a caller who trusts a file raises them."""

from typing import NamedTuple

__all__ = ["LIMITS", "NO_LIMITS", "Limits"]


class Limits(NamedTuple):
    """What is refused, with a `LimitError`; None: not looked at.

    Formats that are streamed hold at most a line, an element's text or a record at once.
    """

    #: Unpacked bytes for each packed one; not looked at before `dense_after` unpacked bytes. `too-dense`.
    ratio: int | None = 200
    dense_after: int = 64 << 20
    #: Unpacked bytes of a packed file in all. `too-large`.
    unpacked: int | None = 1 << 42
    #: Bytes of one line, of one text or tag of XML. A longer line is a row without a URL. `long-line`.
    line: int = 64 << 20
    #: Bytes of what is held whole: a record of HAR, a body of WARC, a pipe of Parquet. `too-large`.
    document: int = 256 << 20
    #: Bytes of an HTML page, whose tree takes up to twenty times as much. `too-large`.
    page: int = 32 << 20
    #: Elements of XML, or folders of bookmarks, inside each other. `too-deep`.
    depth: int = 256


LIMITS = Limits()
NO_LIMITS = LIMITS._replace(ratio=None, unpacked=None)
