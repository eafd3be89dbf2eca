"""The files of rejects and groups: tab-separated, or JSON lines where the name
ends so. Both are data: texts come out whole. Must not know how rows came about.

Tab-separated, the text is the last field, so that its tabs do no harm; a line
end in it (a quoted cell) is written `\\n`, a backslash `\\\\`. In JSON, a byte
that is not UTF-8 is the lone surrogate that Python's `surrogateescape` makes of it.
"""

import json
from typing import Protocol

from urlkey.cli.output import Output
from urlkey.readers import format_of

__all__ = ["Groups", "Place", "Rejects"]


class Place(Protocol):
    """From the number of a line over all files to file and line, or to both in short."""

    def __call__(self, number: int) -> tuple[str, int]: ...
    def short(self, number: int) -> str: ...


class Rejects:
    """`line, code, text` a row; JSON has the file, the byte offset and the message too."""

    def __init__(self, output: Output, path: str, place: Place) -> None:
        self._write = output.write
        self._json = format_of(path) == "jsonl"
        self._place = place

    def add(self, number: int, code: str, at: int | None, message: str, text: bytes) -> None:
        file, line = self._place(number)
        if self._json:
            row = {
                "file": file,
                "line": line,
                "code": code,
                "at": at,
                "message": message,
                "text": _text(text),
            }
            self._write(_json(row))
        else:
            self._write(_tsv(self._place.short(number), code, text))


class Groups:
    """`key, line, text` a row, groups in order; JSON has one group a line."""

    def __init__(self, output: Output, path: str, place: Place) -> None:
        self._write = output.write
        self._json = format_of(path) == "jsonl"
        self._place = place
        self._key = ""
        self._left = 0

    def add(self, key: bytes | None, count: int, spellings: list[tuple[int, bytes]]) -> None:
        """Writes a group of `count` spellings, or a piece of it; the key comes with the first."""
        if key is not None:
            self._key, self._left = key.decode(), count
        if not self._json:
            for number, text in spellings:
                self._write(_tsv(self._key, self._place.short(number), text))
            return
        # Piece by piece what `json.dumps` would make of the whole group.
        if key is not None:
            head = json.dumps({"key": self._key, "lines": count, "spellings": []})
            self._write(head.removesuffix("]}").encode())
        for number, text in spellings:
            file, line = self._place(number)
            self._left -= 1
            row = json.dumps({"file": file, "line": line, "text": _text(text)})
            self._write(row.encode() + (b", " if self._left else b"]}\n"))


def _text(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")


def _json(row: dict[str, object]) -> bytes:
    return json.dumps(row).encode() + b"\n"


def _tsv(first: str, second: str, text: bytes) -> bytes:
    text = text.replace(b"\\", b"\\\\").replace(b"\r", b"\\r").replace(b"\n", b"\\n")
    start = f"{first}\t{second}\t".encode("utf-8", "surrogateescape")
    return b"%s%s\n" % (start, text)
