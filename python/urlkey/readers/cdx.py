"""Index files of web archives: CDX (a header ` CDX N b a ...`, or 7 or 9 to 14 fields without one) and
CDXJ (key, timestamp, JSON). Knows where key and URL stand in a line; must not know how keys are made.

Sources: https://iipc.github.io/warc-specifications/specifications/cdx-format/cdx-2015/, and for lines of 12 to 14
fields and other names of the URL in JSON pywb, warcserver/index/cdxobject.py
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from urlkey.readers.blocks import Blocks
from urlkey.readers.errors import ReadError
from urlkey.readers.how import How
from urlkey.readers.lines import lines, numbered, without_bom
from urlkey.readers.rows import Row, text

FIELDS = {
    "N": "urlkey",
    "b": "timestamp",
    "a": "original",
    "m": "mimetype",
    "s": "statuscode",
    "k": "digest",
    "r": "redirect",
    "M": "robotflags",
    "S": "length",
    "V": "offset",
    "g": "filename",
    # pywb's, where the first capture of a revisit lies. Digits, which are no letters of CDX.
    "1": "orig.length",
    "2": "orig.offset",
    "3": "orig.filename",
}
_PLAIN = {9: "NbamskrVg", 10: "NbamskrMVg", 11: "NbamskrMSVg"}
# The fields of a line by their number, where no header says so; 7 is what CDX servers send.
LAYOUTS = {7: "NbamskS", **_PLAIN, **{number + 3: f"{letters}123" for number, letters in _PLAIN.items()}}
# The original URL in JSON: the first of these that is there.
_URL_NAMES = ("url", "original", "u")

__all__ = ["FIELDS", "LAYOUTS", "Layout", "fields", "header", "index_lines", "layout_of", "rows", "url_of"]


@dataclass(frozen=True, slots=True)
class Layout:
    """How lines are written: the letter of each field of CDX, or CDXJ; and what stands between two."""

    letters: str
    delimiter: bytes = b" "
    is_json: bool = False

    @property
    def key(self) -> int:
        """The place of the key: N, or A in files of old."""
        return max(self.letters.find("N"), self.letters.find("A"), 0)


CDXJ = Layout("Nb", is_json=True)


def index_lines(path: str) -> Iterator[bytes]:
    """The lines of a file, without their ends; gzip and Zstandard undone. Raises ReadError where packed data break."""
    with Blocks(path) as blocks:
        for line in lines(without_bom(blocks)):
            yield line.rstrip(b"\r\n")
    if blocks.broken:
        raise ReadError(f"{path}: {blocks.broken}")


def rows(blocks: Blocks, how: How) -> Iterator[Row]:
    """The captures of an index; a header and comments are none."""
    layout: Layout | None = None
    for number, line, problem in numbered(blocks, how.limits.line):
        if number == 1 and (layout := header(line)) is not None:
            continue
        if not line.strip() or is_comment(line):
            continue
        try:
            if problem is not None:
                raise ValueError
            found = layout or layout_of(line)
            url, _ = url_of(line, found)
            told = fields(line, found) if how.fields else {}
            if not url:
                problem = "missing-url"
                raise ValueError
        except ValueError:
            yield Row(None, number, how.name, problem=problem or "bad-row", text=line)
            continue
        yield Row(text(url), number, how.name, told)


def header(line: bytes) -> Layout | None:
    """The layout that a header says; its first byte is what stands between fields.

    >>> header(b" CDX N b a").letters
    'Nba'
    """
    delimiter, name, letters = line[:1], line[1:4], line[4:]
    if name != b"CDX" or not letters.startswith(delimiter):
        return None
    found = letters[1:].split(delimiter)
    if not all(len(letter) == 1 and letter.isalpha() for letter in found) or b"a" not in found:
        raise ReadError(f"a CDX header without the original URL, or with a field of more than a letter: {line[:80]!r}")
    return Layout(b"".join(found).decode(), delimiter)


def is_comment(line: bytes) -> bool:
    """Whether a line says something of the file: `!OpenWayback-CDXJ 1.0`."""
    return line.startswith(b"!")


def layout_of(line: bytes) -> Layout:
    """The layout of a line without a header before it. Raises ValueError.

    >>> layout_of(b'com,example)/ 2020 {"url": "http://example.com/"}').is_json
    True
    """
    parts = line.split(b" ")
    if len(parts) > 2 and parts[2].startswith(b"{"):
        return CDXJ
    if (letters := LAYOUTS.get(len(parts))) is None:
        raise ValueError(f"{len(parts)} fields: neither CDXJ nor CDX, which has 7 or 9 to 14")
    return Layout(letters)


def fields(line: bytes, layout: Layout) -> dict[str, Any]:
    """The fields of a line by name. Raises ValueError."""
    if layout.is_json:
        key, timestamp, block = _json_parts(line)
        return {"urlkey": key.decode("utf-8", "replace"), "timestamp": timestamp.decode("utf-8", "replace"), **block}
    values = _values(line, layout)
    names = [FIELDS.get(letter, letter) for letter in layout.letters]
    return {name: value.decode("utf-8", "replace") for name, value in zip(names, values, strict=True)}


def url_of(line: bytes, layout: Layout) -> tuple[bytes, dict[str, Any]]:
    """The original URL of a line, and the JSON beside it, empty in CDX. Raises ValueError."""
    if not layout.is_json:
        return _values(line, layout)[layout.letters.index("a")], {}
    block = _json_parts(line)[2]
    url = next((block[name] for name in _URL_NAMES if name in block), None)
    if not isinstance(url, str):
        raise ValueError("the JSON has no url")
    return url.encode("utf-8", "surrogatepass"), block


def _values(line: bytes, layout: Layout) -> list[bytes]:
    values = line.split(layout.delimiter)
    if len(values) != len(layout.letters):
        raise ValueError(f"{len(values)} fields, not {len(layout.letters)}")
    return values


def _json_parts(line: bytes) -> tuple[bytes, bytes, dict[str, Any]]:
    parts = line.split(b" ", 2)
    try:
        block = json.loads(parts[2])
    except (IndexError, ValueError, RecursionError):
        block = None
    if not isinstance(block, dict):
        raise ValueError("no JSON object behind key and timestamp")
    return parts[0], parts[1], block
