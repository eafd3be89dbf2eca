"""Keys and other facts of Arrow columns: the public name of `urlkey.engines.arrow`."""

from urlkey.engines.arrow import (
    Array,
    ArrowArray,
    ArrowStream,
    ChunkedArray,
    Columns,
    Fact,
    KeyOptions,
    Options,
    column,
    keys,
    table,
)

__all__ = [
    "Array",
    "ArrowArray",
    "ArrowStream",
    "ChunkedArray",
    "Columns",
    "Fact",
    "KeyOptions",
    "Options",
    "column",
    "keys",
    "table",
]
