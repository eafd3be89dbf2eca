"""Columns of Arrow as batches of URLs, and what is told of their rows as columns. Must not know what is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeGuard

from urlkey._native import UrlChunk, UrlColumn

if TYPE_CHECKING:
    from urlkey._native import Array, ChunkedArray
    from urlkey.engines.arrow import ArrowArray, ArrowStream

__all__ = ["is_column", "told"]


def is_column(urls: object) -> TypeGuard[ArrowArray | ArrowStream]:
    """Whether an object has the Arrow PyCapsule interface."""
    return hasattr(urls, "__arrow_c_array__") or hasattr(urls, "__arrow_c_stream__")


def told(
    urls: ArrowArray | ArrowStream,
    rows: int,
    tell: Callable[[UrlChunk], list[Any]],
    *,
    first: Callable[[UrlChunk], object] | None = None,
) -> Array | ChunkedArray:
    """What `tell` says of each row, True, False or None, by batches of at most so many rows; with `first`, that is
    asked of all batches before. An Array for an array, for a stream a ChunkedArray with its chunks.
    """
    column, said = UrlColumn(urls, rows), list[bool | None]()
    chunks = column if first is None else list(column)
    if first is not None:
        for chunk in chunks:
            first(chunk)
    for chunk in chunks:
        said += tell(chunk)
    return column.mask(said)
