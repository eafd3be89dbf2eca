"""The bytes of a file in blocks, compression undone. Knows gzip, Zstandard, zip and
`-` (standard input); must not know what the bytes mean.

A broken file gives what was good, then says where it broke: see `Blocks.broken`.
"""

import os
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Any, BinaryIO

from urlkey.readers.errors import LimitError, ReadError
from urlkey.readers.limits import LIMITS, Limits
from urlkey.readers.packing import (
    DICTIONARY,
    GZIP,
    SIZE,
    ZIP,
    ZSTD,
    Gzip,
    Opener,
    Stream,
    dictionary_end,
    unzipped,
    zstd,
)

# A decompressor that fails gives nothing of the piece it fails in: small pieces.
_PIECE = 1 << 14
# So much is looked at before a file is taken for plain, unless a line ends before.
_HEAD = 512
_DICTIONARY = 1 << 24

__all__ = ["SIZE", "Blocks"]


class Blocks:
    """Iterates over blocks of at most `SIZE` bytes.

    `source` is a path, `-` for standard input, or a binary file, which stays open. `size` is the size of the file as it
    lies on disk, None if unknown; `position` how much of it was read. After the last block, `failure` is None or the
    error that ended it early: compressed data that stop making sense, or ask for more than `limits` let through.
    """

    def __init__(self, source: "str | os.PathLike[str] | BinaryIO", limits: Limits = LIMITS) -> None:
        self.position = 0
        self.failure: ReadError | None = None
        self.limits = limits
        self._head: bytes | None = None
        self._own = False
        self._done = 0
        #: Where each packed stream begins: unpacked bytes before it, packed bytes; noted if somebody puts a deque here.
        self.members: deque[tuple[int, int]] | None = None
        if hasattr(source, "read"):
            self.path = str(getattr(source, "name", "<file>"))
            self._file: Any = source
        else:
            self.path = os.fspath(source)
            if self.path == "-" and sys.stdin is None:
                raise ReadError("standard input is closed")
            self._own = self.path != "-"
            # Closed by __exit__.
            self._file = Path(self.path).open("rb", buffering=0) if self._own else sys.stdin.buffer  # noqa: SIM115
        self.size = _size(self._file)

    @property
    def broken(self) -> str | None:
        """What `failure` says."""
        return None if self.failure is None else self.failure.what

    def __enter__(self) -> "Blocks":
        return self

    def __exit__(self, *exception: object) -> None:
        if self._own:
            self._file.close()

    def __iter__(self) -> Iterator[bytes]:
        first = self.head()
        self._head = None
        packing = self._packing(first)
        if packing is None and not first.startswith(ZIP):
            while first:
                yield first
                first = self._read(SIZE)
            return
        try:
            for block in self._unpacked(first, packing) if packing else self._unzipped():
                self._done += len(block)
                self._hold(self._done)
                yield block
        except ReadError as error:
            self.failure = error

    def head(self) -> bytes:
        """The first bytes as they lie on disk; they come again."""
        if self._head is None:
            self._head = self._read(SIZE)
            while len(self._head) < _HEAD and b"\n" not in self._head and (more := self._read(SIZE)):
                self._head += more
            wanted = min(dictionary_end(self._head), _DICTIONARY)
            while len(self._head) < wanted and (more := self._read(SIZE)):
                self._head += more
        return self._head

    def peek(self) -> bytes:
        """The first bytes, unpacked as far as they are good; they come again."""
        head = self.head()
        if head.startswith(ZIP):
            if not self._seekable():
                return b""
            position = self._file.tell()
            with suppress(ReadError):
                head = next(self._unzipped(), b"")
            self._file.seek(position)
            return head
        packing = self._packing(head)
        if packing is None:
            return head
        sample = b""
        while head and not sample:
            stream = packing()
            with suppress(*stream.errors):
                for block in stream.feed(head):
                    sample += block
                    if len(sample) >= _PIECE:
                        break
            # The first may be empty, or to be skipped.
            head = stream.rest if stream.ended else b""
        return sample

    def raw(self) -> "Raw":
        """The file as it lies on disk, for libraries that undo compression, or seek, themselves."""
        head, self._head = self.head(), None
        return Raw(self, head)

    def _read(self, size: int) -> bytes:
        # read1: what a pipe has now, without waiting for a full block.
        read = getattr(self._file, "read1", None) if not self._own else None
        block: bytes = (read or self._file.read)(size)
        if not isinstance(block, bytes):
            raise ReadError("a file must give bytes: open it with 'rb'")
        self.position += len(block)
        return block

    def _hold(self, unpacked: int) -> None:
        """Raises LimitError where the file unpacks to more than it may."""
        limits = self.limits
        if limits.unpacked is not None and unpacked > limits.unpacked:
            raise LimitError(f"more than {limits.unpacked:,} bytes unpacked", code="too-large", at=self.position)
        if limits.ratio is not None and unpacked > max(limits.dense_after, limits.ratio * self.position):
            raise LimitError(
                f"more than {limits.ratio} bytes unpacked from each, at byte {self.position}: refused",
                code="too-dense",
                at=self.position,
            )

    def _packing(self, first: bytes) -> Opener | None:
        """How to open a stream of the file's compression; the name decides, else the first bytes."""
        suffix = PurePath(self.path.lower()).suffix
        if suffix == ".gz" or (suffix not in (".zst", ".zstd") and first.startswith(GZIP)):
            return Gzip
        if suffix in (".zst", ".zstd") or first.startswith((ZSTD, DICTIONARY)):
            return zstd(self.path, first)
        return None

    def _unpacked(self, block: bytes, packing: Opener) -> Iterator[bytes]:
        """One stream after the other, as `cat a.gz b.gz` leaves them."""
        stream: Stream | None = None
        streams = done = 0
        while block:
            for start in range(0, len(block), _PIECE):
                piece = block[start : start + _PIECE]
                end = done + start + len(piece)
                while piece:
                    if stream is None:
                        # Zeros pad an archive to a whole block of its tape.
                        piece = piece.lstrip(b"\0") if streams else piece
                        stream = packing() if piece else None
                        streams += 1
                        if stream is not None and self.members is not None:
                            self.members.append((self._done, end - len(piece)))
                        continue
                    try:
                        yield from stream.feed(piece)
                    except stream.errors as error:
                        yield from stream.rescue()
                        at = end - stream.left
                        message = f"{stream.name} data broken at byte {at}: {error}"
                        raise ReadError(message, code="broken", at=at) from None
                    piece = stream.rest
                    stream = None if stream.ended else stream
            done += len(block)
            block = self._read(SIZE)
        if stream is not None:
            raise ReadError(f"{stream.name} data end in the middle, at byte {done}", code="broken", at=done)

    def _unzipped(self) -> Iterator[bytes]:
        if not self._seekable():
            raise ReadError(f"{self.path}: a zip archive is read from a file, not from a pipe")
        self._file.seek(0)
        for block in unzipped(self._file):
            self.position = max(self.position, min(self._file.tell(), self.size or 0))
            yield block

    def _seekable(self) -> bool:
        seekable = getattr(self._file, "seekable", None)
        return bool(seekable and seekable())


class Raw:
    """A file that was begun to be read, from its beginning: `read`, `tell`; `file` where it can seek, at its start."""

    def __init__(self, blocks: Blocks, head: bytes) -> None:
        self._blocks = blocks
        self._head = head
        self._at = 0

    @property
    def file(self) -> Any:
        """The file itself, to seek in; None for a pipe."""
        if not self._blocks._seekable():
            return None
        self._blocks._file.seek(0)
        return self._blocks._file

    def tell(self) -> int:
        return self._at

    def read(self, size: int = SIZE) -> bytes:
        if self._head:
            block, self._head = self._head[:size], self._head[size:]
        else:
            block = self._blocks._read(min(size, SIZE) if size >= 0 else SIZE)
        self._at += len(block)
        return block


def _size(file: Any) -> int | None:
    """Bytes in a regular file; None for a pipe or a terminal."""
    try:
        return os.fstat(file.fileno()).st_size or None
    except (OSError, ValueError, AttributeError):
        return None
