"""Streams of compressed bytes: gzip, Zstandard, and the one file of a zip archive. Knows how each is undone piece by
piece; must not know where the bytes come from."""

import errno
import zlib
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Protocol

from urlkey.readers.errors import ReadError

SIZE = 1 << 18
GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
# A frame to skip, which holds the dictionary of all others.
DICTIONARY = b"\x5d\x2a\x4d\x18"
_DICTIONARY = 1 << 24
ZIP = b"PK\x03\x04"
# Of the piece that breaks nothing is given: small ones.
_PIECE = 1 << 14

__all__ = [
    "DICTIONARY",
    "GZIP",
    "SIZE",
    "ZIP",
    "ZSTD",
    "Gzip",
    "Opener",
    "Stream",
    "dictionary_end",
    "unzipped",
    "zstd",
]


class Stream(Protocol):
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


Opener = Callable[[], Stream]


class Gzip:
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


def dictionary_end(head: bytes) -> int:
    """How many bytes the dictionary takes that a file begins with, as WARC files in Zstandard have it; 0 without one.

    Source: https://iipc.github.io/warc-specifications/specifications/warc-zstd/
    """
    return 8 + int.from_bytes(head[4:8], "little") if head.startswith(DICTIONARY) and len(head) >= 8 else 0


def zstd(name: str, head: bytes = b"") -> Opener:
    """The class for one Zstandard frame of a file that begins with `head`; from the standard library since 3.14."""
    zstd: Any
    try:
        zstd = import_module("compression.zstd")
    except ImportError:
        try:
            zstd = import_module("backports.zstd")
        except ImportError:
            raise ReadError(f"{name}: .zst needs Python 3.14 or: pip install 'urlkey[zstd]'") from None

    shared: Any = None
    if (end := dictionary_end(head)) > 0:
        try:
            data = head[8:end]
            if data.startswith(ZSTD):
                data = zstd.ZstdDecompressor().decompress(data, _DICTIONARY)
            shared = zstd.ZstdDict(data)
        except (zstd.ZstdError, ValueError) as error:
            raise ReadError(f"{name}: no Zstandard dictionary: {error}") from None

    class Frame:
        name = "zstd"
        errors: tuple[type[Exception], ...] = (zstd.ZstdError,)

        def __init__(self) -> None:
            self._stream = zstd.ZstdDecompressor(zstd_dict=shared)
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


def unzipped(file: Any) -> Iterator[bytes]:
    """The one file of a zip archive, in blocks. Raises ReadError where there are more or none, where it has a password,
    and where it breaks."""
    import lzma
    import struct
    import zipfile

    # What zipfile raises where places, lengths and names in a broken archive lead nowhere, and what its codecs do.
    broken = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, ValueError, OverflowError)
    try:
        with zipfile.ZipFile(file) as archive:
            found = [each for each in archive.infolist() if not each.is_dir()]
            if len(found) != 1:
                raise ReadError(f"a zip archive of {len(found)} files, not of one: unpack it first")
            if found[0].flag_bits & 1:
                raise ReadError("a zip archive with a password")
            with archive.open(found[0]) as member:
                while block := member.read(_PIECE):
                    yield block
    except ReadError:
        raise
    except (*broken, NotImplementedError, RuntimeError) as error:
        raise ReadError(f"zip data broken: {error}", code="broken") from None
    except OSError as error:
        # A place before the file's beginning, and data that are none of bzip2's; all else is of the disk.
        if error.errno not in (None, errno.EINVAL):
            raise
        raise ReadError(f"zip data broken: {error}", code="broken") from None
