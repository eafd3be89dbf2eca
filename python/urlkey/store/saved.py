"""Files of our own: a header that says what is in them and under which policy, the bytes, a checksum.

    8 bytes   "urlkey" CR LF
    4 bytes   kind: "seen" or "blom"
    4 bytes   version of the kind, little-endian
    4 bytes   length of the header
    header    JSON in UTF-8; `bytes` is the length of what follows
    content
    32 bytes  SHA-256 of all before

Must not know what the content means.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import struct
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from urlkey.store.errors import StoreError

_MAGIC = b"urlkey\r\n"
_HEAD = struct.Struct("<8s4sII")
_MOST_HEADER = 16 << 20
_BLOCK = 1 << 20

__all__ = ["Reader", "write"]


def write(
    path: str | os.PathLike[str], kind: bytes, version: int, header: dict[str, Any], blocks: Iterable[bytes]
) -> None:
    """Writes a file whole or not at all: it is on the disk when the call returns."""
    target = Path(path)
    beside = target.with_name(f"{target.name}.{os.getpid()}.part")
    text = json.dumps(header, sort_keys=True).encode()
    head = _HEAD.pack(_MAGIC, kind, version, len(text))
    check = hashlib.sha256()
    try:
        with beside.open("wb") as file:
            for block in chain((head, text), blocks):
                check.update(block)
                file.write(block)
            if file.tell() != len(head) + len(text) + header["bytes"]:
                raise RuntimeError("the set was changed while it was saved")
            file.write(check.digest())
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        error.filename = os.fspath(path)
        raise
    finally:
        beside.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Makes the new name last; systems that cannot do that for folders do without."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


class Reader:
    """Reads a file that `write` made: `header` at once, the content by `blocks`.

    Raises StoreError: `not-a-store` for another kind of file, `newer` for a later version, `corrupt` where
    lengths or checksum are wrong. Only when `blocks` has ended is the content known to be whole.
    """

    def __init__(self, path: str | os.PathLike[str], kind: bytes, version: int) -> None:
        self.path = os.fspath(path)
        self._file: BinaryIO = Path(path).open("rb")  # noqa: SIM115, closed by __exit__
        self._check = hashlib.sha256()
        try:
            self.header = self._read_header(kind, version)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _read_header(self, kind: bytes, version: int) -> dict[str, Any]:
        head = self._file.read(_HEAD.size)
        if len(head) < _HEAD.size or head[:12] != _MAGIC + kind:
            raise StoreError("not-a-store", self.path)
        *_, found, length = _HEAD.unpack(head)
        if found > version:
            raise StoreError("newer", self.path, f"version {found}, this release reads {version}")
        text = self._file.read(min(length, _MOST_HEADER))
        self._check.update(head + text)
        size = os.fstat(self._file.fileno()).st_size
        try:
            header = json.loads(text)
            content = header["bytes"]
        except (ValueError, KeyError, TypeError):
            raise StoreError("corrupt", self.path, "the header cannot be read") from None
        if found < 1 or len(text) != length or content != size - _HEAD.size - length - 32:
            raise StoreError("corrupt", self.path, "the file is not as long as its header says")
        return dict(header)

    def blocks(self) -> Iterator[bytes]:
        """The content, in blocks of a MiB; raises at the end if the checksum is another."""
        left = self.header["bytes"]
        while left:
            block = self._file.read(min(left, _BLOCK))
            if not block:
                raise StoreError("corrupt", self.path, "the file ends early")
            self._check.update(block)
            left -= len(block)
            yield block
        if self._file.read() != self._check.digest():
            raise StoreError("corrupt", self.path, "the checksum is another")
