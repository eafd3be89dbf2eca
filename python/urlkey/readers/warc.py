"""Web archives: the URLs of WARC records, and what was answered. Records are split by FastWARC (extra `warc`); here are
the limits, and the places where a file breaks, which FastWARC passes over.

Source: https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from urlkey.readers.blocks import Blocks
from urlkey.readers.bodies import decoded
from urlkey.readers.errors import ReadError
from urlkey.readers.how import How
from urlkey.readers.limits import LIMITS, Limits
from urlkey.readers.rows import Row, text

# Records of these types are about a URL; `warcinfo` and `continuation` are not.
_TYPES = ("response", "revisit", "request", "resource", "metadata", "conversion")
_PIECE = 1 << 20
# FastWARC takes fewer headers for an error; some servers send more.
_HEADERS = 1 << 20

__all__ = ["Capture", "captures", "rows"]


@dataclass(frozen=True, slots=True)
class Capture:
    """One record with what it holds. `offset` is where it begins in the file, packed or not, as indexes name it.

    `status` and `headers` (names as spelled, in order) are of the HTTP message; None and empty where there is none.
    `body` is what follows them: of HTTP, freed of chunks, gzip, deflate and Brotli. `encoding` is the content coding
    that is left (`zstd`), None where none is. `truncated` says why the body is not whole: what the record's
    `WARC-Truncated` says, `limit` where it was longer than `Limits.document`, or `broken` where its
    coding is; None where it is whole.
    """

    url: str | bytes | None
    type: str
    offset: int
    date: str | None
    record_id: str | None
    status: int | None
    headers: tuple[tuple[str, str], ...]
    body: bytes
    encoding: str | None = None
    truncated: str | None = None
    digest: str | None = None
    refers_to: str | None = None


def rows(blocks: Blocks, how: How) -> Iterator[Row]:
    """The target URI of each record that has one; those that must and have none are rejects."""
    for number, record in enumerate(_records(blocks, how), 1):
        if record.type not in _TYPES:
            continue
        fields = _fields(record) if how.fields else {}
        url = record.target
        if url:
            yield Row(text(url), number, how.name, fields)
        elif record.type != "metadata":
            yield Row(None, number, how.name, fields, "missing-url", record.header(b"WARC-Record-ID") or b"")


def captures(
    source: str | os.PathLike[str] | BinaryIO,
    types: tuple[str, ...] = ("response", "revisit", "resource"),
    *,
    limits: Limits = LIMITS,
) -> Iterator[Capture]:
    """The records of these types with headers and body, one at a time; errors as `urlkey.readers.read` raises them."""
    with Blocks(source, limits) as blocks:
        how = How(name=blocks.path, limits=limits)
        try:
            for record in _records(blocks, how):
                if record.type in types:
                    yield _capture(record, limits.document)
            if blocks.failure is not None:
                raise blocks.failure
        except ReadError as error:
            raise error.of(how.name) from None


def _fields(record: _Record) -> dict[str, Any]:
    told: dict[str, Any] = {"type": record.type, "offset": record.offset}
    for name, header in (("date", b"WARC-Date"), ("record_id", b"WARC-Record-ID"), ("digest", b"WARC-Payload-Digest")):
        if (value := record.header(header)) is not None:
            told[name] = text(value)
    http = record.http() if record.type in ("response", "revisit") else None
    if http is not None:
        told["status"] = http.status_code
        told["mime"] = http.get("Content-Type")
    return {name: value for name, value in told.items() if value is not None}


def _capture(record: _Record, limit: int) -> Capture:
    http = record.http()
    body, whole = record.body(limit)
    truncated = _said(record.header(b"WARC-Truncated")) or (None if whole else "limit")
    headers = () if http is None else tuple(http.to_tuples())
    encoding = None
    if http is not None and whole:
        body, encoding, fault = decoded(body, headers, limit)
        truncated = truncated or fault
    return Capture(
        url=text(record.target) if record.target else None,
        type=record.type,
        offset=record.offset,
        date=_said(record.header(b"WARC-Date")),
        record_id=_said(record.header(b"WARC-Record-ID")),
        status=None if http is None else http.status_code,
        headers=headers,
        body=body,
        encoding=encoding,
        truncated=truncated,
        digest=_said(record.header(b"WARC-Payload-Digest")),
        refers_to=_said(record.header(b"WARC-Refers-To-Target-URI")),
    )


def _said(value: bytes | None) -> str | None:
    return None if value is None else value.decode("utf-8", "replace")


class _Record:
    """One record of FastWARC, where it lies, and how much of it was read."""

    def __init__(self, record: Any, offset: int) -> None:
        self._record = record
        self._http: Any = None
        self.type = str(record.record_type)
        self.offset = offset
        self.length: int = record.content_length
        self.left = self.length

    def header(self, name: bytes) -> bytes | None:
        value: bytes | None = self._record.headers.get_bytes(name)
        return value

    @property
    def target(self) -> bytes:
        """The target URI; some writers put it into angle brackets, as WARC 1.0 printed it."""
        url = (self.header(b"WARC-Target-URI") or b"").strip()
        return url[1:-1] if url.startswith(b"<") and url.endswith(b">") else url

    def http(self) -> Any:
        """The headers of the HTTP message; None where there is none, or none that can be read."""
        if self._http is None and self._record.is_http:
            try:
                self._record.parse_http(max_header_len=_HEADERS)
                self._http = self._record.http_headers
            except OSError:
                self._http = None
            self.left = self._record.content_length
        return self._http

    def body(self, limit: int) -> tuple[bytes, bool]:
        """What was not read yet, and whether that is all of it."""
        wanted = min(self.left, limit)
        parts: list[bytes] = []
        while wanted > 0 and (part := self._record.reader.read(min(wanted, _PIECE))):
            parts.append(part)
            wanted -= len(part)
            self.left -= len(part)
        return b"".join(parts), self.left == 0

    def skip(self) -> int:
        """Reads on, a piece at a time; how much there was."""
        done: int = self._record.reader.consume(min(self.left, _PIECE))
        self.left -= done
        return done


class _Stream:
    """What FastWARC reads from: unpacked bytes. An error is kept here, because it may be lost on its way."""

    def __init__(self, blocks: Blocks) -> None:
        self._members: deque[tuple[int, int]] = deque()
        blocks.members = self._members
        self._blocks = iter(blocks)
        self._block = b""
        self._at = 0
        self._member = (0, 0)
        self._packed = False
        self.error: Exception | None = None

    def read(self, size: int = -1) -> bytes:
        try:
            # No bytes mean the end to who reads here; of a packed stream, that some more are needed.
            while not self._block and (block := next(self._blocks, None)) is not None:
                self._block = block
        except Exception as error:
            self.error = error
            return b""
        given = self._block[:size] if size >= 0 else self._block
        self._block = self._block[len(given) :]
        self._at += len(given)
        return given

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = 0) -> int:
        raise OSError("not seekable")

    def close(self) -> None:
        """The file is closed by whom it was opened."""

    def offset(self, unpacked: int) -> int:
        """Where in the file the record lies that begins behind so many unpacked bytes; calls come in order."""
        while self._members and self._members[0][0] <= unpacked:
            self._member = self._members.popleft()
            self._packed = True
        return self._member[1] if self._packed else unpacked


def _records(blocks: Blocks, how: How) -> Iterator[_Record]:
    """Each record; it is read to its end before the next, whatever the caller reads of it."""
    try:
        from fastwarc import ArchiveIterator
    except ImportError:
        raise ReadError("WARC needs FastWARC: pip install 'urlkey[warc]'") from None
    if not blocks.head():
        return
    stream = _Stream(blocks)
    records: Any = None
    last: _Record | None = None
    while True:
        try:
            records = records or ArchiveIterator(stream, parse_http=False, max_header_len=_HEADERS, stream_detect=False)
            found = next(records, None)
        except OSError as error:
            if stream.error is not None:
                raise stream.error from None
            if blocks.failure is not None:
                return
            if last is None:
                raise ReadError(f"no WARC: {error}") from None
            raise _broken(last.offset, f"{error}, after the record") from None
        if stream.error is not None:
            raise stream.error
        if found is None:
            return
        record = _Record(found, stream.offset(found.stream_pos))
        length = record.header(b"Content-Length") or b""
        # FastWARC takes a length that it cannot read, and headers that are cut off, for an empty record.
        if not length.strip().isdigit() or int(length) != record.length:
            if blocks.failure is not None:
                return
            raise _broken(record.offset, "no Content-Length, or the headers are cut off, of the record")
        yield record
        while record.left and record.skip():
            pass
        if record.left:
            if blocks.failure is not None:
                return
            missing = f"{record.left:,} of {record.length:,} bytes"
            raise _broken(record.offset, f"the file ends in the middle: {missing} are missing of the record")
        last = record


def _broken(offset: int, what: str) -> ReadError:
    return ReadError(f"WARC broken: {what} at byte {offset}", code="broken", at=offset)
