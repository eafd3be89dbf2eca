"""Amounts of memory, as `--memory` takes them. Must not know what they are for."""

import re

from urlkey.cli.app import Failure
from urlkey.cli.messages import visible

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}

__all__ = ["size_of"]


def size_of(text: str) -> int:
    """Bytes of an amount of memory as people write it: a number, and K, M, G or T, powers of 1024.

    >>> size_of("1G"), size_of("1.5 MiB"), size_of("4096")
    (1073741824, 1572864, 4096)
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?\s*", text, re.ASCII | re.IGNORECASE)
    size = int(float(found[1]) * _UNITS[found[2].lower()]) if found and len(found[1]) < 20 else 0
    if size <= 0:
        raise Failure(f"'{visible(text)}' is no amount of memory; such are 512M, 1G, 1.5G")
    return size
