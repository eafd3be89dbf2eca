"""Text in UTF-16, as spreadsheets save it, in UTF-8. Must not know what it says."""

import codecs
from collections.abc import Iterable, Iterator

__all__ = ["as_utf8"]


def as_utf8(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The blocks as they are, or in UTF-8 where a byte order mark says UTF-16.

    >>> b"".join(as_utf8([b"\\xff", b"\\xfea\\0", b"\\xe9", b"\\0"]))
    b'a\\xc3\\xa9'
    """
    blocks = iter(blocks)
    head = b""
    for block in blocks:
        head += block
        if len(head) >= 2:
            break
    if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        # A lone surrogate goes on as bytes that are no UTF-8, as a reader of UTF-8 keeps them.
        decoder = codecs.getincrementaldecoder("utf-16")("surrogatepass")
        yield decoder.decode(head).encode("utf-8", "surrogatepass")
        for block in blocks:
            yield decoder.decode(block).encode("utf-8", "surrogatepass")
        return
    if head:
        yield head
    yield from blocks
