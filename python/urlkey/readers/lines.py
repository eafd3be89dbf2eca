"""Plain text, one URL a line: lines out of blocks, each with its end. For rows
that Python must look into; `dedupe` and `key` hand whole blocks to the core."""

from collections.abc import Iterable, Iterator

from urlkey.readers.unicode import as_utf8

BOM = b"\xef\xbb\xbf"
# What stays of a line that is longer than a line may be.
_BEGINNING = 1 << 16

__all__ = ["BOM", "bursts", "lines", "numbered", "without_bom"]


def without_bom(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The blocks, less a byte order mark before the first."""
    blocks = iter(blocks)
    head = b""
    for block in blocks:
        head += block
        if len(head) >= len(BOM):
            break
    if head:
        yield head.removeprefix(BOM)
    yield from blocks


def numbered(blocks: Iterable[bytes], limit: int) -> Iterator[tuple[int, bytes, str | None]]:
    """Number and bytes of every line, without its end, and `long-line` where it has more than `limit` bytes, of which
    the first are given. A line ends with LF, CRLF or CR; UTF-16 with a byte order mark is read as what it is.

    >>> list(numbered([b"a\\r\\nb\\rc\\n", b"d"], 9))
    [(1, b'a', None), (2, b'b', None), (3, b'c', None), (4, b'd', None)]
    """
    number = 0
    for line in lines(without_bom(as_utf8(blocks)), limit=limit):
        for each in line.removesuffix(b"\n").removesuffix(b"\r").split(b"\r"):
            number += 1
            yield (number, each[:_BEGINNING], "long-line") if len(each) > limit else (number, each, None)


def lines(blocks: Iterable[bytes], end: bytes = b"\n", limit: int | None = None) -> Iterator[bytes]:
    """Every line with its end; the last one may lack it. Of a line that is longer than `limit`, as much as there was
    when that was seen.

    >>> list(lines([b"a", b"b\\r\\nc", b"\\n", b"d"]))
    [b'ab\\r\\n', b'c\\n', b'd']
    """
    for burst in bursts(blocks, end, limit):
        yield from burst


def bursts(blocks: Iterable[bytes], end: bytes = b"\n", limit: int | None = None) -> Iterator[list[bytes]]:
    """The lines that end in each block, as `lines` gives them: for who must answer before the next block is there.

    >>> list(bursts([b"a", b"b\\nc\\nd", b"e"]))
    [[b'ab\\n', b'c\\n'], [b'de']]
    """
    begun: list[bytes] = []
    size = 0
    for block in blocks:
        first, *rest = block.split(end)
        if limit is None or size <= limit:
            begun.append(first)
            size += len(first)
        if not rest:
            continue
        last = rest.pop()
        yield [b"".join(begun) + end, *(line + end for line in rest)]
        begun = [last]
        size = len(last)
    if begun_last := b"".join(begun):
        yield [begun_last]
