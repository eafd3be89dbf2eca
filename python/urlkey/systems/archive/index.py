"""Index files: keys made anew, lines sorted, a query answered. What a key is, the core decides; a line whose key
cannot be made anew keeps the one it has, and is told of."""

import itertools
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from urlkey._native import cdx_range, surts
from urlkey.readers import ReadError
from urlkey.readers.cdx import Layout, header, index_lines, is_comment, layout_of, url_of
from urlkey.readers.lines import BOM
from urlkey.systems.archive.sorting import MEMORY, sort_lines

Flavor = Literal["python", "java", "heritrix"]
MatchType = Literal["exact", "prefix", "host", "domain"]

_BLOCK = 8192
_METHOD = b"__wb_method="

__all__ = ["Kept", "Rekeyed", "lookup", "rekey", "sort_index"]


@dataclass(frozen=True, slots=True)
class Kept:
    """A line that keeps its key, and why: `number` counts from 1, over all files."""

    number: int
    reason: str
    line: bytes


@dataclass(slots=True)
class Rekeyed:
    """What became of the lines of an index, when all of them have been read."""

    lines: int = 0
    changed: int = 0
    kept: int = 0


def rekey(
    paths: Iterable[str | os.PathLike[str]],
    flavor: Flavor = "python",
    *,
    counts: Rekeyed | None = None,
    on_kept: Callable[[Kept], object] | None = None,
    memory: int = MEMORY,
    directory: str | None = None,
    **options: Any,
) -> Iterator[bytes]:
    """The lines of index files with keys made anew of their URLs, in the order of their bytes, header first.

    `paths` are CDX or CDXJ files, gzip or Zstandard or neither, all of one layout; `-` is standard input. `options`
    are those of `surt`. Nothing but the key changes in a line. A capture of another method than GET gets the key of
    its method and body where the JSON has them. A line keeps its key, and goes to `on_kept`, where its URL is missing,
    where method and body stand in its old key alone, and where the new key would hold a space. `counts` is filled in
    on the way. Memory and temporary files are those of `sort_lines`. Raises ReadError for a file that cannot be read as
    an index.

    >>> from urlkey.systems import archive
    >>> from pathlib import Path
    >>> _ = Path("old.cdxj").write_text('http://b.example/ 2020 {"url": "http://b.example/"}\\n'
    ...     'http://a.example/ 2020 {"url": "http://www.a.example/"}\\n')
    >>> for line in archive.rekey(["old.cdxj"]):
    ...     print(line.decode())
    example,a)/ 2020 {"url": "http://www.a.example/"}
    example,b)/ 2020 {"url": "http://b.example/"}
    """
    head, found, body = _opened(paths)
    counts = Rekeyed() if counts is None else counts
    yield from head
    rows = _rekeyed(body, found, flavor, options, counts, on_kept or (lambda kept: None))
    yield from sort_lines(rows, memory=memory, directory=directory)


def sort_index(
    paths: Iterable[str | os.PathLike[str]], *, memory: int = MEMORY, directory: str | None = None
) -> Iterator[bytes]:
    """The lines of index files of one layout in the order of their bytes, header first."""
    head, _, body = _opened(paths)
    yield from head
    yield from sort_lines(body, memory=memory, directory=directory)


def _opened(paths: Iterable[str | os.PathLike[str]]) -> tuple[list[bytes], Layout | None, Iterator[bytes]]:
    """Header lines, their layout, and all lines that are none."""
    heads: list[list[bytes]] = []
    layouts: list[Layout | None] = []
    bodies: list[Iterator[bytes]] = []
    for path in paths:
        lines = index_lines(os.fspath(path))
        head: list[bytes] = []
        layout = None
        for line in lines:
            found = header(line)
            if found is None and not is_comment(line):
                lines = itertools.chain([line], lines)
                break
            layout = found or layout
            head.append(line)
        heads.append(head)
        layouts.append(layout)
        bodies.append(lines)
        if layout != layouts[0]:
            raise ReadError(f"{os.fspath(path)}: another layout than that of the first file")
    return heads[0] if heads else [], layouts[0] if layouts else None, itertools.chain.from_iterable(bodies)


