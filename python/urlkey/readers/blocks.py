"""The bytes of a file in blocks, compression undone. Knows gzip, Zstandard and
`-` (standard input); must not know what the bytes mean.

A broken file gives what was good, then says where it broke: see `Blocks.broken`.
"""

import os
import sys
import zlib
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path, PurePath
from typing import Any, Protocol

from urlkey.readers import ReadError

SIZE = 1 << 18
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
# A decompressor that fails gives nothing of the piece it fails in: small pieces.
_PIECE = 1 << 14

__all__ = ["SIZE", "Blocks"]


class Blocks:
    """Iterates over blocks of at most `SIZE` bytes.

    `size` is the size of the file as it lies on disk, None if unknown; `position`
    how much of it was read. After the last block, `broken` is None or a sentence
    that says where the compressed data stop making sense.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.position = 0
        self.broken: str | None = None
        if path == "-" and sys.stdin is None:
            raise ReadError("standard input is closed")
        # Closed by __exit__.
        self._file: Any = sys.stdin.buffer if path == "-" else Path(path).open("rb", buffering=0)  # noqa: SIM115
        self.size = _size(self._file)

    def __enter__(self) -> "Blocks":
        return self

    def __exit__(self, *exception: object) -> None:
        if self.path != "-":
            self._file.close()

    def __iter__(self) -> Iterator[bytes]:
        first = self._read(SIZE)
        packing = self._packing(first)
        if packing is None:
            while first:
                yield first
                first = self._read(SIZE)
        elif first:
            yield from self._unpacked(first, packing)

    def _read(self, size: int) -> bytes:
        # read1: what a pipe has now, without waiting for a full block.
        block: bytes = self._file.read1(size) if self.path == "-" else self._file.read(size)
        self.position += len(block)
        return block

    def _packing(self, first: bytes) -> "Callable[[], _Stream] | None":
        """How to open a stream of the file's compression; the name decides, else the first bytes."""
        suffix = PurePath(self.path.lower()).suffix
        if suffix == ".gz" or (suffix not in (".zst", ".zstd") and first.startswith(_GZIP)):
            return _Gzip
        if suffix in (".zst", ".zstd") or first.startswith(_ZSTD):
            return _zstd(self.path)
        return None

    def _unpacked(self, block: bytes, packing: "Callable[[], _Stream]") -> Iterator[bytes]:
        """One stream after the other, as `cat a.gz b.gz` leaves them."""
        stream: _Stream | None = None
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
                        continue
                    try:
                        yield from stream.feed(piece)
                    except stream.errors as error:
                        yield from stream.rescue()
                        self.broken = f"{stream.name} data broken at byte {end - stream.left}: {error}"
                        return
                    piece = stream.rest
                    stream = None if stream.ended else stream
            done += len(block)
            block = self._read(SIZE)
        if stream is not None:
            self.broken = f"{stream.name} data end in the middle, at byte {done}"


class _Stream(Protocol):
    """One compressed stream. `left`: bytes of the last piece from an error on;
    `rest`: what of it comes after the stream's end."""

    name: str
    errors: tuple[type[Exception], ...]

    @property
    def left(self) -> int: ...
    @property
    def ended(self) -> bool: ...
    @property
    def rest(self) -> bytes: ...
    def feed(self, piece: bytes) -> Iterator[bytes]: ...
    def rescue(self) -> Iterator[bytes]: ...


class _Gzip:
    """One gzip member."""

    name = "gzip"
    errors: tuple[type[Exception], ...] = (zlib.error,)

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(wbits=31)
        self._before = self._stream
        self._piece = b""

    def feed(self, piece: bytes) -> Iterator[bytes]:
        while piece and not self._stream.eof:
            self._before, self._piece = self._stream.copy(), piece
            yield self._stream.decompress(piece, SIZE)
            piece = self._stream.unconsumed_tail

    def rescue(self) -> Iterator[bytes]:
        """What was good before the error: byte by byte up to it."""
        while self._piece:
            try:
                yield self._before.decompress(self._piece[:1])
            except zlib.error:
                return
            self._piece = self._piece[1:]

    @property
    def left(self) -> int:
        return len(self._piece)

    @property
    def ended(self) -> bool:
        return self._stream.eof

    @property
    def rest(self) -> bytes:
        return self._stream.unused_data


def _zstd(path: str) -> Callable[[], _Stream]:
    """The class for one Zstandard frame; from the standard library since Python 3.14."""
    zstd: Any
    try:
        zstd = import_module("compression.zstd")
    except ImportError:
        try:
            zstd = import_module("backports.zstd")
        except ImportError:
            raise ReadError(f"{path}: .zst needs Python 3.14 or: pip install 'urlkey[zstd]'") from None

    class Frame:
        name = "zstd"
        errors: tuple[type[Exception], ...] = (zstd.ZstdError,)

        def __init__(self) -> None:
            self._stream = zstd.ZstdDecompressor()
            self.left = 0

        def feed(self, piece: bytes) -> Iterator[bytes]:
            self.left = len(piece)
            while piece or not (self._stream.needs_input or self._stream.eof):
                yield self._stream.decompress(piece, SIZE)
                piece = b""

        def rescue(self) -> Iterator[bytes]:
            # A frame is made of blocks, and nothing of a broken block is known.
            return iter(())

        @property
        def ended(self) -> bool:
            return bool(self._stream.eof)

        @property
        def rest(self) -> bytes:
            return bytes(self._stream.unused_data) if self._stream.eof else b""

    return Frame


def _size(file: Any) -> int | None:
    """Bytes in a regular file; None for a pipe or a terminal."""
    try:
        return os.fstat(file.fileno()).st_size or None
    except (OSError, ValueError):
        return None
