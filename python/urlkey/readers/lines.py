"""Plain text, one URL a line: lines out of blocks, each with its end. For rows
that Python must look into; `dedupe` and `key` hand whole blocks to the core."""

from collections.abc import Iterable, Iterator

BOM = b"\xef\xbb\xbf"

__all__ = ["BOM", "lines", "without_bom"]


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


def lines(blocks: Iterable[bytes], end: bytes = b"\n") -> Iterator[bytes]:
    """Every line with its end; the last one may lack it.

    >>> list(lines([b"a", b"b\\r\\nc", b"\\n", b"d"]))
    [b'ab\\r\\n', b'c\\n', b'd']
    """
    begun: list[bytes] = []
    for block in blocks:
        first, *rest = block.split(end)
        begun.append(first)
        if not rest:
            continue
        yield b"".join(begun) + end
        begun = [rest.pop()]
        for line in rest:
            yield line + end
    last = b"".join(begun)
    if last:
        yield last