def _rekeyed(
    lines: Iterator[bytes],
    layout: Layout | None,
    flavor: Flavor,
    options: dict[str, Any],
    counts: Rekeyed,
    on_kept: Callable[[Kept], object],
) -> Iterator[bytes]:
    while block := list(itertools.islice(lines, _BLOCK)):
        first = counts.lines + 1
        counts.lines += len(block)
        reasons: dict[int, str] = {}
        urls: list[bytes] = []
        layouts: list[Layout | None] = []
        for i, line in enumerate(block):
            found, url = layout, b""
            try:
                found = layout or layout_of(line)
                url = _url(line, found)
            except ValueError as error:
                reasons[i] = str(error)
            layouts.append(found)
            urls.append(url)
        keys = surts(urls, flavor, **options)
        for i, (line, key, how) in enumerate(zip(block, keys, layouts, strict=True)):
            reason = reasons.get(i) or _unfit(line, key, cast(Layout, how))
            if reason:
                counts.kept += 1
                on_kept(Kept(first + i, reason, line))
                yield line
                continue
            new = _with_key(line, key, cast(Layout, how))
            counts.changed += new != line
            yield new


def _url(line: bytes, layout: Layout) -> bytes:
    """The URL that a line's key is made of: with method and body, of a capture that has them."""
    url, block = url_of(line, layout)
    if not url or url == b"-":
        raise ValueError("no original URL")
    method = block.get("method")
    if not isinstance(method, str) or method.upper() == "GET":
        return url
    body = block.get("requestBody")
    query = body if isinstance(body, str) else ""
    # Some indexes hold the query with what joins it to the URL.
    if query.startswith(("?__wb_method=", "&__wb_method=")):
        query = query[1:]
    if not query.startswith("__wb_method="):
        query = f"__wb_method={method.upper()}" + (f"&{query}" if query else "")
    return url + (b"&" if b"?" in url else b"?") + query.encode("utf-8", "surrogatepass")


def _unfit(line: bytes, key: bytes, layout: Layout) -> str | None:
    if any(byte <= 0x20 for byte in key) or layout.delimiter in key:
        return "the key would hold a space, or what stands between fields"
    old = line.split(layout.delimiter)[layout.key]
    if _METHOD in old.lower() and _METHOD not in key:
        return "method and body of the request stand in the old key alone"
    return None


def _with_key(line: bytes, key: bytes, layout: Layout) -> bytes:
    parts = line.split(layout.delimiter, layout.key + 1)
    parts[layout.key] = key
    return layout.delimiter.join(parts)


def lookup(
    path: str | os.PathLike[str],
    url: str | bytes,
    match_type: MatchType = "exact",
    flavor: Flavor = "python",
    **options: Any,
) -> Iterator[bytes]:
    """The lines of a sorted index that a query covers, in their order; empty ones are none.

    A plain file is searched by halves; a packed one is read from its beginning to the end of the range. `options` are
    those that the index was made with. Raises ReadError where the lines read are out of order, OSError.

    >>> from urlkey.systems import archive
    >>> from pathlib import Path
    >>> _ = Path("sorted.cdxj").write_text('com,a)/ 2020 {"url": "http://a.com/"}\\ncom,a,b)/ 2021 {"url": "http://b.a.com/"}\\n')
    >>> [line[:12] for line in archive.lookup("sorted.cdxj", "a.com", "domain")]
    [b'com,a)/ 2020', b'com,a,b)/ 20']
    """
    given = url if isinstance(url, bytes) else url.encode("utf-8", "surrogatepass")
    start, end = cdx_range(given, match_type, flavor, **options)
    name = os.fspath(path)
    before = b""
    for line in _from(name, start):
        if line < before:
            raise ReadError(f"{name}: not in the order of bytes: sort it with `urlkey cdx sort`")
        if line >= end:
            return
        before = line
        yield line


def _from(path: str, start: bytes) -> Iterator[bytes]:
    """The lines from the first on that is not below `start`."""
    if path == "-" or _is_packed(path):
        before = b""
        for line in filter(None, index_lines(path)):
            if line < before:
                raise ReadError(f"{path}: not in the order of bytes: sort it with `urlkey cdx sort`")
            before = line
            if line >= start:
                yield line
        return
    with Path(path).open("rb") as file:
        file.seek(_place(file, start))
        yield from filter(None, (line.rstrip(b"\r\n") for line in file))


def _is_packed(path: str) -> bool:
    with Path(path).open("rb") as file:
        return file.read(4).startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd"))


def _place(file: Any, start: bytes) -> int:
    """Where the first line begins that is not below `start`."""
    begin = len(BOM) if file.read(len(BOM)) == BOM else 0
    low, high = begin, file.seek(0, os.SEEK_END)
    # All lines that begin before `low` are below; the first that begins at `high` or behind is not.
    while low < high:
        middle = (low + high) // 2
        if middle > begin:
            file.seek(middle - 1)
            file.readline()
        else:
            file.seek(begin)
        at, line = file.tell(), file.readline().rstrip(b"\r\n")
        # An empty line says nothing of the order: the next one does.
        while not line and at < high:
            at, line = file.tell(), file.readline().rstrip(b"\r\n")
        if at < high and line < start:
            low = file.tell()
        else:
            high = middle
    return low
